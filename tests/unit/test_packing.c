/* test_packing.c - long data along many trees: near to what the network allows, whatever it is
 * made of. */
#include "makespan.h"
#include "model/bounds/bound.h"
#include "random.h"
#include "select/selection.h"

#include "hnow_net.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 30000000, ALLOWED = 105, SURELY = 120 /* percent of the bound */ };

static const enum operation operations[] = {OP_BCAST, OP_REDUCE, OP_ALLGATHER, OP_REDUCE_SCATTER,
                                            OP_ALLREDUCE};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static hn_net *net_of(const char *text)
{
    hn_net *net;
    cr_assert_eq(hn_net_parse("net", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

/* In percent of the lower bound. */
static int64_t percent_of_bound(hn_net *net, const char *planner, struct request req)
{
    struct model model;
    req.ranks = hn_net_size(net);
    model_of_net(&model, net, NULL, req.ranks, PORT_MEDIA);
    hn_time bound = lower_bound(&req, &model, true);
    return makespan_by(planner, &req, &model) / (bound / 100);
}

/* Three sites in a ring; the two links of each together carry twice what one does. */
static const char three_sites[] =
    "h[1-8] send_us=10 recv_us=10 send_gap_ns_per_byte=8 recv_gap_ns_per_byte=8\n"
    "@subnet a hosts=h[1-3] medium=switch latency_us=30 ns_per_byte=8 site=x\n"
    "@subnet b hosts=h[4-5] medium=switch latency_us=30 ns_per_byte=8 site=y\n"
    "@subnet c hosts=h6 medium=switch latency_us=30 ns_per_byte=8 site=y\n"
    "@subnet d hosts=h[7-8] medium=switch latency_us=30 ns_per_byte=8 site=z\n"
    "@link b c latency_us=60 ns_per_byte=8\n"
    "@link x y latency_us=12000 ns_per_byte=80 wire_ns_per_byte=80\n"
    "@link x z latency_us=5000 ns_per_byte=80 wire_ns_per_byte=80\n"
    "@link y z latency_us=6000 ns_per_byte=80 wire_ns_per_byte=80\n";

/* A single tree enters each of the other sites by one link only, and takes twice as long. */
Test(packing, uses_both_links_into_a_site)
{
    struct request bcast = {.op = OP_BCAST, .bytes = BYTES, .grain = 1};
    cr_expect_leq(percent_of_bound(net_of(three_sites), "packing", bcast), ALLOWED);
    cr_expect_geq(makespan_on(net_of(three_sites), "eco/65536", bcast, PORT_MEDIA),
                  INT64_C(2400000000000));
}

/* Of an allreduce, the links carry 2 (s - 1) / s copies of the data between s sites, each 2.4 s in
 * one direction of one link: a third of all. */
Test(packing, is_near_the_best_rate_of_every_operation)
{
    for (int i = 0; i < OPERATIONS; i++) {
        struct request req = {.op = operations[i], .bytes = BYTES, .grain = 4};
        if (req.op == OP_ALLREDUCE)
            cr_expect_leq(makespan_on(net_of(three_sites), "packing", req, PORT_MEDIA),
                          INT64_C(1680000000000));
        else
            cr_expect_leq(percent_of_bound(net_of(three_sites), "packing", req), ALLOWED, "%s",
                          operation_name(req.op));
    }
}

Test(packing, plans_are_right_in_every_model)
{
    static const int64_t sizes[] = {0, 70000, 1, 0, 300, 5000, 123456, 7};
    for (int i = 0; i < 3 * OPERATIONS; i++) {
        struct request req = {.op = operations[i % OPERATIONS], .bytes = 100004, .grain = 4};
        struct request some = {.op = OP_ALLGATHERV, .sizes = sizes, .grain = 1};
        struct request none = {.op = operations[i % OPERATIONS], .bytes = 0, .grain = 8};
        cr_expect_lt(makespan_on(net_of(three_sites), "packing", req, (enum port)(i % 3)),
                     INT64_MAX);
        cr_expect_lt(makespan_on(net_of(three_sites), "packing", some, (enum port)(i % 3)),
                     INT64_MAX);
        cr_expect_lt(makespan_on(net_of(three_sites), "packing", none, (enum port)(i % 3)),
                     INT64_MAX);
    }
}

/* One connection carries a quarter of what the wire between two sites carries. */
Test(packing, fills_a_wire_by_several_connections)
{
    for (int i = 0; i < OPERATIONS; i++) {
        hn_net *net =
            net_of("h[1-12] send_us=10 recv_us=10 send_gap_ns_per_byte=8 recv_gap_ns_per_byte=8\n"
                   "@subnet a hosts=h[1-6] medium=switch latency_us=30 ns_per_byte=8 site=x\n"
                   "@subnet b hosts=h[7-12] medium=switch latency_us=30 ns_per_byte=8 site=y\n"
                   "@link x y latency_us=5000 ns_per_byte=80 wire_ns_per_byte=20\n");
        struct request req = {.op = operations[i], .bytes = BYTES, .grain = 4};
        int64_t percent = percent_of_bound(net, "packing", req);
        cr_expect_leq(percent, SURELY, "%s takes %lld %% of the bound", operation_name(req.op),
                      (long long)percent);
    }
}

/* Sums of operands that have an order are left to others. */
Test(packing, refuses_an_order)
{
    struct request req = {.op = OP_ALLREDUCE, .bytes = 100004, .grain = 4, .ordered = true};
    cr_expect_eq(makespan_on(net_of(three_sites), "packing", req, PORT_MEDIA), INT64_MAX);
}

/* A plan in whose search a sum of times overflowed sent blocks that nobody received. */
Test(packing, refuses_times_beyond_64_bits)
{
    static const char slow[] =
        "h[1-15] send_us=1 recv_us=1 send_gap_ns_per_byte=10000000 recv_gap_ns_per_byte=10000000\n"
        "@subnet a hosts=h[1-15] medium=switch latency_us=30 ns_per_byte=8\n";
    struct request req = {.op = OP_ALLREDUCE, .bytes = INT64_C(1) << 33, .grain = 4};
    cr_expect_eq(makespan_on(net_of(slow), "packing", req, PORT_MEDIA), INT64_MAX);
    req.bytes = 1 << 20;
    cr_expect_lt(makespan_on(net_of(slow), "packing", req, PORT_MEDIA), INT64_MAX);
}

/* The plan of a stage is made once for each of its requests, and is the same as without a memo. */
Test(packing, a_stage_is_planned_once)
{
    struct stage_memo memo = {0};
    hn_net *net = net_of(three_sites);
    struct model model;
    struct request req = {.op = OP_REDUCE, .ranks = 8, .bytes = 100000, .grain = 4};
    struct problem problem = {.req = &req, .model = &model, .stages = &memo};
    struct choice choice;
    struct plan *first, *again, *other, *alone;
    model_of_net(&model, net, NULL, req.ranks, PORT_MEDIA);
    cr_assert_eq(choice_parse("packing", &choice), HN_OK);
    cr_assert_eq(choice_plan_stage(&choice, problem, &first), HN_OK);
    cr_assert_eq(choice_plan_stage(&choice, problem, &again), HN_OK);
    cr_expect_eq(first, again);
    cr_assert_eq(choice_plan(&choice, &req, &model, &alone), HN_OK);
    cr_expect_eq(plan_hash(first), plan_hash(alone));
    req.root = 7;
    cr_assert_eq(choice_plan_stage(&choice, problem, &other), HN_OK);
    cr_expect_neq(plan_hash(first), plan_hash(other));
    stage_memo_free(&memo);
    plan_free(first);
    plan_free(again);
    plan_free(other);
    plan_free(alone);
    hn_net_free(net);
}

/* ---- random networks ---------------------------------------------------------------------------
 */

enum { ROUNDS = 12, SITES_MOST = 4, SUBNETS_MOST = 3, NODES_MOST = 5, TEXT = 1 << 14 };

/* Sites of switches; between sites, and out of some of the switches, less fits than through a
 * port. */
static hn_net *random_hierarchy(uint64_t *state)
{
    static char text[TEXT];
    int sites = 2 + (int)random_below(state, SITES_MOST - 1), hosts = 0, length = 0;
    for (int site = 0; site < sites; site++)
        for (int i = 1 + (int)random_below(state, SUBNETS_MOST); i > 0; i--) {
            int first = hosts + 1;
            hosts += 1 + (int)random_below(state, NODES_MOST);
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "@subnet s%d hosts=h[%d-%d] medium=switch latency_us=%d "
                               "ns_per_byte=8 site=site%d\n"
                               "@uplink s%d latency_us=30 ns_per_byte=%d\n",
                               first, first, hosts, 10 + (int)random_below(state, 50), site, first,
                               8 + (int)random_below(state, 30));
        }
    for (int a = 0; a < sites; a++)
        for (int b = a + 1; b < sites; b++) {
            int rate = 20 + (int)random_below(state, 200);
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "@link site%d site%d latency_us=%d ns_per_byte=%d "
                               "wire_ns_per_byte=%d\n",
                               a, b, 1000 + (int)random_below(state, 20000), rate, rate);
        }
    static char all[TEXT + 100];
    snprintf(all, sizeof all,
             "h[1-%d] send_us=10 recv_us=10 send_gap_ns_per_byte=8 recv_gap_ns_per_byte=8\n%s",
             hosts, text);
    return net_of(all);
}

/* Hardly ever does waiting for late blocks cost more than a twentieth. */
Test(packing, is_near_the_bound_of_random_networks)
{
    uint64_t state = random_seed();
    int rounds = random_rounds(ROUNDS);
    int64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        uint64_t seed = state;
        struct request req = {.op = operations[round % 4], .bytes = BYTES, .grain = 1};
        int64_t percent = percent_of_bound(random_hierarchy(&state), "packing", req);
        cr_expect_leq(percent, SURELY, "seed %llu: %s takes %lld %% of the bound",
                      (unsigned long long)seed, operation_name(req.op), (long long)percent);
        sum += percent;
    }
    cr_expect(rounds < ROUNDS || sum <= ALLOWED * rounds);
}

