/* samples.h - the raw measurements of a case, and their statistics.
 *
 * Memory is allocated before measuring, so that adding a sample does not allocate.  Samples are
 * kept in the order of measurement.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct samples {
    double *at;
    /* Samples that are stored, and for which there is memory. */
    size_t count, room;
};

struct stats {
    double min, median, mean, p99;
    double low, high; /* confidence interval of the median, 95 % */
};

/* Makes room for `more` further samples.  Returns false if out of memory. */
bool samples_reserve(struct samples *s, size_t more);
/* There must be room. */
void samples_add(struct samples *s, double value);
void samples_free(struct samples *s);

/* Computes statistics.  The median of an even number is the mean of the middle two. p99 is the
 * smallest sample that at least 99 % do not exceed (the largest of fewer than 100).  For
 * independent samples the true median is in the confidence interval with a probability of at least
 * 95 %; for fewer than six samples the interval is their range, which is less certain.  Returns
 * false if there are no samples, or out of memory. */
bool samples_stats(const struct samples *s, struct stats *stats);

/* For qsort(): ascending doubles. */
int samples_by_value(const void *a, const void *b);
