/* check.h - whether a plan does what its request asks. */
#pragma once

#include "plan/plan.h"
#include "plan/operation.h"

/* The first violation found: who, at which of its steps, and what. */
struct check_fault {
    int rank; /* -1: the plan as a whole */
    int step; /* place in the rank's list; -1: at the end */
    char text[160];
};

/* Executes a finished plan symbolically. HN_OK: every wanted part ends complete where it is wanted,
 * made of each contribution exactly once (in the order of ranks when the request says so, and of
 * the same expression wherever several ranks want it, so that they get the same bits); nobody sends
 * what it does not hold; every message is sent and received; no rank waits for ever. HN_EPLAN:
 * *fault says why not. HN_ENOMEM. Cost: O(ranks * blocks + blocks moved). */
int plan_check(const struct plan *plan, const struct request *req, struct check_fault *fault);
/* Whether the check of a plan for the request takes no more than it may (2^28 values, one for each
 * rank and part); if not, plan_check() says HN_ENOMEM. */
bool plan_check_fits(const struct request *req);
