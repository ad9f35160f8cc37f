/* integrate.h - moves a task's block of atoms by one time step.
 *
 * Leapfrog in CHARMM's form: d(n+1/2) = d(n-1/2) + dt^2 F(n) / m, x(n+1) = x(n) + d(n+1/2), kinetic
 * energy at n from (d(n+1/2) + d(n-1/2)) / (2 dt).  Velocity Verlet (Swope et al., J.  Chem.  Phys.
 * 76, 637 (1982)) gives the same positions and the same velocities at n: its half kick at the end
 * of a step is followed by that of the next.  So it needs no code of its own.  Thermostats change
 * the kick (thermostat.h); constraints correct x(n+1) and thereby d(n+1/2).
 */
#pragma once

#include "constrain.h"
#include "system.h"
#include "thermostat.h"
#include "velocity.h"

/* Each task has one, for its block. Arrays of the block begin at atom `first`. */
struct integrate {
    const struct system *s;
    struct constrain constrain; /* masses are multiplied by 1 + a, see thermostat.h, if a differs */
    const struct thermostat *thermostat;
    int first, last; /* the block of atoms */
    double dt;       /* AKMA time units */
    double *inertia; /* these masses (natom); NULL: a is equal for all atoms */
    double *move;    /* 3 * block: moves of step n-1/2 */
    double *next;    /* 3 * block: moves of step n+1/2, before they are accepted */
    double *y;       /* 3 * natom: coordinates of the block at n+1, before they are accepted */
};

/* Sums over the block; the sums over all tasks are the system's. */
struct integrate_sums {
    double kinetic;                /* at n */
    double kinetic_half;           /* at n+1/2 */
    double axis[3];                /* the kinetic energy at n, along x, y, z */
    double virial[3];              /* of the constraints at n */
    struct velocity_motion motion; /* of x(n+1) with velocities at n+1/2 */
};

/* Initialises a block at rest. constrain and thermostat must remain valid. */
void integrate_init(struct integrate *g, const struct system *s, const struct constrain *constrain,
                    const struct thermostat *thermostat, int first, int last, double dt);
void integrate_free(struct integrate *g);

/* Goes back half a step from x and v at step 0, with forces f of the block (f[0] is of atom
 * `first`); x, v: 3 * natom. The coordinates one step before, x - dt v, are constrained like those
 * of a step. */
int integrate_start(struct integrate *g, const double *x, const double *v, const double *f,
                    struct err *e);
/* Computes the moves from step n to n+1 from forces at step n; x (3 * natom) is not changed.
 * ERR_RUN if constraints cannot be satisfied; then the moves are not usable. */
int integrate_step(struct integrate *g, long step, const double *x, const double *f,
                   struct integrate_sums *sums, struct err *e);
/* The sum of an atom's moves before and after step n, multiplied by this, is its velocity at n. */
double integrate_mean(const struct integrate *g, int atom);
/* Accepts the moves: the block of x is then at step n+1. */
void integrate_accept(struct integrate *g, double *x);
