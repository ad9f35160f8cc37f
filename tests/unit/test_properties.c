/* test_properties.c - what must hold for every plan: random (network, operation, root, sizes,
 * group) by every planner. Each plan passes the checker, ends in every port model and is not faster
 * than the lower bound; auto is the best of them.
 *
 * The rounds are cut into shards, which run beside each other. A failure prints the seed of its
 * round; HNOW_ROUND=seed plays that round alone, HNOW_SEED=n plays others.
 *
 * Long: every planner, again and again.
 */
#include "select/auto.h"
#include "bounds_kept.h"
#include "plan/check.h"
#include "planners/planner.h"
#include "random_messages.h"
#include "random_net.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>

enum { SHARDS = 8, ROUNDS = 400, RANKS_MOST = 17, SLOW_EACH = 8, AUTO_EACH = 24 };
/* The part of the short rounds that is played: with a sanitizer each takes several times as long.
 */
enum { SHORT_EACH = 3 };

struct contention {
    uint64_t seed;
    struct request req;
    struct model model;
    int host[RANKS_MOST];
    int64_t sizes[RANKS_MOST * RANKS_MOST];
    struct random_messages messages;
    struct bounds_kept bounds;
    hn_time best;       /* of the choices so far, in PORT_MEDIA; -1: none ... */
    char best_name[64]; /* ... and whose it is */
};

static void draw(struct contention *t, hn_net **net, uint64_t seed)
{
    uint64_t state = seed;
    *net = random_net(&state);
    /* Most bugs need few ranks; each number from 1 on has its turn. */
    int n = 1 + (int)random_below(&state, random_below(&state, 4) ? 7 : RANKS_MOST);
    int64_t grain = (int64_t[]){1, 4, 8}[random_below(&state, 3)];
    *t = (struct contention){.seed = seed, .best = -1};
    t->req = (struct request){
        .op = (enum operation)random_below(&state, OP_COUNT),
        .ranks = n,
        .root = (int)random_below(&state, n),
        .bytes = random_below(&state, 4) ? grain * random_below(&state, 2000) : 0,
        .grain = grain,
        .ordered = random_below(&state, 4) == 0,
    };
    if (!operation_rooted(t->req.op))
        t->req.root = 0;
    random_messages(&t->req, &state, &t->messages);
    int64_t most = 1 + random_below(&state, 300);
    for (int i = 0; i < request_parts(&t->req); i++)
        t->sizes[i] = random_below(&state, 4) ? grain * random_below(&state, most) : 0;
    if (random_below(&state, 2))
        t->req.sizes = t->sizes;
    random_group(*net, &state, t->host, n);
    model_of_net(&t->model, *net, t->host, n, PORT_MEDIA);
    bounds_forget(&t->bounds);
}

static void play(struct contention *t, const struct plan *plan, const char *name, bool eager)
{
    struct timing timing;
    for (int port = PORT_NONBLOCKING; port <= PORT_MEDIA; port++) {
        if (port == PORT_BLOCKING && eager)
            continue;
        t->model.port = (enum port)port;
        cr_assert_eq(plan_simulate(plan, &t->model, &timing), HN_OK,
                     "HNOW_ROUND=%llu: %s by %s does not end", (unsigned long long)t->seed,
                     operation_name(t->req.op), name);
        hn_time bound = bounds_of(&t->bounds, &t->req, &t->model, plan_segments(plan) > 1);
        cr_assert_leq(bound, timing.makespan,
                      "HNOW_ROUND=%llu: %s by %s takes %lld, its bound is %lld (port model %d)",
                      (unsigned long long)t->seed, operation_name(t->req.op), name,
                      (long long)timing.makespan, (long long)bound, port);
        if (port == PORT_MEDIA && (t->best < 0 || timing.makespan < t->best)) {
            t->best = timing.makespan;
            snprintf(t->best_name, sizeof t->best_name, "%s", name);
        }
        timing_free(&timing);
    }
}

static void try_choice(struct contention *t, const struct choice *choice)
{
    char name[64];
    struct plan *plan;
    struct check_fault fault;
    choice_text(choice, name, sizeof name);
    int error = choice_plan(choice, &t->req, &t->model, &plan);
    if (error == HN_EPLAN && (t->req.ordered || choice->planner->multicasts ||
                              (t->req.messages && choice->planner->deliveries_most)))
        return;
    cr_assert_eq(error, HN_OK, "HNOW_ROUND=%llu: %s of %s fails: %d", (unsigned long long)t->seed,
                 operation_name(t->req.op), name, error);
    error = plan_check(plan, &t->req, &fault);
    cr_assert_eq(error, HN_OK, "HNOW_ROUND=%llu: %s by %s: rank %d step %d: %s",
                 (unsigned long long)t->seed, operation_name(t->req.op), name, fault.rank,
                 fault.step, fault.text);
    play(t, plan, name, choice->planner->eager);
    plan_free(plan);
}

static void try_planner(struct contention *t, const struct planner *planner)
{
    if (!planner_serves(planner, &t->req))
        return;
    struct choice choice = {planner, planner->arity, 0};
    try_choice(t, &choice);
    if (planner->arity_most > planner->arity) {
        choice.arity = planner->arity_most;
        try_choice(t, &choice);
    }
    if (planner->segments && request_parts(&t->req) == 1 &&
        !(t->req.messages && planner->search > 0)) {
        choice.segment = 1024;
        try_choice(t, &choice);
    }
}

static void try_auto(struct contention *t)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    t->model.port = PORT_MEDIA;
    int error = planner_best(&t->req, &t->model, NULL, &choice, &plan, &timing);
    cr_assert_eq(error, t->best < 0 ? HN_EPLAN : HN_OK, "HNOW_ROUND=%llu: auto: %d",
                 (unsigned long long)t->seed, error);
    if (error)
        return;
    cr_assert_leq(timing.makespan, t->best, "HNOW_ROUND=%llu: auto is not the best, but %s of %s",
                  (unsigned long long)t->seed, operation_name(t->req.op), t->best_name);
    timing_free(&timing);
    plan_free(plan);
}

static void play_round(uint64_t seed, bool with_slow, bool with_auto)
{
    static struct contention t;
    hn_net *net;
    draw(&t, &net, seed);
    for (int i = 0; i < planner_count; i++) {
        t.model.port = PORT_MEDIA;
        if (planners[i].search == 0 || with_slow)
            try_planner(&t, &planners[i]);
    }
    if (with_auto)
        try_auto(&t);
    hn_net_free(net);
}

ParameterizedTestParameters(properties, every_plan_keeps_them)
{
    static int shards[SHARDS];
    for (int i = 0; i < SHARDS; i++)
        shards[i] = i;
    return cr_make_param_array(int, shards, SHARDS);
}

ParameterizedTest(int *shard, properties, every_plan_keeps_them)
{
    const char *one = getenv("HNOW_ROUND");
    if (one) {
        if (*shard == 0)
            play_round(strtoull(one, NULL, 10), true, true);
        return;
    }
    uint64_t state = random_seed() * 1000003 + (uint64_t)*shard;
    int rounds = random_short() ? random_rounds(ROUNDS) / SHORT_EACH : ROUNDS;
    for (int round = 0; round < rounds; round++) {
        uint64_t seed = (uint64_t)random_below(&state, INT64_MAX);
        play_round(seed, round % SLOW_EACH == 0, round % AUTO_EACH == 0);
    }
}
