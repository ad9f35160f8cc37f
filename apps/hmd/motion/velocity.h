/* velocity.h - starting velocities, and the motion of the whole. */
#pragma once

#include <stdint.h>

#include "system.h"

#define VELOCITY_KB   1.987191e-3   /* Boltzmann's constant, kcal/mol/K (CHARMM's consta.fcm) */
#define VELOCITY_AKMA 4.88882129e-2 /* the AKMA unit of time, ps */

/* Momentum, and angular momentum about the origin. */
struct velocity_motion {
    double p[3], l[3];
};

/* Adds an atom's. */
void velocity_motion_add(struct velocity_motion *m, double mass, const double x[3],
                         const double v[3]);

/* Brings the whole to rest: takes the motion of all atoms at x (3 * natom) out of the velocities v
 * of the atoms first ... last-1 (v[0] is that of `first`).  In vacuum the rotation, too.  Where
 * atoms are frozen it does nothing. */
void velocity_still(const struct system *s, const double *x, const struct velocity_motion *motion,
                    int first, int last, double *v);

/* Draws velocities v (3 * natom, Angstrom per AKMA time unit) from the Maxwell distribution at
 * `kelvin`; equal seeds give equal velocities.  The whole is at rest. x are the coordinates. */
void velocity_draw(const struct system *s, const double *x, double kelvin, uint64_t seed,
                   double *v);

/* The n-th normal deviate of a seed: any n may be asked for, in any order. */
double velocity_normal_at(uint64_t seed, uint64_t n);

/* Temperature that goes with a kinetic energy in kcal/mol. */
double velocity_temperature(const struct system *s, double kinetic);
