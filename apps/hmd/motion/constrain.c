/* constrain.c - see constrain.h.
 *
 * SHAKE moves i and j by -g / m_i r and +g / m_j r, where r is the bond in the reference, s the
 * current bond, and g = (s^2 - d^2) / (2 (1/m_i + 1/m_j) r.s) corrects its length to first order.
 * Cost: a few rounds over a group's bonds; SETTLE: about 200 operations per molecule.
 */
#include "constrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "vec.h"

/* Maximum rounds of SHAKE over the bonds of a group: more means that there is no solution nearby,
 * an error. */
enum { CONSTRAIN_ROUNDS = 1000 };

/* ---- groups ------------------------------------------------------------------------------- */

/* Union-find with path halving, almost O(1). */
static int constrain_root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* A pair, and the atom that represents its group while groups are found. */
struct constrain_sort {
    int root;
    struct constrain_pair pair;
};

/* By group, then by atoms, so that the order does not depend on the PSF's order of bonds. */
static int constrain_compare(const void *pa, const void *pb)
{
    const struct constrain_sort *a = pa, *b = pb;
    int order = (a->root > b->root) - (a->root < b->root);
    if (!order)
        order = (a->pair.i > b->pair.i) - (a->pair.i < b->pair.i);
    return order ? order : (a->pair.j > b->pair.j) - (a->pair.j < b->pair.j);
}

/* The third atom of a triangle in which pairs k and l meet; -1 if they do not. */
static int constrain_meet(const struct constrain_pair *k, const struct constrain_pair *l)
{
    if (k->i == l->i || k->i == l->j)
        return k->i;
    return k->j == l->i || k->j == l->j ? k->j : -1;
}

/* A pair with atom a first. */
static struct constrain_pair constrain_from(struct constrain_pair p, int a)
{
    return p.i == a ? p : (struct constrain_pair){p.j, p.i, p.r2};
}

/* Recognises rigid water and orders its pairs. Any of the three pairs may be the third side. The
 * limit 3.9 (of 4) excludes triangles that are nearly a line, where the closed form loses
 * digits. */
static int constrain_water(const struct constrain *c, struct constrain_pair *p)
{
    const double *mass = c->s->mass;
    for (int far = 0; far < 3; far++) {
        struct constrain_pair k = p[(far + 1) % 3], l = p[(far + 2) % 3], across = p[far];
        /* The atom that both bonds have. */
        int top = constrain_meet(&k, &l);
        if (top < 0 || top == across.i || top == across.j || fabs(k.r2 - l.r2) > 1e-9 * k.r2 ||
            mass[across.i] != mass[across.j] || across.r2 >= 3.9 * k.r2)
            continue;
        p[0] = constrain_from(k, top);
        p[1] = constrain_from(l, top);
        if (p[0].j == p[1].j)
            return 0;
        p[2] = (struct constrain_pair){p[0].j, p[1].j, across.r2};
        return 1;
    }
    return 0;
}

/* Makes a group of the pairs first ... pairs-1. low and high bound the atoms, so that a block of
 * atoms can be tested for the whole group. */
static void constrain_close(struct constrain *c, int first)
{
    struct constrain_group *g = mem_add(&c->group, (size_t)c->groups++, sizeof *g);
    *g = (struct constrain_group){
        .first = first, .pairs = c->pairs - first, .low = c->s->natom, .high = 0};
    for (int k = first; k < c->pairs; k++) {
        const struct constrain_pair *p = &c->pair[k];
        int low = p->i < p->j ? p->i : p->j, high = p->i < p->j ? p->j : p->i;
        g->low = low < g->low ? low : g->low;
        g->high = high > g->high ? high : g->high;
    }
    g->water = g->pairs == 3 && constrain_water(c, c->pair + first);
    for (int k = first; k < c->pairs; k++) /* SETTLE moves all three atoms */
        g->water &= !system_frozen(c->s, c->pair[k].i) && !system_frozen(c->s, c->pair[k].j);
}

/* Sorts the pairs into groups. */
static void constrain_group_all(struct constrain *c, struct constrain_sort *tie, int n)
{
    int *parent = mem_new((size_t)c->s->natom, sizeof *parent), first = 0;
    for (int i = 0; i < c->s->natom; i++)
        parent[i] = i;
    for (int k = 0; k < n; k++)
        /* Joins the two trees. */
        parent[constrain_root(parent, tie[k].pair.i)] = constrain_root(parent, tie[k].pair.j);
    for (int k = 0; k < n; k++)
        tie[k].root = constrain_root(parent, tie[k].pair.i);
    if (n)
        qsort(tie, (size_t)n, sizeof *tie, constrain_compare);
    for (int k = 0; k < n; k++) {
        if (k && tie[k].root != tie[k - 1].root) {
            constrain_close(c, first);
            first = c->pairs;
        }
        c->pair[c->pairs++] = tie[k].pair;
    }
    if (n)
        constrain_close(c, first);
    mem_free(parent);
}

