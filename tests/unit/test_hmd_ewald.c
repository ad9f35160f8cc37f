/* test_hmd_ewald.c - Ewald's sum: known lattice constants, the exact sum and particle mesh against
 * each other and against differences of the energy, virials against scaled boxes, and the transform
 * below them against its definition. */
#include "hmd_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft.h"
#include "mem.h"
#include "spline.h"

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};
static const double cube[3] = {25, 25, 25};

static struct scheme ewald(const double box[3], double roff, double kappa, double tolerance,
                           struct scheme_ewald setup)
{
    struct scheme s = scheme_make(SCHEME_ELEC_EWALD, SCHEME_VDW_SWITCH, roff, roff - 2);
    struct err e;
    s.ewald = setup;
    s.ewald.kappa = kappa;
    cr_assert_eq(ewald_choose(&s.ewald, box, roff, tolerance, &e), 0, "%s", e.text);
    return s;
}

static double elec(const double term[ENERGY_NUMBERS])
{
    return term[ENERGY_ELEC] + term[ENERGY_EWKS] + term[ENERGY_EWSE] + term[ENERGY_EWEX] +
           term[ENERGY_EWQC];
}

static double total(const double term[ENERGY_NUMBERS])
{
    double sum = 0;
    for (int k = 0; k < ENERGY_TERMS; k++)
        sum += term[k];
    return sum;
}

/* ---- the transform ------------------------------------------------------------------------ */

static void expect_transform(int n, size_t many)
{
    struct fft t;
    size_t all = (size_t)n * many;
    struct fft_complex *x = mem_new(all, sizeof *x), *y = mem_new(all, sizeof *y);
    struct fft_complex *work = mem_new(all, sizeof *work);
    for (size_t i = 0; i < all; i++)
        x[i] = y[i] = (struct fft_complex){rand() / 1e9 - 1, rand() / 1e9 - 1};
    fft_init(&t, n);
    fft_run(&t, y, work, many, 0);
    for (int k = 0; k < n; k++)
        for (size_t c = 0; c < many; c++) {
            double re = 0, im = 0;
            for (int j = 0; j < n; j++) {
                double a = -2 * M_PI * ((long)j * k % n) / n;
                struct fft_complex v = x[(size_t)j * many + c];
                re += v.re * cos(a) - v.im * sin(a);
                im += v.re * sin(a) + v.im * cos(a);
            }
            struct fft_complex got = y[(size_t)k * many + c];
            cr_expect(fabs(got.re - re) + fabs(got.im - im) < 1e-12 * n, "length %d, place %d", n,
                      k);
        }
    fft_run(&t, y, work, many, 1);
    for (size_t i = 0; i < all; i++)
        cr_expect(fabs(y[i].re / n - x[i].re) + fabs(y[i].im / n - x[i].im) < 1e-13, "back, %d", n);
    fft_free(&t);
    mem_free(x);
    mem_free(y);
    mem_free(work);
}

Test(hmd_ewald, transform)
{
    static const int length[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 25, 27, 30, 36, 40, 60, 64};
    srand(3);
    for (size_t i = 0; i < sizeof length / sizeof *length; i++)
        for (size_t many = 1; many < 4; many++)
            expect_transform(length[i], many);
    cr_expect_eq(fft_length_from(31), 32);
    cr_expect_eq(fft_length_from(33), 36);
    cr_expect_eq(fft_length_from(41.5), 48);
    cr_expect(!fft_length_is_good(14) && !fft_length_is_good(0) && !fft_length_is_good(-8));
}

Test(hmd_ewald, splines)
{
    double value[SPLINE_MAX], slope[SPLINE_MAX], other[SPLINE_MAX], dummy[SPLINE_MAX];
    for (int p = 4; p <= SPLINE_MAX; p += 2)
        for (double w = 0; w < 1; w += 0.13) {
            double sum = 0, place = 0;
            spline_fill(p, w, value, slope);
            spline_fill(p, w + 1e-6, other, dummy);
            for (int j = 0; j < p; j++) {
                sum += value[j];
                place += value[j] * j;
                cr_expect(value[j] >= 0);
                cr_expect_float_eq((other[j] - value[j]) / 1e-6, slope[j], 1e-5);
            }
            cr_expect_float_eq(sum, 1, 1e-14); /* and they reproduce straight lines */
            cr_expect_float_eq(place, w + p / 2.0 - 1, 1e-13, "%d %g: %g", p, w, place);
        }
}

/* ---- lattices ------------------------------------------------------------------------------- */

