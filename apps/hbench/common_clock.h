/* common_clock.h - a common clock for all tasks of the job: task 0's (numbers.h: whose messages).
 *
 * Rank 0 queries the time of each other host several times.  The fastest round trip counts: the
 * answer was given within it, so the offset is known to half that round trip (Cristian 1989).
 * Tasks on one host read the same clock.  Clocks are compared again before every round of
 * measurements, and the change of the offsets since then is added to the error.
 *
 * Nothing changes the hosts' clocks: offsets are applied to numbers only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct common_clock {
    int64_t *offset; /* [rank]: its clock less task 0's, ns */
    int64_t error;   /* maximum error of an offset, ns */
    bool compared;
};

/* Task 0: compares the clocks.  Blocks for up to about a second per host.  Meanwhile every other
 * task must be in common_clock_answer().  Returns false after printing an error. */
bool common_clock_compare(struct common_clock *c);
bool common_clock_answer(void);
void common_clock_free(struct common_clock *c);

/* Waits for a point in time of this task's clock.  Sleeps, but spins for the last 50 us, so that
 * the task is awake then.  Returns the actual time. */
int64_t common_clock_await(int64_t until);
