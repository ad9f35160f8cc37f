/* script_mmfp.c - restraints by distances and angles of centres of mass (CHARMM's mmfp.doc):
 *
 *   MMFP / GEO RESET / GEO [SPHERE|CYLINDER|PLANE] [RCM] [HARMONIC|QUARTIC|EXPONENTIAL|SAWOOD]
 *     [INSIDE|OUTSIDE|SYMMETRIC] FORCE x [DROFF x] [P1 x] [P2 x] [XREF x YREF y ZREF z]
 *     [XDIR x YDIR y ZDIR z] SELE ... END
 *   GEO ... DISTANCE two selections, ADISTANCE PERP three
 *   GEO ANGLE three selections, DIHEDRAL four  [TREF degrees] [DTOFF degrees] / END
 *
 * GAUS and ADISTANCE along its axis are not there: mmfp.doc does not say what they are exactly.
 */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"
#include "vec.h"

enum { GEO_SETS = 4 };

struct geo {
    struct restraint_wall wall;
    double at[3], tref, dtoff;
    int kind, form, side, rcm, reset, perp, gauss;
    int between; /* a kind with several groups, or RESTRAINT_SPHERE: DISTANCE; -1: none */
    long ignored;
    unsigned char *set[GEO_SETS];
    int sets;
};

