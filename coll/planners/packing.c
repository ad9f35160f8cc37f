/* packing.c - our own: blocks along many trees that share the network, for long data of any
 * operation in which all get, or combine, the same.
 *
 * The trees come as near to the best steady state as the network allows (packing_trees.c), whatever
 * its shape is. What is left to choose is for this length of data: into how many blocks they are
 * cut, for every message has a start-up, and every block has to go all its way; and in which order
 * every rank passes blocks on (packing_play.c). A rank that waits for a late block delays those
 * behind it, so a plan's order has to be that in which messages really arrive. Some ways are
 * simulated, of more and more blocks for as long as that helps, and the best is kept:
 *
 * - What one rank has (bcast) leaves it as fast as it can. The order of arrivals that the
 *   simulation has found becomes the plan's, a few times over.
 * - What all have is sent evenly over the time of the operation, and every message is given some
 *   time more than it needs, so that nobody waits for one that comes a little later.
 *
 * Cost for b blocks of n ranks: O(b n^2) for the trees, and ten simulations of b n messages.
 */
#include "planners/packing.h"

#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>

enum {
    BLOCK_LEAST = 1024,     /* bytes: the start-up of a shorter message is all it takes */
    BLOCKS_FEW = 16,        /* of all parts together, to begin with; then twice as many, ... */
    MESSAGES_MOST = 80000,  /* of a plan that is tried: some 0.1 s of simulation */
    MESSAGES_USUAL = 20000, /* of the longest plan that is tried, on networks of tests/plans */
    NEAR = 64,              /* what is this near to the time of the busiest resource is enough */
    TREES_FEW = 100,        /* up to here, that time itself may be much longer than it need be */
    FAR = 8,                /* what is later than the best by this part does not become better */
    ROUNDS = 6,             /* of making the order of arrivals the plan's */
    VAIN = 2,               /* ... when so many in a row were of no use */
    WHOLE = 8
};

/* A way to put messages into an order. */
struct ordering {
    int release; /* within so many eighths of what the busiest resource needs */
    int slack;   /* a message may be late by this part of that time; 0: by nothing */
    int rounds;
};
static const struct ordering from_one[] = {{0, 0, ROUNDS}, {0}},
                             from_all[] = {{7, 256, 1}, {6, 64, 1}, {0}};

/* Trees that follow a ring (packing_begin()), and such of any shape, which are more work to
 * simulate, as of sharing ways (plan_simulate_within()): no more than about a second in all. */
enum { SHAPES = 2 };
static const struct shape {
    int detour;
    int64_t work;
} shapes[SHAPES] = {{4, 5000000}, {0, 3000000}};

struct best {
    struct plan *plan;
    hn_time makespan;
    bool is_near; /* to what the busiest resource needs */
    int64_t work; /* that simulations of the present shape may yet be */
};

/* When each message of a plan has arrived. */
static void note_arrivals(const struct packing *p, const struct plan *plan,
                          const struct timing *timing, hn_time *there)
{
    for (int rank = 0; rank < p->n; rank++)
        for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++) {
            const struct plan_step *step = &plan->steps[i];
            int block = plan->lists[step->list];
            if (step->kind == PLAN_RECV)
                there[packing_message(p, PACKING_DOWN, block, rank)] = timing->spans[i].arrived;
            else if (step->kind != PLAN_SEND)
                there[packing_message(p, PACKING_UP, block, step->peer)] = timing->spans[i].arrived;
        }
}

static void keep(const struct packing *p, struct best *best, struct plan *plan, hn_time makespan)
{
    hn_time load = packing_load(p);
    plan_hold(plan);
    plan_free(best->plan);
    best->plan = plan;
    best->makespan = makespan;
    best->is_near = p->trees > TREES_FEW && makespan <= load + load / NEAR;
}

/* Plays and simulates; *makespan is INT64_MAX when it is much later than the best. */
static int try_order(const struct packing *p, const struct order *order, int64_t segment,
                     hn_time *there, struct best *best, hn_time *makespan)
{
    struct timing timing = {0};
    struct plan *plan = plan_new(p->n);
    hn_time limit = best->plan ? best->makespan + best->makespan / FAR * 2 : INT64_MAX;
    if (!plan)
        return HN_ENOMEM;
    plan_cut(plan, p->problem->req, segment);
    int error = packing_play(p, order, plan);
    error = error ? error : plan_finish(plan);
    if (!error)
        error = plan_simulate_within(plan, p->problem->model, limit,
                                     best->plan ? &best->work : NULL, &timing);
    *makespan = error ? INT64_MAX : timing.makespan;
    if (*makespan < INT64_MAX)
        note_arrivals(p, plan, &timing, there);
    if (*makespan < best->makespan)
        keep(p, best, plan, *makespan);
    plan_free(plan);
    timing_free(&timing);
    return error;
}

