/* pme.c - the reciprocal part of Ewald's sum by smooth particle mesh (Essmann et al., J.  Chem.
 * Phys. 103, 8577 (1995); equation numbers below are theirs), parallelised.
 *
 * Charges are spread to a grid by B-splines (4.1).  The grid is transformed, each wave multiplied
 * by its influence (4.7 with 3.9), and transformed back to a potential on the grid.  The forces are
 * the potential interpolated with the splines' slopes.
 *
 * A task owns a slab of planes along x.  All tasks have all coordinates, so each fills its own
 * planes without a message and adds those parts of forces that come from its planes; the sum of
 * forces over the tasks, which is computed anyway, completes them.  The messages are two
 * transpositions of half the complex grid: planes along x, transformed over z and y, become rows
 * along y, which contain all of x.
 *
 *     own planes: [z][y] real -> over z, real columns in pairs -> [y][z] complex -> over y
 *     all to all: own planes x all rows  <->  all planes x own rows
 *     own rows:   [x][y][z] complex -> over x -> times influence -> back in the same way
 *
 * Cost: O(N + (N order^3 + G log G) / tasks) for G grid points, where N alone is locating each
 * atom; a task sends 2 x 8 G bytes / tasks.  An alternative for few tasks and small grids: every
 * task computes the whole grid without messages; on one switch that is slower from about four tasks
 * on.
 */
#include <math.h>
#include <string.h>

#include "ewald.h"
#include "fft.h"
#include "mem.h"
#include "share.h"
#include "spline.h"
#include "vec.h"

/* Owned by struct ewald. The layout changes when the shares do (pme_layout()). */
struct pme {
    const struct system *s;
    struct scheme_ewald setup;
    int rank, size, half; /* half: waves kept along z, grid[2] / 2 + 1 */
    double *share;        /* size: relative speeds used for the parts below */
    int *plane, *row;     /* size + 1: first planes along x and rows along y of each task */
    int planes, rows;     /* own ones */
    size_t block;         /* complex numbers exchanged by a pair of tasks (maximum of all pairs) */
    struct fft fft[3];
    double *grid;                 /* planes * [z][y] */
    struct fft_complex *flat;     /* [y][half]: a plane over z and y */
    struct fft_complex *wave;     /* [x][own rows][half] */
    struct fft_complex *work;     /* as large as the largest thing transformed */
    struct fft_complex *out, *in; /* size * block: for the exchange */
    double *weight;     /* [x][own rows][half]: twice the influence where z counts twice */
    double *modulus[3]; /* |b(m)|^2, (4.4) */
    int *touched;       /* charged atoms with points in own planes, in the last step */
    int ntouched;
};

/* ---- set-up ------------------------------------------------------------------------------- */

/* |b(m)|^2 = 1 / |sum over k of M_p(k + 1) exp(2 pi i m k / n)|^2, (4.4). */
static double *pme_modulus(int n, int order)
{
    double *b = mem_new((size_t)n, sizeof *b), value[SPLINE_MAX], slope[SPLINE_MAX];
    spline_fill(order, 0, value, slope); /* value[order - 1 - k] = M_p(k) */
    for (int m = 0; m < n; m++) {
        double re = 0, im = 0;
        for (int k = 0; k < order - 1; k++) {
            double phase = 2 * M_PI * m * k / n, spline = value[order - 2 - k];
            re += spline * cos(phase);
            im += spline * sin(phase);
        }
        b[m] = 1 / (re * re + im * im);
    }
    return b;
}

/* Computes the wave vector k of grid indices x, y, z.  Returns its square. Indices above the middle
 * are negative waves. */
static double pme_wave2(const struct pme *p, int x, int y, int z, double k[3])
{
    const int *n = p->setup.grid;
    cell_wave(&p->s->cell,
              (const double[3]){x > n[0] / 2 ? x - n[0] : x, y > n[1] / 2 ? y - n[1] : y,
                                z > n[2] / 2 ? z - n[2] : z},
              k);
    return vec_dot(k, k);
}

