/* script_enter.c - ENTER: of what a time series is, and its value in a frame (CHARMM's correl.doc):
 *
 *   ENTER name BOND|ANGLE|DIHEDRAL|TORSION|IMPROPER atoms [GEOMETRY]
 *   ENTER name ATOM|FLUC|VECT  X|Y|Z|R|XYZ|DOTPRODUCT|CROSSPRODUCT  atoms [MASS] [NORMAL]
 *   ENTER name GYRATION [CUT x] [MASS]         ENTER name RMS [MASS] [ORIENT]
 *   ENTER name DIPO [OXYZ|MASS] SELE ... END   ENTER name CELL A|B|C|ALPHA|BETA|GAMMA|ALL
 *   ENTER name ENERGY | TIME [AKMA] | ZERO | DUPLICATE other
 *
 * Atoms are BYNUM n, segment, residue and name, or number of the residue and name, each; or all in
 * one selection, in the structure's order.  Several make a mean.  GYRATION and RMS are of the atoms
 * that TRAJ selects.
 */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "script_correl.h"
#include "superpose.h"
#include "vec.h"
#include "velocity.h"

/* ---- words ----------------------------------------------------------------------------------- */

/* The atoms that words from `at` on name, one after the other. */
static int enter_atoms(struct script *s, int at, struct correl_source *o)
{
    size_t room = 0;
    while (at < s->l.word.n) {
        int by = script_is(s, at, "BYNUMBER"), words = by ? 1 : 3, left = s->l.word.n - at - by;
        int atom = left >= words ? script_atom(s, at + by, words) : -1;
        if (atom < 0 && !by && left >= 2)
            atom = script_atom(s, at, words = 2);
        s->at = at;
        if (atom < 0)
            return script_bad(s, "expected atoms: for each BYNUM and its number, or segment, "
                                 "residue and name; the structure has none such");
        mem_grow(&o->atom, &room, (size_t)o->natom + 1, sizeof *o->atom);
        o->atom[o->natom++] = atom;
        at += words + by;
    }
    return 0;
}

/* All atoms of a selection. */
static void enter_selected(const struct script *s, const unsigned char *set,
                           struct correl_source *o)
{
    int n = s->session.in.psf.natom;
    o->atom = mem_new((size_t)n, sizeof *o->atom);
    for (int i = 0; i < n; i++)
        if (set[i])
            o->atom[o->natom++] = i;
}

