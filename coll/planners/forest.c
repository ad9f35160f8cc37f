/* forest.c - our own: broadcast and reduction in segments, each along a tree of its own.
 *
 * A single tree for many segments is as fast as its busiest port, while other ports idle. Here the
 * load is distributed: every segment gets the tree that is lightest beside the trees of all others,
 * at port prices that grow with the loads (prices.h). This approximates the best steady state of
 * the network (Beaumont, Legrand, Marchal and Robert, "Pipelining broadcasts on heterogeneous
 * platforms", 2005).
 *
 * Then a simulation orders the transfers (forest_sim.c). No priority rule is always the best, nor
 * is help by idle ranks; so all variants are tried. The resulting trees are improved within a limit
 * of work: some segments get new trees, at the present prices with some noise, and everything is
 * simulated again.
 *
 * A reduction is a broadcast in reverse, for operators that commute. The simulation uses the
 * blocking one-port model. In other models the plan is correct, too, but each candidate must also
 * be simulated in that model. So fewer are tried, and with many segments only the first ones. The
 * plan exceeds the lower bound because every segment pays the constants of its messages, and ports
 * idle at the start and the end. Smaller segments shorten the idle times but pay more constants.
 *
 * Cost for k segments: O(PASSES k n^2) for the first trees; 3 simulations, with few segments 12 and
 * up to TRIALS_MOST more.
 */
#include "planners/forest.h"
#include "planners/planners.h"
#include "planners/random_number.h"

#include "model/prices.h"

#include "hnow.h"
#include "probe/internal.h"

#include <string.h>

enum {
    PASSES = 5,
    CELLS_FEW = 1 << 13, /* segments * ranks: up to here all variants of help are tried */
    WORK = 12000000,     /* simulations * segments * ranks^2 of the search ... */
    TRIALS_MOST = 1000,  /* ... and at most so many simulations */
    HELPS = 4,
    MODEL_WORK = 1000000, /* rates computed in all simulations of the model: a tenth of a second */
    MODEL_SHARE = 8, /* only this part of the simulations if each is simulated in the model, too */
    NEW_SHARE = 8,   /* at most this part of the segments get new trees at a time */
    STEEPS = 5,
    SLACK_SHARE = 200 /* at first, the search continues from results later by up to this part */
};

static const int helps[HELPS] = {2, 0, 4, -1}; /* eighths, as for forest_simulate() */

/* State of one call of the planner. The current trees are f.parent; `now` and `grown` are copies.
 * The results of the best simulation are kept instead of its trees, since the plan is written from
 * them. */
struct search {
    struct forest f;
    struct prices prices;
    int64_t *load; /* [resource]: of all trees */
    int *grown;    /* [block * n + rank]: parents in the first trees */
    int *now;      /* [block * n + rank]: parents in the trees from which the search continues */
    hn_time now_end, best_end;
    const struct problem *problem;
    bool thorough;          /* the model is that of forest_simulate() */
    bool found;             /* there is a best result */
    int64_t work;           /* work left for simulations in the model */
    struct scheduled *done; /* transfers of the best result, as in struct forest */
    int *events;
    uint64_t random;
    struct arena arena; /* of the arrays */
};

/* ---- trees ------------------------------------------------------------------------------ */

/* Adds a block's tree to the loads, or removes it (sign). */
static void add_load(struct search *s, int block, int sign)
{
    prices_carry(&s->prices, &s->f.parent[block * s->f.n], s->f.root, sign, s->load);
}

/* Gives a block the lightest tree at the present prices. */
static int regrow(struct search *s, int block)
{
    int error = prices_tree(&s->prices);
    memcpy(&s->f.parent[block * s->f.n], s->prices.parent, (size_t)s->f.n * sizeof *s->f.parent);
    add_load(s, block, 1);
    return error;
}

/* Gives some blocks new trees, at prices with noise. The noise makes repeated calls differ: without
 * it, the lightest tree would be the same as before. HN_OK or HN_ENOMEM. */
static int change_trees(struct search *s)
{
    struct prices *p = &s->prices;
    int count = 1 + random_number(&s->random, s->f.blocks / NEW_SHARE + 1),
        steep = 2 + random_number(&s->random, STEEPS);
    int error = HN_OK;
    /* Loads are summed up again, since helpers have changed the parents after the last loads. */
    memset(s->load, 0, (size_t)p->resources * sizeof *s->load);
    for (int block = 0; block < s->f.blocks; block++)
        add_load(s, block, 1);
    for (int i = 0; i < count && !error; i++) {
        int block = random_number(&s->random, s->f.blocks);
        /* The block's own load must not raise the prices that its new tree pays. */
        add_load(s, block, -1);
        prices_follow(p, s->load, steep);
        for (int r = 0; r < p->resources; r++)
            /* Noise of up to one half of each price. */
            p->price[r] += p->price[r] / 64 * random_number(&s->random, 32);
        error = regrow(s, block);
    }
    return error;
}

/* ---- the search ------------------------------------------------------------------------- */

static void copy_trees(const struct search *s, const int *from, int *to)
{
    memcpy(to, from, (size_t)s->f.blocks * (size_t)s->f.n * sizeof *to);
}

/* Simulates the trees and keeps the best result of all. Continues with the new trees unless the
 * result is later than `slack` allows. */