/* *least: of all rounds. */
static int try_ordering(const struct packing *p, const struct ordering *ordering, int64_t segment,
                        struct best *best, hn_time *least)
{
    hn_time load = packing_load(p), before = INT64_MAX, now = INT64_MAX;
    int vain = 0;
    size_t messages = (size_t)(PACKING_DIRECTIONS * p->cut->block_count) * (size_t)p->n;
    struct order order = {.release = load / WHOLE * ordering->release,
                          .slack = ordering->slack ? load / ordering->slack : 0};
    hn_time *there = malloc(messages * sizeof *there);
    int error = there ? HN_OK : HN_ENOMEM;
    for (int round = 0; round < ordering->rounds && !error && !best->is_near && best->work > 0;
         round++) {
        error = try_order(p, &order, segment, there, best, &now);
        *least = now < *least ? now : *least;
        vain = now < before ? 0 : vain + 1;
        if (now == INT64_MAX || vain == VAIN)
            break;
        before = now < before ? now : before;
        order.there = there;
    }
    free(there);
    return error;
}

/* All ways with blocks of at most so many bytes. */
static int try_segment(struct packing *p, int64_t segment, struct best *best, hn_time *least)
{
    struct plan *cut = plan_new(p->n);
    if (!cut)
        return HN_ENOMEM;
    plan_cut(cut, p->problem->req, segment);
    int error = packing_cut(p, cut);
    bool one = p->goes[PACKING_DOWN] && !p->goes[PACKING_UP] && request_parts(p->problem->req) == 1;
    const struct ordering *ordering = one ? from_one : from_all;
    for (; ordering->rounds > 0 && !error; ordering++)
        error = try_ordering(p, ordering, segment, best, least);
    plan_free(cut);
    return error;
}

/* The most blocks that are tried. */
static int blocks_most(const struct request *req)
{
    int64_t long_enough = packing_bytes(req) / BLOCK_LEAST, few_enough = MESSAGES_MOST / req->ranks;
    int64_t most = long_enough < few_enough ? long_enough : few_enough;
    return most > 0 ? (int)most : 1;
}

/* More and more blocks; a shape that falls far behind the other takes no more part. */
static int try_all(struct packing p[SHAPES], const struct request *req, struct best *best)
{
    int64_t left[SHAPES], bytes = packing_bytes(req);
    int error = HN_OK, most = blocks_most(req),
        few = req->ranks > BLOCKS_FEW ? req->ranks : BLOCKS_FEW;
    for (int i = 0; i < SHAPES; i++)
        left[i] = shapes[i].work;
    for (int blocks = few < most ? few : most; blocks <= most && !error; blocks *= 2)
        for (int i = 0; i < SHAPES && !error && !best->is_near; i++) {
            hn_time least = INT64_MAX;
            best->work = left[i];
            if (left[i] > 0)
                error = try_segment(&p[i], bytes / blocks, best, &least);
            left[i] = least > best->makespan + best->makespan / FAR ? 0 : best->work;
        }
    return error || best->plan ? error : HN_EPLAN; /* none: times beyond INT64_MAX */
}

static void copy(const struct plan *from, struct plan *to)
{
    for (int rank = 0; rank < from->ranks; rank++)
        for (int32_t i = from->first[rank]; i < from->first[rank + 1]; i++) {
            const struct plan_step *step = &from->steps[i];
            plan_step(to, rank, (enum plan_kind)step->kind, step->peer, from->lists[step->list],
                      step->count);
        }
}

void planner_packing(const struct problem *problem, struct plan *plan)
{
    const struct request *req = problem->req;
    struct packing p[SHAPES] = {0};
    struct best best = {.makespan = INT64_MAX};
    int error = req->ordered && request_combines(req) ? HN_EPLAN : HN_OK;
    for (int i = 0; i < SHAPES && !error; i++)
        error = packing_begin(&p[i], problem, blocks_most(req), shapes[i].detour);
    if (!error)
        error = try_all(p, req, &best);
    if (error) {
        plan_fail(plan, error);
    } else {
        plan_cut(plan, req, best.plan->segment);
        copy(best.plan, plan);
    }
    for (int i = 0; i < SHAPES; i++)
        packing_end(&p[i]);
    plan_free(best.plan);
}

/* More messages are seldom tried, for it ends when they no longer help. */
hn_time packing_cost(const struct choice *choice, const struct request *req)
{
    const hn_time each = 15000000; /* ps a message of the longest plan: what all tries take of it */
    int64_t blocks = packing_bytes(req) / BLOCK_LEAST + 1, messages = blocks * req->ranks;
    (void)choice;
    return (messages < MESSAGES_USUAL ? messages : MESSAGES_USUAL) * each;
}
