/* options.c - hmd's command line: one table, from which the help is printed, too. */
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum options_kind {
    OPTIONS_FLAG,   /* int becomes 1 */
    OPTIONS_TEXT,   /* const char * */
    OPTIONS_LIST,   /* const char *[], counted by the int at `count` */
    OPTIONS_LENGTH, /* double >= 0 */
    OPTIONS_COUNT,  /* long >= 0 */
    OPTIONS_BOX,
    OPTIONS_SKIP,
    OPTIONS_LATER /* not there yet */
};

struct options_row {
    const char *name;
    enum options_kind kind;
    size_t at, count;
    const char *argument, *help;
};

#define AT(field) offsetof(struct options, field)
static const struct options_row options_table[] = {
    {"psf", OPTIONS_TEXT, AT(psf), 0, "FILE", "structure: plain, EXT or XPLOR PSF"},
    {"top", OPTIONS_LIST, AT(top), AT(ntop), "FILE",
     "topology (RTF) or stream file; may be repeated"},
    {"par", OPTIONS_LIST, AT(par), AT(npar), "FILE", "parameter or stream file; may be repeated"},
    {"crd", OPTIONS_TEXT, AT(crd), 0, "FILE", "coordinates: CHARMM CRD, short or EXT"},
    {"pdb", OPTIONS_TEXT, AT(pdb), 0, "FILE", "coordinates: PDB"},
    {"box", OPTIONS_BOX, AT(box), 0, "A,B,C", "periodic box, Angstrom"},
    {"nocutoff", OPTIONS_FLAG, AT(nocutoff), 0, NULL, "all pairs, no cut-off"},
    {"cutnb", OPTIONS_LENGTH, AT(cutnb), 0, "X", "distance up to which pairs are listed"},
    {"ctofnb", OPTIONS_LENGTH, AT(ctofnb), 0, "X", "distance where interactions end"},
    {"ctonnb", OPTIONS_LENGTH, AT(ctonnb), 0, "X", "distance where switching begins"},
    {"elec", OPTIONS_TEXT, AT(elec), 0, "NAME", "shift, switch, fshift or truncate"},
    {"vdw", OPTIONS_TEXT, AT(vdw), 0, "NAME", "vswitch, vshift, vfswitch or truncate"},
    {"nstep", OPTIONS_COUNT, AT(nstep), 0, "N", "steps of dynamics; 0 (default): the energy only"},
    {"timest", OPTIONS_LENGTH, AT(timest), 0, "PS", "time step (0.001)"},
    {"vver", OPTIONS_FLAG, AT(verlet), 0, NULL, "velocity Verlet instead of leapfrog"},
    {"skip", OPTIONS_SKIP, AT(skip), 0, "TERM,...",
     "terms to leave out: BOND ANGL UREY DIHE IMPR CMAP VDW ELEC"},
    {"vel", OPTIONS_TEXT, AT(vel), 0, "FILE", "velocities as a CRD, Angstrom per AKMA time unit"},
    {"firstt", OPTIONS_LENGTH, AT(firstt), 0, "T", "velocities drawn at this temperature, K"},
    {"iseed", OPTIONS_COUNT, AT(iseed), 0, "N", "seed for them (314159)"},
    {"nprint", OPTIONS_COUNT, AT(nprint), 0, "N", "steps between two reports (100)"},
    {"svg", OPTIONS_TEXT, AT(svg), 0, "FILE", "write a plot of the energies over time"},
    {"json", OPTIONS_FLAG, AT(json), 0, NULL, "one JSON document on stdout instead of the report"},
    {"progress", OPTIONS_FLAG, AT(progress), 0, NULL,
     "progress lines on stderr, also when that is no terminal"},
    {"dcd", OPTIONS_LATER, 0, 0, "FILE", NULL},
    {"kappa", OPTIONS_LATER, 0, 0, "K", NULL},
    {"plan", OPTIONS_LATER, 0, 0, "NAME", NULL},
    {"help", OPTIONS_FLAG, AT(help), 0, NULL, "this text"},
    {"h", OPTIONS_FLAG, AT(help), 0, NULL, NULL},
    {"version", OPTIONS_FLAG, AT(version), 0, NULL, "the version"},
};
#undef AT

enum { OPTIONS_ROWS = sizeof options_table / sizeof *options_table };