static void try_trees(struct search *s, enum forest_rule rule, int help, hn_time slack)
{
    hn_time end = forest_simulate(&s->f, rule, help);
    /* In other models than the blocking one the times of the forest's simulation only order the
     * transfers; the model's own simulation decides. */
    if (!s->thorough)
        end =
            sched_time(s->problem, s->f.done, s->f.events, s->f.event_count, s->best_end, &s->work);
    /* With the allowed loss the search can leave a local minimum; it is 0 in the last quarter. */
    if (end - slack <= s->now_end) {
        s->now_end = end;
        copy_trees(s, s->f.parent, s->now);
    }
    if (end >= s->best_end && s->found)
        return;
    /* The buffers of the best result and of the next simulation are exchanged, not copied. */
    struct scheduled *done = s->done;
    int *events = s->events;
    s->best_end = end;
    s->found = true;
    s->done = s->f.done;
    s->events = s->f.events;
    s->f.done = done;
    s->f.events = events;
}

static void try_first_trees(struct search *s)
{
    /* Simulations write the actual senders into f.parent, so each variant starts from a copy. */
    int variants = s->f.blocks * s->f.n <= CELLS_FEW ? HELPS : 1;
    copy_trees(s, s->f.parent, s->grown);
    for (int rule = 0; rule < FOREST_RULES; rule++)
        for (int i = 0; i < variants; i++) {
            copy_trees(s, s->grown, s->f.parent);
            try_trees(s, (enum forest_rule)rule, helps[i], 0);
        }
}

static int improve(struct search *s)
{
    /* The work of one simulation is about blocks * n * n. */
    int trials = WORK / s->f.n / (s->f.blocks * s->f.n), error = HN_OK;
    /* With two ranks or one block there is only one tree in question. */
    if (s->f.n < 3 || s->f.blocks < 2)
        return HN_OK;
    if (!s->thorough)
        trials = s->f.blocks * s->f.n <= CELLS_FEW ? trials / MODEL_SHARE : 0;
    /* With many blocks a trial in another model takes too long, so there are none. */
    trials = trials < TRIALS_MOST ? trials : TRIALS_MOST;
    for (int i = 0; i < trials && s->work > 0 && !error; i++) {
        /* After a part of the trials the search ends if it is far from other planners' plans. */
        if (i >= trials / PROBLEM_PART &&
            problem_is_hopeless(s->problem, s->f.blocks * s->f.n, s->best_end))
            break;
        int heat = trials * 3 / 4 - i;
        hn_time slack = heat > 0 ? wide_ratio(s->now_end / SLACK_SHARE, heat, trials) : 0;
        copy_trees(s, s->now, s->f.parent);
        error = change_trees(s);
        if (!error)
            try_trees(s, (enum forest_rule)random_number(&s->random, FOREST_RULES),
                      helps[random_number(&s->random, HELPS)], slack);
    }
    return error;
}

/* ---- the plan --------------------------------------------------------------------------- */

/* Prepares a search with `blocks` trees from the root. `up`: the tree carries data to the root. The
 * caller calls end() in either case. */
static int begin(struct search *s, const struct problem *problem, int blocks, bool up)
{
    const struct model *model = problem->model;
    int n = model->ranks, root = problem->req->root;
    size_t cells = (size_t)n * (size_t)blocks;
    int64_t bytes = problem_bytes(problem);
    *s = (struct search){.problem = problem,
                         .now_end = INT64_MAX,
                         .best_end = INT64_MAX,
                         .work = MODEL_WORK,
                         .random = 1,
                         .thorough = model->port == PORT_BLOCKING};
    int error = forest_begin(&s->f, n, root, blocks);
    if (!error)
        error = prices_begin(&s->prices, model, root, bytes, false, up);
    if (error)
        return error;
    s->load = arena_array(&s->arena, (size_t)s->prices.resources, sizeof *s->load);
    ARENA_ARRAYS(&s->arena, cells, s->grown, s->now, s->done);
    s->events = arena_array(&s->arena, 2 * cells, sizeof *s->events);
    if (s->arena.failed)
        return HN_ENOMEM;
    hn_time longest = 0;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++)
            if (from != to) {
                hn_time *cost = &s->f.cost[from * n + to];
                *cost = model_deliver(model, up ? to : from, up ? from : to, bytes);
                longest = time_later(longest, *cost);
            }
    return longest < INT64_MAX / 2 / (n * blocks) ? HN_OK : HN_EPLAN; /* sums do not overflow */
}

static void end(struct search *s)
{
    forest_end(&s->f);
    prices_end(&s->prices);
    arena_free(&s->arena);
}

/* Plans a bcast or, by reversal, a reduce. sched_cut() reports its own errors to the plan. */
void planner_forest(const struct problem *problem, struct plan *plan)
{
    struct search s;
    bool up = problem->req->op == OP_REDUCE;
    if (!sched_cut(problem, plan))
        return;
    int error = begin(&s, problem, plan->block_count, up);
    if (!error)
        error = prices_pack(&s.prices, s.f.blocks, PASSES, s.f.parent, s.load);
    if (!error) {
        try_first_trees(&s);
        error = improve(&s);
    }
    if (error)
        plan_fail(plan, error);
    else
        /* Each transfer has two events, and there are n - 1 transfers for each block. */
        sched_write(s.done, s.events, 2 * s.f.blocks * (s.f.n - 1), up, plan);
    end(&s);
}
