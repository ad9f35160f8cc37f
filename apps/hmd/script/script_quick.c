/* script_quick.c - QUICK: where a place is, how far two are apart, the angle of three, the dihedral
 * of four (CHARMM's miscom.doc).
 *
 *   QUICK one to four of:  number | BYNUM number | residue's number and name | segment, residue and
 *                          name | SELE ... END [MASS], the centre       each followed by COMP, or
 * not
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bonded.h"
#include "coor.h"
#include "mem.h"
#include "script_coor.h"
#include "vec.h"

double script_internal(const struct script *s, const double *x, int n, const int *atom)
{
    double d[3], e[3], grad[4][3];
    if (n == 4)
        return bonded_dihedral(&s->session.in.system, x, atom, grad) * 180 / M_PI;
    for (int k = 0; k < 3; k++) {
        d[k] = x[3 * atom[0] + k] - x[3 * atom[1] + k];
        e[k] = n == 3 ? x[3 * atom[2] + k] - x[3 * atom[1] + k] : 0;
    }
    double length = sqrt(vec_dot(d, d));
    return n == 2 ? length : acos(vec_dot(d, e) / (length * sqrt(vec_dot(e, e)))) * 180 / M_PI;
}

/* Takes the words that name an atom, the first ones behind QUICK; its number from 0, -1: they name
 * none. */
static int quick_atom(struct script *s)
{
    int by = script_is(s, 1, "BYNUMBER"), words = by ? 1 : 3, atom = -1;
    while (words > 0 && (atom = script_atom(s, 1 + by, words)) < 0)
        words--;
    if (atom >= 0)
        script_cut(s, 1, by + words);
    return atom;
}

/* Takes what names a place; set: a byte for each atom, of whose places it is the centre. */
static int quick_set(struct script *s, unsigned char **set, int *by_mass)
{
    int atom;
    if (script_is(s, 1, "SELECTION")) {
        if (script_select(s, set))
            return ERR_INPUT;
        *by_mass = script_is(s, 1, "MASS");
        if (*by_mass)
            script_cut(s, 1, 1);
        return 0;
    }
    s->at = 1;
    if ((atom = quick_atom(s)) < 0)
        return script_bad(s, "the structure has no such atom: QUICK takes their numbers, BYNUM and "
                             "a number, number of the residue and name, segment, residue and name, "
                             "or SELE ... END");
    *set = mem_new((size_t)s->atoms.natom, 1);
    (*set)[atom] = 1;
    return 0;
}

/* The centre of the set, in the first or the second of COOR's sets. */
static int quick_centre(struct script *s, const unsigned char *set, int by_mass, double p[3])
{
    int comp = script_is(s, 1, "COMPARISON");
    double all = 0;
    if (comp)
        script_cut(s, 1, 1);
    s->at = 0;
    if (comp && !s->compare.x)
        return script_bad(s, "COMP: COOR COPY COMP comes first");
    const double *x = comp ? s->compare.x : s->session.in.x;
    memset(p, 0, 3 * sizeof *p);
    for (int i = 0; i < s->atoms.natom; i++) {
        double m = !set[i] ? 0 : by_mass ? s->session.in.psf.atom[i].mass : 1;
        if (set[i] && x[3 * i] >= COOR_UNKNOWN)
            return script_bad(s, "an atom of these has no place");
        vec_add(p, m, x + 3 * (size_t)i);
        all += m;
    }
    if (all <= 0)
        return script_bad(s, "a selection has no atoms, or none with a mass");
    for (int k = 0; k < 3; k++)
        p[k] /= all;
    return 0;
}

static int quick_place(struct script *s, double p[3])
{
    unsigned char *set = NULL;
    int by_mass = 0, status = quick_set(s, &set, &by_mass);
    if (!status)
        status = quick_centre(s, set, by_mass, p);
    mem_free(set);
    return status;
}

static void quick_tell(struct script *s, int n, const double *x)
{
    static const char *const name[] = {"?DIST", "?THET", "?PHI"};
    static const int in_order[] = {0, 1, 2, 3};
    double value = n > 1 ? script_internal(s, x, n, in_order) : 0;
    if (n > 1)
        script_result(s, name[n - 2], value);
    else
        coor_result(s, "VAL", x);
    if (s->comm->rank == 0 && n > 1)
        printf(" QUICKA: %s = %12.5f\n", name[n - 2] + 1, value);
    else if (s->comm->rank == 0)
        printf(" QUICKA: X = %12.5f  Y = %12.5f  Z = %12.5f\n", x[0], x[1], x[2]);
}

int script_quick(struct script *s)
{
    enum { MOST = 4 };
    double x[3 * MOST];
    int n = 0, status = script_blame(s, script_load(s));
    for (; !status && s->l.word.n > 1 && n < MOST; n++) {
        status = quick_place(s, x + 3 * n);
        if (s->l.word.n == 2 && script_is(s, 1, "END"))
            s->l.word.n--; /* miscom.doc has such an example */
    }
    s->at = 1;
    if (!status && (n == 0 || s->l.word.n > 1))
        status = script_bad(s, "QUICK takes one to four atoms, or centres of selections");
    if (!status)
        quick_tell(s, n, x);
    return status;
}
