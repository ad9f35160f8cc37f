/* param_options.c - the words of a NONBONDED line: how the energy is computed.
 *
 * The line is at the head of a parameter file's NONBONDED section and, in an input script, in the
 * commands NBONDS, ENERGY, MINI and DYNA.  Every unknown word is rejected, because ignoring it
 * would give another energy than requested.  Known words that hmd does not support are recorded,
 * and rejected when an energy is requested before another word has revoked them.  Words about
 * CHARMM's list management are accepted without effect.
 *
 * Source: CHARMM's nbonds.doc and ewald.doc.
 *
 * Words have an effect in their order: a later word of a choice revokes an earlier one. Distances
 * are checked later, when all files and commands have been read (scheme.c).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "param.h"

/* The position of a word, and the options that it changes. */
struct options_reader {
    struct param_options *o;
    const struct words *w;
    int at;
    const char *file;
    int line;
    int sums; /* EWALD or PMEWALD was among the words so far */
    struct err *e;
};

/* The message shows the current word. */
static int options_bad(struct options_reader *r, const char *why)
{
    return err_set(r->e, ERR_INPUT, "%s:%d: %s: %s", r->file, r->line, r->w->at[r->at], why);
}

/* True if the current word is this one, abbreviated, or with different letters after the
 * significant ones.  CHARMM uses four (SHIFTED, CUTIMG), or more where needed (CTOFNB, CTOFHB).
 * least: letters that an abbreviation must have. */
static int options_is(const struct options_reader *r, const char *key, size_t least)
{
    /* CTOFNB, CTONNB and others differ only at their end, so all of their letters count. */
    size_t stem = strncmp(key, "CT", 2) ? 4 : strlen(key);
    const char *word = r->w->at[r->at];
    return text_key(word, key, least) || (strlen(key) >= 4 && strncmp(word, key, stem) == 0);
}

/* All rows are compared. VATOM and the like are in options_flag(). Words of a scheme may set the
 * electrostatics or the van der Waals part, hence two columns. */
static int options_scheme(struct options_reader *r, int *found)
{
    static const struct {
        const char *word, *elec, *vdw;
        size_t least;
    } table[] = {{"SHIFT", "shift", "", 4},        {"SWITCH", "switch", "", 4},
                 {"FSHIFT", "fshift", "", 4},      {"TRUNCATE", "truncate", "", 4},
                 {"EWALD", "ewald", "", 4},        {"PMEWALD", "pme", "", 3},
                 {"FSWITCH", "fswitch", "", 4},    {"VSWITCH", "", "vswitch", 4},
                 {"VSHIFT", "", "vshift", 4},      {"VFSWITCH", "", "vfswitch", 4},
                 {"VTRUNCATE", "", "truncate", 4}, {"NOEWALD", "no", "", 4}};
    struct param_options *o = r->o;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (!options_is(r, table[k].word, table[k].least))
            continue;
        *found = 1;
        /* A word of the van der Waals part. */
        if (!table[k].elec[0]) {
            strcpy(o->vdw, table[k].vdw);
            continue;
        }
        int summed = strcmp(o->elec, "ewald") == 0 || strcmp(o->elec, "pme") == 0;
        if (strcmp(table[k].elec, "no") == 0) { /* the previous value applies again */
            if (summed)
                strcpy(o->elec, o->elec_cut);
            continue;
        }
        int sum = strcmp(table[k].elec, "ewald") == 0 || strcmp(table[k].elec, "pme") == 0;
        if (r->sums && !sum) { /* as in CHARMM: EWALD takes precedence, this applies without it */
            strcpy(o->elec_cut, table[k].elec);
            continue;
        }
        r->sums |= sum;
        if (!summed)
            strcpy(o->elec_cut, o->elec);
        /* PMEWALD selects the method of EWALD, in either order */
        if (strcmp(table[k].elec, "ewald") || strcmp(o->elec, "pme"))
            strcpy(o->elec, table[k].elec);
        /* For the message if the scheme is not possible. */
        snprintf(o->elec_where, sizeof o->elec_where, "%s:%d", r->file, r->line);
    }
    return 0;
}

