/* butterfly.c - the broadcast tree of a butterfly (ECO, section 6; CHARMM's pattern).
 *
 * Stage s = 1, 2, 4, ...: every relative rank r < s sends to r + s.  The same rounds as a binomial
 * tree, but the nearest ranks are served first, so the last round, the one with the most messages,
 * goes the farthest.
 */
#include "planners/planners.h"

#include "hnow.h"

int planner_butterfly(const struct problem *problem, struct tree *tree)
{
    int n = problem->req->ranks;
    for (int s = 1; s < n; s *= 2)
        for (int r = 0; r < s && r + s < n; r++)
            tree_add(tree, (tree->root + r) % n, (tree->root + r + s) % n);
    return HN_OK;
}
