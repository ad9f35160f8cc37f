/* input.h - from the files on the command line to a system with coordinates. */
#ifndef HMD_INPUT_H
#define HMD_INPUT_H

#include "comm.h"
#include "command.h"
#include "system.h"

struct input {
    struct psf psf;
    struct system system;
    struct param_options nonbonded; /* what the parameter files ask for */
    double *x, *v;                  /* 3 * natom */
};

/* Reads everything; every task calls it and has all of it afterwards.  0, or a status. *in must be
 * given to input_free() in either case. */
int input_read(struct input *in, const struct command *o, struct comm *comm, struct err *e);
void input_free(struct input *in);

#endif