/* Pieces that others hand on (detours_pieces.c), or all straight. */
Test(packing, total_exchange_is_near_the_bound_of_random_networks)
{
    uint64_t state = random_seed();
    int rounds = random_rounds(ROUNDS);
    int64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        uint64_t seed = state, again = state;
        struct request req = {.op = OP_ALLTOALL, .bytes = 100000, .grain = 1};
        int64_t straight = percent_of_bound(random_hierarchy(&again), "direct", req);
        int64_t percent = percent_of_bound(random_hierarchy(&state), "detours", req);
        percent = percent < straight ? percent : straight;
        cr_expect_leq(percent, SURELY, "seed %llu: it takes %lld %% of the bound",
                      (unsigned long long)seed, (long long)percent);
        sum += percent;
    }
    cr_expect(rounds < ROUNDS || sum <= ALLOWED * rounds);
}

/* ---- in a choice ------------------------------------------------------------------------------
 */

/* So near to the bound, no other of some hundred plans is tried. */
Test(packing, ends_the_choice_of_a_plan_for_long_data)
{
    struct request req = {.op = OP_BCAST, .bytes = BYTES, .grain = 1};
    hn_net *net = net_of(three_sites);
    struct model model;
    req.ranks = hn_net_size(net);
    model_of_net(&model, net, NULL, req.ranks, PORT_MEDIA);
    struct selection selection = {.req = &req, .model = &model, .baselines = true};
    cr_assert_eq(selection_run(&selection), HN_OK);
    cr_expect_str_eq(selection.choice.planner->name, "packing");
    cr_expect_eq(selection.shortlist.plans, 1, "%d", selection.shortlist.plans);
    timing_free(&selection.timing);
    plan_free(selection.plan);
    hn_net_free(net);
}

