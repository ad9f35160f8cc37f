/* fit.h - a line, or a line with one bend, through measured times. */
#pragma once

#include "hnow_net.h"

struct fit_point {
    int64_t bytes;
    int64_t ns; /* > 0 */
};

/* The time of m bytes is constant + first_per_byte * min(m, first_bytes) + per_byte * (m -
 * first_bytes if that is positive); first_bytes is 0 for a straight line. */
struct fit_line {
    hn_time constant;     /* picoseconds, >= 0 */
    hn_per_byte per_byte; /* femtoseconds, >= 0 */
    int64_t first_bytes;
    hn_per_byte first_per_byte;
    double residual; /* root of the mean square of the relative errors */
};

/* The line whose relative errors have the smallest sum of squares, no part negative.  One point
 * gives a constant. n >= 1. */
struct fit_line fit_points(const struct fit_point *point, int n);
/* The same with a bend where that is clearly better: there are packets (up to one, each byte passes
 * one wire after the other) and token buckets (the first bytes pass at full speed).  Points in the
 * order of their bytes. */
struct fit_line fit_bent(const struct fit_point *point, int n);
/* Nanoseconds. */
double fit_time(const struct fit_line *line, int64_t bytes);
