/* test_late.c - what the lower bound knows of pieces: nobody passes on what has not come yet, and
 * an allreduce moves everything twice. Where ports state no gaps.
 */
#include "select/auto.h"
#include "model/bounds/bound.h"
#include "makespan.h"
#include "random.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 600 };

/* A switch of so many hosts with starts of `start` us, 20 us away, at `rate` ns a byte; `gap`: of
 * ports, 0: none. */
static hn_net *make_switch(int hosts, int start, int rate, int gap)
{
    char text[300];
    hn_net *net;
    snprintf(text, sizeof text,
             "h[1-%d] send_us=%d recv_us=%d%s%d%s%d\n@subnet a medium=switch latency_us=20 "
             "ns_per_byte=%d hosts=h[1-%d]\n",
             hosts, start, start, " send_gap_ns_per_byte=", gap, " recv_gap_ns_per_byte=", gap,
             rate, hosts);
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

/* Eight hosts with dear starts: the k-th of them has something to pass on after 180, 260, ... us,
 * and receives for 80 us each time, so all ways together take 1077 us at least for what would pass
 * them in 375. */
Test(late, ways_open_one_after_the_other)
{
    static const enum operation ops[] = {OP_BCAST, OP_REDUCE};
    hn_net *net = make_switch(8, 80, 10, 0);
    struct model model;
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    for (int i = 0; i < 2; i++) {
        struct request req = {.op = ops[i], .ranks = 8, .bytes = 262144, .grain = 1};
        hn_time bound = lower_bound(&req, &model, true);
        cr_expect_geq(bound, INT64_C(1076000000));
        cr_expect_leq(bound, makespan_by("relays", &req, &model));
    }
    hn_net_free(net);
}

/* The last of 16 to get anything gets it after five messages at best, and all of it must pass its
 * port after that. */
Test(late, who_is_last_gets_all_of_it_later)
{
    hn_net *net = make_switch(16, 100, 10, 10);
    struct model model;
    model_of_net(&model, net, NULL, 16, PORT_MEDIA);
    struct request req = {.op = OP_BCAST, .ranks = 16, .bytes = 100000, .grain = 1};
    hn_time bound = lower_bound(&req, &model, true);
    cr_expect_geq(bound, INT64_C(1600000000), "%lld", (long long)bound);
    cr_expect_leq(bound, makespan_by("binomial/16384", &req, &model));
    hn_net_free(net);
}

/* Every byte is received 2 (n - 1) times, wherever that is. */
Test(late, an_allreduce_moves_everything_twice)
{
    for (int gap = 0; gap < 2; gap++) {
        hn_net *net = make_switch(4, 10, 80, gap ? 80 : 0);
        struct model model;
        model_of_net(&model, net, NULL, 4, PORT_MEDIA);
        struct request req = {.op = OP_ALLREDUCE, .ranks = 4, .bytes = 1000000, .grain = 8};
        hn_time bound = lower_bound(&req, &model, true),
                found = makespan_by(gap ? "ring" : "relays/8192", &req, &model);
        cr_expect_leq(bound, found);
        cr_expect_geq(bound, found / 100 * 95, "%lld, of %lld", (long long)bound, (long long)found);
        hn_net_free(net);
    }
}

/* Against the best that is found among few hosts: ways, ports and starts of all proportions. */
Test(late, bound_is_no_more_than_what_is_found)
{
    static const enum operation ops[] = {OP_BCAST, OP_REDUCE, OP_ALLREDUCE};
    uint64_t seed = random_seed(), state = seed;
    for (int round = 0; round < random_rounds(ROUNDS); round++) {
        int hosts = 2 + (int)random_below(&state, 6), start = 1 << random_below(&state, 9);
        int rate = 1 << random_below(&state, 8), gap = 1 << random_below(&state, 8);
        hn_net *net = make_switch(hosts, start, rate, random_below(&state, 2) ? gap : 0);
        struct model model;
        struct choice choice;
        struct plan *plan;
        struct timing timing;
        model_of_net(&model, net, NULL, hosts, PORT_MEDIA);
        struct request req = {.op = ops[round % 3],
                              .ranks = hosts,
                              .bytes = 1 + random_below(&state, 1 << random_below(&state, 20)),
                              .grain = 1};
        cr_assert_eq(planner_best_quick(&req, &model, 100, &choice, &plan, &timing, NULL), HN_OK);
        cr_assert_leq(lower_bound(&req, &model, true), timing.makespan,
                      "HNOW_SEED=%llu: round %d: %s among %d", (unsigned long long)seed, round,
                      operation_name(req.op), hosts);
        plan_free(plan);
        timing_free(&timing);
        hn_net_free(net);
    }
}
