/* cmap.c - the cross-term map: an energy over two dihedral angles.
 *
 * The map is a grid of n x n values.  Between them the energy is bicubic, defined by the value, the
 * two slopes and the cross slope at the four corners of a cell (Hermite form).  The slopes are
 * those of natural cubic splines through the rows of the map, extended by half a period at each end
 * (2 n points); a strictly periodic spline would differ by some 1e-8 kcal/mol from CHARMM's
 * energies.  The cross slope is the same operator applied to the slopes, across.
 *
 * Source: MacKerell, Feig & Brooks, J.  Comput.  Chem. 25, 1400 (2004); CHARMM's parmfile.doc.
 * Cost: O(n^2) to prepare, some hundred operations per term.
 */
#include "cmap.h"

#include <math.h>

#include "bonded.h"
#include "mem.h"

/* Slopes, per grid step, of the natural spline through y extended by half a period: y has n points
 * `stride` apart, and so has out; work has 4 n doubles. Natural ends (second derivative 0) are far
 * from the used points because of the extension. Thomas's algorithm, O(n). */
static void cmap_slopes(const double *y, int n, int stride, double *out, double *work)
{
    int m = 2 * n;
    double *second = work, *u = work + m;
    second[0] = u[0] = 0;
#define CMAP_Y(i) y[(((i) + n / 2) % n) * stride] /* extended point i is grid point i - n/2 */
    for (int i = 1; i < m - 1; i++) { /* tridiagonal system 1 4 1, eliminated downwards */
        double p = second[i - 1] / 2 + 2;
        double bend = CMAP_Y(i + 1) - 2 * CMAP_Y(i) + CMAP_Y(i - 1);
        second[i] = -0.5 / p;
        u[i] = (3 * bend - u[i - 1] / 2) / p;
    }
    second[m - 1] = 0;
    for (int i = m - 2; i >= 0; i--)
        second[i] = second[i] * second[i + 1] + u[i];
    for (int i = 0; i < n; i++) {
        int e = i + n / 2;
        out[i * stride] = CMAP_Y(e + 1) - CMAP_Y(e) - second[e] / 3 - second[e + 1] / 6;
    }
#undef CMAP_Y
}

/* The cross slope is taken along psi of the slopes along phi; the other order would give the
 * same. */
double *cmap_prepare(const double *grid, int n)
{
    size_t points = (size_t)n * (size_t)n;
    double *part = mem_new(3 * points, sizeof(double)),
           *work = mem_new(4 * (size_t)n, sizeof(double));
    double *dphi = part, *dpsi = part + points, *both = part + 2 * points;
    double *table = mem_new(4 * points, sizeof(double));
    /* Columns have the stride n, rows the stride 1. */
    for (int i = 0; i < n; i++) {
        cmap_slopes(grid + i, n, n, dphi + i, work);
        cmap_slopes(grid + (size_t)i * (size_t)n, n, 1, dpsi + (size_t)i * (size_t)n, work);
    }
    for (int i = 0; i < n; i++)
        cmap_slopes(dphi + (size_t)i * (size_t)n, n, 1, both + (size_t)i * (size_t)n, work);
    /* One point's four numbers are adjacent. */
    for (size_t i = 0; i < points; i++) {
        table[4 * i] = grid[i];
        table[4 * i + 1] = dphi[i];
        table[4 * i + 2] = dpsi[i];
        table[4 * i + 3] = both[i];
    }
    mem_free(part);
    mem_free(work);
    return table;
}

/* Hermite's four cubics at t and their derivatives: value at 0, value at 1, slope at 0, slope at
 * 1. Slopes are per grid step. */
static void cmap_hermite(double t, double h[4], double d[4])
{
    double u = 1 - t;
    h[0] = (1 + 2 * t) * u * u;
    h[1] = (3 - 2 * t) * t * t;
    h[2] = t * u * u;
    h[3] = -t * t * u;
    d[0] = -6 * t * u;
    d[1] = 6 * t * u;
    d[2] = u * (1 - 3 * t);
    d[3] = t * (3 * t - 2);
}

/* Returns the cell of an angle; *t is the position in it. Angles of exactly pi wrap to cell 0. */
static int cmap_cell(double angle, int n, double *t)
{
    double at = (angle + M_PI) * n / (2 * M_PI);
    double cell = floor(at);
    *t = at - cell;
    int i = (int)fmod(cell, n);
    return i < 0 ? i + n : i;
}

/* The map at any angles phi, psi (radians); derivatives per radian in *dphi and *dpsi. The sum over
 * the four corners of the cell; rows and columns wrap around. */
static double cmap_value(const double *table, int n, double phi, double psi, double *dphi,
                         double *dpsi)
{
    double s, t, hs[4], ds[4], ht[4], dt[4], value = 0, a = 0, b = 0;
    int i = cmap_cell(phi, n, &s), j = cmap_cell(psi, n, &t);
    cmap_hermite(s, hs, ds);
    cmap_hermite(t, ht, dt);
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            const double *c =
                table + 4 * ((size_t)((i + p) % n) * (size_t)n + (size_t)((j + q) % n));
            value += hs[p] * (c[0] * ht[q] + c[2] * ht[2 + q]) +
                     hs[2 + p] * (c[1] * ht[q] + c[3] * ht[2 + q]);
            a += ds[p] * (c[0] * ht[q] + c[2] * ht[2 + q]) +
                 ds[2 + p] * (c[1] * ht[q] + c[3] * ht[2 + q]);
            b += hs[p] * (c[0] * dt[q] + c[2] * dt[2 + q]) +
                 hs[2 + p] * (c[1] * dt[q] + c[3] * dt[2 + q]);
        }
    /* From a step of the grid to radians. */
    *dphi = a * n / (2 * M_PI);
    *dpsi = b * n / (2 * M_PI);
    return value;
}

/* The energy of two torsion angles together. Its slopes act on either torsion as any other
 * one's. */
double bonded_crosses(const struct system *s, const double *x, double *f, int first, int last)
{
    double energy = 0;
    for (int k = first; k < last; k++) {
        const struct system_cross *c = &s->term.cross[k];
        double ga[4][3], gb[4][3], dphi, dpsi;
        double phi = bonded_dihedral(s, x, c->atom, ga);
        double psi = bonded_dihedral(s, x, c->atom + 4, gb);
        energy +=
            cmap_value(s->term.map[c->map].value, s->term.map[c->map].n, phi, psi, &dphi, &dpsi);
        bonded_dihedral_force(f, c->atom, ga, dphi);
        bonded_dihedral_force(f, c->atom + 4, gb, dpsi);
    }
    return energy;
}
