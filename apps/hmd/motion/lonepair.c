/* lonepair.c - see lonepair.h.
 *
 * With a = M - r1 (M: host 2, or the middle of 2 and 3), u = a / |a|, t = r3 - M, w the part of t
 * at right angles to u, e = w / |w| and g = u x e, a lone pair of the kinds RELAtive and BISEctor
 * is at r1 + A u + B e + C g with constants
 *
 *   A = d cos(angle), B = d sin(angle) cos(dihedral), C = -d sin(angle) sin(dihedral).
 *
 * Its force f acts on the hosts by the derivatives of that: f . dr = f . dr1 + U . du + E . de with
 * U = A f + C e x f and E = B f + C f x u, where du = (da - u (u . da)) / |a| and de = (dw - e (e .
 * dw)) / |w|, dw = dt - (dt . u) u - (t . du) u - (t . u) du.
 */
#include "lonepair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "vec.h"

/* ---- set-up from the structure ------------------------------------------------------------ */

/* A negative distance in the PSF means BISEctor. At angles of 0 and 180 degrees the sine is exactly
 * 0. */
static void lonepair_frame(struct system_lonepair *l, const double v[3])
{
    double angle = v[1] * M_PI / 180, dihedral = v[2] * M_PI / 180, d = fabs(v[0]);
    double across = fmod(v[1], 180) == 0 ? 0 : d * sin(angle); /* collinear: host 3 is irrelevant */
    l->kind = v[0] < 0 ? LONEPAIR_BISECTOR : LONEPAIR_RELATIVE;
    l->v[0] = d * cos(angle);
    l->v[1] = across * cos(dihedral);
    l->v[2] = -across * sin(dihedral);
}

/* Equal weights, or masses; they add up to 1. */
static void lonepair_weights(struct system *s, const struct psf *psf,
                             const struct psf_lonepair *from, const struct system_lonepair *l)
{
    double sum = 0, *w = s->lonepair_weight + l->first;
    for (int k = 0; k < l->hosts; k++) {
        w[k] = from->by_mass ? psf->atom[s->lonepair_host[l->first + k]].mass : 1;
        sum += w[k];
    }
    for (int k = 0; k < l->hosts; k++)
        w[k] /= sum;
}

/* The number of hosts and the values determine the kind: values of 0 mean the centre of the
 * hosts. */
void lonepair_bind(struct system *s, const struct psf *psf)
{
    size_t n = (size_t)psf->nlonepair, hosts = (size_t)psf->nlonepair_host;
    s->nlonepair = psf->nlonepair;
    s->lonepair = mem_new(n, sizeof *s->lonepair);
    s->lonepair_host = mem_new(hosts, sizeof *s->lonepair_host);
    s->lonepair_weight = mem_new(hosts, sizeof *s->lonepair_weight);
    if (hosts > 0)
        memcpy(s->lonepair_host, psf->lonepair_host, hosts * sizeof *s->lonepair_host);
    for (size_t i = 0; i < n; i++) {
        const struct psf_lonepair *from = &psf->lonepair[i];
        struct system_lonepair *l = &s->lonepair[i];
        *l = (struct system_lonepair){
            .atom = from->atom, .first = from->first, .hosts = from->hosts};
        int free = l->hosts == 2 ? from->value[0] != 0 || from->value[1] != 0
                                 : l->hosts == 3 && from->value[0] != 0;
        if (!free)
            lonepair_weights(s, psf, from, l);
        else if (l->hosts == 3)
            lonepair_frame(l, from->value);
        else {
            l->kind = LONEPAIR_LINE;
            memcpy(l->v, from->value, sizeof l->v);
        }
    }
}

/* ---- places ------------------------------------------------------------------------------- */

/* The vectors defined at the top of this file. */
struct lonepair_axes {
    double u[3], e[3], g[3], t[3];
    double a, w; /* lengths */
};

