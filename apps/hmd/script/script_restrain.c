/* script_restrain.c - commands that put restraints on groups of atoms (CHARMM's mmfp.doc,
 * cons.doc):
 *
 *   MMFP / GEO RESET / GEO [SPHERE|CYLINDER|PLANE] [RCM] [DISTANCE] [HARMONIC|QUARTIC]
 *     [INSIDE|OUTSIDE|SYMMETRIC] FORCE x [DROFF x] [P1 x] [XREF x YREF y ZREF z]
 *     [XDIR x YDIR y ZDIR z] SELE ... END [SELE ... END] / END
 *   RESD [RESET] [SCALE x] [KVAL k RVAL r [EVAL n] [IVAL n] [POSITIVE|NEGATIVE]
 *     and for each distance: factor, two atoms]
 *
 * Restraints stay until they are reset; a structure with another number of atoms forgets them.
 */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"
#include "vec.h"

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
    struct script_atoms *a = &s->atoms;
    int kept = 0;
    size_t atoms = 0;
    for (int k = 0; k < a->nrestraint; k++) {
        struct restraint *r = &a->restraint[k];
        size_t n = (size_t)r->count;
        if (r->kind >= from && r->kind <= to)
            continue;
        if (n) {
            memmove(a->restraint_atom + atoms, a->restraint_atom + r->first, n * sizeof(int));
            memmove(a->restraint_weight + atoms, a->restraint_weight + r->first,
                    n * sizeof(double));
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

/* ---- MMFP GEO ------------------------------------------------------------------------------- */

struct restrain_geo {
    struct restraint_wall wall;
    double at[3];
    int kind, side, rcm, between, reset;
    long ignored;
};

int script_mmfp(struct script *s)
{
    s->at = 1;
    if (s->l.word.n > 1)
        return script_bad(s, "MMFP stands alone, GEO in the lines behind it, END at last");
    s->module = SCRIPT_MMFP;
    return script_blame(s, script_load_structure(s));
}

static int geo_words(struct script *s, struct restrain_geo *g)
{
    struct restraint_wall *w = &g->wall;
    const struct script_key key[] = {{"SPHERE", .flag = &g->kind, .is = RESTRAINT_SPHERE},
                                     {"CYLINDER", .flag = &g->kind, .is = RESTRAINT_CYLINDER},
                                     {"PLANAR", .flag = &g->kind, .is = RESTRAINT_PLANE},
                                     {"PLANE", .flag = &g->kind, .is = RESTRAINT_PLANE},
                                     {"RCM", .flag = &g->rcm, .is = 1},
                                     {"DISTANCE", .flag = &g->between, .is = 1},
                                     {"RESET", .flag = &g->reset, .is = 1},
                                     {"HARMONIC", .flag = &w->quartic, .is = 0},
                                     {"QUARTIC", .flag = &w->quartic, .is = 1},
                                     {"INSIDE", .flag = &g->side, .is = RESTRAINT_INSIDE},
                                     {"OUTSIDE", .flag = &g->side, .is = RESTRAINT_OUTSIDE},
                                     {"SYMMETRIC", .flag = &g->side, .is = RESTRAINT_SYMMETRIC},
                                     {"FORCE", .real = &w->force},
                                     {"DROFF", .real = &w->off},
                                     {"P1", .real = &w->p1},
                                     {"XREF", .real = &g->at[0]},
                                     {"YREF", .real = &g->at[1]},
                                     {"ZREF", .real = &g->at[2]},
                                     {"XDIR", .real = &w->along[0]},
                                     {"YDIR", .real = &w->along[1]},
                                     {"ZDIR", .real = &w->along[2]},
                                     {"MAXGEO", .count = &g->ignored}};
    if (script_only_keys(s, 1, key, sizeof key / sizeof *key,
                         "GEO takes RESET, SPHERE, CYLINDER or PLANE, RCM, DISTANCE, "
                         "HARM or QUAR, INSIDE, OUTSIDE or SYMM, FORCE, DROFF, P1, XREF "
                         "..., XDIR ... and SELE ... END; hmd has no other potentials"))
        return ERR_INPUT;
    s->at = 0;
    return 0;
}

/* What the words do not allow with each other; makes the direction one of length 1. */
static int geo_check(struct script *s, struct restrain_geo *g)
{
    double length = sqrt(vec_dot(g->wall.along, g->wall.along));
    g->wall.side = (enum restraint_side)g->side;
    if (g->wall.quartic && g->side != RESTRAINT_INSIDE)
        return script_bad(s, "QUARTIC is beyond DROFF only: leave OUTSIDE and SYMMETRIC out");
    if (g->kind != RESTRAINT_SPHERE && !(length > 0))
        return script_bad(s, "CYLINDER and PLANE need a direction: XDIR, YDIR, ZDIR");
    if (g->between && g->kind != RESTRAINT_SPHERE)
        return script_bad(s, "DISTANCE goes with SPHERE only");
    for (int k = 0; k < 3; k++)
        g->wall.along[k] = g->kind != RESTRAINT_SPHERE ? g->wall.along[k] / length : 0;
    return 0;
}

static struct restraint *geo_new(struct script *s, const struct restrain_geo *g)
{
    struct restraint *r = script_restraint_new(s, (enum restraint_kind)g->kind);
    memcpy(r->at, g->at, sizeof r->at);
    r->u.wall = g->wall;
    return r;
}

/* One restraint for each atom of the selection. */
static int geo_single(struct script *s, const struct restrain_geo *g, const unsigned char *set)
{
    for (int i = 0; i < s->session.in.psf.natom; i++)
        if (set[i]) {
            geo_new(s, g);
            script_restraint_atom(s, i, 1);
        }
    return 0;
}

/* One restraint for the centre of mass, or for the distance between two. */
static int geo_centre(struct script *s, const struct restrain_geo *g, const unsigned char *first,
                      const unsigned char *second)
{
    struct restraint *r = geo_new(s, g);
    int n = script_restraint_group(s, first, 1);
    if (n < 0 || !second)
        return n < 0 ? ERR_INPUT : 0;
    r->other = script_restraint_group(s, second, 1);
    if (r->other < 0)
        return ERR_INPUT;
    return n * r->other > 1 && !g->rcm
               ? script_bad(s, "DISTANCE between groups of atoms needs RCM: their centres of mass")
               : 0;
}

/* What a GEO with words other than RESET adds. */
static int geo_add(struct script *s, struct restrain_geo *g, unsigned char *const set[2])
{
    if (geo_check(s, g))
        return ERR_INPUT;
    if (!set[0] || (set[1] != NULL) != g->between)
        return script_bad(s, "expected a selection, and with DISTANCE two of them");
    return g->rcm || g->between ? geo_centre(s, g, set[0], set[1]) : geo_single(s, g, set[0]);
}

int script_geo(struct script *s)
{
    struct restrain_geo g = {.kind = RESTRAINT_SPHERE, .side = RESTRAINT_INSIDE};
    unsigned char *set[2] = {NULL, NULL};
    int status = 0;
    for (int k = 0; k < 2 && !status && script_selects(s); k++)
        status = script_select(s, &set[k]);
    if (!status)
        status = geo_words(s, &g);
    if (!status && g.reset)
        script_restraints_drop(s, RESTRAINT_SPHERE, RESTRAINT_PLANE);
    else if (!status)
        status = geo_add(s, &g, set);
    mem_free(set[0]);
    mem_free(set[1]);
    script_atoms_attach(s);
    return status;
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
