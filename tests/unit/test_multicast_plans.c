/* test_multicast_plans.c - multicasts inside subnets: what they take in the model, by hand; every
 * planner that makes them, and plans made of such plans, on random networks with several ranks a
 * host; and that `auto` finds them, at a first call, too. */
#include "select/auto.h"
#include "plan/check.h"
#include "makespan.h"
#include "net_text.h"
#include "planners/planner.h"
#include "random_net.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ROUNDS = 400, AUTO_ROUNDS = 12, RANKS_MOST = 17 };

static const hn_time us = 1000000;

/* ---- by hand -----------------------------------------------------------------------------------
 */

static const char bus_of_four[] =
    "@network version=5\nh1 send_us=5 recv_us=7\nh2 send_us=5 recv_us=7\nh3 send_us=5 recv_us=7\n"
    "h4 send_us=5 recv_us=7\n@subnet b hosts=h[1-4] medium=bus multicast=yes latency_us=100 "
    "ns_per_byte=800 wire_ns_per_byte=800 message_us=60\n";

static struct request request_of(enum operation op, int64_t bytes)
{
    return (struct request){.op = op, .bytes = bytes, .grain = 1};
}

/* A message of 1000 bytes: S 5, X 100 + 800, of which the bus is busy for 840 (of 37 bytes that are
 * around packets, 25 are in the time of 1000), R 7. */
Test(casts, one_passes_a_bus_once)
{
    struct request bcast = request_of(OP_BCAST, 1000), halves = request_of(OP_BCAST, 2000);
    cr_expect_eq(makespan_on(net_of(bus_of_four), "cast", bcast, PORT_MEDIA), 912 * us);
    cr_expect_eq(makespan_on(net_of(bus_of_four), "flat", bcast, PORT_MEDIA),
                 (5 + 3 * 840 + 60 + 7) * us);
    cr_expect_eq(makespan_on(net_of(bus_of_four), "cast/1000", halves, PORT_MEDIA),
                 (5 + 2 * 840 + 60 + 7) * us, "segments follow each other");
    cr_expect_eq(makespan_on(net_of(bus_of_four), "cast", bcast, PORT_NONBLOCKING), 912 * us);
    cr_expect_eq(makespan_on(net_of(bus_of_four), "cast", bcast, PORT_BLOCKING), 912 * us);
    /* Four at once, which take turns at the bus, and three receives each. */
    struct request all = request_of(OP_ALLGATHER, 1000);
    cr_expect_eq(makespan_on(net_of(bus_of_four), "cast_allgather", all, PORT_MEDIA),
                 (5 + 4 * 840 + 60 + 3 * 7) * us);
}

/* S 5, X 20, R 5, and ports that take 8 us for 1000 bytes. */
static hn_net *switch_of_four(bool multicast)
{
    char text[600] = "@network version=5\n";
    for (int i = 1; i <= 4; i++)
        sprintf(text + strlen(text),
                "h%d send_us=5 recv_us=5 send_gap_ns_per_byte=8 recv_gap_ns_per_byte=8\n", i);
    sprintf(text + strlen(text),
            "@subnet s hosts=h[1-4] medium=switch multicast=%s latency_us=20 ns_per_byte=8\n",
            multicast ? "yes" : "no");
    return net_of(text);
}

Test(casts, a_switch_brings_it_to_all_ports)
{
    struct request bcast = request_of(OP_BCAST, 1000), gather = request_of(OP_ALLGATHER, 1000);
    cr_expect_eq(makespan_on(switch_of_four(true), "cast", bcast, PORT_MEDIA), 38 * us);
    cr_expect_eq(makespan_on(switch_of_four(true), "cast_allgather", gather, PORT_MEDIA),
                 (5 + 20 + 3 * 8 + 5) * us, "three pass each port one after the other");
    cr_expect_eq(
        makespan_on(switch_of_four(true), "cast_exchange", request_of(OP_BARRIER, 0), PORT_MEDIA),
        (5 + 20 + 3 * 5) * us);
    cr_expect_eq(makespan_on(switch_of_four(false), "cast", bcast, PORT_MEDIA), INT64_MAX,
                 "it is not for such networks");
}

