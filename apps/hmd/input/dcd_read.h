/* dcd_read.h - reading trajectories in the binary form that CHARMM, NAMD, hmd and others write.
 *
 * Read are files of either byte order, with and without a box, and with atoms that CONS FIX held,
 * which stand in the first frame only.  A file that ends in the middle of a frame, as one does
 * whose program was stopped, ends before it.  One task reads; see script_frames.h for all of them.
 */
#ifndef HMD_DCD_READ_H
#define HMD_DCD_READ_H

#include <stdio.h>

#include "cell.h"
#include "err.h"

struct dcd_reader {
    FILE *file;
    const char *path;
    int natom;
    long frames;       /* what the header says; the file may have others */
    long first, every; /* steps */
    long steps;        /* of the run */
    int freedom;       /* degrees of freedom; 0: not said */
    double dt;         /* ps */
    int boxed;         /* frames have a box */
    int swapped;       /* the other byte order */
    int fixed;         /* atoms that do not move */
    int nfree;         /* ... and that do */
    int *free;         /* ... which these are, from 0; NULL: all */
    long got;          /* frames read so far */
    float *column;
    double *still; /* 3 * natom: the first frame, where some do not move */
};

/* Opens a file and reads its header, which must have natom atoms; path is kept.  0, or ERR_INPUT
 * with the message; *r must be given to dcd_reader_close() in either case. */
int dcd_reader_open(struct dcd_reader *r, const char *path, int natom, struct err *e);
/* The next frame: x (3 * natom) and the six numbers of its box as they stand in the file (zeros
 * where there is none).  1; 0 at the end; -1 with a message in *e. */
int dcd_reader_frame(struct dcd_reader *r, double *x, double box[6], struct err *e);
void dcd_reader_close(struct dcd_reader *r);

/* The box of a frame from its six numbers: lengths and cosines, lengths and degrees, or CHARMM's
 * symmetric matrix, whichever has the angles (degrees, to half a degree) that the box is known to
 * have.  0: none of them does. */
int dcd_cell(const double box[6], const double angle[3], struct cell *c);

#endif
