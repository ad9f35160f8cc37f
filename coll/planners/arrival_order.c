/* arrival_order.c - receives in the order in which messages arrive (arrival_order.h).
 *
 * Steps before a send in the draft have ended when the send begins, so they stay before it.
 * Messages between two ranks are received in the order in which they were sent. So the steps in the
 * order of these times have no deadlock.
 */
#include "planners/arrival_order.h"

#include "model/simulate.h"
#include "model/timed.h"

#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

struct order {
    const struct problem *problem;
    const struct plan *draft;
    struct timing timing;
    struct timed *moments; /* times of the steps of a rank, by which they are sorted */
    hn_time *last_arrival; /* [rank]: arrival of the last message from that rank */
    hn_time *summed;       /* [block]: arrival of the last operand */
    struct arena arena;    /* of the arrays */
};

static hn_time not_before(hn_time *last, hn_time time)
{
    *last = time > *last ? time : *last;
    return *last;
}

/* The time at which a receive can be executed: not before earlier messages of the same sender, nor,
 * if operands have an order, before earlier operands of its blocks. */
static hn_time due_time(struct order *o, int32_t at)
{
    const struct plan_step *step = &o->draft->steps[at];
    hn_time time = not_before(&o->last_arrival[step->peer], o->timing.spans[at].arrived);
    for (int i = 0; i < step->count && o->problem->req->ordered; i++)
        time = not_before(&o->summed[o->draft->lists[step->list + i]], time);
    return time;
}

/* Sets the sort keys of one rank's steps.  Keys of sends never decrease, so sends keep their order.
 * Equal keys keep the order of the draft, because timed_ascending() compares numbers next. */
static void find_moments(struct order *o, int32_t first, int32_t end)
{
    hn_time sent = 0;
    memset(o->last_arrival, 0, (size_t)o->draft->ranks * sizeof *o->last_arrival);
    memset(o->summed, 0, (size_t)o->draft->block_count * sizeof *o->summed);
    for (int32_t at = first; at < end; at++) {
        const struct plan_step *step = &o->draft->steps[at];
        bool sends = step->kind == PLAN_SEND;
        if (sends && !step->joined) /* the sends of a multicast stay together */
            not_before(&sent, o->timing.spans[at].begin);
        o->moments[at - first] = (struct timed){sends ? sent : due_time(o, at), at};
    }
}

/* Copies the steps of one rank to the plan in the new order. */
static void write_rank(struct order *o, int rank, struct plan *plan)
{
    const struct plan *draft = o->draft;
    int32_t first = draft->first[rank], count = draft->first[rank + 1] - first;
    find_moments(o, first, first + count);
    qsort(o->moments, (size_t)count, sizeof *o->moments, timed_ascending);
    for (int32_t i = 0; i < count; i++) {
        const struct plan_step *step = &draft->steps[o->moments[i].number];
        const int32_t *blocks = &draft->lists[step->list];
        int list = step->count == 1 ? blocks[0] : plan_list(plan, blocks, step->count);
        plan_step(plan, rank, step->kind, step->peer, list, step->count);
        if (step->joined)
            plan_join(plan);
    }
}

void arrival_order(const struct problem *problem, const struct plan *draft, struct plan *plan)
{
    size_t steps = (size_t)draft->first[draft->ranks];
    struct order o = {.problem = problem, .draft = draft};
    o.moments = arena_array(&o.arena, steps + 1, sizeof *o.moments);
    o.last_arrival = arena_array(&o.arena, (size_t)draft->ranks, sizeof *o.last_arrival);
    o.summed = arena_array(&o.arena, (size_t)draft->block_count + 1, sizeof *o.summed);
    int error = o.arena.failed ? HN_ENOMEM : plan_simulate(draft, problem->model, &o.timing);
    for (int rank = 0; rank < draft->ranks && !error; rank++)
        write_rank(&o, rank, plan);
    if (error)
        plan_fail(plan, error);
    timing_free(&o.timing);
    arena_free(&o.arena);
}
