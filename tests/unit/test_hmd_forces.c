/* test_hmd_forces.c - forces against differences of the energy, term by term and scheme by scheme,
 * in the bundled system (periodic and not) and in one made for cross terms; the energies do not
 * depend on the number of tasks, nor on the images of molecules; the bundled system's energies.
 *
 * A central difference over 4e-5 Angstrom is good to about 1e-6 kcal/mol/Angstrom here: rounding
 * of energies of 1e4 kcal/mol and the third derivative both leave less. */
#include "hmd_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

static const double vacuum[3] = {0, 0, 0};
static const double cube[3] = {25, 25, 25};
static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};

static double energy_sum(const double term[ENERGY_TERMS])
{
    double sum = 0;
    for (int k = 0; k < ENERGY_TERMS; k++)
        sum += term[k];
    return sum;
}

/* Compares the forces on some atoms with differences of the sum of all terms. */
static void expect_slopes(struct fixture *fx, const struct scheme *scheme, double cutnb,
                          const int *atom, int n, const char *what)
{
    const double h = 2e-5;
    size_t n3 = 3 * (size_t)fx->system.natom;
    double *f = mem_new(n3, sizeof *f), *scratch = mem_new(n3, sizeof *f), term[ENERGY_NUMBERS];
    struct energy e;
    energy_init(&e, &fx->system, scheme, cutnb, 0, 1);
    energy_list_build(&e, fx->x);
    energy_forces(&e, fx->x, f, 1, term, &fx->e);
    energy_forces(&e, fx->x, scratch, 0, NULL, &fx->e);
    for (size_t i = 0; i < n3; i++)
        cr_expect_float_eq(scratch[i], f[i], 1e-9 * (1 + fabs(f[i])), "%s: without energies", what);
    for (int i = 0; i < 3 * n; i++) {
        double *x = &fx->x[3 * atom[i / 3] + i % 3], at = *x, got = f[3 * atom[i / 3] + i % 3];
        *x = at + h;
        energy_forces(&e, fx->x, scratch, 1, term, &fx->e);
        double above = energy_sum(term);
        *x = at - h;
        energy_forces(&e, fx->x, scratch, 1, term, &fx->e);
        double slope = (energy_sum(term) - above) / (2 * h);
        *x = at;
        cr_expect(fabs(slope - got) < 2e-5 * (1 + fabs(got)),
                  "%s: atom %d, %c: force %.9f, slope %.9f", what, atom[i / 3] + 1, 'x' + i % 3,
                  got, slope);
    }
    energy_free(&e);
    mem_free(f);
    mem_free(scratch);
}

/* The same system with the terms that are left out by `skip`. */
static void fixture_skip(struct fixture *fx, const struct system_skip *skip, const double box[3])
{
    system_free(&fx->system);
    cr_assert_eq(system_make(&fx->system, &fx->psf, &fx->param, skip, box, &fx->e), 0, "%s",
                 fx->e.text);
}

static const struct system_skip all_skipped = {1, 1, 1, 1, 1, 1, 1, 1};

Test(hmd_forces, bonded_terms)
{
    static const char *const name[5] = {"BOND", "ANGL", "UREY", "DIHE", "IMPR"};
    struct fixture fx;
    int atom[25];
    struct scheme s = scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 10, 8);
    for (int i = 0; i < 25; i++)
        atom[i] = i;
    fixture_files(&fx, &alad, cube);
    for (int k = 0; k < 5; k++) {
        struct system_skip skip = all_skipped;
        *(int *[]){&skip.bond, &skip.angle, &skip.urey, &skip.dihedral, &skip.improper}[k] = 0;
        fixture_skip(&fx, &skip, cube);
        expect_slopes(&fx, &s, 12, atom, 25, name[k]);
    }
    fixture_free(&fx);
}

