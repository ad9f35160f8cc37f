/* timed.h - times in milliseconds, and the middle one of some. */
#pragma once

#include <stdlib.h>
#include <time.h>

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts them. */
static inline double median_of(double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, by_size);
    return times[n / 2];
}
