/* dcd.h - trajectories in CHARMM's binary form, which VMD, MDAnalysis and others read. */
#ifndef HMD_DCD_H
#define HMD_DCD_H

#include <stdio.h>

#include "err.h"

struct dcd {
    FILE *file;
    const char *path;
    int natom, frames;
    double box[3]; /* 0: none */
    long first, every;
    double dt;     /* ps */
    float *column; /* natom */
};

/* Begins the file anew.  Frames will be steps first, first + every, ...; a run ahead of them has
 * the time step dt (ps).  ERR_RUN when it cannot be written. */
int dcd_open(struct dcd *d, const char *path, int natom, const double box[3], long first,
             long every, double dt, struct err *e);
/* Adds a frame, x: 3 * natom. The file is whole after each. */
int dcd_frame(struct dcd *d, const double *x, struct err *e);
/* Ends it; may be called for one that was never opened. */
int dcd_close(struct dcd *d, struct err *e);

#endif