/* Records the choice of a word; `why`: hmd does not support it. The later word of a choice replaces
 * the earlier one, supported or not. The word and its number are kept as written, for the message.
 */
static void options_given(struct options_reader *r, enum param_choice choice, const char *why)
{
    struct param_given *given = &r->o->given[choice];
    int number = choice >= PARAM_NBXMOD;
    snprintf(given->word, sizeof given->word, "%s%s%s", r->w->at[r->at], number ? " " : "",
             number ? r->w->at[r->at + 1] : "");
    snprintf(given->where, sizeof given->where, "%s:%d", r->file, r->line);
    given->why = why;
}

/* Returns why hmd does not support a number, or NULL. A number with a reason is recorded, but not
 * stored. */
static const char *options_limit(enum param_choice choice, double v)
{
    if (choice == PARAM_NBXMOD && (fabs(v) < 1 || fabs(v) > 5 || v != floor(v)))
        return "hmd computes 1 to 5 (usual is 5: 1-2 and 1-3 pairs excluded, 1-4 pairs apart), or "
               "the same with a minus";
    if ((choice == PARAM_EPS && v <= 0) || (choice == PARAM_KAPPA && v < 0))
        return "expected a number above 0";
    return choice == PARAM_E14FAC && v < 0 ? "expected a number not below 0" : NULL;
}

/* Reads the number after the word. The number is not consumed: the caller advances. */
static int options_behind(struct options_reader *r, double *v)
{
    if (r->at + 1 == r->w->n || !text_double(r->w->at[r->at + 1], v))
        return options_bad(r, "expected a number behind it");
    return 0;
}

/* r->at advances to the number. A number without use is read and checked in the same way. */
static int options_number(struct options_reader *r, int *found)
{
    struct param_options *o = r->o;
    const struct {
        const char *word;
        double *value;                    /* NULL: CHARMM's lists, or hydrogen bonds */
        enum { ANY, WHOLE, CHOICE } kind; /* WHOLE: from 1 on; CHOICE: some are not supported */
        enum param_choice choice;
    } table[] = {{"CUTNB", &o->cutnb, ANY, 0},   {"CTOFNB", &o->ctofnb, ANY, 0},
                 {"CTONNB", &o->ctonnb, ANY, 0}, {"EPS", &o->eps, CHOICE, PARAM_EPS},
                 {"FFTX", &o->fft[0], WHOLE, 0}, {"E14FAC", &o->e14fac, CHOICE, PARAM_E14FAC},
                 {"FFTY", &o->fft[1], WHOLE, 0}, {"KAPPA", &o->kappa, CHOICE, PARAM_KAPPA},
                 {"FFTZ", &o->fft[2], WHOLE, 0}, {"NBXMOD", &o->nbxmod, CHOICE, PARAM_NBXMOD},
                 {"ORDER", &o->order, WHOLE, 0}, {"WMIN", NULL, ANY, 0},
                 {"INBFRQ", NULL, ANY, 0},       {"IMGFRQ", NULL, ANY, 0},
                 {"IHBFRQ", NULL, ANY, 0},       {"CUTIM", NULL, ANY, 0},
                 {"CUTHB", NULL, ANY, 0},        {"CTOFHB", NULL, ANY, 0},
                 {"CTONHB", NULL, ANY, 0},       {"CUTHA", NULL, ANY, 0},
                 {"CTOFHA", NULL, ANY, 0},       {"CTONHA", NULL, ANY, 0},
                 {"CTEXNB", NULL, ANY, 0},       {"QCOR", &o->qcor, CHOICE, PARAM_QCOR},
                 {"WRNMXD", NULL, ANY, 0},       {"NBSCALE", NULL, ANY, 0},
                 {"IMSCALE", NULL, ANY, 0},      {"EPSEXT", NULL, ANY, 0},
                 {"SHELL", NULL, ANY, 0},        {"CTVTRN", NULL, ANY, 0}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        /* Keywords shorter than four letters must be whole. */
        size_t least = strlen(table[k].word) < 4 ? strlen(table[k].word) : 4;
        if (!options_is(r, table[k].word, least))
            continue;
        double v = 0;
        *found = 1;
        if (options_behind(r, &v))
            return ERR_INPUT;
        if (table[k].kind == WHOLE && (v < 1 || v > 1e6 || v != floor(v)))
            return options_bad(r, "expected a whole number from 1 on behind it");
        const char *why = table[k].kind == CHOICE ? options_limit(table[k].choice, v) : NULL;
        if (table[k].kind == CHOICE)
            options_given(r, table[k].choice, why);
        /* NULL: a word about lists; the number has no effect. */
        if (table[k].value && !why)
            *table[k].value = v;
        r->at++;
        return 0;
    }
    return 0;
}

