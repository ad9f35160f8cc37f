/* ewald.h - electrostatics of all periodic images: Ewald's sum, exact or by smooth PME.
 *
 *   E = real + reciprocal + self + excluded + charge        (Ewald, Ann. Phys. 64, 253 (1921))
 *   real       q q erfc(kappa r) / r, pairs within the cut-off: the pair kernels, with the table
 *              below; 1-4 pairs with q q e14fac / r, bonded.h
 *   reciprocal 1/(2 pi V) sum over m != 0 of exp(-pi^2 m^2 / kappa^2) / m^2 |S(m)|^2, summed as it
 *              is (ewald_sum.c) or by smooth particle mesh (pme.c)
 *   self       -kappa / sqrt(pi) sum of q^2
 *   excluded   -q q erf(kappa r) / r for pairs that the reciprocal part must not have had
 *   charge     -pi Q^2 / (2 V kappa^2): a net charge Q and the even background that makes up for it
 *
 * Charges are scaled as in system.h, so that there are no constants before q q.
 */
#pragma once

#include "comm.h"
#include "scheme.h"
#include "system.h"

struct pme;
struct ewald_sum;

struct ewald {
    const struct system *s;
    struct scheme_ewald setup;
    int rank, size;
    double *table; /* cubics for erf(kappa r) / r over r^2, see ewald_table_value() */
    double table_scale;
    int table_n;
    struct pme *pme; /* one of the two */
    struct ewald_sum *sum;
};

/* Result of a reciprocal part: energy, and the virial, the sum of x_i f_i along x, y, z. */
struct ewald_result {
    double energy, virial[3];
};

/* Chooses what is not given in *w (zeros) for a box and cut-off roff: kappa so that erfc(kappa
 * roff) = tolerance / 4, waves or grid to go with it.  0, or ERR_INPUT: no box, or a grid that is
 * too coarse for the splines or has a size with other factors than 2, 3, 5. */
int ewald_choose(struct scheme_ewald *w, const double box[3], double roff, double tolerance,
                 struct err *e);

/* For this task's part of the sums; scheme->elec must be SCHEME_ELEC_EWALD. s must stay. */
void ewald_init(struct ewald *w, const struct system *s, const struct scheme *scheme, int rank,
                int size);
void ewald_free(struct ewald *w);

/* The constant terms, and those of this task's excluded pairs with forces added to f. */
double ewald_self(const struct ewald *w);
double ewald_charge(const struct ewald *w);
double ewald_excluded(const struct ewald *w, const double *x, double *f, int first, int last);

/* This task's part of the reciprocal part; forces are added to f.  PME on several tasks exchanges
 * messages (comm may be NULL for one task): all tasks call it together. `share`: the part[] of
 * share.h.  0, or a status. */
int ewald_reciprocal(struct ewald *w, struct comm *comm, const double *share, const double *x,
                     double *f, struct ewald_result *result, struct err *e);

/* The box has another size; kappa and grid stay. */
void ewald_rescaled(struct ewald *w);
/* Marks in need (a byte an atom) what this task's reciprocal part depends on while no atom is
 * farther than `slack` from x. */
void ewald_needs(const struct ewald *w, const double *share, const double *x, double slack,
                 unsigned char *need);

/* erf(kappa r) / r from r^2, and its derivative by r^2. */
double ewald_smooth(double kappa, double r2, double *slope);

/* ---- the two ways (ewald_sum.c, pme.c) ------------------------------------------------------ */

struct ewald_sum *ewald_sum_new(const struct system *s, const struct scheme_ewald *setup);
void ewald_sum_free(struct ewald_sum *w);
struct ewald_result ewald_sum_run(struct ewald_sum *w, const double *x, double *f, int rank,
                                  int size);

struct pme *pme_new(const struct system *s, const struct scheme_ewald *setup, int rank, int size);
void pme_free(struct pme *p);
int pme_run(struct pme *p, struct comm *comm, const double *share, const double *x, double *f,
            struct ewald_result *result, struct err *e);
void pme_rescaled(struct pme *p);
void pme_needs(const struct pme *p, const double *share, const double *x, double slack,
               unsigned char *need);
