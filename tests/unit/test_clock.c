/* test_clock.c - clocks of simulated hosts, shifted and of another speed, asked over a network
 * whose two ways take different and changing times: what is computed from them is never further
 * from the truth than it says. */
#include "base/clock.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define SECOND INT64_C(1000000000)

/* The other clock at a moment of ours. */
static int64_t other_at(int64_t now, int64_t shift, int64_t ppm)
{
    return now + shift + now / 1000000 * ppm;
}

static void ask(struct clock *clock, int64_t sent, int64_t other, int64_t came)
{
    struct clock_sample sample = clock_reading(sent, other, came);
    clock_take(clock, &sample);
}

/* Asks for as long as a job of so many seconds lasts; the first moment is *begin, the last the
 * result. */
static int64_t measure(struct clock *clock, uint64_t *random, int64_t begin, int seconds,
                       int64_t shift, int64_t ppm)
{
    int64_t now = begin;
    for (int i = 0; i < CLOCK_FIRST + seconds; i++) {
        int64_t there = 1000 + random_below(random, i % 5 ? 300000 : 5000000);
        int64_t back = 1000 + random_below(random, i % 7 ? 300000 : 5000000);
        ask(clock, now, other_at(now + there, shift, ppm), now + there + back);
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
        int64_t begin = (INT64_C(1) << 50) + random_below(&random, 1 << 30);
        int64_t end = measure(&clock, &random, begin, (int)random_below(&random, 200), shift, ppm);
        for (int i = 0; i < 20; i++) {
            int64_t when = begin + random_below(&random, end - begin);
            int64_t computed = clock_own(&clock, other_at(when, shift, ppm));
            /* The speeds differ a little within the second that is too short to tell them. */
            cr_assert_leq(llabs(computed - when), clock_error(&clock, end) + 60000,
                          "seed %llu round %d", (unsigned long long)seed, round);
        }
    }
}

Test(clock, nothing_known_changes_nothing)
{
    struct clock clock = {0};
    cr_assert_eq(clock_own(&clock, 12345), 12345);
    ask(&clock, 200, 5000, 100); /* came before it was sent: not a clock of this kind */
    cr_assert_eq(clock_own(&clock, 12345), 12345);
}

Test(clock, best_of_many)
{
    struct clock clock = {0};
    ask(&clock, 1000, 1000000 + 1900, 2000); /* all of the way there */
    ask(&clock, 3000, 1000000 + 3005, 3010);
    ask(&clock, 4000, 1000000 + 4001, 9000);
    cr_assert_eq(clock_error(&clock, 9000), 5);
    cr_assert_eq(clock_own(&clock, 1000000 + 8000), 8000);
}

/* A machine that slept for an hour: nobody knows when, so times before and after may be wrong by
 * that, and it is said. */
Test(clock, what_jumps_is_not_trusted)
{
    uint64_t random = random_seed();
    struct clock clock = {0};
    int64_t hour = 3600 * SECOND, begin = 2 * hour;
    int64_t end = measure(&clock, &random, begin, 10, -hour, 20);
    cr_expect_eq(clock.jumped, 0);
    ask(&clock, end, other_at(end, 0, 20), end + 1000);
    cr_expect_gt(clock.jumped, hour - SECOND);
    cr_expect_geq(clock_error(&clock, end), clock.jumped);
    int64_t before = clock_own(&clock, other_at(begin, -hour, 20));
    cr_expect_leq(llabs(before - begin), clock_error(&clock, end));
    int64_t later = end + SECOND;
    cr_expect_leq(llabs(clock_own(&clock, other_at(later, 0, 20)) - later), SECOND / 1000);
}

Test(clock, times_that_no_clock_shows)
{
    static const int64_t odd[] = {INT64_MIN, -1, CLOCK_MOST + 1, INT64_MAX};
    struct clock clock = {0};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        cr_expect_lt(clock_reading(1000, odd[i], 2000).error, 0);
        cr_expect_lt(clock_reading(1000, 5, odd[i]).error, 0);
        ask(&clock, 1000, odd[i], 2000);
    }
    cr_expect_eq(clock.samples, 0);
    ask(&clock, 1000, 5000, 2000);
    ask(&clock, 4 * SECOND, 5 * SECOND, 4 * SECOND + 2000);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        clock_own(&clock, odd[i]); /* must not overflow */
}
