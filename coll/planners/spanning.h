/* spanning.h - minimum spanning trees, and rooted trees made of them.
 *
 * The weight of an edge is the sum of the costs of its two directions. Among equal edges the one
 * with the smaller first, then the smaller second end comes first; so the tree is unique.
 */
#pragma once

#include "plan/tree.h"

#include "hnow_net.h"

struct span_edge {
    hn_time weight;
    int a, b; /* a < b */
};

/* The n - 1 edges of the minimum spanning tree, ascending; cost[from * ranks + to]. HN_OK or
 * HN_ENOMEM. O(n^2). */
int spanning_edges(int ranks, const hn_time *cost, struct span_edge *edges);

/* Adds the edges to the tree, from its root downwards; children in ascending order. HN_EPLAN when
 * the edges do not reach every rank. At most O(n^2). */
int spanning_hang(const struct span_edge *edges, int count, struct tree *tree);
