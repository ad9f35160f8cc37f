/* test_starts.c - the lower bound knows that every message has a start: against exact optima, and
 * against plans in pieces. */
#include "model/bounds/bound.h"
#include "makespan.h"
#include "planners/planner.h"
#include "random_net.h"
#include "model/simulate.h"
#include "model/table.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { RANKS_MOST = 7, ROUNDS = 150 };

/* Constants and bytes that take about as long, or one of them much longer. */
static struct table *draw_table(int n, uint64_t *state)
{
    struct table *t = table_new(n);
    int64_t constant = (int64_t)1 << random_below(state, 40),
            byte = (int64_t)1 << random_below(state, 24);
    for (int kind = 0; kind < 3; kind++) /* send, travel, receive */
        for (int i = 0; i < n * n; i++) {
            t->constant[kind][i] = random_below(state, constant);
            t->per_byte[kind][i] = random_below(state, byte);
        }
    return t;
}

Test(starts, bound_is_no_more_than_the_optimum)
{
    static const enum operation ops[] = {OP_BCAST, OP_BCAST, OP_REDUCE};
    uint64_t seed = random_seed(), state = seed;
    for (int round = 0; round < random_rounds(ROUNDS); round++) {
        int n = 2 + (int)random_below(&state, RANKS_MOST - 1);
        struct table *t = draw_table(n, &state);
        struct model model;
        model_of_table(&model, t, round % 2 ? PORT_BLOCKING : PORT_NONBLOCKING);
        struct request req = {.op = ops[round % 3],
                              .ranks = n,
                              .root = (int)random_below(&state, n),
                              .bytes = 1 + random_below(&state, 100000),
                              .grain = 1};
        cr_assert_leq(lower_bound(&req, &model, false), makespan_by("exact", &req, &model),
                      "HNOW_SEED=%llu: round %d", (unsigned long long)seed, round);
        hn_time cut = lower_bound(&req, &model, true);
        static const char *const names[] = {"exact", "forest/4096", "chain/1024"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            cr_assert_leq(cut, makespan_by(names[i], &req, &model), "HNOW_SEED=%llu: round %d: %s",
                          (unsigned long long)seed, round, names[i]);
        table_free(t);
    }
}

/* A rank with dear starts, whom everybody needs: its port is busy with a start for each of them. */
Test(starts, count_at_every_port)
{
    enum { N = 6 };
    struct table *t = table_new(N);
    struct model model;
    for (int i = 0; i < N * N; i++) {
        t->constant[TABLE_SEND][i] = i / N == 0 || i % N == 0 ? 1000000 : 100000000000;
        t->per_byte[TABLE_SEND][i] = 1000;
    }
    model_of_table(&model, t, PORT_BLOCKING);
    struct request req = {.op = OP_BCAST, .ranks = N, .bytes = 8, .grain = 1};
    hn_time flat = makespan_by("flat", &req, &model);
    cr_assert_geq(flat, INT64_C(5000000));
    cr_assert_geq(lower_bound(&req, &model, true), flat * 9 / 10, "%lld, of %lld",
                  (long long)lower_bound(&req, &model, true), (long long)flat);
    table_free(t);
}

/* Nobody hears from all others in less than a broadcast backwards takes, and that is what a barrier
 * and the last rank of a scan wait for: of 8 ranks, with receives of 10 us and 60 us before them.
 */
Test(starts, count_where_all_is_collected)
{
    static const char text[] = "h[1-8] send_us=10 recv_us=10\n"
                               "@subnet a medium=switch latency_us=50 hosts=h[1-8]\n";
    static const struct {
        enum operation op;
        const char *plan;
    } cases[] = {{OP_BARRIER, "dissemination"},
                 {OP_REDUCE, "flat"},
                 {OP_SCAN, "scan_doubling"},
                 {OP_GATHER, "flat"},
                 {OP_ALLGATHER, "doubling"}};
    struct model model;
    hn_net *net;
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK);
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct request req = {.op = cases[i].op, .ranks = 8, .bytes = 8, .grain = 1};
        hn_time bound = lower_bound(&req, &model, true);
        cr_expect_geq(bound, INT64_C(130000000), "%s", operation_name(req.op));
        cr_expect_leq(bound, makespan_by(cases[i].plan, &req, &model), "%s",
                      operation_name(req.op));
    }
    hn_net_free(net);
}

/* On a bus every message takes its headers' time of the wire, however short it is. */
Test(starts, count_on_a_bus)
{
    static const char text[] = "h[1-8]\n@subnet a medium=bus latency_us=120 ns_per_byte=800 "
                               "message_us=100 hosts=h[1-8]\n";
    struct model model;
    hn_net *net;
    cr_assert_eq(hn_net_parse("bus", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, hn_net_size(net), PORT_MEDIA);
    struct request req = {.op = OP_BCAST, .ranks = hn_net_size(net), .bytes = 8, .grain = 1};
    hn_time flat = makespan_by("flat", &req, &model), bound = lower_bound(&req, &model, true);
    cr_assert_geq(bound, INT64_C(700000000), "seven messages of 100 us: %lld", (long long)bound);
    cr_assert_leq(bound, flat);
    hn_net_free(net);
}
