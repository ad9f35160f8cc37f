/* followed.h - counts the plans that the measured calls of a case used. A plan that is chosen
 * automatically may change during a case. The result then names the one that most calls have
 * used. */
#pragma once

#include "operation_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plans in the order in which they were first followed. */
struct followed {
    struct followed_plan {
        char name[OPERATION_PLAN_ROOM];
        int64_t calls;
    } * plans;
    size_t count;
};

/* Records one more call with this plan.  Returns false if out of memory. */
bool followed_note(struct followed *followed, const char *name);
/* Returns the plan of most calls, the earliest if there are several; NULL: none. */
const char *followed_most(const struct followed *followed);
void followed_free(struct followed *followed);
