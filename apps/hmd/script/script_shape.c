/* script_shape.c - restraints of what a set of atoms is like as a whole (CHARMM's cons.doc):
 *
 *   CONS RMSD FORCE k [MASS] [OFFSET r|BOFFSET r] [MAIN|COMP|RELATIVE] [NOROT] [NOTRAN] SELE ...
 * END CONS RMSD CLEAR RGYR FORCE k REFERENCE r [RMSD [MAIN|COMP] [ORIENT]] SELE ... END RGYR RESET
 *
 * They stay until they are cleared, each command adds one.  CONS RMSD turns and moves its reference
 * onto the atoms, RGYR ... RMSD leaves it where it is without ORIENT.  RELATIVE has two references,
 * the main set and COOR's second one, and restrains the distance from this one less that from the
 * other.
 */
#include "coor.h"
#include "mem.h"
#include "script_run.h"

struct shape {
    struct restraint_shape form;
    int comp, by_mass, gyration, drop, relative;
    long output;
};

/* The chosen atoms come to the restraint, with their places in a set of coordinates (NULL: they
 * need none): how many; -1 with a message. */
static int shape_atoms(struct script *s, struct restraint *r, const struct shape *h,
                       const unsigned char *set, const double *from)
{
    int before = r->count, n = script_restraint_group(s, set, h->by_mass);
    for (int k = 0; from && k < 3 * n; k++) {
        int at = r->first + before + k / 3;
        double v = from[3 * s->atoms.restraint_atom[at] + k % 3];
        if (v >= COOR_UNKNOWN) {
            script_bad(s, "an atom of the reference has no place");
            return -1;
        }
        s->atoms.restraint_place[3 * at + k % 3] = v;
    }
    return n;
}

/* Appends the restraint, of the places that the reference set has now. */
static int shape_add(struct script *s, enum restraint_kind kind, const struct shape *h,
                     const unsigned char *set)
{
    if ((h->comp || h->relative) && !s->compare.x)
        return script_bad(s, "COMP and RELATIVE: COOR COPY COMP comes first");
    struct restraint *r = script_restraint_new(s, kind);
    r->u.shape = h->form;
    const double *from = h->comp ? s->compare.x : s->session.in.x;
    if (shape_atoms(s, r, h, set, h->gyration ? NULL : from) < 0)
        return ERR_INPUT;
    if (!h->relative)
        return 0;
    r->more[0] = shape_atoms(s, r, h, set, s->compare.x);
    return r->more[0] < 0 ? ERR_INPUT : 0;
}

int script_rmsd(struct script *s, const unsigned char *set)
{
    struct shape h = {.form = {.force = -1, .turns = 1, .moves = 1}};
    double beyond = -1;
    long ignored;
    const struct script_key key[] = {{"FORCE", .real = &h.form.force},
                                     {"OFFSET", .real = &h.form.target},
                                     {"BOFFSET", .real = &beyond},
                                     {"RELATIVE", .flag = &h.relative, .is = 1},
                                     {"MASS", .flag = &h.by_mass, .is = 1},
                                     {"COMPARISON", .flag = &h.comp, .is = 1},
                                     {"MAIN", .flag = &h.comp, .is = 0},
                                     {"NOROTATION", .flag = &h.form.turns, .is = 0},
                                     {"NOTRANSLATION", .flag = &h.form.moves, .is = 0},
                                     {"CLEAR", .flag = &h.drop, .is = 1},
                                     {"SHOW", .flag = &h.drop, .is = -1},
                                     {"MAXN", .count = &ignored},
                                     {"NPRT"}};
    if (script_only_keys(s, 2, key, sizeof key / sizeof *key,
                         "CONS RMSD takes FORCE x, OFFSET x, BOFFSET x, MASS, COMP, RELATIVE, "
                         "NOROT, NOTRAN, SELE ... END, or CLEAR"))
        return ERR_INPUT;
    s->at = 1;
    if (h.drop > 0)
        script_restraints_drop(s, RESTRAINT_SHAPE, RESTRAINT_SHAPE);
    if (h.drop)
        return 0;
    if (h.form.force < 0 || (h.form.target < 0 && !h.relative))
        return script_bad(s, "expected FORCE and OFFSET from 0 on");
    if (h.relative && (h.comp || beyond >= 0))
        return script_bad(s, "RELATIVE takes OFFSET, and both sets of coordinates: leave COMP and "
                             "BOFFSET out");
    if (beyond >= 0 && h.form.target != 0)
        return script_bad(s, "OFFSET and BOFFSET at once: cons.doc does not say what they are "
                             "together");
    h.form.flat = beyond >= 0;
    h.form.target = beyond >= 0 ? beyond : h.form.target;
    return shape_add(s, RESTRAINT_SHAPE, &h, set);
}

static int rgyr_words(struct script *s, struct shape *h)
{
    int rmsd = 0, orient = 0;
    long ignored;
    const struct script_key key[] = {
        {"FORCE", .real = &h->form.force},    {"REFERENCE", .real = &h->form.target},
        {"RMSD", .flag = &rmsd, .is = 1},     {"COMPARISON", .flag = &h->comp, .is = 1},
        {"MAIN", .flag = &h->comp, .is = 0},  {"ORIENT", .flag = &orient, .is = 1},
        {"RESET", .flag = &h->drop, .is = 1}, {"OUTPUT", .count = &h->output},
        {"NSAVE", .count = &ignored}};
    if (script_only_keys(s, 1, key, sizeof key / sizeof *key,
                         "RGYR takes FORCE x, REFERENCE x, RMSD, COMP, ORIENT, SELE ... END, or "
                         "RESET"))
        return ERR_INPUT;
    s->at = 0;
    if (h->output > 0)
        return script_bad(s, "hmd writes no history of it: leave OUTPUT out, and have CORREL's "
                             "GYRATION or RMS from the trajectory");
    if (!h->drop && (h->form.force < 0 || h->form.target < 0))
        return script_bad(s, "expected FORCE and REFERENCE, and numbers from 0 on");
    h->gyration = !rmsd;
    h->form.force /= 2; /* cons.doc has it with a half */
    h->form.turns = h->form.moves = orient;
    return 0;
}

int script_rgyr(struct script *s)
{
    struct shape h = {.form = {.force = -1, .target = -1}};
    unsigned char *set;
    int status = script_select(s, &set);
    if (!status)
        status = rgyr_words(s, &h);
    if (!status && h.drop)
        script_restraints_drop(s, RESTRAINT_GYRATION, RESTRAINT_PLACES);
    else if (!status)
        status = shape_add(s, h.gyration ? RESTRAINT_GYRATION : RESTRAINT_PLACES, &h, set);
    if (s->session.loaded)
        script_atoms_attach(s);
    mem_free(set);
    return status;
}
