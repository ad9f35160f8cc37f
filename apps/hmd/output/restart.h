/* restart.h - files from which a run continues as if it had not ended.
 *
 * The file contains everything that the next step depends on, with all digits: coordinates, the
 * moves of half a step earlier, the coordinates of the last neighbour list (the order of sums
 * depends on it), and the thermostat.  On the same number of tasks and the same machines the
 * continued run has the same bits; on others it is equivalent.
 *
 * Format: text.  "hmd-restart 4", then "name value" lines, then a line for each atom with nine
 * numbers of 17 digits: x, moves, list.
 */
#pragma once

#include "cell.h"
#include "err.h"
#include "text.h"
#include "thermostat.h"

/* natom must be known before the arrays are allocated. cell, zeta, eta and seen are 0 if the run
 * had none. */
struct restart {
    int natom, tasks;
    long step;
    double dt; /* ps */
    struct cell cell;
    double zeta, eta;
    double seen[2];          /* struct heat */
    double *x, *move, *list; /* 3 * natom */
};

/* Allocates the arrays for natom atoms. */
void restart_new(struct restart *r, int natom);
void restart_free(struct restart *r);

/* Replaces the file atomically.  Returns 0 or ERR_RUN. */
int restart_write(const struct restart *r, const char *path, struct err *e);
/* Reads *r; call restart_free() in either case.  ERR_INPUT: the file is no restart file, is
 * incomplete, or is for another number of atoms. */
int restart_read(struct restart *r, struct text *t, int natom, struct err *e);
