/* hmd_command.h - hmd's command line.
 *
 * A script fills in the same structures as the options do, so both have one implementation.
 * Pointers refer to argv, or to memory that the script owns.
 */
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

/* Defaults of the energy check: CHARMM's limit (dynamc.doc), and a number of steps between checks
 * that costs 3 % of a run; energies in every step would cost a third. */
#define COMMAND_ECHECK 20.0 /* kcal/mol */
enum { COMMAND_ECHECK_EVERY = 10 };

/* CHARMM's order of PME's splines for a grid that a script gives without ORDER (ewald.doc). */
enum { COMMAND_ORDER = 4 };

struct command_files { /* input files; NULL: not given */
    const char *psf, *crd, *pdb, *vel, *restart;
    const char *top[COMMAND_FILES], *par[COMMAND_FILES];
    int ntop, npar;
    struct script_set *names_of[COMMAND_FILES]; /* par: names defined by a script's STREAM; or
                                                   NULL */
    int names_n[COMMAND_FILES];
};

struct command_pairs {       /* energy functions and box */
    double box[3], angle[3]; /* lengths, 0: none; degrees */
    double ftol;             /* Ewald: accuracy of forces; 0: automatic */
    int nocutoff;
    struct system_skip skip;
    struct param_options nonbonded; /* options, or a script's NBONDS; replaces the parameter
                                       files' */
};

/* Steepest descent, conjugate gradients or ABNR; the first limit that is reached ends it. */
struct command_minimise {
    enum minimise_method mini;
    long nmini;      /* steps */
    double tolgrd;   /* kcal/mol/Angstrom */
    double tolenr;   /* kcal/mol */
    double ministep; /* first step, Angstrom */
};

struct command_run { /* dynamics; its constraints also apply to minimisation */
    long nstep, iseed, ntrfrq;
    double timest;     /* ps */
    double firstt;     /* K; < 0: not given */
    double echeck;     /* kcal/mol by which a step may change the total energy; <= 0: unlimited */
    long echeck_every; /* steps between two checks */
    enum constrain_kind shake;
    double shaketol;
    struct thermostat thermostat;
    struct barostat barostat;
    struct heat heat; /* from a script */
};

struct command_output { /* files: NULL: none */
    const char *write, *save, *dcd;
    long nprint, isvfrq, nsavc; /* steps */
    int json, progress;
};

/* Nothing here changes results, except for their last bits. */
struct command_parallel {
    const char *plan;                               /* NULL: hrun's */
    enum { DECOMP_ATOM, DECOMP_REPLICATED } decomp; /* replicated: all forces to all tasks */
    enum balance_kind balance;
};

struct command_atoms { /* from a script, replacing the structure's; NULL: the structure's */
    const double *charge, *mass;
    int natom;                 /* for a structure with this many atoms */
    const unsigned char *gone; /* by atom of the PSF file: deleted by a script; NULL: none */
};

/* Copied for each command of a script, and changed in the copy only, unless the setting
 * persists. */
struct command {
    const char *input;               /* a script; NULL: only options */
    const char *name[COMMAND_NAMES]; /* NAME=VALUE or NAME:VALUE, for a script */
    int names;
    int help, version; /* requested; nothing else is checked then */
    struct command_files files;
    struct command_pairs pairs;
    struct command_minimise minimise;
    struct command_run run;
    struct command_output output;
    struct command_parallel parallel;
    struct command_atoms atoms;
};

/* Values of -elec and -vdw for error messages. */
#define COMMAND_ELECS                                                                              \
    "shift, switch, fshift, fswitch, truncate, ewald or pme; with RDIE rshift, rswitch, rtruncate"
#define COMMAND_VDWS "vswitch, vshift, vfswitch or truncate"

/* Returns 0, or ERR_INPUT with the message in *e. o->input is "/dev/stdin" for "-i -", or if there
 * are names and no structure. */
int command_parse(struct command *o, int argc, char **argv, struct err *e);
#define COMMAND_STEP_MOST 0.1 /* ps; a longer step is a mistake of units */
/* Checks that a time step in ps is plausible; `name` is the option as the user wrote it. */
int command_check_step(double timest, const char *name, struct err *e);
/* Checks that structure and parameters are given, and that options are consistent. Returns 0, or
 * ERR_INPUT with a message. */
int command_check(const struct command *o, struct err *e);
/* Prints all options to standard output. */
void command_help(void);

/* Returns the flag of a term of the energy (upper case, four letters count); NULL: no term. */
int *command_skip(struct system_skip *skip, const char *term);
/* True if an option requests Ewald's sum. */
int command_wants_ewald(const struct command *o);

/* command_scheme.c: */
/* Reports an impossible box. Returns ERR_INPUT. */
int command_bad_box(const struct command *o, struct err *e);

/* Computes the scheme and list cut-off from all options (merged with those of parameter files) and
 * box.  ERR_INPUT if they contradict each other or do not fit in the box. */
int command_scheme(const struct command *o, const struct param_options *all, struct scheme *scheme,
                   double *cutnb, struct err *e);
