/* hmd_command.c - hmd's command line: one row for each option, and checks of their combination.
 *
 * A single value is checked when it is read, a combination by command_check(), and what depends on
 * the box and the parameter files by command_scheme().  A script sets the same struct by its own
 * commands and calls the same checks, so both ways behave alike.
 *
 * Strings of options point into argv.  Nothing is opened here.  All tasks parse the same words, so
 * all of them find the same error.
 */
#include "hmd_command.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "runtime/internal.h"
#include "ewald.h"
#include "text.h"

/* ---- values ------------------------------------------------------------------------------- */

#define COMMAND_LIST(name, field, count)                                                           \
    static int take_##name(void *to, const char *value)                                            \
    {                                                                                              \
        struct command *o = to;                                                                    \
        return command_file(#name, value, o->field, &o->count);                                    \
    }

/* The word itself is stored, since argv lives as long as the command. */
static int command_file(const char *name, const char *value, const char **list, int *n)
{
    if (*n == COMMAND_FILES)
        return error_set(HN_EARG, "-%s: more than %d files", name, COMMAND_FILES);
    list[(*n)++] = value;
    return HN_OK;
}

COMMAND_LIST(top, files.top, files.ntop)
COMMAND_LIST(par, files.par, files.npar)

/* The words of these options are in the order of their enums: OPTION_WORD stores a word's index. */
_Static_assert(CONSTRAIN_NONE == 0 && CONSTRAIN_HYDROGEN == 1 && CONSTRAIN_BONDS == 2, "-shake");
_Static_assert(BALANCE_NONE == 0 && BALANCE_RING == 1 && BALANCE_GLOBAL == 2, "-balance");
_Static_assert(THERMOSTAT_NONE == 0 && THERMOSTAT_LANGEVIN == 1 && THERMOSTAT_NOSE == 2, "-therm");
_Static_assert(MINIMISE_NONE == 0 && MINIMISE_SD == 1 && MINIMISE_CONJ == 2 && MINIMISE_ABNR == 3,
               "-mini");

/* Lengths and angles; three or six numbers, all above 0. */
static int take_box(void *to, const char *value)
{
    struct command *o = to;
    double v[6] = {0, 0, 0, 90, 90, 90};
    char copy[128], *at = copy;
    int n = 0, more = 1;
    snprintf(copy, sizeof copy, "%s", value);
    for (; more && n < 6; n++) {
        char *stop = at + strcspn(at, ",");
        more = *stop == ',';
        *stop = 0;
        if (!text_double(at, &v[n]) || v[n] <= 0)
            break;
        at = stop + 1;
    }
    /* Also stored if it is wrong: the error ends the program. */
    memcpy(o->pairs.box, v, sizeof o->pairs.box);
    memcpy(o->pairs.angle, v + 3, sizeof o->pairs.angle);
    if (!more && (n == 3 || n == 6))
        return HN_OK;
    return error_set(
        HN_EARG,
        "-box %s: expected three positive lengths in Angstrom: -box 30,30,30, and, where "
        "they are not right, three angles",
        value);
}

int *command_skip(struct system_skip *skip, const char *term)
{
    const struct {
        const char *name;
        int *flag;
    } table[] = {{"BOND", &skip->bond},     {"ANGL", &skip->angle},    {"UREY", &skip->urey},
                 {"DIHE", &skip->dihedral}, {"IMPR", &skip->improper}, {"CMAP", &skip->cmap},
                 {"VDW", &skip->vdw},       {"ELEC", &skip->elec},     {"HARM", &skip->harm},
                 {"CDIH", &skip->cdih}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (text_same(term, table[i].name))
            return table[i].flag;
    return NULL;
}

/* A list; terms of several -skip add up. */
static int take_skip(void *to, const char *value)
{
    char copy[128], *at = copy;
    snprintf(copy, sizeof copy, "%s", value);
    text_upper(copy);
    while (at) {
        char *next = strchr(at, ',');
        if (next)
            *next++ = 0;
        int *flag = command_skip(&((struct command *)to)->pairs.skip, at);
        if (!flag)
            return error_set(
                HN_EARG, "-skip %s: '%s' is no term: use BOND ANGL UREY DIHE IMPR CMAP VDW ELEC",
                value, at);
        *flag = 1;
        at = next;
    }
    return HN_OK;
}

/* In the names of the options RDIE is an "r" before the scheme. */
static int take_elec(void *to, const char *value)
{
    struct param_options *o = &((struct command *)to)->pairs.nonbonded;
    int distance = value[0] == 'r';
    o->dielectric = distance ? PARAM_RDIE : PARAM_CDIE;
    snprintf(o->elec, sizeof o->elec, "%s", value + distance);
    if (scheme_elec_of(value) < 0)
        return error_set(HN_EARG, "-elec %s: expected " COMMAND_ELECS, value);
    return HN_OK;
}

/* Numbers of five digits at most; ewald.c checks what a transform can do. */
static int take_fft(void *to, const char *value)
{
    double *fft = ((struct command *)to)->pairs.nonbonded.fft;
    long n[3];
    char more;
    int good = sscanf(value, "%5ld,%5ld,%5ld%c", &n[0], &n[1], &n[2], &more) == 3;
    for (int k = 0; good && k < 3; k++) {
        good = n[k] > 0;
        fft[k] = (double)n[k];
    }
    if (good)
        return HN_OK;
    return error_set(HN_EARG, "-fft %s: expected three numbers of grid points: -fft 32,32,36",
                     value);
}

/* Only the name is stored; command_scheme() combines it with those of the parameter file. */
static int take_vdw(void *to, const char *value)
{
    struct param_options *o = &((struct command *)to)->pairs.nonbonded;
    snprintf(o->vdw, sizeof o->vdw, "%s", value);
    if (scheme_vdw_of(value) < 0)
        return error_set(HN_EARG, "-vdw %s: expected " COMMAND_VDWS, value);
    return HN_OK;
}

/* The limit is checked on every step. */
static int take_echeck(void *to, const char *value)
{
    struct command *o = to;
    o->run.echeck_every = 1;
    if (text_double(value, &o->run.echeck) && o->run.echeck >= 0)
        return HN_OK;
    return error_set(HN_EARG, "-echeck %s: give a number that is not negative", value);
}

/* Turns the barostat on. The pressure may be negative. */
static int take_pref(void *to, const char *value)
{
    struct barostat *b = &((struct command *)to)->run.barostat;
    b->on = 1;
    if (text_double(value, &b->pref))
        return HN_OK;
    return error_set(HN_EARG, "-pref %s: expected a pressure in atm", value);
}

/* ---- the table ---------------------------------------------------------------------------- */

enum { COMMAND_SCRIPT_ROWS = 5 }; /* the first rows may be used with -i */
static const struct option_row command_rows[] = {
    {"i", "FILE",
     "input in CHARMM's command language (-: from stdin), instead of the options from -psf on",
     OPTION_TEXT(command, input)},
    {"plan", "NAME[,NAME]",
     "plan of the collectives, and that of sums, as hplan writes it (default: as hrun says)",
     OPTION_TEXT(command, parallel.plan)},
    {"decomp", "NAME",
     "what a task gets in a step: atom (all coordinates, own forces) or replicated (all, all)",
     OPTION_WORD(command, parallel.decomp, "atom replicated")},
    {"progress", NULL, "progress on stderr, also when that is no terminal",
     OPTION_SET(command, output.progress)},
    {"balance", "NAME",
     "shift work until steps take equal time: ring (between neighbours in the network), global "
     "(all at once) or none",
     OPTION_WORD(command, parallel.balance, "none ring global")},
    {"psf", "FILE", "structure: plain, EXT or XPLOR PSF", OPTION_TEXT(command, files.psf)},
    {"top", "FILE", "topology (RTF) or stream file; may be repeated", take_top},
    {"par", "FILE", "parameter or stream file; may be repeated", take_par},
    {"crd", "FILE", "coordinates: CHARMM CRD, short or EXT", OPTION_TEXT(command, files.crd)},
    {"pdb", "FILE", "coordinates: PDB", OPTION_TEXT(command, files.pdb)},
    {"box", "A,B,C[,ALPHA,BETA,GAMMA]", "periodic box, Angstrom, degrees (90)", take_box},
    {"nocutoff", NULL, "all pairs, no cut-off", OPTION_SET(command, pairs.nocutoff)},
    {"cutnb", "X", "distance up to which pairs are listed, Angstrom",
     OPTION_REAL(command, pairs.nonbonded.cutnb, 0)},
    {"ctofnb", "X", "distance where interactions end",
     OPTION_REAL(command, pairs.nonbonded.ctofnb, 0)},
    {"ctonnb", "X", "distance where switching begins",
     OPTION_REAL(command, pairs.nonbonded.ctonnb, 0)},
    {"elec", "NAME", COMMAND_ELECS, take_elec},
    {"vdw", "NAME", COMMAND_VDWS, take_vdw},
    {"kappa", "K", "Ewald: width of the charge clouds, 1/Angstrom (from -ftol)",
     OPTION_REAL(command, pairs.nonbonded.kappa, 0)},
    {"ftol", "X", "Ewald: relative accuracy of forces (ewald: 1e-10, pme: 1e-5)",
     OPTION_REAL(command, pairs.ftol, 0)},
    {"fft", "X,Y,Z", "PME: grid points along the axes (from -ftol)", take_fft},
    {"order", "N", "PME: order of the splines, even, 4 to 12 (6)",
     OPTION_REAL(command, pairs.nonbonded.order, 1)},
    {"nstep", "N", "steps of dynamics; 0: the energy only (0)",
     OPTION_NUMBER(command, run.nstep, 0, LONG_MAX)},
    {"timest", "PS", "time step (0.001)", OPTION_REAL(command, run.timest, 0)},
    {"echeck", "X",
     "the run ends when a step changes the total energy by more than this, kcal/mol, and a tenth "
     "of "
     "the kinetic energy (20, on every 10th step; 0: never)",
     take_echeck},
    {"mini", "NAME",
     "minimise before: sd (steepest descent), conj (conjugate gradients) or abnr (adopted-basis "
     "Newton-Raphson)",
     OPTION_WORD(command, minimise.mini, "none sd conj abnr")},
    {"nmini", "N", "steps of minimisation at most (100)",
     OPTION_NUMBER(command, minimise.nmini, 0, LONG_MAX)},
    {"tolgrd", "X", "minimisation ends at this root mean square gradient (0)",
     OPTION_REAL(command, minimise.tolgrd, 0)},
    {"shake", "NAME", "bonds of fixed length: bonh (to hydrogen) or bonds (all)",
     OPTION_WORD(command, run.shake, "none bonh bonds")},
    {"shaketol", "X", "relative tolerance of their lengths (1e-10)",
     OPTION_REAL(command, run.shaketol, 0)},
    {"thermostat", "NAME", "langevin or nose (Nose-Hoover): constant temperature",
     OPTION_WORD(command, run.thermostat.kind, "none langevin nose")},
    {"tref", "T", "its temperature, K (-firstt, else 298.15)",
     OPTION_REAL(command, run.thermostat.kelvin, 0)},
    {"fbeta", "X", "langevin: friction, 1/ps (5)", OPTION_REAL(command, run.thermostat.gamma, 0)},
    {"tau", "PS", "nose: time constant (0.5)", OPTION_REAL(command, run.thermostat.tau, 0)},
    {"pref", "ATM", "constant pressure (with -box and -thermostat), atm", take_pref},
    {"taup", "PS", "its time constant (1)", OPTION_REAL(command, run.barostat.tau, 1)},
    {"compress", "X", "estimated compressibility, 1/atm (4.6e-5)",
     OPTION_REAL(command, run.barostat.beta, 1)},
    {"npref", "N", "steps between two changes of the volume (10)",
     OPTION_NUMBER(command, run.barostat.every, 1, LONG_MAX)},
    {"ntrfrq", "N", "steps after which the motion of the whole is stopped (0: never)",
     OPTION_NUMBER(command, run.ntrfrq, 0, LONG_MAX)},
    {"restart", "FILE",
     "continue from this restart file, hmd's or CHARMM's, instead of -crd or -pdb",
     OPTION_TEXT(command, files.restart)},
    {"save", "FILE", "write a restart file at the end", OPTION_TEXT(command, output.save)},
    {"isvfrq", "N", "and every N steps", OPTION_NUMBER(command, output.isvfrq, 0, LONG_MAX)},
    {"dcd", "FILE", "trajectory in CHARMM's binary form", OPTION_TEXT(command, output.dcd)},
    {"nsavc", "N", "steps between two of its frames (100)",
     OPTION_NUMBER(command, output.nsavc, 1, LONG_MAX)},
    {"write", "FILE", "the coordinates at the end, as a CRD", OPTION_TEXT(command, output.write)},
    {"skip", "TERM,...", "leave out BOND ANGL UREY DIHE IMPR CMAP VDW ELEC", take_skip},
    {"vel", "FILE", "velocities as a CRD, Angstrom per AKMA time unit",
     OPTION_TEXT(command, files.vel)},
    {"firstt", "T", "velocities drawn at this temperature, K", OPTION_REAL(command, run.firstt, 0)},
    {"iseed", "N", "seed for them (314159)", OPTION_NUMBER(command, run.iseed, 0, LONG_MAX)},
    {"nprint", "N", "steps between two reports (100)",
     OPTION_NUMBER(command, output.nprint, 1, LONG_MAX)},
    {"json", NULL, "one JSON document on stdout instead of the report",
     OPTION_SET(command, output.json)}};

/* Names in other programs, and of CHARMM's own commands. hmd accepts none of them; a wrong option
 * gets the right name as a hint. */
static const struct option_hint command_hints[] = {
    {"prm", "par"},         {"param", "par"},      {"params", "par"},
    {"parameters", "par"},  {"str", "par"},        {"toppar", "par"},
    {"stream", "par"},      {"rtf", "top"},        {"topology", "top"},
    {"structure", "psf"},   {"coor", "crd"},       {"coords", "crd"},
    {"coordinates", "crd"}, {"cutoff", "ctofnb"},  {"switch", "ctonnb"},
    {"pairlist", "cutnb"},  {"cell", "box"},       {"timestep", "timest"},
    {"dt", "timest"},       {"steps", "nstep"},    {"numsteps", "nstep"},
    {"run", "nstep"},       {"temp", "firstt"},    {"temperature", "firstt"},
    {"seed", "iseed"},      {"minimize", "mini"},  {"minimise", "mini"},
    {"pressure", "pref"},   {"trajectory", "dcd"}, {"output", "write"},
    {"nve", "nstep"},       {"nvt", "thermostat"}, {"langevin", "thermostat"},
    {"pme", "elec"},        {"ewald", "elec"},     {"input", "i"}};

static const struct option_table command_table = {
    .tool = "hmd",
    .usage = "hmd -psf FILE [-top FILE]... -par FILE... -crd FILE|-pdb FILE [OPTION]...\n"
             "       hmd -i FILE [NAME=VALUE]...\n"
             "       hrun -np 4 hmd ...",
    .about = "Molecular dynamics with CHARMM's force fields, on the tasks of a job.",
    .row = command_rows,
    .n = sizeof command_rows / sizeof *command_rows,
    .hint = command_hints,
    .hints = sizeof command_hints / sizeof *command_hints};

void command_help(void)
{
    options_help(&command_table, stdout);
}

/* ---- consistency -------------------------------------------------------------------------- */

/* Options that were not given are 0 here. */
int command_wants_ewald(const struct command *o)
{
    const struct param_options *n = &o->pairs.nonbonded;
    return n->kappa > 0 || o->pairs.ftol > 0 || n->fft[0] > 0 || n->order > 0;
}

/* The name is that of the option or of the script's word. */
int command_check_step(double timest, const char *name, struct err *e)
{
    if (timest > 0 && timest <= COMMAND_STEP_MOST)
        return 0;
    return err_set(e, ERR_INPUT,
                   "%s %g: expected a time step above 0 and up to %g, in ps: 0.001 is a "
                   "femtosecond, 0.002 goes with SHAKE",
                   name, timest, COMMAND_STEP_MOST);
}

/* Combinations; single values were checked when they were read. */
int command_check(const struct command *o, struct err *e)
{
    if (!o->files.psf)
        return err_set(e, ERR_INPUT,
                       "no structure: give a PSF with -psf FILE, or commands with -i FILE");
    if (!o->files.par[0])
        return err_set(e, ERR_INPUT, "no parameters: give them with -par FILE");
    if (o->pairs.nocutoff && o->pairs.box[0] > 0)
        return err_set(e, ERR_INPUT, "-nocutoff and -box: a periodic box needs a cut-off");
    const struct param_options *n = &o->pairs.nonbonded;
    if (o->pairs.nocutoff && (n->cutnb >= 0 || n->ctofnb >= 0 || n->ctonnb >= 0))
        return err_set(e, ERR_INPUT, "-nocutoff and a cut-off: give one of them");
    /* Below, round-off would prevent convergence; above, energy would drift. */
    if (o->run.shaketol < 1e-14 || o->run.shaketol > 1e-3)
        return err_set(e, ERR_INPUT, "%s %g: expected a number from 1e-14 to 1e-3",
                       o->input ? "SHAKE TOL" : "-shaketol", o->run.shaketol);
    if (o->run.thermostat.kind == THERMOSTAT_NOSE &&
        (o->run.thermostat.tau <= 0 || o->run.thermostat.kelvin <= 0))
        return err_set(e, ERR_INPUT, "-thermostat nose: expected -tau and -tref above 0");
    if (o->pairs.nocutoff && (n->elec[0] || n->vdw[0] || command_wants_ewald(o)))
        return err_set(e, ERR_INPUT,
                       "-nocutoff and -elec, -vdw or a word of Ewald's: all pairs interact fully, "
                       "give one of them");
    /* -firstt 0 is a temperature, too: all velocities are 0. */
    if (o->files.vel && o->run.firstt >= 0)
        return err_set(e, ERR_INPUT, "-vel and -firstt: give one of them");
    return command_check_step(o->run.timest, "-timest", e);
}

/* Coordinates must come from only one source. !crd == !pdb: both or none. */
static int command_coordinates(const struct command *o, struct err *e)
{
    if (o->files.restart && (o->files.crd || o->files.pdb || o->files.vel || o->run.firstt >= 0 ||
                             o->minimise.mini != MINIMISE_NONE))
        return err_set(e, ERR_INPUT,
                       "-restart has coordinates and velocities: leave out -crd, -pdb, -vel, "
                       "-firstt and -mini");
    if (!o->files.restart && !o->files.crd == !o->files.pdb)
        return err_set(e, ERR_INPUT, "%s: give -crd FILE or -pdb FILE",
                       o->files.crd ? "coordinates from two files" : "no coordinates");
    return 0;
}

/* NAME=VALUE for a script, as in CHARMM. The name itself must be letters, digits and '_'. Returns 1
 * if the word was taken. */
static int command_name(struct command *o, const char *word)
{
    size_t n = 0;
    while (isalnum((unsigned char)word[n]) || word[n] == '_')
        n++;
    if (n == 0 || (word[n] != '=' && word[n] != ':') || o->names == COMMAND_NAMES)
        return 0;
    o->name[o->names++] = word;
    return 1;
}

/* Parses options, and names between them. Returns as options_parse(). */
static int command_words(struct command *o, const struct option_table *table, int argc, char **argv)
{
    int from = 0, at = options_parse(table, argc, argv, o);
    /* options_parse() skips a first word, which is the name from the second round on. */
    while (at > 0 && from + at < argc && command_name(o, argv[from + at])) {
        from += at;
        at = options_parse(table, argc - from, argv + from, o);
    }
    return at < 0 || at == OPTIONS_HELP || at == OPTIONS_VERSION ? at : from + at;
}

/* With an input script, options for the same purpose would be ignored, so they are rejected. Parses
 * the words again with only the rows that a script allows. */
static int command_check_script(const struct command *o, int argc, char **argv, struct err *e)
{
    struct command again = {.names = 0};
    struct option_table table = command_table;
    /* Any other option is an error there, so the result is not argc. */
    table.n = COMMAND_SCRIPT_ROWS;
    if (command_words(&again, &table, argc, argv) == argc)
        return 0;
    return err_set(e, ERR_INPUT,
                   "-i %s: the file says what is read and done: hmd takes -plan, -decomp, "
                   "-progress and -balance beside it, no other options",
                   o->input);
}

/* Defaults are those of docs/hmd.md. Returns 0 also for -help and -version. Members that are not
 * named are 0 or NULL: not given, or none. */
int command_parse(struct command *o, int argc, char **argv, struct err *e)
{
    *o = (struct command){.run.firstt = -1,
                          .pairs.angle = {90, 90, 90},
                          .run.timest = 0.001,
                          .run.shaketol = 1e-10,
                          .minimise.nmini = 100,
                          .minimise.ministep = 0.02,
                          .output.nsavc = 100,
                          .run.thermostat = {.kelvin = -1, .gamma = 5, .tau = 0.5},
                          .run.barostat = {.tau = 1, .beta = 4.6e-5, .every = 10},
                          .output.nprint = 100,
                          .run.iseed = 314159,
                          .run.echeck = COMMAND_ECHECK,
                          .run.echeck_every = COMMAND_ECHECK_EVERY};
    param_options_init(&o->pairs.nonbonded);
    /* Values below 0 mark options that were not given. */
    int at = command_words(o, &command_table, argc, argv);
    o->help = at == OPTIONS_HELP;
    o->version = at == OPTIONS_VERSION;
    if (o->help || o->version)
        return 0;
    if (at < 0)
        return err_set(e, ERR_INPUT, "%s", hn_error_text());
    if (at < argc)
        return err_set(e, ERR_INPUT, "'%s' is no option of hmd: hmd -help lists them", argv[at]);
    /* 298.15 K is room temperature. */
    if (o->run.thermostat.kelvin < 0)
        o->run.thermostat.kelvin = o->run.firstt >= 0 ? o->run.firstt : 298.15;
    if ((o->input && strcmp(o->input, "-") == 0) || (!o->input && o->names && !o->files.psf))
        o->input = "/dev/stdin"; /* as in CHARMM: NAME=VALUE < FILE */
    /* Names are variables of a script, and mean nothing to options. */
    if (o->names && !o->input)
        return err_set(e, ERR_INPUT, "%s: a name is for an input: give that with -i FILE",
                       o->name[0]);
    if (o->input)
        return command_check_script(o, argc, argv, e);
    int status = command_check(o, e);
    return status ? status : command_coordinates(o, e);
}