/* Energy weight of the wave (x, y, z): E = sum of weight * |F|^2 over the stored half. Only waves z
 * = 0 ... n/2 are stored, because the grid is real; all but the first and the last count twice. */
static double pme_weight(const struct pme *p, int x, int y, int z)
{
    const int *n = p->setup.grid, at[3] = {x, y, z};
    double k3[3], m2 = pme_wave2(p, x, y, z, k3), b = 1, pk = M_PI / p->setup.kappa;
    for (int k = 0; k < 3; k++)
        b *= p->modulus[k][at[k]];
    if (m2 == 0)
        return 0;
    double twice = z == 0 || z == n[2] / 2 ? 1 : 2;
    return twice * b * exp(-pk * pk * m2) / (2 * M_PI * cell_volume(&p->s->cell) * m2);
}

/* Blocks of the exchange have equal size for all pairs of tasks, that of the largest:
 * comm_transpose() needs it. */
static void pme_parts(struct pme *p, const double *share)
{
    int most[2] = {0, 0};
    const struct share cut = {.size = p->size, .part = share};
    for (int r = 0; r < p->size; r++) {
        p->share[r] = share ? share[r] : 1;
        /* Planes before the exchange, rows after it. */
        share_part(p->setup.grid[0], &cut, r, &p->plane[r], &p->plane[r + 1]);
        share_part(p->setup.grid[1], &cut, r, &p->row[r], &p->row[r + 1]);
        int planes = p->plane[r + 1] - p->plane[r], rows = p->row[r + 1] - p->row[r];
        most[0] = planes > most[0] ? planes : most[0];
        most[1] = rows > most[1] ? rows : most[1];
    }
    p->planes = p->plane[p->rank + 1] - p->plane[p->rank];
    p->rows = p->row[p->rank + 1] - p->row[p->rank];
    p->block = (size_t)most[0] * (size_t)most[1] * (size_t)p->half;
}

/* Everything that depends on the layout. */
static void pme_release(struct pme *p)
{
    void *all[] = {p->grid, p->flat, p->wave, p->work, p->out, p->in, p->weight};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mem_free(all[i]);
}

/* O(own waves). The splines' moduli do not depend on the box. */
void pme_rescaled(struct pme *p)
{
    const int *n = p->setup.grid;
    size_t column = (size_t)p->rows * (size_t)p->half;
    for (int x = 0; x < n[0]; x++)
        for (int y = 0; y < p->rows; y++)
            for (int z = 0; z < p->half; z++)
                p->weight[(size_t)x * column + (size_t)y * (size_t)p->half + (size_t)z] =
                    pme_weight(p, x, p->row[p->rank] + y, z);
}

/* Divides the grid by the tasks' speeds and allocates the own part. Each task keeps its own copy of
 * the limits of all tasks, as it needs them to pack. */
static void pme_layout(struct pme *p, const double *share)
{
    const int *n = p->setup.grid;
    pme_parts(p, share);
    pme_release(p);
    /* Waves of one x. */
    size_t column = (size_t)p->rows * (size_t)p->half, waves = (size_t)n[0] * column;
    size_t plane = (size_t)n[2] * (size_t)n[1], work = plane + 2 * (size_t)n[1];
    p->grid = mem_new((size_t)p->planes * plane, sizeof *p->grid);
    p->flat = mem_new((size_t)n[1] * (size_t)p->half, sizeof *p->flat);
    p->wave = mem_new(waves, sizeof *p->wave);
    p->weight = mem_new(waves, sizeof *p->weight);
    p->work = mem_new(2 * (work > waves ? work : waves), sizeof *p->work);
    p->out = mem_new((size_t)p->size * p->block, sizeof *p->out);
    p->in = mem_new((size_t)p->size * p->block, sizeof *p->in);
    pme_rescaled(p);
}

