/* energy_samples.h - energies over time, and their statistics. */
#pragma once

#include <stddef.h>

#include "energy.h"

#define SAMPLES_ATM      68568.415 /* kcal/mol/Angstrom^3 in atm */
#define SAMPLES_LEAST_PS 1.0       /* minimum length of a run with a meaningful drift */

/* The energies of one step. Every task has the same. */
struct sample {
    long step;
    double time;               /* ps */
    double term[ENERGY_TERMS]; /* kcal/mol */
    double ener, totk, tote;   /* potential, kinetic, total */
    double conserved;          /* tote, plus the thermostat's contribution that makes it
                                  conserved */
    double virial;             /* sum of x_i f_i, including constraints, kcal/mol */
    double pressure, volume;   /* atm, Angstrom^3; 0 without a box */
    double axis[3];            /* the pressure along x, y, z */
    double temp;               /* K */
    double grms;               /* root mean square of the gradient, kcal/mol/Angstrom */
};

/* Grows by one sample at a time. Every task has all samples. */
struct samples {
    struct sample *at;
    size_t n;
};

/* Copies the sample. */
void samples_add(struct samples *s, const struct sample *sample);
void samples_free(struct samples *s);

/* Means of all columns, and root mean square deviations from them. */
void samples_mean(const struct samples *s, struct sample *mean, struct sample *fluctuation);
/* Least-squares slope of the conserved energy over time, kcal/mol/ps; 0 for fewer than two
 * samples. */
double samples_drift(const struct samples *s);
/* True if the run is long enough for a meaningful drift: in less than a picosecond it would be the
 * fluctuation of some vibrations, which take 10 fs and more each. */
int samples_drift_known(const struct samples *s);
