/* common_clock.h - one clock for all tasks of the job: task 0's (numbers.h says whose messages).
 *
 * Rank 0 asks each other host several times what time it is.  The answer of the quickest round trip
 * counts: it was given between the question and its arrival, so the offset is known to half that
 * round trip (Cristian 1989).  Tasks on one host read the same clock.  The clocks are compared
 * again before every round of measuring; how far the offsets have moved since is added to the
 * error.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct common_clock {
    int64_t *offset; /* [rank]: its clock minus task 0's, ns */
    int64_t error;   /* no offset is wrong by more, ns */
    bool compared;
};

/* Task 0: compares the clocks.  Blocks for up to a second or so a host.  Meanwhile every other task
 * has to be in common_clock_answer().  False: failed, and said why. */
bool common_clock_compare(struct common_clock *c);
bool common_clock_answer(void);
void common_clock_free(struct common_clock *c);

/* Waits for a moment of this task's own clock: sleeps, but for the last 50 us, in which it
 * computes, so that it is awake then.  Returns the time at which it is. */
int64_t common_clock_await(int64_t until);
