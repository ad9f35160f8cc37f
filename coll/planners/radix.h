/* radix.h - exchanges in stages (doubling.c): which radix is likely to be the best. */
#pragma once

#include "planners/planner.h"

/* Messages of a rank in all stages; the last stage may have fewer. */
int radix_messages(int ranks, int radix);
/* Sets the choice's arity to the next one to be tried; a value above its planner's maximum: no
 * more. quick: of radices only the first, the likely one and 4; else, and for other arities,
 * all. */
void radix_next(struct choice *choice, bool quick, const struct request *req,
                const struct model *model);
