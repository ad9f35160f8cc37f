/* velocity.h - initial velocities, and overall motion. */
#pragma once

#include <stdint.h>

#include "system.h"

#define VELOCITY_KB   1.987191e-3   /* Boltzmann's constant, kcal/mol/K (CHARMM's consta.fcm) */
#define VELOCITY_AKMA 4.88882129e-2 /* the AKMA unit of time, ps */

/* Momentum, and angular momentum about the origin. Sums over tasks are added component by
 * component. */
struct velocity_motion {
    double p[3], l[3];
};

/* Adds the motion of one atom. */
void velocity_motion_add(struct velocity_motion *m, double mass, const double x[3],
                         const double v[3]);

/* Removes the motion of all atoms at x (3 * natom) from the velocities v of the atoms first ...
 * last-1 (v[0] is that of `first`).  In vacuum also the rotation.  Does nothing if atoms are
 * frozen. */
void velocity_still(const struct system *s, const double *x, const struct velocity_motion *motion,
                    int first, int last, double *v);

/* Removes the overall motion of all atoms, unless there is only one. */
void velocity_rest(const struct system *s, const double *x, double *v);
/* Draws velocities v (3 * natom, Angstrom per AKMA time unit) from the Maxwell distribution at
 * `kelvin`, without overall motion; equal seeds give equal velocities. x are the coordinates. */
void velocity_draw(const struct system *s, const double *x, double kelvin, uint64_t seed,
                   double *v);

/* The n-th normal deviate of a seed, with random access. A function of its arguments only. */
double velocity_normal_at(uint64_t seed, uint64_t n);

/* The temperature for a kinetic energy in kcal/mol. */
double velocity_temperature(const struct system *s, double kinetic);
