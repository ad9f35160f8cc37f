/* played.h - what a planner has played by a model of its own, as a plan, and what that plan takes:
 * private to forest, gossip and detours.
 *
 * A transfer holds the sender's and the receiver's port for its time. At every rank a receive is
 * listed when it has ended, a send when it begins, so nobody sends what it does not hold.
 */
#pragma once

#include "planners/planner.h"

enum { PLAYED_BEGINS, PLAYED_ENDS }; /* an event: 2 * transfer + one of these */

struct played {
    int from, to;
    int list, count; /* its blocks, as of plan_step() */
    hn_time end;
};

/* Cuts the data into segments; false: the plan has failed, since the order of operands or too many
 * segments forbid it. */
bool played_cut(const struct problem *problem, struct plan *plan);

/* Appends the steps of a broadcast in the order of the events; up: of the reduction that is the
 * same backwards. */
void played_write(const struct played *done, const int *events, int count, bool up,
                  struct plan *plan);

/* What a plan, whose steps are all there, takes in the model of the problem; frees the plan, which
 * may be NULL. INT64_MAX: more than `limit`, or more than *work (as of plan_simulate_within(), and
 * lessened likewise), or there is no memory. */
hn_time played_end(const struct problem *problem, struct plan *plan, hn_time limit, int64_t *work);

/* The same of these events, as a plan. */
hn_time played_time(const struct problem *problem, const struct played *done, const int *events,
                    int count, hn_time limit, int64_t *work);