/* `half`: waves along z beyond the middle are conjugates, and are not stored. */
struct pme *pme_new(const struct system *s, const struct scheme_ewald *setup, int rank, int size)
{
    struct pme *p = mem_new(1, sizeof *p);
    p->s = s;
    p->setup = *setup;
    p->rank = rank;
    p->size = size;
    p->half = setup->grid[2] / 2 + 1;
    p->share = mem_new((size_t)size, sizeof(double));
    p->plane = mem_new((size_t)size + 1, sizeof(int));
    p->row = mem_new((size_t)size + 1, sizeof(int));
    p->touched = mem_new((size_t)s->natom, sizeof(int));
    for (int k = 0; k < 3; k++) {
        fft_init(&p->fft[k], setup->grid[k]);
        p->modulus[k] = pme_modulus(setup->grid[k], setup->order);
    }
    pme_layout(p, NULL);
    return p;
}

void pme_free(struct pme *p)
{
    if (!p)
        return;
    pme_release(p);
    for (int k = 0; k < 3; k++) {
        fft_free(&p->fft[k]);
        mem_free(p->modulus[k]);
    }
    mem_free(p->share);
    mem_free(p->plane);
    mem_free(p->row);
    mem_free(p->touched);
    mem_free(p);
}

/* ---- charges and forces --------------------------------------------------------------------- */

/* An atom on the grid: first points along the axes, splines and slopes. On the stack, for one atom
 * at a time. */
struct pme_atom {
    int first[3];
    double value[3][SPLINE_MAX], slope[3][SPLINE_MAX];
};

/* The first point of an atom along axis k; *w: its distance from the last but order - 1 of its
 * points. `first` is wrapped into the grid. */
static int pme_first(const struct pme *p, const double *x, int k, double *w)
{
    int n = p->setup.grid[k];
    double u = cell_fraction(&p->s->cell, k, x);
    u = (u - floor(u)) * n;
    int i = u >= 0 ? (int)u : 0; /* not a number: dynamics reports it after the step */
    int first = i - p->setup.order + 1;
    *w = u - i;
    first += first < 0 ? n : 0;
    return first < n ? first : first - n;
}

/* Places an atom on the grid.  The order is a constant in the callers (pme_spread, pme_forces), so
 * that the compiler unrolls the inner loops. */
static inline void pme_place(const struct pme *p, const double *x, struct pme_atom *a, int order)
{
    double w;
    for (int k = 0; k < 3; k++) {
        a->first[k] = pme_first(p, x, k, &w);
        spline_fill(order, w, a->value[k], a->slope[k]);
    }
}

/* True if any of the points along x from `first` on is in an own plane: the first own plane is
 * among them, or the first of them is in an own plane. Planes are counted cyclically from `first`
 * on. */
static int pme_touches(const struct pme *p, int first)
{
    int behind = p->plane[p->rank] - first;
    behind += behind < 0 ? p->setup.grid[0] : 0;
    return p->planes && (behind < p->setup.order || behind + p->planes > p->setup.grid[0]);
}

/* Lists the atoms that touch own planes.  All tasks check all atoms, so this part does not become
 * cheaper with more tasks. */
static void pme_touched(struct pme *p, const double *x)
{
    double w;
    p->ntouched = 0;
    for (int i = 0; i < p->s->natom; i++)
        if (p->s->charge[i] != 0 && pme_touches(p, pme_first(p, x + 3 * (size_t)i, 0, &w)))
            p->touched[p->ntouched++] = i;
}

/* The own plane of the j-th point of an atom along x, or -1. */
static int pme_plane(const struct pme *p, const struct pme_atom *a, int j)
{
    int x = a->first[0] + j;
    x -= (x < p->setup.grid[0] ? 0 : p->setup.grid[0]) + p->plane[p->rank];
    return x >= 0 && x < p->planes ? x : -1;
}

