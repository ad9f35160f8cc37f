/* radix.h - exchanges in stages (doubling.c): which radix is likely to be the best. */
#pragma once

#include "planners/planner.h"

/* Number of messages that a rank sends in all stages; the last stage may have fewer. */
int radix_messages(int ranks, int radix);
/* Sets the choice's arity to the next one to be tried, or above the planner's maximum if there is
 * none. quick: of radices only the first, the estimated best one and 4 are tried; otherwise, and
 * for other arities, all. */
void radix_next(struct choice *choice, bool quick, const struct request *req,
                const struct model *model);
