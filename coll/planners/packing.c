/* packing.c - our own: blocks along many trees that share the network, for long data of operations
 * in which all ranks get, or combine, the same.
 *
 * The trees approximate the best steady state of any network (packing_trees.c; Beaumont, Legrand,
 * Marchal and Robert 2005; Zhao and others, arXiv 2402.06787). The length of the data determines
 * two other choices. One is the number of blocks, since every message has a start-up and every
 * block travels the whole route. The other is the order in which every rank forwards blocks
 * (packing_sim.c). A rank that waits for a late block delays those after it. So the order of a
 * plan must be that in which messages really arrive. Some variants are simulated, with more and
 * more blocks as long as that helps, and the best is kept:
 *
 * - The source of a broadcast sends as fast as possible. Several times the simulated order of
 * arrivals becomes the order of the plan.
 *
 * - Data of all ranks are sent evenly over the time of the operation. Every message is expected
 * later than it should arrive, so that no rank waits for a message that is slightly late.
 *
 * Cost for b blocks of n ranks: O(b n^2) for the trees, and ten simulations of b n messages.
 */
#include "planners/packing.h"

#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>

enum {
    BLOCK_LEAST = 1024,     /* bytes: a shorter message is dominated by its start-up */
    BLOCKS_FEW = 16,        /* blocks of all parts at first; then twice as many, ... */
    MESSAGES_MOST = 80000,  /* of a plan that is tried: some 0.1 s of simulation */
    MESSAGES_USUAL = 20000, /* of the longest plan that is tried, on networks of tests/plans */
    NEAR = 64,       /* within this part of the busiest resource's time a plan is good enough */
    TREES_FEW = 100, /* with up to so many trees, that time may be far above the optimum */
    FAR = 16,        /* a plan later than the best by this part is not simulated to its end */
    ROUNDS = 6,      /* most simulations, each of which gives the next one its order of arrivals */
    VAIN = 2,        /* so many numbers of blocks in a row without improvement end the search */
    WHOLE = 8
};

/* A rule for the order of messages. */
struct ordering {
    int release; /* release time, in eighths of the busiest resource's time */
    int slack;   /* a message may be late by this part of that time; 0: not at all */
    int rounds;
};
static const struct ordering from_one[] = {{0, 0, ROUNDS}, {0}},
                             from_all[] = {{7, 256, 1}, {6, 64, 1}, {0}};

/* Trees along a ring (packing_begin()), and trees of any shape. The work of each shape's
 * simulations, in computed rates (plan_simulate_within()), is about a second in total. */
enum { SHAPES = 2 };
static const struct shape {
    int detour;
    int64_t work;
} shapes[SHAPES] = {{4, 5000000}, {0, 3000000}};

/* The best plan found, and what limits the search. */
struct best {
    struct plan *plan;
    hn_time makespan;
    hn_time load; /* time of the busiest resource, the least of all packings; 0: none yet */
    int64_t work; /* work left for simulations of the present shape */
};

/* Records the arrival of each message of a plan. Arrivals become the order of the next round: ranks
 * handle messages in that order. */
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

static void keep(struct best *best, struct plan *plan, hn_time makespan)
{
    plan_hold(plan);
    plan_free(best->plan);
    best->plan = plan;
    best->makespan = makespan;
}

/* The trees allow at most 1/NEAR less. best->load is 0 as long as the optimum is unknown. */
static bool is_good_enough(const struct best *best)
{
    return best->makespan - best->makespan / NEAR <= best->load;
}

/* Makes and simulates a plan; *makespan is INT64_MAX if it is much later than the best. HN_OK or an
 * error. */
static int try_order(const struct packing *p, const struct order *order, int64_t segment,
                     hn_time *there, struct best *best, hn_time *makespan)
{
    struct timing timing = {0};
    struct plan *plan = plan_new(p->n);
    /* Plans far behind the best are not simulated to their end. */
    hn_time limit = best->plan ? best->makespan + best->makespan / FAR : INT64_MAX;
    if (!plan)
        return HN_ENOMEM;
    plan_cut(plan, p->problem->req, segment);
    int error = packing_simulate(p, order, plan);
    error = error ? error : plan_finish(plan);
    if (!error)
        error = plan_simulate_within(plan, p->problem->model, limit,
                                     best->plan ? &best->work : NULL, &timing);
    *makespan = error ? INT64_MAX : timing.makespan;
    if (*makespan < INT64_MAX)
        note_arrivals(p, plan, &timing, there);
    if (*makespan < best->makespan)
        keep(best, plan, *makespan);
    plan_free(plan);
    timing_free(&timing);
    return error;
}

