/* energy_check.h - ECHECK, as CHARMM's dynamics does it: no step may change the total energy by
 * more than a limit and by more than a tenth of the kinetic energy. */
#pragma once

#include "energy_samples.h"
#include "err.h"

struct energy_check {
    double limit;          /* kcal/mol; 0: every change is allowed */
    long every;            /* steps between two checks */
    long begin;            /* the first step of the run */
    long compared;         /* the step whose energy is `level`; -1: none yet */
    double level, kinetic; /* kcal/mol: what is conserved, and the kinetic energy then */
};

void energy_check_begin(struct energy_check *c, long step);
/* Whether energies are compared at step n, and whether that does not depend on where the run
 * begins.
 */
int energy_check_due(const struct energy_check *c, long n);
int energy_check_regular(const struct energy_check *c, long n);
/* The energy is about to change by intention: the next check compares nothing. */
void energy_check_forget(struct energy_check *c);
/* Compares the energy of a sample with that of the check before.  0, or ERR_RUN. */
int energy_check(struct energy_check *c, const struct sample *s, struct err *e);
