/* Clocks of tasks: translating by offset and drift, and comparing those of two tasks on one
 * machine, which are the same clock. */
#include "net/clock_pair.h"
#include "job.h"
#include "random.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Another clock that runs ppm faster and is ahead; what a comparison makes of it lies within its
 * error. */
Test(clock_pair, offset_and_drift_are_within_their_errors)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 300; run++) {
        int64_t ahead = random_below(&state, INT64_C(4000000000000)) - INT64_C(2000000000000);
        int64_t ppm = random_below(&state, 200) - 100, now = 1 + random_below(&state, 1000000000);
        hn_clock clock = {0};
        for (int i = 0; i < 3; i++) {
            int64_t error = 1 + random_below(&state, 100000);
            int64_t wrong = random_below(&state, 2 * error + 1) - error;
            int64_t there = now + ahead + now / 1000000 * ppm;
            clock_pair_take(&clock, now, there + wrong, error);
            cr_expect_eq(clock.at, now);
            if (i > 0) {
                cr_expect_leq(fabs(clock.drift - (double)ppm * 1e-6), clock.drift_error + 1e-9,
                              "HNOW_SEED=%" PRIu64 " run %d", random_seed(), run);
                int64_t later = now + random_below(&state, INT64_C(100000000000)), most;
                int64_t shown = hn_clock_there(&clock, later, &most);
                int64_t truth = later + ahead + later / 1000000 * ppm;
                cr_expect_leq(llabs(shown - truth), most + 300,
                              "HNOW_SEED=%" PRIu64 " run %d: %" PRId64, random_seed(), run,
                              shown - truth);
            } else {
                cr_expect_eq(clock.drift, 0);
            }
            now += 1000000 * (1 + random_below(&state, 60000));
        }
    }
}

static bool compare(void)
{
    hn_clock clock = {0};
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    for (int i = 0; i < 2; i++) {
        job_check(hn_clock_compare(other, &clock) == HN_OK);
        job_check(clock.at > 0 && clock.error > 0);
        job_check(llabs(clock.offset) <= clock.error);
    }
    job_check(fabs(clock.drift) <= clock.drift_error);
    job_check(hn_clock_compare(hn_mytid(), &clock) == HN_EARG);
    return true;
}

Test(clock_pair, tasks_of_one_machine_have_one)
{
    cr_assert_eq(job_run(2, 20, compare), 0);
}
