/* topology_edges.h - any graph of tasks: each member says where the edges of its node lead. */
#pragma once

#include "planners/topology_map.h"
#include "wire/call.h"

/* The edges of all nodes: those of node v are first[v] ... first[v + 1] - 1. */
struct topology_edges {
    size_t *counts, *first; /* [nodes], [nodes + 1] */
    int *to, *weight;
    struct arena arena; /* of these; the caller frees it, also after an error */
};

/* Room for so many entries of `other`. HN_OK or HN_ENOMEM; the caller frees the arena. */
int topology_graph_begin(struct topology_graph *g, int nodes, size_t edges);

/* Every rank learns of all edges: two steps of a call at that slot. A member whose list is not good
 * says so by a number that no list can have, so that all give up together. e is zero before. */
int topology_edges_gather(const hn_group *group, struct slot *slot, const int *to,
                          const int *weights, int count, struct topology_edges *e);

/* The graph with both ends of every edge. HN_OK or HN_ENOMEM. */
int topology_edges_graph(const struct topology_edges *e, int nodes, struct topology_graph *g);

/* Orders for topology_map(): as they are numbered; from node 0 on, and from the last one found so.
 * NULL: no memory. */
enum { TOPOLOGY_EDGES_ORDERS = 3 };
int *topology_edges_orders(const struct topology_graph *g);