/* Simulates the rounds of one ordering, while that helps. The first round uses the order of a
 * simple model; each later one the arrivals of the round before. HN_OK or an error. */
static int try_ordering(const struct packing *p, const struct ordering *ordering, int64_t segment,
                        struct best *best)
{
    hn_time load = packing_load(p), before = INT64_MAX, now = INT64_MAX;
    size_t messages = (size_t)(PACKING_DIRECTIONS * p->cut->block_count) * (size_t)p->n;
    struct order order = {.release = load / WHOLE * ordering->release,
                          .slack = ordering->slack ? load / ordering->slack : 0};
    hn_time *there = malloc(messages * sizeof *there);
    int error = there ? HN_OK : HN_ENOMEM;
    for (int round = 0;
         round < ordering->rounds && !error && !is_good_enough(best) && best->work > 0; round++) {
        error = try_order(p, &order, segment, there, best, &now);
        /* No better than the round before, or too far from the best plan. */
        if (now >= before || now - now / FAR > best->makespan)
            break;
        before = now;
        order.there = there;
    }
    free(there);
    return error;
}

/* Few trees may load the network far more than many. So only packings with many trees are taken as
 * the optimum. */
static void note_load(const struct packing *p, struct best *best)
{
    hn_time load = packing_load(p);
    if (p->trees > TREES_FEW && (best->load == 0 || load < best->load))
        best->load = load;
}

/* Tries all orderings of so many blocks. A broadcast has one source; other operations have one at
 * each rank. */
static int try_blocks(const struct problem *problem, int detour, int blocks, struct best *best)
{
    const struct request *req = problem->req;
    int64_t segment = packing_bytes(req) / blocks;
    struct packing p;
    struct plan *cut = plan_new(req->ranks);
    if (!cut)
        return HN_ENOMEM;
    plan_cut(cut, req, segment);
    int error = packing_begin(&p, problem, cut, detour);
    bool one = p.goes[PACKING_DOWN] && !p.goes[PACKING_UP] && request_parts(req) == 1;
    const struct ordering *ordering = one ? from_one : from_all;
    if (!error)
        note_load(&p, best);
    for (; ordering->rounds > 0 && !error; ordering++)
        error = try_ordering(&p, ordering, segment, best);
    packing_end(&p);
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

/* Tries more and more blocks. Each number has its own trees, since a message costs a start-up: of
 * small blocks, ranks that send at low cost forward a larger share. */
static int try_all(const struct problem *problem, struct best *best)
{
    const struct request *req = problem->req;
    int64_t left[SHAPES];
    int error = HN_OK, most = blocks_most(req),
        few = req->ranks > BLOCKS_FEW ? req->ranks : BLOCKS_FEW;
    for (int i = 0; i < SHAPES; i++)
        left[i] = shapes[i].work;
    /* Twice as many blocks each time, until that does not help VAIN times in a row. */
    for (int blocks = 0, vain = 0; blocks < most && vain < VAIN && !error;) {
        hn_time before = best->makespan;
        blocks = (int)int64_smaller(most, blocks ? 2 * blocks : few);
        /* Each shape of trees has its own budget. */
        for (int i = 0; i < SHAPES && !error; i++) {
            best->work = left[i];
            if (best->work > 0 && !is_good_enough(best))
                error = try_blocks(problem, shapes[i].detour, blocks, best);
            left[i] = best->work;
        }
        vain = best->load > 0 && best->makespan == before ? vain + 1 : 0;
    }
    return error || best->plan ? error : HN_EPLAN; /* none if times exceed INT64_MAX */
}

/* The best plan was cut in the same way, so its lists are valid for the result. */
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
    struct best best = {.makespan = INT64_MAX};
    int error = req->ordered && request_combines(req) ? HN_EPLAN : HN_OK;
    if (!error)
        error = try_all(problem, &best);
    if (error) {
        plan_fail(plan, error);
    } else {
        plan_cut(plan, req, best.plan->segment);
        copy(best.plan, plan);
    }
    plan_free(best.plan);
}

/* Longer plans are rarely tried, since the search ends when more blocks no longer help. The data
 * determine the work; the parameters do not. */
hn_time packing_cost(const struct choice *choice, const struct request *req)
{
    const hn_time each = 15000000; /* ps a message of the longest plan, for all trials */
    int64_t blocks = packing_bytes(req) / BLOCK_LEAST + 1, messages = blocks * req->ranks;
    (void)choice;
    return (messages < MESSAGES_USUAL ? messages : MESSAGES_USUAL) * each;
}
