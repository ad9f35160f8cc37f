/* check.h - verifies that a plan achieves its request. */
#pragma once

#include "plan/plan.h"
#include "plan/operation.h"

/* The first violation found. */
struct check_fault {
    int rank; /* -1: the plan as a whole */
    int step; /* place in the rank's list; -1: at the end */
    char text[160];
};

/* Executes a finished plan symbolically.
 *
 * HN_OK: every wanted part ends complete wherever it is wanted, made of each contribution exactly
 * once. Contributions are in the order of ranks if the request asks for that. If several ranks want
 * a part, all compute the same expression, so that they get equal bits. No rank sends what it does
 * not hold, every message has a sender and a receiver, and no rank waits forever.
 *
 * HN_EPLAN: *fault describes the first violation. HN_ENOMEM: out of memory, or too large
 * (plan_check_fits()). Cost: O(ranks * blocks + blocks moved). */
int plan_check(const struct plan *plan, const struct request *req, struct check_fault *fault);
/* Whether the check of a plan for this request stays within 2^28 values, one for each rank and
 * part. Above that, plan_check() returns HN_ENOMEM. */
bool plan_check_fits(const struct request *req);