/* Words that say more, at the end. */
static int enter_flags(struct script *s, struct correl_source *o)
{
    int energy = 0;
    const struct script_key key[] = {{"GEOMETRY"},
                                     {"NOTR"},
                                     {"ENERGY", .flag = &energy, .is = 1},
                                     {"MASS", .flag = &o->mass, .is = 1},
                                     {"NORMAL", .flag = &o->normal, .is = 1},
                                     {"ORIENT", .flag = &o->orient, .is = 1},
                                     {"OXYZ", .flag = &o->origin, .is = 1},
                                     {"AKMA", .flag = &o->akma, .is = 1},
                                     {"CUT", .real = &o->cut}};
    if (script_cut_keys(s, 3, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    s->at = 2;
    return energy ? script_bad(s, "hmd has the GEOMETRY of internal coordinates only") : 0;
}

/* X, Y, ... behind ATOM, FLUC and VECT. */
static int enter_form(struct script *s, struct correl_source *o, int *vector)
{
    static const char *const name[] = {"X", "Y", "Z", "R", "XYZ", "DOTPRODUCT", "CROSSPRODUCT"};
    int form = 0;
    s->at = 3;
    while (form <= CORREL_CROSS && !script_is(s, 3, name[form]))
        form++;
    if (form > CORREL_CROSS)
        return script_bad(s, "expected X, Y, Z, R, XYZ, DOTP or CROS");
    o->form = (enum correl_form)form;
    *vector = form == CORREL_XYZ || form == CORREL_CROSS ? 3 : 1;
    script_cut(s, 3, 3);
    o->each = (o->kind == CORREL_VECTOR ? 2 : 1) * (form >= CORREL_DOT ? 2 : 1);
    s->at = 2;
    return o->mass && (o->kind == CORREL_VECTOR) ? script_bad(s, "VECT has no MASS") : 0;
}

static int enter_cell(struct script *s, struct correl_source *o, int *vector)
{
    static const char *const name[] = {"A", "B", "C", "ALPHA", "BETA", "GAMMA", "ALL"};
    int which = 0;
    s->at = 3;
    while (which < 7 && !script_is(s, 3, name[which]))
        which++;
    if (which == 7)
        return script_bad(s, "expected A, B, C, ALPHA, BETA, GAMMA or ALL");
    o->form = (enum correl_form)which;
    *vector = which == 6 ? 6 : 1;
    script_cut(s, 3, 3);
    return 0;
}

static const struct enter_class {
    const char *name;
    enum correl_kind kind;
    int each; /* atoms, of internal coordinates */
} enter_classes[] = {{"BONDS", CORREL_INTERNAL, 2},    {"ANGLE", CORREL_INTERNAL, 3},
                     {"DIHEDRAL", CORREL_INTERNAL, 4}, {"TORSION", CORREL_INTERNAL, 4},
                     {"IMPROPER", CORREL_INTERNAL, 4}, {"ATOM", CORREL_ATOM, 0},
                     {"FLUCTUATION", CORREL_FLUC, 0},  {"VECTOR", CORREL_VECTOR, 0},
                     {"GYRATION", CORREL_GYRATION, 0}, {"RMS", CORREL_RMS, 0},
                     {"DIPOLE", CORREL_DIPOLE, 0},     {"CELL", CORREL_CELL, 0},
                     {"ENERGY", CORREL_ENERGY, 0},     {"TIME", CORREL_TIME, 0},
                     {"ZERO", CORREL_ZERO, 0}};

static const struct enter_class *enter_class(const struct script *s)
{
    for (size_t k = 0; k < sizeof enter_classes / sizeof *enter_classes; k++)
        if (script_is(s, 2, enter_classes[k].name))
            return &enter_classes[k];
    return NULL;
}

/* The atoms of the words, or of the selection. */
static int enter_members(struct script *s, struct correl_source *o, const unsigned char *set)
{
    int status = 0;
    if (o->kind > CORREL_VECTOR) {
        s->at = 3;
        return s->l.word.n > 3 ? script_bad(s, "hmd does not know this word of ENTER") : 0;
    }
    if (set)
        enter_selected(s, set, o);
    s->at = 3;
    if (set && s->l.word.n > 3)
        return script_bad(s, "where there is a selection it has all the atoms");
    if (!set)
        status = enter_atoms(s, 3, o);
    s->at = 2;
    return status                                 ? status
           : !o->natom || o->natom % o->each != 0 ? script_bad(s, "this is another number of atoms "
                                                                  "than it takes")
                                                  : 0;
}

/* What a series asks for that has to be there. */
static int enter_check(struct script *s, const struct correl_source *o)
{
    s->at = 2;
    if ((o->kind == CORREL_FLUC || o->kind == CORREL_RMS) && !s->compare.x)
        return script_bad(s, "it needs COOR's second set: COOR COPY COMP comes first");
    if (o->kind == CORREL_CELL && s->session.in.system.cell.box[0] <= 0)
        return script_bad(s, "there is no box: CRYSTAL DEFINE comes first");
    return 0;
}

int correl_source(struct script *s, struct correl_source *o, int *vector)
{
    const struct enter_class *class = enter_class(s);
    unsigned char *set = NULL;
    int status = 0;
    *o = (struct correl_source){.cut = HUGE_VAL};
    s->at = 2;
    if (!class)
        return script_bad(s, "hmd has ENTER BOND, ANGLE, DIHE, TORS, IMPR, ATOM, FLUC, VECT, GYRA, "
                             "RMS, DIPO, CELL, ENERGY, TIME, ZERO and DUPL");
    o->kind = class->kind;
    o->each = class->each;
    if (script_selects(s))
        status = script_select(s, &set);
    if (!status)
        status = enter_flags(s, o);
    if (!status && o->kind >= CORREL_ATOM && o->kind <= CORREL_VECTOR)
        status = enter_form(s, o, vector);
    if (!status && o->kind == CORREL_CELL)
        status = enter_cell(s, o, vector);
    if (!status)
        status = enter_members(s, o, set);
    if (!status)
        status = enter_check(s, o);
    if (o->kind != CORREL_DIPOLE) {
        mem_free(set);
        return status;
    }
    *vector = 3;
    o->set = set;
    s->at = 2;
    return status || set ? status : script_bad(s, "DIPO takes a selection");
}

/* ---- values ---------------------------------------------------------------------------------- */

static double value_internal(const struct script *s, const struct correl_source *o)
{
    double sum = 0;
    for (int k = 0; k < o->natom; k += o->each)
        sum += script_internal(s, s->session.in.x, o->each, o->atom + k);
    return sum * o->each / o->natom;
}

/* The place of an atom, less that of the second set, or the vector of two. */
static void value_place(const struct script *s, const struct correl_source *o, const int *atom,
                        double d[3])
{
    const double *x = s->session.in.x;
    for (int k = 0; k < 3; k++) {
        d[k] = x[3 * atom[0] + k];
        d[k] -= o->kind == CORREL_FLUC     ? s->compare.x[3 * atom[0] + k]
                : o->kind == CORREL_VECTOR ? x[3 * atom[1] + k]
                                           : 0;
    }
}

static void value_unit(double d[3])
{
    double length = sqrt(vec_dot(d, d));
    for (int k = 0; k < 3; k++)
        d[k] /= length;
}

/* The mean of places, or vectors: those at `from` of each group of atoms. */
static void value_mean(const struct script *s, const struct correl_source *o, int from,
                       double mean[3])
{
    double all = 0, d[3];
    memset(mean, 0, 3 * sizeof *mean);
    for (int k = 0; k < o->natom; k += o->each) {
        double m = o->mass ? s->session.in.system.mass[o->atom[k + from]] : 1;
        value_place(s, o, o->atom + k + from, d);
        vec_add(mean, m, d);
        all += m;
    }
    for (int k = 0; k < 3; k++)
        mean[k] /= all;
}

/* The mean of their lengths. */
static double value_length(const struct script *s, const struct correl_source *o)
{
    double sum = 0, all = 0, d[3];
    for (int k = 0; k < o->natom; k += o->each) {
        double m = o->mass ? s->session.in.system.mass[o->atom[k]] : 1;
        value_place(s, o, o->atom + k, d);
        sum += m * sqrt(vec_dot(d, d));
        all += m;
    }
    return sum / all;
}

static void value_places(const struct script *s, const struct correl_source *o, double *v)
{
    double a[3], b[3];
    value_mean(s, o, 0, a);
    if (o->form >= CORREL_DOT) {
        value_mean(s, o, o->each / 2, b);
        if (o->normal) {
            value_unit(a);
            value_unit(b);
        }
    }
    if (o->form == CORREL_CROSS)
        vec_cross(a, b, v);
    else if (o->form == CORREL_XYZ)
        memcpy(v, a, sizeof a);
    else
        v[0] = o->form == CORREL_DOT ? vec_dot(a, b)
               : o->form == CORREL_R ? value_length(s, o)
                                     : a[o->form];
}

/* The radius of gyration of the chosen atoms that are not farther than CUT from their centre. */
static double value_gyration(const struct script *s, const struct correl_source *o,
                             const unsigned char *set)
{
    double centre[3] = {0}, sum = 0, all = 0, near = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->session.in.psf.natom; i++) {
            const double *x = s->session.in.x + 3 * (size_t)i;
            double m = !set[i] ? 0 : o->mass ? s->session.in.system.mass[i] : 1, d[3];
            for (int k = 0; k < 3; k++)
                d[k] = x[k] - centre[k];
            double square = vec_dot(d, d);
            if (!pass) {
                vec_add(centre, m, x);
                all += m;
            } else if (square <= o->cut * o->cut) {
                sum += m * square;
                near += m;
            }
        }
        for (int k = 0; !pass && k < 3; k++)
            centre[k] /= all > 0 ? all : 1;
    }
    return near > 0 ? sqrt(sum / near) : 0;
}

