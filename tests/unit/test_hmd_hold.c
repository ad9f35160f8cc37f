/* test_hmd_hold.c - what a script asks of single atoms: restraints to places, frozen atoms; and
 * heating.  The numbers that frozen atoms leave alone are equal bits, the others what mechanics
 * says. */
#include "hmd_fixture.h"

#include <math.h>
#include <string.h>

#include "constrain.h"
#include "dynamics.h"
#include "heat.h"
#include "mem.h"
#include "minimise.h"
#include "velocity.h"

enum { SOLUTE = 22 };

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};
static const double cube[3] = {25, 25, 25};
static struct comm alone = {.rank = 0, .size = 1};

struct hold {
    struct fixture fx;
    struct energy energy;
    struct constrain constrain;
    double *start;
    unsigned char *frozen;
};

static void hold_open(struct hold *h, int frozen, enum constrain_kind kind)
{
    struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 9, 8);
    memset(h, 0, sizeof *h);
    fixture_files(&h->fx, &alad, cube);
    struct system *y = &h->fx.system;
    size_t n = 3 * (size_t)y->natom;
    h->frozen = mem_new((size_t)y->natom, 1);
    memset(h->frozen, 1, (size_t)frozen);
    y->held.frozen = frozen ? h->frozen : NULL;
    y->held.nfrozen = frozen;
    h->start = mem_new(n, sizeof *h->start);
    memcpy(h->start, h->fx.x, n * sizeof *h->start);
    energy_init(&h->energy, y, &s, 11, 0, 1);
    constrain_init(&h->constrain, y, kind, 1e-10);
    y->fixed = h->constrain.pairs;
    double virial[3] = {0}; /* from bonds of the right length */
    cr_assert_eq(constrain_apply(&h->constrain, h->start, h->fx.x, 0, y->natom, virial, &h->fx.e),
                 0);
    memcpy(h->start, h->fx.x, n * sizeof *h->start);
}

static void hold_close(struct hold *h)
{
    energy_free(&h->energy);
    constrain_free(&h->constrain);
    mem_free(h->start);
    mem_free(h->frozen);
    fixture_free(&h->fx);
}

static void hold_run(struct hold *h, struct dynamics *d, double kelvin, long steps)
{
    struct system *y = &h->fx.system;
    double *v = mem_new(3 * (size_t)y->natom, sizeof *v);
    d->s = y;
    d->comm = &alone;
    d->energy = &h->energy;
    d->constrain = &h->constrain;
    d->x = h->fx.x;
    d->v = v;
    d->nstep = steps;
    velocity_draw(y, d->x, kelvin, 5, v);
    cr_assert_eq(dynamics_run(d, &h->fx.e), 0, "%s", h->fx.e.text);
    mem_free(d->timers.share);
    mem_free(d->timers.ring);
    mem_free(v);
}

static void quiet(void *context, const struct sample *s)
{
    (void)context;
    (void)s;
}

/* The atoms before `n` are where they were, all others are not. */
static void expect_held(const struct hold *h, int n)
{
    int held = 0, moved = 0;
    for (int i = 0; i < 3 * h->fx.system.natom; i++)
        if (i < 3 * n)
            held += h->fx.x[i] == h->start[i];
        else
            moved += h->fx.x[i] != h->start[i];
    cr_expect_eq(held, 3 * n, "%d of %d", held, 3 * n);
    cr_expect_eq(moved, 3 * (h->fx.system.natom - n));
}

/* Energy is conserved beside them, with bonds of fixed length, too: the second water has one
 * frozen atom, so that its group is solved with it. */
Test(hmd_hold, frozen_atoms_stay_and_energy_is_conserved)
{
    for (int shake = 0; shake < 2; shake++) {
        struct hold h;
        struct dynamics d = {.dt = 0.001, .sample_every = 5, .report = quiet};
        struct sample mean, fluctuation;
        hold_open(&h, SOLUTE + 4, shake ? CONSTRAIN_HYDROGEN : CONSTRAIN_NONE);
        cr_expect_eq(system_freedom(&h.fx.system), 3 * (1516 - SOLUTE - 4) - h.constrain.pairs);
        hold_run(&h, &d, 300, 200);
        expect_held(&h, SOLUTE + 4);
        samples_mean(&d.samples, &mean, &fluctuation);
        cr_expect_lt(fluctuation.conserved, 0.01 * fluctuation.totk + 1, "%g beside %g",
                     fluctuation.conserved, fluctuation.totk);
        samples_free(&d.samples);
        hold_close(&h);
    }
}

