/* timeline.h - where moments of a host's clock lie on hrun's, for traces (hrun -trace).
 *
 * Records come when a task ends, while the estimate of its host's clock keeps being corrected
 * (clock.h).  Two records of a host must not be placed by two estimates: the corrections are larger
 * than the time that a message takes, so it could be shown as received before it was sent.  So a
 * host has one function, which never decreases and never changes where it has been used: up to the
 * latest moment placed it is fixed, and what is learned later bends it from there on.
 *
 * The function is a line through points.  Cost: a search a moment; 16 bytes for each sample of the
 * clock between two uses.  No I/O here; all times are nanoseconds.
 */
#pragma once

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>

struct timeline_point {
    int64_t other, own;
};

/* All zero: nothing is known. */
struct timeline {
    struct clock clock; /* the estimate */
    struct timeline_point *point;
    size_t count;
    int64_t error; /* of the estimate, the largest when it was used */
};

/* Moments up to this one of the other clock are about to be placed, at `now` of the own clock: the
 * function is fixed so far.  Beyond CLOCK_MOST nothing is. */
void timeline_use(struct timeline *line, int64_t other, int64_t now);
/* A moment of the other clock by the own one; as it is when nothing is known. */
int64_t timeline_own(const struct timeline *line, int64_t other);
/* How far what was placed until now may be from the truth. */
int64_t timeline_error(const struct timeline *line, int64_t now);
void timeline_free(struct timeline *line);
