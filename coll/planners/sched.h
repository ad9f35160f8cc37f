/* sched.h - writes the transfers of a planner's own simulation as a plan, and computes the
 * makespan of that plan: private to forest, gossip and detours.
 *
 * A transfer occupies the sender's and the receiver's port. In the steps of a rank a receive is
 * placed at the time of its end, a send at the time of its start. So no rank sends blocks that it
 * does not hold.
 */
#pragma once

#include "planners/planner.h"

enum { SCHED_BEGINS, SCHED_ENDS }; /* an event is 2 * transfer + one of these */

struct scheduled {
    int from, to;
    int list, count; /* its blocks, as for plan_step() */
    hn_time end;
};

/* Cuts the data into segments. false: the plan has failed, because operands have an order or there
 * are too many segments. */
bool sched_cut(const struct problem *problem, struct plan *plan);

/* Appends the steps of a broadcast in the order of the events; up: of the reduction that is its
 * reverse. */
void sched_write(const struct scheduled *done, const int *events, int count, bool up,
                 struct plan *plan);

/* Finishes, simulates and frees a plan that has all its steps; NULL is allowed. Returns the
 * makespan (ps). INT64_MAX: more than `limit`, more work than *work (see plan_simulate_within()),
 * or out of memory. */
hn_time sched_end(const struct problem *problem, struct plan *plan, hn_time limit, int64_t *work);

/* As sched_end(), for a plan made of these events. */
hn_time sched_time(const struct problem *problem, const struct scheduled *done, const int *events,
                   int count, hn_time limit, int64_t *work);
