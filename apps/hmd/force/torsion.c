/* torsion.c - dihedral and improper angles.
 *
 * The angle and its gradient are those of Blondel & Karplus (J. Comput. Chem. 17, 1132 (1996), eq.
 * 27), which are singular only if three atoms are collinear; the angle itself is an atan2, exact
 * everywhere. n > 0: k (1 + cos(n phi - delta)). n = 0: k (phi - delta)^2 with the difference
 * reduced to [-pi, pi], and then reduced by the width. n < 0: k.
 */
#include <math.h>

#include "bonded.h"
#include "vec.h"

/* F, G, H are the bonds, A and B the normals of the two planes. The limit 1e-20 keeps collinear
 * atoms from dividing by 0: their force is large, but finite. */
double bonded_dihedral(const struct system *s, const double *x, const int atom[4],
                       double grad[4][3])
{
    double F[3], G[3], H[3], A[3], B[3];
    system_delta(s, x + 3 * atom[0], x + 3 * atom[1], F);
    system_delta(s, x + 3 * atom[1], x + 3 * atom[2], G);
    system_delta(s, x + 3 * atom[3], x + 3 * atom[2], H);
    vec_cross(F, G, A);
    vec_cross(H, G, B);
    double g = sqrt(vec_dot(G, G)), a2 = fmax(vec_dot(A, A), 1e-20),
           b2 = fmax(vec_dot(B, B), 1e-20);
    double fg = vec_dot(F, G) / (a2 * g), hg = vec_dot(H, G) / (b2 * g);
    double BA[3];
    vec_cross(B, A, BA);
    for (int k = 0; k < 3; k++) {
        double t = fg * A[k] - hg * B[k];
        grad[0][k] = -g / a2 * A[k];
        grad[3][k] = g / b2 * B[k];
        grad[1][k] = -grad[0][k] + t;
        grad[2][k] = -grad[3][k] - t;
    }
    return atan2(vec_dot(BA, G) / g, vec_dot(A, B));
}

/* The four gradients sum to 0, so momentum is conserved. */
void bonded_dihedral_force(double *f, const int atom[4], double grad[4][3], double slope)
{
    for (int k = 0; k < 4; k++)
        vec_add(f + 3 * atom[k], -slope, grad[k]);
}

/* A term with n < 0 is a constant: it only shifts the energy, as CHARMM counts it. */
double bonded_torsions(const struct system *s, const struct system_torsion *torsion,
                       const double *x, double *f, int first, int last)
{
    double energy = 0;
    for (int n = first; n < last; n++) {
        const struct system_torsion *t = &torsion[n];
        if (t->n < 0) {
            energy += t->force;
            continue;
        }
        const int atom[4] = {t->i, t->j, t->k, t->l};
        double grad[4][3], slope;
        double phi = bonded_dihedral(s, x, atom, grad);
        if (t->n) {
            /* k (1 + cos(n phi - delta)) */
            double angle = t->n * phi - t->delta;
            energy += t->force * (1 + cos(angle));
            slope = -t->force * t->n * sin(angle);
        } else {
            /* k d^2, where d is the deviation beyond the flat width. */
            double d = remainder(phi - t->delta, 2 * M_PI);
            d = copysign(fmax(0, fabs(d) - t->width), d);
            energy += t->force * d * d;
            slope = 2 * t->force * d;
        }
        bonded_dihedral_force(f, atom, grad, slope);
    }
    return energy;
}
