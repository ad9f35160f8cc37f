/* script_cons.c - CONS: fixed and restrained atoms (CHARMM's cons.doc).
 *
 *     CONS FIX SELE ... END
 *     CONS HARM ...   (script_harmonic.c)
 *     CONS DIHE four atoms FORCE x MIN phi|MAIN|COMP [PERIOD n] [WIDTH x]      CONS CLDH
 *
 * CONS FIX replaces earlier fixed atoms.
 *
 * CONS HARM and DIHE add to what exists; CLEAR and CLDH remove all. Lists belong to the script
 * (struct script_atoms), and count in all later MINI and DYNA.
 */
#include <math.h>
#include <string.h>

#include "bonded.h"
#include "coor.h"
#include "mem.h"
#include "script_run.h"

/* ---- dihedral restraints --------------------------------------------------------------------- */

/* Returns the atom (number from 0) named by `words` words from `at` on: its number; the residue's
 * number and its name; or segment, residue and name. -1: none.  Residues are counted from 1 through
 * the whole structure. Linear in the number of atoms. words is 1, 2 or 3. */
static int cons_atom(const struct script *s, int at, int words)
{
    const struct psf *psf = &s->session.in.psf;
    char *const *word = s->l.word.at + at;
    long residue = 0, want = 0;
    if (words < 3 && !text_long(word[0], &want))
        return -1;
    /* By number alone. */
    if (words == 1)
        return want < 1 || want > psf->natom ? -1 : (int)want - 1;
    for (int i = 0; i < psf->natom; i++) {
        const struct psf_atom *a = &psf->atom[i];
        residue += psf_residue_begins(psf, i);
        int here = words == 2 ? residue == want
                              : strcmp(word[0], a->segid) == 0 && strcmp(word[1], a->resid) == 0;
        if (here && strcmp(word[words - 1], a->name) == 0)
            return i;
    }
    return -1;
}

/* Finds the n atoms (numbers from 0) named by the words from the current one to the last: numbers,
 * after BYNUM or alone; n times segment, residue and name; or n times residue number and name. The
 * number of words decides the form. On an error the message shows the first word of the wrong atom.
 */
static int cons_find_atoms(struct script *s, int n, int *atom)
{
    int from = s->at + script_is(s, s->at, "BYNUMBER"), left = s->l.word.n - from;
    /* For each atom. */
    int words = left == 3 * n ? 3 : left == 2 * n ? 2 : 1;
    if (left != words * n)
        return script_bad(s,
                          "expected atoms: BYNUM and their numbers, or for each of them segment, "
                          "residue and name");
    for (int k = 0; k < n; k++) {
        s->at = from + words * k;
        atom[k] = cons_atom(s, s->at, words);
        if (atom[k] < 0)
            return script_bad(s, "the structure has no such atom");
    }
    return 0;
}

/* The words of CONS DIHEDRAL: `at` is MIN in degrees, `here` is MAIN. Not given: `at` is HUGE_VAL,
 * the others 0. force in kcal/mol/rad^2 or, with a period, kcal/mol. */
struct cons_dihedral {
    double force, at, width;
    long period;
    int here, comp;
};

/* Removes the keywords from the words; the rest names the atoms. Period and width exclude each
 * other, as the two potentials differ. */
static int cons_dihedral_words(struct script *s, struct cons_dihedral *d)
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

/* With a period n the term is k (1 + cos(n phi - delta)) with delta = n phi0 + pi. That equals k (1
 * - cos n (phi - phi0)). phi: the minimum, in radians. The list is made anew with one entry more,
 * as restraints are few. */
static void cons_add_dihedral(struct script_atoms *a, const int atom[4],
                              const struct cons_dihedral *d, double phi)
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

/* Returns the first four atoms of a selection. In the order of the structure, which is that of the
 * dihedral in CHARMM as well. */
static int cons_first_four(struct script *s, const unsigned char *set, int atom[4])
{
    int n = 0;
    for (int i = 0; i < s->atoms.natom && n < 4; i++)
        if (set[i])
            atom[n++] = i;
    return n < 4 || s->l.word.n > 2 ? script_bad(s, "expected four atoms, or a selection of four")
                                    : 0;
}

/* Adds k (phi - min)^2 or, with a period n, k (1 - cos(n (phi - min))); set: its atoms, or NULL.
 * The gradient that bonded_dihedral() computes is not used. */
static int cons_dihedral(struct script *s, const unsigned char *set)
{
    struct cons_dihedral d = {.at = HUGE_VAL};
    double grad[4][3];
    int atom[4], status = cons_dihedral_words(s, &d);
    s->at = set ? 1 : 2;
    if (!status)
        status = set ? cons_first_four(s, set, atom) : cons_find_atoms(s, 4, atom);
    if (!status && d.at >= HUGE_VAL)
        status = script_blame(s, script_load(s));
    if (status)
        return status;
    /* MIN needs no coordinates; MAIN and COMP measure the angle. */
    const double *x = d.comp ? s->compare.x : s->session.in.x;
    s->at = 1;
    for (int k = 0; k < 4 && d.at >= HUGE_VAL; k++)
        if (x[3 * atom[k]] >= COOR_UNKNOWN)
            return script_bad(s, "an atom of the dihedral has no place");
    cons_add_dihedral(&s->atoms, atom, &d,
                      d.at < HUGE_VAL ? d.at * M_PI / 180
                                      : bonded_dihedral(&s->session.in.system, x, atom, grad));
    return 0;
}

/* A lone pair follows its hosts, even if it is selected. The former list is replaced, not extended.
 */
static void cons_fix(struct script *s, const unsigned char *set)
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

/* A selection is taken out of the words first. Lists changed, so the system gets them again at the
 * end. */
int script_constraints(struct script *s)
{
    unsigned char *set;
    int chosen = script_selects(s), status = script_select(s, &set);
    s->at = 1;
    if (!status && script_is(s, 1, "HARMONIC"))
        status = script_harmonic(s, set);
    else if (!status && script_is(s, 1, "FIX") && s->l.word.n == 2)
        cons_fix(s, set);
    else if (!status && script_is(s, 1, "DIHEDRAL"))
        status = cons_dihedral(s, chosen ? set : NULL);
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
