/* script_restrain.c - the list of restraints on groups of atoms, and sums of distances (CHARMM's
 * cons.doc):
 *
 *   RESD [RESET] [SCALE x] [KVAL k RVAL r [EVAL n] [IVAL n] [POSITIVE|NEGATIVE]
 *     and for each distance: factor, two atoms]
 *
 * Restraints stay until they are reset; a structure with another number of atoms forgets them.
 */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"

/* ---- the list ------------------------------------------------------------------------------- */

struct restraint *script_restraint_new(struct script *s, enum restraint_kind kind)
{
    struct script_atoms *a = &s->atoms;
    mem_grow(&a->restraint, &a->restraint_room, (size_t)a->nrestraint + 1, sizeof *a->restraint);
    struct restraint *r = &a->restraint[a->nrestraint++];
    *r = (struct restraint){.kind = kind, .first = (int)a->restraint_atoms, .scale = 1};
    return r;
}

void script_restraint_atom(struct script *s, int atom, double weight)
{
    struct script_atoms *a = &s->atoms;
    size_t n = a->restraint_atoms++;
    mem_grow(&a->restraint_atom, &a->atom_room, n + 1, sizeof *a->restraint_atom);
    mem_grow(&a->restraint_weight, &a->weight_room, n + 1, sizeof *a->restraint_weight);
    mem_grow(&a->restraint_place, &a->place_room, 3 * (n + 1), sizeof *a->restraint_place);
    a->restraint_atom[n] = atom;
    a->restraint_weight[n] = weight;
    a->restraint[a->nrestraint - 1].count++;
}

int script_restraint_group(struct script *s, const unsigned char *set, int by_mass)
{
    const double *mass = s->session.in.system.mass;
    int n = 0, natom = s->session.in.psf.natom;
    double total = 0;
    for (int i = 0; i < natom; i++) {
        n += set[i];
        total += !set[i] ? 0 : by_mass ? mass[i] : 1;
    }
    s->at = 0;
    if (total <= 0) {
        script_bad(s, "a selection has no atoms, or none with a mass");
        return -1;
    }
    for (int i = 0; i < natom; i++)
        if (set[i])
            script_restraint_atom(s, i, (by_mass ? mass[i] : 1) / total);
    return n;
}

void script_restraints_drop(struct script *s, enum restraint_kind from, enum restraint_kind to)
{
    unsigned char *gone = mem_new((size_t)s->atoms.nrestraint, 1);
    for (int k = 0; k < s->atoms.nrestraint; k++)
        gone[k] = s->atoms.restraint[k].kind >= from && s->atoms.restraint[k].kind <= to;
    script_restraints_remove(s, gone);
    mem_free(gone);
}

void script_restraints_remove(struct script *s, const unsigned char *gone)
{
    struct script_atoms *a = &s->atoms;
    int kept = 0;
    size_t atoms = 0;
    for (int k = 0; k < a->nrestraint; k++) {
        struct restraint *r = &a->restraint[k];
        size_t n = (size_t)r->count;
        if (gone[k])
            continue;
        if (n) {
            memmove(a->restraint_atom + atoms, a->restraint_atom + r->first, n * sizeof(int));
            memmove(a->restraint_weight + atoms, a->restraint_weight + r->first,
                    n * sizeof(double));
            memmove(a->restraint_place + 3 * atoms, a->restraint_place + 3 * (size_t)r->first,
                    3 * n * sizeof(double));
        }
        r->first = (int)atoms;
        atoms += n;
        a->restraint[kept++] = *r;
    }
    a->nrestraint = kept;
    a->restraint_atoms = atoms;
}

void script_restraints_scale(struct script *s, enum restraint_kind kind, double scale)
{
    struct script_atoms *a = &s->atoms;
    for (int k = 0; k < a->nrestraint; k++)
        if (a->restraint[k].kind == kind)
            a->restraint[k].scale = scale;
}

/* ---- RESD ----------------------------------------------------------------------------------- */

/* Takes the keywords out of the words; what is left names the distances. */
static int resd_words(struct script *s, struct restraint_sum *sum)
{
    long order = 2, power = 1;
    int reset;
    const struct script_key key[] = {{"RESET", .flag = &reset, .is = 1},
                                     {"SCALE", .real = &s->resd_scale},
                                     {"KVAL", .real = &sum->force},
                                     {"RVAL", .real = &sum->target},
                                     {"EVAL", .count = &order},
                                     {"IVAL", .count = &power},
                                     {"POSITIVE", .flag = &sum->sign, .is = 1},
                                     {"NEGATIVE", .flag = &sum->sign, .is = -1}};
    if (script_cut_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    s->at = 0;
    if (order < 1 || power < 1 || order > 100 || power > 100)
        return script_bad(s, "expected EVAL and IVAL from 1 to 100");
    sum->order = (int)order;
    sum->power = (int)power;
    return 0;
}

/* Whether the words are distances whose atoms have so many words each; they go to the last
 * restraint. */
static int resd_pairs(struct script *s, int words)
{
    int each = 1 + 2 * words, n = s->l.word.n - 1;
    double factor;
    if (n == 0 || n % each)
        return 0;
    for (int at = 1; at < s->l.word.n; at += each)
        if (!text_double(s->l.word.at[at], &factor) || script_atom(s, at + 1, words) < 0 ||
            script_atom(s, at + 1 + words, words) < 0)
            return 0;
    for (int at = 1; at < s->l.word.n; at += each) {
        text_double(s->l.word.at[at], &factor);
        script_restraint_atom(s, script_atom(s, at + 1, words), factor);
        script_restraint_atom(s, script_atom(s, at + 1 + words, words), 0);
    }
    return 1;
}

int script_resd(struct script *s)
{
    struct restraint_sum sum = {.force = 0};
    int given = script_says(s, "KVAL"), status = script_blame(s, script_load_structure(s));
    if (!status && script_says(s, "RESET")) {
        script_restraints_drop(s, RESTRAINT_SUM, RESTRAINT_SUM);
        s->resd_scale = 1;
    }
    if (!status)
        status = resd_words(s, &sum);
    if (!status && (given || s->l.word.n > 1)) {
        script_restraint_new(s, RESTRAINT_SUM)->u.sum = sum;
        if (!resd_pairs(s, 3) && !resd_pairs(s, 2) && !resd_pairs(s, 1))
            status = script_bad(s, "expected KVAL x, RVAL x, and for each distance a factor and "
                                   "two atoms: segment, residue and name of each, number of the "
                                   "residue and name, or numbers");
    }
    script_restraints_scale(s, RESTRAINT_SUM, s->resd_scale);
    script_atoms_attach(s);
    return status;
}
