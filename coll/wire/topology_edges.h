/* topology_edges.h - graph topologies: each member gives the edges of its own node. */
#pragma once

#include "planners/topology_map.h"
#include "wire/call.h"

/* The edges of all nodes: those of node v are first[v] ... first[v + 1] - 1. */
struct topology_edges {
    size_t *counts, *first; /* [nodes], [nodes + 1] */
    int *to, *weight;
    struct arena arena; /* of the arrays; the caller frees it, also after an error */
};

/* Allocates `edges` entries of `other`. HN_OK or HN_ENOMEM; the caller frees the arena. */
int topology_graph_begin(struct topology_graph *g, int nodes, size_t edges);

/* Gathers the edges of all members at every member, in two steps of the call with that slot. A
 * member with a wrong list sends a number that no list can have, so that all members fail together.
 * *e must be zero. */
int topology_edges_gather(const hn_group *group, struct slot *slot, const int *to,
                          const int *weights, int count, struct topology_edges *e);

/* Makes the graph, in which each edge is listed at both its ends. HN_OK or HN_ENOMEM. */
int topology_edges_graph(const struct topology_edges *e, int nodes, struct topology_graph *g);

/* Orders for topology_map(): by number; breadth-first from node 0; and from the last node found so.
 * NULL: out of memory. */
enum { TOPOLOGY_EDGES_ORDERS = 3 };
int *topology_edges_orders(const struct topology_graph *g);
