/* test_stage_plan.c - which plan hn_stage_file() takes for a file, in blocks of which size, and
 * after how many it has looked at. */
#include "net_text.h"
#include "select/auto.h"
#include "wire/stage_plan.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <limits.h>

static size_t plan_on(const char *text, int ranks, int64_t bytes, char name[PLAN_NAME_ROOM])
{
    struct request req = {.op = OP_BCAST, .ranks = ranks, .bytes = bytes, .grain = 1};
    hn_net *net = net_of(text);
    struct model model;
    model_of_net(&model, net, NULL, ranks, PORT_MEDIA);
    size_t block = stage_plan(&req, &model, name);
    hn_net_free(net);
    return block;
}

/* Four hosts of 100 Mb/s, as measured. A chain is within 2 % of the bound, and a little slower than
 * multicasts of segments: these are tried all the same. */
Test(stage_plan, on_one_switch_segments_are_multicast)
{
    static const char text[] =
        "@network version=5\nh[1-4] send_us=14.2 send_ns_per_byte=0.5 send_gap_us=6.5 "
        "send_gap_ns_per_byte=85.8 recv_gap_ns_per_byte=85.3 wake_us=84\n@subnet s hosts=h[1-4] "
        "medium=switch multicast=yes latency_us=0.1 ns_per_byte=86.5 first_bytes=1448 "
        "first_ns_per_byte=181\n@machine m message_us=20 queued_us=13 cores=2 hosts=h[1-4]\n";
    char name[PLAN_NAME_ROOM];
    cr_expect_eq(plan_on(text, 4, 64 << 20, name), (size_t)STAGE_BLOCK);
    cr_expect_eq(strncmp(name, "cast/", 5), 0, "%s", name);
}

/* Packing cuts each block anew: its blocks are long. */
Test(stage_plan, packing_gets_long_blocks)
{
    static const char text[] =
        "@network version=5\nh[1-6] send_us=10 recv_us=10 send_gap_ns_per_byte=8 "
        "recv_gap_ns_per_byte=8\n@subnet a hosts=h[1-3] medium=switch latency_us=20 "
        "ns_per_byte=8\n@subnet b hosts=h[4-6] medium=switch latency_us=20 ns_per_byte=8\n"
        "@link a b latency_us=1000 ns_per_byte=20 wire_ns_per_byte=10\n";
    char name[PLAN_NAME_ROOM];
    cr_expect_eq(plan_on(text, 6, 256 << 20, name), (size_t)STAGE_BLOCK_LONG, "%s", name);
    cr_expect_eq(strncmp(name, "packing", 7), 0, "%s", name);
}

/* A chain is within 2.5 % of the bound: an operation that waits looks no further. In a shorter
 * message it is not. */
Test(stage_plan, a_plan_near_the_bound_ends_the_look)
{
    static const struct {
        int64_t bytes;
        int least, most; /* plans made */
    } looks[] = {{4 << 20, 20, INT_MAX}, {64 << 20, 1, 5}};
    hn_net *net = net_of(
        "@network version=5\nh[1-4] send_us=14 send_gap_ns_per_byte=86 recv_gap_ns_per_byte=85\n"
        "@subnet s hosts=h[1-4] medium=switch latency_us=1 ns_per_byte=86\n");
    struct model model;
    model_of_net(&model, net, NULL, 4, PORT_MEDIA);
    for (int i = 0; i < 2; i++) {
        struct request req = {.op = OP_BCAST, .ranks = 4, .bytes = looks[i].bytes, .grain = 1};
        struct choice choice;
        struct plan *plan;
        struct shortlist found;
        cr_assert_eq(planner_best_quick(&req, &model, CALLS_ALL, &choice, &plan, NULL, &found),
                     HN_OK);
        cr_expect_geq(found.plans, looks[i].least);
        cr_expect_leq(found.plans, looks[i].most);
        plan_free(plan);
    }
    hn_net_free(net);
}
