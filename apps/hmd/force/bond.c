/* bond.c - terms that depend on one distance: bonds, Urey-Bradley terms, 1-4 pairs, and positional
 * restraints.
 *
 * k (r - r0)^2, without a factor 1/2; the force on i is -2 k (r - r0) along r / |r|.
 */
#include <math.h>

#include "bonded.h"
#include "vec.h"

/* Two atoms at one place have no direction, so the force is 0 there. */
double bonded_bonds(const struct system *s, const struct system_bond *bond, const double *x,
                    double *f, int first, int last)
{
    double energy = 0;
    for (int n = first; n < last; n++) {
        const struct system_bond *b = &bond[n];
        double d[3];
        system_delta(s, x + 3 * b->i, x + 3 * b->j, d);
        double r = sqrt(vec_dot(d, d)), stretch = r - b->r0;
        energy += b->k * stretch * stretch;
        /* The force divided by r. */
        double slope = r > 0 ? -2 * b->k * stretch / r : 0;
        vec_add(f + 3 * b->i, slope, d);
        vec_add(f + 3 * b->j, -slope, d);
    }
    return energy;
}

/* With Ewald's sum, `force` and e are those of the bare charges; scheme_pair() contributes only
 * Lennard-Jones then. */
void bonded_pairs14(const struct system *s, const struct scheme *scheme, const double *x, double *f,
                    int first, int last, double *elec, double *vdw)
{
    int full = scheme->elec == SCHEME_ELEC_EWALD;
    for (int n = first; n < last; n++) {
        const struct system_pair14 *p = &s->term.pair14[n];
        double d[3], e, v;
        if (system_frozen(s, p->i) && system_frozen(s, p->j))
            continue;
        system_delta(s, x + 3 * p->i, x + 3 * p->j, d);
        double r2 = vec_dot(d, d);
        double force = scheme_pair(scheme, r2, full ? 0 : p->qq, p->a, p->b, &e, &v);
        /* Within a molecule the whole interaction, without the screening. */
        if (full) {
            e = p->qq / sqrt(r2);
            force += e / r2;
        }
        *elec += e;
        *vdw += v;
        vec_add(f + 3 * p->i, force, d);
        vec_add(f + 3 * p->j, -force, d);
    }
}

/* E = k s^(power/2) with s the weighted squared distance. For power 2 pow() gives 1 exactly, also
 * at s = 0. */
double bonded_anchors(const struct system *s, const double *x, double *f, int first, int last)
{
    double energy = 0;
    for (int n = first; n < last; n++) {
        const struct system_anchor *a = &s->held.anchor[n];
        double away[3], square = 0;
        for (int k = 0; k < 3; k++) {
            away[k] = x[3 * a->atom + k] - a->at[k];
            square += a->scale[k] * away[k] * away[k];
        }
        /* k s^(power/2) / s */
        double slope = a->k * pow(square, a->power / 2.0 - 1);
        energy += slope * square;
        for (int k = 0; k < 3; k++)
            f[3 * a->atom + k] -= a->power * slope * a->scale[k] * away[k];
    }
    return energy;
}
