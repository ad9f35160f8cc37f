/* dynamics.h - the run: energies and forces step by step, over all tasks. */
#ifndef HMD_DYNAMICS_H
#define HMD_DYNAMICS_H

#include "comm.h"
#include "energy.h"
#include "err.h"
#include "integrate.h"
#include "samples.h"
#include "timers.h"

struct dynamics {
    const struct system *s;
    struct comm *comm;
    struct energy energy;
    double *x, *v; /* 3 * natom: coordinates; velocities at the start */
    double dt;     /* ps */
    long nstep;
    int verlet;
    long sample_every;
    /* Called on every task for each sample, when all its numbers are there. */
    void (*report)(void *context, const struct sample *sample);
    void *context;

    struct samples samples;
    struct timers timers;
};

/* Runs nstep steps from x and v, which are changed (v is not brought up to date).  0, or a status:
 * ERR_RUN when energies or coordinates are no numbers any more, or a message fails. */
int dynamics_run(struct dynamics *d, struct err *e);

#endif
