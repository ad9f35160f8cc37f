/* drift.h - how a network has changed: some of its ways are measured, and from these follows which
 * ports, links or single ways have become slower than the network file says, or come later.
 *
 * Each host is measured with the first two of its subnet, and the first of each subnet with the
 * first of each other: about 2 n + s^2 / 2 ways in both directions, not n^2.  Where all ways out of
 * a host (into it; from one subnet to another) have become slower, its port (the link) has: a byte
 * takes there the least of what it takes on them.  What remains belongs to single ways.  A host
 * that has become slow looks like a port in both directions.  All in integers: all members who have
 * the same measurements find the same network.
 *
 * Measurements have noise.  A way that differs by less than a half from what is believed of it is
 * believed to be as before, so noise below that moves nothing, at whatever level; else one that
 * differs by less than a half from what is stated is believed to be as stated again.
 */
#pragma once

#include "model/model.h"

enum { DRIFT_NONE = 1000 }; /* factors are in thousandths */

/* Bytes of a message by which a way is measured, at most, ... */
enum { DRIFT_BYTES_MOST = 256 << 10 };
/* ... and as few, down to 16 KiB, as take about so long where nothing has changed. */
static const hn_time DRIFT_TIME = 30000000000; /* ps */

struct drift_route {
    int from, to;   /* ranks */
    int64_t bytes;  /* of the message by which it is measured */
    int64_t factor; /* time of a byte now over that stated, at least DRIFT_NONE */
    hn_time late;   /* how much later than stated a message of one byte comes; 0: no later */
};

struct drift {
    struct drift_route *routes;
    int count;
};

/* The ways to be measured, one after the other; each is next to its opposite.  HN_ENOMEM. */
int drift_routes(const struct model *model, struct drift *drift);
void drift_free(struct drift *drift);
/* Sets what was measured of a route: small nanoseconds pass until a message of one byte has been
 * answered by one, large until the message of way->bytes has. */
void drift_measured(const struct model *model, struct drift_route *route, int64_t small,
                    int64_t large);
bool drift_is_slow(const struct drift_route *route);
/* The new measurements of the same ways, less noise: where they are near what was believed before
 * (NULL: what is stated), that stays; where they are near what is stated, that holds.  Whether
 * anything is another than before. */
bool drift_settle(const struct model *model, struct drift *now, const struct drift *before);
/* The way whose message takes longest, measured by what it should take; and that ratio in
 * thousandths.  NULL: no way is slow. */
const struct drift_route *drift_worst(const struct model *model, const struct drift *drift,
                                      int64_t *ratio);
/* Makes the changes in a network of the same hosts, host[rank], whose costs are those stated.
 * HN_ENOMEM. */
int drift_apply(const struct drift *drift, const struct model *model, hn_net *net);
