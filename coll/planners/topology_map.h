/* topology_map.h - assigns the nodes of a graph to members of a group such that neighbours are
 * near.
 */
#pragma once

#include "model/model.h"

#include "runtime/internal.h"

/* An undirected graph: the neighbours of node v are other[first[v] ... first[v + 1] - 1]. An edge
 * is listed at both its ends. */
struct topology_graph {
    int nodes;
    int *first; /* [nodes + 1] */
    int *other;
    int *weight;        /* weight of each entry of other: 1 ... TOPOLOGY_WEIGHT_MOST */
    struct arena arena; /* of these */
};

enum { TOPOLOGY_WEIGHT_MOST = 1 << 10 };

/* Computes a short closed tour through all ranks: tour[i] is the i-th rank. It enters each subnet
 * and each host once. HN_OK or HN_ENOMEM. */
int topology_tour(const struct model *model, int *tour);

/* Assigns nodes to different ranks: place[v] is the rank of node v; entries from graph->nodes on
 * are the unused ranks. orders[] contains `count` permutations of the nodes, one after the other,
 * in which neighbours are close. Each is assigned to the tour and improved by exchanges; the best
 * result is kept. HN_OK or HN_ENOMEM. */
int topology_map(const struct model *model, const struct topology_graph *graph, const int *orders,
                 int count, int *place);
