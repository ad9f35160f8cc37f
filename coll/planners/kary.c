/* kary.c - balanced k-ary trees over the ranks relative to the root (ECO, sections 4 and 6).
 *
 * With h_0 = root, h_1 = root + 1, ... (modulo n) the children of h_u are h_(ku+1) ... h_(ku+k).
 * k = 1 is a chain. With equal ports it is optimal for long messages in many segments (n - 2 +
 * segments steps), and the slowest tree without segments. k = 2 is ECO's binary tree, k = n - 1 a
 * star. Cost: O(n).
 */
#include "planners/planners.h"

#include "hnow.h"

int planner_kary(const struct problem *problem, struct tree *tree)
{
    int n = tree->ranks, k = problem->arity;
    for (int i = 1; i < n; i++)
        tree_add(tree, (tree->root + (i - 1) / k) % n, (tree->root + i) % n);
    return HN_OK;
}

int planner_star(const struct problem *problem, struct tree *tree)
{
    for (int i = 1; i < problem->req->ranks; i++)
        tree_add(tree, tree->root, (tree->root + i) % tree->ranks);
    return HN_OK;
}