/* Normalises v. Returns its length. */
static double lonepair_unit(double v[3])
{
    double length = sqrt(vec_dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return length;
}

/* A lone pair on the line of hosts 1 and 2 needs no third host. */
static int lonepair_bent(const struct system_lonepair *l)
{
    return l->v[1] != 0 || l->v[2] != 0;
}

/* e, g, w stay 0 for one that is not bent. */
static void lonepair_axes(const struct system *s, const struct system_lonepair *l, const double *x,
                          struct lonepair_axes *f)
{
    const int *h = s->lonepair_host + l->first;
    memset(f, 0, sizeof *f);
    system_delta(s, x + 3 * h[1], x + 3 * h[0], f->u);
    system_delta(s, x + 3 * h[2], x + 3 * h[1], f->t);
    /* To the middle of hosts 2 and 3. */
    if (l->kind == LONEPAIR_BISECTOR) {
        vec_add(f->u, 0.5, f->t);
        vec_add(f->t, -0.5, f->t);
    }
    f->a = lonepair_unit(f->u);
    if (!lonepair_bent(l))
        return;
    memcpy(f->e, f->t, sizeof f->e);
    vec_add(f->e, -vec_dot(f->t, f->u), f->u);
    f->w = lonepair_unit(f->e);
    vec_cross(f->u, f->e, f->g);
}

/* Its position relative to its first host. Nearest images: hosts may be on different sides of the
 * box. */
static void lonepair_offset(const struct system *s, const struct system_lonepair *l,
                            const double *x, double d[3])
{
    const int *h = s->lonepair_host + l->first;
    struct lonepair_axes axes;
    double r[3];
    memset(d, 0, 3 * sizeof *d);
    switch (l->kind) {
    case LONEPAIR_CENTRE:
        for (int k = 1; k < l->hosts; k++) {
            system_delta(s, x + 3 * h[k], x + 3 * h[0], r);
            vec_add(d, s->lonepair_weight[l->first + k], r);
        }
        break;
    /* Beyond the first host, seen from the second: v[0] Angstrom, and v[1] times their distance. */
    case LONEPAIR_LINE:
        system_delta(s, x + 3 * h[0], x + 3 * h[1], r);
        vec_add(d, l->v[1] + l->v[0] / sqrt(vec_dot(r, r)), r);
        break;
    case LONEPAIR_RELATIVE:
    case LONEPAIR_BISECTOR:
        lonepair_axes(s, l, x, &axes);
        vec_add(d, l->v[0], axes.u);
        vec_add(d, l->v[1], axes.e);
        vec_add(d, l->v[2], axes.g);
        break;
    }
}

/* Of the lone pairs in the range only. */
void lonepair_place(const struct system *s, double *x, int first, int last)
{
    for (int i = 0; i < s->nlonepair; i++) {
        const struct system_lonepair *l = &s->lonepair[i];
        double d[3];
        if (l->atom < first || l->atom >= last)
            continue;
        lonepair_offset(s, l, x, d);
        for (int k = 0; k < 3; k++)
            x[3 * l->atom + k] = x[3 * s->lonepair_host[l->first] + k] + d[k];
    }
}

/* ---- forces ------------------------------------------------------------------------------- */

/* Forces on hosts 2 and 3 from a force f on the lone pair; the first host gets the rest. Follows
 * the derivation at the top of this file, step by step: E at right angles to e, then its share in
 * U, and last U at right angles to u. */
static void lonepair_frame_forces(const struct system *s, const struct system_lonepair *l,
                                  const double *x, const double f[3], double on2[3], double on3[3])
{
    struct lonepair_axes v;
    double U[3], E[3] = {0, 0, 0}, t[3];
    lonepair_axes(s, l, x, &v);
    vec_cross(v.e, f, t);
    for (int k = 0; k < 3; k++)
        U[k] = l->v[0] * f[k] + l->v[2] * t[k];
    if (lonepair_bent(l)) {
        vec_cross(f, v.u, t);
        for (int k = 0; k < 3; k++)
            E[k] = l->v[1] * f[k] + l->v[2] * t[k];
        vec_add(E, -vec_dot(E, v.e), v.e);
        for (int k = 0; k < 3; k++)
            E[k] /= v.w;
        vec_add(U, -vec_dot(v.u, E), v.t);
        vec_add(U, -vec_dot(v.t, v.u), E);
        vec_add(E, -vec_dot(v.u, E), v.u);
    }
    vec_add(U, -vec_dot(v.u, U), v.u);
    double middle = l->kind == LONEPAIR_BISECTOR ? 0.5 : 0; /* M and t depend on both */
    for (int k = 0; k < 3; k++) {
        double onM = U[k] / v.a - E[k];
        on2[k] = (1 - middle) * onM;
        on3[k] = middle * onM + E[k];
    }
}

/* COLInear: the force on host 2 from a force f on the lone pair. */
static void lonepair_line_forces(const struct system *s, const struct system_lonepair *l,
                                 const double *x, const double f[3], double on2[3])
{
    const int *h = s->lonepair_host + l->first;
    double a[3];
    system_delta(s, x + 3 * h[0], x + 3 * h[1], a);
    double a2 = vec_dot(a, a), part = l->v[0] / sqrt(a2);
    for (int k = 0; k < 3; k++)
        on2[k] = -(l->v[1] + part) * f[k];
    vec_add(on2, part * vec_dot(f, a) / a2, a);
}

/* Moves the force `on` from the first host to host k; adds (x_k - x_1) . on to the virial. */
static void lonepair_give(const struct system *s, const struct system_lonepair *l, int k,
                          const double *x, const double on[3], double *f, int first, double *virial)
{
    const int *h = s->lonepair_host + l->first;
    double r[3];
    vec_add(f + 3 * (h[k] - first), 1, on);
    vec_add(f + 3 * (h[0] - first), -1, on);
    system_delta(s, x + 3 * h[k], x + 3 * h[0], r);
    for (int c = 0; c < 3; c++)
        virial[c] += r[c] * on[c];
}

/* The whole force first goes to host 1; lonepair_give() then moves parts of it. */
static void lonepair_hand_over(const struct system *s, const struct system_lonepair *l,
                               const double *x, double *f, int first, double *virial)
{
    const int *h = s->lonepair_host + l->first;
    double own[3], d[3], on[2][3];
    memcpy(own, f + 3 * (l->atom - first), sizeof own);
    memset(f + 3 * (l->atom - first), 0, sizeof own);
    vec_add(f + 3 * (h[0] - first), 1, own);
    lonepair_offset(s, l, x, d);
    /* The lone pair's own place has entered the virial before. */
    for (int c = 0; c < 3; c++)
        virial[c] -= d[c] * own[c];
    if (l->kind == LONEPAIR_LINE) {
        lonepair_line_forces(s, l, x, own, on[0]);
        lonepair_give(s, l, 1, x, on[0], f, first, virial);
    } else if (l->kind != LONEPAIR_CENTRE) {
        lonepair_frame_forces(s, l, x, own, on[0], on[1]);
        for (int k = 0; k < 2; k++)
            lonepair_give(s, l, k + 1, x, on[k], f, first, virial);
    }
    for (int k = 1; l->kind == LONEPAIR_CENTRE && k < l->hosts; k++) {
        for (int c = 0; c < 3; c++)
            on[0][c] = s->lonepair_weight[l->first + k] * own[c];
        lonepair_give(s, l, k, x, on[0], f, first, virial);
    }
}

/* A lone pair and its hosts are in the same block. */
void lonepair_spread(const struct system *s, const double *x, double *f, int first, int last,
                     double *virial)
{
    for (int i = 0; i < s->nlonepair; i++)
        if (s->lonepair[i].atom >= first && s->lonepair[i].atom < last)
            lonepair_hand_over(s, &s->lonepair[i], x, f, first, virial);
}
