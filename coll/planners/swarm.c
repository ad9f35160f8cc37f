/* swarm.c - our own: broadcast (and reduction) in segments that go wherever they are missing,
 * several in a message where there is a backlog.
 *
 * Where most ports are busy all the time, trees (forest.c) make senders wait for receivers that are
 * busy with others. Here a free sender serves any free receiver that lacks something of its own,
 * the segment that fewest have, as peers of BitTorrent do (Cohen, "Incentives build robustness in
 * BitTorrent", 2003). What keeps dear ways from being used are prices of ports: those of the best
 * steady state that a packing of trees tells (prices.h). Messages grow from one segment to `bundle`
 * and shrink again, so that start-ups are few, and ports neither wait for the first segment nor, at
 * the end, for the last.
 *
 * Which rules and prices are best nobody knows beforehand, so many are played: at first rules at
 * random, then changes to those of the best play and to the prices. Fixed work, fixed random
 * numbers.
 *
 * A reduction is the same played backwards, for operators that commute. The playing is that of the
 * blocking one-port model; in others the plan is right, too, and which play is the best is found
 * out by simulating each in that model: fewer then.
 *
 * Cost: up to PACK_TREES * PACK_PASSES trees of O(n^2); then plays (swarm.h).
 */
#include "swarm.h"

#include "planners.h"

#include "../prices.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORK = 800000,     /* plays * segments * ranks ... */
    PLAYS_MOST = 1500, /* ... no more plays than this ... */
    PLAYS_LEAST = 16,  /* ... and no fewer */
    PACK_TREES = 200,  /* at most ... */
    PACK_EACH = 8,     /* ... and so many for each segment */
    PACK_PASSES = 4,
    PACK_BUNDLE = 4,      /* prices are those of messages of so many segments */
    MODEL_WORK = 1000000, /* of sharing ways, in all simulations: a tenth of a second */
    MODEL_SHARE = 8,      /* this part of the plays where each is simulated besides */
    IDLE_SHARE = 50,      /* the least price is this part of the greatest */
    BUNDLES = 4,          /* 1, 2, 4, 8 */
    WASTES = 12,          /* 1 / 16 * sqrt(2)^0 ... */
    AVERSIONS = 6,
    SPREADS = 7 /* 0, 1 / 16, 1 / 8, ... 2 */
};

struct search {
    struct swarm s;
    struct swarm_rules best_rules;
    int64_t *first_price,
        *best_price;     /* as price of struct swarm: to begin with; of the best play */
    struct played *done; /* the best play: as of struct swarm */
    int *events, *sent;
    int count;
    hn_time end;
    const struct problem *problem;
    bool thorough; /* the model is the one that is played */
    int64_t work;  /* that simulating plays may yet be, in the model's own terms */
    uint64_t random;
};

static int below(struct search *t, int n)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((t->random >> 33) % (uint64_t)n);
}

/* ---- rules and prices --------------------------------------------------------------------------
 */

static int draw_waste(struct search *t)
{
    int step = below(t, WASTES);
    return (step % 2 ? 91 : 64) << step / 2;
}

static int draw_spread(struct search *t)
{
    int step = below(t, SPREADS);
    return step ? 1 << (step - 1) : 0;
}

static void draw_rules(struct search *t)
{
    t->s.rules = (struct swarm_rules){.waste = draw_waste(t),
                                      .aversion = below(t, AVERSIONS),
                                      .spread = draw_spread(t),
                                      .bundle = 1 << below(t, BUNDLES),
                                      .ramp = 1 << below(t, BUNDLES)};
    memcpy(t->s.price, t->first_price, 2 * (size_t)t->s.n * sizeof *t->s.price);
}

/* Some prices become up to twice as much, or half. */
static void change_prices(struct search *t)
{
    int wide = 1 + below(t, 64), share = 1 + below(t, 6);
    memcpy(t->s.price, t->best_price, 2 * (size_t)t->s.n * sizeof *t->s.price);
    for (int port = 0; port < 2 * t->s.n; port++) {
        int64_t price = t->s.price[port], more = below(t, wide + 1);
        if (below(t, 8) >= share)
            continue;
        price = below(t, 2) ? price * (64 + more) / 64 : price * 64 / (64 + more);
        price = price > INT64_C(1) << SWARM_PRICE_BITS ? INT64_C(1) << SWARM_PRICE_BITS : price;
        t->s.price[port] = price > 0 ? price : 1;
    }
}

static void change_rules(struct search *t)
{
    struct swarm_rules *r = &t->s.rules;
    *r = t->best_rules;
    if (below(t, 4) == 0)
        r->waste = r->waste * (48 + below(t, 33)) / 64 + 1;
    if (below(t, 8) == 0)
        r->aversion = below(t, AVERSIONS);
    if (below(t, 8) == 0)
        r->spread = draw_spread(t);
    if (below(t, 8) == 0)
        r->bundle = 1 << below(t, BUNDLES);
    if (below(t, 8) == 0)
        r->ramp = 1 << below(t, BUNDLES);
}

/* ---- the search --------------------------------------------------------------------------------
 */

