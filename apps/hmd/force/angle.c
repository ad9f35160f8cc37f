/* angle.c - bond angles: k (theta - theta0)^2.
 *
 * theta = atan2(|u x v|, u.v) is exact at all angles (acos loses half its digits near 0 and 180
 * degrees).  dtheta/di = (cos(theta) u - v) / (|r_ij| sin(theta)) with unit vectors u, v from the
 * middle atom; sin(theta) is kept away from zero, where the gradient has no direction.
 */
#include <math.h>

#include "bonded.h"
#include "vec.h"

static double angle_one(const struct system *s, const struct system_angle *a, const double *x,
                        double *f)
{
    double u[3], v[3], w[3];
    system_delta(s, x + 3 * a->i, x + 3 * a->j, u);
    system_delta(s, x + 3 * a->k, x + 3 * a->j, v);
    vec_cross(u, v, w);
    double ru = 1 / sqrt(vec_dot(u, u)), rv = 1 / sqrt(vec_dot(v, v));
    double sine = sqrt(vec_dot(w, w)) * ru * rv, cosine = vec_dot(u, v) * ru * rv;
    double bend = atan2(sine, cosine) - a->theta0;
    double slope = -2 * a->force * bend / (sine > 1e-8 ? sine : 1e-8);
    for (int k = 0; k < 3; k++) {
        double eu = u[k] * ru, ev = v[k] * rv;
        double fi = slope * ru * (cosine * eu - ev), fk = slope * rv * (cosine * ev - eu);
        f[3 * a->i + k] += fi;
        f[3 * a->k + k] += fk;
        f[3 * a->j + k] -= fi + fk;
    }
    return a->force * bend * bend;
}

double bonded_angles(const struct system *s, const double *x, double *f, int first, int last)
{
    double energy = 0;
    for (int n = first; n < last; n++)
        energy += angle_one(s, &s->angle[n], x, f);
    return energy;
}
