/* ewald.c - see ewald.h: choice of parameters, the table, and the parts of order N. */
#include "ewald.h"

#include <math.h>
#include <string.h>

#include "fft.h"
#include "mem.h"
#include "vec.h"

enum {
    EWALD_WAVES = 200, /* most waves in a direction of the exact sum */
    EWALD_GRID = 1024, /* most grid points in a direction */
    EWALD_TABLE = 128, /* cubics for each unit of (kappa r)^2: 1e-12 in the energy */
    EWALD_ORDER_MAX = 12
};

/* Solves erfc(x) = tolerance by bisection. 100 halvings of [0, 30] are more than the precision of a
 * double. */
static double ewald_erfc_inverse(double tolerance)
{
    double low = 0, high = 30;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (erfc(middle) > tolerance)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The exact sum ends where exp(-(pi m / (kappa L))^2) reaches the tolerance. The cost is the
 * product of three numbers of waves, hence the limit. */
static int ewald_choose_waves(struct scheme_ewald *w, const double box[3], double tolerance,
                              struct err *e)
{
    /* In waves for each Angstrom of the box. */
    double reach = sqrt(-log(tolerance)) * w->kappa / M_PI;
    for (int k = 0; k < 3; k++) {
        double waves = ceil(reach * box[k]);
        if (waves > EWALD_WAVES)
            return err_set(e, ERR_INPUT,
                           "-elec ewald: %.0f waves along a box length of %g Angstrom: take -elec "
                           "pme, or a smaller -kappa with a longer cut-off",
                           waves, box[k]);
        w->waves[k] = (int)waves;
    }
    return 0;
}

/* Grid spacing: the splines' error is proportional to (kappa h)^order; the factor is from measured
 * force errors in water (tests/unit/test_hmd_ewald.c checks that the tolerance is met). A grid that
 * is chosen here has at least order + 2 points, so the points of one atom are different. */
static int ewald_choose_grid(struct scheme_ewald *w, const double box[3], double tolerance,
                             struct err *e)
{
    static const char axis[] = "XYZ";
    w->order = w->order ? w->order : 6;
    if (w->order < 4 || w->order > EWALD_ORDER_MAX || w->order % 2)
        return err_set(e, ERR_INPUT, "PME: order %d: expected 4, 6, 8, 10 or 12", w->order);
    double per = 2.0 / 3.0 * w->kappa * pow(tolerance, -1.0 / w->order);
    for (int k = 0; k < 3; k++) {
        /* Comparing first avoids a conversion of a number that no int can hold. */
        if (!w->grid[k] && per * box[k] <= EWALD_GRID)
            w->grid[k] = fft_length_from(fmax(per * box[k], w->order + 2));
        if (!w->grid[k] || w->grid[k] > EWALD_GRID)
            return err_set(e, ERR_INPUT,
                           "PME: a grid of more than %d points along a box length of %g Angstrom: "
                           "take a larger -ftol or a smaller -kappa",
                           EWALD_GRID, box[k]);
        if (w->grid[k] % 2 || !fft_length_is_good(w->grid[k]) || w->grid[k] < w->order)
            return err_set(e, ERR_INPUT,
                           "PME: FFT%c %d: expected an even number from %d on without prime "
                           "factors but 2, 3 and 5",
                           axis[k], w->grid[k], w->order);
    }
    return 0;
}

/* tolerance <= 0: the default of the method. */
int ewald_choose(struct scheme_ewald *w, const double box[3], double roff, double tolerance,
                 struct err *e)
{
    if (box[0] <= 0)
        return err_set(e, ERR_INPUT,
                       "-elec %s: Ewald sums need a periodic box: give it with -box A,B,C, "
                       "or with CRYSTAL DEFINE",
                       w->pme ? "pme" : "ewald");
    if (tolerance <= 0)
        tolerance = w->pme ? 1e-5 : 1e-10;
    if (tolerance < 1e-15 || tolerance > 0.1)
        return err_set(e, ERR_INPUT, "-ftol %g: expected a number from 1e-15 to 0.1", tolerance);
    if (w->kappa <= 0)
        w->kappa = ewald_erfc_inverse(tolerance / 4) / roff; /* forces lose somewhat more */
    if (w->pme)
        return ewald_choose_grid(w, box, tolerance, e);
    return ewald_choose_waves(w, box, tolerance, e);
}

/* erf(z) / z is an entire function of u = z^2; near 0 its series is used. At u = 0.02 the first
 * term left out is below 1e-14 of the value, and below 1e-11 of the slope. */
double ewald_smooth(double kappa, double r2, double *slope)
{
    double u = kappa * kappa * r2, g, d;
    if (u < 0.02) {
        double c = 2 / sqrt(M_PI);
        g = c * (1 - u * (1.0 / 3 - u * (1.0 / 10 - u * (1.0 / 42 - u * (1.0 / 216 - u / 1320)))));
        d = -c * (1.0 / 3 - u * (1.0 / 5 - u * (1.0 / 14 - u * (1.0 / 54 - u / 264))));
    } else {
        double z = sqrt(u);
        g = erf(z) / z;
        /* The derivative by u. */
        d = (exp(-u) / sqrt(M_PI) - g / 2) / u;
    }
    *slope = kappa * kappa * kappa * d;
    return kappa * g;
}

/* Hermite cubics with the function's values and slopes at both ends of each interval, so that
 * energy and force are continuous and consistent. The interval is uniform in r^2, so that the
 * kernel needs no square root to find it. One more interval serves pairs beyond the cut-off. */
static void ewald_tabulate(struct ewald *w, double roff)
{
    double span = w->setup.kappa * w->setup.kappa * roff * roff;
    w->table_n = (int)fmin(fmax(ceil(EWALD_TABLE * span), 256), 1e6) + 1;
    w->table_scale = (w->table_n - 1) / (roff * roff);
    w->table = mem_new(4 * (size_t)w->table_n, sizeof *w->table);
    for (int i = 0; i < w->table_n; i++) {
        /* The length of an interval, in r^2. */
        double d0, d1, h = 1 / w->table_scale;
        double g0 = ewald_smooth(w->setup.kappa, i * h, &d0);
        double g1 = ewald_smooth(w->setup.kappa, (i + 1) * h, &d1);
        double *c = w->table + 4 * (size_t)i;
        c[0] = g0;
        c[1] = d0 * h;
        c[2] = 3 * (g1 - g0) - (2 * d0 + d1) * h;
        c[3] = 2 * (g0 - g1) + (d0 + d1) * h;
    }
}

/* With PME the waves are summed on a grid, else one by one. */
void ewald_init(struct ewald *w, const struct system *s, const struct scheme *scheme, int rank,
                int size)
{
    *w = (struct ewald){.s = s, .setup = scheme->ewald, .rank = rank, .size = size};
    ewald_tabulate(w, scheme->roff);
    if (w->setup.pme)
        w->pme = pme_new(s, &w->setup, rank, size);
    else
        w->sum = ewald_sum_new(s, &w->setup);
}

void ewald_free(struct ewald *w)
{
    mem_free(w->table);
    pme_free(w->pme);
    ewald_sum_free(w->sum);
    memset(w, 0, sizeof *w);
}

/* O(N); the result is the same on all tasks. */
double ewald_self(const struct ewald *w)
{
    double sum = 0;
    for (int i = 0; i < w->s->natom; i++)
        sum += w->s->charge[i] * w->s->charge[i];
    return -w->setup.kappa / sqrt(M_PI) * sum;
}

/* -pi Q^2 / (2 V kappa^2), the energy of the background that neutralises a net charge Q. */
double ewald_charge(const struct ewald *w)
{
    double sum = 0, kappa = w->setup.kappa;
    for (int i = 0; i < w->s->natom; i++)
        sum += w->s->charge[i];
    return w->setup.bare ? 0 : -M_PI * sum * sum / (2 * cell_volume(&w->s->cell) * kappa * kappa);
}

/* Each pair is in the lists of both atoms, so j <= i is skipped. Also for 1-4 pairs: their full
 * interaction is a bonded term. */
double ewald_excluded(const struct ewald *w, const double *x, double *f, int first, int last)
{
    const struct system *s = w->s;
    double energy = 0;
    for (int i = first; i < last; i++)
        for (int k = s->excluded_first[i]; k < s->excluded_first[i + 1]; k++) {
            int j = s->excluded[k];
            double d[3], slope, qq = s->charge[i] * s->charge[j];
            if (j <= i)
                continue;
            system_delta(s, x + 3 * i, x + 3 * j, d);
            /* The reciprocal sum contains the pair with this energy. */
            energy -= qq * ewald_smooth(w->setup.kappa, vec_dot(d, d), &slope);
            vec_add(f + 3 * i, 2 * qq * slope, d);
            vec_add(f + 3 * j, -2 * qq * slope, d);
        }
    return energy;
}

int ewald_reciprocal(struct ewald *w, struct comm *comm, const double *share, const double *x,
                     double *f, struct ewald_result *result, struct err *e)
{
    if (w->pme)
        return pme_run(w->pme, comm, share, x, f, result, e);
    *result = ewald_sum_run(w->sum, x, f, w->rank, w->size);
    return 0;
}

void ewald_rescaled(struct ewald *w)
{
    if (w->pme)
        pme_rescaled(w->pme);
}
