/* dcd.h - trajectories in CHARMM's binary form, which VMD, MDAnalysis and others read. */
#pragma once

#include <stdio.h>

#include "cell.h"
#include "err.h"

struct dcd {
    FILE *file;
    const char *path;
    int natom, frames;
    int boxed;   /* frames have a box */
    int freedom; /* degrees of freedom, for those who want a temperature */
    long first, every;
    double dt;     /* ps */
    float *column; /* natom */
};

/* Begins the file `path` of what *d says: natom, boxed, freedom, and frames at steps first, first +
 * every, ... of dt ps; the rest of *d is zero.  ERR_RUN when it cannot be written. */
int dcd_open(struct dcd *d, const char *path, struct err *e);
/* Adds a frame, x: 3 * natom, in a box (not used unless d->boxed). The file is whole after each. */
int dcd_frame(struct dcd *d, const double *x, const struct cell *cell, struct err *e);
/* Ends it; may be called for one that was never opened. */
int dcd_close(struct dcd *d, struct err *e);
