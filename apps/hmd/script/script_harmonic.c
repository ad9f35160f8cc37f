/* script_harmonic.c - CONS HARM: restraints to places (CHARMM's cons.doc).
 *
 *   CONS HARM [ABSOLUTE] [FORCE x|WEIGHTING] [MASS] [MAIN|COMP|KEEP] [EXPONENT n]
 *        [XSCALE x] [YSCALE y] [ZSCALE z] SELE ... END
 *   CONS HARM BESTFIT [FORCE x|WEIGHTING] [MASS] [MAIN|COMP] [NOROT] [NOTRAN] SELE ... END
 *   CONS HARM CLEAR
 *
 * Each atom is held where it is when the command is given, where COOR's second set has it, or with
 * KEEP where it was held; BESTFIT turns and moves these places onto the atoms first.  An atom has
 * one such restraint: the last one counts, and what is not selected keeps what it had.
 */
#include "coor.h"
#include "mem.h"
#include "script_run.h"

struct harmonic {
    double force, scale[3];
    long power;
    int mass, weight, comp, keep, clear, fit, turns, moves;
};

static const char harmonic_usage[] =
    "CONS HARM takes FORCE x or WEIGHTING, MASS, COMP, KEEP, EXPONENT n, XSCALE, YSCALE, ZSCALE, "
    "BESTFIT with NOROT and NOTRAN, SELE ... END, or CLEAR; hmd has no RELATIVE ones";

static int harmonic_words(struct script *s, struct harmonic *h)
{
    const struct script_key key[] = {{"FORCE", .real = &h->force},
                                     {"WEIGHTING", .flag = &h->weight, .is = 1},
                                     {"MASS", .flag = &h->mass, .is = 1},
                                     {"COMPARISON", .flag = &h->comp, .is = 1},
                                     {"MAIN", .flag = &h->comp, .is = 0},
                                     {"KEEP", .flag = &h->keep, .is = 1},
                                     {"CLEAR", .flag = &h->clear, .is = 1},
                                     {"ABSOLUTE", .flag = &h->fit, .is = 0},
                                     {"BESTFIT", .flag = &h->fit, .is = 1},
                                     {"NOROTATION", .flag = &h->turns, .is = 0},
                                     {"NOTRANSLATION", .flag = &h->moves, .is = 0},
                                     {"EXPONENT", .count = &h->power},
                                     {"XSCALE", .real = &h->scale[0]},
                                     {"YSCALE", .real = &h->scale[1]},
                                     {"ZSCALE", .real = &h->scale[2]}};
    if (script_only_keys(s, 2, key, sizeof key / sizeof *key, harmonic_usage))
        return ERR_INPUT;
    s->at = 1;
    if (h->power < 2 || h->power > 100 || h->force < 0)
        return script_bad(s, "expected FORCE from 0 on, and EXPONENT from 2 to 100");
    if (h->fit &&
        (h->power != 2 || h->keep || h->scale[0] != 1 || h->scale[1] != 1 || h->scale[2] != 1))
        return script_bad(s, "BESTFIT takes no EXPONENT, KEEP, XSCALE, YSCALE and ZSCALE");
    if (!h->fit && !(h->turns && h->moves))
        return script_bad(s, "NOROT and NOTRAN belong to BESTFIT");
    return h->comp && !s->compare.x ? script_bad(s, "COMP: COOR COPY COMP comes first") : 0;
}

/* The force constant of an atom: 0 where it has none. */
static double harmonic_force(const struct script *s, const struct harmonic *h,
                             const unsigned char *set, int i)
{
    double mass = s->session.in.system.mass[i];
    if (!set[i] || !(mass > 0)) /* lone pairs follow their hosts */
        return 0;
    double own = h->weight ? (h->comp ? s->compare.w : s->session.in.w)[i] : h->force;
    return own * (h->mass ? mass : 1);
}