/* The line along y of an own plane, at an atom's l-th point along z. */
static double *pme_line(const struct pme *p, const struct pme_atom *a, int plane, int l)
{
    int z = a->first[2] + l;
    z -= z < p->setup.grid[2] ? 0 : p->setup.grid[2];
    return p->grid +
           ((size_t)plane * (size_t)p->setup.grid[2] + (size_t)z) * (size_t)p->setup.grid[1];
}

/* The line along y is contiguous; only atoms near its end need the second form. */
static inline void pme_spread_atom(const struct pme *p, const double *x, int i, int order)
{
    struct pme_atom atom, *a = &atom;
    pme_place(p, x + 3 * (size_t)i, a, order);
    double q = p->s->charge[i];
    int n = p->setup.grid[1], y = a->first[1];
    for (int j = 0; j < order; j++) {
        int plane = pme_plane(p, a, j);
        for (int l = 0; plane >= 0 && l < order; l++) {
            double c = q * a->value[0][j] * a->value[2][l], *line = pme_line(p, a, plane, l);
            if (y + order <= n)
                for (int k = 0; k < order; k++)
                    line[y + k] += c * a->value[1][k];
            else
                for (int k = 0; k < order; k++)
                    line[y + k < n ? y + k : y + k - n] += c * a->value[1][k];
        }
    }
}

/* Order 6, the default, has code of its own, in which the compiler knows the number of points. */
static void pme_spread(struct pme *p, const double *x)
{
    const int *n = p->setup.grid;
    memset(p->grid, 0, (size_t)p->planes * (size_t)n[1] * (size_t)n[2] * sizeof *p->grid);
    pme_touched(p, x);
    for (int t = 0; t < p->ntouched; t++)
        if (p->setup.order == 6)
            pme_spread_atom(p, x, p->touched[t], 6);
        else
            pme_spread_atom(p, x, p->touched[t], p->setup.order);
}

/* The gradient of the potential at an atom, per grid step, from the own planes: sums over z of a
 * plane first, then over x, finally over y. Order of the sums: z, x, y. So the innermost loops run
 * along contiguous memory, and the slope along each axis is used once. */
static inline void pme_gradient(const struct pme *p, const double *x, int i, double g[3], int order)
{
    struct pme_atom atom, *a = &atom;
    pme_place(p, x + 3 * (size_t)i, a, order);
    double sum[3][SPLINE_MAX] = {{0}}, copy[SPLINE_MAX];
    int n = p->setup.grid[1], y = a->first[1];
    for (int j = 0; j < order; j++) {
        int plane = pme_plane(p, a, j);
        /* Another task has this plane, and adds its part. */
        if (plane < 0)
            continue;
        double value[SPLINE_MAX], slope[SPLINE_MAX];
        for (int k = 0; k < order; k++)
            value[k] = slope[k] = 0;
        for (int l = 0; l < order; l++) {
            const double *line = pme_line(p, a, plane, l), *at = line + y;
            /* A line that crosses the edge of the grid is copied. */
            for (int k = 0; y + order > n && k < order; k++)
                copy[k] = line[y + k < n ? y + k : y + k - n];
            at = y + order > n ? copy : at;
            for (int k = 0; k < order; k++) {
                value[k] += at[k] * a->value[2][l];
                slope[k] += at[k] * a->slope[2][l];
            }
        }
        for (int k = 0; k < order; k++) {
            sum[0][k] += value[k] * a->slope[0][j];
            sum[1][k] += value[k] * a->value[0][j];
            sum[2][k] += slope[k] * a->value[0][j];
        }
    }
    g[0] = g[1] = g[2] = 0;
    for (int k = 0; k < order; k++) {
        g[0] += sum[0][k] * a->value[1][k];
        g[1] += sum[1][k] * a->slope[1][k];
        g[2] += sum[2][k] * a->value[1][k];
    }
}

