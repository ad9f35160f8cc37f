/* alltoall.c - plans of the total exchange (MPI's all-to-all).
 *
 * direct: every rank sends all its messages, and then receives. If sends do not wait and routes are
 * not shared, this is optimal. If routes are shared, all messages are in the network at once.
 *
 * replies: one rank of each pair sends, and the other one replies, so that the reply carries the
 * acknowledgement. On a bus acknowledgements would take a part of the bandwidth. Messages with long
 * routes are sent first: they use the last of their media while messages to near ranks use the
 * first.
 *
 * caterpillar, max_matching, min_matching, greedy, open_shop and others (Bhat 1998b, section 4):
 * the heuristics of planners/exchange order the n (n - 1) messages for the costs of this network.
 * The plan sends them in the order of their start times. Sizes may differ from pair to pair.
 *
 * bruck (Bruck and others 1997), for short messages: data for the rank at distance d are forwarded
 * along the bits of d. In stage s = 1, 2, 4, ... rank r sends to r + s all blocks whose d has bit
 * s, its own and forwarded ones. So it sends ceil(log2 n) messages instead of n - 1, each of about
 * n / 2 blocks.
 */
#include "planners/planners.h"

#include "planners/exchange/total_exchange.h"
#include "hnow.h"

#include <stdlib.h>

/* ---- each by itself --------------------------------------------------------------------- */

/* Costs of all messages; the diagonal is 0. n^2 times; the caller frees them. NULL: out of memory.
 */
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

/* By start time; among equals by sender. */
static int by_start(const void *a_, const void *b_)
{
    const struct exchange_event *a = a_, *b = b_;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to > b->to) - (a->to < b->to);
}

/* Appends the steps of all events. Of events that start at the same time, all are sent before any
 * is received. */
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

/* The heuristic sets start times; only their order is used. HN_OK or HN_ENOMEM. */
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

/* Appends one step of the message between two ranks: its send or its receive. */
static void take_message(struct plan *plan, enum plan_kind kind, int from, int to)
{
    bool sends = kind == PLAN_SEND;
    plan_step(plan, sends ? from : to, kind, sends ? to : from, from * plan->ranks + to, 1);
}

/* Needs no costs: in step d rank r sends to r + d and receives from r - d. So in each step every
 * rank sends one message and receives one. */
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

/* ---- all at once ------------------------------------------------------------------------ */

void planner_direct(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks;
    plan_cut(plan, problem->req, 0);
    /* All sends of a rank come before its receives. */
    for (int sends = 1; sends >= 0; sends--)
        for (int d = 1; d < n; d++)
            for (int from = 0; from < n; from++)
                take_message(plan, sends ? PLAN_SEND : PLAN_RECV, from, (from + d) % n);
}

/* Order of messages: distant ones first; equally distant ones as in the caterpillar. */
static int far_to_near(const void *a_, const void *b_)
{
    const struct exchange_event *a = a_, *b = b_;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end != b->end ? (a->end < b->end ? -1 : 1) : a->from - b->from;
}

/* Cost of a sender's cheapest message. */
static hn_time nearest(const hn_time *cost, int n, int from)
{
    hn_time least = INT64_MAX;
    for (int to = 0; to < n; to++)
        if (to != from && cost[from * n + to] < least)
            least = cost[from * n + to];
    return least > 0 ? least : 1;
}

/* Lists one message of each pair (to the half of the ranks that follow), distant ones first. The
 * distance is the cost over that of the sender's cheapest message, rounded, so that noise does not
 * matter. NULL: out of memory. */
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
                /* Every pair once: at the distance n / 2 the lower half of the ranks sends. */
                events[(*count)++] = (struct exchange_event){from, (from + d) % n, -far, d};
        }
    }
    qsort(events, (size_t)*count, sizeof *events, far_to_near);
    free(cost);
    return events;
}

/* One rank of each pair sends first and the other one replies, so that the reply carries the
 * acknowledgement. Then half of the acknowledgements, which take a tenth of a busy bus, need no
 * packet of their own. */
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

/* ---- in bundles ------------------------------------------------------------------------- */

/* A stage of radix k handles one digit of the distance to a block's receiver: that of weight s. For
 * each digit j > 0 a bundle of blocks is sent to rank r + j s. */
struct bundles {
    int s, radix;
};

/* Lists the blocks that rank r holds before a stage and sends in it to rank r + j s. */
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

/* All ranks send, and then receive. */
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

/* The radix is at most n. Each stage handles one digit of the distance. */
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
