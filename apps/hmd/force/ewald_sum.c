/* ewald_sum.c - the reciprocal part of Ewald's sum by its definition: exact, for small systems, and
 * as reference for PME.
 *
 * exp(2 pi i m x / L) is computed for each atom and each m along the three axes by repeated
 * multiplication; a wave is a product of three of these.  Waves m and -m contribute equally, so
 * only half of them are summed, with weight two.  Tasks take lines of waves (m_x, m_y) in turn.
 * Cost: O(N waves), about 20 operations for an atom and wave.
 */
#include <math.h>
#include <stdlib.h>

#include "ewald.h"
#include "mem.h"
#include "vec.h"

/* Memory: 2 (waves + 1) N doubles for each axis. */
struct ewald_sum {
    const struct system *s;
    struct scheme_ewald setup;
    double *re[3], *im[3]; /* (waves + 1) * natom for each axis */
    double *lre, *lim;     /* natom: charge times the waves of a line along x and y */
    double *wre, *wim;     /* natom: the current wave */
};

/* Tables have a number for each atom and each wave along an axis. */
struct ewald_sum *ewald_sum_new(const struct system *s, const struct scheme_ewald *setup)
{
    struct ewald_sum *w = mem_new(1, sizeof *w);
    size_t n = (size_t)s->natom;
    w->s = s;
    w->setup = *setup;
    for (int k = 0; k < 3; k++) {
        w->re[k] = mem_new(((size_t)setup->waves[k] + 1) * n, sizeof(double));
        w->im[k] = mem_new(((size_t)setup->waves[k] + 1) * n, sizeof(double));
    }
    w->lre = mem_new(n, sizeof(double));
    w->lim = mem_new(n, sizeof(double));
    w->wre = mem_new(n, sizeof(double));
    w->wim = mem_new(n, sizeof(double));
    return w;
}

void ewald_sum_free(struct ewald_sum *w)
{
    if (!w)
        return;
    for (int k = 0; k < 3; k++) {
        mem_free(w->re[k]);
        mem_free(w->im[k]);
    }
    mem_free(w->lre);
    mem_free(w->lim);
    mem_free(w->wre);
    mem_free(w->wim);
    mem_free(w);
}

/* The powers are products of the previous wave and the first one; the rounding error grows with the
 * number of the wave, at most some hundred times. */
static void ewald_sum_tables(struct ewald_sum *w, const double *x)
{
    size_t n = (size_t)w->s->natom;
    for (int k = 0; k < 3; k++) {
        double *re = w->re[k], *im = w->im[k];
        for (size_t i = 0; i < n; i++) {
            double phase = 2 * M_PI * cell_fraction(&w->s->cell, k, x + 3 * i);
            re[i] = 1;
            im[i] = 0;
            if (w->setup.waves[k] == 0)
                continue;
            re[n + i] = cos(phase);
            im[n + i] = sin(phase);
        }
        /* exp(i k phase) is the product of the wave k - 1 and the wave 1. */
        for (size_t a = 2 * n; a < ((size_t)w->setup.waves[k] + 1) * n; a++) {
            size_t i = a % n;
            re[a] = re[a - n] * re[n + i] - im[a - n] * im[n + i];
            im[a] = re[a - n] * im[n + i] + im[a - n] * re[n + i];
        }
    }
}

/* Charge times the wave m_x along x and m_y (which may be negative) along y. A negative wave is the
 * conjugate of the positive one. */
static void ewald_sum_line(struct ewald_sum *w, int mx, int my)
{
    size_t n = (size_t)w->s->natom;
    const double *ar = w->re[0] + (size_t)mx * n, *ai = w->im[0] + (size_t)mx * n;
    const double *br = w->re[1] + (size_t)abs(my) * n, *bi = w->im[1] + (size_t)abs(my) * n;
    double sign = my < 0 ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
        double q = w->s->charge[i], b = sign * bi[i];
        w->lre[i] = q * (ar[i] * br[i] - ai[i] * b);
        w->lim[i] = q * (ar[i] * b + ai[i] * br[i]);
    }
}

/* True if a wave is omitted because it is outside the sphere that touches the limit of one axis. */
static int ewald_sum_short(const struct ewald_sum *w, const double m[3])
{
    double k[3], length[3], cosine[3], reach = 0;
    cell_form(&w->s->cell, length, cosine);
    for (int a = 0; a < 3; a++)
        reach = fmax(reach, w->setup.waves[a] / length[a]);
    cell_wave(&w->s->cell, m, k);
    return vec_dot(k, k) > reach * reach;
}

/* Adds one wave: its energy, with weight `times`, and the forces. Two passes over the atoms: the
 * first sums the structure factor S(m), the second applies it to the forces. */
static void ewald_sum_wave(struct ewald_sum *w, const int m[3], double times, double *f,
                           struct ewald_result *result)
{
    size_t n = (size_t)w->s->natom;
    const double *cr = w->re[2] + (size_t)abs(m[2]) * n, *ci = w->im[2] + (size_t)abs(m[2]) * n;
    double sign = m[2] < 0 ? -1 : 1, sre = 0, sim = 0, k[3];
    double kappa2 = w->setup.kappa * w->setup.kappa;
    cell_wave(&w->s->cell, (const double[3]){m[0], m[1], m[2]}, k);
    double m2 = vec_dot(k, k);
    for (size_t i = 0; i < n; i++) {
        double c = sign * ci[i];
        w->wre[i] = w->lre[i] * cr[i] - w->lim[i] * c;
        w->wim[i] = w->lre[i] * c + w->lim[i] * cr[i];
        sre += w->wre[i];
        sim += w->wim[i];
    }
    double volume = cell_volume(&w->s->cell);
    /* exp(-pi^2 m^2 / kappa^2) / (2 pi V m^2), times |S(m)|^2, is the energy. */
    double g = times * exp(-M_PI * M_PI * m2 / kappa2) / (2 * M_PI * volume * m2);
    double energy = g * (sre * sre + sim * sim);
    result->energy += energy;
    for (int a = 0; a < 3; a++)
        result->virial[a] += energy * (1 - 2 * k[a] * k[a] * (1 / m2 + M_PI * M_PI / kappa2));
    for (size_t i = 0; i < n; i++) {
        /* The derivative of |S(m)|^2 by the phase of atom i. */
        double slope = 4 * M_PI * g * (w->wim[i] * sre - w->wre[i] * sim);
        for (int a = 0; a < 3; a++)
            f[3 * i + (size_t)a] += slope * k[a];
    }
}

/* Of each pair m and -m only one is taken: m_x > 0, or m_x = 0 and m_y > 0, or both 0 and m_z > 0.
 * The wave 0 has no part in it. */
struct ewald_result ewald_sum_run(struct ewald_sum *w, const double *x, double *f, int rank,
                                  int size)
{
    struct ewald_result result = {0};
    const int *top = w->setup.waves;
    int line = 0;
    ewald_sum_tables(w, x);
    for (int mx = 0; mx <= top[0]; mx++)
        for (int my = -top[1]; my <= top[1]; my++) {
            /* Lines of waves are dealt out to the tasks in turn. */
            if (line++ % size != rank)
                continue;
            ewald_sum_line(w, mx, my);
            for (int mz = -top[2]; mz <= top[2]; mz++) {
                if (ewald_sum_short(w, (const double[3]){mx, my, mz}))
                    continue;
                if (mx == 0 && (my < 0 || (my == 0 && mz <= 0)))
                    continue;
                ewald_sum_wave(w, (const int[3]){mx, my, mz}, 2, f, &result);
            }
        }
    return result;
}
