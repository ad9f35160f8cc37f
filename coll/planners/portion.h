/* portion.h - a heuristic on some of the ranks: on the leaders of subnets, or inside one. */
#pragma once

#include "planners/planner.h"

typedef int planner_grower(const struct problem *problem, struct tree *tree);

/* Some ranks of a model, as a model of their own. */
struct portion {
    const struct model *whole;
    const int *rank;
    const hn_time *local; /* what each does at the end; NULL: as in the whole */
    int pairs_most;       /* of more ranks, pairs are not looked at: the tree is binomial */
};
enum { PORTION_INSIDE = 512 }; /* pairs_most where there may be many portions */

/* Grows a tree over a portion; so far it is the root alone. *time, when wanted, becomes how long it
 * takes; of more than pairs_most ranks that is not known, and 0. */
int portion_grow(const struct problem *problem, planner_grower *by, const struct portion *portion,
                 struct tree *tree, hn_time *time);

/* Copies the edges of a tree over rank[0], rank[1], ... into the whole one. */
void portion_graft(const struct tree *part, const int *rank, struct tree *tree);
