/* input.h - from the files on the command line to a system with coordinates. */
#pragma once

#include "comm.h"
#include "hmd_command.h"
#include "coor.h"
#include "system.h"

struct input {
    struct psf psf;
    struct system system;
    struct param_options nonbonded; /* what the parameter files ask for */
    double *x, *v;                  /* 3 * natom */
    double *w;                      /* natom: the weights of the coordinate file, CHARMM's WMAIN */
};

/* Reads everything; every task calls it and has all of it afterwards.  The first one prints what is
 * odd in the parameters, but for the first *warned of these lines, which it did before; *warned
 * becomes their number.  0, or a status. *in must be given to input_free() in either case. */
int input_read(struct input *in, const struct command *o, struct comm *comm, size_t *warned,
               struct err *e);
/* Reads coordinates of the structure from one more file into *to; where `chosen` is not NULL, those
 * of these atoms (a byte each).  0, or a status. */
int input_coordinates(struct input *in, const char *path, int pdb, const struct coor_set *to,
                      const unsigned char *chosen, struct comm *comm, struct err *e);
void input_free(struct input *in);
