/* portion.h - runs a tree heuristic on a subset of the ranks: the leaders of subnets, or the ranks
 * of one subnet.
 */
#pragma once

#include "planners/planner.h"

typedef int planner_grower(const struct problem *problem, struct tree *tree);

/* A subset of the ranks, with a model of its own. rank[i] is rank i of the subset in the whole
 * model. */
struct portion {
    const struct model *whole;
    const int *rank;
    const hn_time *local; /* local part of each; NULL: as in the whole model */
    int pairs_most;       /* with more ranks than this the tree is binomial */
};
enum { PORTION_INSIDE = 512 }; /* pairs_most if there may be many portions: 512^2 pairs take 5 ms */

/* Grows a tree over a portion; `tree` must contain the root alone. *time (may be NULL) is set to
 * its makespan (ps), or 0 with more than pairs_most ranks. HN_OK or an error. */
int portion_grow(const struct problem *problem, planner_grower *by, const struct portion *portion,
                 struct tree *tree, hn_time *time);

/* Copies the edges of a tree over rank[0], rank[1], ... into the whole tree. */
void portion_graft(const struct tree *part, const int *rank, struct tree *tree);
