/* script_pick.c - commands about single atoms: DEFINE, CONS DIHE, CONS FIX (CHARMM's
 * select.doc, cons.doc).
 *
 *   DEFINE name SELE ... END
 *   CONS FIX SELE ... END
 *   CONS HARM ...   (script_harmonic.c)
 *   CONS DIHE four atoms FORCE x MIN phi|MAIN|COMP [PERIOD n] [WIDTH x]      CONS CLDH
 *
 * CONS FIX replaces what was fixed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bonded.h"
#include "mem.h"
#include "script_run.h"
#include "vec.h"

/* ---- selections ----------------------------------------------------------------------------- */

/* Where the first selection begins; behind the last word: there is none. */
static int pick_begins(const struct script *s)
{
    int at = 1;
    while (at < s->l.word.n && !script_is(s, at, "SELECTION"))
        at++;
    return at;
}

int script_selects(const struct script *s)
{
    return pick_begins(s) < s->l.word.n;
}

/* What SHOW asks for. */
static void pick_show(struct script *s, const unsigned char *set, int show)
{
    int natom = s->session.in.psf.natom, chosen = 0;
    for (int i = 0; i < natom; i++)
        chosen += set[i];
    if (show && s->comm->rank == 0)
        printf(" SELRPN> %6d atoms have been selected out of %6d\n", chosen, natom);
}

int script_select(struct script *s, unsigned char **set)
{
    int from = pick_begins(s), to, at = 0;
    int status = script_blame(s, script_load_structure(s));
    *set = NULL;
    if (status)
        return status;
    size_t natom = (size_t)s->session.in.psf.natom;
    *set = mem_new(natom, 1);
    memset(*set, 1, natom);
    for (to = from + 1; to < s->l.word.n && !script_is(s, to, "END");)
        to++;
    if (from == s->l.word.n)
        return 0;
    int show = to > from + 1 && script_is(s, to - 1, "SHOW");
    const struct select_world w = {.psf = &s->session.in.psf,
                                   .x = s->session.in.x,
                                   .known = s->atoms.known,
                                   .nknown = s->atoms.nknown,
                                   .array = script_scalar_array,
                                   .of = s};
    const char *why = to == s->l.word.n ? "the selection has no END"
                                        : select_atoms(&w, s->l.word.at + from + 1,
                                                       to - from - 1 - show, *set, &at);
    if (why) {
        s->at = to == s->l.word.n ? from : from + 1 + at;
        mem_free(*set);
        *set = NULL;
        return script_bad(s, why);
    }
    pick_show(s, *set, show);
    script_known_selection(s, *set);
    script_cut(s, from, to);
    return 0;
}

static void pick_forget(struct script_atoms *a)
{
    for (int k = 0; k < a->nknown; k++)
        mem_free(a->known[k].set);
    mem_free(a->anchor);
    mem_free(a->twist);
    mem_free(a->frozen);
    mem_free(a->friction);
    mem_free(a->charge);
    mem_free(a->mass);
    mem_free(a->length);
    mem_free(a->loose);
    memset(a, 0, sizeof *a);
}

void script_atoms_free(struct script *s)
{
    pick_forget(&s->atoms);
}

void script_atoms_attach(struct script *s)
{
    struct system *y = &s->session.in.system;
    struct script_atoms *a = &s->atoms;
    if (a->natom != y->natom) {
        pick_forget(a);
        s->o.charge = s->o.mass = NULL;
        mem_free(s->compare.x);
        mem_free(s->compare.w);
        s->compare = (struct coor_set){NULL, NULL};
    }
    a->natom = y->natom;
    const struct system_skip *skip = &s->o.skip;
    y->anchor = a->anchor;
    y->nanchor = skip->harm ? 0 : a->nanchor;
    y->twist = a->twist;
    y->ntwist = skip->cdih ? 0 : a->ntwist;
    if (a->frozen) { /* else those of the PSF stay where they are */
        y->frozen = a->frozen;
        y->nfrozen = a->nfrozen;
    }
    for (int k = 0; a->nlength == y->ntie && k < y->ntie; k++)
        y->tie[k].r0 = a->length[k];
    for (int k = 0; k < y->ntie; k++)
        y->tie[k].loose = a->nloose == y->ntie && a->loose[k];
}