/* How far the chosen atoms are from their places in the second set, fitted to it with ORIENT. */
static double value_rms(const struct script *s, const struct correl_source *o,
                        const unsigned char *set)
{
    int n = s->session.in.psf.natom;
    size_t numbers = 3 * (size_t)n;
    double *x = mem_new(numbers, sizeof *x), *weight = mem_new((size_t)n, sizeof *weight);
    double sum = 0, all = 0;
    memcpy(x, s->session.in.x, numbers * sizeof *x);
    for (int i = 0; i < n; i++)
        weight[i] = !set[i] ? 0 : o->mass ? s->session.in.system.mass[i] : 1;
    if (o->orient) {
        struct superpose m;
        superpose_fit(&m, n, x, s->compare.x, weight);
        superpose_move(&m, n, x);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; weight[i] > 0 && k < 3; k++) {
            double d = x[3 * i + k] - s->compare.x[3 * i + k];
            sum += weight[i] * d * d;
        }
        all += weight[i];
    }
    mem_free(x);
    mem_free(weight);
    return all > 0 ? sqrt(sum / all) : 0;
}

static void value_cell(const struct script *s, const struct correl_source *o, double *v)
{
    double form[6];
    cell_form(&s->session.in.system.cell, form, form + 3);
    for (int k = 3; k < 6; k++)
        form[k] = acos(form[k]) * 180 / M_PI;
    if ((int)o->form == 6)
        memcpy(v, form, sizeof form);
    else
        v[0] = form[o->form];
}

static int value_energy(struct script *s, double *v)
{
    struct command o = s->o;
    o.nstep = 0;
    o.firstt = -1;
    o.quiet = 1;
    o.shake = CONSTRAIN_NONE; /* the frame as it is */
    int status = script_ready(s);
    if (!status)
        status = session_dynamics(&s->session, &o, s->e);
    v[0] = s->session.last.ener;
    return script_blame(s, status);
}

int correl_values(struct script *s, const struct correl_source *o, const struct frames *f,
                  const struct script_fit *fit, double *v)
{
    v[0] = 0;
    switch (o->kind) {
    case CORREL_INTERNAL:
        v[0] = value_internal(s, o);
        break;
    case CORREL_ATOM:
    case CORREL_FLUC:
    case CORREL_VECTOR:
        value_places(s, o, v);
        break;
    case CORREL_GYRATION:
        v[0] = value_gyration(s, o, fit->chosen);
        break;
    case CORREL_RMS:
        v[0] = value_rms(s, o, fit->chosen);
        break;
    case CORREL_DIPOLE:
        script_dipole(s, o->set, s->session.in.x, o->origin, o->mass, v);
        break;
    case CORREL_CELL:
        value_cell(s, o, v);
        break;
    case CORREL_ENERGY:
        return value_energy(s, v);
    case CORREL_TIME:
        v[0] = (double)f->step * f->file.dt / (o->akma ? VELOCITY_AKMA : 1);
        break;
    case CORREL_ZERO:
    case CORREL_OTHER:
        break;
    }
    return 0;
}
