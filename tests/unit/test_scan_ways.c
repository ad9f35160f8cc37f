/* test_scan_ways.c - scans over far ways: prefixes meet where that is soonest. */
#include "makespan.h"
#include "random_net.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 13, ROUNDS = 5000 };

static const hn_time ms = 1000000000;

/* Three sites of 6, 4 and 3 hosts: from the first to the second it is 12 ms, by way of the third
 * 5 + 5. */
static hn_net *make_net(void)
{
    static const char text[] = "h[1-13] send_us=10 recv_us=5 send_gap_ns_per_byte=8 "
                               "recv_gap_ns_per_byte=8\n"
                               "@subnet a latency_us=10 ns_per_byte=8 site=x hosts=h[1-6]\n"
                               "@subnet b latency_us=10 ns_per_byte=8 site=y hosts=h[7-10]\n"
                               "@subnet c latency_us=10 ns_per_byte=8 site=z hosts=h[11-13]\n"
                               "@link x y latency_us=12000 ns_per_byte=80\n"
                               "@link x z latency_us=5000 ns_per_byte=80\n"
                               "@link y z latency_us=5000 ns_per_byte=80\n";
    hn_net *net;
    cr_assert_eq(hn_net_parse("sites", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

static hn_time time_of(const char *name, enum operation op, const int *host)
{
    struct model model;
    hn_net *net = make_net();
    model_of_net(&model, net, host, HOSTS, PORT_MEDIA);
    struct request req = {.op = op, .ranks = HOSTS, .bytes = 1000, .grain = 1, .ordered = true};
    hn_time time = makespan_by(name, &req, &model);
    hn_net_free(net);
    return time;
}

/* Ranks one site after the other, and dealt out in turn. */
Test(scan_ways, meet_in_the_middle)
{
    static const int dealt[HOSTS] = {0, 6, 10, 1, 7, 11, 2, 8, 12, 3, 9, 4, 5};
    for (int op = OP_SCAN; op <= OP_EXSCAN; op++) {
        cr_expect_leq(time_of("scan_ways", (enum operation)op, NULL), 11 * ms);
        cr_expect_leq(time_of("scan_ways", (enum operation)op, dealt), 11 * ms);
        cr_expect_leq(time_of("scan_ways:2", (enum operation)op, dealt), 11 * ms);
        cr_expect_leq(time_of("scan_ways:3", (enum operation)op, dealt), 13 * ms); /* straight */
        cr_expect_geq(time_of("scan_doubling", (enum operation)op, dealt), 20 * ms);
    }
}

/* Where all sites are equally far from each other, what all heads add themselves takes one way. */
Test(scan_ways, go_straight_where_nothing_lies_between)
{
    static const char text[] = "h[1-9] send_us=10 recv_us=5\n"
                               "@subnet a latency_us=10 ns_per_byte=8 site=x hosts=h[1-3]\n"
                               "@subnet b latency_us=10 ns_per_byte=8 site=y hosts=h[4-6]\n"
                               "@subnet c latency_us=10 ns_per_byte=8 site=z hosts=h[7-9]\n"
                               "@link x y latency_us=9000 ns_per_byte=80\n"
                               "@link x z latency_us=9000 ns_per_byte=80\n"
                               "@link y z latency_us=9000 ns_per_byte=80\n";
    hn_net *net;
    struct model model;
    cr_assert_eq(hn_net_parse("sites", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, 9, PORT_MEDIA);
    struct request req = {.op = OP_SCAN, .ranks = 9, .bytes = 100, .grain = 1, .ordered = true};
    cr_expect_leq(makespan_by("scan_ways:3", &req, &model), 10 * ms);
    cr_expect_leq(makespan_by("scan_ways:2", &req, &model), 10 * ms);
    cr_expect_geq(makespan_by("scan_doubling", &req, &model), 18 * ms);
    hn_net_free(net);
}

/* makespan_by() checks the plans: all that each rank gets, in the order of ranks; and they end,
 * also where a send waits for who receives it. */
Test(scan_ways, are_right_on_random_networks)
{
    static const char *const names[] = {"scan_ways",     "scan_ways:2",     "scan_ways:3",
                                        "scan_ways/256", "scan_ways:2/300", "scan_ways:3/256"};
    const char *wish = getenv("HNOW_SEED");
    uint64_t state = wish ? strtoull(wish, NULL, 10) : 1;
    for (int round = 0; round < ROUNDS; round++) {
        hn_net *net = random_net(&state);
        int n = 1 + (int)random_below(&state, 20), host[20];
        struct model model;
        random_group(net, &state, host, n);
        model_of_net(&model, net, host, n, (enum port)random_below(&state, 3));
        struct request req = {.op = random_below(&state, 2) ? OP_SCAN : OP_EXSCAN,
                              .ranks = n,
                              .bytes = random_below(&state, 1000),
                              .grain = 1,
                              .ordered = random_below(&state, 2)};
        makespan_by(names[random_below(&state, 6)], &req, &model);
        hn_net_free(net);
    }
}
