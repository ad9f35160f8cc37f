/* velocity.h - starting velocities and the motion of the whole. */
#ifndef HMD_VELOCITY_H
#define HMD_VELOCITY_H

#include <stdint.h>

#include "system.h"

#define VELOCITY_KB   1.987191e-3   /* Boltzmann's constant, kcal/mol/K (CHARMM's consta.fcm) */
#define VELOCITY_AKMA 4.88882129e-2 /* the AKMA unit of time, ps */

/* Draws velocities v (3 * natom, Angstrom per AKMA time unit) from the Maxwell distribution at
 * `kelvin`; equal seeds give equal velocities.  The centre of mass is brought to rest, and in
 * vacuum the rotation about it. x are the coordinates. */
void velocity_draw(const struct system *s, const double *x, double kelvin, uint64_t seed,
                   double *v);

/* Temperature that goes with a kinetic energy in kcal/mol. */
double velocity_temperature(const struct system *s, double kinetic);

#endif