static void swap_ints(int **a, int **b)
{
    int *c = *a;
    *a = *b;
    *b = c;
}

static void keep(struct search *t, hn_time end)
{
    struct played *done = t->done;
    t->end = end;
    t->best_rules = t->s.rules;
    memcpy(t->best_price, t->s.price, 2 * (size_t)t->s.n * sizeof *t->s.price);
    t->done = t->s.done;
    t->s.done = done;
    swap_ints(&t->events, &t->s.events);
    swap_ints(&t->sent, &t->s.sent);
    t->count = t->s.count;
}

/* How many plays there is time for. */
static int plays_of(const struct search *t)
{
    int plays = WORK / (t->s.blocks * t->s.n) / (t->thorough ? 1 : MODEL_SHARE);
    plays = (int)problem_work(t->problem, plays < PLAYS_MOST ? plays : PLAYS_MOST);
    return plays > PLAYS_LEAST ? plays : PLAYS_LEAST;
}

static void search(struct search *t)
{
    int plays = plays_of(t);
    for (int i = 0; i < plays && t->work > 0; i++) {
        if (i >= plays / PROBLEM_PART &&
            problem_is_hopeless(t->problem, t->s.blocks * t->s.n, t->end))
            break;
        if (i <= plays / 3) {
            draw_rules(t);
        } else {
            change_rules(t);
            change_prices(t);
        }
        hn_time end = swarm_play(&t->s);
        if (!t->thorough)
            end = played_time(t->problem, t->s.done, t->s.sent, t->s.events, t->s.event_count,
                              t->end, &t->work);
        if (end < t->end || t->count == 0)
            keep(t, end);
    }
}

/* ---- the plan ----------------------------------------------------------------------------------
 */

static int set_prices(struct search *t, const struct model *model, int64_t bytes, bool up)
{
    struct prices p;
    int n = t->s.n, packed = PACK_EACH * t->s.blocks;
    packed = packed < PACK_TREES ? packed : PACK_TREES;
    int error = prices_begin(&p, model, t->s.root, bytes * PACK_BUNDLE, false, up);
    int64_t *load = NULL;
    int *trees = malloc((size_t)n * (size_t)packed * sizeof *trees);
    if (!error)
        load = calloc((size_t)p.resources, sizeof *load);
    if (!error && (!trees || !load))
        error = HN_ENOMEM;
    if (!error)
        error = prices_pack(&p, packed, PACK_PASSES, trees, load);
    if (!error) {
        prices_follow(&p, load, 2);
        for (int port = 0; port < 2 * n; port++)
            t->first_price[port] = p.price[port] / IDLE_SHARE * (IDLE_SHARE - 1) +
                                   (INT64_C(1) << SWARM_PRICE_BITS) / IDLE_SHARE;
        for (int i = 0; i < packed * n; i++)
            if (i % n != t->s.root)
                t->s.good[trees[i] * n + i % n] = true;
    }
    prices_end(&p);
    free(load);
    free(trees);
    return error;
}

static void set_costs(struct swarm *s, const struct model *model, int64_t bytes, bool up)
{
    for (int from = 0; from < s->n; from++)
        for (int to = 0; to < s->n; to++) {
            int e = from * s->n + to, a = up ? to : from, b = up ? from : to;
            if (from == to)
                continue;
            s->start[e] = model_deliver(model, a, b, 0);
            s->each[e] = model_deliver(model, a, b, bytes) - s->start[e];
        }
}

static int begin(struct search *t, const struct problem *problem, int blocks, bool up)
{
    const struct model *model = problem->model;
    size_t n = (size_t)model->ranks, cells = n * (size_t)blocks;
    int64_t bytes = problem_bytes(problem);
    *t = (struct search){.end = INT64_MAX,
                         .problem = problem,
                         .thorough = model->port == PORT_BLOCKING,
                         .work = MODEL_WORK,
                         .random = 1};
    int error = swarm_begin(&t->s, model->ranks, problem->req->root, blocks);
    if (error)
        return error;
    t->first_price = malloc(2 * n * sizeof *t->first_price);
    t->best_price = malloc(2 * n * sizeof *t->best_price);
    t->done = malloc(cells * sizeof *t->done);
    t->events = malloc(2 * cells * sizeof *t->events);
    t->sent = malloc(cells * sizeof *t->sent);
    if (!t->first_price || !t->best_price || !t->done || !t->events || !t->sent)
        return HN_ENOMEM;
    set_costs(&t->s, model, bytes, up);
    return set_prices(t, model, bytes, up);
}

static void end(struct search *t)
{
    swarm_end(&t->s);
    free(t->first_price);
    free(t->best_price);
    free(t->done);
    free(t->events);
    free(t->sent);
}

void planner_swarm(const struct problem *problem, struct plan *plan)
{
    struct search t;
    bool up = problem->req->op == OP_REDUCE;
    if (!played_cut(problem, plan))
        return;
    int error = begin(&t, problem, plan->block_count, up);
    if (!error) {
        search(&t);
        played_write_sent(t.done, t.sent, t.events, 2 * t.count, up, plan);
    } else {
        plan_fail(plan, error);
    }
    end(&t);
}
