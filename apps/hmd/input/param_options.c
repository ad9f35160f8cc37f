/* param_options.c - the words of a NONBONDED line: how the energy is to be computed.
 *
 * The line stands at the head of a parameter file's NONBONDED section and, in an input script, in
 * the commands NBONDS, ENERGY, MINI and DYNA.  Every word is known here or refused: a word that
 * hmd does not act upon would give an energy that nobody asked for.  Words that only say how
 * CHARMM keeps its lists are known and change nothing.
 *
 * Source: CHARMM's nbonds.doc and ewald.doc.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "param.h"

/* Where a word stands, and what it does to *o. */
struct options_reader {
    struct param_options *o;
    const struct words *w;
    int at;
    const char *file;
    int line;
    int sums; /* EWALD or PMEWALD is among the words so far */
    struct err *e;
};

static int options_bad(struct options_reader *r, const char *why)
{
    return err_set(r->e, ERR_INPUT, "%s:%d: %s: %s", r->file, r->line, r->w->at[r->at], why);
}

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
        if (!text_key(r->w->at[r->at], table[k].word, table[k].least))
            continue;
        *found = 1;
        if (!table[k].elec[0]) {
            strcpy(o->vdw, table[k].vdw);
            continue;
        }
        int summed = !strcmp(o->elec, "ewald") || !strcmp(o->elec, "pme");
        if (!strcmp(table[k].elec, "no")) { /* what was said before counts again */
            if (summed)
                strcpy(o->elec, o->elec_cut);
            continue;
        }
        int sum = !strcmp(table[k].elec, "ewald") || !strcmp(table[k].elec, "pme");
        if (r->sums && !sum) { /* as in CHARMM: EWALD counts, this where there is none again */
            strcpy(o->elec_cut, table[k].elec);
            continue;
        }
        r->sums |= sum;
        if (!summed)
            strcpy(o->elec_cut, o->elec);
        /* PMEWALD says how EWALD is to be done, whichever comes first. */
        if (strcmp(table[k].elec, "ewald") || strcmp(o->elec, "pme"))
            strcpy(o->elec, table[k].elec);
        snprintf(o->elec_where, sizeof o->elec_where, "%s:%d", r->file, r->line);
    }
    return 0;
}

static int options_number(struct options_reader *r, int *found)
{
    struct param_options *o = r->o;
    double ignored;
    const struct {
        const char *word;
        double *value;
        int whole; /* a whole number, not negative */
    } table[] = {{"CUTNB", &o->cutnb, 0}, {"CTOFNB", &o->ctofnb, 0}, {"CTONNB", &o->ctonnb, 0},
                 {"EPS", &o->eps, 0},     {"E14FAC", &o->e14fac, 0}, {"KAPPA", &o->kappa, 0},
                 {"FFTX", &o->fft[0], 1}, {"FFTY", &o->fft[1], 1},   {"FFTZ", &o->fft[2], 1},
                 {"ORDER", &o->order, 1}, {"NBXMOD", &o->nbxmod, 0}, {"WMIN", &ignored, 0},
                 {"INBFRQ", &ignored, 0}, {"IMGFRQ", &ignored, 0},   {"IHBFRQ", &ignored, 0},
                 {"CUTIM", &ignored, 0},  {"CUTHB", &ignored, 0},    {"CTOFHB", &ignored, 0},
                 {"CTONHB", &ignored, 0}, {"CUTHA", &ignored, 0},    {"CTOFHA", &ignored, 0},
                 {"CTONHA", &ignored, 0}, {"CTEXNB", &ignored, 0},   {"QCOR", &ignored, 0}};
    for (size_t k = 0; k < sizeof table / sizeof *table && !*found; k++) {
        size_t least = strlen(table[k].word) < 4 ? strlen(table[k].word) : 4;
        if (!text_key(r->w->at[r->at], table[k].word, least))
            continue;
        double *v = table[k].value;
        *found = 1;
        if (r->at + 1 == r->w->n || !text_double(r->w->at[r->at + 1], v))
            return options_bad(r, "expected a number behind it");
        if (table[k].whole && (*v < 1 || *v > 1e6 || *v != floor(*v)))
            return options_bad(r, "expected a whole number from 1 on behind it");
        o->eps_given |= v == &o->eps;
        o->e14fac_given |= v == &o->e14fac;
        o->nbxmod_given |= v == &o->nbxmod;
        r->at++;
    }
    return 0;
}