static void pme_forces(const struct pme *p, const double *x, double *f)
{
    double g[3];
    for (int t = 0; t < p->ntouched; t++) {
        int i = p->touched[t];
        double q = p->s->charge[i];
        /* The usual order is a constant here, so that loops are unrolled. */
        if (p->setup.order == 6)
            pme_gradient(p, x, i, g, 6);
        else
            pme_gradient(p, x, i, g, p->setup.order);
        for (int k = 0; k < 3; k++)
            vec_add(f + 3 * (size_t)i, -q * g[k] * p->setup.grid[k], p->s->cell.inverse[k]);
    }
}

/* ---- transforms --------------------------------------------------------------------------- */

/* Transforms a plane [z][y] over z and y to [y][half].  Pairs of real columns are transformed as
 * one complex column F; F(k) and the conjugate of F(-k) give both. */
static void pme_plane_forward(struct pme *p, const double *plane, struct fft_complex *out)
{
    size_t ny = (size_t)p->setup.grid[1], nz = (size_t)p->setup.grid[2], half = (size_t)p->half;
    struct fft_complex *pair = p->work, *scratch = pair + ny * nz;
    memcpy(pair, plane, ny * nz * sizeof *plane);
    fft_run(&p->fft[2], pair, scratch, ny / 2, 0);
    /* The Hermitian part is the first column, the rest the second one. */
    for (size_t z = 0; z < half; z++)
        for (size_t c = 0; c < ny / 2; c++) {
            struct fft_complex a = pair[z * ny / 2 + c], b = pair[(nz - z) % nz * ny / 2 + c];
            out[2 * c * half + z] = (struct fft_complex){(a.re + b.re) / 2, (a.im - b.im) / 2};
            out[(2 * c + 1) * half + z] =
                (struct fft_complex){(a.im + b.im) / 2, (b.re - a.re) / 2};
        }
    fft_run(&p->fft[1], out, scratch, half, 0);
}

/* The inverse. */
static void pme_plane_backward(struct pme *p, struct fft_complex *in, double *plane)
{
    size_t ny = (size_t)p->setup.grid[1], nz = (size_t)p->setup.grid[2], half = (size_t)p->half;
    struct fft_complex *pair = p->work, *scratch = pair + ny * nz;
    fft_run(&p->fft[1], in, scratch, half, 1);
    for (size_t z = 0; z < nz; z++)
        for (size_t c = 0; c < ny / 2; c++) {
            size_t k = z < half ? z : nz - z;
            double sign = z < half ? 1 : -1; /* beyond the middle: conjugates */
            struct fft_complex a = in[2 * c * half + k], b = in[(2 * c + 1) * half + k];
            pair[z * ny / 2 + c] = (struct fft_complex){a.re - sign * b.im, sign * a.im + b.re};
        }
    fft_run(&p->fft[2], pair, scratch, ny / 2, 1);
    memcpy(plane, pair, ny * nz * sizeof *plane);
}

/* The position of row y of a plane in the block for the row's task: [plane][row][half]. */
static struct fft_complex *pme_block(const struct pme *p, struct fft_complex *buffer, int task,
                                     int plane, int row, int rows)
{
    return buffer + (size_t)task * p->block +
           ((size_t)plane * (size_t)rows + (size_t)row) * (size_t)p->half;
}

/* Copies between own planes (one at a time, [y][half]) and the blocks for all tasks. */
static void pme_pack(struct pme *p, struct fft_complex *buffer, int plane, struct fft_complex *rows,
                     int into)
{
    size_t bytes = (size_t)p->half * sizeof *rows;
    for (int r = 0; r < p->size; r++)
        for (int y = p->row[r]; y < p->row[r + 1]; y++) {
            struct fft_complex *at =
                pme_block(p, buffer, r, plane, y - p->row[r], p->row[r + 1] - p->row[r]);
            struct fft_complex *line = rows + (size_t)y * (size_t)p->half;
            memcpy(into ? at : line, into ? line : at, bytes);
        }
}

