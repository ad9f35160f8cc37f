/* order.c - seeded permutations (order.h). */
#include "order.h"

uint64_t order_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Numbers below n, without the slight preference of % for small ones. */
static uint64_t below(uint64_t n, uint64_t *state)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, r;

    do
        r = order_random(state);
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