void script_atoms_measure(struct script *s)
{
    const struct system *y = &s->session.in.system;
    struct script_atoms *a = &s->atoms;
    mem_free(a->length);
    a->length = mem_new((size_t)y->ntie, sizeof *a->length);
    a->nlength = y->ntie;
    for (int k = 0; k < y->ntie; k++) {
        const double *x = s->session.in.x;
        double d[3];
        system_delta(y, x + 3 * (size_t)y->tie[k].i, x + 3 * (size_t)y->tie[k].j, d);
        a->length[k] = sqrt(vec_dot(d, d));
    }
    script_atoms_attach(s);
}

int script_atoms_tie(struct script *s)
{
    struct script_atoms *a = &s->atoms;
    unsigned char *set[2] = {NULL, NULL};
    int n = 0, status = 0;
    mem_free(a->loose);
    a->loose = NULL;
    a->nloose = 0;
    for (; n < 2 && !status && script_selects(s); n++)
        status = script_select(s, &set[n]);
    if (!status && n) {
        const struct system *y = &s->session.in.system;
        const unsigned char *one = set[0], *other = set[n - 1];
        a->loose = mem_new((size_t)y->ntie, 1);
        a->nloose = y->ntie;
        for (int k = 0; k < y->ntie; k++) {
            int i = y->tie[k].i, j = y->tie[k].j;
            a->loose[k] = !(one[i] && other[j]) && !(one[j] && other[i]);
        }
    }
    if (!status && s->session.loaded)
        script_atoms_attach(s);
    mem_free(set[0]);
    mem_free(set[1]);
    return status;
}

int script_define(struct script *s)
{
    struct script_atoms *a = &s->atoms;
    unsigned char *set;
    int k = 0, status = script_select(s, &set);
    if (status)
        return status;
    s->at = 1;
    int show = script_is(s, 2, "SHOW");
    if (s->l.word.n != 2 + show || strlen(s->l.word.at[1]) >= PSF_NAME)
        status = script_bad(s, "expected DEFINE, a name of 15 letters at most, SELE ... END, SHOW");
    while (!status && k < a->nknown && strcmp(a->known[k].name, s->l.word.at[1]))
        k++;
    if (!status && k == SCRIPT_KNOWN)
        status = script_bad(s, "too many selections have names");
    if (status) {
        mem_free(set);
        return status;
    }
    mem_free(a->known[k].set);
    strcpy(a->known[k].name, s->l.word.at[1]);
    a->known[k].set = set;
    a->nknown += k == a->nknown;
    pick_show(s, set, show);
    return 0;
}

/* ---- restraints to dihedral angles -----------------------------------------------------------
 */

/* Residues are counted from 1 through the whole structure. */
int script_atom(const struct script *s, int at, int words)
{
    const struct psf *psf = &s->session.in.psf;
    char *const *word = s->l.word.at + at;
    long residue = 0, want = 0;
    if (words < 3 && !text_long(word[0], &want))
        return -1;
    if (words == 1)
        return want < 1 || want > psf->natom ? -1 : (int)want - 1;
    for (int i = 0; i < psf->natom; i++) {
        const struct psf_atom *a = &psf->atom[i];
        residue += psf_residue_begins(psf, i);
        int here =
            words == 2 ? residue == want : !strcmp(word[0], a->segid) && !strcmp(word[1], a->resid);
        if (here && !strcmp(word[words - 1], a->name))
            return i;
    }
    return -1;
}

int script_find_atoms(struct script *s, int n, int *atom)
{
    int from = s->at + script_is(s, s->at, "BYNUMBER"), left = s->l.word.n - from;
    int words = left == 3 * n ? 3 : left == 2 * n ? 2 : 1;
    if (left != words * n)
        return script_bad(s,
                          "expected atoms: BYNUM and their numbers, or for each of them segment, "
                          "residue and name");
    for (int k = 0; k < n; k++) {
        s->at = from + words * k;
        atom[k] = script_atom(s, s->at, words);
        if (atom[k] < 0)
            return script_bad(s, "the structure has no such atom");
    }
    return 0;
}

struct pick_dihedral {
    double force, at, width;
    long period;
    int here, comp;
};