/* The makespan of what is chosen; the network is freed. */
static hn_time chosen_time(hn_net *net, struct request req)
{
    struct model model;
    req.ranks = hn_net_size(net);
    model_of_net(&model, net, NULL, req.ranks, PORT_MEDIA);
    struct selection selection = {.req = &req, .model = &model};
    cr_assert_eq(selection_run(&selection), HN_OK);
    hn_time makespan = selection.timing.makespan;
    timing_free(&selection.timing);
    plan_free(selection.plan);
    hn_net_free(net);
    return makespan;
}

/* One host at half the rate of 31 others sends and receives the data once, at its own rate, if
 * others combine and spread the parts: 1.03 times what all take that are equal. */
Test(packing, an_allreduce_is_hardly_longer_with_one_slow_member)
{
    static const char equal[] = "h[1-32] send_us=5 recv_us=5 send_gap_ns_per_byte=8 "
                                "recv_gap_ns_per_byte=8\n",
                      slow[] = "h1 send_us=5 recv_us=5 send_gap_ns_per_byte=16 "
                               "recv_gap_ns_per_byte=16\nh[2-32] send_us=5 recv_us=5 "
                               "send_gap_ns_per_byte=8 recv_gap_ns_per_byte=8\n",
                      lan[] = "@subnet lan hosts=h[1-32] medium=switch latency_us=20 "
                              "ns_per_byte=8\n";
    char text[512];
    struct request req = {.op = OP_ALLREDUCE, .bytes = BYTES, .grain = 4};
    snprintf(text, sizeof text, "%s%s", equal, lan);
    hn_time without = chosen_time(net_of(text), req);
    snprintf(text, sizeof text, "%s%s", slow, lan);
    cr_expect_leq(chosen_time(net_of(text), req), without / 100 * 106);
}