/* 3.6 is above the mass of a hydrogen atom, also where it is made three times as heavy. */
void constrain_init(struct constrain *c, const struct system *s, enum constrain_kind kind,
                    double tolerance)
{
    *c = (struct constrain){.s = s, .mass = s->mass, .tolerance = tolerance};
    struct constrain_sort *tie = mem_new((size_t)s->term.ntie, sizeof *tie);
    int n = 0;
    for (int k = 0; k < s->term.ntie && kind != CONSTRAIN_NONE; k++) {
        const struct system_tie *t = &s->term.tie[k];
        if (t->loose || (system_frozen(s, t->i) && system_frozen(s, t->j)))
            continue;
        if (kind == CONSTRAIN_BONDS || s->mass[t->i] < 3.6 || s->mass[t->j] < 3.6)
            tie[n++].pair = (struct constrain_pair){t->i, t->j, t->r0 * t->r0};
    }
    c->pair = mem_new((size_t)n, sizeof *c->pair);
    constrain_group_all(c, tie, n);
    mem_free(tie);
}

void constrain_free(struct constrain *c)
{
    mem_free(c->pair);
    mem_free(c->group);
    memset(c, 0, sizeof *c);
}

/* A lone pair is not separated from its hosts, either. */
static void constrain_lonepair(const struct system *s, const struct system_lonepair *l, int *open)
{
    int low = l->atom, high = l->atom;
    for (int k = 0; k < l->hosts; k++) {
        int host = s->lonepair_host[l->first + k];
        low = host < low ? host : low;
        high = host > high ? host : high;
    }
    open[low + 1]++;
    open[high + 1]--;
}

/* open[] is a difference array; its sum at i counts the groups that a cut before atom i would
 * divide. Each limit moves up to the next atom without one. O(N + groups). */
void constrain_blocks(const struct constrain *c, int size, int *first)
{
    int natom = c->s->natom;
    int *open = mem_new((size_t)natom + 1, sizeof *open); /* groups that a cut before i would
                                                             divide */
    for (int k = 0; k < c->groups; k++) {
        open[c->group[k].low + 1]++;
        open[c->group[k].high + 1]--;
    }
    for (int k = 0; k < c->s->nlonepair; k++)
        constrain_lonepair(c->s, &c->s->lonepair[k], open);
    for (int i = 1; i <= natom; i++)
        open[i] += open[i - 1];
    for (int r = 0, at = 0; r <= size; r++) {
        int want = (int)((long)natom * r / size);
        at = at > want ? at : want;
        while (at < natom && open[at])
            at++;
        first[r] = at;
    }
    mem_free(open);
}

/* ---- solving ------------------------------------------------------------------------------ */

/* Inverse mass of an atom; 0 if it is frozen. */
static double constrain_inverse(const struct constrain *c, int atom)
{
    return system_frozen(c->s, atom) ? 0 : 1 / c->mass[atom];
}

/* Lengths are compared squared, hence twice the tolerance. A group of frozen and free atoms works
 * as well, since the inverse mass of a frozen one is 0. */
static int constrain_shake(const struct constrain *c, const struct constrain_group *g,
                           const double *x, double *y, struct err *e)
{
    const struct constrain_pair *p = c->pair + g->first;
    for (int round = 0; round < CONSTRAIN_ROUNDS; round++) {
        int good = 1;
        for (int k = 0; k < g->pairs; k++) {
            double r[3], s[3];
            double mi = constrain_inverse(c, p[k].i), mj = constrain_inverse(c, p[k].j);
            system_delta(c->s, y + 3 * p[k].i, y + 3 * p[k].j, s);
            double over = vec_dot(s, s) - p[k].r2;
            if (fabs(over) <= 2 * c->tolerance * p[k].r2)
                continue;
            good = 0;
            system_delta(c->s, x + 3 * p[k].i, x + 3 * p[k].j, r);
            double along = vec_dot(r, s);
            along = along > 1e-3 * p[k].r2 ? along : 1e-3 * p[k].r2; /* reversed bond: take small
                                                                        steps */
            double move = over / (2 * (mi + mj) * along);
            vec_add(y + 3 * p[k].i, -move * mi, r);
            vec_add(y + 3 * p[k].j, move * mj, r);
        }
        if (good)
            return 0;
    }
    return err_set(e, ERR_RUN,
                   "SHAKE: the bonds of atoms %d to %d cannot be kept: is the time step too long, "
                   "or the structure strained? minimise first",
                   g->low + 1, g->high + 1);
}

static void constrain_unit(double v[3])
{
    double scale = 1 / sqrt(vec_dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] *= scale;
}

