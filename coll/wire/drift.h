/* drift.h - how a network has changed. From measurements of some routes it computes which ports,
 * links or single routes have become slower than the network file states, in rate or latency.
 *
 * Each host is measured with the first two of its subnet, and the first host of each subnet with
 * the first of each other: about 2 n + s^2 / 2 routes in both directions, not n^2. If all routes
 * out of a host (into it; from one subnet to another) are slower, its port (the link) is: a byte
 * takes there the minimum over these routes. What remains is attributed to single routes. A slow
 * host looks like a port that is slow in both directions. All arithmetic is in integers: members
 * with the same measurements compute the same network.
 *
 * Measurements are noisy. If a route differs by less than a half from its previous value, that
 * value is kept; so smaller noise never changes anything. Otherwise, if it differs by less than a
 * half from the file, the file's value holds again.
 */
#pragma once

#include "model/model.h"

enum { DRIFT_NONE = 1000 }; /* factor of a route as stated: factors are in thousandths */

/* Largest message for measuring a route, in bytes. ... */
enum { DRIFT_BYTES_MOST = 256 << 10 };
/* ... Fewer bytes, down to 16 KiB, if these take this long on an unchanged route. */
static const hn_time DRIFT_TIME = 30000000000; /* ps */

struct drift_route {
    int from, to;   /* ranks */
    int64_t bytes;  /* of the message that measures it */
    int64_t factor; /* measured over stated time of a byte, in thousandths: at least DRIFT_NONE */
    hn_time late;   /* extra delay of a one-byte message over the stated one; 0: none */
};

struct drift {
    struct drift_route *routes;
    int count;
};

/* Lists the routes to be measured, in order; each is next to its opposite. HN_ENOMEM. */
int drift_routes(const struct model *model, struct drift *drift);
void drift_free(struct drift *drift);
/* Sets the measurement of a route. small: nanoseconds until a one-byte message was answered by one
 * byte; large: the same for a message of route->bytes. */
void drift_set(const struct model *model, struct drift_route *route, int64_t small, int64_t large);
bool drift_is_slow(const struct drift_route *route);
/* Removes noise from new measurements of the same routes: near their previous value (before; NULL:
 * as stated) they keep it, near the stated value they become that. Returns whether anything has
 * changed. */
bool drift_decide(const struct model *model, struct drift *now, const struct drift *before);
/* The route with the largest ratio of measured to stated time of its message; *ratio is in
 * thousandths. NULL: no route is slow. */
const struct drift_route *drift_worst(const struct model *model, const struct drift *drift,
                                      int64_t *ratio);
/* Applies the changes to a network of the same hosts, host[rank], whose costs are as stated.
 * HN_ENOMEM. */
int drift_apply(const struct drift *drift, const struct model *model, hn_net *net);
