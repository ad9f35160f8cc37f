/* dcd.h - trajectories in CHARMM's binary format, which VMD, MDAnalysis and others read. */
#pragma once

#include <stdio.h>

#include "cell.h"
#include "err.h"
#include "runtime/internal.h"

/* Only rank 0 has one. `column` is memory for one coordinate of all atoms. It is open from
 * dcd_open() to dcd_close(). */
struct dcd {
    struct replacement out;
    int natom, frames;
    int boxed;   /* frames have a box */
    int freedom; /* degrees of freedom, for readers that compute temperatures */
    long first, every;
    double dt;     /* ps */
    float *column; /* natom */
};

/* Begins the file `path` as specified by *d: natom, boxed, freedom, and frames at steps first,
 * first + every, ... of dt ps; the rest of *d must be zero.  ERR_RUN if it cannot be written. */
int dcd_open(struct dcd *d, const char *path, struct err *e);
/* Appends a frame, x: 3 * natom, in a box (unused unless d->boxed).  The file is complete after
 * each frame; the first one replaces an older file of that name. */
int dcd_frame(struct dcd *d, const double *x, const struct cell *cell, struct err *e);
/* Closes it; may be called for one that was never opened.  If the run has failed before its first
 * frame, an older file remains. */
int dcd_close(struct dcd *d, int failed, struct err *e);
