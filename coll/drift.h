/* drift.h - how a network has changed: some of its ways are measured, and from these follows which
 * ports, links or single ways have become slower than the network file says.
 *
 * Each host is measured with the first two of its subnet, and the first of each subnet with the
 * first of each other: about 2 n + s^2 / 2 ways in both directions, not n^2.  Where all ways out of
 * a host (into it; from one subnet to another) have become slower, its port (the link) has: by the
 * least of their factors.  What remains belongs to single ways.  All in integers: all members who
 * have the same measurements find the same network.
 */
#ifndef HNOW_COLL_DRIFT_H
#define HNOW_COLL_DRIFT_H

#include "model.h"

enum { DRIFT_NONE = 1000 }; /* factors are in thousandths */

struct drift_way {
    int from, to;   /* ranks */
    int64_t bytes;  /* of the message by which it is measured */
    int64_t factor; /* time now over time stated; below one and a half: no change */
};

struct drift {
    struct drift_way *ways;
    int count;
};

/* The ways to be measured, one after the other; each stands next to its opposite.  HN_ENOMEM. */
int drift_ways(const struct model *model, struct drift *drift);
void drift_free(struct drift *drift);
/* nanoseconds: what the message took from its beginning until the receiver had it. */
int64_t drift_factor(const struct model *model, const struct drift_way *way, int64_t nanoseconds);
/* The slowest of them; DRIFT_NONE: nothing has changed. */
const struct drift_way *drift_worst(const struct drift *drift);
/* Makes the changes in a network of the same hosts, host[rank], whose costs are those stated.
 * HN_ENOMEM. */
int drift_apply(const struct drift *drift, const struct model *model, hn_net *net);

#endif