void options_help(void)
{
    printf("usage: hmd -psf FILE [-top FILE]... -par FILE... -crd FILE|-pdb FILE [OPTION]...\n"
           "       hrun -np 4 hmd ...\n"
           "Molecular dynamics with CHARMM's force fields. Options take one or two dashes:\n");
    for (int i = 0; i < OPTIONS_ROWS; i++) {
        const struct options_row *r = &options_table[i];
        if (r->help)
            printf("  -%-9s%-9s%s\n", r->name, r->argument ? r->argument : "", r->help);
    }
}

/* ---- values ------------------------------------------------------------------------------- */

static int options_box(double box[3], const char *value, struct err *e)
{
    char copy[128], *at = copy;
    snprintf(copy, sizeof copy, "%s", value);
    for (int k = 0; k < 3; k++) {
        char *stop = at + strcspn(at, ",");
        int more = *stop == ',';
        *stop = 0;
        if (!text_double(at, &box[k]) || box[k] <= 0 || more != (k < 2))
            return err_set(e, ERR_INPUT,
                           "-box %s: expected three positive lengths in Angstrom: -box 30,30,30",
                           value);
        at = stop + 1;
    }
    return 0;
}

static int options_skip(struct system_skip *skip, const char *value, struct err *e)
{
    const struct {
        const char *name;
        int *flag;
    } table[] = {{"BOND", &skip->bond},     {"ANGL", &skip->angle},    {"UREY", &skip->urey},
                 {"DIHE", &skip->dihedral}, {"IMPR", &skip->improper}, {"CMAP", &skip->cmap},
                 {"VDW", &skip->vdw},       {"ELEC", &skip->elec}};
    char copy[128], *at = copy;
    snprintf(copy, sizeof copy, "%s", value);
    text_upper(copy);
    while (at) {
        char *next = strchr(at, ',');
        int found = 0;
        if (next)
            *next++ = 0;
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            if (!strcmp(at, table[i].name))
                *table[i].flag = found = 1;
        if (!found)
            return err_set(e, ERR_INPUT,
                           "-skip %s: '%s' is no term: use BOND ANGL UREY DIHE IMPR CMAP VDW ELEC",
                           value, at);
        at = next;
    }
    return 0;
}

static int options_number(const struct options_row *r, void *at, const char *value, struct err *e)
{
    double d;
    long l;
    if (r->kind == OPTIONS_LENGTH) {
        if (!text_double(value, &d) || d < 0)
            return err_set(e, ERR_INPUT, "-%s %s: expected a number that is not negative", r->name,
                           value);
        *(double *)at = d;
        return 0;
    }
    if (!text_long(value, &l) || l < 0)
        return err_set(e, ERR_INPUT, "-%s %s: expected a whole number that is not negative",
                       r->name, value);
    *(long *)at = l;
    return 0;
}

static int options_set(struct options *o, const struct options_row *r, const char *value,
                       struct err *e)
{
    void *at = (char *)o + r->at;
    switch (r->kind) {
    case OPTIONS_FLAG:
        *(int *)at = 1;
        return 0;
    case OPTIONS_TEXT:
        *(const char **)at = value;
        return 0;
    case OPTIONS_LIST: {
        int *n = (int *)((char *)o + r->count);
        if (*n == OPTIONS_FILES)
            return err_set(e, ERR_INPUT, "-%s: more than %d files", r->name, OPTIONS_FILES);
        ((const char **)at)[(*n)++] = value;
        return 0;
    }
    case OPTIONS_BOX:
        return options_box(at, value, e);
    case OPTIONS_SKIP:
        return options_skip(at, value, e);
    case OPTIONS_LATER:
        return err_set(e, ERR_INPUT, "-%s: %s", r->name,
                       !strcmp(r->name, "plan") ? "give the plan to hrun: hrun -plan NAME hmd ..."
                                                : "not supported by this version of hmd");
    default:
        return options_number(r, at, value, e);
    }
}

static const struct options_row *options_row(const char *word)
{
    if (*word != '-')
        return NULL;
    word += word[1] == '-' ? 2 : 1;
    for (int i = 0; i < OPTIONS_ROWS; i++)
        if (!strcmp(word, options_table[i].name))
            return &options_table[i];
    return NULL;
}

/* ---- consistency -------------------------------------------------------------------------- */

