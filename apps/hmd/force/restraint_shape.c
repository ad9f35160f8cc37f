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

/* Some atoms and what they are compared with. */
struct shape {
    const struct system *s;
    const struct restraint *r;
    const int *atom;
    const double *weight, *place;
    int n;
    double *d, *y; /* 3 each: how far an atom is from where it should be, and that place */
    double length; /* r */
};

/* The reference's places, moved as it may be: into y. */
static void shape_reference(struct shape *h, const double *x)
{
    const struct restraint_shape *o = &h->r->u.shape;
    struct superpose m;
    memcpy(h->y, h->place, 3 * (size_t)h->n * sizeof *h->y);
    if (!o->moves && !o->turns)
        return;
    if (o->moves)
        superpose_fit(&m, h->n, h->y, x, h->weight);
    else
        superpose_turn_fit(&m, h->n, h->y, x, h->weight);
    for (int a = 0; !o->turns && a < 3; a++)
        for (int b = 0; b < 3; b++)
            m.turn[a][b] = a == b;
    superpose_move(&m, h->n, h->y);
}

/* The atoms' centre, as often as there are atoms: into y. */
static void shape_centre(struct shape *h, const double *x)
{
    double c[3] = {0};
    for (int k = 0; k < h->n; k++)
        vec_add(c, h->weight[k], x + 3 * (size_t)k);
    for (int k = 0; k < 3 * h->n; k++)
        h->y[k] = c[k % 3];
}

/* The n atoms of a restraint from `first` of its own on; h->d, h->y are the caller's to free (one
 * piece, h->d). */
static void shape_make(struct shape *h, const struct system *s, const struct restraint *r,
                       int first, int n, const double *x)
{
    size_t at = (size_t)(r->first + first);
    double square = 0;
    *h = (struct shape){.s = s,
                        .r = r,
                        .atom = s->restraint_atom + at,
                        .weight = s->restraint_weight + at,
                        .place = s->restraint_place + 3 * at,
                        .n = n};
    h->d = mem_new(6 * (size_t)n, sizeof *h->d);
    h->y = h->d + 3 * (size_t)n;
    for (int k = 0; k < n; k++)
        memcpy(h->d + 3 * (size_t)k, x + 3 * (size_t)h->atom[k], 3 * sizeof *x);
    if (r->kind == RESTRAINT_GYRATION)
        shape_centre(h, h->d);
    else
        shape_reference(h, h->d);
    for (int k = 0; k < n; k++) {
        vec_add(h->d + 3 * (size_t)k, -1, h->y + 3 * (size_t)k);
        square += h->weight[k] * vec_dot(h->d + 3 * (size_t)k, h->d + 3 * (size_t)k);
    }
    h->length = sqrt(square);
}

/* Forces of an energy whose slope by h->length is `slope` times that. */
static void shape_push(const struct shape *h, double slope, double *f, double *virial)
{
    int inner = h->r->kind == RESTRAINT_GYRATION || h->r->u.shape.moves; /* else from outside */
    for (int k = 0; k < h->n; k++) {
        const double *d = h->d + 3 * (size_t)k;
        vec_add(f + 3 * (size_t)h->atom[k], -slope * h->weight[k], d);
        for (int a = 0; inner && a < 3; a++) /* forces add up to nothing: any origin will do */
            virial[a] -= slope * h->weight[k] * d[a] * (d[a] + h->y[3 * k + a] - h->y[a]);
    }
}

double restraint_shape(const struct system *s, const struct restraint *r, const double *x,
                       double *f, double *virial)
{
    const struct restraint_shape *o = &r->u.shape;
    struct shape h, other = {.length = 0};
    int n = r->count - r->more[0];
    shape_make(&h, s, r, 0, n, x);
    if (r->more[0])
        shape_make(&other, s, r, n, r->more[0], x);
    double away = (r->more[0] ? other.length - h.length : h.length) - o->target;
    away = o->flat && away < 0 ? 0 : away;
    double slope = 2 * r->scale * o->force * away;
    if (r->more[0]) {
        shape_push(&h, h.length > 0 ? -slope / h.length : 0, f, virial);
        shape_push(&other, other.length > 0 ? slope / other.length : 0, f, virial);
    } else if (o->target == 0) /* also where the length is 0 */
        shape_push(&h, 2 * r->scale * o->force, f, virial);
    else
        shape_push(&h, h.length > 0 ? slope / h.length : 0, f, virial);
    mem_free(h.d);
    mem_free(other.d);
    return r->scale * o->force * away * away;
}
