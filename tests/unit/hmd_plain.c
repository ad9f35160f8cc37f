/* hmd_plain.c - see hmd_plain.h. */
#include "hmd_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy.h"

struct plain {
    const struct system *s;
    const double *x;
    enum scheme_elec elec;
    enum scheme_vdw vdw;
    double roff, ron;
    int only;
};

/* ---- geometry ------------------------------------------------------------------------------- */

static int plain_counts(const struct plain *p, const int *atom, int n)
{
    int counts = p->only < 0;
    for (int k = 0; k < n; k++)
        counts |= atom[k] == p->only;
    return counts;
}

/* From atom j to atom i, the nearest image in a box with right angles. */
static double plain_between(const struct plain *p, int i, int j, double d[3])
{
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        double box = p->s->cell.box[k];
        d[k] = p->x[3 * i + k] - p->x[3 * j + k];
        if (box > 0)
            d[k] -= box * round(d[k] / box);
        r2 += d[k] * d[k];
    }
    return sqrt(r2);
}

static double plain_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double plain_theta(const struct plain *p, int i, int j, int k)
{
    double a[3], b[3], ra = plain_between(p, i, j, a), rb = plain_between(p, k, j, b);
    return acos(plain_dot(a, b) / ra / rb);
}

/* The angle of the parts of two bonds that are across a third one. */
static double plain_phi(const struct plain *p, const int at[4])
{
    double a[3], b[3], c[3], across[2] = {0, 0}, r = plain_between(p, at[2], at[1], b);
    plain_between(p, at[0], at[1], a);
    plain_between(p, at[3], at[2], c);
    double u[3], v[3], turn[3], ab = plain_dot(a, b) / (r * r), cb = plain_dot(c, b) / (r * r);
    for (int k = 0; k < 3; k++) {
        u[k] = a[k] - ab * b[k];
        v[k] = c[k] - cb * b[k];
    }
    for (int k = 0; k < 3; k++)
        turn[k] = b[(k + 1) % 3] * u[(k + 2) % 3] - b[(k + 2) % 3] * u[(k + 1) % 3];
    across[0] = plain_dot(u, v);
    across[1] = plain_dot(turn, v) / r;
    return atan2(across[1], across[0]);
}

/* ---- bonded terms -----------------------------------------------------------------------------
 */

static double plain_bonds(const struct plain *p, const struct system_bond *b, int n)
{
    double sum = 0, d[3];
    for (int k = 0; k < n; k++)
        if (plain_counts(p, (const int[2]){b[k].i, b[k].j}, 2))
            sum += b[k].k * pow(plain_between(p, b[k].i, b[k].j, d) - b[k].r0, 2);
    return sum;
}

static double plain_angles(const struct plain *p)
{
    double sum = 0;
    for (int k = 0; k < p->s->term.nangle; k++) {
        const struct system_angle *a = &p->s->term.angle[k];
        if (plain_counts(p, (const int[3]){a->i, a->j, a->k}, 3))
            sum += a->force * pow(plain_theta(p, a->i, a->j, a->k) - a->theta0, 2);
    }
    return sum;
}

static double plain_torsions(const struct plain *p, const struct system_torsion *t, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        const int at[4] = {t[k].i, t[k].j, t[k].k, t[k].l};
        if (!plain_counts(p, at, 4))
            continue;
        double phi = plain_phi(p, at);
        sum += t[k].force * (t[k].n ? 1 + cos(t[k].n * phi - t[k].delta)
                                    : pow(remainder(phi - t[k].delta, 2 * M_PI), 2));
    }
    return sum;
}

/* The natural cubic spline through a period's n values, continued by half a period on both sides.
 */
static double plain_spline(const double *value, int n, double angle)
{
    int m = 2 * n;
    double *y = calloc((size_t)m, sizeof *y), *second = calloc((size_t)m, sizeof *second);
    double *pivot = calloc((size_t)m, sizeof *pivot), *right = calloc((size_t)m, sizeof *right);
    for (int i = 0; i < m; i++)
        y[i] = value[(i + n / 2) % n];
    for (int i = 1; i < m - 1; i++) { /* second[i-1] + 4 second[i] + second[i+1] = 6 y'' */
        pivot[i] = 4 - (i > 1 ? 1 / pivot[i - 1] : 0);
        right[i] = 6 * (y[i - 1] - 2 * y[i] + y[i + 1]) - (i > 1 ? right[i - 1] / pivot[i - 1] : 0);
    }
    for (int i = m - 2; i > 0; i--)
        second[i] = (right[i] - second[i + 1]) / pivot[i];
    /* Between two grid points Hermite's cubic, by their values and slopes: the last cell ends at
     * the first point, whose slope the spline beyond has not quite. */
    double at = (angle + M_PI) * n / (2 * M_PI), slope[2];
    int cell = (int)at % n;
    for (int k = 0; k < 2; k++) {
        int i = (cell + k) % n + n / 2;
        slope[k] = y[i + 1] - y[i] - (2 * second[i] + second[i + 1]) / 6;
    }
    double b = at - floor(at), a = 1 - b, from = value[cell], to = value[(cell + 1) % n];
    double v = a * a * (1 + 2 * b) * from + b * b * (1 + 2 * a) * to + a * a * b * slope[0] -
               a * b * b * slope[1];
    free(y);
    free(second);
    free(pivot);
    free(right);
    return v;
}

