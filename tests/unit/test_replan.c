/* test_replan.c - plans made from old ones: right, no worse than the old tree, and near to what is
 * planned from scratch. */
#include "auto.h"
#include "check.h"
#include "random_net.h"
#include "replan.h"

#include "hnow.h"

#include <criterion/criterion.h>

enum { ROUNDS = 24, RANKS = 9 };

static void change(hn_net *net, struct request *req, uint64_t *state)
{
    int a = (int)random_below(state, hn_net_size(net)),
        b = (int)random_below(state, hn_net_size(net));
    hn_host_cost cost = *hn_net_host(net, a);
    if (random_below(state, 2))
        req->bytes *= 1 + random_below(state, 4);
    cost.send_const *= 3;
    cost.recv_per_byte *= 2;
    hn_net_set_host(net, a, &cost);
    if (a != b)
        hn_net_set_pair(net, a, b, random_pair(state, 9));
}

/* Replans a random operation after a change; returns the makespan as a ratio to that of a plan from
 * scratch, in thousandths. */
static int64_t round_of(uint64_t seed)
{
    uint64_t state = seed;
    hn_net *net = random_net(&state);
    int host[RANKS];
    struct request req = {.op = (enum operation)random_below(&state, OP_COUNT),
                          .ranks = 2 + (int)random_below(&state, RANKS - 1),
                          .bytes = 8 * random_below(&state, 4000),
                          .grain = 8};
    struct model model;
    struct choice old, choice;
    struct plan *plan, *fresh, *repaired;
    struct timing scratch, again;
    struct check_fault fault;
    random_group(net, &state, host, req.ranks);
    model_of_net(&model, net, host, req.ranks, PORT_MEDIA);
    cr_assert_eq(planner_best(&req, &model, NULL, &old, &plan, NULL), HN_OK);
    change(net, &req, &state);
    cr_assert_eq(planner_best(&req, &model, NULL, &choice, &fresh, &scratch), HN_OK);
    cr_assert_eq(replan(&old, plan, &req, &model, &choice, &repaired, &again), HN_OK, "seed %llu",
                 (unsigned long long)seed);
    cr_assert_eq(plan_check(repaired, &req, &fault), HN_OK, "seed %llu: %s of %s: %s",
                 (unsigned long long)seed, choice.planner->name, operation_name(req.op),
                 fault.text);
    int64_t ratio = scratch.makespan > 0 ? again.makespan * 1000 / scratch.makespan : 1000;
    plan_free(plan);
    plan_free(fresh);
    plan_free(repaired);
    timing_free(&scratch);
    timing_free(&again);
    hn_net_free(net);
    return ratio;
}

Test(replan, is_right_and_near_to_a_plan_from_scratch, .timeout = 200)
{
    uint64_t state = random_seed();
    int64_t sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t seed = (uint64_t)random_below(&state, INT64_MAX);
        int64_t ratio = round_of(seed);
        cr_assert_leq(ratio, 1250, "seed %llu: %lld thousandths of a plan from scratch",
                      (unsigned long long)seed, (long long)ratio);
        sum += ratio;
    }
    cr_assert_leq(sum / ROUNDS, 1050, "%lld thousandths on average", (long long)(sum / ROUNDS));
}

Test(replan, other_groups_are_refused)
{
    hn_net *net = hn_net_new(4);
    struct model model;
    struct choice old, choice;
    struct plan *plan, *again;
    struct request req = {.op = OP_BCAST, .ranks = 4, .bytes = 100, .grain = 1};
    model_of_net(&model, net, NULL, 4, PORT_MEDIA);
    cr_assert_eq(planner_best(&req, &model, NULL, &old, &plan, NULL), HN_OK);
    req.ranks = model.ranks = 3;
    cr_assert_eq(replan(&old, plan, &req, &model, &choice, &again, NULL), HN_EPLAN);
    cr_assert_null(again);
    plan_free(plan);
    hn_net_free(net);
}
