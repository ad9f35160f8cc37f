/* order.c - seeded permutations (order.h). */
#include "order.h"

#include "apps/splitmix.h"

/* Uniform random numbers below n, without the bias of %. */
static uint64_t below(uint64_t n, uint64_t *state)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, r;

    do
        r = splitmix_next(state);
    while (r >= limit);
    return r % n;
}

void order_shuffle(size_t *order, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)below(i + 1, state);
        order[i] = order[k];
        order[k] = i;
    }
}
