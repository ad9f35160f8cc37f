/* test_clock.c - clocks of simulated hosts, shifted and of another speed, asked over a network
 * whose two ways take different and changing times: what is computed from them is never further
 * from the truth than it says. */
#include "clock.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define SECOND UINT64_C(1000000000)

/* The other clock at a moment of ours. */
static uint64_t other_at(uint64_t now, int64_t shift, int64_t ppm)
{
    return (uint64_t)((int64_t)now + shift + (int64_t)(now / 1000000) * ppm);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Asks for as long as a job of so many seconds lasts; the first moment is *begin, the last the
 * result. */
static uint64_t measure(struct clock *clock, uint64_t *random, uint64_t begin, int seconds,
                        int64_t shift, int64_t ppm)
{
    uint64_t now = begin;
    for (int i = 0; i < CLOCK_FIRST + seconds; i++) {
        uint64_t there = 1000 + (uint64_t)random_below(random, i % 5 ? 300000 : 5000000);
        uint64_t back = 1000 + (uint64_t)random_below(random, i % 7 ? 300000 : 5000000);
        clock_sample(clock, now, other_at(now + there, shift, ppm), now + there + back);
        now += i < CLOCK_FIRST ? there + back : SECOND;
    }
    return now;
}

Test(clock, is_right_within_its_error)
{
    uint64_t seed = random_seed(), random = seed;
    for (int round = 0; round < 3000; round++) {
        struct clock clock = {0};
        int64_t shift = random_below(&random, INT64_C(1) << 50) - (INT64_C(1) << 49);
        int64_t ppm = random_below(&random, 101) - 50;
        uint64_t begin = (UINT64_C(1) << 50) + (uint64_t)random_below(&random, 1 << 30);
        uint64_t end = measure(&clock, &random, begin, (int)random_below(&random, 200), shift, ppm);
        for (int i = 0; i < 20; i++) {
            uint64_t when = begin + (uint64_t)random_below(&random, (int64_t)(end - begin));
            uint64_t computed = clock_own(&clock, other_at(when, shift, ppm));
            /* The speeds differ a little within the second that is too short to tell them. */
            cr_assert_leq(distance(computed, when), clock_error(&clock, end) + 60000,
                          "seed %llu round %d", (unsigned long long)seed, round);
        }
    }
}

Test(clock, nothing_known_changes_nothing)
{
    struct clock clock = {0};
    cr_assert_eq(clock_own(&clock, 12345), 12345);
    clock_sample(&clock, 200, 5000, 100); /* came before it was sent: not a clock of this kind */
    cr_assert_eq(clock_own(&clock, 12345), 12345);
}

Test(clock, best_of_many)
{
    struct clock clock = {0};
    clock_sample(&clock, 1000, 1000000 + 1900, 2000); /* all of the way there */
    clock_sample(&clock, 3000, 1000000 + 3005, 3010);
    clock_sample(&clock, 4000, 1000000 + 4001, 9000);
    cr_assert_eq(clock_error(&clock, 9000), 5);
    cr_assert_eq(clock_own(&clock, 1000000 + 8000), 8000);
}
