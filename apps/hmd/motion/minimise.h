/* minimise.h - energy minimisation: finds the next minimum. */
#pragma once

#include "comm.h"
#include "constrain.h"
#include "energy.h"
#include "err.h"
#include "energy_samples.h"

/* CHARMM's SD, CONJ and ABNR (minimiz.doc). */
enum minimise_method { MINIMISE_NONE, MINIMISE_SD, MINIMISE_CONJ, MINIMISE_ABNR };

/* Filled in by the caller. x is the result; `last` has its energy. */
struct minimise {
    const struct system *s;
    struct comm *comm;
    struct energy *energy;
    const struct constrain *constrain; /* satisfied throughout; x has the correct lengths */
    enum minimise_method method;
    double *x;               /* 3 * natom, equal on all tasks; changed */
    long nstep;              /* maximum number of steps */
    double tolerance;        /* ends when the root mean square gradient is no more */
    double tolerance_energy; /* ends when a step reduces the energy by no more than this; 0:
                                never */
    double step;             /* first step, Angstrom */
    long report_every;
    /* Called on every task for the first, each report_every-th and the last step. */
    void (*report)(void *context, const struct sample *sample, double change, double step);
    void *context;
    struct sample last; /* the last step */
};

/* Minimises. Returns 0 or a status: ERR_RUN if an energy is no number, constraints cannot be
 * satisfied, or a message fails. */
int minimise_run(struct minimise *m, struct err *e);
