/* flat.c - the sequential tree: the root sends to every rank itself, in the order of ranks
 * (Banikazemi, Figure 1b; as PVM does).
 *
 * It takes (n - 1) S + X + R on equal hosts. So it suits networks where S is small compared to X
 * and R; otherwise trees of depth log n are faster by up to n / log n. Cost: O(n).
 */
#include "planners/planners.h"

#include "hnow.h"

int planner_flat(const struct problem *problem, struct tree *tree)
{
    for (int rank = 0; rank < problem->req->ranks; rank++)
        if (rank != tree->root)
            tree_add(tree, tree->root, rank);
    return HN_OK;
}
