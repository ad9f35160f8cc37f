/* flat.c - the root serves every rank itself, in the order of ranks (sequential; PVM's way).
 *
 * Best where sending is cheap and receiving or travelling is dear; completes in (n - 1) S + X + R
 * for equal hosts, so it loses by n / log n to trees when S matters.
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