/* CDIE: the dielectric constant is EPS; RDIE: EPS times the distance in Angstrom. The later of the
 * two counts. */
static int options_dielectric(struct options_reader *r, int *found)
{
    const char *word = r->w->at[r->at];
    *found = options_is(r, "CDIELECTRIC", 4) || options_is(r, "RDIELECTRIC", 4);
    if (*found)
        r->o->dielectric = word[0] == 'R' ? PARAM_RDIE : PARAM_CDIE;
    return 0;
}

/* CHARMM's list management, which does not affect energies. */
static const char options_lists[] = "VDISTANCE BYGROUP BYCUBE BYCBIM BYCC NOGRADIENTS "
                                    "NOQUADRIPOLES NORXN NOFMA SPLINE";

/* Words for hmd's default behaviour, and for unsupported features. `least` letters of a word are
 * significant. *found: the word is known, whether supported or not. */
static int options_flag(struct options_reader *r, int *found)
{
    static const struct {
        const char *word;
        size_t least;
        enum param_choice choice; /* what it selects */
        const char *why;          /* NULL: supported */
    } table[] = {{"ATOM", 4, PARAM_GROUP, NULL},
                 {"GROUP", 4, PARAM_GROUP, "hmd cuts off by atoms, not by groups: write ATOM"},
                 {"VATOM", 4, PARAM_VGROUP, NULL},
                 {"VGROUP", 4, PARAM_VGROUP, "hmd cuts off by atoms, not by groups: write VATOM"},
                 {"NOEXTEND", 4, PARAM_EXTENDED, NULL},
                 {"EXTENDED", 4, PARAM_EXTENDED,
                  "hmd has no extended electrostatics: write NOEXTEND, or use PMEWALD"},
                 {"ELEC", 4, PARAM_NOELEC, NULL},
                 {"NOELEC", 4, PARAM_NOELEC, "write SKIPE ELEC, or use -skip ELEC, and here ELEC"},
                 {"VDW", 3, PARAM_NOVDW, NULL},
                 {"NOVDW", 4, PARAM_NOVDW, "write SKIPE VDW, or use -skip VDW, and here VDW"},
                 {"NOLRC", 5, PARAM_LRC, NULL},
                 {"LRC", 3, PARAM_LRC, NULL},
                 {"ARITHMETIC", 4, PARAM_GEOM, NULL},
                 {"GEOMETRIC", 4, PARAM_GEOM, NULL}};
    /* Words without effect first. */
    *found = text_among(r->w->at[r->at], options_lists);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (!options_is(r, table[k].word, table[k].least))
            continue;
        *found = 1;
        options_given(r, table[k].choice, table[k].why);
        return 0;
    }
    return 0;
}

/* The functions are tried in this order; the first that knows the word handles it. *o is changed
 * word by word, also before an error. */
int param_options_words(struct param_options *o, const struct words *w, int first, const char *file,
                        int line, struct err *e)
{
    struct options_reader r = {.o = o, .w = w, .file = file, .line = line, .e = e};
    int (*const way[])(struct options_reader *, int *) = {options_scheme, options_number,
                                                          options_dielectric, options_flag};
    for (r.at = first; r.at < w->n; r.at++) {
        int found = 0;
        for (size_t k = 0; k < sizeof way / sizeof *way && !found; k++)
            /* The word is known, but its number is missing or wrong. */
            if (way[k](&r, &found))
                return ERR_INPUT;
        if (!found)
            return options_bad(&r, "hmd does not know this word here");
    }
    return 0;
}