/* Positions of the three atoms in the plane of the reference, with the names of the paper, eqs.  A1
 * to A15; a, b, c are O, H, H' relative to the centre of mass, in axes n1, n2, n0. */
struct constrain_settle {
    double ra, rb, rc;   /* distances of O and H from the centre of mass, half of H-H' */
    double b0[2], c0[2]; /* reference, from O */
    double a1, b1[3], c1[3];
    double a3[3], b3[3], c3[3]; /* the result */
};

/* Returns 0 if the atoms have moved too far for a solution. Rotates the rigid triangle about its
 * centre: by phi and psi out of the plane, then by theta within it. */
static int constrain_settle_plane(struct constrain_settle *t)
{
    double sinphi = t->a1 / t->ra, cos2 = 1 - sinphi * sinphi;
    if (!(cos2 > 0))
        return 0;
    double cosphi = sqrt(cos2);
    double sinpsi = (t->b1[2] - t->c1[2]) / (2 * t->rc * cosphi);
    cos2 = 1 - sinpsi * sinpsi;
    if (!(cos2 > 0))
        return 0;
    double a2y = t->ra * cosphi, bx = -t->rc * sqrt(cos2), turn = t->rc * sinpsi * sinphi;
    double by = -t->rb * cosphi - turn, cy = -t->rb * cosphi + turn;
    double alpha = bx * (t->b0[0] - t->c0[0]) + t->b0[1] * by + t->c0[1] * cy;
    double beta = bx * (t->c0[1] - t->b0[1]) + t->b0[0] * by + t->c0[0] * cy;
    double gamma =
        t->b0[0] * t->b1[1] - t->b1[0] * t->b0[1] + t->c0[0] * t->c1[1] - t->c1[0] * t->c0[1];
    double square = alpha * alpha + beta * beta, root = square - gamma * gamma;
    if (!(root >= 0))
        return 0;
    double sine = (alpha * gamma - beta * sqrt(root)) / square, cosine = sqrt(1 - sine * sine);
    const double a[3] = {-a2y * sine, a2y * cosine, t->a1};
    const double b[3] = {bx * cosine - by * sine, bx * sine + by * cosine, t->b1[2]};
    const double c[3] = {-bx * cosine - cy * sine, -bx * sine + cy * cosine, t->c1[2]};
    memcpy(t->a3, a, sizeof a);
    memcpy(t->b3, b, sizeof b);
    memcpy(t->c3, c, sizeof c);
    return 1;
}

/* y of an atom: centre + v in the axes n. */
static void constrain_place(double *y, const double centre[3], double n[3][3], const double v[3])
{
    memcpy(y, centre, 3 * sizeof *y);
    for (int k = 0; k < 3; k++)
        vec_add(y, v[k], n[k]);
}

/* Solves rigid water.  Returns 0 if the closed form has no solution, or the hydrogens have
 * different masses. */
static int constrain_settle(const struct constrain *c, const struct constrain_pair *p,
                            const double *x, double *y)
{
    const struct system *s = c->s;
    int o = p[0].i, h[2] = {p[0].j, p[1].j};
    double mo = c->mass[o], mh = c->mass[h[0]], ratio = 0.5 * mo / mh;
    struct constrain_settle t = {.rc = 0.5 * sqrt(p[2].r2)};
    double from[2][3], at[3][3] = {{0}}, centre[3], n[3][3], moved[2][3];
    if (c->mass[h[1]] != mh)
        return 0;
    t.ra = sqrt(p[0].r2 - t.rc * t.rc) / (1 + ratio);
    t.rb = ratio * t.ra;
    for (int k = 0; k < 2; k++) {
        system_delta(s, x + 3 * h[k], x + 3 * o, from[k]);
        system_delta(s, y + 3 * h[k], y + 3 * o, moved[k]);
    }
    for (int k = 0; k < 3; k++) {
        centre[k] = (moved[0][k] + moved[1][k]) * mh / (mo + 2 * mh);
        at[0][k] = -centre[k];
        at[1][k] = moved[0][k] - centre[k];
        at[2][k] = moved[1][k] - centre[k];
        centre[k] += y[3 * o + k];
    }
    /* The axes: n2 is normal to the reference plane, n0 and n1 lie in it (the paper's X', Y',
     * Z'). */
    vec_cross(from[0], from[1], n[2]);
    vec_cross(at[0], n[2], n[0]);
    vec_cross(n[2], n[0], n[1]);
    for (int k = 0; k < 3; k++)
        constrain_unit(n[k]);
    for (int k = 0; k < 3; k++) {
        if (k < 2) {
            t.b0[k] = vec_dot(n[k], from[0]);
            t.c0[k] = vec_dot(n[k], from[1]);
        }
        t.b1[k] = vec_dot(n[k], at[1]);
        t.c1[k] = vec_dot(n[k], at[2]);
    }
    t.a1 = vec_dot(n[2], at[0]);
    if (!constrain_settle_plane(&t))
        return 0;
    double image[2][3]; /* H may be stored in another image than O */
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 3; a++)
            image[k][a] = y[3 * h[k] + a] - y[3 * o + a] - moved[k][a];
    constrain_place(y + 3 * o, centre, n, t.a3);
    constrain_place(y + 3 * h[0], centre, n, t.b3);
    constrain_place(y + 3 * h[1], centre, n, t.c3);
    vec_add(y + 3 * h[0], 1, image[0]);
    vec_add(y + 3 * h[1], 1, image[1]);
    return 1;
}