/* n ions of one kind each, charges +1 and -1 in turn (or +1 only), in a cube. */
static void ions(struct fixture *fx, int n, int neutral, double side)
{
    char psf[4096], prm[128] = "NONBONDED\nNA 0 0.0 1.0\n", crd[4096];
    size_t a = (size_t)snprintf(psf, sizeof psf, "PSF XPLOR\n\n 0 !NTITLE\n\n %d !NATOM\n", n);
    size_t b = (size_t)snprintf(crd, sizeof crd, "%d\n", n);
    for (int i = 0; i < n; i++) {
        int x = i >> 2, y = i >> 1 & 1, z = i & 1;
        a += (size_t)snprintf(psf + a, sizeof psf - a, "%d S %d ION I NA %d 1.0 0\n", i + 1, i + 1,
                              neutral && (x + y + z) % 2 ? -1 : 1);
        b += (size_t)snprintf(crd + b, sizeof crd - b, "%d %d ION I %g %g %g S %d 0\n", i + 1,
                              i + 1, x * side / 2, y * side / 2, z * side / 2, i + 1);
    }
    snprintf(psf + a, sizeof psf - a, "\n 0 !NBOND\n\n 0 !NTHETA\n\n 0 !NPHI\n\n 0 !NIMPHI\n\n");
    struct fixture_texts t = {.psf = psf, .par = prm, .crd = crd};
    const double box[3] = {side, side, side};
    cr_assert_eq(fixture_make(fx, &t, box), 0, "%s", fx->e.text);
}

Test(hmd_ewald, rock_salt)
{
    static const struct scheme_ewald way[2] = {{.pme = 0},
                                               {.pme = 1, .order = 12, .grid = {48, 48, 48}}};
    const double side = 11, box[3] = {side, side, side};
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    ions(&fx, 8, 1, side);
    for (int k = 0; k < 2; k++) {
        struct scheme s = ewald(box, 5.4, 0.9, 1e-12, way[k]);
        fixture_energy(&fx, &s, 5.5, 1, term);
        double madelung = -elec(term) / 4 / (SCHEME_COULOMB / (side / 2));
        cr_expect_float_eq(madelung, 1.7475645946331822, 1e-9, "%.12f", madelung);
        for (int i = 0; i < 24; i++)
            cr_expect_float_eq(fx.f[i], 0, 1e-7);
    }
    fixture_free(&fx);
}

Test(hmd_ewald, a_net_charge_has_a_background)
{
    static const struct scheme_ewald way[2] = {{.pme = 0},
                                               {.pme = 1, .order = 10, .grid = {40, 40, 40}}};
    const double side = 11, box[3] = {side, side, side};
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    ions(&fx, 1, 0, side);
    for (int k = 0; k < 2; k++) {
        struct scheme s = ewald(box, 5.4, 0.9, 1e-12, way[k]);
        fixture_energy(&fx, &s, 5.5, 1, term);
        double xi = -2 * elec(term) * side / SCHEME_COULOMB; /* of the simple cubic lattice */
        cr_expect_float_eq(xi, 2.8372974794806, 1e-6, "%.12f", xi);
        cr_expect_float_eq(energy_virial(term), elec(term), 1e-6, "%g", energy_virial(term));
    }
    fixture_free(&fx);
}

/* ---- the bundled system -----------------------------------------------------------------------
 */

Test(hmd_ewald, the_sum_does_not_depend_on_kappa)
{
    struct fixture fx;
    double term[ENERGY_NUMBERS], first = 0;
    fixture_files(&fx, &alad, cube);
    for (int k = 0; k < 3; k++) {
        struct scheme s =
            ewald(cube, 12, (double[]){0.42, 0.45, 0.5}[k], 1e-12, (struct scheme_ewald){0});
        fixture_energy(&fx, &s, 12, k + 1, term);
        first = k ? first : elec(term);
        cr_expect_float_eq(elec(term), first, 1e-5, "%.9f, not %.9f", elec(term), first);
        cr_expect_neq(term[ENERGY_EWKS], 0);
    }
    fixture_free(&fx);
}

/* Forces by particle mesh against the exact ones: the tolerance asked for, relative to their root
 * mean square. */
Test(hmd_ewald, particle_mesh_keeps_the_tolerance)
{
    static const double tolerance[3] = {1e-4, 1e-5, 1e-7};
    struct fixture fx;
    double term[ENERGY_NUMBERS], want, worst;
    fixture_files(&fx, &alad, cube);
    size_t n = 3 * (size_t)fx.system.natom;
    double *exact = mem_new(n, sizeof *exact);
    struct scheme s = ewald(cube, 12, 0, 1e-12, (struct scheme_ewald){0});
    fixture_energy(&fx, &s, 12, 1, term);
    want = elec(term);
    memcpy(exact, fx.f, n * sizeof *exact);
    for (int k = 0; k < 3; k++) {
        double square = 0, error = 0;
        s = ewald(cube, 12, 0, tolerance[k], (struct scheme_ewald){.pme = 1});
        fixture_energy(&fx, &s, 12, 1, term);
        for (size_t i = 0; i < n; i++) {
            square += exact[i] * exact[i];
            error += (fx.f[i] - exact[i]) * (fx.f[i] - exact[i]);
        }
        worst = sqrt(error / square);
        cr_log_info("tolerance %g: grid %d, error %g", tolerance[k], s.ewald.grid[0], worst);
        cr_expect(worst < tolerance[k], "asked %g, got %g (kappa %g, grid %d)", tolerance[k], worst,
                  s.ewald.kappa, s.ewald.grid[0]);
        cr_expect_float_eq(elec(term), want, 20 * tolerance[k] * fabs(want), "%g", elec(term));
    }
    mem_free(exact);
    fixture_free(&fx);
}

