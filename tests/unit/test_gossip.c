/* test_gossip.c - allgathers among hosts that do not send equally fast: quick ones pass on what
 * slow ones have. */
#include "select/auto.h"
#include "planners/busy.h"
#include "makespan.h"
#include "random.h"

#include <string.h>

enum { HOSTS = 8, BYTES = 65536 };

static hn_net *make_net(void)
{
    static const char text[] =
        "h[1-4] send_us=20 recv_us=20 send_gap_ns_per_byte=80 recv_gap_ns_per_byte=80\n"
        "h[5-8] send_us=30 recv_us=30 send_gap_ns_per_byte=400 recv_gap_ns_per_byte=100\n"
        "@subnet a medium=switch latency_us=10 ns_per_byte=80 hosts=h[1-8]\n";
    hn_net *net;
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

static hn_time time_of(const char *name, struct request req, enum port port)
{
    return makespan_on(make_net(), name, req, port); /* checks the plan, too */
}

/* Each slow host sends 65536 bytes in 26 ms, and a ring has it send seven times that; all together
 * send what is wanted in 61. */
Test(gossip, slow_hosts_send_little)
{
    struct request req = {.op = OP_ALLGATHER, .bytes = BYTES, .grain = 1};
    cr_expect_geq(time_of("ring", req, PORT_MEDIA), INT64_C(180000000000));
    cr_expect_leq(time_of("gossip", req, PORT_MEDIA), INT64_C(105000000000));
    cr_expect_leq(time_of("gossip:4", req, PORT_MEDIA), INT64_C(95000000000));
}

/* A plan in whose simulation a sum of times overflowed lacked messages. */
Test(gossip, refuses_times_beyond_64_bits)
{
    static const char text[] = "* send_us=9000000000 recv_us=9000000000 send_ns_per_byte=9000000\n"
                               "h[1-40]\n@subnet s medium=bus latency_us=9000000000 "
                               "ns_per_byte=9000000 hosts=h[1-40]\n";
    struct request req = {.op = OP_ALLGATHER, .bytes = 250000000, .grain = 1};
    hn_net *net;
    cr_assert_eq(hn_net_parse("slow", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    cr_expect_eq(makespan_on(net, "gossip", req, PORT_MEDIA), INT64_MAX);
}

Test(gossip, plans_are_right_in_every_model)
{
    static const char *const names[] = {"gossip", "gossip:2", "gossip:3"};
    static const int64_t sizes[] = {0, 70000, 1, 0, 300, 5000, 123456, 7};
    static const enum port ports[] = {PORT_MEDIA, PORT_BLOCKING, PORT_NONBLOCKING};
    for (int i = 0; i < 9; i++) {
        struct request some = {.op = OP_ALLGATHERV, .sizes = sizes, .grain = 1};
        struct request none = {.op = OP_ALLGATHER, .bytes = 0, .grain = 8};
        cr_expect_lt(time_of(names[i / 3], some, ports[i % 3]), INT64_MAX);
        cr_expect_lt(time_of(names[i / 3], none, ports[i % 3]), INT64_MAX);
    }
}

/* Stages that cut their pieces once more. */
Test(gossip, is_the_second_half_of_other_plans)
{
    static const char *const names[] = {"reduce_scatter+allgather:halving,gossip:2",
                                        "reduce_scatter+allgather:ring,gossip:3"};
    struct request req = {.op = OP_ALLREDUCE, .bytes = 800000, .grain = 8};
    struct request tiny = {.op = OP_ALLREDUCE, .bytes = 80, .grain = 8};
    struct request bcast = {.op = OP_BCAST, .bytes = 100003, .grain = 1, .root = 5};
    struct request gather = {.op = OP_GATHER, .bytes = 5000, .grain = 1, .root = 2};
    struct request exchange = {.op = OP_ALLTOALL, .bytes = 5000, .grain = 1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_lt(time_of(names[i], req, PORT_MEDIA), time_of("ring", req, PORT_MEDIA));
        cr_expect_lt(time_of(names[i], tiny, PORT_MEDIA), INT64_MAX, "too little to cut");
    }
    cr_expect_lt(time_of("scatter+allgather:flat,gossip:3", bcast, PORT_MEDIA), INT64_MAX);
    cr_expect_lt(time_of("as_allgather:gossip:3", gather, PORT_MEDIA), INT64_MAX);
    cr_expect_lt(time_of("as_allgather:gossip:3", exchange, PORT_MEDIA), INT64_MAX);
}

/* A rounded sum keeps its first plan, so that has to be good before there is time for all composed
 * plans: four members share each core. */
Test(gossip, is_in_the_first_plan_of_a_sum)
{
    struct request req = {
        .op = OP_ALLREDUCE, .ranks = HOSTS, .bytes = BYTES, .grain = 8, .steady = true};
    struct model model;
    hn_net *net = make_net();
    struct choice choice;
    struct plan *plan;
    struct shortlist shortlist;
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    model.ranks_per_core = 4;
    cr_assert_eq(planner_best_quick(&req, &model, 2, &choice, &plan, NULL, &shortlist), HN_OK);
    cr_expect_str_eq(choice.planner->name, "reduce_scatter+allgather");
    cr_expect_str_eq(choice.stage[1].planner->name, "gossip");
    cr_expect_not(shortlist.complete, "not all was tried");
    plan_free(plan);
    hn_net_free(net);
}

/* ---- far away ----------------------------------------------------------------------------------
 */

/* A wire between sites carries the next part while the one before is still under way, and hosts
 * serve their neighbours meanwhile: as good as straight messages between sites and rings inside,
 * but for a twentieth. */
Test(gossip, far_wires_do_not_wait_for_what_is_near)
{
    static const char text[] =
        "h[1-9] send_us=20 recv_us=20 send_gap_ns_per_byte=80 recv_gap_ns_per_byte=80\n"
        "@subnet a medium=switch latency_us=20 ns_per_byte=80 hosts=h[1-3]\n"
        "@subnet b medium=switch latency_us=20 ns_per_byte=80 hosts=h[4-6]\n"
        "@subnet c medium=switch latency_us=20 ns_per_byte=80 hosts=h[7-9]\n"
        "@link a b latency_us=12000 ns_per_byte=800 wire_ns_per_byte=800\n"
        "@link a c latency_us=5000 ns_per_byte=800 wire_ns_per_byte=800\n"
        "@link b c latency_us=5000 ns_per_byte=800 wire_ns_per_byte=800\n";
    struct model model;
    hn_net *net;
    cr_assert_eq(hn_net_parse("far", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, 9, PORT_MEDIA);
    for (int64_t bytes = 1000; bytes <= 64000; bytes *= 4) {
        struct request req = {.op = OP_ALLGATHER, .ranks = 9, .bytes = bytes, .grain = 1};
        cr_expect_leq(makespan_by("gossip", &req, &model),
                      makespan_by("levels_direct", &req, &model) / 20 * 21);
    }
    hn_net_free(net);
}

enum { TIMES = 300, TAKEN = 40, LONGEST = 9, ROUNDS = 50 };

/* Slots of time that are looked at one by one. */
static int free_from(const bool *taken, int at, int length)
{
    for (int i = 0; i < length; i++)
        if (taken[at + i])
            return free_from(taken, at + i + 1, length);
    return at;
}

Test(gossip, gaps_are_found_and_filled)
{
    uint64_t state = random_seed();
    for (int round = 0; round < ROUNDS; round++) {
        bool taken[3 * TIMES] = {false};
        struct busy busy = {0};
        int last = 0;
        for (int i = 0; i < TAKEN; i++) {
            int at = (int)random_below(&state, TIMES), length = (int)random_below(&state, LONGEST);
            int begin = free_from(taken, at, length);
            cr_assert_eq(busy_until(&busy, at, length), begin);
            cr_assert(busy_add(&busy, begin, length));
            memset(&taken[begin], true, (size_t)length);
            last = length > 0 && begin + length > last ? begin + length : last;
            cr_assert_eq(busy_last(&busy), last);
        }
        busy_end(&busy);
    }
}
