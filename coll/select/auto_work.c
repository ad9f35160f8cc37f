/* auto_work.c - the limits of the work of `auto`, and simulation within these limits. */
#include "select/selection.h"

#include "planners/work.h"

#include "hnow.h"

/* With at most CALLS_FEW calls, one simulation may take at most 1 / SIMULATION_SHARE of the work. A
 * plan of thousands of pieces, all in the network at once, could otherwise take all of it. */
enum { CALLS_FEW = 4, SIMULATION_SHARE = 4 };
/* Bytes of all parts: from here on, trying all planners with all segment sizes takes tens of
 * seconds (hplan, 13 hosts). */
enum { BULK_LEAST = 4 << 20 };

/* Only operations with a planner for long data; parts are added until it is clear. */
bool selection_is_bulk(const struct selection *c)
{
    int64_t bytes = 0;
    bool served = false;
    for (int i = 0; i < planner_count && !served; i++)
        served = planners[i].candidate.bulk && planner_serves(&planners[i], c->req);
    for (int part = 0; part < request_parts(c->req) && served && bytes < BULK_LEAST; part++)
        bytes += request_part_bytes(c->req, part);
    return bytes >= BULK_LEAST;
}

/* INT64_MAX: no limit. A stage gets the limit of the whole selection when it begins. */
hn_time selection_most_work(const struct selection *c)
{
    hn_time limit;
    if (c->facts.stage)
        return c->budget.most;
    if (!c->quick || c->budget.most > 0)
        return c->plan ? c->budget.most : INT64_MAX;
    if (c->budget.calls >= CALLS_ALL)
        return INT64_MAX;
    /* Half of the operations' time, in units of one processor's time. */
    if (!c->plan || __builtin_mul_overflow(c->price / 2, c->budget.calls, &limit))
        return INT64_MAX;
    return limit / c->budget.ranks_per_core;
}

/* What is not affordable makes the selection incomplete, so later calls try it. */
bool selection_affords(struct selection *c, hn_time work)
{
    bool enough = selection_most_work(c) - c->budget.work >= work;
    c->shortlist.complete = c->shortlist.complete && enough;
    return enough;
}

/* The estimate for a message includes some rate computations, if there is only time for an
 * estimate. */
static hn_time work_of_simulation(const struct selection *c, const struct choice *choice,
                                  const struct plan *plan, int64_t rates)
{
    hn_time work = plan_message_count(plan) * c->budget.message_work *
                   (choice->planner->composed ? COMPOSED_WORK : 1);
    hn_time sharing = rates * WORK_RATE;
    if (!c->quick)
        return work + sharing;
    return work > sharing ? work : sharing;
}

/* The number of rate computations for which there is time. */
static int64_t rates_of_simulation(const struct selection *c, hn_time most)
{
    hn_time left = most > c->budget.work ? most - c->budget.work : 0;
    bool few = c->quick && !c->facts.stage && c->plan && c->budget.calls < CALLS_FEW;
    return (few && most / SIMULATION_SHARE < left ? most / SIMULATION_SHARE : left) / WORK_RATE;
}

/* The simulation ends at `limit`, or when its share of the budget is used up. */
int selection_simulate(struct selection *c, const struct choice *choice, const struct plan *plan,
                       hn_time limit, struct timing *timing)
{
    hn_time most = selection_most_work(c);
    int64_t rates = rates_of_simulation(c, most), left = rates;
    int error =
        plan_simulate_within(plan, c->model, limit, most < INT64_MAX ? &left : NULL, timing);
    c->budget.work += work_of_simulation(c, choice, plan, rates - left);
    /* left == 0: the simulation may have stopped for lack of time. */
    c->shortlist.complete = c->shortlist.complete && (most == INT64_MAX || left > 0);
    return error;
}
