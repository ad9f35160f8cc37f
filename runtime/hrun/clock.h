/* clock.h - what the clock of another host shows, seen from here.
 *
 * Ping-pong: a question leaves at `sent`, the other clock is read somewhere on the way, the answer
 * comes at `came`.  So at the middle of both the other clock showed what was answered, give or take
 * half the round trip: that is the error bound of a sample, whatever way took longer.  The best
 * sample of the beginning and the best of late are kept, and what lies between them is
 * interpolated, so that clocks that run at different speeds do not drift apart.  A sample becomes
 * worse with age: by CLOCK_DRIFT, which no quartz exceeds.
 *
 * No I/O here; all times are nanoseconds.  Cost: O(1) a sample.
 */
#ifndef HNOW_CLOCK_H
#define HNOW_CLOCK_H

#include <stdint.h>

enum {
    CLOCK_FIRST = 16,    /* samples that make the beginning */
    CLOCK_DRIFT = 100000 /* ns that one of two clocks may gain in a second */
};

struct clock_sample {
    int64_t offset; /* other clock - own clock */
    uint64_t error;
    uint64_t at; /* own clock */
};

/* All zero: nothing is known. */
struct clock {
    struct clock_sample first, late;
    unsigned samples;
};

void clock_sample(struct clock *clock, uint64_t sent, uint64_t other, uint64_t came);
/* A time of the other clock by the own one; as it is when nothing is known. */
uint64_t clock_own(const struct clock *clock, uint64_t other);
/* How far that may be from the truth, for times from the first sample until now (own clock). */
uint64_t clock_error(const struct clock *clock, uint64_t now);

#endif
