/* portion.h - runs a tree heuristic on some of the ranks: the leaders of subnets, or the ranks of
 * one.
 */
#pragma once

#include "planners/planner.h"

typedef int planner_grower(const struct problem *problem, struct tree *tree);

/* Some ranks of a model, as a model of their own. rank[] maps their numbers to the whole. */
struct portion {
    const struct model *whole;
    const int *rank;
    const hn_time *local; /* local part of each; NULL: as in the whole model */
    int pairs_most;       /* above this many ranks pairs are not examined: the tree is binomial */
};
enum { PORTION_INSIDE = 512 }; /* pairs_most if there may be many portions */

/* Grows a tree over a portion; it must have the root alone. *time (may be NULL) receives its
 * makespan; 0, unknown, above pairs_most ranks. */
int portion_grow(const struct problem *problem, planner_grower *by, const struct portion *portion,
                 struct tree *tree, hn_time *time);

/* Copies the edges of a tree over rank[0], rank[1], ... into the whole tree. */
void portion_graft(const struct tree *part, const int *rank, struct tree *tree);