static const char slow_senders[] =
    "@network version=5\nh[1-4] send_us=5 recv_us=5 send_gap_ns_per_byte=80 "
    "recv_gap_ns_per_byte=80\nh[5-8] send_us=5 recv_us=5 send_gap_ns_per_byte=200 "
    "recv_gap_ns_per_byte=80\n@subnet s hosts=h[1-8] medium=switch multicast=yes "
    "latency_us=20 ns_per_byte=80\n";

/* A sum whose root tells what is ready while the rest is on its way up: three streams pass the
 * ports of who has two children, which send slowly, so it is better than one after the other. */
Test(casts, what_is_told_shares_ports_with_what_is_summed)
{
    const char *text = slow_senders;
    const int64_t bytes = 256 << 10;
    struct request sum = request_of(OP_ALLREDUCE, bytes), up = request_of(OP_REDUCE, bytes),
                   down = request_of(OP_BCAST, bytes);
    sum.ranks = up.ranks = down.ranks = 8;
    hn_time both = makespan_on(net_of(text), "reduce+bcast:binary/4096,cast/4096", sum, PORT_MEDIA);
    hn_time apart = makespan_on(net_of(text), "binary/4096", up, PORT_MEDIA) +
                    makespan_on(net_of(text), "cast/4096", down, PORT_MEDIA);
    cr_expect_geq(both, 3 * bytes * 80000, "%lld", (long long)both);
    cr_expect_lt(both, apart - bytes * 80000 / 4, "%lld %lld", (long long)both, (long long)apart);
}

/* The slow ones send everything once, and all else goes on meanwhile, but for the last blocks; one
 * after the other, they would send for as long, and then hear what the others tell. */
Test(casts, shares_are_told_while_others_are_summed)
{
    const int64_t bytes = 256 << 10;
    struct request sum = request_of(OP_ALLREDUCE, bytes);
    sum.ranks = 8;
    hn_time shares = makespan_on(net_of(slow_senders), "cast_shares/8192", sum, PORT_MEDIA);
    cr_expect_geq(shares, bytes * 200000);
    cr_expect_lt(shares, bytes * 200000 * 11 / 10, "%lld", (long long)shares);
    cr_expect_lt(makespan_on(net_of(slow_senders), "cast_shares/8192", sum, PORT_BLOCKING),
                 INT64_MAX, "where sends wait it is another plan, which ends");
}

/* Two buses: three messages on each, one from the first to the second, one that tells it there; the
 * other way hands prefixes from rank to rank. */
Test(casts, runs_of_a_scan_tell_what_they_add_up_to_once)
{
    static const char text[] =
        "@network version=5\nh[1-8] send_us=5 recv_us=7\n@subnet a hosts=h[1-4] medium=bus "
        "multicast=yes latency_us=100 ns_per_byte=800 message_us=60\n@subnet b hosts=h[5-8] "
        "medium=bus multicast=yes latency_us=100 ns_per_byte=800 message_us=60\n"
        "@link a b latency_us=200 ns_per_byte=1600\n";
    struct request scan = request_of(OP_SCAN, 1000);
    scan.ranks = 8;
    hn_time runs = makespan_on(net_of(text), "scan_cast:2", scan, PORT_MEDIA);
    cr_expect_gt(runs, (3 * 860 + 1800 + 860) * us);
    cr_expect_lt(runs, (3 * 860 + 1800 + 860 + 150) * us, "%lld", (long long)runs);
    cr_expect_gt(makespan_on(net_of(text), "scan_doubling", scan, PORT_MEDIA), runs * 5 / 4);
    cr_expect_gt(makespan_on(net_of(text), "scan_cast", scan, PORT_MEDIA), runs * 5 / 4);
}