/* ---- bounds ------------------------------------------------------------------------------------
 */

static hn_time bound_on(hn_net *net, struct request req)
{
    struct model model;
    req.ranks = hn_net_size(net);
    model_of_net(&model, net, NULL, req.ranks, PORT_MEDIA);
    hn_time bound = lower_bound(&req, &model, true);
    hn_net_free(net);
    return bound;
}

/* Among three sites in a ring, an allreduce crosses between sites four times, in one direction of
 * three links each: 4 * 2.4 s over six. What has passed a link has yet to travel, 7.7 ms on
 * average, whatever its length. */
Test(packing, allreduce_has_a_bound_by_sites)
{
    struct request req = {.op = OP_ALLREDUCE, .bytes = BYTES, .grain = 4};
    hn_time bound = bound_on(net_of(three_sites), req);
    cr_expect_geq(bound, INT64_C(1595000000000));
    cr_expect_leq(bound, INT64_C(1607700000000));
    req.bytes = BYTES / 100;
    bound = bound_on(net_of(three_sites), req);
    cr_expect_geq(bound, INT64_C(23400000000), "%lld", (long long)bound);
    cr_expect_leq(bound, INT64_C(23700000000), "%lld", (long long)bound);
    cr_expect_leq(bound, makespan_on(net_of(three_sites), "packing", req, PORT_MEDIA));
}

/* Two subnets that have good links to three others each: what those on one side have for each other
 * takes two links. All 28 ways over twelve links are 7 / 3 of a part a link; the parts that leave
 * any subnet alone are 2. */
Test(packing, total_exchange_has_a_bound_by_flows)
{
    char text[4096];
    int length = snprintf(text, sizeof text, "h[1-5] send_us=1 recv_us=1\n");
    for (int a = 1; a <= 5; a++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length,
                     "@subnet s%d medium=switch latency_us=1 ns_per_byte=1 hosts=h%d\n", a, a);
    for (int a = 1; a <= 5; a++)
        for (int b = a + 1; b <= 5; b++) {
            int rate = a <= 2 && b > 2 ? 10 : 10000;
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "@link s%d s%d latency_us=1 ns_per_byte=%d wire_ns_per_byte=%d\n", a,
                               b, rate, rate);
        }
    struct request req = {.op = OP_ALLTOALL, .bytes = 1000000, .grain = 1, .ranks = 5};
    hn_net *net = net_of(text);
    struct model model;
    model_of_net(&model, net, NULL, req.ranks, PORT_MEDIA);
    hn_time bound = lower_bound(&req, &model, true);
    cr_expect_geq(bound, INT64_C(23000000000), "%lld", (long long)bound);
    cr_expect_leq(bound, INT64_C(23340000000), "%lld", (long long)bound);
    hn_net_free(net);
}
