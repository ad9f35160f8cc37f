/* test_limits.c - a simulation with a limit gives the very times of one without, unless it is late,
 * and then it says so. */
#include "model/simulate.h"
#include "planners/planner.h"
#include "random_net.h"

#include "hnow.h"

#include <criterion/criterion.h>

enum { ROUNDS = 300, RANKS_MOST = 17 };

static void compare(const struct plan *plan, const struct model *model, const char *name,
                    uint64_t seed)
{
    struct timing free_run, limited;
    cr_assert_eq(plan_simulate(plan, model, &free_run), HN_OK);
    hn_time makespan = free_run.makespan;
    cr_assert_eq(plan_simulate_within(plan, model, makespan, NULL, &limited), HN_OK);
    cr_assert_eq(limited.makespan, makespan, "seed %llu: %s takes %lld, with that limit %lld",
                 (unsigned long long)seed, name, (long long)makespan, (long long)limited.makespan);
    for (int32_t i = 0; i < plan->first[plan->ranks]; i++)
        cr_assert_eq(limited.spans[i].end, free_run.spans[i].end, "seed %llu: %s, step %d",
                     (unsigned long long)seed, name, i);
    timing_free(&limited);
    for (int part = 1; part <= 16 && makespan > 0; part *= 4) {
        cr_assert_eq(plan_simulate_within(plan, model, (makespan - 1) / part, NULL, &limited),
                     HN_OK);
        cr_assert_eq(limited.makespan, INT64_MAX, "seed %llu: %s is in time",
                     (unsigned long long)seed, name);
        timing_free(&limited);
    }
    timing_free(&free_run);
}

static void play_round(uint64_t seed)
{
    uint64_t state = seed;
    hn_net *net = random_net(&state);
    int host[RANKS_MOST], n = 1 + (int)random_below(&state, RANKS_MOST);
    struct request req = {.op = (enum operation)random_below(&state, OP_MULTIMULTICAST),
                          .ranks = n,
                          .bytes = random_below(&state, 20000),
                          .grain = 1};
    struct model model;
    random_group(net, &state, host, n);
    model_of_net(&model, net, host, n, PORT_MEDIA);
    for (int i = 0; i < planner_count; i++) {
        struct choice choice = {&planners[i], planners[i].arity, 0};
        struct plan *plan;
        if (planners[i].search > 0 || planners[i].composed || !planner_serves(&planners[i], &req))
            continue;
        if (planners[i].segments && request_parts(&req) == 1)
            choice.segment = random_below(&state, 2) * (1 + random_below(&state, 4000));
        if (choice_plan(&choice, &req, &model, &plan) != HN_OK)
            continue;
        compare(plan, &model, planners[i].name, seed);
        plan_free(plan);
    }
    hn_net_free(net);
}

Test(limits, change_no_times)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(ROUNDS); round++)
        play_round((uint64_t)random_below(&state, INT64_MAX));
}