static double plain_crosses(const struct plain *p, const struct param *maps)
{
    double sum = 0, row[360];
    for (int k = 0; k < p->s->term.ncross; k++) {
        const struct system_cross *c = &p->s->term.cross[k];
        const struct param_cmap *map = &maps->maps.cmap[c->map];
        if (!plain_counts(p, c->atom, 8))
            continue;
        double phi = plain_phi(p, c->atom), psi = plain_phi(p, c->atom + 4);
        for (int i = 0; i < map->n; i++)
            row[i] = plain_spline(map->grid + (size_t)i * (size_t)map->n, map->n, psi);
        sum += plain_spline(row, map->n, phi);
    }
    return sum;
}

/* ---- pairs --------------------------------------------------------------------------------------
 */

/* Brooks and others' switch. */
static double plain_switch(const struct plain *p, double r)
{
    double r2 = r * r, on = p->ron * p->ron, off = p->roff * p->roff;
    return r <= p->ron ? 1 : pow(off - r2, 2) * (off + 2 * r2 - 3 * on) / pow(off - on, 3);
}

/* Steinbach and Brooks' force switch of 1/r: the integral of its force from r on. */
static double plain_force_switch(const struct plain *p, double r)
{
    double on = p->ron, off = p->roff, norm = pow(off * off - on * on, 3);
    double A = pow(off, 4) * (off * off - 3 * on * on) / norm, B = 6 * pow(off * on, 2) / norm;
    double C = -(off * off + on * on) / norm, D = 2 / (5 * norm);
    if (r > on)
        return A * (1 / r - 1 / off) + B * (off - r) + C * (pow(off, 3) - pow(r, 3)) +
               D * (pow(off, 5) - pow(r, 5));
    return 1 / r + 8 / norm * (pow(on * off, 2) * (off - on) - (pow(off, 5) - pow(on, 5)) / 5);
}

static double plain_elec(const struct plain *p, double r)
{
    double shift = 1 - pow(r / p->roff, 2), part = 1 - r / p->roff;
    if (r >= p->roff)
        return 0;
    switch (p->elec) {
    case SCHEME_ELEC_SHIFT:
        return shift * shift / r;
    case SCHEME_ELEC_SWITCH:
        return plain_switch(p, r) / r;
    case SCHEME_ELEC_FSHIFT:
        return part * part / r;
    case SCHEME_ELEC_FSWITCH:
        return plain_force_switch(p, r);
    case SCHEME_ELEC_RSHIFT:
        return shift * shift / (r * r);
    case SCHEME_ELEC_RSWITCH:
        return plain_switch(p, r) / (r * r);
    case SCHEME_ELEC_RTRUNCATE:
        return 1 / (r * r);
    default:
        return 1 / r;
    }
}

/* A / r^12 - B / r^6, switched, shifted or with switched forces (CHARMM's nbonds.doc). */
static double plain_vdw(const struct plain *p, double r, double A, double B)
{
    double on = p->ron, off = p->roff, bare = A / pow(r, 12) - B / pow(r, 6);
    if (r >= off)
        return 0;
    if (p->vdw == SCHEME_VDW_SWITCH)
        return bare * plain_switch(p, r);
    if (p->vdw == SCHEME_VDW_SHIFT) { /* C r^6 + D: energy and force vanish at roff */
        double C = 2 * A / pow(off, 18) - B / pow(off, 12);
        double D = -3 * A / pow(off, 12) + 2 * B / pow(off, 6);
        return bare + C * pow(r, 6) + D;
    }
    if (p->vdw == SCHEME_VDW_TRUNCATE)
        return bare;
    if (r <= on)
        return bare - A / pow(on * off, 6) + B / pow(on * off, 3);
    double kA = A * pow(off, 6) / (pow(off, 6) - pow(on, 6));
    double kB = B * pow(off, 3) / (pow(off, 3) - pow(on, 3));
    return kA * pow(1 / pow(r, 6) - 1 / pow(off, 6), 2) -
           kB * pow(1 / pow(r, 3) - 1 / pow(off, 3), 2);
}

