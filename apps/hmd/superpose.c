/* superpose.c - see superpose.h.
 *
 * The best rotation is a unit quaternion, the eigenvector with the largest eigenvalue of a 4 x 4
 * matrix of the sums of x_i y_j (Horn, J.  Opt.  Soc.  Am.  A 4, 629 (1987)).  No case is singular,
 * and the result is never a reflection.  Cost: O(n).
 */
#include "superpose.h"

#include <math.h>
#include <string.h>

#include "eigen.h"
#include "vec.h"

/* Weights of 0 altogether give the origin. */
static void superpose_centre(int n, const double *x, const double *weight, double c[3])
{
    double all = 0;
    memset(c, 0, 3 * sizeof *c);
    for (int i = 0; i < n; i++) {
        vec_add(c, weight[i], x + 3 * i);
        all += weight[i];
    }
    for (int k = 0; k < 3; k++)
        c[k] = all > 0 ? c[k] / all : 0;
}

/* The rotation matrix of a unit quaternion. */
static void superpose_turn(const double q[4], double turn[3][3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        const double *v = q + 1;
        turn[a][a] = q[0] * q[0] + v[a] * v[a] - v[b] * v[b] - v[c] * v[c];
        turn[a][b] = 2 * (v[a] * v[b] - q[0] * v[c]);
        turn[a][c] = 2 * (v[a] * v[c] + q[0] * v[b]);
    }
}

/* Returns the eigenvector with the largest eigenvalue of h, a k * k matrix diagonalised by Jacobi's
 * method. */
static int superpose_largest(const double *h, int k)
{
    int best = 0;
    for (int e = 1; e < k; e++)
        best = h[e * k + e] > h[best * k + best] ? e : best;
    return best;
}

/* The best rotation about m->from, which is mapped to m->to. The 4 x 4 matrix is Horn's N: its
 * diagonal and off-diagonal elements are sums of S_ab = sum of w x_a y_b. */
static void superpose_best(struct superpose *m, int n, const double *x, const double *y,
                           const double *weight)
{
    double s[3][3] = {{0}}, h[16], v[16], q[4];
    for (int i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                s[a][b] += weight[i] * (x[3 * i + a] - m->from[a]) * (y[3 * i + b] - m->to[b]);
    h[0] = s[0][0] + s[1][1] + s[2][2];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        h[a + 1] = h[4 * (a + 1)] = s[b][c] - s[c][b];
        h[5 * (a + 1)] = s[a][a] - s[b][b] - s[c][c];
        h[4 * (a + 1) + b + 1] = h[4 * (b + 1) + a + 1] = s[a][b] + s[b][a];
    }
    /* The eigenvector of the largest eigenvalue is the rotation's quaternion. */
    eigen_symmetric(h, v, 4);
    int best = superpose_largest(h, 4);
    for (int k = 0; k < 4; k++)
        q[k] = v[4 * k + best];
    superpose_turn(q, m->turn);
}

/* Minimises the weighted sum of squared distances from the moved x to y. Weights are at least 0. */
void superpose_fit(struct superpose *m, int n, const double *x, const double *y,
                   const double *weight)
{
    superpose_centre(n, x, weight, m->from);
    superpose_centre(n, y, weight, m->to);
    superpose_best(m, n, x, y, weight);
}

/* Eigenvectors of the matrix of second moments. Signs are arbitrary, but the result is a proper
 * rotation. The longest axis becomes x, the next one y. */
void superpose_axes(struct superpose *m, int n, const double *x, const double *weight)
{
    double h[9] = {0}, v[9];
    superpose_centre(n, x, weight, m->from);
    memset(m->to, 0, sizeof m->to);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 9; k++)
            h[k] += weight[i] * (x[3 * i + k / 3] - m->from[k / 3]) *
                    (x[3 * i + k % 3] - m->from[k % 3]);
    eigen_symmetric(h, v, 3);
    for (int row = 0; row < 2; row++) { /* the two longest; the third makes it a rotation */
        int best = superpose_largest(h, 3);
        for (int k = 0; k < 3; k++)
            m->turn[row][k] = v[3 * k + best];
        h[4 * best] = -HUGE_VAL;
    }
    vec_cross(m->turn[0], m->turn[1], m->turn[2]);
}

/* In place: first to the origin, then turned, then to the new centre. */
void superpose_move(const struct superpose *m, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        double r[3];
        for (int k = 0; k < 3; k++)
            r[k] = x[3 * i + k] - m->from[k];
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = vec_dot(m->turn[k], r) + m->to[k];
    }
}
