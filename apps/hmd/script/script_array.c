/* script_array.c - see script_array.h.
 *
 * Charges and masses become arrays that replace the structure's; coordinates are used directly;
 * friction is initially 0 for all atoms. The conversions cost O(atoms) a command, which no run
 * notices. script_array_put() refuses numbers that a later command could not use. */
#include "script_array.h"

#include <math.h>
#include <string.h>

#include "mem.h"

/* The names are those of scalar.doc, compared by four letters, as all words. X has one letter and
 * must be whole. */
int script_array_find(const char *word, struct script_array *a)
{
    static const struct {
        const char *name;
        struct script_array array;
    } row[] = {{"X", {SCRIPT_ARRAY_PLACE, 0, 0}},       {"Y", {SCRIPT_ARRAY_PLACE, 0, 1}},
               {"Z", {SCRIPT_ARRAY_PLACE, 0, 2}},       {"WMAIN", {SCRIPT_ARRAY_WEIGHT, 0, 0}},
               {"XCOMP", {SCRIPT_ARRAY_PLACE, 1, 0}},   {"YCOMP", {SCRIPT_ARRAY_PLACE, 1, 1}},
               {"ZCOMP", {SCRIPT_ARRAY_PLACE, 1, 2}},   {"WCOMP", {SCRIPT_ARRAY_WEIGHT, 1, 0}},
               {"MASS", {SCRIPT_ARRAY_MASS, 0, 0}},     {"CHARGE", {SCRIPT_ARRAY_CHARGE, 0, 0}},
               {"FBETA", {SCRIPT_ARRAY_FRICTION, 0, 0}}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (text_same(word, row[k].name)) {
            *a = row[k].array;
            return 1;
        }
    return 0;
}

/* Returns the array, whose elements are `step` apart; NULL: the values are the structure's. The
 * second set and the friction are made when they are first used. Elements are at [step * i]. The
 * pointer is valid until the molecule is read again. */
static double *array_memory(struct script *s, const struct script_array *a, int *step)
{
    if (a->comp)
        script_compare(s);
    *step = a->kind == SCRIPT_ARRAY_PLACE ? 3 : 1;
    if (a->kind == SCRIPT_ARRAY_PLACE)
        return (a->comp ? s->compare.x : s->session.in.x) + a->which;
    if (a->kind == SCRIPT_ARRAY_WEIGHT)
        return a->comp ? s->compare.w : s->session.in.w;
    /* Charges and masses are in the structure's atoms, and not in an array. */
    if (a->kind != SCRIPT_ARRAY_FRICTION)
        return NULL;
    if (!s->atoms.friction)
        s->atoms.friction = mem_new((size_t)s->atoms.natom, sizeof *s->atoms.friction);
    return s->atoms.friction;
}

/* Charges and masses are those of the PSF, unless SCALAR has changed them. v has room for one
 * number an atom. */
void script_array_get(struct script *s, const struct script_array *a, double *v)
{
    int step;
    const double *from = array_memory(s, a, &step);
    for (int i = 0; i < s->atoms.natom; i++) {
        const struct psf_atom *p = &s->session.in.psf.atom[i];
        v[i] = from ? from[step * i] : a->kind == SCRIPT_ARRAY_CHARGE ? p->charge : p->mass;
    }
}

/* 0: no such array. The molecule has been read, since a selection needs it. */
int script_array_by_name(void *script, const char *name, double *v)
{
    struct script_array a;
    if (!script_array_find(name, &a))
        return 0;
    script_array_get(script, &a, v);
    return 1;
}

/* Stores charges or masses; every number must be usable. Files are read again, because the system
 * has copies of charges and masses. Lone pairs have no mass, so theirs is not checked. Charges may
 * be any numbers. */
static int array_put_structure(struct script *s, const struct script_array *a, const double *v)
{
    int mass = a->kind == SCRIPT_ARRAY_MASS;
    double **to = mass ? &s->atoms.mass : &s->atoms.charge;
    for (int i = 0; mass && i < s->atoms.natom; i++)
        if (!s->session.in.psf.atom[i].lonepair && !(v[i] > 0))
            return script_bad(s, "a mass would not be above 0");
    /* The array belongs to the script's settings of atoms, which keep it over the reading of files.
     */
    if (!*to)
        *to = mem_new((size_t)s->atoms.natom, sizeof **to);
    memcpy(*to, v, (size_t)s->atoms.natom * sizeof **to);
    /* The next reading of the files replaces their numbers by these. */
    s->o.atoms.charge = mass ? s->o.atoms.charge : *to;
    s->o.atoms.mass = mass ? *to : s->o.atoms.mass;
    s->o.atoms.natom = s->atoms.natom;
    s->changed = 1;
    return 0;
}

/* Everything is checked before anything is stored. An error names the current word, and leaves the
 * array as it was. */
int script_array_put(struct script *s, const struct script_array *a, const double *v)
{
    int step;
    double *to = array_memory(s, a, &step);
    for (int i = 0; i < s->atoms.natom; i++)
        if (!isfinite(v[i]))
            return script_bad(s, "no finite number comes out for an atom");
    for (int i = 0; a->kind == SCRIPT_ARRAY_FRICTION && i < s->atoms.natom; i++)
        if (v[i] < 0)
            return script_bad(s, "a friction would be below 0");
    if (!to)
        return array_put_structure(s, a, v);
    for (int i = 0; i < s->atoms.natom; i++)
        to[step * i] = v[i];
    return 0;
}
