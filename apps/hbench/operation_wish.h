/* operation_wish.h - measuring collective operations: cases of size and plan, in turns
 * (operation.c). */
#pragma once

#include "hbench_collective.h"
#include "hnow_coll.h"
#include "peer.h"
#include "result.h"

/* Plans of a wish: more are an error.  Bytes of a name, as PLAN_NAME_ROOM. */
enum { OPERATION_PLANS = 16, OPERATION_PLAN_ROOM = 80 };

/* The measurements: each of the sizes with each of the plans. */
struct operation_wish {
    const struct collective *collective;
    const int64_t *bytes;
    int sizes;
    bool patient; /* also sizes of which one operation takes seconds */
    /* A plan as hplan prints it; NAME*, the planner at its best; "all", each planner at its best;
     * "auto", the one that operations follow by themselves. */
    char plan[OPERATION_PLANS][OPERATION_PLAN_ROOM];
    int plans;
    int64_t iters;                  /* 0: as many as fit into the time for a case */
    const struct peer_choice *peer; /* measured beside it; without a command: on the same hosts */
    int peers;
    uint64_t seed;
};

/* How long the first plan of a list is: up to a comma, but for the one inside the name of a plan
 * that is made of two. */
size_t operation_plan_length(const char *text);

/* "kary:2,eco*,auto" into the wish; NULL: "auto".  False: too many, or too long. */
bool operation_read_plans(struct operation_wish *wish, const char *text);

/* Called by all tasks.  Task 0 gets a result for each size and plan, in this order, without those
 * plans that do not serve the operation, each with its share of { predicted, lower_bound, loop,
 * begin, clock_error }, and one for each size and peer.  result->asked is the plan as it is in
 * the wish.  False: failed, and said why. */
bool operation_measure(const struct operation_wish *wish, struct results *results);

/* The prediction for an operation on so many bytes; plan: as in a wish, but not "all". */
int operation_forecast(const struct collective *c, int64_t bytes, const char *plan, hn_forecast *f);
