/* samples.h - the raw measurements of one case, and what is said about them.
 *
 * Room is made before the measuring begins, so that adding a sample costs no allocation.  Samples
 * stay in the order in which they were taken.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct samples {
    double *at;
    size_t count, room;
};

struct stats {
    double min, median, mean, p99;
    double low, high; /* confidence interval of the median, 95 % */
};

/* Room for `more` further samples; false: out of memory. */
bool samples_reserve(struct samples *s, size_t more);
/* There must be room. */
void samples_add(struct samples *s, double value);
void samples_free(struct samples *s);

/* The median of an even number is the mean of the middle two; p99 is the smallest sample that at
 * least 99 of 100 do not exceed (so the largest one of fewer than 100).  If samples are
 * independent, the true median lies in the confidence interval with a probability of at least 95 %;
 * of fewer than six it is all that was measured, which is less sure.  False: there are no samples,
 * or no memory. */
bool samples_stats(const struct samples *s, struct stats *stats);

/* For qsort(): doubles, the least first. */
int samples_by_value(const void *a, const void *b);
