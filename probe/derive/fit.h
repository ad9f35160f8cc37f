/* fit.h - fits a line, or a line with one bend, to measured times. */
#pragma once

#include "hnow_net.h"

struct fit_point {
    int64_t bytes;
    int64_t ns; /* > 0 */
};

/* The time of m bytes is constant + first_per_byte * min(m, first_bytes) + per_byte * max(0, m -
 * first_bytes). first_bytes is 0 for a straight line. */
struct fit_line {
    hn_time constant;     /* picoseconds, >= 0 */
    hn_per_byte per_byte; /* femtoseconds, >= 0 */
    int64_t first_bytes;
    hn_per_byte first_per_byte;
    double residual; /* root mean square of the relative errors */
};

/* Fits the line with the least sum of squared relative errors; no coefficient is negative.  One
 * point gives a constant. n >= 1. */
struct fit_line fit_points(const struct fit_point *point, int n);
/* The same, with a bend if it is clearly better.  Bends come from packets (up to one packet, each
 * hop stores every byte before it forwards it) and from token buckets (the first bytes pass at full
 * speed).  Points are ascending by bytes. */
struct fit_line fit_bent(const struct fit_point *point, int n);
/* The time of a message on the line, in nanoseconds. */
double fit_time(const struct fit_line *line, int64_t bytes);
