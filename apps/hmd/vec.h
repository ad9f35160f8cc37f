/* vec.h - three-component vectors, for the bonded terms.
 *
 * No function allocates, and results must not overlap the arguments.
 */
#pragma once

static inline double vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vec_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* f += s * a */
static inline void vec_add(double f[3], double s, const double a[3])
{
    f[0] += s * a[0];
    f[1] += s * a[1];
    f[2] += s * a[2];
}
