/* alltoall.c - plans of the total exchange: each message by itself, or in a few bundles.
 *
 * Directly: every rank sends all its messages, and then receives. Where sends do not wait, and ways
 * are not shared, nothing is quicker; where they are, all messages are under way at once.  Where
 * wires are crowded, acknowledgements take a part of them, unless one of each pair replies to the
 * other.  Those with a long way go first: they are on the last of their wires when the near ones
 * fill the first.
 *
 * By itself: the heuristics of coll/exchange order the n (n - 1) messages for the costs of this
 * network; the plan takes them in the order of their starts there. Sizes may differ from pair to
 * pair (Bhat 1998b).
 *
 * In bundles (Bruck and others 1997), for short messages: what has to go d ranks ahead travels
 * along the bits of d: in stage s = 1, 2, 4, ... rank r sends to r + s everything with bit s in its
 * d, its own and what it holds for others. ceil(log2 n) messages instead of n - 1, each of about n
 * / 2 blocks.
 */
#include "planners/planners.h"

#include "planners/exchange/total_exchange.h"
#include "hnow.h"

#include <stdlib.h>

/* ---- each by itself ----------------------------------------------------------------------------
 */

/* Costs of all messages; the diagonal is free. */
static hn_time *message_costs(const struct problem *problem)
{
    int n = problem->req->ranks;
    hn_time *cost = calloc((size_t)n * (size_t)n, sizeof *cost);
    for (int from = 0; cost && from < n; from++)
        for (int to = 0; to < n; to++)
            if (from != to)
                cost[from * n + to] = model_deliver(
                    problem->model, from, to, request_part_bytes(problem->req, from * n + to));
    return cost;
}

/* In the order of starts; equal starts in the order of senders. */
static int by_start(const void *a_, const void *b_)
{
    const struct exchange_event *a = a_, *b = b_;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to > b->to) - (a->to < b->to);
}

/* Events that start together are sent before any of them is received. */
static void take_events(struct exchange *x, struct plan *plan)
{
    qsort(x->events, (size_t)x->count, sizeof *x->events, by_start);
    for (int i = 0, end = 0; i < x->count; i = end) {
        while (end < x->count && x->events[end].start == x->events[i].start)
            end++;
        for (int pass = 0; pass < 2; pass++)
            for (int k = i; k < end; k++) {
                int from = x->events[k].from, to = x->events[k].to;
                if (from == to)
                    continue;
                plan_step(plan, pass ? to : from, pass ? PLAN_RECV : PLAN_SEND, pass ? from : to,
                          from * x->ranks + to, 1);
            }
    }
}

int planner_exchange(const struct problem *problem, int (*run)(struct exchange *x),
                     struct plan *plan)
{
    struct exchange x;
    hn_time *cost = message_costs(problem);
    plan_cut(plan, problem->req, 0);
    int error = exchange_begin(&x, problem->req->ranks, cost);
    if (!error)
        error = cost ? run(&x) : HN_ENOMEM;
    if (!error)
        take_events(&x, plan);
    exchange_end(&x);
    free(cost);
    return error;
}

/* One end of the message between two ranks. */
static void take_message(struct plan *plan, enum plan_kind kind, int from, int to)
{
    bool sends = kind == PLAN_SEND;
    plan_step(plan, sends ? from : to, kind, sends ? to : from, from * plan->ranks + to, 1);
}

/* The caterpillar needs no costs: in step d rank r sends to r + d and hears r - d. */
void planner_caterpillar(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks;
    plan_cut(plan, problem->req, 0);
    for (int d = 1; d < n; d++) {
        for (int r = 0; r < n; r++)
            take_message(plan, PLAN_SEND, r, (r + d) % n);
        for (int r = 0; r < n; r++)
            take_message(plan, PLAN_RECV, r, (r + d) % n);
    }
}

/* ---- all at once -------------------------------------------------------------------------------
 */

void planner_direct(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks;
    plan_cut(plan, problem->req, 0);
    for (int sends = 1; sends >= 0; sends--)
        for (int d = 1; d < n; d++)
            for (int from = 0; from < n; from++)
                take_message(plan, sends ? PLAN_SEND : PLAN_RECV, from, (from + d) % n);
}

/* From far to near, then in the caterpillar's order. */
static int far_to_near(const void *a_, const void *b_)
{
    const struct exchange_event *a = a_, *b = b_;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end != b->end ? (a->end < b->end ? -1 : 1) : a->from - b->from;
}

