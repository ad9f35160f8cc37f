/* energy_check.h - ECHECK as in CHARMM's dynamics: no step may change the total energy by more than
 * a limit and by more than a tenth of the kinetic energy. */
#pragma once

#include "energy_samples.h"
#include "err.h"

/* CHARMM's ECHECK (dynamc.doc). With Nose-Hoover the conserved energy is compared. */
struct energy_check {
    double limit;          /* kcal/mol; 0: unlimited */
    long every;            /* steps between two checks */
    long begin;            /* the first step of the run */
    long compared;         /* the step whose energy is `level`; -1: none yet */
    double level, kinetic; /* kcal/mol: conserved energy and kinetic energy in that step */
};

/* `step` is the first one of the run. */
void energy_check_begin(struct energy_check *c, long step);
/* energy_check_due(): true if energies are compared in step n. energy_check_regular(): true if that
 * does not depend on where the run begins. */
int energy_check_due(const struct energy_check *c, long n);
/* These steps are the same in any run, so they may use the kernel with energies. */
int energy_check_regular(const struct energy_check *c, long n);
/* Must be called before an intended change of the energy: the next check compares nothing. */
void energy_check_forget(struct energy_check *c);
/* Compares the energy of a sample with that of the previous check. Returns 0 or ERR_RUN. */
int energy_check(struct energy_check *c, const struct sample *s, struct err *e);
