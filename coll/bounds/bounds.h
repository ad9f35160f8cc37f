/* bounds.h - what the parts of the lower bound share; private to bound*.c. */
#ifndef HNOW_COLL_BOUNDS_H
#define HNOW_COLL_BOUNDS_H

#include "volume.h"
#include "zones.h"

#include "wide.h"

struct bounding {
    const struct request *req;
    const struct model *model;
    bool cut; /* whether pieces of a part may travel on their own */
    struct zones *zones;
    const struct volume *volume;
};

static inline hn_time bound_larger(hn_time a, hn_time b)
{
    return a > b ? a : b;
}

static inline hn_time bound_smaller(hn_time a, hn_time b)
{
    return a < b ? a : b;
}

/* bytes * per / scale, rounded down; saturates. */
static inline hn_time bound_product(int64_t bytes, int64_t per, int64_t scale)
{
    return bound_smaller(wide_ratio(bytes, per, scale), INT64_MAX / 4);
}

/* The bytes of the smallest message that carries anything: a whole part where parts are not cut. */
int64_t bound_least_message(const struct bounding *b);

/* Each: a time that no plan can beat; 0 when nothing is known, or out of memory. */
hn_time bound_by_paths(const struct bounding *b);    /* bound_paths.c */
hn_time bound_by_channels(const struct bounding *b); /* bound_channels.c */
hn_time bound_by_trees(const struct bounding *b);    /* bound_trees.c */
hn_time bound_by_receives(const struct bounding *b); /* bound_multicast.c */

#endif