static int plain_excluded(const struct system *s, int i, int j)
{
    for (int k = s->excluded_first[i]; k < s->excluded_first[i + 1]; k++)
        if (s->excluded[k] == j)
            return 1;
    for (int k = s->excluded_first[j]; k < s->excluded_first[j + 1]; k++)
        if (s->excluded[k] == i)
            return 1;
    return 0;
}

/* Ewald's sum: in real space up to 1.2 roff, where erfc(5.5) is left, and waves up to 10 kappa,
 * where exp(-25) is left. */
static double plain_kappa(const struct plain *p)
{
    return 4.6 / p->roff;
}

static void plain_pairs(const struct plain *p, double *term)
{
    const struct system *s = p->s;
    double d[3];
    int ewald = p->elec == SCHEME_ELEC_EWALD;
    for (int i = 0; i < s->natom; i++)
        for (int j = i + 1; j < s->natom; j++) {
            if (!plain_counts(p, (const int[2]){i, j}, 2))
                continue;
            double r = plain_between(p, i, j, d), qq = s->charge[i] * s->charge[j];
            if (!ewald && r >= p->roff)
                continue;
            int out = plain_excluded(s, i, j), k = s->lj.type[i] * s->lj.ntype + s->lj.type[j];
            if (ewald)
                term[ENERGY_ELEC] += out                 ? -qq * erf(plain_kappa(p) * r) / r
                                     : r < 1.2 * p->roff ? qq * erfc(plain_kappa(p) * r) / r
                                                         : 0;
            else if (!out)
                term[ENERGY_ELEC] += qq * plain_elec(p, r);
            if (!out)
                term[ENERGY_VDW] += plain_vdw(p, r, s->lj.a[k], s->lj.b[k]);
        }
    for (int k = 0; k < s->term.npair14; k++) {
        const struct system_pair14 *q = &s->term.pair14[k];
        if (!plain_counts(p, (const int[2]){q->i, q->j}, 2))
            continue;
        double r = plain_between(p, q->i, q->j, d);
        term[ENERGY_ELEC] += q->qq * (ewald ? 1 / r : plain_elec(p, r));
        term[ENERGY_VDW] += plain_vdw(p, r, q->a, q->b);
    }
}

/* Ewald's sum over waves, the charges' own part, and that of a net charge. */
static double plain_waves(const struct plain *p)
{
    const struct system *s = p->s;
    const double *box = s->cell.box;
    double sum = 0, kappa = plain_kappa(p), volume = box[0] * box[1] * box[2], all = 0;
    int most[3];
    for (int k = 0; k < 3; k++)
        most[k] = (int)(10 * kappa * box[k] / (2 * M_PI));
    for (int a = 0; a <= most[0]; a++)
        for (int b = a ? -most[1] : 0; b <= most[1]; b++)
            for (int c = a || b ? -most[2] : 1; c <= most[2]; c++) {
                double k[3] = {2 * M_PI * a / box[0], 2 * M_PI * b / box[1], 2 * M_PI * c / box[2]};
                double k2 = plain_dot(k, k), re = 0, im = 0;
                if (k2 > 100 * kappa * kappa)
                    continue;
                for (int i = 0; i < s->natom; i++) {
                    double at = plain_dot(k, p->x + 3 * i);
                    re += s->charge[i] * cos(at);
                    im += s->charge[i] * sin(at);
                }
                sum +=
                    4 * M_PI / volume / k2 * exp(-k2 / (4 * kappa * kappa)) * (re * re + im * im);
            }
    for (int i = 0; i < s->natom; i++) {
        sum -= kappa / sqrt(M_PI) * s->charge[i] * s->charge[i];
        all += s->charge[i];
    }
    return sum - M_PI / (2 * volume * kappa * kappa) * all * all;
}

void plain_energy(const struct system *s, const struct param *maps, const double *x,
                  enum scheme_elec elec, enum scheme_vdw vdw, double roff, double ron, int only,
                  double *term)
{
    const struct plain p = {s, x, elec, vdw, roff, ron, only};
    memset(term, 0, ENERGY_TERMS * sizeof *term);
    term[ENERGY_BOND] = plain_bonds(&p, s->term.bond, s->term.nbond);
    term[ENERGY_UREY] = plain_bonds(&p, s->term.urey, s->term.nurey);
    term[ENERGY_ANGL] = plain_angles(&p);
    term[ENERGY_DIHE] = plain_torsions(&p, s->term.dihedral, s->term.ndihedral);
    term[ENERGY_IMPR] = plain_torsions(&p, s->term.improper, s->term.nimproper);
    term[ENERGY_CMAP] = plain_crosses(&p, maps);
    plain_pairs(&p, term);
    if (elec == SCHEME_ELEC_EWALD)
        term[ENERGY_ELEC] += plain_waves(&p);
}
