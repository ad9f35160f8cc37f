/* integrate.h - moving a task's block of atoms by one time step.
 *
 * Leapfrog in CHARMM's form: d(n+1/2) = d(n-1/2) + dt^2 F(n) / m, x(n+1) = x(n) + d(n+1/2), kinetic
 * energy at n from (d(n+1/2) + d(n-1/2)) / (2 dt).  Velocity Verlet (Swope et al., J. Chem. Phys.
 * 76, 637 (1982)): half a kick, a drift, half a kick.  Both give the same trajectory; velocity
 * Verlet has the velocities at the full steps at hand.
 */
#ifndef HMD_INTEGRATE_H
#define HMD_INTEGRATE_H

#include "system.h"

struct integrate {
    const struct system *s;
    int first, last; /* the block of atoms */
    int verlet;
    double dt;    /* AKMA time units */
    double *move; /* 3 * block: leapfrog d(n-1/2), Verlet v(n-1/2) */
};

/* v: velocities at step 0 and f: forces there, of all atoms (3 * natom). */
void integrate_start(struct integrate *g, const struct system *s, int first, int last, int verlet,
                     double dt, const double *v, const double *f);
/* With forces at step n: moves the block's x to step n+1, returns its kinetic energy at step n. */
double integrate_step(struct integrate *g, const double *f, double *x);
void integrate_free(struct integrate *g);

#endif
