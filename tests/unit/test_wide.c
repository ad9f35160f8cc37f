/* test_wide.c - two halves of 64 bits calculate what __int128 does: random numbers of all lengths
 * and signs, and those at the ends. */
#define WIDE_HALVES
#include "net/wide.h"

#include "random.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#ifdef __SIZEOF_INT128__

enum { ROUNDS = 200000 };

typedef __int128 reference;

static reference back(wide a)
{
    return (reference)((unsigned __int128)a.high << 64 | a.low);
}

static wide halves(reference a)
{
    return (wide){(int64_t)(a >> 64), (uint64_t)a};
}

/* Of at most `bits` bits besides the sign, all lengths equally often; often near a power of 2. */
static reference draw(uint64_t *random, int bits)
{
    int length = (int)random_below(random, (uint64_t)bits + 1);
    unsigned __int128 drawn = 0;
    for (int i = 0; i < 4; i++)
        drawn = drawn << 32 | (uint32_t)random_below(random, (int64_t)1 << 32);
    reference size = (reference)(drawn & (((unsigned __int128)1 << length) - 1));
    if (random_below(random, 4) == 0)
        size = ((reference)1 << (length ? length - 1 : 0)) - (reference)random_below(random, 2);
    return random_below(random, 2) ? -size : size;
}

static int64_t draw64(uint64_t *random)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    return random_below(random, 8) ? (int64_t)draw(random, 63) : ends[random_below(random, 7)];
}

static int64_t nearest(reference a)
{
    return a > INT64_MAX ? INT64_MAX : a < INT64_MIN ? INT64_MIN : (int64_t)a;
}

Test(wide, sums_and_orders_are_those_of_int128)
{
    uint64_t seed = random_seed(), random = seed;
    for (int i = 0; i < random_rounds(ROUNDS); i++) {
        reference a = draw(&random, 126), b = i % 8 ? draw(&random, 126) : a;
        int bits = (int)random_below(&random, 64);
        int64_t c = draw64(&random), d = draw64(&random);
        cr_assert(back(wide_plus(halves(a), halves(b))) == a + b, "seed %" PRIu64, seed);
        cr_assert(back(wide_minus(halves(a), halves(b))) == a - b, "seed %" PRIu64, seed);
        cr_assert(wide_less(halves(a), halves(b)) == (a < b), "seed %" PRIu64, seed);
        cr_assert(wide_equal(halves(a), halves(b)) == (a == b), "seed %" PRIu64, seed);
        cr_assert(wide_int64(halves(a)) == nearest(a), "seed %" PRIu64, seed);
        cr_assert(wide_int64(wide_of(c)) == c && back(wide_of(c)) == c, "seed %" PRIu64, seed);
        cr_assert(back(wide_up(wide_of(c), bits)) == c * ((reference)1 << bits), "seed %" PRIu64,
                  seed);
        cr_assert(back(wide_up(wide_of(d & 0xffffff), 64 + bits % 32)) == (reference)(d & 0xffffff)
                                                                              << (64 + bits % 32),
                  "seed %" PRIu64, seed);
    }
}

Test(wide, products_and_quotients_are_those_of_int128)
{
    uint64_t seed = random_seed(), random = seed;
    for (int i = 0; i < random_rounds(ROUNDS); i++) {
        int64_t a = draw64(&random), b = draw64(&random), c = draw64(&random);
        reference wider = draw(&random, 64), x = draw(&random, 126), y = draw(&random, 126);
        uint64_t u = (uint64_t)a, v = (uint64_t)b;
        cr_assert(back(wide_product(a, b)) == (reference)a * b, "seed %" PRIu64, seed);
        cr_assert(back(wide_times(halves(wider), b / 4)) == wider * (b / 4), "seed %" PRIu64, seed);
        cr_assert(wide_upper(u, v) == (uint64_t)((unsigned __int128)u * v >> 64), "seed %" PRIu64,
                  seed);
        if (y != 0)
            cr_assert(back(wide_over(halves(x), halves(y))) == x / y, "seed %" PRIu64, seed);
        if (c != 0)
            cr_assert(wide_ratio(a, b, c) == nearest((reference)a * b / c), "seed %" PRIu64, seed);
    }
}

#else

Test(wide, halves_are_all_there_is)
{
    cr_skip_test("this compiler has no __int128 to compare with");
}

#endif
