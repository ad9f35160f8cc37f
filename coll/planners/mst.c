/* mst.c - the minimum spanning tree, hung from the root.
 *
 * Least traffic of all trees, but it may be deep, and knows nothing of ports: a yardstick. Children
 * ascend. O(n^2).
 */
#include "planners/planners.h"

#include "planners/spanning.h"

#include "hnow.h"

#include <stdlib.h>

int planner_mst(const struct problem *problem, struct tree *tree)
{
    if (!problem->matrix)
        return HN_EPLAN;
    struct span_edge *edges = malloc((size_t)tree->ranks * sizeof *edges);
    int error = edges ? HN_OK : HN_ENOMEM;
    if (!error)
        error = spanning_edges(tree->ranks, problem->matrix->deliver, edges);
    if (!error)
        error = spanning_hang(edges, tree->ranks - 1, tree);
    free(edges);
    return error;
}
