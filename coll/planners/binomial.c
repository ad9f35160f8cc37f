/* binomial.c - binomial trees over the ranks from the root on (the usual tree of MPI libraries;
 * Banikazemi, Figure 1).
 *
 * The child offsets of relative rank r are r + mask for mask = (lowest set bit of r) / 2, ..., 2,
 * 1; the largest subtree is served first.  ceil(log2 n) rounds: the optimum where all costs are
 * equal and S dominates. Subtrees are runs of ranks, so from root 0 it keeps the order of ranks.
 */
#include "planners/planners.h"

#include "hnow.h"

/* Adds the subtree of relative rank r, whose offsets are below `span`. */
static void grow(struct tree *tree, int r, int span)
{
    int n = tree->ranks;
    for (int mask = span / 2; mask > 0; mask /= 2)
        if (r + mask < n)
            tree_add(tree, (tree->root + r) % n, (tree->root + r + mask) % n);
    for (int mask = span / 2; mask > 0; mask /= 2)
        if (r + mask < n)
            grow(tree, r + mask, mask);
}

int planner_binomial(const struct problem *problem, struct tree *tree)
{
    int span = 1;
    while (span < problem->req->ranks)
        span *= 2;
    grow(tree, 0, span);
    return HN_OK;
}