/* Copies between own rows [x][row][half] and the blocks of all tasks. */
static void pme_unpack(struct pme *p, struct fft_complex *buffer, int into)
{
    size_t column = (size_t)p->rows * (size_t)p->half, bytes = column * sizeof *buffer;
    for (int r = 0; r < p->size; r++)
        for (int x = p->plane[r]; x < p->plane[r + 1]; x++) {
            struct fft_complex *at = pme_block(p, buffer, r, x - p->plane[r], 0, p->rows);
            struct fft_complex *line = p->wave + (size_t)x * column;
            memcpy(into ? at : line, into ? line : at, bytes);
        }
}

/* One task only exchanges the pointers. */
static int pme_exchange(struct pme *p, struct comm *comm, struct err *e)
{
    if (p->size == 1) {
        struct fft_complex *swap = p->in;
        p->in = p->out;
        p->out = swap;
        return 0;
    }
    return comm_transpose(comm, (double *)p->out, (double *)p->in, 2 * p->block, e);
}

/* Computes energy and virial from the waves of the own rows, and replaces these by the
 * potential's. The potential's wave has twice the energy weight of a single wave; stored weights of
 * the inner waves contain this factor already. */
static struct ewald_result pme_influence(struct pme *p)
{
    struct ewald_result sum = {0};
    const int *n = p->setup.grid;
    double pk2 = M_PI * M_PI / (p->setup.kappa * p->setup.kappa);
    size_t i = 0;
    for (int x = 0; x < n[0]; x++)
        for (int y = p->row[p->rank]; y < p->row[p->rank + 1]; y++)
            for (int z = 0; z < p->half; z++, i++) {
                struct fft_complex *w = &p->wave[i];
                double energy = p->weight[i] * (w->re * w->re + w->im * w->im);
                /* Waves with 0 < z < n/2 are kept for two, so their weight is doubled in the energy
                 * already. */
                double factor = z == 0 || z == n[2] / 2 ? 2 * p->weight[i] : p->weight[i];
                sum.energy += energy;
                double k[3], m2 = pme_wave2(p, x, y, z, k);
                for (int a = 0; a < 3; a++)
                    sum.virial[a] += m2 > 0 ? energy * (1 - 2 * k[a] * k[a] * (1 / m2 + pk2)) : 0;
                w->re *= factor;
                w->im *= factor;
            }
    return sum;
}

/* Must be called by all tasks in the same order. After an error f is incomplete. */
int pme_run(struct pme *p, struct comm *comm, const double *share, const double *x, double *f,
            struct ewald_result *result, struct err *e)
{
    size_t plane = (size_t)p->setup.grid[1] * (size_t)p->setup.grid[2];
    if (share && memcmp(share, p->share, (size_t)p->size * sizeof *share))
        pme_layout(p, share);
    size_t column = (size_t)p->rows * (size_t)p->half;
    pme_spread(p, x);
    /* Transforms along z and y, plane by plane. */
    for (int k = 0; k < p->planes; k++) {
        pme_plane_forward(p, p->grid + (size_t)k * plane, p->flat);
        pme_pack(p, p->out, k, p->flat, 1);
    }
    /* From planes to rows, in which x is complete. */
    int status = pme_exchange(p, comm, e);
    if (!status) {
        pme_unpack(p, p->in, 0);
        fft_run(&p->fft[0], p->wave, p->work, column, 0);
        *result = pme_influence(p);
        fft_run(&p->fft[0], p->wave, p->work, column, 1);
        pme_unpack(p, p->out, 1);
        status = pme_exchange(p, comm, e);
    }
    for (int k = 0; !status && k < p->planes; k++) {
        pme_pack(p, p->in, k, p->flat, 0);
        pme_plane_backward(p, p->flat, p->grid + (size_t)k * plane);
    }
    if (!status)
        pme_forces(p, x, f);
    return status;
}
