/* test_hmd_cell.c - boxes without right angles: their form, and the same crystal described by two
 * boxes, which has one energy and one set of forces. */
#include "hmd_fixture.h"

#include <math.h>
#include <string.h>

#include "cell.h"
#include "mem.h"

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};
static const double cube[3] = {25, 25, 25};
static const double octa = 109.4712206344907; /* of a truncated octahedron: acos(-1/3) */

/* ---- forms ---------------------------------------------------------------------------------- */

static void expect_form(const double length[3], const double angle[3])
{
    struct cell c;
    double a[3], cosine[3], v[3], product = 1, face = 0;
    cr_assert(cell_make(&c, length, angle));
    cell_form(&c, a, cosine);
    for (int k = 0; k < 3; k++) {
        double n[3] = {k == 0, k == 1, k == 2};
        cr_expect_float_eq(a[k], length[k], 1e-10 * length[k], "%.15g", a[k]);
        cr_expect_float_eq(acos(cosine[k]) * 180 / M_PI, angle[k], 1e-9, "%.15g", cosine[k]);
        face = fmax(face, length[(k + 1) % 3] * length[(k + 2) % 3] * sin(angle[k] * M_PI / 180));
        cell_vector(&c, n, v);
        for (int i = 0; i < 3; i++)
            cr_expect_float_eq(cell_fraction(&c, i, v), n[i], 1e-12);
        product *= length[k];
    }
    double x = cosine[0], y = cosine[1], z = cosine[2];
    double volume = product * sqrt(1 + 2 * x * y * z - x * x - y * y - z * z);
    cr_expect_float_eq(cell_volume(&c), volume, 1e-10 * volume, "%.15g", volume);
    cr_expect_float_eq(cell_width(&c), volume / face, 1e-9, "%.15g", cell_width(&c));
    cell_stretch(&c, (const double[3]){1.25, 1.25, 1.25});
    cell_form(&c, a, cosine);
    cr_expect_float_eq(a[1], 1.25 * length[1], 1e-9);
    cr_expect_float_eq(cell_volume(&c), 1.25 * 1.25 * 1.25 * volume, 1e-9 * volume);
}

Test(hmd_cell, form)
{
    expect_form(cube, (const double[3]){90, 90, 90});
    expect_form(cube, (const double[3]){octa, octa, octa});
    expect_form(cube, (const double[3]){60, 90, 60});
    expect_form((const double[3]){30, 30, 45}, (const double[3]){90, 90, 120});
    expect_form((const double[3]){3, 40, 25}, (const double[3]){72, 101.5, 95});
    expect_form((const double[3]){25, 35, 25}, (const double[3]){90, 90, 20});
}

Test(hmd_cell, no_such_box)
{
    struct cell c;
    cr_expect_eq(cell_make(&c, cube, (const double[3]){60, 60, 121}), 0);
    cr_expect_eq(cell_make(&c, cube, (const double[3]){120, 120, 120}), 0);
    cr_expect_eq(cell_make(&c, cube, (const double[3]){130, 120, 115}), 0);
    cr_expect_eq(cell_make(&c, cube, (const double[3]){90, 90, 180}), 0);
    cr_expect_eq(cell_make(&c, (const double[3]){25, -25, 25}, (const double[3]){90, 90, 80}), 0);
}

/* ---- one crystal, two boxes ------------------------------------------------------------------ */

/* Vectors a, a + b, c of a cube are the same crystal as a, b, c; where the first stand in space, a
 * place x of the second goes to turn(x). */
static void sheared(struct cell *c)
{
    const double length[3] = {25, 25 * sqrt(2), 25}, angle[3] = {90, 90, 45};
    cr_assert(cell_make(c, length, angle));
}

static void turn(const struct cell *c, const double x[3], double y[3])
{
    const double n[3] = {(x[0] - x[1]) / 25, x[1] / 25, x[2] / 25};
    cell_vector(c, n, y);
}

static void expect_one_crystal(const struct scheme *s, int size, const char *what)
{
    struct fixture fx;
    struct cell c;
    double want[ENERGY_NUMBERS], got[ENERGY_NUMBERS], v[3];
    fixture_files(&fx, &alad, cube);
    size_t n = (size_t)fx.system.natom;
    double *f = mem_new(3 * n, sizeof *f);
    fixture_energy(&fx, s, 9, 1, want);
    memcpy(f, fx.f, 3 * n * sizeof *f);
    sheared(&c);
    fx.system.cell = c;
    for (size_t i = 0; i < n; i++) {
        turn(&c, fx.x + 3 * i, v);
        const double images[3] = {i % 5 == 0, 0, -(double)(i % 7 == 0)}; /* molecules are torn */
        cell_vector(&c, images, fx.x + 3 * i);
        for (size_t k = 0; k < 3; k++)
            fx.x[3 * i + k] += v[k];
    }
    fixture_energy(&fx, s, 9, size, got);
    got[ENERGY_VIRIAL] = energy_virial(got); /* along the axes it turns with the crystal */
    want[ENERGY_VIRIAL] = energy_virial(want);
    for (int k = 0; k <= ENERGY_VIRIAL; k++)
        cr_expect_float_eq(got[k], want[k], 1e-6 * (1 + fabs(want[k])),
                           "%s, number %d: %.9f, not %.9f", what, k, got[k], want[k]);
    for (size_t i = 0; i < n; i++) {
        turn(&c, f + 3 * i, v);
        for (size_t k = 0; k < 3; k++)
            cr_expect_float_eq(fx.f[3 * i + k], v[k], 1e-5 * (1 + fabs(v[k])), "%s, atom %zu", what,
                               i + 1);
    }
    mem_free(f);
    fixture_free(&fx);
}