/* Who hears how many others before it tells its own part of an allgather. */
static void expect_turns(const char *text, int64_t bytes, const int turn[8])
{
    struct request req = request_of(OP_ALLGATHER, bytes);
    struct model model;
    struct choice choice;
    struct plan *plan;
    hn_net *net = net_of(text);
    req.ranks = 8;
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    cr_assert_eq(choice_parse("cast_allgather", &choice), HN_OK);
    cr_assert_eq(choice_plan(&choice, &req, &model, &plan), HN_OK);
    for (int r = 0; r < 8; r++) {
        int heard = 0;
        while (plan->steps[plan->first[r] + heard].kind != PLAN_SEND)
            heard++;
        cr_expect_eq(heard, turn[r], "rank %d hears %d", r, heard);
    }
    plan_free(plan);
    hn_net_free(net);
}

/* Not more at a time than ports of a switch have room for, those who send slowly first. */
Test(casts, long_parts_take_turns_at_a_switch)
{
    static const char ports[] =
        "@network version=5\nh[1-6] send_us=5 recv_us=5 send_gap_ns_per_byte=8 "
        "recv_gap_ns_per_byte=8\nh[7-8] send_us=5 recv_us=5 send_gap_ns_per_byte=16 "
        "recv_gap_ns_per_byte=8\n@subnet s hosts=h[1-8] medium=switch multicast=yes latency_us=20 "
        "ns_per_byte=8\n";
    static const char bus[] = "@network version=5\nh[1-8] send_us=5 recv_us=5\n"
                              "@subnet s hosts=h[1-8] medium=bus multicast=yes latency_us=20 "
                              "ns_per_byte=8 wire_ns_per_byte=8\n";
    static const char unknown[] =
        "@network version=5\nh[1-8] send_us=5 recv_us=5 send_gap_ns_per_byte=8\n@subnet s "
        "hosts=h[1-8] medium=switch multicast=yes latency_us=20 ns_per_byte=8\n";
    static const int at_once[8] = {0};
    expect_turns(unknown, 65536, (int[]){0, 0, 1, 2, 3, 4, 5, 6});
    expect_turns(ports, 1024, at_once);
    expect_turns(ports, 65536, (int[]){1, 2, 3, 4, 5, 6, 0, 0});
    expect_turns(bus, 65536, at_once);
}

/* A plan for a network that carries them, on one that does not: they are sent one by one. */
Test(casts, where_there_are_none_they_are_messages)
{
    struct request bcast = request_of(OP_BCAST, 1000);
    hn_net *with = switch_of_four(true), *without = switch_of_four(false);
    struct model model;
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    bcast.ranks = 4;
    model_of_net(&model, with, NULL, 4, PORT_NONBLOCKING);
    cr_assert_eq(choice_parse("cast", &choice), HN_OK);
    cr_assert_eq(choice_plan(&choice, &bcast, &model, &plan), HN_OK);
    model_of_net(&model, without, NULL, 4, PORT_NONBLOCKING);
    cr_assert_eq(plan_simulate(plan, &model, &timing), HN_OK);
    cr_expect_eq(timing.makespan, (3 * 5 + 28 + 5) * us);
    timing_free(&timing);
    plan_free(plan);
    hn_net_free(with);
    hn_net_free(without);
}

/* ---- random networks ---------------------------------------------------------------------------
 */

struct contention {
    uint64_t seed;
    hn_net *net;
    struct request req;
    struct model model;
    int host[RANKS_MOST];
    int64_t sizes[RANKS_MOST * RANKS_MOST];
};

static void draw(struct contention *t, uint64_t seed)
{
    uint64_t state = seed;
    *t = (struct contention){.seed = seed, .net = random_net(&state)};
    random_casts(t->net, &state);
    int n = 1 + (int)random_below(&state, RANKS_MOST);
    t->req = (struct request){.op = (enum operation)random_below(&state, OP_MULTIMULTICAST),
                              .ranks = n,
                              .bytes = random_below(&state, 4) * random_below(&state, 5000),
                              .grain = 1,
                              .ordered = random_below(&state, 4) == 0};
    if (operation_rooted(t->req.op))
        t->req.root = (int)random_below(&state, n);
    for (int i = 0; i < request_parts(&t->req); i++)
        t->sizes[i] = random_below(&state, 300);
    if (random_below(&state, 2))
        t->req.sizes = t->sizes;
    random_group(t->net, &state, t->host, n);
    model_of_net(&t->model, t->net, t->host, n, PORT_MEDIA);
}

