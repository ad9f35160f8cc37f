/* topology_map.h - which member of a group is which node of a graph, so that neighbours are near.
 */
#pragma once

#include "model/model.h"

#include "runtime/internal.h"

/* An undirected graph: the neighbours of node v are other[first[v] ... first[v + 1] - 1]; an edge
 * is at both its ends. */
struct topology_graph {
    int nodes;
    int *first; /* [nodes + 1] */
    int *other;
    int *weight;        /* 1 ... TOPOLOGY_WEIGHT_MOST: of each entry of other */
    struct arena arena; /* of these */
};

enum { TOPOLOGY_WEIGHT_MOST = 1 << 10 };

/* A closed tour through all ranks: tour[i] is the i-th. Subnets and hosts are each entered once,
 * in the order of a walk round the minimum spanning tree of the subnets. HN_OK or HN_ENOMEM. */
int topology_tour(const struct model *model, int *tour);

/* Puts the nodes of the graph on different ranks: place[v] is that of node v, for v from
 * graph->nodes on a rank that is left over. orders holds `count` orders of the nodes, one after the
 * other, in which neighbours come soon: each is laid along the tour, and improved by exchanges; the
 * best one is kept. HN_OK or HN_ENOMEM. */
int topology_map(const struct model *model, const struct topology_graph *graph, const int *orders,
                 int count, int *place);