/* Takes the keywords out of the words; what is left names the atoms. */
static int pick_dihedral_words(struct script *s, struct pick_dihedral *d)
{
    const struct script_key key[] = {
        {"FORCE", .real = &d->force},        {"MIN", .real = &d->at},
        {"PERIOD", .count = &d->period},     {"WIDTH", .real = &d->width},
        {"MAIN", .flag = &d->here, .is = 1}, {"COMPARISON", .flag = &d->comp, .is = 1}};
    if (script_cut_keys(s, 2, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    s->at = 1;
    if (!(d->force > 0))
        return script_bad(s, "expected FORCE and a number above 0");
    if (d->at >= HUGE_VAL && !d->here && !d->comp)
        return script_bad(s, "expected MIN and an angle, or MAIN or COMP: the angle there");
    if (d->comp && !s->compare.x)
        return script_bad(s, "COMP: COOR COPY COMP comes first");
    return d->period < 0 || d->width < 0 || (d->period && d->width > 0)
               ? script_bad(s, "expected PERIOD 0 with WIDTH from 0 on, or PERIOD above 0 alone")
               : 0;
}

static void pick_add_dihedral(struct script_atoms *a, const int atom[4],
                              const struct pick_dihedral *d, double phi)
{
    struct system_torsion *all = mem_new((size_t)a->ntwist + 1, sizeof *all);
    for (int k = 0; k < a->ntwist; k++)
        all[k] = a->twist[k];
    all[a->ntwist++] =
        (struct system_torsion){.i = atom[0],
                                .j = atom[1],
                                .k = atom[2],
                                .l = atom[3],
                                .n = (int)d->period,
                                .force = d->force,
                                .delta = d->period ? (double)d->period * phi + M_PI : phi,
                                .width = d->width * M_PI / 180};
    mem_free(a->twist);
    a->twist = all;
}

/* The first four of a selection. */
static int pick_first_four(struct script *s, const unsigned char *set, int atom[4])
{
    int n = 0;
    for (int i = 0; i < s->atoms.natom && n < 4; i++)
        if (set[i])
            atom[n++] = i;
    return n < 4 || s->l.word.n > 2 ? script_bad(s, "expected four atoms, or a selection of four")
                                    : 0;
}

/* k (phi - min)^2, or with a period n k (1 - cos(n (phi - min))); set: its atoms, or NULL. */
static int pick_dihedral(struct script *s, const unsigned char *set)
{
    struct pick_dihedral d = {.at = HUGE_VAL};
    double grad[4][3];
    int atom[4], status = pick_dihedral_words(s, &d);
    s->at = set ? 1 : 2;
    if (!status)
        status = set ? pick_first_four(s, set, atom) : script_find_atoms(s, 4, atom);
    if (!status && d.at >= HUGE_VAL)
        status = script_blame(s, script_load(s));
    if (status)
        return status;
    const double *x = d.comp ? s->compare.x : s->session.in.x;
    pick_add_dihedral(&s->atoms, atom, &d,
                      d.at < HUGE_VAL ? d.at * M_PI / 180
                                      : bonded_dihedral(&s->session.in.system, x, atom, grad));
    return 0;
}

/* A lone pair follows its hosts, whatever is said of itself. */
static void pick_fix(struct script *s, const unsigned char *set)
{
    struct script_atoms *a = &s->atoms;
    mem_free(a->frozen);
    a->frozen = mem_new((size_t)a->natom, 1);
    a->nfrozen = 0;
    for (int i = 0; i < a->natom; i++) {
        a->frozen[i] = set[i] && s->session.in.system.mass[i] > 0;
        a->nfrozen += a->frozen[i];
    }
}

int script_constraints(struct script *s)
{
    unsigned char *set;
    int chosen = script_selects(s), status = script_select(s, &set);
    s->at = 1;
    if (!status && script_is(s, 1, "HARMONIC"))
        status = script_harmonic(s, set);
    else if (!status && script_is(s, 1, "FIX") && s->l.word.n == 2)
        pick_fix(s, set);
    else if (!status && script_is(s, 1, "DIHEDRAL"))
        status = pick_dihedral(s, chosen ? set : NULL);
    else if (!status && script_is(s, 1, "CLDH") && s->l.word.n == 2)
        s->atoms.ntwist = 0;
    else if (!status)
        status = script_unknown_word(
            s, "hmd has CONS HARM, CONS FIX SELE ... END, CONS DIHE and CONS CLDH, no "
               "other constraints");
    if (!status)
        script_atoms_attach(s);
    mem_free(set);
    return status;
}