Test(hmd_cell, one_crystal_by_cut_offs)
{
    for (int size = 1; size <= 3; size += 2) {
        struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 8, 6);
        expect_one_crystal(&s, size, "fshift");
        s = scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 8, 6);
        expect_one_crystal(&s, size, "shift");
    }
}

/* With waves so short that what is left out does not count, whichever axes they are counted along.
 */
Test(hmd_cell, one_crystal_by_ewald)
{
    struct scheme s = scheme_make(SCHEME_ELEC_EWALD, SCHEME_VDW_SWITCH, 8, 6);
    struct err e;
    const double longest[3] = {36, 36, 36};
    s.ewald = (struct scheme_ewald){.kappa = 0.4};
    cr_assert_eq(ewald_choose(&s.ewald, longest, 8, 1e-10, &e), 0, "%s", e.text);
    expect_one_crystal(&s, 2, "exact");
}

/* ---- a truncated octahedron -------------------------------------------------------------------
 */

static double total(const double term[ENERGY_NUMBERS])
{
    double sum = 0;
    for (int k = 0; k < ENERGY_TERMS; k++)
        sum += term[k];
    return sum;
}

/* The bundled molecules as a drop in it; how the sum is cut into waves and pairs does not show, and
 * the mesh gives what the sum gives. */
static void octahedron(struct fixture *fx)
{
    const double length[3] = {46, 46, 46}, angle[3] = {octa, octa, octa};
    fixture_files(fx, &alad, cube);
    system_whole(&fx->system, fx->x, fx->f);
    for (size_t i = 0; i < 3 * (size_t)fx->system.natom; i++)
        fx->x[i] += fx->f[i];
    cr_assert(cell_make(&fx->system.cell, length, angle));
}

Test(hmd_cell, octahedron_by_sum_and_mesh)
{
    static const double length[3] = {46, 46, 46};
    struct fixture fx;
    struct err e;
    double term[ENERGY_NUMBERS], want = 0, virial = 0;
    octahedron(&fx);
    for (int k = 0; k < 3; k++) {
        struct scheme s = scheme_make(SCHEME_ELEC_EWALD, SCHEME_VDW_SWITCH, 12, 10);
        s.ewald = (struct scheme_ewald){.kappa = k == 1 ? 0.34 : 0.3, .pme = k == 2};
        cr_assert_eq(ewald_choose(&s.ewald, length, 12, k == 2 ? 1e-6 : 1e-7, &e), 0, "%s", e.text);
        fixture_energy(&fx, &s, 12.5, 1, term);
        want = k ? want : total(term);
        virial = k ? virial : energy_virial(term);
        cr_expect_float_eq(total(term), want, 1e-2, "%d: %.6f, not %.6f", k, total(term), want);
        cr_expect_float_eq(energy_virial(term), virial, 3e-2, "%d: %.6f, not %.6f", k,
                           energy_virial(term), virial);
    }
    fixture_free(&fx);
}

/* Forces are slopes of the energy, and the virial is that of the scaled crystal. */
Test(hmd_cell, octahedron_by_slopes)
{
    static const double length[3] = {46, 46, 46};
    const double h = 1e-5;
    struct fixture fx;
    struct err e;
    double term[ENERGY_NUMBERS], side[2];
    struct scheme s = scheme_make(SCHEME_ELEC_EWALD, SCHEME_VDW_SWITCH, 12, 10);
    octahedron(&fx);
    s.ewald = (struct scheme_ewald){.pme = 1, .order = 10}; /* no step where pairs are cut off */
    cr_assert_eq(ewald_choose(&s.ewald, length, 12, 1e-8, &e), 0, "%s", e.text);
    size_t n = 3 * (size_t)fx.system.natom;
    double *x = mem_new(n, sizeof *x), *f = mem_new(n, sizeof *f);
    memcpy(x, fx.x, n * sizeof *x);
    fixture_energy(&fx, &s, 13, 1, term);
    memcpy(f, fx.f, n * sizeof *f);
    for (size_t at = 0; at < n; at += n / 5) {
        for (int k = 0; k < 2; k++) {
            fx.x[at] = x[at] + (k ? h : -h);
            double moved[ENERGY_NUMBERS];
            fixture_energy(&fx, &s, 13, 1, moved);
            side[k] = total(moved);
        }
        fx.x[at] = x[at];
        cr_expect_float_eq((side[0] - side[1]) / (2 * h), f[at], 2e-4 * (1 + fabs(f[at])),
                           "number %zu: %.8f", at, f[at]);
    }
    const struct cell whole = fx.system.cell;
    for (int k = 0; k < 2; k++) {
        double moved[ENERGY_NUMBERS], scale = k ? 1 + h : 1 - h;
        fx.system.cell = whole;
        cell_stretch(&fx.system.cell, (const double[3]){scale, scale, scale});
        for (size_t i = 0; i < n; i++)
            fx.x[i] = scale * x[i];
        fixture_energy(&fx, &s, 13, 1, moved);
        side[k] = total(moved);
    }
    double slope = (side[0] - side[1]) / (2 * h);
    cr_expect_float_eq(slope, energy_virial(term), 1e-4 * fabs(slope) + 0.1, "%.6f, not %.6f",
                       slope, energy_virial(term));
    mem_free(x);
    mem_free(f);
    fixture_free(&fx);
}
