/* spanning.h - minimum spanning trees, and rooted trees made of them.
 *
 * The weight of an edge is the sum of the costs of its two directions. Edges of equal weight are
 * ordered by their lower rank, then by the higher one. So the tree is unique.
 */
#pragma once

#include "plan/tree.h"

#include "hnow_net.h"

struct span_edge {
    hn_time weight;
    int a, b; /* a < b */
};

/* Writes the n - 1 edges of the minimum spanning tree in ascending order of weight; the costs are
 * cost[from * ranks + to]. HN_OK or HN_ENOMEM. O(n^2). */
int spanning_edges(int ranks, const hn_time *cost, struct span_edge *edges);

/* Adds the edges to a tree of the root alone, directed from the root, with children in ascending
 * order. HN_OK, HN_ENOMEM, or HN_EPLAN if the edges do not reach every rank. At most O(n^2). */
int spanning_hang(const struct span_edge *edges, int count, struct tree *tree);
