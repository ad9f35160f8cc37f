/* sched.c - writes simulated transfers as steps (sched.h). */
#include "planners/sched.h"

/* Most segments * ranks: more take seconds and gain nothing. */
enum { CELLS_MOST = 1 << 16 };

bool sched_cut(const struct problem *problem, struct plan *plan)
{
    const struct request *req = problem->req;
    plan_cut(plan, req, problem->segment);
    bool possible = (req->op != OP_REDUCE || !req->ordered) && plan->block_count > 0 &&
                    plan->block_count <= CELLS_MOST / req->ranks;
    if (!possible)
        plan_fail(plan, HN_EPLAN);
    return possible;
}

void sched_write(const struct scheduled *done, const int *events, int count, bool up,
                 struct plan *plan)
/* The reverse of a broadcast: events in the opposite order, and each send becomes a receive of the
 * result so far. */
{
    for (int i = 0; i < count; i++) {
        int event = events[up ? count - 1 - i : i];
        const struct scheduled *t = &done[event / 2];
        bool is_send = event % 2 == SCHED_BEGINS;
        int rank = is_send ? t->from : t->to, peer = is_send ? t->to : t->from;
        enum plan_kind kind = is_send ? PLAN_SEND : PLAN_RECV;
        if (up)
            kind = !is_send ? PLAN_SEND : peer > rank ? PLAN_FOLD_RIGHT : PLAN_FOLD_LEFT;
        plan_step(plan, rank, kind, peer, t->list, t->count);
    }
}

/* A plan that fails or takes too long is as bad as INT64_MAX, so a search needs no other case. */
hn_time sched_end(const struct problem *problem, struct plan *plan, hn_time limit, int64_t *work)
{
    struct timing timing = {0};
    hn_time makespan = INT64_MAX;
    if (plan && !plan_finish(plan) &&
        !plan_simulate_within(plan, problem->model, limit, work, &timing))
        makespan = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

hn_time sched_time(const struct problem *problem, const struct scheduled *done, const int *events,
                   int count, hn_time limit, int64_t *work)
{
    struct plan *plan = plan_new(problem->req->ranks);
    if (plan && sched_cut(problem, plan))
        sched_write(done, events, count, problem->req->op == OP_REDUCE, plan);
    return sched_end(problem, plan, limit, work);
}
