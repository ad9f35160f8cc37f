/* timeline.h - converts times of a host's clock to hrun's, consistently for all traces (hrun
 * -trace).
 *
 * Records arrive when a task ends, while the estimate of its host's clock is still being corrected
 * (clock.h).  Two records of a host must not be converted with two estimates.  The corrections
 * exceed the latency of a message, so its receive could appear before its send.  So a host has one
 * conversion function, which never decreases, and never changes where it was used.  Up to the
 * latest converted time it is fixed, and later estimates change its slope from there on.
 *
 * The function is a polygonal line.  Cost: a search for each conversion; 16 bytes for each sample
 * of the clock between two uses.  No I/O here; all times are nanoseconds.
 *
 * Invariant: points ascend in both coordinates.
 */
#pragma once

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>

/* The same moment on both clocks. */
struct timeline_point {
    int64_t other, own;
};

/* A struct of zeros has no samples. */
struct timeline {
    struct clock clock; /* the estimate */
    struct timeline_point *point;
    size_t count;
    int64_t error; /* maximum error of the estimate when it was used */
};

/* Times up to `other` of the other clock will be converted, at `now` of the own clock: fixes the
 * function up to there.  Has no effect beyond CLOCK_MOST. */
void timeline_use(struct timeline *line, int64_t other, int64_t now);
/* Converts a time of the other clock; returns it unchanged without samples. */
int64_t timeline_own(const struct timeline *line, int64_t other);
/* Maximum error of the conversions until now. */
int64_t timeline_error(const struct timeline *line, int64_t now);
void timeline_free(struct timeline *line);
