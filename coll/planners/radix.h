/* radix.h - exchanges in stages (doubling.c): which radix is likely to be the best. */
#pragma once

#include "planners/planner.h"

/* Messages of a rank in all stages; in the last one there may be fewer. */
int radix_messages(int ranks, int radix);
/* Makes it the arity to be tried after this one; more than its planner has: none.  Where time is
 * short, of radices these are the first, the likely one, and 4; else, and of anything else, all. */
void radix_next(struct choice *choice, bool quick, const struct request *req,
                const struct model *model);
