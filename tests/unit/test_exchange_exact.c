/* test_exchange_exact.c - the best total exchange really is the best: against all orders, and where
 * only an order that no heuristic finds, and that keeps ports waiting, is. */
#include "planners/exchange/total_exchange.h"
#include "apps/hplan/vectors/exchange_exact.h"
#include "random.h"

#include "hnow.h"

#include <criterion/criterion.h>

/* The best that can follow, whatever comes next; done: a bit for each event. */
static hn_time best_of_all(struct exchange *x, unsigned done)
{
    hn_time best = INT64_MAX;
    for (int event = 0; event < x->ranks * x->ranks; event++) {
        int from = event / x->ranks, to = event % x->ranks;
        if (from == to || done >> event & 1)
            continue;
        hn_time send = x->send[from], recv = x->recv[to], makespan = x->makespan;
        exchange_add(x, from, to);
        hn_time own = best_of_all(x, done | 1u << event);
        best = own < best ? own : best;
        x->count--;
        x->send[from] = send;
        x->recv[to] = recv;
        x->makespan = makespan;
    }
    return best < INT64_MAX ? best : x->makespan;
}

static hn_time exact_of(int n, const hn_time *cost)
{
    struct exchange x;
    cr_assert_eq(exchange_begin(&x, n, cost), HN_OK);
    cr_assert_eq(exchange_exact(&x), HN_OK);
    hn_time makespan = x.makespan;
    exchange_end(&x);
    return makespan;
}

Test(exchange_exact, is_the_best_of_all_orders)
{
    enum { N = 3 };
    uint64_t seed = random_seed(), state = seed;
    for (int round = 0; round < 200; round++) {
        hn_time cost[N * N] = {0};
        struct exchange x;
        for (int i = 0; i < N * N; i++)
            cost[i] = i % (N + 1) ? random_below(&state, 9) : 0;
        cr_assert_eq(exchange_begin(&x, N, cost), HN_OK);
        cr_assert_eq(exact_of(N, cost), best_of_all(&x, 0), "HNOW_SEED=%llu: round %d",
                     (unsigned long long)seed, round);
        exchange_end(&x);
    }
}

/* Which event comes next on a port depends on what waits at the ports at the other ends. */
Test(exchange_exact, looks_at_both_ports)
{
    static const hn_time first[] = {0, 19, 1, 28, 19, 0, 26, 11, 1, 26, 0, 4, 28, 11, 4, 0},
                         second[] = {0, 49, 29, 38, 49, 0, 6, 39, 29, 6, 0, 45, 38, 39, 45, 0};
    cr_expect_eq(exact_of(4, first), 56);
    cr_expect_eq(exact_of(4, second), 122);
}
