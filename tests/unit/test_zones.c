/* test_zones.c - what is looked up by subnets is what every pair by itself costs. */
#include "model/bounds/bound.h"
#include "model/matrix.h"
#include "random_net.h"

#include "hnow.h"

#include <criterion/criterion.h>

static const hn_time us = 1000000; /* picoseconds */

static void compare_pairs(uint64_t seed)
{
    uint64_t state = seed;
    hn_net *net = random_net(&state);
    struct model model;
    int n = hn_net_size(net);
    int64_t bytes = random_below(&state, 3000);
    model_of_net(&model, net, NULL, n, PORT_NONBLOCKING);
    struct matrix *matrix = matrix_new(&model, bytes);
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++)
            cr_assert_eq(matrix->deliver[from * n + to],
                         from == to ? 0 : model_deliver(&model, from, to, bytes),
                         "seed %llu: %d to %d", (unsigned long long)seed, from, to);
    matrix_free(matrix);
    hn_net_free(net);
}

Test(zones, matrices_hold_the_costs_of_pairs)
{
    for (uint64_t seed = 1; seed <= 300; seed++)
        compare_pairs(seed);
}

/* Whoever of a subnet gathers: only the one that has to be woken is later. */
Test(zones, waking_counts_where_it_happens)
{
    hn_net *net = hn_net_new(3);
    struct model model;
    for (int host = 0; host < 3; host++)
        hn_net_set_host(net, host, &(hn_host_cost){.send_const = us, .wake = host == 1 ? us : 0});
    for (int root = 0; root < 3; root++) {
        struct request req = {.op = OP_GATHER, .ranks = 3, .root = root, .bytes = 0, .grain = 1};
        model_of_net(&model, net, NULL, 3, PORT_NONBLOCKING);
        cr_expect_eq(lower_bound(&req, &model, false), root == 1 ? 2 * us : us, "root %d", root);
    }
    hn_net_free(net);
}
