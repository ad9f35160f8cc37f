/* order.c - seeded permutations, and rounds of cases (order.h). */
#include "order.h"

#include "apps/splitmix.h"
#include "fail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Uniform random numbers below n, without the bias of %. */
static uint64_t below(uint64_t n, uint64_t *state)
{
    /* The largest multiple of n: numbers from there on would favour small results. */
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, r;

    do
        r = splitmix_next(state);
    /* One turn nearly always: n is tiny compared to 2^64. */
    while (r >= limit);
    return r % n;
}

/* The inside-out form: no initialisation of the list is needed. */
void order_shuffle(size_t *order, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)below(i + 1, state);
        order[i] = order[k];
        order[k] = i;
    }
}

/* Memory for the order is allocated before the round, and nothing during it. */
bool order_round(int64_t round, int64_t rounds, size_t n, uint64_t *state,
                 bool (*take)(void *data, size_t which), void *data)
{
    size_t *order = calloc(n, sizeof *order);
    bool good = order || fail("memory", "no room for the order of cases");

    /* A log needs no progress. */
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "hbench: round %" PRId64 " of %" PRId64 ": %zu cases\n", round + 1, rounds,
                n);
    if (good)
        order_shuffle(order, n, state);
    for (size_t i = 0; good && i < n; i++)
        good = take(data, order[i]);
    free(order);
    return good;
}
