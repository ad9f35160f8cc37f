/* test_shares.c - blocks that go by relays, of which quick hosts have more than slow ones. */
#include "select/auto.h"
#include "model/bounds/bound.h"
#include "makespan.h"

#include <string.h>

enum { BYTES = 1000000, QUICK = 3, SLOW = 3, HOSTS = QUICK + SLOW };

/* Slow hosts send at 80 Mb/s and hear at 160, quick ones do both at 160. */
static const char unequal[] =
    "h[1-3] send_us=10 recv_us=10 send_gap_ns_per_byte=50 recv_gap_ns_per_byte=50\n"
    "h[4-6] send_us=10 recv_us=10 send_gap_ns_per_byte=100 recv_gap_ns_per_byte=50\n"
    "@subnet a medium=switch latency_us=10 ns_per_byte=50 hosts=h[1-6]\n";

static hn_net *open_net(struct model *model, int ranks)
{
    hn_net *net;
    cr_assert_eq(hn_net_parse("unequal", unequal, strlen(unequal), &net), HN_OK, "%s",
                 hn_error_text());
    model_of_net(model, net, NULL, ranks, PORT_MEDIA);
    return net;
}

static hn_time time_of(const char *name, const struct request *req)
{
    struct model model;
    hn_net *net = open_net(&model, req->ranks);
    hn_time time = makespan_by(name, req, &model);
    hn_net_free(net);
    return time;
}

/* How many blocks a host passes on to more than one other. */
static int shares_of(const struct plan *plan, int rank)
{
    int sends = 0;
    for (int i = plan->first[rank]; i < plan->first[rank + 1]; i++)
        sends += plan->steps[i].kind == PLAN_SEND;
    return sends / (plan->ranks - 2);
}

Test(shares, slow_ports_have_fewer_blocks)
{
    struct request req = {.op = OP_BCAST, .ranks = HOSTS, .root = 4, .bytes = BYTES, .grain = 1};
    struct choice choice;
    struct model model;
    struct plan *plan;
    hn_net *net = open_net(&model, HOSTS);
    cr_assert_eq(choice_parse("shares/10000", &choice), HN_OK);
    cr_assert_eq(choice_plan(&choice, &req, &model, &plan), HN_OK);
    for (int rank = 1; rank < QUICK; rank++)
        cr_expect(abs(shares_of(plan, rank) - shares_of(plan, 0)) <= 1);
    cr_expect_geq(shares_of(plan, 0), 2 * shares_of(plan, QUICK) - 2);
    cr_expect_geq(shares_of(plan, 0), 20);
    plan_free(plan);
    hn_net_free(net);
}

/* Of a sum, what slow hosts combine for others makes them late. */
Test(shares, sums_are_near_what_unequal_ports_allow)
{
    struct request req = {.op = OP_ALLREDUCE, .ranks = HOSTS, .bytes = BYTES, .grain = 1};
    struct model model;
    hn_net *net = open_net(&model, HOSTS);
    hn_time bound = lower_bound(&req, &model, true);
    cr_expect_leq(time_of("shares/4000", &req), bound * 13 / 10);
    cr_expect_geq(time_of("relays/4000", &req), bound * 3 / 2);
    cr_expect_geq(time_of("ring", &req), bound * 14 / 10);
    hn_net_free(net);
}

/* makespan_by() checks the plans: any root, any number of ranks, and the order of ranks. */
Test(shares, every_plan_is_right)
{
    static const enum operation ops[] = {OP_BCAST, OP_REDUCE, OP_ALLREDUCE};
    static const char *names[] = {"shares", "shares/1", "shares/300", "shares/5000"};
    for (int ranks = 1; ranks <= HOSTS; ranks++)
        for (int i = 0; i < 3 * 4 * 2 * 3; i++) {
            struct request req = {.op = ops[i % 3],
                                  .ranks = ranks,
                                  .root = ops[i % 3] == OP_ALLREDUCE ? 0 : i / 24 % ranks,
                                  .bytes = i % 5 * 307,
                                  .grain = 1,
                                  .ordered = i / 12 % 2};
            time_of(names[i / 3 % 4], &req);
        }
}

/* There is little time before a first call, and whole messages and pipelines are far from it. */
Test(shares, come_early_on_unequal_switches)
{
    struct request req = {.op = OP_ALLREDUCE, .ranks = HOSTS, .bytes = BYTES, .grain = 1};
    struct model model;
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    hn_net *net = open_net(&model, HOSTS);
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, &timing, NULL), HN_OK);
    cr_expect_str_eq(choice.planner->name, "shares");
    cr_expect_lt(timing.makespan, makespan_by("ring", &req, &model) * 19 / 20);
    timing_free(&timing);
    plan_free(plan);
    hn_net_free(net);
}
