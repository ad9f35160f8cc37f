/* dynamics.h - molecular dynamics over all tasks, with energies and forces in every step. */
#pragma once

#include "cell.h"
#include "balance.h"
#include "barostat.h"
#include "comm.h"
#include "constrain.h"
#include "energy.h"
#include "energy_check.h"
#include "err.h"
#include "heat.h"
#include "restart.h"
#include "energy_samples.h"
#include "thermostat.h"
#include "timers.h"

/* Step numbers continue through restarts; they select random numbers, files and reports. */
struct dynamics_start {
    const struct restart *from; /* continues from there; x is its x. NULL: begins with x and v */
    long first;                 /* number of the first step */
};

/* The first task writes both. */
struct dynamics_files {
    const char *save, *dcd;     /* restart file, trajectory; NULL: none */
    long save_every, dcd_every; /* steps between two of them; save 0: only at the end */
};

/* Filled in by the caller, who owns x and v and every pointer. `samples` and `timers` are results.
 * x and v have Angstrom and Angstrom per AKMA time unit. */
struct dynamics {
    const struct system *s;
    struct comm *comm;
    struct energy *energy;
    const struct constrain *constrain;
    struct thermostat thermostat;
    struct barostat barostat;
    struct heat heat;
    struct cell *cell; /* s->cell, if the barostat may change it */
    double *x, *v;     /* 3 * natom: coordinates; initial velocities */
    double dt;         /* ps */
    long nstep;
    enum balance_kind balance; /* load balancing */
    long still_every;          /* steps after which the overall motion is removed; 0: never */
    long sample_every;
    struct energy_check echeck;
    struct dynamics_start start;
    struct dynamics_files files;
    /* Called on every task for each complete sample. */
    void (*report)(void *context, const struct sample *sample);
    void *context;

    struct samples samples;
    struct timers timers;
};

/* Runs nstep steps from x and v; at the end both are those of the last step, on all tasks. Returns
 * 0 or a status: ERR_RUN if energies or coordinates are no numbers any more, the total energy
 * changes by too much in a step, constraints cannot be satisfied, a file cannot be written, or a
 * message fails. */
int dynamics_run(struct dynamics *d, struct err *e);
