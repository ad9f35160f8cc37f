/* velocity.c - see velocity.h.
 *
 * Normal deviates by Box and Muller (Ann. Math. Stat. 29, 610 (1958)) from a 64-bit generator of
 * Steele, Lea & Flood (OOPSLA 2014, "SplitMix"), scaled by sqrt(kT/m).  All tasks draw all
 * velocities, so that they do not depend on the number of tasks.
 */
#include "velocity.h"

#include <math.h>

#include "vec.h"

static uint64_t velocity_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* In (0, 1]. */
static double velocity_uniform(uint64_t *state)
{
    return (double)((velocity_next(state) >> 11) + 1) * 0x1p-53;
}

static double velocity_normal(uint64_t *state)
{
    double r = sqrt(-2 * log(velocity_uniform(state)));
    return r * cos(2 * M_PI * velocity_uniform(state));
}

/* Sums m v into p and m x into c; returns the mass. */
static double velocity_sums(const struct system *s, const double *x, const double *v, double c[3],
                            double p[3])
{
    double mass = 0;
    for (int k = 0; k < 3; k++)
        c[k] = p[k] = 0;
    for (int i = 0; i < s->natom; i++) {
        vec_add(p, s->mass[i], v + 3 * i);
        vec_add(c, s->mass[i], x + 3 * i);
        mass += s->mass[i];
    }
    return mass;
}

/* Solves the symmetric 3 x 3 system I w = L; 0 when I is singular (a line of atoms). */
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

static void velocity_stop_rotation(const struct system *s, const double *x, const double c[3],
                                   double *v)
{
    double I[3][3] = {{0}}, L[3] = {0}, w[3], r[3], t[3];
    for (int i = 0; i < s->natom; i++) {
        for (int k = 0; k < 3; k++)
            r[k] = x[3 * i + k] - c[k];
        vec_cross(r, v + 3 * i, t);
        vec_add(L, s->mass[i], t);
        double r2 = vec_dot(r, r);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                I[k][l] += s->mass[i] * ((k == l) * r2 - r[k] * r[l]);
    }
    if (!velocity_solve(I, L, w))
        return;
    for (int i = 0; i < s->natom; i++) {
        for (int k = 0; k < 3; k++)
            r[k] = x[3 * i + k] - c[k];
        vec_cross(w, r, t);
        vec_add(v + 3 * i, -1, t);
    }
}

void velocity_draw(const struct system *s, const double *x, double kelvin, uint64_t seed, double *v)
{
    double c[3], p[3];
    for (int i = 0; i < s->natom; i++)
        for (int k = 0; k < 3; k++)
            v[3 * i + k] = sqrt(VELOCITY_KB * kelvin / s->mass[i]) * velocity_normal(&seed);
    if (s->natom < 2)
        return;
    double mass = velocity_sums(s, x, v, c, p);
    for (int k = 0; k < 3; k++)
        c[k] /= mass;
    for (int i = 0; i < s->natom; i++)
        vec_add(v + 3 * i, -1 / mass, p);
    if (s->box[0] <= 0)
        velocity_stop_rotation(s, x, c, v);
}

double velocity_temperature(const struct system *s, double kinetic)
{
    return 2 * kinetic / (system_freedom(s) * VELOCITY_KB);
}
