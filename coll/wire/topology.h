/* topology.h - a group whose members have neighbours. */
#pragma once

#include "hnow_coll.h"

#include "runtime/internal.h"

#include <stdatomic.h>

/* Made by one call at all members. Constant afterwards, except `holders`, so operations read it
 * without a lock. */
struct hn_topology {
    hn_group *group; /* ranks are nodes */
    int rank;
    int dimensions; /* of a mesh; 0: a graph */
    int sizes[HN_DIMENSIONS_MOST], periodic[HN_DIMENSIONS_MOST];
    int *from, from_count; /* in the order of blocks; HN_NOBODY: the mesh ends there */
    int *to, to_count;
    int *expect; /* [from_count]: order in which several messages of one neighbour are matched */
    struct arena arena; /* of these lists */
    atomic_int holders; /* references: the program's, until it frees it, and those of operations */
};

/* Adds and releases a reference; the last release frees it. NULL is allowed. */
void topology_hold(const hn_topology *t);
void topology_release(const hn_topology *t);
