/* velocity.c - see velocity.h.
 *
 * Normal deviates by Box and Muller (Ann. Math. Stat. 29, 610 (1958)) from a 64-bit generator
 * (splitmix.h), scaled by sqrt(kT/m).  All tasks draw all velocities, so that they do not depend on
 * the number of tasks.
 */
#include "velocity.h"

#include <math.h>

#include "apps/splitmix.h"
#include "vec.h"

/* In (0, 1]. 53 bits; the + 1 excludes 0, whose logarithm is infinite. */
static double velocity_uniform(uint64_t *state)
{
    return (double)((splitmix_next(state) >> 11) + 1) * 0x1p-53;
}

/* The sine of the pair is not used. */
static double velocity_normal(uint64_t *state)
{
    double r = sqrt(-2 * log(velocity_uniform(state)));
    return r * cos(2 * M_PI * velocity_uniform(state));
}

/* The odd factor spreads n over all 64 bits. */
double velocity_normal_at(uint64_t seed, uint64_t n)
{
    uint64_t state = seed ^ (n + 1) * 0xd1342543de82ef95u;
    state = splitmix_next(&state); /* separates neighbouring seeds */
    return velocity_normal(&state);
}

/* Momentum m v, and angular momentum m x cross v about the origin. */
void velocity_motion_add(struct velocity_motion *m, double mass, const double x[3],
                         const double v[3])
{
    double t[3];
    vec_cross(x, v, t);
    vec_add(m->p, mass, v);
    vec_add(m->l, mass, t);
}

/* Computes the centre of mass.  Returns the mass. */
static double velocity_centre(const struct system *s, const double *x, double c[3])
{
    double mass = 0;
    c[0] = c[1] = c[2] = 0;
    for (int i = 0; i < s->natom; i++) {
        vec_add(c, s->mass[i], x + 3 * i);
        mass += s->mass[i];
    }
    for (int k = 0; k < 3; k++)
        c[k] /= mass;
    return mass;
}

/* Solves the symmetric 3 x 3 system I w = L.  Returns 0 if I is singular (collinear atoms). By
 * Cramer's rule with cross products. The threshold is relative to the trace. */
static int velocity_solve(double I[3][3], const double L[3], double w[3])
{
    double a[3], b[3], c[3], d = 0, scale = I[0][0] + I[1][1] + I[2][2];
    vec_cross(I[1], I[2], a);
    vec_cross(I[2], I[0], b);
    vec_cross(I[0], I[1], c);
    d = vec_dot(I[0], a);
    if (d <= 1e-9 * scale * scale * scale)
        return 0;
    for (int k = 0; k < 3; k++)
        w[k] = (a[k] * L[0] + b[k] * L[1] + c[k] * L[2]) / d;
    return 1;
}

/* Computes the angular velocity about the centre c.  Returns 0 if there is none (collinear
 * atoms). */
static int velocity_rotation(const struct system *s, const double *x, const double c[3],
                             const struct velocity_motion *motion, double w[3])
{
    double I[3][3] = {{0}}, L[3], r[3];
    vec_cross(c, motion->p, L);
    for (int k = 0; k < 3; k++)
        /* About the centre, not the origin. */
        L[k] = motion->l[k] - L[k];
    for (int i = 0; i < s->natom; i++) {
        for (int k = 0; k < 3; k++)
            r[k] = x[3 * i + k] - c[k];
        double r2 = vec_dot(r, r);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                /* The tensor of inertia. */
                I[k][l] += s->mass[i] * ((k == l) * r2 - r[k] * r[l]);
    }
    return velocity_solve(I, L, w);
}

/* Subtracts the velocity of the centre of mass and, in vacuum, w x r. O(N) on every task. */
void velocity_still(const struct system *s, const double *x, const struct velocity_motion *motion,
                    int first, int last, double *v)
{
    double c[3], w[3], r[3], t[3], mass = velocity_centre(s, x, c);
    if (!system_floats(s)) /* what holds it defines the rest frame */
        return;
    int turns = s->cell.box[0] <= 0 && velocity_rotation(s, x, c, motion, w);
    for (int i = first; i < last; i++) {
        double *vi = v + 3 * (size_t)(i - first);
        vec_add(vi, -1 / mass, motion->p);
        if (!turns)
            continue;
        for (int k = 0; k < 3; k++)
            r[k] = x[3 * i + k] - c[k];
        vec_cross(w, r, t);
        vec_add(vi, -1, t);
    }
}

/* Standard deviation of a velocity component; lone pairs have no motion of their own. */
static double velocity_width(double mass, double kelvin)
{
    return mass > 0 ? sqrt(VELOCITY_KB * kelvin / mass) : 0;
}

void velocity_rest(const struct system *s, const double *x, double *v)
{
    struct velocity_motion motion = {{0}, {0}};
    if (s->natom < 2)
        return;
    for (int i = 0; i < s->natom; i++)
        velocity_motion_add(&motion, s->mass[i], x + 3 * i, v + 3 * i);
    velocity_still(s, x, &motion, 0, s->natom, v);
}

void velocity_draw(const struct system *s, const double *x, double kelvin, uint64_t seed, double *v)
{
    for (int i = 0; i < s->natom; i++)
        for (int k = 0; k < 3; k++)
            v[3 * i + k] = velocity_width(s->mass[i], kelvin) * velocity_normal(&seed);
    system_hold(s, v, 0, s->natom);
    velocity_rest(s, x, v);
}

/* T = 2 K / (g k). */
double velocity_temperature(const struct system *s, double kinetic)
{
    return 2 * kinetic / (system_freedom(s) * VELOCITY_KB);
}
