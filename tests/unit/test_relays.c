/* test_relays.c - blocks that go by relays: where a connection is slower than the ports of its
 * hosts, all of them are at work. */
#include "select/auto.h"
#include "model/bounds/bound.h"
#include "plan/check.h"
#include "model/bottleneck.h"
#include "makespan.h"
#include "planners/planner.h"
#include "model/simulate.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { HOSTS = 7, BYTES = 1000000 };

/* A switch without gaps: any two hosts have 100 Mb/s, whatever others do. */
static hn_net *make_net(void)
{
    static const char text[] = "h[1-7] send_us=1 recv_us=1\n@subnet a medium=switch "
                               "latency_us=10 ns_per_byte=80 hosts=h[1-7]\n";
    hn_net *net;
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

static hn_time time_of(const char *name, enum operation op, bool ordered)
{
    struct model model;
    hn_net *net = make_net();
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct request req = {.op = op,
                          .ranks = HOSTS,
                          .root = operation_rooted(op) ? 3 : 0,
                          .bytes = BYTES,
                          .grain = 1,
                          .ordered = ordered};
    hn_time time = makespan_by(name, &req, &model);
    hn_net_free(net);
    return time;
}

/* What all connections into a rank take for so many bytes, and a tenth for starts. */
static hn_time all_ways(int64_t bytes)
{
    hn_time least = bytes / (HOSTS - 1) * 80000;
    return least + least / 10;
}

Test(relays, all_connections_are_at_work)
{
    cr_expect_leq(time_of("relays/16384", OP_BCAST, false), all_ways(BYTES) * 12 / 10);
    cr_expect_leq(time_of("relays/16384", OP_REDUCE, false), all_ways(BYTES) * 12 / 10);
    cr_expect_leq(time_of("relays", OP_ALLGATHER, false), all_ways(BYTES * (HOSTS - 1)));
    cr_expect_leq(time_of("relays", OP_REDUCE_SCATTER, false), all_ways(BYTES * (HOSTS - 1)));
    cr_expect_leq(time_of("relays", OP_ALLREDUCE, false), 2 * all_ways(BYTES));
    cr_expect_leq(time_of("relays", OP_SCAN, true), 2 * all_ways(BYTES));
    cr_expect_leq(time_of("relays/16384", OP_EXSCAN, true), 2 * all_ways(BYTES) * 12 / 10);
    cr_expect_geq(time_of("chain/16384", OP_BCAST, false), 4 * all_ways(BYTES));
}

/* What is cut counts, not what the operation would have without sizes of its own: nothing is one
 * block. */
Test(relays, nothing_is_not_cut_into_pieces)
{
    static const int64_t sizes[HOSTS] = {0};
    struct model model;
    hn_net *net = make_net();
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct request req = {
        .op = OP_SCAN, .ranks = HOSTS, .bytes = BYTES, .grain = 1, .sizes = sizes};
    cr_expect_eq(makespan_by("relays", &req, &model), makespan_by("relays/1024", &req, &model));
    hn_net_free(net);
}

/* All connections into a rank carry nothing before a send has started, and what they carried last
 * must come and be received: of short data that is most. */
Test(relays, the_bound_knows_of_starts_and_latencies)
{
    enum { FEW = 600, ROUNDING = 10 };
    struct model model;
    hn_net *net = make_net();
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct request req = {.op = OP_BCAST, .ranks = HOSTS, .bytes = FEW, .grain = 1};
    hn_time bound = lower_bound(&req, &model, true);
    cr_expect_geq(bound + ROUNDING, (1 + 10 + 1) * INT64_C(1000000) + FEW / (HOSTS - 1) * 80000);
    cr_expect_leq(bound, makespan_by("relays", &req, &model));
    cr_expect_leq(bound, makespan_by("flat", &req, &model));
    hn_net_free(net);
}

/* makespan_by() checks the plans: also where the order of ranks counts, and the root is inside. */
Test(relays, keep_the_order_of_ranks)
{
    static const enum operation ops[] = {OP_REDUCE, OP_ALLREDUCE, OP_REDUCE_SCATTER, OP_SCAN,
                                         OP_EXSCAN};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        cr_expect_leq(time_of("relays", ops[i], true), 3 * time_of("relays", ops[i], false));
}

static hn_net *open_switch(const char *text, const struct request *req, struct model *model)
{
    hn_net *net;
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(model, net, NULL, req->ranks, PORT_MEDIA);
    return net;
}

static hn_time first_makespan(const struct request *req, const struct model *model)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    cr_assert_eq(planner_best_quick(req, model, 1, &choice, &plan, &timing, NULL), HN_OK);
    hn_time makespan = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

/* Where pieces are under way for longer than they keep anybody busy, a ring waits for each of them;
 * that is known before a first call has used up its time with other plans. */
Test(relays, first_plans_do_not_wait_for_every_piece)
{
    struct request req = {.op = OP_ALLREDUCE, .ranks = 23, .bytes = 65536, .grain = 1};
    struct model model;
    hn_net *net = open_switch("h[1-23] send_us=20 recv_us=20 send_gap_ns_per_byte=10 "
                              "recv_gap_ns_per_byte=10\n@subnet a medium=switch "
                              "latency_us=20 ns_per_byte=10 hosts=h[1-23]\n",
                              &req, &model);
    cr_expect(bottleneck_is_latency(&model, req.bytes / req.ranks));
    cr_expect_not(bottleneck_is_latency(&model, 100 * req.bytes)); /* a port is busy all the time */
    hn_time first = first_makespan(&req, &model);
    cr_expect_leq(first, makespan_by("relays", &req, &model));
    cr_expect_lt(first, makespan_by("ring", &req, &model) / 2);
    hn_net_free(net);
}

/* Nor has it used up its time before it looks at pieces, where starts are dear and ways are slow:
 * fewer pieces than hosts are better than one for each, or than whole messages. */
Test(relays, first_plans_have_few_pieces_where_starts_are_dear)
{
    struct request req = {.op = OP_ALLREDUCE, .ranks = 23, .bytes = 65536, .grain = 1};
    struct model model;
    hn_net *net = open_switch("h[1-23] send_us=80 recv_us=80\n@subnet a medium=switch "
                              "latency_us=20 ns_per_byte=80 hosts=h[1-23]\n",
                              &req, &model);
    cr_expect_leq(first_makespan(&req, &model), makespan_by("relays/8192", &req, &model));
    hn_net_free(net);
}