/* CDIE: the dielectric constant is EPS; RDIE: EPS times the distance in Angstrom. */
static int options_dielectric(struct options_reader *r, int *found)
{
    const char *word = r->w->at[r->at];
    *found = text_key(word, "CDIELECTRIC", 4) || text_key(word, "RDIELECTRIC", 4);
    if (*found)
        r->o->dielectric = word[0] == 'R' ? PARAM_RDIE : PARAM_CDIE;
    return 0;
}

/* Words that name what hmd does anyway, and words for what it does not. */
static int options_flag(struct options_reader *r, int *found)
{
    static const struct {
        const char *word;
        size_t least;
        const char *why; /* NULL: harmless */
    } table[] = {
        {"ATOM", 4, NULL},
        {"VATOM", 4, NULL},
        {"VDISTANCE", 4, NULL},
        {"ELEC", 4, NULL},
        {"VDW", 3, NULL},
        {"BYGROUP", 4, NULL},
        {"BYCUBE", 4, NULL},
        {"BYCBIM", 4, NULL},
        {"BYCC", 4, NULL},
        {"SPLINE", 4, NULL},
        {"NOEXTEND", 4, NULL},
        {"GROUP", 4, "hmd cuts off by atoms, not by groups: write ATOM"},
        {"VGROUP", 4, "hmd cuts off by atoms, not by groups: write VATOM"},
        {"EXTENDED", 4, "hmd has no extended electrostatics: leave it out, or use PMEWALD"},
        {"NOELEC", 4, "write SKIPE ELEC, or use -skip ELEC"},
        {"NOVDW", 4, "write SKIPE VDW, or use -skip VDW"},
        {"LRC", 3, "hmd has no long-range correction of Lennard-Jones energies: leave it out"},
        {"GEOM", 4, "hmd combines Rmin by sums only"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (!text_key(r->w->at[r->at], table[k].word, table[k].least))
            continue;
        *found = 1;
        return table[k].why ? options_bad(r, table[k].why) : 0;
    }
    return 0;
}

static int options_check(struct options_reader *r)
{
    const struct param_options *o = r->o;
    r->at = 0;
    if (fabs(o->nbxmod) < 2 || fabs(o->nbxmod) > 5 || o->nbxmod != floor(o->nbxmod))
        return err_set(r->e, ERR_INPUT,
                       "%s:%d: NBXMOD %g: hmd computes 2 to 5 (usual is 5: 1-2 and 1-3 pairs "
                       "excluded, 1-4 pairs apart), or the same with a minus",
                       r->file, r->line, o->nbxmod);
    if (o->eps <= 0 || o->e14fac < 0)
        return options_bad(r, "expected EPS above 0 and E14FAC not below 0");
    return o->kappa < 0 ? options_bad(r, "expected KAPPA above 0") : 0;
}

int param_options_words(struct param_options *o, const struct words *w, int first, const char *file,
                        int line, struct err *e)
{
    struct options_reader r = {.o = o, .w = w, .file = file, .line = line, .e = e};
    int (*const way[])(struct options_reader *, int *) = {options_scheme, options_number,
                                                          options_dielectric, options_flag};
    for (r.at = first; r.at < w->n; r.at++) {
        int found = 0;
        for (size_t k = 0; k < sizeof way / sizeof *way && !found; k++)
            if (way[k](&r, &found))
                return ERR_INPUT;
        if (!found)
            return options_bad(&r, "hmd does not know this word here");
    }
    return options_check(&r);
}

void param_options_init(struct param_options *o)
{
    *o = (struct param_options){.eps = 1, .e14fac = 1, .nbxmod = 5};
}

void param_options_merge(struct param_options *o, const struct param_options *over)
{
    double *const to[] = {&o->cutnb,  &o->ctofnb, &o->ctonnb, &o->kappa,
                          &o->fft[0], &o->fft[1], &o->fft[2], &o->order};
    const double *const from[] = {&over->cutnb,  &over->ctofnb, &over->ctonnb, &over->kappa,
                                  &over->fft[0], &over->fft[1], &over->fft[2], &over->order};
    for (size_t k = 0; k < sizeof to / sizeof *to; k++)
        *to[k] = *from[k] > 0 ? *from[k] : *to[k];
    o->eps = over->eps_given ? over->eps : o->eps;
    o->e14fac = over->e14fac_given ? over->e14fac : o->e14fac;
    o->nbxmod = over->nbxmod_given ? over->nbxmod : o->nbxmod;
    if (over->elec[0]) {
        memcpy(o->elec, over->elec, sizeof o->elec);
        memcpy(o->elec_where, over->elec_where, sizeof o->elec_where);
    }
    if (over->vdw[0])
        memcpy(o->vdw, over->vdw, sizeof o->vdw);
    o->dielectric = over->dielectric ? over->dielectric : o->dielectric;
}