static int options_check(const struct options *o, struct err *e)
{
    if (o->help || o->version)
        return 0;
    if (!o->psf)
        return err_set(e, ERR_INPUT, "no structure: give a PSF with -psf FILE (hmd -h for help)");
    if (!o->par[0])
        return err_set(e, ERR_INPUT, "no parameters: give them with -par FILE");
    if (!o->crd == !o->pdb)
        return err_set(e, ERR_INPUT, "%s: give -crd FILE or -pdb FILE",
                       o->crd ? "coordinates from two files" : "no coordinates");
    if (o->nocutoff && o->box[0] > 0)
        return err_set(e, ERR_INPUT, "-nocutoff and -box: a periodic box needs a cut-off");
    if (o->nocutoff && (o->cutnb >= 0 || o->ctofnb >= 0 || o->ctonnb >= 0))
        return err_set(e, ERR_INPUT, "-nocutoff and a cut-off: give one of them");
    if (o->vel && o->firstt >= 0)
        return err_set(e, ERR_INPUT, "-vel and -firstt: give one of them");
    if (o->timest <= 0)
        return err_set(e, ERR_INPUT, "-timest 0: the time step must be positive");
    if (o->nprint == 0)
        return err_set(e, ERR_INPUT, "-nprint 0: expected 1 or more");
    return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct err *e)
{
    *o = (struct options){.cutnb = -1,
                          .ctofnb = -1,
                          .ctonnb = -1,
                          .firstt = -1,
                          .timest = 0.001,
                          .nprint = 100,
                          .iseed = 314159};
    for (int i = 1; i < argc; i++) {
        const struct options_row *r = options_row(argv[i]);
        const char *value = NULL;
        if (!r)
            return err_set(e, ERR_INPUT, "'%s' is no option of hmd: see hmd -h", argv[i]);
        if (r->kind != OPTIONS_FLAG) {
            if (i + 1 == argc)
                return err_set(e, ERR_INPUT, "-%s: expected %s after it", r->name, r->argument);
            value = argv[++i];
        }
        int status = options_set(o, r, value, e);
        if (status)
            return status;
    }
    return options_check(o, e);
}

/* The three distances: what is given, else the parameter file's, else CHARMM's 14, 12, 10; those
 * not given follow those given at CHARMM's usual 2 Angstrom. */
static void options_distances(const struct options *o, const struct param_options *f, double *nb,
                              double *off, double *on)
{
    int given = o->cutnb >= 0 || o->ctofnb >= 0;
    *off = o->ctofnb >= 0  ? o->ctofnb
           : o->cutnb >= 0 ? o->cutnb - 2
           : f->ctofnb > 0 ? f->ctofnb
                           : 12;
    *nb = o->cutnb >= 0 ? o->cutnb : !given && f->cutnb > 0 ? f->cutnb : *off + 2;
    *on = o->ctonnb >= 0 ? o->ctonnb : !given && f->ctonnb > 0 ? f->ctonnb : *off - 2;
    *on = *on < 0 ? 0 : *on;
}

int options_scheme(const struct options *o, const struct param_options *file, struct scheme *scheme,
                   double *cutnb, struct err *e)
{
    const char *elec = o->elec ? o->elec : file->elec[0] ? file->elec : "shift";
    const char *vdw = o->vdw ? o->vdw : file->vdw[0] ? file->vdw : "vswitch";
    double off, on;
    if (!strcmp(elec, "ewald") || !strcmp(elec, "pme"))
        return err_set(e, ERR_INPUT,
                       "-elec %s: not supported by this version of hmd: use shift, "
                       "switch, fshift or truncate",
                       elec);
    if (scheme_elec_of(elec) < 0)
        return err_set(e, ERR_INPUT, "-elec %s: expected shift, switch, fshift or truncate", elec);
    if (scheme_vdw_of(vdw) < 0)
        return err_set(e, ERR_INPUT, "-vdw %s: expected vswitch, vshift, vfswitch or truncate",
                       vdw);
    if (o->nocutoff) {
        *scheme = scheme_none();
        *cutnb = scheme->roff;
        return 0;
    }
    options_distances(o, file, cutnb, &off, &on);
    if (off <= 0 || *cutnb < off || on > off)
        return err_set(e, ERR_INPUT,
                       "cut-offs cutnb %g, ctofnb %g, ctonnb %g: expected cutnb >= ctofnb >= "
                       "ctonnb and ctofnb > 0",
                       *cutnb, off, on);
    for (int k = 0; k < 3; k++)
        if (o->box[k] > 0 && o->box[k] < 2 * off)
            return err_set(e, ERR_INPUT,
                           "-box: a length of %g is less than twice the cut-off of %g Angstrom: "
                           "take a larger box or a smaller -ctofnb",
                           o->box[k], off);
    *scheme = scheme_make((enum scheme_elec)scheme_elec_of(elec),
                          (enum scheme_vdw)scheme_vdw_of(vdw), off, on);
    return 0;
}
