/* binomial.c - binomial trees over the ranks relative to the root (the usual tree of MPI libraries;
 * Banikazemi, Figure 1a).
 *
 * The children of relative rank r are r + mask for mask = (lowest set bit of r) / 2, ..., 2, 1; the
 * largest subtree is served first. It takes ceil(log2 n) rounds, which is optimal if all costs are
 * equal and S dominates. Subtrees are runs of consecutive ranks, so a tree from root 0 keeps the
 * order of ranks. Cost: O(n).
 */
#include "planners/planners.h"

#include "hnow.h"

/* Adds the subtree of relative rank r, which has the ranks r ... r + span - 1. */
static void grow(struct tree *tree, int r, int span)
{
    int n = tree->ranks;
    /* All sends of a rank come before those of its subtrees: tree_add() order is the order of
     * sends. */
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
