/* radix.h - exchanges in stages (doubling.c): which radix is likely to be the best. */
#ifndef HNOW_COLL_RADIX_H
#define HNOW_COLL_RADIX_H

#include "planner.h"

/* In how many stages that many ranks are reached. */
int radix_stages(int ranks, int radix);
/* Makes it the arity to be tried after this one; more than its planner has: none.  Where time is
 * short, of radices these are the first, the likely one, and 4; else, and of anything else, all. */
void radix_next(struct choice *choice, bool quick, const struct request *req,
                const struct model *model);

#endif
