/* test_heap.c - heaps: what comes out first, whatever went in. */
#include "model/heap.h"
#include "random.h"

#include <criterion/criterion.h>

enum { MOST = 200 };

struct thing {
    int key, number;
};

/* `up`: the least key first. Among equals the least number, so that the order is complete. */
static bool first(bool up, struct thing a, struct thing b)
{
    if (a.key != b.key)
        return up ? a.key < b.key : a.key > b.key;
    return a.number < b.number;
}

HEAP(things, struct thing, bool, first);

/* Takes the first one out of a list in no order. */
static struct thing take_from_list(bool up, struct thing *list, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (first(up, list[i], list[best]))
            best = i;
    struct thing found = list[best];
    list[best] = list[count - 1];
    return found;
}

Test(heap, gives_the_first_of_what_is_in_it)
{
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < 50; run++) {
        struct thing heap[MOST], list[MOST];
        bool up = run % 2;
        int count = 0, keys = run % 3 ? 1000 : 5;
        for (int i = 0; i < 1000; i++) {
            if (count < MOST && (count == 0 || random_below(&state, 5) < (i < 500 ? 4 : 1))) {
                struct thing t = {(int)random_below(&state, keys), i};
                list[count] = t;
                things_add(up, heap, (size_t)count++, t);
                continue;
            }
            struct thing expected = take_from_list(up, list, count);
            struct thing got = things_take(up, heap, (size_t)count--);
            cr_assert_eq(got.number, expected.number, "HNOW_SEED=%llu", (unsigned long long)seed);
        }
    }
}

Test(heap, is_made_of_any_array)
{
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < 50; run++) {
        struct thing heap[MOST], list[MOST];
        int count = 1 + (int)random_below(&state, MOST);
        for (int i = 0; i < count; i++)
            heap[i] = list[i] = (struct thing){(int)random_below(&state, 50), i};
        for (int i = count / 2; i >= 0; i--)
            things_sink(true, heap, (size_t)count, (size_t)i, heap[i]);
        while (count > 0) {
            struct thing expected = take_from_list(true, list, count);
            cr_assert_eq(things_take(true, heap, (size_t)count--).number, expected.number,
                         "HNOW_SEED=%llu", (unsigned long long)seed);
        }
    }
}