Test(hmd_hold, noise_does_not_move_them)
{
    struct hold h;
    struct dynamics d = {.dt = 0.001,
                         .sample_every = 5,
                         .report = quiet,
                         .still_every = 7,
                         .thermostat = {.kind = THERMOSTAT_LANGEVIN, .kelvin = 300, .gamma = 50}};
    hold_open(&h, SOLUTE, CONSTRAIN_NONE);
    hold_run(&h, &d, 300, 20);
    expect_held(&h, SOLUTE);
    samples_free(&d.samples);
    hold_close(&h);
}

static void quiet_minimise(void *context, const struct sample *s, double change, double step)
{
    (void)context;
    (void)s;
    (void)change;
    (void)step;
}

Test(hmd_hold, minimisation_leaves_them)
{
    for (enum minimise_method way = MINIMISE_SD; way <= MINIMISE_ABNR; way++) {
        struct hold h;
        hold_open(&h, SOLUTE, CONSTRAIN_NONE);
        struct minimise m = {.s = &h.fx.system,
                             .comm = &alone,
                             .energy = &h.energy,
                             .constrain = &h.constrain,
                             .method = way,
                             .x = h.fx.x,
                             .nstep = 5,
                             .step = 0.01,
                             .report_every = 100,
                             .report = quiet_minimise};
        cr_assert_eq(minimise_run(&m, &h.fx.e), 0, "%s", h.fx.e.text);
        expect_held(&h, SOLUTE);
        hold_close(&h);
    }
}

/* A chain of four atoms, whose ends are a 1-4 pair, and two ions: pairs of fixed atoms are not
 * among the pairs, all others are; forces on free atoms are the same. */
Test(hmd_hold, pairs_of_fixed_atoms_do_not_count)
{
    static const char psf[] =
        "PSF XPLOR\n\n 0 !NTITLE\n\n 6 !NATOM\n 1 S 1 R A T 0.5 12.0 0\n 2 S 1 R B T -0.4 12.0 0\n"
        " 3 S 1 R C T 0.3 12.0 0\n 4 S 1 R D T -0.2 12.0 0\n 5 S 2 I I T 1.0 12.0 0\n"
        " 6 S 3 I I T -1.0 12.0 0\n\n 3 !NBOND\n 1 2 2 3 3 4\n\n 0 !NTHETA\n\n 0 !NPHI\n\n"
        " 0 !NIMPHI\n\n";
    static const char prm[] = "BONDS\nT T 0.0 1.5\nNONBONDED\nT 0 -0.1 1.5\n";
    static const char crd[] =
        "6\n1 1 R A 0.0 0.0 0.0 S 1 0\n2 1 R B 1.5 0.0 0.0 S 1 0\n3 1 R C 2.0 1.4 0.0 S 1 0\n"
        "4 1 R D 3.5 1.5 0.3 S 1 0\n5 2 I I 0.0 4.0 1.0 S 2 0\n6 3 I I 3.0 -3.5 2.0 S 3 0\n";
    static const struct fixture_texts texts = {.psf = psf, .par = prm, .crd = crd};
    static const unsigned char fixed[6] = {1, 0, 0, 1, 1, 0};
    static const int excluded[6][6] = {{0, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, 1}};
    const struct scheme s = scheme_none();
    double term[ENERGY_NUMBERS], free[18], elec = 0, vdw = 0;
    struct fixture fx;
    cr_assert_eq(fixture_make(&fx, &texts, (const double[3]){0, 0, 0}), 0, "%s", fx.e.text);
    fixture_energy(&fx, &s, 1e30, 1, term);
    memcpy(free, fx.f, sizeof free);
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++) {
            double r2 = 0;
            for (int k = 0; k < 3; k++)
                r2 += pow(fx.x[3 * i + k] - fx.x[3 * j + k], 2);
            double q = fx.psf.atom[i].charge * fx.psf.atom[j].charge, six = pow(9 / r2, 3);
            elec += excluded[i][j] || (fixed[i] && fixed[j]) ? 0 : 332.0716 * q / sqrt(r2);
            vdw += excluded[i][j] || (fixed[i] && fixed[j]) ? 0 : 0.1 * (six * six - 2 * six);
        }
    fx.system.held.frozen = fixed;
    fx.system.held.nfrozen = 3;
    for (int tasks = 1; tasks <= 3; tasks++) {
        fixture_energy(&fx, &s, 1e30, tasks, term);
        cr_expect_float_eq(term[ENERGY_ELEC], elec, 1e-9, "%g, not %g", term[ENERGY_ELEC], elec);
        cr_expect_float_eq(term[ENERGY_VDW], vdw, 1e-9, "%g, not %g", term[ENERGY_VDW], vdw);
        for (int i = 0; i < 18; i++)
            cr_expect(fixed[i / 3] || fabs(fx.f[i] - free[i]) < 1e-9);
    }
    fixture_free(&fx);
}

