/* script_harmonic.c - CONS HARM: positional restraints (CHARMM's cons.doc).
 *
 *     CONS HARM [ABSOLUTE] [FORCE x|WEIGHTING] [MASS] [MAIN|COMP|KEEP] [EXPONENT n]
 *          [XSCALE x] [YSCALE y] [ZSCALE z] SELE ... END
 *     CONS HARM CLEAR
 *
 * Each atom is restrained to its current position, to that in COOR's second set, or with KEEP to
 * its previous reference.  An atom has at most one such restraint: the last command wins, and atoms
 * that are not selected keep theirs. The list is in the order of the atoms (harmonic_anchors()).
 */
#include <math.h>

#include "coor.h"
#include "mem.h"
#include "script_run.h"

/* The words of one command. Values for all selected atoms. keep, clear: words without a value. */
struct harmonic {
    double force, scale[3];
    long power;
    int mass, weight, comp, keep, clear;
};

static const char harmonic_usage[] =
    "CONS HARM takes FORCE x or WEIGHTING, MASS, COMP, KEEP, EXPONENT n, XSCALE, YSCALE, ZSCALE, "
    "SELE ... END, or CLEAR; hmd has no BESTFIT and no RELATIVE ones";

/* ABSOLUTE is the only kind that hmd has. The defaults of *h are the caller's. */
static int harmonic_words(struct script *s, struct harmonic *h)
{
    const struct script_key key[] = {
        {"FORCE", .real = &h->force},          {"WEIGHTING", .flag = &h->weight, .is = 1},
        {"MASS", .flag = &h->mass, .is = 1},   {"COMPARISON", .flag = &h->comp, .is = 1},
        {"MAIN", .flag = &h->comp, .is = 0},   {"KEEP", .flag = &h->keep, .is = 1},
        {"CLEAR", .flag = &h->clear, .is = 1}, {"ABSOLUTE"},
        {"EXPONENT", .count = &h->power},      {"XSCALE", .real = &h->scale[0]},
        {"YSCALE", .real = &h->scale[1]},      {"ZSCALE", .real = &h->scale[2]}};
    if (script_only_keys(s, 2, key, sizeof key / sizeof *key, harmonic_usage))
        return ERR_INPUT;
    s->at = 1;
    double least = fmin(h->force, fmin(h->scale[0], fmin(h->scale[1], h->scale[2])));
    if (h->power < 2 || h->power > 100 || least < 0)
        return script_bad(s, "expected FORCE and scales from 0 on, and EXPONENT from 2 to 100");
    return h->comp && !s->compare.x ? script_bad(s, "COMP: COOR COPY COMP comes first") : 0;
}

/* The force constant of an atom: 0 if it has none. WEIGHTING takes the weights of the set that is
 * the reference. */
static double harmonic_force(const struct script *s, const struct harmonic *h,
                             const unsigned char *set, int i)
{
    double mass = s->session.in.system.mass[i];
    if (!set[i] || !(mass > 0)) /* lone pairs follow their hosts */
        return 0;
    double own = h->weight ? (h->comp ? s->compare.w : s->session.in.w)[i] : h->force;
    return own * (h->mass ? mass : 1);
}

/* Checks that every restrained atom has a position, and that force constants are valid. With KEEP
 * the reference is the older one, so positions do not matter. */
static int harmonic_check(struct script *s, const struct harmonic *h, const unsigned char *set)
{
    const double *x = h->comp ? s->compare.x : s->session.in.x;
    double total = 0;
    for (int i = 0; i < s->atoms.natom; i++) {
        double force = harmonic_force(s, h, set, i);
        total += force;
        if (force != 0 && !h->keep && x[3 * i] >= COOR_UNKNOWN)
            return script_bad(s, "an atom of the reference has no place");
    }
    /* Without a positive weight nothing would be restrained. */
    if (h->weight && !(total > 0))
        return script_bad(s, "the weights of the selected atoms add up to nothing, or less");
    return 0;
}

/* Stores the current restraint of each atom, by atom. A new list is built in the order of atoms:
 * old restraints of atoms that are not selected, and the new ones. After an error the command has
 * failed, and the run ends. A selected atom's entry is made anew in all parts, apart from KEEP's
 * position. */
static int harmonic_anchors(struct script *s, const struct harmonic *h, const unsigned char *set)
{
    struct script_atoms *a = &s->atoms;
    struct system_anchor *all = mem_new((size_t)a->natom, sizeof *all);
    const double *x = h->comp ? s->compare.x : s->session.in.x;
    int n = 0, status = 0;
    for (int i = 0, old = 0; i < a->natom; i++) {
        int had = old < a->nanchor && a->anchor[old].atom == i;
        double force = harmonic_force(s, h, set, i);
        /* Copied first, then overwritten where the atom is selected. */
        if (had)
            all[n] = a->anchor[old++];
        if (force != 0 && h->keep && !had)
            status = script_bad(s, "KEEP: an atom was not held before");
        all[n].atom = i;
        all[n].power = set[i] ? (int)h->power : all[n].power;
        all[n].k = set[i] ? force : all[n].k;
        for (int k = 0; k < 3; k++) {
            all[n].scale[k] = set[i] ? h->scale[k] : all[n].scale[k];
            all[n].at[k] = set[i] && !h->keep ? x[3 * i + k] : all[n].at[k];
        }
        /* A force of 0 removes the restraint of a selected atom. */
        n += set[i] ? force != 0 : had;
    }
    mem_free(a->anchor);
    a->anchor = all;
    a->nanchor = n;
    return status;
}

/* The words of a selection are removed already. */
int script_harmonic(struct script *s, const unsigned char *set)
{
    struct harmonic h = {.scale = {1, 1, 1}, .power = 2};
    int status = harmonic_words(s, &h);
    if (!status && h.clear) {
        s->atoms.nanchor = 0;
        return 0;
    }
    if (!status)
        status = harmonic_check(s, &h, set);
    if (!status)
        status = harmonic_anchors(s, &h, set);
    return status;
}
