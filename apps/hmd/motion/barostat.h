/* barostat.h - constant pressure: stochastic cell rescaling (Bernetti & Bussi, J. Chem. Phys. 153,
 * 114107 (2020)).
 *
 * With e = ln V, de = -beta / tau (P0 - P) dt + sqrt(2 k T beta / (V tau)) dW: as Berendsen's
 * barostat (J. Chem. Phys. 81, 3684 (1984)), with the noise that makes the volume fluctuate as at
 * constant pressure it must.  Places grow by exp(de / 3), velocities shrink by it; what constraints
 * tie together moves as one, by its centre of mass.  It acts every few steps, as the method allows,
 * and then a new neighbour list is made.  beta, an estimate of the compressibility, changes how
 * fast the volume follows, not where it goes.
 *
 * Lengths may change apart: n of them together have n thirds of beta, and the mean of their
 * pressures counts; x and y beside z is the paper's semi-isotropic form, each by itself is made
 * likewise.  The logarithm h of what n lengths span has drift n beta / (3 tau) (P - P0) and
 * diffusion D = n beta k T / (3 tau V).  That is D dln(w)/dh + dD/dh for the weight w = V exp(-P0 V
 * / k T) Z, for k T dln(Z)/dh = P V and dD/dh = -D: it samples exp(-P0 V / k T) Z over lengths, as
 * one box that may take any of them.  Where nothing opposes, as in a liquid, their ratio walks at
 * random.
 */
#pragma once

#include "constrain.h"

/* Lengths that change together: all; x and y, and z by itself; none. */
enum barostat_form { BAROSTAT_WHOLE, BAROSTAT_LAYERS, BAROSTAT_AXES };

struct barostat {
    double pref; /* atm; used only when on */
    double tau;  /* ps */
    double beta; /* compressibility, 1/atm */
    long every;  /* steps between two changes of the volume */
    int on;
    enum barostat_form form;
    double more[3]; /* atm, that the pressure along x, y, z is to have above pref */
    int still[3];   /* the box keeps its length along it */
};

/* By which factors the lengths along x, y, z change after b->every steps of dt ps at these
 * pressures (atm) and a volume, kelvin being the thermostat's and `normal` normal deviates; within
 * 0.3 percent of 1. */
void barostat_factor(const struct barostat *b, const double pressure[3], double volume,
                     double kelvin, double dt, const double normal[3], double factor[3]);
/* Scales places x (3 * natom) about the origin; `whole` makes molecules whole (system_whole()). */
void barostat_places(const struct constrain *c, const double factor[3], double *x,
                     const double *whole);
/* Scales the velocities, or moves, of the atoms first ... last-1 (v[0] is of `first`) by 1 /
 * factor; no group of constraints may reach beyond them. */
void barostat_moves(const struct constrain *c, const double factor[3], int first, int last,
                    double *v);
