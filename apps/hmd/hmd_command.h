/* hmd_command.h - hmd's command line. */
#pragma once

#include "balance.h"
#include "barostat.h"
#include "constrain.h"
#include "err.h"
#include "heat.h"
#include "minimise.h"
#include "param.h"
#include "scheme.h"
#include "system.h"
#include "thermostat.h"

enum { COMMAND_FILES = 256, COMMAND_NAMES = 64 }; /* CHARMM-GUI's toppar.str names some 60 files */

/* Where nobody asks for a check of the energy: CHARMM's limit (dynamc.doc), and as many steps
 * between checks as cost 3 % of a run, where energies on every step cost a third. */
#define COMMAND_ECHECK 20.0 /* kcal/mol */
enum { COMMAND_ECHECK_EVERY = 10 };

struct command_files { /* what is read; NULL: not given */
    const char *psf, *crd, *pdb, *vel, *restart;
    const char *top[COMMAND_FILES], *par[COMMAND_FILES];
    int ntop, npar;
    struct script_set *names_of[COMMAND_FILES]; /* par: the names of a script's STREAM; or NULL */
    int names_n[COMMAND_FILES];
};

struct command_pairs {            /* which energy, in which box */
    double box[3], angle[3];      /* lengths, 0: none; degrees */
    double cutnb, ctofnb, ctonnb; /* Angstrom; < 0: not given */
    const char *elec, *vdw;       /* NULL: as the parameter file says */
    double kappa, ftol;           /* Ewald; 0: chosen */
    long fft[3], order;           /* PME; 0: chosen */
    int nocutoff;
    struct system_skip skip;
    struct param_options nonbonded; /* a script's NBONDS: before the parameter files' */
};

struct command_minimise {
    enum minimise_method mini;
    long nmini;      /* steps */
    double tolgrd;   /* kcal/mol/Angstrom */
    double tolenr;   /* kcal/mol */
    double ministep; /* first step, Angstrom */
};

struct command_run { /* dynamics; what it ties, minimisation ties, too */
    long nstep, iseed, ntrfrq;
    double timest;     /* ps */
    double firstt;     /* K; < 0: not given */
    double echeck;     /* kcal/mol by which a step may change the total energy; 0 or less: any */
    long echeck_every; /* steps between two checks */
    int verlet;
    enum constrain_kind shake;
    double shaketol;
    struct thermostat thermostat;
    struct barostat barostat;
    struct heat heat; /* a script's */
};

struct command_output { /* files: NULL: none */
    const char *write, *save, *dcd;
    long nprint, isvfrq, nsavc; /* steps */
    int json, progress;
};

struct command_parallel {
    const char *plan; /* NULL: as hrun says */
    enum {
        DECOMP_ATOM,
        DECOMP_REPLICATED,
        DECOMP_FORCE
    } decomp; /* replicated: by atoms, and all
                 forces to all tasks */
    enum balance_kind balance;
};

struct command_atoms { /* a script's, in the place of the structure's; NULL: those */
    const double *charge, *mass;
    int natom;                 /* ... of a structure of so many atoms */
    const unsigned char *gone; /* by atom of the file psf: a script has deleted it; NULL: none */
};

struct command {
    const char *input;               /* a script; NULL: the options say all */
    const char *name[COMMAND_NAMES]; /* NAME=VALUE or NAME:VALUE, for a script */
    int names;
    int help, version; /* was asked for; nothing else is checked then */
    struct command_files files;
    struct command_pairs pairs;
    struct command_minimise minimise;
    struct command_run run;
    struct command_output output;
    struct command_parallel parallel;
    struct command_atoms atoms;
};

/* Values of -elec and -vdw, for people. */
#define COMMAND_ELECS                                                                              \
    "shift, switch, fshift, fswitch, truncate, ewald or pme; with RDIE rshift, rswitch, rtruncate"
#define COMMAND_VDWS "vswitch, vshift, vfswitch or truncate"

/* 0, or ERR_INPUT with the message in *e. */
int command_parse(struct command *o, int argc, char **argv, struct err *e);
#define COMMAND_STEP_MOST 0.1 /* ps; a longer step is a mistake of units */
/* Whether a step of dynamics of this length, in ps, can be meant; `name` is what the user calls it.
 */
int command_check_step(double timest, const char *name, struct err *e);
/* Whether there are structure and parameters, and nothing that contradicts; ERR_INPUT with what is
 * wrong. */
int command_check(const struct command *o, struct err *e);
void command_help(void);

/* Whether an option says how Ewald's sum is to be done. */
int command_wants_ewald(const struct command *o);

/* command_scheme.c: */
/* The message about a box that cannot be: ERR_INPUT. */
int command_bad_box(const struct command *o, struct err *e);

/* The scheme and list cut-off that options, parameter file and box ask for; ERR_INPUT when they
 * contradict each other or do not fit into the box. */
int command_scheme(const struct command *o, const struct param_options *file, struct scheme *scheme,
                   double *cutnb, struct err *e);
