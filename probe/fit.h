/* fit.h - a straight line through measured times. */
#ifndef HNOW_FIT_H
#define HNOW_FIT_H

#include "hnow_net.h"

struct fit_point {
    int64_t bytes;
    int64_t ns; /* > 0 */
};

struct fit_line {
    hn_time constant;     /* picoseconds, >= 0 */
    hn_per_byte per_byte; /* femtoseconds, >= 0 */
    double residual;      /* root of the mean square of the relative errors */
};

/* The line whose relative errors have the smallest sum of squares, neither part negative.  One
 * point gives a constant. n >= 1. */
struct fit_line fit_points(const struct fit_point *point, int n);

#endif
