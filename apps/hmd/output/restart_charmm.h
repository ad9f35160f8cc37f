/* restart_charmm.h - CHARMM's own restart files (DYNA IUNWRI), to continue a run of CHARMM.
 *
 * Format: text.  "REST", version, kind of dynamics and crystal type; then parts that each begin
 * with a line " !NAMES", with numbers in Fortran's 3D22.15.  Relevant parts: CRYSTAL PARAMETERS
 * (the box), NATOM, ... (counts), XOLD, YOLD, ZOLD (positions at the last step, in all kinds of
 * dynamics), VX, VY, VZ (velocities there), X, Y, Z (leapfrog: the move of the next step).
 * Statistics, random numbers and thermostats are only used by CHARMM.
 */
#pragma once

#include "cell.h"
#include "err.h"
#include "text.h"

/* Sections of CHARMM's file. */
enum restart_part { RESTART_PLACES, RESTART_VELOCITIES, RESTART_MOVES, RESTART_PARTS };

struct restart_charmm {
    int natom;
    long step;
    int boxed; /* the file has a crystal: */
    struct cell cell;
    double *part[RESTART_PARTS]; /* 3 * natom: Angstrom, Angstrom per AKMA time unit, Angstrom */
};

/* True if the text begins like such a file; reads nothing. */
int restart_charmm_is(const struct text *t);
/* Reads *r; call restart_charmm_free() in either case.  ERR_INPUT: the file is damaged, or for
 * another number of atoms. All three parts must be there, and the counts. */
int restart_charmm_read(struct restart_charmm *r, struct text *t, int natom, struct err *e);
void restart_charmm_free(struct restart_charmm *r);