/* Forces are the slopes of the energy, also where the energy is coarse. */
static void expect_slopes(struct fixture *fx, const struct scheme *s, const char *what)
{
    static const int atom[4] = {0, 7, 22, 1515};
    const double h = 2e-5;
    double up[ENERGY_NUMBERS], down[ENERGY_NUMBERS], term[ENERGY_NUMBERS];
    size_t n = 3 * (size_t)fx->system.natom;
    double *f = mem_new(n, sizeof *f);
    fixture_energy(fx, s, 12, 1, term);
    memcpy(f, fx->f, n * sizeof *f);
    for (int i = 0; i < 12; i++) {
        size_t at = 3 * (size_t)atom[i / 3] + (size_t)i % 3;
        double x = fx->x[at];
        fx->x[at] = x + h;
        fixture_energy(fx, s, 12, 1, up);
        fx->x[at] = x - h;
        fixture_energy(fx, s, 12, 1, down);
        fx->x[at] = x;
        double slope = (total(down) - total(up)) / (2 * h);
        cr_expect_float_eq(slope, f[at], 2e-4 * (1 + fabs(f[at])), "%s, atom %d: %.8f, slope %.8f",
                           what, atom[i / 3] + 1, f[at], slope);
    }
    mem_free(f);
}

Test(hmd_ewald, forces_are_slopes)
{
    struct fixture fx;
    fixture_files(&fx, &alad, cube);
    struct scheme s = ewald(cube, 9, 0.3, 1e-2, (struct scheme_ewald){0});
    expect_slopes(&fx, &s, "exact");
    s = ewald(cube, 10, 0.3, 1e-3,
              (struct scheme_ewald){.pme = 1, .order = 4, .grid = {18, 20, 24}});
    expect_slopes(&fx, &s, "order 4");
    s = ewald(cube, 10, 0.3, 1e-3,
              (struct scheme_ewald){.pme = 1, .order = 8, .grid = {24, 18, 20}});
    expect_slopes(&fx, &s, "order 8");
    fixture_free(&fx);
}

/* ---- the virial ------------------------------------------------------------------------------ */

/* Everything scaled by 1 + h along an axis: minus the slope of the energy is the virial along it.
 */
static double virial_by_scaling(struct fixture *fx, struct scheme s, int axis)
{
    const double h = 1e-6;
    double energy[2], term[ENERGY_NUMBERS];
    size_t n = 3 * (size_t)fx->system.natom;
    double *x = mem_new(n, sizeof *x);
    const struct cell cell = fx->system.cell;
    memcpy(x, fx->x, n * sizeof *x);
    for (int side = 0; side < 2; side++) {
        double factor[3] = {1, 1, 1};
        factor[axis] += side ? h : -h;
        for (size_t i = 0; i < n; i++)
            fx->x[i] = factor[i % 3] * x[i];
        fx->system.cell = cell;
        cell_stretch(&fx->system.cell, factor);
        fixture_energy(fx, &s, 12, 1, term);
        energy[side] = total(term);
    }
    memcpy(fx->x, x, n * sizeof *x);
    fx->system.cell = cell;
    mem_free(x);
    return (energy[0] - energy[1]) / (2 * h);
}

Test(hmd_ewald, virial)
{
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    fixture_files(&fx, &alad, cube);
    for (int i = 0; i < fx.system.natom; i++) /* molecules, and their parts, in other images */
        for (int k = 0; k < 3; k++)
            fx.x[3 * i + k] += 25 * (i % (k + 3) - 1);
    const struct scheme way[4] = {
        scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 10, 8),
        scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 10, 8),
        ewald(cube, 10, 0.45, 1e-8, (struct scheme_ewald){0}),
        ewald(cube, 10, 0.45, 1e-8,
              (struct scheme_ewald){.pme = 1, .order = 8, .grid = {40, 40, 40}})};
    for (int k = 0; k < 4; k++)
        for (int size = 1; size <= (k < 3 ? 3 : 1); size += 2) {
            fixture_energy(&fx, &way[k], 12, size, term);
            for (int axis = 0; axis < 3; axis++) {
                double want = virial_by_scaling(&fx, way[k], axis);
                double got = term[ENERGY_VIRIAL + axis];
                cr_expect_float_eq(got, want, 1e-4 * fabs(want) + 0.02,
                                   "way %d, %d tasks, axis %d: %.6f, by scaling %.6f", k, size,
                                   axis, got, want);
            }
        }
    fixture_free(&fx);
}
