/* options.h - hmd's command line. */
#ifndef HMD_OPTIONS_H
#define HMD_OPTIONS_H

#include "err.h"
#include "param.h"
#include "scheme.h"
#include "system.h"

enum { OPTIONS_FILES = 32 };

struct options {
    const char *psf, *crd, *pdb, *vel, *svg;
    const char *top[OPTIONS_FILES], *par[OPTIONS_FILES];
    int ntop, npar;
    double box[3];                /* 0: none */
    double cutnb, ctofnb, ctonnb; /* Angstrom; < 0: not given */
    const char *elec, *vdw;       /* NULL: as the parameter file says */
    int nocutoff, json, progress, verlet, help, version;
    long nstep, nprint, iseed;
    double timest; /* ps */
    double firstt; /* K; < 0: not given */
    struct system_skip skip;
};

/* 0, or ERR_INPUT with the message in *e. */
int options_parse(struct options *o, int argc, char **argv, struct err *e);
void options_help(void);

/* The scheme and list cut-off that options and parameter file ask for; ERR_INPUT when they
 * contradict each other or do not fit into the box. */
int options_scheme(const struct options *o, const struct param_options *file, struct scheme *scheme,
                   double *cutnb, struct err *e);

#endif
