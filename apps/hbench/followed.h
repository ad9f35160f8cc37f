/* followed.h - which plans the measured calls of a case followed, and by which of them most did. */
#pragma once

#include "operation_wish.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct followed {
    struct followed_plan {
        char name[OPERATION_PLAN_ROOM];
        int64_t calls;
    } * plans;
    size_t count;
};

/* One more call by this plan.  False: no memory. */
bool followed_note(struct followed *followed, const char *name);
/* The plan of most calls, of several the one that came first; NULL: there were none. */
const char *followed_most(const struct followed *followed);
void followed_free(struct followed *followed);
