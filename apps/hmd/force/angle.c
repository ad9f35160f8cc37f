/* angle.c - bond angles: k (theta - theta0)^2.
 *
 * theta = atan2(|u x v|, u.v) is exact at all angles (acos loses half its digits near 0 and 180
 * degrees).  dtheta/di = (cos(theta) u - v) / (|r_ij| sin(theta)) with unit vectors u, v from the
 * middle atom; sin(theta) is kept away from zero, where the gradient has no direction.
 */
#include <math.h>

#include "bonded.h"
#include "vec.h"

/* An angle in [0, pi] and its gradient with respect to the three atoms; atom[1] is the middle
 * one. */
static double bonded_angle(const struct system *s, const double *x, const int atom[3],
                           double grad[3][3])
{
    double u[3], v[3], w[3];
    system_delta(s, x + 3 * atom[0], x + 3 * atom[1], u);
    system_delta(s, x + 3 * atom[2], x + 3 * atom[1], v);
    vec_cross(u, v, w);
    double ru = 1 / sqrt(vec_dot(u, u)), rv = 1 / sqrt(vec_dot(v, v));
    double sine = sqrt(vec_dot(w, w)) * ru * rv, cosine = vec_dot(u, v) * ru * rv;
    /* At 0 and 180 degrees the gradient has no direction: its length is limited. */
    double over = 1 / (sine > 1e-8 ? sine : 1e-8);
    for (int k = 0; k < 3; k++) {
        double eu = u[k] * ru, ev = v[k] * rv;
        grad[0][k] = over * ru * (cosine * eu - ev);
        grad[2][k] = over * rv * (cosine * ev - eu);
        /* The three forces add up to 0. */
        grad[1][k] = -grad[0][k] - grad[2][k];
    }
    return atan2(sine, cosine);
}

/* dE/dtheta = 2 k (theta - theta0); the force is its negative times the gradient of theta. */
double bonded_angles(const struct system *s, const double *x, double *f, int first, int last)
{
    double energy = 0;
    for (int n = first; n < last; n++) {
        const struct system_angle *a = &s->term.angle[n];
        const int atom[3] = {a->i, a->j, a->k};
        double grad[3][3], bend = bonded_angle(s, x, atom, grad) - a->theta0;
        energy += a->force * bend * bend;
        for (int k = 0; k < 3; k++)
            vec_add(f + 3 * atom[k], -2 * a->force * bend, grad[k]);
    }
    return energy;
}
