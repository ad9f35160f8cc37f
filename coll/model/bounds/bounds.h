/* bounds.h - what the lower bounds share; private to bound*.c. */
#pragma once

#include "model/bounds/volume.h"
#include "model/zones.h"

#include "probe/internal.h"
#include "runtime/internal.h"

/* What is bounded; shared by all bounds of one call. `zones` changes its message size with each
 * use. */
struct bounding {
    const struct request *req;
    const struct model *model;
    bool cut; /* pieces of a part may travel separately */
    struct zones *zones;
    const struct volume *volume;
};

/* bytes * per / scale, rounded down; saturates. */
static inline hn_time bound_product(int64_t bytes, int64_t per, int64_t scale)
{
    return int64_smaller(wide_ratio(bytes, per, scale), INT64_MAX / 4);
}

/* Time for which a message occupies a rank's port. */
static inline hn_time bound_port_time(const struct model *model, struct cost c, bool in)
{
    if (model->port == PORT_BLOCKING)
        return c.send + c.travel + c.recv;
    return in ? c.recv : c.send;
}

/* Minimum costs over all messages of some size. */
struct cheapest {
    hn_time out, in; /* occupation of a sending and a receiving port */
    hn_time deliver;
    struct cost each; /* minimum of S, X and R, each separately */
    hn_time root;     /* occupation of the root's sending port */
};

struct cheapest bound_cheapest(const struct bounding *b, int64_t bytes);

/* Fills copies[] with the earliest times at which 1 ... count further ranks can have a copy,
 * ascending. Each send takes `busy` and delivers after `deliver`. false: out of memory. */
bool bound_copy_times(hn_time busy, hn_time deliver, int count, hn_time *copies);

/* Sets distance[rank] to the least time in which an empty message gets there from the root, by
 * other ranks, too; backward: from there to the root. 0 when out of memory. (bound_paths.c) */
void bound_distances(const struct bounding *b, int root, bool backward, hn_time *distance);

/* Bytes of the smallest message that carries data: a whole part if parts are not cut. */
int64_t bound_least_message(const struct bounding *b);

/* Each returns a lower bound; 0 when nothing is known, or out of memory. */
hn_time bound_by_paths(const struct bounding *b);     /* bound_paths.c */
hn_time bound_by_copies(const struct bounding *b);    /* bound_spread.c: whole messages */
hn_time bound_by_knowledge(const struct bounding *b); /* bound_spread.c */
hn_time bound_by_late(const struct bounding *b);      /* bound_late.c */
hn_time bound_by_total(const struct bounding *b);     /* bound_total.c */
hn_time bound_by_channels(const struct bounding *b);  /* bound_channels.c */
hn_time bound_by_receives(const struct bounding *b);  /* bound_multicast.c */
/* Both iterate over prices. They return 0 at once if a simple routing proves that no prices give
 * more than `known`. */
hn_time bound_by_trees(const struct bounding *b, hn_time known); /* bound_trees.c */
hn_time bound_by_flows(const struct bounding *b, hn_time known); /* bound_flows.c */
