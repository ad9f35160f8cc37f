/* thermostat.c - see thermostat.h. */
#include "thermostat.h"

#include <math.h>

#include "velocity.h"

/* Langevin's friction per AKMA time unit. */
static double thermostat_gamma(const struct thermostat *t, int atom)
{
    return (t->friction ? t->friction[atom] : t->gamma) * VELOCITY_AKMA;
}

/* a = gamma dt / 2, or zeta dt / 2 with Nose and Hoover's thermostat. */
double thermostat_friction(const struct thermostat *t, double dt, int atom)
{
    if (t->kind == THERMOSTAT_LANGEVIN)
        return thermostat_gamma(t, atom) * dt / 2;
    return t->kind == THERMOSTAT_NOSE ? t->zeta * dt / 2 : 0;
}

double thermostat_short(const struct thermostat *t, double dt, int atom)
{
    return t->kind == THERMOSTAT_LANGEVIN ? 1 / sqrt(1 + thermostat_friction(t, dt, atom)) : 1;
}

/* Variance 2 gamma k T m / dt in each step. The number of the deviate contains step and atom, so it
 * does not depend on the number of tasks. */
double thermostat_noise(const struct thermostat *t, double dt, long step, int atom, int axis)
{
    if (t->kind != THERMOSTAT_LANGEVIN)
        return 0;
    double gamma = thermostat_gamma(t, atom);
    uint64_t n = ((uint64_t)step << 32) + 3 * (uint64_t)atom + (uint64_t)axis;
    return sqrt(2 * gamma * VELOCITY_KB * t->kelvin / dt) * velocity_normal_at(t->seed, n);
}

/* aim is g k T. zeta advances with the kinetic energy at n + 1/2, eta with the mean of zeta before
 * and after. */
void thermostat_advance(struct thermostat *t, double dt, int freedom, double kinetic_half)
{
    if (t->kind != THERMOSTAT_NOSE)
        return;
    double aim = freedom * VELOCITY_KB * t->kelvin, tau = t->tau / VELOCITY_AKMA;
    double before = t->zeta;
    t->zeta += dt * (2 * kinetic_half - aim) / (aim * tau * tau);
    t->eta += dt * (before + t->zeta) / 2;
}

/* Nose and Hoover: added to the total energy, it makes a conserved sum. */
double thermostat_energy(const struct thermostat *t, int freedom)
{
    if (t->kind != THERMOSTAT_NOSE)
        return 0;
    double aim = freedom * VELOCITY_KB * t->kelvin, tau = t->tau / VELOCITY_AKMA;
    return aim * (tau * tau * t->zeta * t->zeta / 2 + t->eta);
}
