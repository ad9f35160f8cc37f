/* butterfly.c - the broadcast tree of a butterfly (ECO, section 6; CHARMM's pattern).
 *
 * In stage s = 1, 2, 4, ... every relative rank r < s sends to r + s. It takes as many rounds as a
 * binomial tree, but serves the nearest ranks first. So the last round, with the most messages, has
 * the longest distances. It suits networks of equal costs. Cost: O(n).
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
