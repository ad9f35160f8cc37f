/* eigen.c - see eigen.h.
 *
 * Jacobi's rotations (J. reine angew.  Math. 30, 51 (1846)): each makes one pair of elements zero;
 * sweeps continue until all are.  Cost: some 6 k^3 per sweep, few sweeps.
 */
#include "eigen.h"

#include <math.h>

/* Convergence is quadratic, in fewer than ten sweeps.  Later ones only compare. */
enum { JACOBI_SWEEPS = 20 };

/* One rotation that makes h[p][q] zero; it also rotates the columns of v. t is the smaller root of
 * t^2 + 2 theta t - 1 = 0, so that the rotation is at most 45 degrees. */
static void eigen_rotate(double *h, double *v, int k, int p, int q)
{
    /* cot(2 phi), where phi is the angle of the rotation. */
    double theta = (h[q * k + q] - h[p * k + p]) / (2 * h[p * k + q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    /* Columns p and q, ... */
    for (int i = 0; i < k; i++) {
        double a = h[i * k + p], b = h[i * k + q];
        h[i * k + p] = c * a - s * b;
        h[i * k + q] = s * a + c * b;
    }
    /* ... then rows p and q, and the vectors. */
    for (int i = 0; i < k; i++) {
        double a = h[p * k + i], b = h[q * k + i], x = v[i * k + p], y = v[i * k + q];
        h[p * k + i] = c * a - s * b;
        h[q * k + i] = s * a + c * b;
        v[i * k + p] = c * x - s * y;
        v[i * k + q] = s * x + c * y;
    }
}

/* Elements that are small against both diagonal elements are not rotated any more. */
void eigen_symmetric(double *h, double *v, int k)
{
    for (int i = 0; i < k * k; i++)
        v[i] = i / k == i % k;
    for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++)
        for (int p = 0; p < k; p++)
            for (int q = p + 1; q < k; q++)
                if (fabs(h[p * k + q]) > 1e-15 * (fabs(h[p * k + p]) + fabs(h[q * k + q])))
                    eigen_rotate(h, v, k, p, q);
}
