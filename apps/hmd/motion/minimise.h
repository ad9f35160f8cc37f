/* minimise.h - moving downhill: to the next minimum of the energy. */
#pragma once

#include "comm.h"
#include "constrain.h"
#include "energy.h"
#include "err.h"
#include "energy_samples.h"

enum minimise_method { MINIMISE_NONE, MINIMISE_SD, MINIMISE_CONJ, MINIMISE_ABNR };

struct minimise {
    const struct system *s;
    struct comm *comm;
    struct energy *energy;
    const struct constrain *constrain; /* kept; x has the right lengths */
    enum minimise_method method;
    double *x;               /* 3 * natom, the same on all tasks: changed */
    long nstep;              /* steps at most */
    double tolerance;        /* ends when the root mean square of the gradient is below; 0: never */
    double tolerance_energy; /* ends when a step gains no more than this; 0: never */
    double step;             /* first step, Angstrom */
    long report_every;
    /* Called on every task for the first, each report_every-th and the last step. */
    void (*report)(void *context, const struct sample *sample, double change, double step);
    void *context;
    struct sample last; /* the last step */
};

/* Goes downhill. 0, or a status: ERR_RUN when an energy is no number, constraints cannot be kept,
 * or a message fails. */
int minimise_run(struct minimise *m, struct err *e);
