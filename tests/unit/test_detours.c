/* test_detours.c - total exchanges over sites whose links differ: messages go round by a third site
 * where that is sooner. */
#include "select/auto.h"
#include "makespan.h"
#include "model/bounds/bound.h"
#include "random.h"

#include <string.h>

enum { HOSTS = 6, ROUNDS = 40 };

/* Three sites of two hosts; between the first two a link that is far and slow. */
static hn_net *make_net(void)
{
    static const char text[] =
        "h[1-6] send_us=20 recv_us=20 send_gap_ns_per_byte=80 recv_gap_ns_per_byte=80\n"
        "@subnet a medium=switch latency_us=20 ns_per_byte=80 hosts=h[1-2]\n"
        "@subnet b medium=switch latency_us=20 ns_per_byte=80 hosts=h[3-4]\n"
        "@subnet c medium=switch latency_us=20 ns_per_byte=80 hosts=h[5-6]\n"
        "@link a b latency_us=90000 ns_per_byte=32000 wire_ns_per_byte=32000\n"
        "@link a c latency_us=30000 ns_per_byte=8000 wire_ns_per_byte=8000\n"
        "@link b c latency_us=20000 ns_per_byte=8000 wire_ns_per_byte=8000\n";
    hn_net *net;
    cr_assert_eq(hn_net_parse("sites", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

static hn_time time_of(const char *name, struct request req, enum port port)
{
    return makespan_on(make_net(), name, req, port); /* checks the plan, too */
}

/* Straight, the link between a and b carries four messages: 90 + 4 * 32 ms. By c all are there
 * after 30 + 8 * 8 + 20 + 8; when one of the four goes straight, too, sooner. */
Test(detours, a_slow_link_is_relieved)
{
    struct request req = {.op = OP_ALLTOALL, .bytes = 1000, .grain = 1};
    cr_expect_geq(time_of("direct", req, PORT_MEDIA), INT64_C(218000000000));
    cr_expect_leq(time_of("detours", req, PORT_MEDIA), INT64_C(135000000000));
    req.bytes = 0;
    cr_expect_geq(time_of("direct", req, PORT_MEDIA), INT64_C(90000000000));
    cr_expect_leq(time_of("detours", req, PORT_MEDIA), INT64_C(51000000000));
}

/* Long parts go in pieces, so that all three links have the same to do. */
Test(detours, long_parts_are_near_the_bound)
{
    struct request req = {.op = OP_ALLTOALL, .bytes = 1000000, .grain = 1, .ranks = HOSTS};
    hn_net *net = make_net();
    struct model model;
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    hn_time bound = lower_bound(&req, &model, true);
    cr_expect_leq(makespan_by("detours", &req, &model), bound + bound / 20);
    hn_net_free(net);
}

/* Pieces of a part for one rank are not those of an allgather's part. */
Test(detours, in_pieces_are_no_allgather)
{
    struct request req = {.op = OP_ALLGATHER, .bytes = 1000000, .grain = 1};
    cr_expect_eq(time_of("as_alltoall:detours", req, PORT_MEDIA), INT64_MAX);
    req.bytes = 1000;
    cr_expect_lt(time_of("as_alltoall:detours", req, PORT_MEDIA), INT64_MAX);
}

/* Of parts that differ, short ones go straight beside long ones in pieces. */
Test(detours, pieces_are_right_in_every_model)
{
    static const enum port ports[] = {PORT_MEDIA, PORT_BLOCKING, PORT_NONBLOCKING};
    uint64_t state = random_seed();
    for (int round = 0; round < ROUNDS; round++) {
        int64_t sizes[HOSTS * HOSTS];
        for (int i = 0; i < HOSTS * HOSTS; i++)
            sizes[i] = random_below(&state, 3) ? random_below(&state, 2000000) / 8 * 8 : 0;
        struct request req = {.op = OP_ALLTOALL, .sizes = sizes, .grain = 8};
        cr_expect_lt(time_of("detours", req, ports[round % 3]), INT64_MAX);
    }
}

Test(detours, plans_are_right_in_every_model)
{
    static const enum port ports[] = {PORT_MEDIA, PORT_BLOCKING, PORT_NONBLOCKING};
    uint64_t state = random_seed();
    for (int round = 0; round < ROUNDS; round++) {
        int64_t sizes[HOSTS * HOSTS];
        for (int i = 0; i < HOSTS * HOSTS; i++)
            sizes[i] = random_below(&state, 3) ? random_below(&state, 20000) : 0;
        struct request req = {.op = OP_ALLTOALL, .sizes = sizes, .grain = 1};
        cr_expect_lt(time_of("detours", req, ports[round % 3]), INT64_MAX);
    }
}

/* All that matters is known at once: a program's first exchange takes it. */
Test(detours, are_the_first_plan)
{
    struct request req = {.op = OP_ALLTOALL, .ranks = HOSTS, .bytes = 1000, .grain = 1};
    struct model model;
    hn_net *net = make_net();
    struct choice choice;
    struct plan *plan;
    struct shortlist shortlist;
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, NULL, &shortlist), HN_OK);
    cr_expect_str_eq(choice.planner->name, "detours");
    plan_free(plan);
    hn_net_free(net);
}

/* Five sites of two hosts, measured on a copy of GUSTO's links. Who chooses does not see in which
 * order a relay's messages come; of what is chosen, the round that is best in the model counts. */
Test(detours, are_judged_by_the_model)
{
    static const char text[] =
        "h[1-10] send_us=5 recv_us=6 send_ns_per_byte=1 recv_ns_per_byte=1 "
        "send_gap_ns_per_byte=86 recv_gap_ns_per_byte=86\n"
        "@subnet a medium=switch latency_us=21 ns_per_byte=86 hosts=h[1-2]\n"
        "@subnet b medium=switch latency_us=42 ns_per_byte=83 hosts=h[3-4]\n"
        "@subnet c medium=switch latency_us=54 ns_per_byte=85 hosts=h[5-6]\n"
        "@subnet d medium=switch latency_us=21 ns_per_byte=86 hosts=h[7-8]\n"
        "@subnet e medium=switch latency_us=41 ns_per_byte=84 hosts=h[9-10]\n"
        "@link a b latency_us=36578 ns_per_byte=16753 wire_ns_per_byte=16656\n"
        "@link a c latency_us=94827 ns_per_byte=34081 wire_ns_per_byte=34402\n"
        "@link a d latency_us=12689 ns_per_byte=4169 wire_ns_per_byte=4161\n"
        "@link a e latency_us=44648 ns_per_byte=21819 wire_ns_per_byte=22068\n"
        "@link b c latency_us=22641 ns_per_byte=17289 wire_ns_per_byte=16819\n"
        "@link b d latency_us=27852 ns_per_byte=12304 wire_ns_per_byte=12104\n"
        "@link b e latency_us=5150 ns_per_byte=3561 wire_ns_per_byte=3428\n"
        "@link c d latency_us=45486 ns_per_byte=27339 wire_ns_per_byte=26247\n"
        "@link c e latency_us=23506 ns_per_byte=18849 wire_ns_per_byte=17998\n"
        "@link d e latency_us=29108 ns_per_byte=2455 wire_ns_per_byte=1839\n";
    double sum = 0;
    int cases = 0;
    hn_net *net;
    struct model model;
    cr_assert_eq(hn_net_parse("gusto", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, 10, PORT_MEDIA);
    for (int64_t bytes = 512; bytes <= 4096; bytes += 256, cases++) {
        struct request req = {.op = OP_ALLTOALL, .ranks = 10, .bytes = bytes, .grain = 1};
        sum += (double)makespan_by("detours", &req, &model) /
               (double)makespan_by("direct", &req, &model);
    }
    cr_expect_leq(sum / cases, 0.68, "%g of a direct exchange", sum / cases);
    hn_net_free(net);
}

/* Where no way round is shorter, nobody goes round. */
Test(detours, are_straight_on_a_switch)
{
    static const char text[] =
        "h[1-6] send_us=20 recv_us=20\n"
        "@subnet a medium=switch latency_us=20 ns_per_byte=80 hosts=h[1-6]\n";
    struct request req = {.op = OP_ALLTOALL, .ranks = HOSTS, .bytes = 1000, .grain = 1};
    struct choice choice;
    struct model model;
    struct plan *plan;
    hn_net *net;
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    cr_assert_eq(choice_parse("detours", &choice), HN_OK);
    cr_assert_eq(choice_plan(&choice, &req, &model, &plan), HN_OK);
    cr_expect_eq(plan_message_count(plan), HOSTS * (HOSTS - 1));
    plan_free(plan);
    hn_net_free(net);
}
