/* thermostat.h - NVT: the equations of motion of Langevin, and of Nose and Hoover.
 *
 *     Langevin     m dv/dt = F - m gamma v + R, R white noise (Brooks, Brunger & Karplus, Chem.
 *                  Phys. Lett. 105, 495 (1984), "BBK", CHARMM's form of leapfrog)
 *     Nose-Hoover  dv/dt = F/m - zeta v, Q dzeta/dt = 2 K - g k T (Hoover, Phys. Rev. A 31, 1695
 *                  (1985)), Q = g k T tau^2; E + Q zeta^2 / 2 + g k T eta is conserved,
 *                  deta/dt = zeta
 *
 * Both make a step of leapfrog v(n+1/2) = (v(n-1/2) (1 - a) + dt/m (F + R)) / (1 + a), where a is
 * gamma dt / 2 or zeta dt / 2. zeta(n+1) follows from the kinetic energy at n+1/2, which all tasks
 * receive with the coordinates of n+1.
 */
#pragma once

#include <stdint.h>

/* None: constant energy. Langevin: friction and noise. Nose and Hoover: a friction that changes
 * with the temperature. */
enum thermostat_kind { THERMOSTAT_NONE, THERMOSTAT_LANGEVIN, THERMOSTAT_NOSE };

/* The state (zeta, eta) is equal on all tasks and part of restart files. `friction` is not
 * owned. */
struct thermostat {
    enum thermostat_kind kind;
    double kelvin;
    double gamma;           /* Langevin: friction, 1/ps */
    const double *friction; /* of each atom, instead of gamma; NULL: equal for all */
    double tau;             /* Nose-Hoover: time constant, ps */
    uint64_t seed;
    double zeta, eta; /* Nose-Hoover's state; zeta per AKMA time unit */
};

/* a, see above, of an atom, for a time step in AKMA units. */
double thermostat_friction(const struct thermostat *t, double dt, int atom);
/* The mean of v(n-1/2) and v(n+1/2) has less kinetic energy than either, by a factor 1 / (1 + a)
 * with Langevin's noise, which differs in each step (1 without noise). Returns the square root, by
 * which the mean must be divided, as in CHARMM. */
double thermostat_short(const struct thermostat *t, double dt, int atom);
/* The random force on a component of an atom in a step, as a multiple of sqrt(mass). */
double thermostat_noise(const struct thermostat *t, double dt, long step, int atom, int axis);
/* Advances from step n to n+1, with the kinetic energy in between. */
void thermostat_advance(struct thermostat *t, double dt, int freedom, double kinetic_half);
/* The thermostat's contribution to the conserved energy. */
double thermostat_energy(const struct thermostat *t, int freedom);
