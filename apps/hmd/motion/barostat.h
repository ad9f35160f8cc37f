/* barostat.h - constant pressure: stochastic cell rescaling (Bernetti & Bussi, J. Chem. Phys. 153,
 * 114107 (2020), eq. 7).
 *
 * With e = ln V, de = -beta / tau (P0 - P) dt + sqrt(2 k T beta / (V tau)) dW: as Berendsen's
 * barostat (J. Chem. Phys. 81, 3684 (1984)), with the noise that makes the volume fluctuate as at
 * constant pressure it must.  Places grow by exp(de / 3), velocities shrink by it; what constraints
 * tie together moves as one, by its centre of mass.  It acts every few steps, as the method allows,
 * and then a new neighbour list is made.  beta, an estimate of the compressibility, changes how
 * fast the volume follows, not where it goes.
 */
#ifndef HMD_BAROSTAT_H
#define HMD_BAROSTAT_H

#include "constrain.h"

struct barostat {
    double pref; /* atm; used only when on */
    double tau;  /* ps */
    double beta; /* compressibility, 1/atm */
    long every;  /* steps between two changes of the volume */
    int on;
};

/* By which factor lengths change after b->every steps of dt ps at a pressure (atm) and volume,
 * kelvin being the thermostat's and `normal` a normal deviate; within 0.3 percent of 1. */
double barostat_factor(const struct barostat *b, double pressure, double volume, double kelvin,
                       double dt, double normal);
/* Scales places x (3 * natom) about the origin; `whole` makes molecules whole (system_whole()). */
void barostat_places(const struct constrain *c, double factor, double *x, const double *whole);
/* Scales the velocities, or moves, of the atoms first ... last-1 (v[0] is of `first`) by 1 /
 * factor; no group of constraints may reach beyond them. */
void barostat_moves(const struct constrain *c, double factor, int first, int last, double *v);

#endif
