/* ewald.h - electrostatics of all periodic images: Ewald's sum, exact or by smooth PME.
 *
 *     E = real + reciprocal + self + excluded + charge        (Ewald, Ann. Phys. 64, 253 (1921))
 *     real       q q erfc(kappa r) / r, pairs within the cut-off: the pair kernels, with the table
 *                below; 1-4 pairs with q q e14fac / r, bonded.h
 *     reciprocal 1/(2 pi V) sum over m != 0 of exp(-pi^2 m^2 / kappa^2) / m^2 |S(m)|^2, summed
 *                directly (ewald_sum.c) or by smooth particle mesh (pme.c)
 *     self       -kappa / sqrt(pi) sum of q^2
 *     excluded   -q q erf(kappa r) / r for pairs that the reciprocal part must not include
 *     charge     -pi Q^2 / (2 V kappa^2): a net charge Q and the uniform neutralising background
 *
 * Charges are scaled as in system.h, so that there is no constant before q q.
 */
#pragma once

#include "comm.h"
#include "scheme.h"
#include "system.h"

struct pme;
struct ewald_sum;

/* Part of struct energy. The table is read by the pair kernels. */
struct ewald {
    const struct system *s;
    struct scheme_ewald setup;
    int rank, size;
    double *table; /* cubics of erf(kappa r) / r over r^2, see ewald_smooth() */
    double table_scale;
    int table_n;
    struct pme *pme; /* one of pme and sum is set */
    struct ewald_sum *sum;
};

/* Result of the reciprocal part: energy, and the virial, the sum of x_i f_i along x, y, z. */
struct ewald_result {
    double energy, virial[3];
};

/* Chooses values not given in *w (zeros) for a box and cut-off roff: kappa such that erfc(kappa
 * roff) = tolerance / 4, and waves or grid accordingly.  Returns 0, or ERR_INPUT: no box, or a grid
 * that is too coarse for the splines or whose size has factors other than 2, 3, 5. All tasks choose
 * the same values, since they pass the same arguments. */
int ewald_choose(struct scheme_ewald *w, const double box[3], double roff, double tolerance,
                 struct err *e);

/* Prepares this task's part of the sums; scheme->elec must be SCHEME_ELEC_EWALD. s must remain
 * valid. All other functions of this part need it. */
void ewald_init(struct ewald *w, const struct system *s, const struct scheme *scheme, int rank,
                int size);
/* Also valid for one that is all zero. */
void ewald_free(struct ewald *w);

/* The constant terms, and this task's excluded pairs, whose forces are added to f. */
double ewald_self(const struct ewald *w);
/* 0 if the correction of a net charge is switched off. */
double ewald_charge(const struct ewald *w);
/* Of excluded pairs whose first atom is in first ... last-1. */
double ewald_excluded(const struct ewald *w, const double *x, double *f, int first, int last);

/* Computes this task's part of the reciprocal part and adds its forces to f.  Collective with PME
 * on several tasks (comm may be NULL for one task). share: part[] of share.h.  Returns 0 or a
 * status. */
int ewald_reciprocal(struct ewald *w, struct comm *comm, const double *share, const double *x,
                     double *f, struct ewald_result *result, struct err *e);

/* Must be called when the size of the box has changed; kappa and grid are kept. The table does not
 * depend on the box. */
void ewald_rescaled(struct ewald *w);
/* erf(kappa r) / r from r^2, and its derivative with respect to r^2. */
double ewald_smooth(double kappa, double r2, double *slope);

/* ---- the two methods (ewald_sum.c, pme.c) --------------------------------------------------- */

/* The direct sum: O(atoms x waves), for small systems and as a reference. */
struct ewald_sum *ewald_sum_new(const struct system *s, const struct scheme_ewald *setup);
void ewald_sum_free(struct ewald_sum *w);
/* Waves are divided among the tasks; no messages. */
struct ewald_result ewald_sum_run(struct ewald_sum *w, const double *x, double *f, int rank,
                                  int size);

/* The grid: O(n log n). Planes of it are divided among the tasks, by their shares. */
struct pme *pme_new(const struct system *s, const struct scheme_ewald *setup, int rank, int size);
void pme_free(struct pme *p);
int pme_run(struct pme *p, struct comm *comm, const double *share, const double *x, double *f,
            struct ewald_result *result, struct err *e);
/* Recomputes the weights of the waves. */
void pme_rescaled(struct pme *p);
