/* clock.h - estimates the offset of another clock, for traces (hrun) and between tasks (probe).
 *
 * Method: Cristian 1989.  A question leaves at `sent`, the other clock is read, and the answer
 * arrives at `came`.  The reading is assigned to the middle of the two.  Its error is at most half
 * the round trip, however the round trip is divided.  That is the error bound of a sample.  Two
 * samples show the drift between the clocks.
 *
 * For a job, the best early sample and the best late one are kept, and times in between are
 * interpolated.  A sample loses accuracy with age, by CLOCK_DRIFT, which no quartz exceeds.  If
 * later samples contradict that, the clock has stopped or was set: the machine was suspended or
 * migrated.  The contradiction is added to the error, because its time is unknown.
 *
 * All clocks are CLOCK_MONOTONIC, so setting the time of day has no effect.  No I/O here; all times
 * are nanoseconds.  Cost: O(1) a sample.
 */
#pragma once

#include <stdint.h>

enum {
    CLOCK_FIRST = 16,    /* number of early samples */
    CLOCK_DRIFT = 100000 /* ns that one of two clocks may gain in a second */
};

#define CLOCK_SPEED INT64_C(1000000000) /* ns between two samples that are used for the drift */
#define CLOCK_MOST  (INT64_C(1) << 61)  /* 73 years: the sum of two does not overflow */

struct clock_sample {
    int64_t at;     /* own clock; 0: no sample */
    int64_t offset; /* other clock - own clock */
    int64_t error;  /* maximum error of the offset */
};

/* Growth of the offset in a nanosecond, and its maximum error while the drift is constant. */
struct clock_drift {
    double rate, error;
};

/* CLOCK_MONOTONIC. */
int64_t clock_now(void);
/* The sample of one question and its answer. error < 0: invalid (it arrived before it was sent, or
 * is beyond CLOCK_MOST). */
struct clock_sample clock_reading(int64_t sent, int64_t other, int64_t came);
/* The drift between two samples; 0 if the second one is not later. */
struct clock_drift clock_drift(const struct clock_sample *first, const struct clock_sample *late);
/* The offset at time `own` of the own clock. */
int64_t clock_offset(const struct clock_sample *sample, double rate, int64_t own);

/* A struct of zeros has no samples. */
struct clock {
    struct clock_sample first, late;
    unsigned samples;
    int64_t jumped; /* the largest contradiction between samples, in ns */
};

void clock_take(struct clock *clock, const struct clock_sample *sample);
/* Converts a time of the other clock to the own clock; returns it unchanged without samples. */
int64_t clock_own(const struct clock *clock, int64_t other);
/* Maximum error of that, for times from the first sample until now (own clock). */
int64_t clock_error(const struct clock *clock, int64_t now);