/* Every atom that is to be held has a place, and the force constants are no nonsense. */
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
    if ((h->weight && !(total > 0)) || (h->fit && total < 0))
        return script_bad(s, "the weights of the selected atoms add up to nothing, or less");
    return 0;
}

/* Restraints that fit leave whole or not at all: those whose atoms are all chosen. */
static int harmonic_replace(struct script *s, const unsigned char *set)
{
    struct script_atoms *a = &s->atoms;
    unsigned char *gone = mem_new((size_t)a->nrestraint, 1);
    int status = 0;
    for (int k = 0; k < a->nrestraint; k++) {
        const struct restraint *r = &a->restraint[k];
        int chosen = 0;
        for (int i = 0; r->kind == RESTRAINT_BESTFIT && i < r->count; i++)
            chosen += set[a->restraint_atom[r->first + i]];
        gone[k] = chosen > 0;
        if (chosen && chosen < r->count)
            status = script_bad(s, "some of these atoms, but not all, have a BESTFIT restraint: "
                                   "CONS HARM CLEAR takes it away");
    }
    if (!status)
        script_restraints_remove(s, gone);
    mem_free(gone);
    return status;
}

/* What each atom's restraint is now, by atom; those without have none. */
static int harmonic_anchors(struct script *s, const struct harmonic *h, const unsigned char *set)
{
    struct script_atoms *a = &s->atoms;
    struct system_anchor *all = mem_new((size_t)a->natom, sizeof *all);
    const double *x = h->comp ? s->compare.x : s->session.in.x;
    int n = 0, status = 0;
    for (int i = 0, old = 0; i < a->natom; i++) {
        int had = old < a->nanchor && a->anchor[old].atom == i;
        double force = harmonic_force(s, h, set, i);
        if (had)
            all[n] = a->anchor[old++];
        if (!h->fit && force != 0 && h->keep && !had)
            status = script_bad(s, "KEEP: an atom was not held before");
        for (int k = 0; !h->fit && k < 3; k++) {
            all[n].atom = i;
            all[n].power = set[i] ? (int)h->power : all[n].power;
            all[n].k[k] = set[i] ? force * h->scale[k] : all[n].k[k];
            all[n].at[k] = set[i] && !h->keep ? x[3 * i + k] : all[n].at[k];
        }
        n += set[i] ? !h->fit && force != 0 : had;
    }
    mem_free(a->anchor);
    a->anchor = all;
    a->nanchor = n;
    return status;
}

static void harmonic_fit(struct script *s, const struct harmonic *h, const unsigned char *set)
{
    struct script_atoms *a = &s->atoms;
    const double *x = h->comp ? s->compare.x : s->session.in.x;
    double total = 0;
    for (int i = 0; i < a->natom; i++)
        total += harmonic_force(s, h, set, i);
    if (!(total > 0))
        return;
    script_restraint_new(s, RESTRAINT_BESTFIT)->u.shape =
        (struct restraint_shape){.force = total, .turns = h->turns, .moves = h->moves};
    for (int i = 0; i < a->natom; i++) {
        double force = harmonic_force(s, h, set, i);
        if (force == 0)
            continue;
        script_restraint_atom(s, i, force / total);
        for (int k = 0; k < 3; k++)
            a->restraint_place[3 * (a->restraint_atoms - 1) + (size_t)k] = x[3 * i + k];
    }
}

int script_harmonic(struct script *s, const unsigned char *set)
{
    struct harmonic h = {.scale = {1, 1, 1}, .power = 2, .turns = 1, .moves = 1};
    int status = harmonic_words(s, &h);
    if (!status && h.clear) {
        s->atoms.nanchor = 0;
        script_restraints_drop(s, RESTRAINT_BESTFIT, RESTRAINT_BESTFIT);
        return 0;
    }
    if (!status)
        status = harmonic_check(s, &h, set);
    if (!status)
        status = harmonic_replace(s, set);
    if (!status)
        status = harmonic_anchors(s, &h, set);
    if (!status && h.fit)
        harmonic_fit(s, &h, set);
    return status;
}