/* Without a cut-off, groups and extended electrostatics mean nothing, so they are not checked. The
 * first three choices are about groups. */
int param_options_check(const struct param_options *o, int cutoff, struct err *e)
{
    /* The order of the enumeration puts those first that depend on a cut-off. */
    for (int k = cutoff ? 0 : PARAM_EXTENDED + 1; k < PARAM_CHOICES; k++) {
        const struct param_given *given = &o->given[k];
        if (given->word[0] && given->why)
            return err_set(e, ERR_INPUT, "%s: %s: %s", given->where, given->word, given->why);
    }
    return 0;
}

/* Values that no line can give. */
void param_options_init(struct param_options *o)
{
    *o = (struct param_options){
        .cutnb = -1, .ctofnb = -1, .ctonnb = -1, .eps = 1, .e14fac = 1, .nbxmod = 5, .qcor = 1};
}

/* A new outer distance makes older inner ones invalid. Called after a command, with negative
 * distances where the command gave none. */
void param_options_forget(struct param_options *o, const struct param_options *before)
{
    int outer = o->cutnb >= 0 && o->cutnb != before->cutnb;
    int inner = outer || (o->ctofnb >= 0 && o->ctofnb != before->ctofnb);
    o->cutnb = o->cutnb >= 0 ? o->cutnb : before->cutnb;
    o->ctofnb = o->ctofnb >= 0 || outer ? o->ctofnb : before->ctofnb;
    o->ctonnb = o->ctonnb >= 0 || inner ? o->ctonnb : before->ctonnb;
}

/* If commands give only the outer distances, the inner ones keep their offsets from the parameter
 * file (CHARMM's GTNBCT). Nothing changes if a command has given none of the three. Without any
 * distance the defaults are 14, 12 and 10 Angstrom (CUTNB, CTOFNB, CTONNB). */
static void param_options_distances(struct param_options *o, const struct param_options *over)
{
    double nb = o->cutnb >= 0 ? o->cutnb : 14, off = o->ctofnb >= 0 ? o->ctofnb : nb - 2,
           on = o->ctonnb >= 0 ? o->ctonnb : off - 2;
    o->cutnb = over->cutnb >= 0 ? over->cutnb : nb;
    o->ctofnb = over->ctofnb >= 0 ? over->ctofnb : fmax(o->cutnb - (nb - off), 0);
    o->ctonnb = over->ctonnb >= 0 ? over->ctonnb : fmax(o->ctofnb - (off - on), 0);
}

/* A field counts only if the command has given it. Options of the files are defaults for the
 * commands. */
void param_options_merge(struct param_options *o, const struct param_options *over)
{
    double *const to[] = {&o->kappa, &o->fft[0], &o->fft[1], &o->fft[2], &o->order};
    const double *const from[] = {&over->kappa, &over->fft[0], &over->fft[1], &over->fft[2],
                                  &over->order};
    param_options_distances(o, over);
    /* 0 is "not given" for these. */
    for (size_t k = 0; k < sizeof to / sizeof *to; k++)
        *to[k] = *from[k] > 0 ? *from[k] : *to[k];
    o->nbxmod = over->given[PARAM_NBXMOD].word[0] ? over->nbxmod : o->nbxmod;
    o->qcor = over->given[PARAM_QCOR].word[0] ? over->qcor : o->qcor;
    o->eps = over->given[PARAM_EPS].word[0] ? over->eps : o->eps;
    o->e14fac = over->given[PARAM_E14FAC].word[0] ? over->e14fac : o->e14fac;
    for (int k = 0; k < PARAM_CHOICES; k++)
        if (over->given[k].word[0])
            o->given[k] = over->given[k];
    /* A word and its place, for messages, belong together. */
    if (over->elec[0]) {
        memcpy(o->elec, over->elec, sizeof o->elec);
        memcpy(o->elec_where, over->elec_where, sizeof o->elec_where);
    }
    if (over->vdw[0])
        memcpy(o->vdw, over->vdw, sizeof o->vdw);
    o->dielectric = over->dielectric ? over->dielectric : o->dielectric;
}
