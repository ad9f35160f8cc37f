/* packing.c - our own: blocks along many trees that share the network, for long data of any
 * operation in which all get, or combine, the same.
 *
 * The trees come as near to the best steady state as the network allows (packing_trees.c), whatever
 * its shape is. What is left to choose is for this length of data: into how many blocks they are
 * cut, for every message has a start-up, and every block has to go all its way; and in which order
 * everybody passes blocks on (packing_play.c). A rank that waits for a late block delays those
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
#include <string.h>

enum {
    BLOCK_LEAST = 1024,    /* bytes: the start-up of a shorter message is all it takes */
    BLOCKS_FEW = 16,       /* of all parts together, to begin with; then twice as many, ... */
    MESSAGES_MOST = 24000, /* of a plan that is tried: some 50 ms of simulation */
    DEAD_ENDS = 2,         /* numbers of blocks in a row that bring nothing */
    NEAR = 64,             /* what is this near to the time of the busiest resource is enough */
    TREES_FEW = 100,       /* up to here, that time itself may be much longer than it need be */
    ROUNDS = 3,            /* of making the order of arrivals the plan's */
    WHOLE = 8
};

/* A way to put messages into an order. */
struct way_to_play {
    int release; /* within so many eighths of what the busiest resource needs */
    int slack;   /* a message may be late by this part of that time; 0: by nothing */
    int rounds;
};
static const struct way_to_play from_one[] = {{0, 0, ROUNDS}},
                                from_all[] = {{7, 256, 1}, {8, 256, 1}, {6, 64, 1}};

/* Trees of any shape, and such that follow a ring (packing_begin()). */
enum { SHAPES = 2 };
static const int detours[SHAPES] = {0, 4};

struct best {
    struct plan *plan;
    hn_time makespan;
    hn_time own;  /* of the present shape */
    bool is_near; /* to what the busiest resource needs */
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

/* Plays and simulates. */
static int try_order(const struct packing *p, const struct order *order, int64_t segment,
                     hn_time *there, struct best *best)
{
    struct timing timing = {0};
    struct plan *plan = plan_new(p->n);
    if (!plan)
        return HN_ENOMEM;
    plan_cut(plan, p->problem->req, segment);
    int error = packing_play(p, order, plan);
    error = error ? error : plan_finish(plan);
    if (!error)
        error = plan_simulate(plan, p->problem->model, &timing);
    if (!error)
        note_arrivals(p, plan, &timing, there);
    if (!error && timing.makespan < best->own)
        best->own = timing.makespan;
    if (!error && timing.makespan < best->makespan) {
        struct plan *worse = best->plan;
        hn_time load = packing_load(p);
        best->plan = plan;
        best->makespan = timing.makespan;
        best->is_near = p->trees > TREES_FEW && timing.makespan <= load + load / NEAR;
        plan = worse;
    }
    plan_free(plan);
    timing_free(&timing);
    return error;
}

static int try_way(const struct packing *p, const struct way_to_play *way, int64_t segment,
                   struct best *best)
{
    hn_time load = packing_load(p);
    size_t messages = (size_t)(PACKING_WAYS * p->cut->block_count) * (size_t)p->n;
    struct order order = {.release = load / WHOLE * way->release,
                          .slack = way->slack ? load / way->slack : 0};
    hn_time *there = malloc(messages * sizeof *there);
    int error = there ? HN_OK : HN_ENOMEM;
    for (int round = 0; round < way->rounds && !error; round++) {
        hn_time before = best->own;
        error = try_order(p, &order, segment, there, best);
        if (best->is_near || (round > 0 && best->own == before))
            break;
        order.there = there;
    }
    free(there);
    return error;
}

/* All ways with blocks of at most so many bytes. */
static int try_segment(const struct problem *problem, int detour, int64_t segment,
                       struct best *best)
{
    struct packing p;
    struct plan *cut = plan_new(problem->req->ranks);
    if (!cut)
        return HN_ENOMEM;
    plan_cut(cut, problem->req, segment);
    int error = packing_begin(&p, problem, cut, detour);
    bool one = p.goes[PACKING_DOWN] && !p.goes[PACKING_UP] && request_parts(problem->req) == 1;
    const struct way_to_play *ways = one ? from_one : from_all;
    size_t count = one ? sizeof from_one / sizeof *from_one : sizeof from_all / sizeof *from_all;
    for (size_t i = 0; i < count && !error && !best->is_near; i++)
        error = try_way(&p, &ways[i], segment, best);
    packing_end(&p);
    plan_free(cut);
    return error;
}

static int64_t bytes_of_all(const struct request *req)
{
    int64_t bytes = 0;
    for (int part = 0; part < request_parts(req); part++)
        bytes += request_part_bytes(req, part);
    return bytes;
}

/* More and more blocks. */
static int try_segments(const struct problem *problem, int detour, struct best *best)
{
    const struct request *req = problem->req;
    int64_t bytes = bytes_of_all(req);
    int most = MESSAGES_MOST / req->ranks, dead_ends = 0, error = HN_OK;
    int64_t last = 0;
    best->own = INT64_MAX;
    for (int blocks = BLOCKS_FEW; dead_ends < DEAD_ENDS && !error && !best->is_near; blocks *= 2) {
        int64_t segment = bytes / blocks > BLOCK_LEAST ? bytes / blocks : BLOCK_LEAST;
        hn_time before = best->own;
        if (blocks > BLOCKS_FEW && (blocks > most || segment == last))
            break;
        error = try_segment(problem, detour, segment, best);
        dead_ends = best->own < before ? 0 : dead_ends + 1;
        last = segment;
    }
    return error;
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

static int try_shapes(const struct problem *problem, struct best *best)
{
    int error = HN_OK;
    for (int i = 0; i < SHAPES && !error && !best->is_near; i++)
        error = problem->segment > 0 ? try_segment(problem, detours[i], problem->segment, best)
                                     : try_segments(problem, detours[i], best);
    return error;
}

void planner_packing(const struct problem *problem, struct plan *plan)
{
    struct best best = {.makespan = INT64_MAX, .own = INT64_MAX};
    bool possible = !problem->req->ordered || !request_combines(problem->req);
    int error = possible ? try_shapes(problem, &best) : HN_EPLAN;
    if (error) {
        plan_fail(plan, error);
    } else {
        plan_cut(plan, problem->req, best.plan->segment);
        copy(best.plan, plan);
    }
    plan_free(best.plan);
}

/* On one switch of equal hosts rings and relays do as well. */
bool suits_packing(const struct facts *facts)
{
    return facts->thorough || facts->subnets || facts->unequal;
}

hn_time packing_cost(const struct choice *choice, const struct request *req)
{
    const hn_time each = 30000000; /* ps a message of the longest plan: what all tries take of it */
    int64_t blocks = bytes_of_all(req) / BLOCK_LEAST + 1, messages = blocks * req->ranks;
    (void)choice;
    return (messages < MESSAGES_MOST ? messages : MESSAGES_MOST) * each;
}
