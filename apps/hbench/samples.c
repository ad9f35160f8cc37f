/* samples.c - raw measurements and their order statistics, by sorting a copy: O(n log n). */
#include "samples.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns false without a change if there is no memory. */
bool samples_reserve(struct samples *s, size_t more)
{
    double *at;

    if (more <= s->room - s->count)
        return true;
    if (more > SIZE_MAX / sizeof *at - s->count)
        return false;
    at = realloc(s->at, (s->count + more) * sizeof *at);
    if (!at)
        return false;
    s->at = at;
    s->room = s->count + more;
    return true;
}

void samples_add(struct samples *s, double value)
{
    /* A missing reservation is a programming error, and would cost an allocation while
     * measuring. */
    assert(s->count < s->room);
    s->at[s->count++] = value;
}

void samples_free(struct samples *s)
{
    free(s->at);
    *s = (struct samples){0};
}

int samples_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Number of n sorted samples on either side of the median's confidence interval.  The number of
 * samples below the median has a binomial distribution (Le Boudec, "Performance Evaluation", 2010,
 * section 2.2); this is its normal approximation.  For n from 6 to 1000 the exact probability is 95
 * % or more. */
static size_t outside(size_t n)
{
    /* 0.98 is half of 1.96, the 97.5 % quantile of the normal distribution: sqrt(n) / 2 is the
     * standard deviation. */
    double rank = (double)(n + 1) / 2 - 0.98 * sqrt((double)n);

    return rank < 1 ? 0 : (size_t)rank - 1;
}

/* A copy is sorted, because the order of measurement shows drifts in a run's raw samples. */
bool samples_stats(const struct samples *s, struct stats *stats)
{
    size_t n = s->count;
    double sum = 0, *sorted;

    if (n == 0 || !(sorted = malloc(n * sizeof *sorted)))
        return false;
    memcpy(sorted, s->at, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, samples_by_value);
    /* In ascending order, which also keeps rounding errors of the sum small. */
    for (size_t i = 0; i < n; i++)
        sum += sorted[i];
    stats->min = sorted[0];
    /* Of an even number, the mean of the two in the middle. */
    stats->median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    stats->mean = sum / (double)n;
    /* For n < 100 the last sample, which is the largest. */
    stats->p99 = sorted[n - 1 - n / 100];
    stats->low = sorted[outside(n)];
    stats->high = sorted[n - 1 - outside(n)];
    free(sorted);
    return true;
}
