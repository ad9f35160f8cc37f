/* operation_request.h - measures collective operations: cases of size and plan, in turns
 * (hbench_operation.c). */
#pragma once

#include "hbench_collective.h"
#include "hnow_coll.h"
#include "peer.h"
#include "result.h"

/* Maximum number of plans; more are an error.  Bytes of a name, as PLAN_NAME_ROOM. */
enum { OPERATION_PLANS = 16, OPERATION_PLAN_ROOM = 80 };

/* A request: each of the sizes with each of the plans. */
struct operation_request {
    const struct collective *collective;
    /* Owned by the caller, during the measurement. */
    const int64_t *bytes;
    int sizes;
    bool patient; /* also sizes for which an operation takes seconds */
    /* A plan as printed by hplan; NAME*, the planner's best variant; "all", each planner's best
     * variant; "auto", the one that operations follow by default. */
    char plan[OPERATION_PLANS][OPERATION_PLAN_ROOM];
    int plans;
    int64_t iters;                  /* 0: as many as fit in the time of a case */
    const struct peer_choice *peer; /* measured for comparison; without a command: on the same
                                       hosts */
    int peers;
    /* Of the order of cases; the same seed gives the same order. */
    uint64_t seed;
};

/* Returns the length of the first plan of a list: up to a comma, except one inside the name of a
 * composed plan. */
size_t operation_plan_length(const char *text);

/* Parses "kary:2,eco*,auto" into the request; NULL: "auto".  Returns false if there are too many
 * plans, or a name is too long. */
bool operation_read_plans(struct operation_request *spec, const char *text);

/* Called by all tasks.  Task 0 gets a result for each size and plan, in this order, without plans
 * that do not support the operation, each with { predicted, lower_bound, loop, begin, clock_error }
 * as far as known, and one for each size and peer. result->asked is the plan as requested.  Returns
 * false after printing an error. */
bool operation_measure(const struct operation_request *spec, struct results *results);

/* Predicts an operation on so many bytes; plan: as in a request, but not "all". */
int operation_predict(const struct collective *c, int64_t bytes, const char *plan, hn_forecast *f);
