/* spline.h - cardinal B-splines M_p (Essmann et al., J. Chem. Phys. 103, 8577 (1995), eq. 4.1). */
#pragma once

enum { SPLINE_MAX = 12 }; /* maximum order: twice the usual one */

/* For a point at w in [0, 1) after grid point i: value[j] = M_p(w + p - 1 - j) is its weight at
 * grid point i - p + 1 + j, j = 0 ... p-1; slope[j] is the derivative. p is even, from 4 to
 * SPLINE_MAX.  The order is raised step by step: M_n(u) = (u M_{n-1}(u) + (n - u) M_{n-1}(u - 1)) /
 * (n - 1), and M_n'(u) = M_{n-1}(u) - M_{n-1}(u - 1). O(p^2). The slopes are taken from the splines
 * of order p - 1, before the last step overwrites them. The values sum to 1, the slopes to 0. */
static inline void spline_fill(int p, double w, double *value, double *slope)
{
    value[0] = 1 - w;
    value[1] = w;
    for (int n = 3; n <= p; n++) {
        double part = 1.0 / (n - 1);
        if (n == p) {
            slope[0] = -value[0];
            for (int j = 1; j < p - 1; j++)
                slope[j] = value[j - 1] - value[j];
            slope[p - 1] = value[p - 2];
        }
        value[n - 1] = part * w * value[n - 2];
        for (int j = n - 2; j > 0; j--)
            value[j] = part * ((w + n - 1 - j) * value[j - 1] + (j + 1 - w) * value[j]);
        value[0] = part * (1 - w) * value[0];
    }
}