/* It ends in all port models, or in those whose sends do not wait, and what is sure to come is
 * never more than what comes. */
static void play(struct contention *t, const struct plan *plan, const char *name, bool eager)
{
    struct timing timing;
    hn_time makespan = 0;
    for (int port = PORT_NONBLOCKING; port <= PORT_MEDIA; port++) {
        if (port == PORT_BLOCKING && eager)
            continue;
        t->model.port = (enum port)port;
        cr_assert_eq(plan_simulate(plan, &t->model, &timing), HN_OK, "seed %llu: %s does not end",
                     (unsigned long long)t->seed, name);
        makespan = timing.makespan;
        timing_free(&timing);
    }
    cr_assert_eq(plan_simulate_within(plan, &t->model, makespan, NULL, &timing), HN_OK);
    cr_assert_eq(timing.makespan, makespan, "seed %llu: %s is late by its own time",
                 (unsigned long long)t->seed, name);
    timing_free(&timing);
}

/* In which there are ranks. */
static int subnets_of(const struct contention *t)
{
    int count = 0;
    for (int subnet = 0; subnet < hn_net_subnet_count(t->net); subnet++) {
        int rank = 0;
        while (rank < t->model.ranks && model_subnet(&t->model, rank) != subnet)
            rank++;
        count += rank < t->model.ranks;
    }
    return count;
}

static void try_choice(struct contention *t, const struct choice *choice)
{
    char name[CHOICE_TEXT_ROOM];
    struct plan *plan;
    struct check_fault fault;
    int error = choice_plan(choice, &t->req, &t->model, &plan);
    choice_text(choice, name, sizeof name);
    bool lacks_relay =
        strcmp(choice->planner->name, "cast_relay") == 0 && choice->arity >= subnets_of(t);
    if (error == HN_EPLAN && (t->req.ordered || !model_multicasts_any(&t->model) || lacks_relay))
        return;
    cr_assert_eq(error, HN_OK, "seed %llu: %s fails: %d", (unsigned long long)t->seed, name, error);
    cr_assert_eq(plan_check(plan, &t->req, &fault), HN_OK, "seed %llu: %s: rank %d step %d: %s",
                 (unsigned long long)t->seed, name, fault.rank, fault.step, fault.text);
    play(t, plan, name, choice->planner->eager);
    plan_free(plan);
}

static const char *const composed[] = {"reduce+bcast:binomial,cast",
                                       "reduce+bcast:chain/512,cast/512",
                                       "reduce+bcast:inorder/100,cast:2/300",
                                       "reduce_scatter+allgather:halving,cast_allgather",
                                       "reduce_scatter+allgather:ring,cast_allgather",
                                       "scatter+allgather:flat,cast_allgather",
                                       "gather+bcast:binomial,cast",
                                       "gather+bcast:flat,cast/256",
                                       "as_allreduce:cast_exchange",
                                       "as_allreduce:cast_exchange:2",
                                       "as_allreduce:cast/700",
                                       "as_allgather:cast_allgather",
                                       "as_bcast:cast:2/256"};

Test(casts, all_plans_pass_the_checker)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(ROUNDS); round++) {
        static struct contention t;
        draw(&t, (uint64_t)random_below(&state, INT64_MAX));
        for (int i = 0; i < planner_count; i++)
            for (int arity = planners[i].arity; arity <= planners[i].arity_most; arity++)
                for (int cut = 0; cut <= planners[i].segments; cut++)
                    if (planners[i].multicasts && planner_serves(&planners[i], &t.req))
                        try_choice(&t, &(struct choice){&planners[i], arity, cut * 700});
        for (size_t i = 0; i < sizeof composed / sizeof *composed; i++) {
            struct choice choice;
            cr_assert_eq(choice_parse(composed[i], &choice), HN_OK, "%s", composed[i]);
            if (planner_serves(choice.planner, &t.req))
                try_choice(&t, &choice);
        }
        hn_net_free(t.net);
    }
}

/* Here a message leaves over the way of a multicast that comes later, which must not wait for it.
 */