int script_mmfp(struct script *s)
{
    s->at = 1;
    if (s->l.word.n > 1)
        return script_bad(s, "MMFP stands alone, GEO in the lines behind it, END at last");
    s->module = SCRIPT_MMFP;
    return script_blame(s, script_load_structure(s));
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The words that choose: shape, potential, side, what is between the selections. */
static int geo_choices(struct script *s, struct geo *g)
{
    const struct script_key key[] = {{"SPHERE", .flag = &g->kind, .is = RESTRAINT_SPHERE},
                                     {"CYLINDER", .flag = &g->kind, .is = RESTRAINT_CYLINDER},
                                     {"PLANAR", .flag = &g->kind, .is = RESTRAINT_PLANE},
                                     {"PLANE", .flag = &g->kind, .is = RESTRAINT_PLANE},
                                     {"RCM", .flag = &g->rcm, .is = 1},
                                     {"DISTANCE", .flag = &g->between, .is = RESTRAINT_SPHERE},
                                     {"ADISTANCE", .flag = &g->between, .is = RESTRAINT_AXIS},
                                     {"ANGLE", .flag = &g->between, .is = RESTRAINT_ANGLE},
                                     {"DIHEDRAL", .flag = &g->between, .is = RESTRAINT_DIHEDRAL},
                                     {"PERP", .flag = &g->perp, .is = 1},
                                     {"RESET", .flag = &g->reset, .is = 1},
                                     {"HARMONIC", .flag = &g->form, .is = RESTRAINT_HARMONIC},
                                     {"QUARTIC", .flag = &g->form, .is = RESTRAINT_QUARTIC},
                                     {"EXPONENT", .flag = &g->form, .is = RESTRAINT_EXPONENTIAL},
                                     {"SAWOOD", .flag = &g->form, .is = RESTRAINT_SAXON_WOOD},
                                     {"GAUSSIAN", .flag = &g->gauss, .is = 1},
                                     {"INSIDE", .flag = &g->side, .is = RESTRAINT_INSIDE},
                                     {"OUTSIDE", .flag = &g->side, .is = RESTRAINT_OUTSIDE},
                                     {"SYMMETRIC", .flag = &g->side, .is = RESTRAINT_SYMMETRIC}};
    return script_cut_keys(s, 1, key, sizeof key / sizeof *key);
}

static int geo_numbers(struct script *s, struct geo *g)
{
    struct restraint_wall *w = &g->wall;
    const struct script_key key[] = {
        {"FORCE", .real = &w->force},    {"DROFF", .real = &w->off},
        {"P1", .real = &w->p1},          {"P2", .real = &w->p2},
        {"XREF", .real = &g->at[0]},     {"YREF", .real = &g->at[1]},
        {"ZREF", .real = &g->at[2]},     {"XDIR", .real = &w->along[0]},
        {"YDIR", .real = &w->along[1]},  {"ZDIR", .real = &w->along[2]},
        {"TREF", .real = &g->tref},      {"DTOFF", .real = &g->dtoff},
        {"MAXGEO", .count = &g->ignored}};
    return script_only_keys(s, 1, key, sizeof key / sizeof *key,
                            "GEO takes RESET, SPHERE, CYLINDER or PLANE, RCM, DISTANCE, ADIS PERP, "
                            "ANGLE or DIHE, HARM, QUAR, EXPO or SAWO, INSIDE, OUTSIDE or SYMM, "
                            "FORCE, DROFF, P1, P2, XREF ..., XDIR ..., TREF, DTOFF and SELE ... "
                            "END; hmd has no other potentials");
}

/* ---- what goes together ---------------------------------------------------------------------- */

static int geo_check_form(struct script *s, struct geo *g)
{
    int both = g->form == RESTRAINT_EXPONENTIAL || g->form == RESTRAINT_SAXON_WOOD;
    if (g->gauss)
        return script_bad(s, "GAUS: CHARMM's mmfp.doc does not give its form, so hmd has none: "
                             "EXPO is similar");
    if (g->form == RESTRAINT_QUARTIC && g->side > RESTRAINT_INSIDE)
        return script_bad(s, "QUARTIC is beyond DROFF only: leave OUTSIDE and SYMMETRIC out");
    if (g->form == RESTRAINT_EXPONENTIAL && g->side >= 0)
        return script_bad(s, "EXPO is on both sides of DROFF: leave INSIDE, OUTSIDE and "
                             "SYMMETRIC out");
    if (both && !(g->wall.p1 > 0))
        return script_bad(s, "EXPO and SAWO need P1 above 0, their width");
    g->side = g->side >= 0 ? g->side : both ? RESTRAINT_BOTH : RESTRAINT_INSIDE;
    g->wall.form = (enum restraint_form)g->form;
    g->wall.side = (enum restraint_side)g->side;
    return 0;
}

/* Makes the direction one of length 1. */
static int geo_check_shape(struct script *s, struct geo *g)
{
    double length = sqrt(vec_dot(g->wall.along, g->wall.along));
    if (g->kind != RESTRAINT_SPHERE && !(length > 0))
        return script_bad(s, "CYLINDER and PLANE need a direction: XDIR, YDIR, ZDIR");
    if (g->between >= 0 && g->kind != RESTRAINT_SPHERE)
        return script_bad(s, "DISTANCE, ADIS, ANGLE and DIHE go with SPHERE only");
    if ((g->between == RESTRAINT_AXIS) != g->perp)
        return script_bad(s, "hmd has ADIS with PERP only: where along its axis distances begin, "
                             "CHARMM's mmfp.doc does not say");
    for (int k = 0; k < 3; k++)
        g->wall.along[k] = g->kind != RESTRAINT_SPHERE ? g->wall.along[k] / length : 0;
    return 0;
}

/* Angles: degrees become radians; DROFF was TREF's name before there was that. */
static int geo_check_angle(struct script *s, struct geo *g, int tref)
{
    if (g->between != RESTRAINT_ANGLE && g->between != RESTRAINT_DIHEDRAL)
        return tref || g->dtoff != 0 ? script_bad(s, "TREF and DTOFF go with ANGLE and DIHE") : 0;
    if (g->form != RESTRAINT_HARMONIC)
        return script_bad(s, "ANGLE and DIHE are HARMONIC in hmd");
    if (g->dtoff < 0)
        return script_bad(s, "expected DTOFF from 0 on");
    g->at[0] = (tref ? g->tref : g->wall.off) * M_PI / 180;
    g->wall.off = g->dtoff * M_PI / 180;
    return 0;
}

/* ---- the restraints -------------------------------------------------------------------------- */

static struct restraint *geo_new(struct script *s, const struct geo *g)
{
    int kind = g->between >= 0 ? g->between : g->kind;
    struct restraint *r = script_restraint_new(s, (enum restraint_kind)kind);
    memcpy(r->at, g->at, sizeof r->at);
    r->u.wall = g->wall;
    return r;
}

/* One restraint for each atom of the selection. */
static int geo_single(struct script *s, const struct geo *g)
{
    for (int i = 0; i < s->session.in.psf.natom; i++)
        if (g->set[0][i]) {
            geo_new(s, g);
            script_restraint_atom(s, i, 1);
        }
    return 0;
}

/* One restraint for the centre of mass, or between several. */
static int geo_centres(struct script *s, const struct geo *g)
{
    struct restraint *r = geo_new(s, g);
    for (int k = 0; k < g->sets; k++) {
        int n = script_restraint_group(s, g->set[k], 1);
        if (n < 0)
            return ERR_INPUT;
        if (n > 1 && !g->rcm)
            return script_bad(s, "groups of atoms need RCM: their centres of mass");
        if (k)
            r->more[k - 1] = n;
    }
    return 0;
}

/* What a GEO with words other than RESET adds. */
static int geo_add(struct script *s, struct geo *g, int tref)
{
    int want = g->between < 0                     ? 1
               : g->between == RESTRAINT_SPHERE   ? 2
               : g->between == RESTRAINT_DIHEDRAL ? 4
                                                  : 3;
    if (geo_check_form(s, g) || geo_check_shape(s, g) || geo_check_angle(s, g, tref))
        return ERR_INPUT;
    if (g->sets != want)
        return script_bad(s, "expected a selection, with DISTANCE two of them, with ADIS and ANGLE "
                             "three, with DIHE four");
    return g->rcm || g->between >= 0 ? geo_centres(s, g) : geo_single(s, g);
}

int script_geo(struct script *s)
{
    struct geo g = {.kind = RESTRAINT_SPHERE, .side = -1, .between = -1};
    if (s->l.word.n == 2 && script_is(s, 1, "PRINT")) /* how many there are is told with energies */
        return 0;
    int tref = script_says(s, "TREF"), status = 0;
    for (; g.sets < GEO_SETS && !status && script_selects(s); g.sets++)
        status = script_select(s, &g.set[g.sets]);
    if (!status)
        status = geo_choices(s, &g);
    if (!status)
        status = geo_numbers(s, &g);
    s->at = status ? s->at : 0;
    if (!status && g.reset)
        script_restraints_drop(s, RESTRAINT_SPHERE, RESTRAINT_DIHEDRAL);
    else if (!status)
        status = geo_add(s, &g, tref);
    for (int k = 0; k < GEO_SETS; k++)
        mem_free(g.set[k]);
    script_atoms_attach(s);
    return status;
}
