/* dynamics.h - the run: energies and forces step by step, over all tasks. */
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

struct dynamics_start {
    const struct restart *from; /* continues from there; x is its x. NULL: begins with x and v, */
    long first;                 /* at this step */
};

struct dynamics_files {
    const char *save, *dcd;     /* restart file, trajectory; NULL: none */
    long save_every, dcd_every; /* steps between two of them; save 0: at the end only */
};

struct dynamics {
    const struct system *s;
    struct comm *comm;
    struct energy *energy;
    const struct constrain *constrain;
    struct thermostat thermostat;
    struct barostat barostat;
    struct heat heat;
    struct cell *cell; /* s->cell, where the barostat may change it */
    double *x, *v;     /* 3 * natom: coordinates; velocities at the start */
    double dt;         /* ps */
    long nstep;
    int verlet;
    int force;                 /* force decomposition, halo.h; else by atoms */
    enum balance_kind balance; /* how work shifts between tasks */
    long still_every; /* steps between two times when the whole is brought to rest; 0: never */
    long sample_every;
    struct energy_check echeck;
    struct dynamics_start start;
    struct dynamics_files files;
    /* Called on every task for each sample, when all its numbers are there. */
    void (*report)(void *context, const struct sample *sample);
    void *context;

    struct samples samples;
    struct timers timers;
};

/* Runs nstep steps from x and v; both are brought to the end of the run, on all tasks.  0, or a
 * status: ERR_RUN when energies or coordinates are no numbers any more, the total
 * energy changes by too much in a step, constraints cannot be kept,
 * a file cannot be written, or a message fails. */
int dynamics_run(struct dynamics *d, struct err *e);