Test(casts, a_multicast_does_not_wait_for_what_has_left)
{
    static struct contention t;
    struct choice choice;
    draw(&t, UINT64_C(476568079312630323));
    cr_assert_eq(choice_parse("reduce+bcast:inorder/100,cast:2/300", &choice), HN_OK);
    cr_assert(planner_serves(choice.planner, &t.req));
    try_choice(&t, &choice);
    hn_net_free(t.net);
}

/* The best plan, which passes the checker. */
static hn_time best_of(const struct contention *t, const struct model *model)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    struct check_fault fault;
    cr_assert_eq(planner_best(&t->req, model, NULL, &choice, &plan, &timing), HN_OK);
    cr_assert_eq(plan_check(plan, &t->req, &fault), HN_OK, "seed %llu: %s",
                 (unsigned long long)t->seed, fault.text);
    hn_time makespan = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

/* Of operations made of two others, halves that are better may make a little worse a whole. */
Test(casts, they_make_nothing_worse)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(AUTO_ROUNDS); round++) {
        static struct contention t;
        draw(&t, (uint64_t)random_below(&state, INT64_MAX));
        t.req.ordered = false;
        hn_time with = best_of(&t, &t.model);
        for (int s = 0; s < hn_net_subnet_count(t.net); s++)
            hn_net_set_multicast(t.net, s, 0);
        hn_time without = best_of(&t, &t.model);
        cr_assert_leq(with, without + without / 32, "seed %llu", (unsigned long long)t.seed);
        hn_net_free(t.net);
    }
}

/* ---- auto, and old plans -----------------------------------------------------------------------
 */

static hn_net *switch_of_eight(void)
{
    char text[1200] = "@network version=5\n";
    for (int i = 1; i <= 8; i++)
        sprintf(text + strlen(text), "h%d send_us=5 recv_us=5 recv_gap_ns_per_byte=8\n", i);
    strcat(text,
           "@subnet s hosts=h[1-8] medium=switch multicast=yes latency_us=20 ns_per_byte=8\n");
    return net_of(text);
}

static int joined_in(const struct plan *plan)
{
    int count = 0;
    for (int32_t i = 0; i < plan->first[plan->ranks]; i++)
        count += plan->steps[i].joined;
    return count;
}

/* What 8 ranks find at their first call. */
Test(casts, a_first_call_finds_them)
{
    static const struct {
        enum operation op;
        int64_t bytes;
    } calls[] = {{OP_BARRIER, 0},         {OP_BCAST, 8},     {OP_BCAST, 16000},
                 {OP_BCAST, 1000000},     {OP_ALLREDUCE, 8}, {OP_ALLGATHER, 1024},
                 {OP_ALLGATHER, 64 << 10}};
    hn_net *net = switch_of_eight();
    struct model model;
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct request req = request_of(calls[i].op, calls[i].bytes);
        struct choice choice;
        struct plan *plan;
        req.ranks = 8;
        cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, NULL, NULL), HN_OK);
        cr_expect_gt(joined_in(plan), 0, "%s of %lld bytes: %s", operation_name(req.op),
                     (long long)req.bytes, choice.planner->name);
        plan_free(plan);
    }
    hn_net_free(net);
}

/* Four quick and four slow hosts that share two cores, where receiving is dear: the root of a sum
 * does not receive from all others. */
Test(casts, a_first_sum_goes_up_a_tree)
{
    static const char text[] =
        "@network version=5\nh[1-4] send_us=40 recv_us=80\nh[5-8] send_us=70 recv_us=115\n"
        "@subnet s hosts=h[1-8] medium=switch multicast=yes latency_us=29 ns_per_byte=180\n"
        "@machine m cores=2 hosts=h[1-8]\n";
    struct request req = {.op = OP_ALLREDUCE, .bytes = 8, .grain = 8, .ranks = 8, .steady = true};
    hn_net *net = net_of(text);
    struct model model;
    struct choice choice;
    struct plan *plan;
    char name[CHOICE_TEXT_ROOM];
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, NULL, NULL), HN_OK);
    choice_text(&choice, name, sizeof name);
    cr_expect_str_eq(name, "reduce+bcast:kary:5,cast");
    plan_free(plan);
    hn_net_free(net);
}
