/* input.h - makes a system with coordinates from the files on the command line.
 *
 * Every task holds the whole structure and all coordinates (replicated data), so the functions are
 * collective and their results equal on all tasks.
 */
#pragma once

#include "comm.h"
#include "hmd_command.h"
#include "coor.h"
#include "system.h"

/* x, v and w are in the order of the PSF's atoms. All zero is valid for input_free(). */
struct input {
    struct psf psf;
    struct system system;
    struct param_options nonbonded; /* from the parameter files */
    double *x, *v;                  /* 3 * natom */
    double *w;                      /* natom: the weights of the coordinate file, CHARMM's WMAIN */
};

/* Reads everything.  Collective; every task has the result.  The first task prints warnings about
 * parameters, except the first *warned ones, which it has printed before; *warned becomes their
 * number.  Returns 0 or a status.  Call input_free() in either case. */
int input_read(struct input *in, const struct command *o, struct comm *comm, size_t *warned,
               struct err *e);
/* Reads coordinates of the structure from another file into *to; if `chosen` is not NULL, only
 * those atoms (one byte each).  Returns 0 or a status. */
int input_coordinates(struct input *in, const char *path, int pdb, const struct coor_set *to,
                      const unsigned char *chosen, struct comm *comm, struct err *e);
void input_free(struct input *in);
