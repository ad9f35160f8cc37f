/* barostat.h - constant pressure: stochastic cell rescaling (Bernetti & Bussi, J.  Chem.  Phys.
 * 153, 114107 (2020)).
 *
 * With e = ln V, de = -beta / tau (P0 - P) dt + sqrt(2 k T beta / (V tau)) dW: Berendsen's barostat
 * (J.  Chem.  Phys. 81, 3684 (1984)), with the noise that gives the volume fluctuations of the
 * constant-pressure ensemble.  Positions are multiplied by exp(de / 3), velocities divided by it;
 * constrained groups move rigidly with their centre of mass.  It acts every few steps, as the
 * method allows, and then a new neighbour list is made. beta, an estimate of the compressibility,
 * determines how fast the volume follows, not its distribution.
 *
 * Lengths may change separately: n lengths together have n thirds of beta, and the mean of their
 * pressures counts. x and y besides z is the paper's semi-isotropic form; separate axes are derived
 * likewise.  The logarithm h of the measure of n lengths has drift n beta / (3 tau) (P - P0) and
 * diffusion D = n beta k T / (3 tau V).  That is D dln(w)/dh + dD/dh for the weight w = V exp(-P0 V
 * / k T) Z, with k T dln(Z)/dh = P V and dD/dh = -D.  So it samples exp(-P0 V / k T) Z over
 * lengths, like one box that may take any of them.  If nothing resists, as in a liquid, the ratio
 * of lengths performs a random walk.
 */
#pragma once

#include "constrain.h"

/* Lengths that change together: all; x and y, and z separately; none. */
enum barostat_form { BAROSTAT_WHOLE, BAROSTAT_LAYERS, BAROSTAT_AXES };

/* Constant during a run. */
struct barostat {
    double pref; /* atm; used only if on */
    double tau;  /* ps */
    double beta; /* compressibility, 1/atm */
    long every;  /* steps between two changes of the volume */
    int on;
    enum barostat_form form;
    double more[3]; /* atm added to pref for the pressure along x, y, z */
    int still[3];   /* the length along this axis is constant */
};

/* Computes the factors of the lengths along x, y, z after b->every steps of dt ps, for these
 * pressures (atm) and volume. kelvin is the thermostat's, `normal` are normal deviates.  Factors
 * are within 0.3 percent of 1. */
void barostat_factor(const struct barostat *b, const double pressure[3], double volume,
                     double kelvin, double dt, const double normal[3], double factor[3]);
/* Scales positions x (3 * natom) about the origin; `whole` makes molecules whole
 * (system_whole()). */
void barostat_places(const struct constrain *c, const double factor[3], double *x,
                     const double *whole);
/* Divides the velocities, or moves, of the atoms first ... last-1 (v[0] is of `first`) by factor;
 * no constrained group may extend beyond them. The constrained groups' velocities are scaled as a
 * whole, too. */
void barostat_moves(const struct constrain *c, const double factor[3], int first, int last,
                    double *v);