static void expect_pair_schemes(const double box[3])
{
    static const int atom[5] = {0, 7, 22, 600, 1515};
    struct fixture fx;
    fixture_files(&fx, &alad, box);
    for (int k = 0; k < SCHEME_ELECS + SCHEME_VDWS; k++) {
        int vdw = k >= SCHEME_ELECS;
        if (k == SCHEME_ELEC_EWALD)
            continue; /* test_hmd_ewald.c */
        enum scheme_elec elec = vdw ? SCHEME_ELEC_SHIFT : (enum scheme_elec)k;
        enum scheme_vdw v = vdw ? (enum scheme_vdw)(k - SCHEME_ELECS) : SCHEME_VDW_SWITCH;
        struct scheme s = scheme_make(elec, v, 10, 6);
        struct system_skip skip = all_skipped;
        *(vdw ? &skip.vdw : &skip.elec) = 0;
        fixture_skip(&fx, &skip, box);
        expect_slopes(&fx, &s, 12, atom, 5, vdw ? scheme_vdw_name(v) : scheme_elec_name(elec));
    }
    fixture_free(&fx);
}

Test(hmd_forces, pair_schemes_in_a_box)
{
    expect_pair_schemes(cube);
}

Test(hmd_forces, pair_schemes_in_vacuum)
{
    expect_pair_schemes(vacuum);
}

Test(hmd_forces, all_pairs)
{
    static const int atom[3] = {3, 40, 1000};
    struct fixture fx;
    struct scheme s = scheme_none();
    fixture_files(&fx, &alad, vacuum);
    expect_slopes(&fx, &s, s.roff, atom, 3, "no cut-off");
    fixture_free(&fx);
}

/* LRC: the integral, beyond the cut-off, of what each atom has with as many of each type as there
 * are in the volume; and -r dE/dr of it along each axis. */
Test(hmd_forces, long_range_correction)
{
    struct fixture fx;
    struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_SWITCH, 9, 7);
    double plain[ENERGY_NUMBERS], term[ENERGY_NUMBERS], energy = 0, work = 0;
    fixture_files(&fx, &alad, cube);
    fixture_energy(&fx, &s, 10, 2, plain);
    strcpy(fx.param.options.given[PARAM_LRC].word, "LRC");
    fixture_skip(&fx, &(struct system_skip){0}, cube);
    fixture_energy(&fx, &s, 10, 2, term);
    const struct system *q = &fx.system;
    for (int i = 0; i < q->natom; i++)
        for (int j = 0; j < q->natom; j++) {
            double a = q->lj.a[q->lj.type[i] * q->lj.ntype + q->lj.type[j]] / pow(9, 9),
                   b = q->lj.b[q->lj.type[i] * q->lj.ntype + q->lj.type[j]] / pow(9, 3);
            energy += 2 * M_PI / pow(25, 3) * (a / 9 - b / 3);
            work += 2 * M_PI / pow(25, 3) * (12 * a / 9 - 6 * b / 3) / 3;
        }
    cr_expect(energy < -1);
    cr_expect_float_eq(term[ENERGY_VDW] - plain[ENERGY_VDW], energy, 1e-9 * fabs(energy));
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(term[ENERGY_VIRIAL + k] - plain[ENERGY_VIRIAL + k], work,
                           1e-7 * fabs(work));
    fixture_free(&fx);
}

/* ---- cross terms -------------------------------------------------------------------------- */

Test(hmd_forces, cross_terms)
{
    static const int atom[5] = {0, 1, 2, 3, 4};
    struct fixture fx;
    struct scheme s = scheme_none();
    struct system_skip skip = all_skipped;
    char *prm = texts_cross_prm();
    struct fixture_texts t = {.psf = texts_cross_psf, .par = prm};
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0, "%s", fx.e.text);
    skip.cmap = 0;
    fixture_skip(&fx, &skip, vacuum);
    srand(7);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 15; i++)
            fx.x[i] = (i % 3 ? 0 : 1.2 * (i / 3)) + 1.5 * rand() / RAND_MAX;
        expect_slopes(&fx, &s, s.roff, atom, 5, "CMAP");
    }
    fixture_free(&fx);
    free(prm);
}

/* ---- what must not matter ------------------------------------------------------------------- */

Test(hmd_forces, any_number_of_tasks)
{
    static const int sizes[5] = {2, 3, 4, 7, 64};
    struct fixture fx;
    struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 10, 8);
    double one[ENERGY_NUMBERS], many[ENERGY_NUMBERS];
    fixture_files(&fx, &alad, cube);
    size_t n3 = 3 * (size_t)fx.system.natom;
    double *f = mem_new(n3, sizeof *f);
    fixture_energy(&fx, &s, 12, 1, one);
    memcpy(f, fx.f, n3 * sizeof *f);
    for (int i = 0; i < 5; i++) {
        fixture_energy(&fx, &s, 12, sizes[i], many);
        for (int k = 0; k < ENERGY_TERMS; k++)
            cr_expect(fabs(many[k] - one[k]) <= 1e-9 * fabs(one[k]), "%s on %d tasks: %.12f, %.12f",
                      energy_names[k], sizes[i], many[k], one[k]);
        for (size_t j = 0; j < n3; j++)
            cr_expect_float_eq(fx.f[j], f[j], 1e-9 * (1 + fabs(f[j])), "force, %d tasks", sizes[i]);
    }
    mem_free(f);
    fixture_free(&fx);
}

