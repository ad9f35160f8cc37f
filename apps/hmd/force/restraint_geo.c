/* restraint_geo.c - MMFP GEO, see restraint.h: one number r of the centres of one to four groups;
 * the force on a centre is shared out among its atoms. */
#include "restraint.h"

#include <math.h>
#include <string.h>

#include "bonded.h"
#include "system.h"
#include "vec.h"

enum { GEO_GROUPS = 4 };

/* ---- the potential --------------------------------------------------------------------------- */

/* Energy at r; *slope its derivative. */
static double geo_at(const struct restraint_wall *w, double r, double *slope)
{
    double d = r - w->off, part, rest;
    *slope = 0;
    if ((w->side == RESTRAINT_INSIDE && d <= 0) || (w->side == RESTRAINT_OUTSIDE && d >= 0))
        return 0;
    switch (w->form) {
    case RESTRAINT_QUARTIC:
        *slope = w->force * d * (4 * d * d - 2 * w->p1);
        return w->force * d * d * (d * d - w->p1);
    case RESTRAINT_EXPONENTIAL:
        part = exp(-fabs(d) / w->p1) / 2;
        *slope = -w->force * part / w->p1;
        return w->force * (d > 0 ? part : 1 - part);
    case RESTRAINT_SAXON_WOOD:
        part = 1 / (1 + exp((w->p2 - fabs(d)) / w->p1));
        rest = 1 / (1 + exp(w->p2 / w->p1));
        *slope = copysign(w->force * part * (1 - part) / w->p1, d);
        return w->force * (part - rest);
    default:
        *slope = w->force * d;
        return w->force * d * d / 2;
    }
}

/* ---- r of the centres c; grad: its gradient with respect to each of them ------------------------
 */

/* From a point, an axis or a plane, which go through c[1]. */
static double geo_distance(const struct restraint *r, double c[][3], double grad[][3])
{
    const double *along = r->u.wall.along;
    double *d = grad[0], length, height;
    memcpy(d, c[0], 3 * sizeof *d);
    vec_add(d, -1, c[1]);
    height = vec_dot(d, along);
    if (r->kind == RESTRAINT_PLANE) {
        double sign = height < 0 && r->u.wall.side != RESTRAINT_SYMMETRIC ? -1 : 1;
        for (int k = 0; k < 3; k++)
            d[k] = sign * along[k];
        length = sign * height;
    } else {
        if (r->kind == RESTRAINT_CYLINDER)
            vec_add(d, -height, along);
        length = sqrt(vec_dot(d, d));
        for (int k = 0; k < 3; k++)
            d[k] = length > 0 ? d[k] / length : 0;
    }
    for (int k = 0; k < 3; k++)
        grad[1][k] = -d[k];
    return length;
}

/* Of c[0] from the line through c[1] and c[2]: a move of these turns it. */
static double geo_axis(double c[][3], double grad[][3])
{
    double axis[3] = {c[2][0], c[2][1], c[2][2]}, d[3] = {c[0][0], c[0][1], c[0][2]};
    vec_add(axis, -1, c[1]);
    vec_add(d, -1, c[1]);
    double part = vec_dot(d, axis) / vec_dot(axis, axis);
    vec_add(d, -part, axis);
    double length = sqrt(vec_dot(d, d));
    for (int k = 0; k < 3; k++) {
        grad[0][k] = length > 0 ? d[k] / length : 0;
        grad[1][k] = (part - 1) * grad[0][k];
        grad[2][k] = -part * grad[0][k];
    }
    return length;
}

/* How far an angle or a dihedral is from that wanted, the short way round, without its sign. */
static double geo_angle(const struct restraint *r, double c[][3], double grad[][3])
{
    static const struct system vacuum; /* centres have no images */
    static const int place[GEO_GROUPS] = {0, 1, 2, 3};
    const double *x = (const double *)c;
    double phi = r->kind == RESTRAINT_ANGLE ? bonded_angle(&vacuum, x, place, grad)
                                            : bonded_dihedral(&vacuum, x, place, grad);
    double away = remainder(phi - r->at[0], 2 * M_PI);
    for (int k = 0; away < 0 && k < 3 * GEO_GROUPS; k++)
        grad[k / 3][k % 3] *= -1;
    return fabs(away);
}

/* ---- the atoms ------------------------------------------------------------------------------- */

/* The centre of n atoms from `first` on. */
static void geo_centre(const struct system *s, const double *x, int first, int n, double c[3])
{
    c[0] = c[1] = c[2] = 0;
    for (int k = first; k < first + n; k++)
        vec_add(c, s->restraint_weight[k], x + 3 * (size_t)s->restraint_atom[k]);
}

/* Spreads a force on the centre over the atoms. */
static void geo_push(const struct system *s, double *f, int first, int n, double force,
                     const double along[3])
{
    for (int k = first; k < first + n; k++)
        vec_add(f + 3 * (size_t)s->restraint_atom[k], force * s->restraint_weight[k], along);
}

double restraint_geo(const struct system *s, const struct restraint *r, const double *x, double *f,
                     double *virial)
{
    int n[GEO_GROUPS] = {r->count, r->more[0], r->more[1], r->more[2]}, groups = 0;
    double c[GEO_GROUPS][3], grad[GEO_GROUPS][3] = {{0}}, slope;
    memcpy(c[1], r->at, sizeof c[1]);
    n[0] -= n[1] + n[2] + n[3];
    for (int at = r->first; groups < GEO_GROUPS && n[groups]; at += n[groups++])
        geo_centre(s, x, at, n[groups], c[groups]);
    double distance = r->kind == RESTRAINT_AXIS ? geo_axis(c, grad)
                      : r->kind == RESTRAINT_ANGLE || r->kind == RESTRAINT_DIHEDRAL
                          ? geo_angle(r, c, grad)
                          : geo_distance(r, c, grad);
    double energy = geo_at(&r->u.wall, distance, &slope), force = -r->scale * slope;
    for (int k = 0, at = r->first; k < groups; at += n[k++]) {
        geo_push(s, f, at, n[k], force, grad[k]);
        for (int a = 0; groups > 1 && a < 3; a++)
            virial[a] += force * c[k][a] * grad[k][a];
    }
    return r->scale * energy;
}