/* Stores the atoms of a group's pairs in `atom`, each once.  Returns their number. Quadratic in the
 * group's size, which is small. */
static int constrain_atoms(const struct constrain *c, const struct constrain_group *g, int *atom,
                           int most)
{
    int n = 0;
    for (int k = 0; k < 2 * g->pairs; k++) {
        const struct constrain_pair *p = &c->pair[g->first + k / 2];
        int a = k % 2 ? p->j : p->i, known = 0;
        for (int i = 0; i < n && !known; i++)
            known = atom[i] == a;
        if (!known && n < most)
            atom[n++] = a;
    }
    return n;
}

/* The virial needs positions before the correction; up to 16 atoms fit on the stack. */
static int constrain_solve(const struct constrain *c, const struct constrain_group *g,
                           const double *x, double *y, double *virial, struct err *e)
{
    int most = 2 * g->pairs, few[16], *atom = most > 16 ? mem_new((size_t)most, sizeof *atom) : few;
    double before[48], *old = most > 16 ? mem_new(3 * (size_t)most, sizeof *old) : before;
    int n = constrain_atoms(c, g, atom, most), status = 0;
    for (int i = 0; i < n; i++)
        memcpy(old + 3 * i, y + 3 * atom[i], 3 * sizeof *old);
    /* SHAKE also serves a triangle that has no direct solution. */
    if (!g->water || !constrain_settle(c, c->pair + g->first, x, y))
        status = constrain_shake(c, g, x, y, e);
    for (int i = 0; i < n; i++) {
        double d[3], m[3];
        system_delta(c->s, x + 3 * atom[i], x + 3 * atom[0], d);
        for (int k = 0; k < 3; k++)
            m[k] = y[3 * atom[i] + k] - old[3 * i + k];
        for (int k = 0; k < 3; k++)
            /* Only differences of places within the group count. */
            virial[k] += c->mass[atom[i]] * d[k] * m[k];
    }
    if (most > 16) {
        mem_free(atom);
        mem_free(old);
    }
    return status;
}

/* Groups outside the range belong to other tasks. O(all groups) to find the own ones. */
int constrain_apply(const struct constrain *c, const double *x, double *y, int low, int high,
                    double *virial, struct err *e)
{
    int status = 0;
    for (int k = 0; !status && k < c->groups; k++)
        if (c->group[k].low >= low && c->group[k].high < high)
            status = constrain_solve(c, &c->group[k], x, y, virial, e);
    return status;
}

/* ---- forces ----------------------------------------------------------------------------- */

/* Removes from each bond in turn the difference of its ends' forces along it, until none is left.
 * All atoms have equal weight: the result is the nearest set of forces that preserves the
 * lengths. Frozen ends take no part: their weight is 0. The criterion is relative to the forces. */
static void constrain_project_group(const struct constrain *c, const struct constrain_group *g,
                                    const double *x, double *f)
{
    const struct constrain_pair *p = c->pair + g->first;
    int good = 0;
    for (int round = 0; round < CONSTRAIN_ROUNDS && !good; round++) {
        good = 1;
        for (int k = 0; k < g->pairs; k++) {
            double *fi = f + 3 * p[k].i, *fj = f + 3 * p[k].j, r[3];
            int wi = !system_frozen(c->s, p[k].i), wj = !system_frozen(c->s, p[k].j);
            system_delta(c->s, x + 3 * p[k].i, x + 3 * p[k].j, r);
            double stretch = vec_dot(fi, r) - vec_dot(fj, r), square = vec_dot(r, r);
            /* Below round-off the bond is done. */
            double most = square * (vec_dot(fi, fi) + vec_dot(fj, fj));
            if (stretch * stretch <= 1e-26 * most)
                continue;
            good = 0;
            vec_add(fi, -wi * stretch / ((wi + wj) * square), r);
            vec_add(fj, wj * stretch / ((wi + wj) * square), r);
        }
    }
}

void constrain_project(const struct constrain *c, const double *x, double *f)
{
    for (int k = 0; k < c->groups; k++)
        constrain_project_group(c, &c->group[k], x, f);
}