/* ---- restraints ------------------------------------------------------------------------------ */

/* Energy and forces are those of springs to places: of several powers of the distance, in which the
 * axes may count differently; whatever the number of tasks.  The virial is not touched. */
Test(hmd_hold, restraints_are_springs_to_places)
{
    struct hold h;
    double free[ENERGY_NUMBERS], held[ENERGY_NUMBERS], want = 0;
    struct system_anchor anchor[3] = {
        {0, 2, 1, {1, 2, 3}, {0}}, {7, 4, 4, {1, 0, 0.25}, {0}}, {900, 3, 5, {1, 1, 1}, {0}}};
    double push[3][3];
    hold_open(&h, 0, CONSTRAIN_NONE);
    const double *x = h.fx.x;
    double *before = mem_new(3 * 1516, sizeof *before);
    fixture_energy(&h.fx, &h.energy.scheme, 11, 1, free);
    memcpy(before, h.fx.f, 3 * 1516 * sizeof *before);
    for (int n = 0; n < 3; n++) {
        const struct system_anchor *a = &anchor[n];
        double distance = 0;
        for (int k = 0; k < 3; k++) {
            double away = 0.1 * (k + 1) - 0.2 * n;
            anchor[n].at[k] = x[3 * a->atom + k] - away;
            distance += a->scale[k] * away * away;
            push[n][k] = a->scale[k] * away;
        }
        distance = sqrt(distance);
        want += a->k * pow(distance, a->power);
        for (int k = 0; k < 3; k++)
            push[n][k] *= -a->power * a->k * pow(distance, a->power - 2);
    }
    h.fx.system.held.anchor = anchor;
    h.fx.system.held.nanchor = 3;
    for (int tasks = 1; tasks <= 4; tasks++) {
        fixture_energy(&h.fx, &h.energy.scheme, 11, tasks, held);
        cr_expect_float_eq(held[ENERGY_HARM], want, 1e-12);
        cr_expect_float_eq(energy_virial(held), energy_virial(free), 1e-8);
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < 3; k++) {
                int i = 3 * anchor[n].atom + k;
                cr_expect_float_eq(h.fx.f[i] - before[i], push[n][k], 1e-9);
            }
    }
    mem_free(before);
    hold_close(&h);
}

/* What is tied to a place does not float: the motion of the whole is part of its heat, and is not
 * stopped. */
Test(hmd_hold, restrained_systems_do_not_float)
{
    struct hold h;
    struct system_anchor anchor = {0, 2, 1, {1, 1, 1}, {0}};
    struct velocity_motion motion = {{1000, 2000, 3000}, {0}};
    double v[3] = {1, 2, 3};
    hold_open(&h, 0, CONSTRAIN_NONE);
    struct system *y = &h.fx.system;
    cr_expect_eq(system_freedom(y), 3 * 1516 - 3);
    y->held.anchor = &anchor;
    y->held.nanchor = 1;
    cr_expect_eq(system_freedom(y), 3 * 1516);
    velocity_still(y, h.fx.x, &motion, 0, 1, v);
    cr_expect(v[0] == 1 && v[1] == 2 && v[2] == 3, "%g %g %g", v[0], v[1], v[2]);
    hold_close(&h);
}

/* Restraints to dihedrals: forces are slopes, beside and within the flat part; the virial is not
 * touched, and tasks share them. */
