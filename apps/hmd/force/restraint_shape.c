/* restraint_shape.c - restraints of what a set of atoms is like as a whole, see restraint.h:
 * CHARMM's CONS RMSD and RGYR (cons.doc).
 *
 * r is the root of a weighted mean of squares of d: how far each atom is from its place in a
 * reference, which may have been turned and moved onto the atoms first, or from their centre.  How
 * the reference lies is where r is least, the centre is where theirs is: so neither adds to the
 * slope, which is w d / r.  Cost: O(atoms).
 */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "restraint.h"
#include "superpose.h"
#include "system.h"
#include "vec.h"

/* The reference's places, moved as it may be: into y. */
static void shape_reference(const struct system *s, const struct restraint *r, const double *x,
                            double *y)
{
    const double *weight = s->restraint_weight + r->first;
    struct superpose m;
    memcpy(y, s->restraint_place + 3 * (size_t)r->first, 3 * (size_t)r->count * sizeof *y);
    if (!r->u.shape.moves)
        return;
    superpose_fit(&m, r->count, y, x, weight);
    for (int a = 0; !r->u.shape.turns && a < 3; a++)
        for (int b = 0; b < 3; b++)
            m.turn[a][b] = a == b;
    superpose_move(&m, r->count, y);
}

/* The atoms' centre, as often as there are atoms: into y. */
static void shape_centre(const struct system *s, const struct restraint *r, const double *x,
                         double *y)
{
    double c[3] = {0};
    for (int k = 0; k < r->count; k++)
        vec_add(c, s->restraint_weight[r->first + k], x + 3 * (size_t)k);
    for (int k = 0; k < 3 * r->count; k++)
        y[k] = c[k % 3];
}

double restraint_shape(const struct system *s, const struct restraint *r, const double *all,
                       double *f, double *virial)
{
    const struct restraint_shape *o = &r->u.shape;
    const int *atom = s->restraint_atom + r->first;
    const double *weight = s->restraint_weight + r->first;
    size_t n = 3 * (size_t)r->count;
    double *x = mem_new(2 * n, sizeof *x), *y = x + n, square = 0;
    for (int k = 0; k < r->count; k++)
        memcpy(x + 3 * (size_t)k, all + 3 * (size_t)atom[k], 3 * sizeof *x);
    if (r->kind == RESTRAINT_GYRATION)
        shape_centre(s, r, x, y);
    else
        shape_reference(s, r, x, y);
    for (int k = 0; k < r->count; k++) {
        vec_add(x + 3 * (size_t)k, -1, y + 3 * (size_t)k);
        square += weight[k] * vec_dot(x + 3 * (size_t)k, x + 3 * (size_t)k);
    }
    double length = sqrt(square), away = length - o->target;
    double slope = o->target == 0 ? 2 * o->force : length > 0 ? 2 * o->force * away / length : 0;
    int inner = r->kind == RESTRAINT_GYRATION || o->moves; /* else it acts from outside */
    for (int k = 0; k < r->count; k++) {
        const double *d = x + 3 * (size_t)k;
        vec_add(f + 3 * (size_t)atom[k], -r->scale * slope * weight[k], d);
        for (int a = 0; inner && a < 3; a++) /* forces add up to nothing: any origin will do */
            virial[a] -= r->scale * slope * weight[k] * d[a] * (d[a] + y[3 * k + a] - y[a]);
    }
    mem_free(x);
    return r->scale * o->force * away * away;
}
