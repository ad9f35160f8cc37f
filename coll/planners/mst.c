/* mst.c - the minimum spanning tree, with its edges directed from the root (ECO, section 4).
 *
 * It has the least traffic of all trees, but may be deep and ignores ports. So it serves as a
 * baseline. Children are in ascending order. Cost: O(n^2).
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