Test(hmd_hold, dihedrals_are_restrained)
{
    struct hold h;
    double free[ENERGY_NUMBERS], held[ENERGY_NUMBERS], term[2][ENERGY_NUMBERS];
    const struct system_torsion twist[3] = {
        {.i = 4, .j = 6, .k = 8, .l = 14, .force = 20, .delta = 1, .width = 0.2},
        {.i = 6, .j = 8, .k = 14, .l = 16, .n = 3, .force = 5, .delta = 2},
        {.i = 0, .j = 4, .k = 6, .l = 8, .force = 7, .delta = M_PI, .width = 3}};
    hold_open(&h, 0, CONSTRAIN_NONE);
    fixture_energy(&h.fx, &h.energy.scheme, 11, 1, free);
    h.fx.system.held.twist = twist;
    h.fx.system.held.ntwist = 3;
    for (int tasks = 1; tasks <= 4; tasks++) {
        fixture_energy(&h.fx, &h.energy.scheme, 11, tasks, held);
        cr_expect_float_eq(energy_virial(held), energy_virial(free), 1e-7);
        cr_expect(held[ENERGY_CDIH] > 1);
        for (int i = 0; tasks == 1 && i < 3 * 17; i++) {
            double force = h.fx.f[i], step = 1e-5, at = h.fx.x[i];
            for (int side = 0; side < 2; side++) {
                h.fx.x[i] = at + (side ? step : -step);
                fixture_energy(&h.fx, &h.energy.scheme, 11, 1, term[side]);
            }
            h.fx.x[i] = at;
            double slope = 0;
            for (int k = 0; k < ENERGY_TERMS; k++)
                slope += (term[0][k] - term[1][k]) / (2 * step);
            fixture_energy(&h.fx, &h.energy.scheme, 11, 1, held);
            cr_expect_float_eq(force, slope, 2e-4 * fmax(1, fabs(slope)), "%g, %g", force, slope);
        }
    }
    hold_close(&h);
}

/* ---- heating --------------------------------------------------------------------------------- */

Test(hmd_hold, heating_rises_to_its_end_and_stops)
{
    struct heat h = {.rise_every = 10, .first = 50, .last = 100, .rise = 20};
    cr_expect_lt(heat_wanted(&h, 9, 50), 0);
    cr_expect_eq(heat_wanted(&h, 10, 50), 70);
    cr_expect_eq(heat_wanted(&h, 20, 70), 90);
    cr_expect_eq(heat_wanted(&h, 30, 90), 100);
    cr_expect_lt(heat_wanted(&h, 40, 80), 0, "it is there");
    struct heat cooling = {.rise_every = 5, .first = 300, .last = 290, .rise = -4};
    cr_expect_eq(heat_wanted(&cooling, 5, 300), 296);
    cr_expect_eq(heat_wanted(&cooling, 15, 300), 290);
}

Test(hmd_hold, keeping_leaves_its_window_alone)
{
    struct heat h = {.keep_every = 10, .last = 300, .window = 1, .low = -10, .high = 5};
    cr_expect_lt(heat_wanted(&h, 10, 303), 0);
    cr_expect_lt(heat_wanted(&h, 10, 291), 0);
    cr_expect_eq(heat_wanted(&h, 10, 306), 300);
    cr_expect_eq(heat_wanted(&h, 10, 289), 300);
    cr_expect_lt(heat_wanted(&h, 11, 306), 0);
    h.window = 0;
    cr_expect_eq(heat_wanted(&h, 20, 300), 300);
    h.window = 1; /* the average since counts: 301, and then 320, not that of the last step */
    for (int step = 21; step < 30; step++)
        cr_expect_lt(heat_wanted(&h, step, 297), 0);
    cr_expect_lt(heat_wanted(&h, 30, 337), 0);
    for (int step = 31; step < 40; step++)
        cr_expect_lt(heat_wanted(&h, step, 322), 0);
    cr_expect_eq(heat_wanted(&h, 40, 302), 300);
    cr_expect_float_eq(h.mean, 320, 1e-9, "the factor is for the average");
}

/* The temperature in step `to`, in which velocities were set: the factor is for the average of the
 * half steps since step `from`, not for the last one. */
static double heated(const struct dynamics *d, double want, int from, int to)
{
    double mean = 0, last = 0;
    for (int k = from + 1; k <= to; k++) {
        double after = d->samples.at[k == to ? k - 1 : k].temp;
        last = (d->samples.at[k - 1].temp + after) / 2;
        mean += last / (to - from);
    }
    return d->heat.assign ? want : want * last / mean;
}

/* From rest to 200 K by scaling and by drawing: the kinetic energy half a step before is what was
 * asked for, at the next sample within what forces do in a step. */
Test(hmd_hold, a_run_is_heated)
{
    for (int assign = 0; assign < 2; assign++) {
        struct hold h;
        struct dynamics d = {.dt = 0.0005,
                             .sample_every = 1,
                             .report = quiet,
                             .heat = {.rise_every = 5, .first = 0, .last = 200, .rise = 50}};
        d.heat.assign = assign;
        hold_open(&h, 0, CONSTRAIN_NONE);
        hold_run(&h, &d, 10, 24);
        for (int step = 5; step <= 20; step += 5) {
            double want = heated(&d, 10.0 * step, step - 5, step), got = d.samples.at[step].temp;
            cr_expect_lt(fabs(got - want), 25, "step %d: %g, not %g", step, got, want);
        }
        samples_free(&d.samples);
        hold_close(&h);
    }
}
