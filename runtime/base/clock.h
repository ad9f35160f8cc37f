/* clock.h - what another clock shows, seen from here; for traces (hrun) and between tasks (probe).
 *
 * Ping-pong (Cristian 1989): a question leaves at `sent`, the other clock is read somewhere on the
 * way, the answer comes at `came`.  So at the middle of both the other clock showed what was
 * answered, give or take half the round trip: that is the error bound of a sample, whatever way
 * took longer.  Two samples show how fast the clocks drift apart.
 *
 * For a job's time the best sample of the beginning and the best of late are kept, and what lies
 * between them is interpolated.  A sample becomes worse with age: by CLOCK_DRIFT, which no quartz
 * exceeds.  A clock that continues otherwise has stood still or been set (a machine that slept, or
 * moved); by how much is added to the error, since nobody knows when it was.
 *
 * All clocks are CLOCK_MONOTONIC: setting the time of day does not matter.  No I/O here; all times
 * are nanoseconds.  Cost: O(1) a sample.
 */
#pragma once

#include <stdint.h>

enum {
    CLOCK_FIRST = 16,    /* samples that make the beginning */
    CLOCK_DRIFT = 100000 /* ns that one of two clocks may gain in a second */
};

#define CLOCK_SPEED INT64_C(1000000000) /* ns between samples that show clocks' speeds */
#define CLOCK_MOST  (INT64_C(1) << 61)  /* 73 years: sums of two stay in range */

struct clock_sample {
    int64_t at;     /* own clock; 0: nothing is known */
    int64_t offset; /* other clock - own clock */
    int64_t error;  /* the offset is not wrong by more */
};

/* The growth of the offset in a nanosecond; its error is at most `error` while it is steady. */
struct clock_drift {
    double rate, error;
};

/* CLOCK_MONOTONIC. */
int64_t clock_now(void);
/* One question and its answer.  error < 0: that was no such clock (it came before it was sent, or
 * lies beyond CLOCK_MOST). */
struct clock_sample clock_reading(int64_t sent, int64_t other, int64_t came);
/* From one sample to a later one; 0 when that is not later. */
struct clock_drift clock_drift(const struct clock_sample *first, const struct clock_sample *late);
/* The offset at a moment of the own clock. */
int64_t clock_offset(const struct clock_sample *sample, double rate, int64_t own);

/* All zero: nothing is known. */
struct clock {
    struct clock_sample first, late;
    unsigned samples;
    int64_t jumped; /* by so much samples contradict each other, at the most */
};

void clock_take(struct clock *clock, const struct clock_sample *sample);
/* A time of the other clock by the own one; as it is when nothing is known. */
int64_t clock_own(const struct clock *clock, int64_t other);
/* How far that may be from the truth, for times from the first sample until now (own clock). */
int64_t clock_error(const struct clock *clock, int64_t now);