Test(hmd_forces, molecules_in_other_images)
{
    struct fixture fx;
    struct scheme s = scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 10, 8);
    double here[ENERGY_NUMBERS], there[ENERGY_NUMBERS], sum[3] = {0, 0, 0};
    fixture_files(&fx, &alad, cube);
    fixture_energy(&fx, &s, 12, 1, here);
    for (int i = 0; i < fx.system.natom; i++)
        for (int k = 0; k < 3; k++) {
            sum[k] += fx.f[3 * i + k];
            fx.x[3 * i + k] += 25 * ((i < 22 ? 0 : (i - 22) / 3) % (k + 3) - 1);
        }
    fixture_energy(&fx, &s, 12, 1, there);
    for (int k = 0; k < ENERGY_TERMS; k++)
        cr_expect_float_eq(there[k], here[k], 1e-9 * (1 + fabs(here[k])), "%s", energy_names[k]);
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(sum[k], 0, 1e-8, "the forces add up to %g", sum[k]);
    fixture_free(&fx);
}

/* However far the list reaches: where it is not old, it has all pairs.  Molecules here move by
 * whole boxes, some to the left and some to the right, so all energies stay. */
Test(hmd_forces, a_list_that_reaches_beyond_the_box)
{
    struct fixture fx;
    struct scheme s = scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 8, 6);
    double here[ENERGY_NUMBERS], there[ENERGY_NUMBERS];
    struct energy e;
    fixture_files(&fx, &alad, cube);
    energy_init(&e, &fx.system, &s, 60, 0, 1);
    energy_list_build(&e, fx.x);
    energy_forces(&e, fx.x, fx.f, 1, here, &fx.e);
    for (int i = 0; i < fx.system.natom; i++)
        fx.x[3 * i] += 25 * ((i < 22 ? 0 : (i - 22) / 3) % 3 - 1);
    if (energy_list_old(&e, fx.x))
        energy_list_build(&e, fx.x);
    energy_forces(&e, fx.x, fx.f, 1, there, &fx.e);
    for (int k = 0; k < ENERGY_TERMS; k++)
        cr_expect_float_eq(there[k], here[k], 1e-9 * (1 + fabs(here[k])), "%s: %g, %g",
                           energy_names[k], there[k], here[k]);
    energy_free(&e);
    fixture_free(&fx);
}

/* Atoms far apart in a plane: the grid never has more columns than atoms. */
Test(hmd_forces, few_atoms_in_a_plane, .timeout = 10)
{
    static const double x[15] = {0, 0, 0, 40, 45, 0, 40, 0, 0, 0, 45, 0, 20, 20, 0};
    struct cell none;
    cell_right(&none, vacuum);
    for (int n = 1; n <= 5; n++) {
        struct grid g;
        grid_init(&g, n, &none);
        grid_sort(&g, x);
        cr_expect_leq(g.nx * g.ny, n, "%d atoms: %d x %d columns", n, g.nx, g.ny);
        grid_free(&g);
    }
}

Test(hmd_forces, energies_of_the_bundled_system)
{
    static const double want[ENERGY_TERMS] = {508.87629625845813,  278.96533771911595,
                                              1.7321153180916449,  4.0475977593727741,
                                              0.42394584840013733, 0,
                                              712.40946459912209,  -6027.4940889476056};
    struct fixture fx;
    struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 10, 8);
    double term[ENERGY_NUMBERS];
    fixture_files(&fx, &alad, cube);
    fixture_energy(&fx, &s, 12, 1, term);
    for (int k = 0; k < ENERGY_TERMS; k++)
        cr_expect_float_eq(term[k], want[k], 1e-9 * (1 + fabs(want[k])), "%s: %.12f",
                           energy_names[k], term[k]);
    fixture_free(&fx);
}