/* Of a sender's cheapest message. */
static hn_time nearest(const hn_time *cost, int n, int from)
{
    hn_time least = INT64_MAX;
    for (int to = 0; to < n; to++)
        if (to != from && cost[from * n + to] < least)
            least = cost[from * n + to];
    return least > 0 ? least : 1;
}

/* One message of each pair (to the half of ranks that follow), far ones first.  A message is so far
 * as it costs times as much as its sender's cheapest one, rounded: what is equal but for noise is
 * equally far.  NULL: no memory. */
static struct exchange_event *far_events(const struct problem *problem, int *count)
{
    int n = problem->req->ranks;
    hn_time *cost = message_costs(problem);
    struct exchange_event *events = malloc((size_t)n * (size_t)n * sizeof *events);
    *count = 0;
    if (!cost || !events) {
        free(cost);
        free(events);
        return NULL;
    }
    for (int from = 0; from < n; from++) {
        hn_time near = nearest(cost, n, from);
        for (int d = 1; d < n; d++) {
            hn_time all = cost[from * n + (from + d) % n];
            hn_time far = all / near + (all % near >= near - near / 2);
            if (2 * d < n || (2 * d == n && from < d))
                events[(*count)++] = (struct exchange_event){from, (from + d) % n, -far, d};
        }
    }
    qsort(events, (size_t)*count, sizeof *events, far_to_near);
    free(cost);
    return events;
}

/* Of each pair one speaks first and the other replies, so that the reply's packet acknowledges what
 * it replies to: half of the acknowledgements, which take a tenth of a crowded wire, need no packet
 * of their own. */
void planner_replies(const struct problem *problem, struct plan *plan)
{
    int count;
    struct exchange_event *events = far_events(problem, &count);
    plan_cut(plan, problem->req, 0);
    if (!events)
        plan_fail(plan, HN_ENOMEM);
    for (int i = 0; i < count; i++)
        take_message(plan, PLAN_SEND, events[i].from, events[i].to);
    for (int i = 0; i < count; i++) {
        take_message(plan, PLAN_RECV, events[i].from, events[i].to);
        take_message(plan, PLAN_SEND, events[i].to, events[i].from);
    }
    for (int i = 0; i < count; i++)
        take_message(plan, PLAN_RECV, events[i].to, events[i].from);
    free(events);
}

/* ---- in bundles --------------------------------------------------------------------------------
 */

/* A stage of radix k: of the distance to the receiver of a block, the digit that counts s is made
 * up at once, by a bundle to the rank j s behind for each digit j > 0. */
struct bundles {
    int s, radix;
};

/* What rank r holds before a stage and sends in it to rank r + j s. */
static int bundle(struct bundles b, int r, int j, int n, int *blocks)
{
    int count = 0;
    for (int d = j * b.s; d < n; d++) {
        if (d / b.s % b.radix != j)
            continue;
        int source = (r - d % b.s + n) % n;
        blocks[count++] = source * n + (source + d) % n;
    }
    return count;
}

/* All send, and then receive. */
static void exchange_bundles(struct bundles b, int *blocks, int *list, struct plan *plan)
{
    int n = plan->ranks, count = 0;
    for (int j = 1; j < b.radix && j * b.s < n; j++)
        for (int r = 0; r < n; r++) {
            count = bundle(b, r, j, n, blocks);
            list[(j - 1) * n + r] = plan_list(plan, blocks, count);
            plan_step(plan, r, PLAN_SEND, (r + j * b.s) % n, list[(j - 1) * n + r], count);
        }
    for (int j = 1; j < b.radix && j * b.s < n; j++)
        for (int r = 0; r < n; r++) {
            count = bundle(b, r, j, n, blocks);
            plan_step(plan, (r + j * b.s) % n, PLAN_RECV, r, list[(j - 1) * n + r], count);
        }
}

void planner_bruck(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks, radix = problem->arity < n ? problem->arity : n;
    plan_cut(plan, problem->req, 0);
    if (problem->arity < 2) {
        plan_fail(plan, HN_EPLAN);
        return;
    }
    int *blocks = malloc((size_t)n * sizeof *blocks);
    int *list = malloc((size_t)n * (size_t)radix * sizeof *list);
    if (!blocks || !list)
        plan_fail(plan, HN_ENOMEM);
    for (int64_t s = 1; s < n && blocks && list; s *= radix)
        exchange_bundles((struct bundles){(int)s, radix}, blocks, list, plan);
    free(blocks);
    free(list);
}
