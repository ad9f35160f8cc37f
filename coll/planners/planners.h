/* planners.h - the functions behind the table of planner.c; each file of this folder says what its
 * do. */
#ifndef HNOW_COLL_PLANNERS_H
#define HNOW_COLL_PLANNERS_H

#include "../planner.h"

int planner_flat(const struct problem *problem, struct tree *tree);
int planner_kary(const struct problem *problem, struct tree *tree);
int planner_binomial(const struct problem *problem, struct tree *tree);
int planner_butterfly(const struct problem *problem, struct tree *tree);
void planner_ring(const struct problem *problem, struct plan *plan);
void planner_doubling(const struct problem *problem, struct plan *plan);
void planner_dissemination(const struct problem *problem, struct plan *plan);

#endif
