/* test_hmd_motion.c - what moves atoms: constraints, thermostats, restarts, minimisation.
 * Checked is what must hold of each: lengths, conserved energies, the temperature asked for, equal
 * bits.
 *
 * Long: thousands of steps a case. */
#include "hmd_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "constrain.h"
#include "dynamics.h"
#include "integrate.h"
#include "mem.h"
#include "minimise.h"
#include "random.h"
#include "velocity.h"

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};
static const double cube[3] = {25, 25, 25};
static struct comm alone = {.rank = 0, .size = 1};

/* A system, its forces and constraints, ready to run. */
struct run {
    struct fixture fx;
    struct energy energy;
    struct constrain constrain;
    struct dynamics d;
};

static void quiet(void *context, const struct sample *s)
{
    (void)context;
    (void)s;
}

/* Without its terms where `skip` says so. The cut-offs are short, and shorter then: what is checked
 * holds at any. */
static void run_open(struct run *r, const struct system_skip *skip, enum constrain_kind kind)
{
    double roff = skip ? 2 : 7;
    struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, roff, roff - 1);
    memset(r, 0, sizeof *r);
    fixture_files(&r->fx, &alad, cube);
    if (skip) {
        system_free(&r->fx.system);
        cr_assert_eq(system_make(&r->fx.system, &r->fx.psf, &r->fx.param, skip, cube, &r->fx.e), 0);
    }
    size_t n = 3 * (size_t)r->fx.system.natom;
    energy_init(&r->energy, &r->fx.system, &s, roff + 2, 0, 1);
    constrain_init(&r->constrain, &r->fx.system, kind, 1e-12);
    r->fx.system.fixed = r->constrain.pairs;
    r->d = (struct dynamics){.s = &r->fx.system,
                             .comm = &alone,
                             .energy = &r->energy,
                             .constrain = &r->constrain,
                             .x = r->fx.x,
                             .v = mem_new(n, sizeof(double)),
                             .dt = 0.001,
                             .sample_every = 5,
                             .report = quiet};
}

static void run_go(struct run *r, long steps)
{
    r->d.nstep = steps;
    cr_assert_eq(dynamics_run(&r->d, &r->fx.e), 0, "%s", r->fx.e.text);
    mem_free(r->d.timers.share);
    mem_free(r->d.timers.ring);
}

static void run_close(struct run *r)
{
    samples_free(&r->d.samples);
    mem_free(r->d.v);
    energy_free(&r->energy);
    constrain_free(&r->constrain);
    fixture_free(&r->fx);
}

/* Root mean square deviation of the conserved energy from its mean. */
static double wobble(const struct run *r)
{
    struct sample mean, fluctuation;
    samples_mean(&r->d.samples, &mean, &fluctuation);
    return fluctuation.conserved;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* A free rigid rotor: its bond pulls inwards with mu v^2 / r, so the virial is -2 K of rotation. */
Test(hmd_motion, virial_of_a_rotor)
{
    static const char psf[] = "PSF XPLOR\n\n 0 !NTITLE\n\n 2 !NATOM\n 1 S 1 RES A CC 0 12.0 0\n"
                              " 2 S 1 RES B HH 0 2.0 0\n\n 1 !NBOND\n 1 2\n\n 0 !NTHETA\n\n"
                              " 0 !NPHI\n\n 0 !NIMPHI\n\n";
    static const char prm[] = "BONDS\nCC HH 0.0 1.5\nNONBONDED\nCC 0 0.0 1\nHH 0 0.0 1\n";
    static const char crd[] = "2\n1 1 RES A 0.0 0.0 0.0 S 1 0\n2 1 RES B 1.5 0.0 0.0 S 1 0\n";
    const struct fixture_texts t = {.psf = psf, .par = prm, .crd = crd};
    struct fixture fx;
    struct constrain c;
    struct integrate g;
    struct integrate_sums sums;
    const struct thermostat none = {THERMOSTAT_NONE};
    double f[6] = {0}, v[6] = {0, -0.02, 0.03, 0, 0.12, -0.18};
    cr_assert_eq(fixture_make(&fx, &t, cube), 0, "%s", fx.e.text);
    constrain_init(&c, &fx.system, CONSTRAIN_HYDROGEN, 1e-13);
    integrate_init(&g, &fx.system, &c, &none, 0, 2, 0.01);
    cr_assert_eq(integrate_start(&g, fx.x, v, f, &fx.e), 0);
    double kinetic = (12 * (4 + 9) + 2 * (144 + 324)) * 1e-4 / 2;
    for (int n = 0; n < 1000; n++) {
        cr_assert_eq(integrate_step(&g, n, fx.x, f, &sums, &fx.e), 0);
        integrate_accept(&g, fx.x);
        cr_expect_float_eq(sums.kinetic, kinetic, 1e-5 * kinetic, "%d: %g", n, sums.kinetic);
        double virial = sums.virial[0] + sums.virial[1] + sums.virial[2];
        cr_expect_float_eq(virial, -2 * kinetic, 1e-5 * kinetic, "%d: %g", n, virial);
    }
    integrate_free(&g);
    constrain_free(&c);
    fixture_free(&fx);
}

/* ---- conservation --------------------------------------------------------------------------- */

/* The energy's wobble falls as the square of the time step, whatever is kept fixed. */
static void expect_square(enum constrain_kind kind, enum thermostat_kind thermostat)
{
    double is[2];
    for (int half = 0; half < 2; half++) {
        struct run r;
        run_open(&r, NULL, kind);
        r.d.thermostat = (struct thermostat){.kind = thermostat, .kelvin = 320, .tau = 0.05};
        r.d.dt = (kind == CONSTRAIN_NONE ? 0.001 : 0.002) / (1 + half);
        velocity_draw(&r.fx.system, r.fx.x, 300, 5, r.d.v);
        run_go(&r,
               random_rounds(60 * (1 + half))); /* past the start, where all is out of balance */
        samples_free(&r.d.samples);
        cr_expect(fixture_worst_length(&r.constrain, r.fx.x) < 1e-11);
        r.d.thermostat.zeta = r.d.thermostat.eta = 0;
        run_go(&r, random_rounds(150 * (1 + half)));
        is[half] = wobble(&r);
        run_close(&r);
    }
    cr_expect(random_short() || (is[0] < 2 && is[0] > 2.5 * is[1] && is[0] < 7 * is[1]),
              "%g and %g kcal/mol", is[0], is[1]);
}

Test(hmd_motion, energy_is_conserved_as_the_square_of_the_step)
{
    expect_square(CONSTRAIN_NONE, THERMOSTAT_NONE);
    expect_square(CONSTRAIN_HYDROGEN, THERMOSTAT_NONE);
}

Test(hmd_motion, nose_and_hoover_conserve_their_energy)
{
    expect_square(CONSTRAIN_HYDROGEN, THERMOSTAT_NOSE);
}

Test(hmd_motion, nose_and_hoover_keep_the_temperature)
{
    struct run r;
    struct sample mean, fluctuation;
    run_open(&r, NULL, CONSTRAIN_HYDROGEN);
    r.d.dt = 0.002;
    r.d.thermostat = (struct thermostat){.kind = THERMOSTAT_NOSE, .kelvin = 250, .tau = 0.05};
    velocity_draw(&r.fx.system, r.fx.x, 300, 5, r.d.v);
    run_go(&r, random_rounds(300));
    samples_free(&r.d.samples);
    run_go(&r, random_rounds(500));
    samples_mean(&r.d.samples, &mean, &fluctuation);
    if (!random_short()) {
        cr_expect_float_eq(mean.temp, 250, 8, "%g", mean.temp);
        cr_expect(fluctuation.temp > 1, "%g", fluctuation.temp);
    }
    run_close(&r);
}

/* Without forces every component of every atom is a thermometer of its own: the mean over 4548 of
 * them and many steps is good to a percent. Constraints take their part out. The kinetic energy has
 * Maxwell's distribution: its variance is 2 / freedom of the mean's square, here known to an eighth
 * (motion is forgotten in 0.05 ps, of 3). */
Test(hmd_motion, langevin_keeps_the_temperature)
{
    static const struct system_skip skip = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int kept = 0; kept < 2; kept++) {
        struct run r;
        struct sample mean, fluctuation;
        run_open(&r, &skip, kept ? CONSTRAIN_HYDROGEN : CONSTRAIN_NONE);
        r.d.thermostat = (struct thermostat){
            .kind = THERMOSTAT_LANGEVIN, .kelvin = 310, .gamma = 10, .seed = 99};
        r.fx.system.fixed -= 3;
        run_go(&r, random_rounds(400)); /* from rest */
        samples_free(&r.d.samples);
        run_go(&r, random_rounds(3000));
        samples_mean(&r.d.samples, &mean, &fluctuation);
        double spread = 310 * sqrt(2.0 / system_freedom(&r.fx.system));
        if (!random_short()) {
            cr_expect_float_eq(mean.temp, 310, 5, "%g", mean.temp);
            cr_expect_float_eq(fluctuation.temp, spread, 0.4 * spread, "%g K, not %g",
                               fluctuation.temp, spread);
        }
        run_close(&r);
    }
}

/* Strong noise on a gas, 3 * 1516 velocities that are forgotten within five steps: the mean is good
 * to 0.3 K, while velocities half a step apart are so different that their mean has a fifth less
 * energy. */
Test(hmd_motion, strong_friction_keeps_it_too)
{
    static const struct system_skip skip = {1, 1, 1, 1, 1, 1, 1, 1};
    struct run r;
    struct sample mean, fluctuation;
    run_open(&r, &skip, CONSTRAIN_NONE);
    r.d.dt = 0.005;
    r.d.thermostat =
        (struct thermostat){.kind = THERMOSTAT_LANGEVIN, .kelvin = 300, .gamma = 100, .seed = 7};
    r.fx.system.fixed -= 3;
    run_go(&r, 30);
    samples_free(&r.d.samples);
    run_go(&r, random_rounds(2000));
    samples_mean(&r.d.samples, &mean, &fluctuation);
    cr_expect(random_short() || fabs(mean.temp - 300) < 2, "%g", mean.temp);
    double sum = 0; /* velocities at the end */
    for (int i = 0; i < 3 * r.fx.system.natom; i++)
        sum += r.fx.system.mass[i / 3] * r.d.v[i] * r.d.v[i] / 2;
    cr_expect_float_eq(velocity_temperature(&r.fx.system, sum),
                       r.d.samples.at[r.d.samples.n - 1].temp, 1e-6);
    run_close(&r);
}

Test(hmd_motion, the_whole_is_brought_to_rest)
{
    struct run r;
    run_open(&r, NULL, CONSTRAIN_NONE);
    double p[3] = {0, 0, 0};
    velocity_draw(&r.fx.system, r.fx.x, 300, 5, r.d.v);
    for (int i = 0; i < 3 * r.fx.system.natom; i++)
        r.d.v[i] += 0.01 * (i % 3 + 1);
    r.d.still_every = 4;
    run_go(&r, 9);
    for (int i = 0; i < 3 * r.fx.system.natom; i++)
        p[i % 3] += r.fx.system.mass[i / 3] * r.d.v[i];
    for (int k = 0; k < 3; k++)
        cr_expect(fabs(p[k]) < 1e-6, "%g", p[k]);
    run_close(&r);
}

/* ---- constant pressure ------------------------------------------------------------------------
 */

/* Without forces the system is an ideal gas, whose volume at constant pressure has the mean
 * N k T / P and, since the noise is the right one, fluctuates by 1 / sqrt(N) of it. */
static void expect_ideal_gas(enum barostat_form form)
{
    static const struct system_skip skip = {1, 1, 1, 1, 1, 1, 1, 1};
    struct run r;
    struct sample mean, fluctuation;
    run_open(&r, &skip, CONSTRAIN_NONE);
    double n = r.fx.system.natom, kelvin = 310, volume = 25 * 25 * 25;
    double pref = n * VELOCITY_KB * kelvin / volume * SAMPLES_ATM;
    r.d.thermostat =
        (struct thermostat){.kind = THERMOSTAT_LANGEVIN, .kelvin = kelvin, .gamma = 20, .seed = 99};
    r.d.barostat = (struct barostat){
        .on = 1, .pref = pref, .tau = 0.05, .beta = 1 / pref, .every = 2, .form = form};
    r.d.cell = &r.fx.system.cell;
    r.fx.system.fixed -= 3;
    velocity_draw(&r.fx.system, r.fx.x, kelvin, 5, r.d.v);
    cell_stretch(&r.fx.system.cell,
                 (const double[3]){1.02, 1.02, 1.02}); /* begins with too large a box */
    r.energy.grid.cell = r.fx.system.cell;
    run_go(&r, random_rounds(400));
    samples_free(&r.d.samples);
    run_go(&r, random_rounds(3000));
    samples_mean(&r.d.samples, &mean, &fluctuation);
    double spread = fluctuation.volume / mean.volume * sqrt(n);
    if (!random_short()) { /* a mean of few steps says nothing */
        cr_expect_float_eq(mean.volume, volume, 0.02 * volume, "%g", mean.volume);
        cr_expect(spread > 0.6 && spread < 1.5, "%g", spread);
    }
    run_close(&r);
}

Test(hmd_motion, an_ideal_gas_has_its_volume)
{
    expect_ideal_gas(BAROSTAT_WHOLE);
}

/* Of a gas without forces each length goes where it likes; their product does not. */
Test(hmd_motion, an_ideal_gas_has_its_volume_whose_height_moves_apart)
{
    expect_ideal_gas(BAROSTAT_LAYERS);
}

Test(hmd_motion, an_ideal_gas_has_its_volume_whose_lengths_move_apart)
{
    expect_ideal_gas(BAROSTAT_AXES);
}

/* Scaling moves what is tied as one: no bond of fixed length changes, wherever molecules lie. */
Test(hmd_motion, scaling_keeps_what_is_tied)
{
    struct run r;
    run_open(&r, NULL, CONSTRAIN_HYDROGEN);
    size_t n = 3 * (size_t)r.fx.system.natom;
    double virial[3] = {0}, *x = mem_new(n, sizeof *x), *whole = mem_new(n, sizeof *whole);
    memcpy(x, r.fx.x, n * sizeof *x);
    constrain_apply(&r.constrain, x, r.fx.x, 0, r.fx.system.natom, virial, &r.fx.e);
    for (int i = 0; i < r.fx.system.natom; i += 7) /* tears molecules apart */
        r.fx.x[3 * i] += 25;
    system_whole(&r.fx.system, r.fx.x, whole);
    const double factor[3] = {1.03, 0.98, 1.01};
    barostat_places(&r.constrain, factor, r.fx.x, whole);
    cell_stretch(&r.fx.system.cell, factor);
    cr_expect(fixture_worst_length(&r.constrain, r.fx.x) < 1e-9);
    mem_free(x);
    mem_free(whole);
    run_close(&r);
}

/* ---- restarts ------------------------------------------------------------------------------- */

/* Two runs with a file in between end in the bits of one. */
static void expect_same_end(enum thermostat_kind kind, int pressed)
{
    char path[] = "/tmp/hmd-restart-XXXXXX";
    close(mkstemp(path));
    struct run r[2];
    struct restart from;
    for (int k = 0; k < 2; k++) {
        run_open(&r[k], NULL, CONSTRAIN_HYDROGEN);
        r[k].d.dt = 0.002;
        r[k].d.still_every = 7;
        r[k].d.barostat =
            (struct barostat){.on = pressed, .pref = 1, .tau = 0.5, .beta = 4.6e-5, .every = 6};
        r[k].d.cell = &r[k].fx.system.cell;
        r[k].d.heat = (struct heat){.keep_every = 100, .last = 300, .window = 1};
        r[k].d.thermostat =
            (struct thermostat){.kind = kind, .kelvin = 320, .tau = 0.05, .gamma = 5, .seed = 4};
    }
    velocity_draw(&r[0].fx.system, r[0].fx.x, 300, 5, r[0].d.v);
    memcpy(r[1].d.v, r[0].d.v, 3 * (size_t)r[0].fx.system.natom * sizeof(double));
    run_go(&r[0], 57);
    r[1].d.files.save = path;
    run_go(&r[1], 33); /* neither is on a regular sample */
    FILE *file = fopen(path, "r");
    size_t room = 1 << 20, n;
    char *data = calloc(room, 1);
    n = fread(data, 1, room - 1, file);
    fclose(file);
    struct text t;
    text_open(&t, path, data, n);
    cr_assert_eq(restart_read(&from, &t, r[1].fx.system.natom, &r[1].fx.e), 0, "%s",
                 r[1].fx.e.text);
    memcpy(r[1].fx.x, from.x, 3 * (size_t)r[1].fx.system.natom * sizeof(double));
    memset(r[1].d.v, 0, 3 * (size_t)r[1].fx.system.natom * sizeof(double));
    r[1].d.thermostat.zeta = r[1].d.thermostat.eta = 0;
    r[1].d.heat.seen[0] = r[1].d.heat.seen[1] = 0;
    cr_expect(memcmp(&r[1].fx.system.cell, &from.cell, sizeof from.cell) == 0);
    cr_expect((from.cell.box[0] != 25) == pressed);
    r[1].d.start.from = &from;
    run_go(&r[1], 24);
    cr_expect(memcmp(r[0].fx.x, r[1].fx.x, 3 * (size_t)r[0].fx.system.natom * sizeof(double)) == 0);
    cr_expect(memcmp(r[0].d.v, r[1].d.v, 3 * (size_t)r[0].fx.system.natom * sizeof(double)) == 0);
    cr_expect_eq(r[0].d.heat.seen[1], 56);
    cr_expect(memcmp(r[0].d.heat.seen, r[1].d.heat.seen, sizeof from.seen) == 0);
    restart_free(&from);
    free(data);
    unlink(path);
    run_close(&r[0]);
    run_close(&r[1]);
}

Test(hmd_motion, restarts_have_the_same_bits)
{
    expect_same_end(THERMOSTAT_NOSE, 0);
    expect_same_end(THERMOSTAT_LANGEVIN, 1);
    expect_same_end(THERMOSTAT_NONE, 0);
}

Test(hmd_motion, damaged_restarts_are_refused)
{
    static const char good[] = "hmd-restart 4\natoms 1\ntasks 1\nstep 5\ntimestep 0.001\n"
                               "box 0 0 0\ntilt 0 0 0\nzeta 0\neta 0\nseen 0 0\ncoordinates\n"
                               "1 2 3 4 5 6 7 8 9\nend\n";
    static const char *const edit[][2] = {
        {"hmd-restart 4", "REST"}, {"restart 4", "restart 3"}, {"atoms 1", "atoms 2"},
        {"step 5", "step -5"},     {"step 5", "step nan"},     {"0.001", "0"},
        {"7 8 9", "7 8"},          {"7 8 9", "7 8 inf"},       {"end", ""},
        {"box 0 0 0", "box 9 0 9"}};
    struct restart r;
    struct text t;
    struct err e;
    char text[512];
    snprintf(text, sizeof text, "%s", good);
    text_open(&t, "rst", text, strlen(text));
    cr_assert_eq(restart_read(&r, &t, 1, &e), 0, "%s", e.text);
    cr_expect_eq(r.step, 5);
    cr_expect_eq(r.move[2], 6);
    restart_free(&r);
    for (size_t k = 0; k < sizeof edit / sizeof *edit; k++) {
        const char *at = strstr(good, edit[k][0]);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, edit[k][1],
                 at + strlen(edit[k][0]));
        text_open(&t, "rst", text, strlen(text));
        cr_expect_eq(restart_read(&r, &t, 1, &e), ERR_INPUT, "%s", edit[k][1]);
        cr_expect(strncmp(e.text, "rst:", 4) == 0, "%s", e.text);
        restart_free(&r);
    }
}

/* ---- downhill on the surface of right lengths ------------------------------------------------ */

/* What is taken out of the forces does no work along any motion that keeps the lengths: such
 * motions are made by SHAKE from random ones, with differences. */
Test(hmd_motion, projected_forces_keep_their_work)
{
    struct run r;
    run_open(&r, NULL, CONSTRAIN_BONDS);
    const int n = 3 * r.fx.system.natom;
    double virial[3] = {0}, step = 1e-5;
    double *at = mem_new(4 * (size_t)n, sizeof *at), *ahead = at + n, *back = ahead + n,
           *f = back + n;
    memcpy(at, r.fx.x, (size_t)n * sizeof *at);
    constrain_apply(&r.constrain, r.fx.x, at, 0, n / 3, virial, &r.fx.e);
    for (unsigned seed = 1; seed <= 3; seed++) {
        uint64_t random = seed;
        double along = 0, without = 0, size = 0;
        for (int i = 0; i < n; i++) {
            double v = step * (double)random_below(&random, 1000) / 1000;
            ahead[i] = at[i] + v;
            back[i] = at[i] - v;
            f[i] = (double)random_below(&random, 1001) / 1000 - 0.5;
        }
        constrain_apply(&r.constrain, at, ahead, 0, n / 3, virial, &r.fx.e);
        constrain_apply(&r.constrain, at, back, 0, n / 3, virial, &r.fx.e);
        for (int i = 0; i < n; i++)
            along += (ahead[i] - back[i]) / (2 * step) * f[i];
        constrain_project(&r.constrain, at, f);
        for (int i = 0; i < n; i++) {
            without += (ahead[i] - back[i]) / (2 * step) * f[i];
            size += f[i] * f[i];
        }
        cr_expect_float_eq(without, along, 1e-7, "%.10g for %.10g", without, along);
        cr_expect(size > 0.1 * n / 24);
        for (int k = 0; k < r.constrain.pairs; k++) {
            const struct constrain_pair *p = &r.constrain.pair[k];
            double d[3], stretch = 0;
            system_delta(&r.fx.system, at + 3 * p->i, at + 3 * p->j, d);
            for (int a = 0; a < 3; a++)
                stretch += d[a] * (f[3 * p->i + a] - f[3 * p->j + a]);
            cr_expect(fabs(stretch) < 1e-11);
        }
    }
    mem_free(at);
    run_close(&r);
}

/* ---- downhill ------------------------------------------------------------------------------- */

struct descent_log {
    double first, last, grms;
};

static void note(void *context, const struct sample *s, double change, double step)
{
    struct descent_log *log = context;
    log->first = s->step ? log->first : s->ener;
    log->last = s->ener;
    log->grms = s->grms;
    cr_expect(s->step == 0 || change <= 0);
    (void)step;
}

static struct descent_log descend(enum minimise_method method, enum constrain_kind kind, long steps)
{
    struct run r;
    struct descent_log log = {0};
    run_open(&r, NULL, kind);
    struct minimise m = {.s = &r.fx.system,
                         .comm = &alone,
                         .energy = &r.energy,
                         .constrain = &r.constrain,
                         .method = method,
                         .x = r.fx.x,
                         .nstep = steps,
                         .step = 0.02,
                         .report_every = 10,
                         .report = note,
                         .context = &log};
    if (kind != CONSTRAIN_NONE) {
        double virial[3] = {0};
        double *x = mem_new(3 * (size_t)r.fx.system.natom, sizeof *x);
        memcpy(x, r.fx.x, 3 * (size_t)r.fx.system.natom * sizeof *x);
        constrain_apply(&r.constrain, x, r.fx.x, 0, r.fx.system.natom, virial, &r.fx.e);
        mem_free(x);
    }
    cr_assert_eq(minimise_run(&m, &r.fx.e), 0, "%s", r.fx.e.text);
    if (kind != CONSTRAIN_NONE)
        cr_expect(fixture_worst_length(&r.constrain, r.fx.x) < 1e-11);
    run_close(&r);
    return log;
}

Test(hmd_motion, minimisation_goes_down)
{
    struct descent_log sd = descend(MINIMISE_SD, CONSTRAIN_NONE, 100);
    struct descent_log conj = descend(MINIMISE_CONJ, CONSTRAIN_NONE, 100);
    struct descent_log abnr = descend(MINIMISE_ABNR, CONSTRAIN_NONE, 100);
    struct descent_log kept = descend(MINIMISE_SD, CONSTRAIN_HYDROGEN, 100);
    cr_expect(sd.last < sd.first - 1000, "%g to %g", sd.first, sd.last);
    cr_expect(conj.last < sd.last - 100 && conj.grms < sd.grms, "%g, %g", conj.last, sd.last);
    cr_expect(abnr.last < sd.last - 100 && abnr.grms < sd.grms, "%g, %g", abnr.last, sd.last);
    cr_expect(kept.last < kept.first - 150, "%g to %g", kept.first, kept.last);
    for (int all = 0; all < 2; all++) {
        enum constrain_kind kind = all ? CONSTRAIN_BONDS : CONSTRAIN_HYDROGEN;
        conj = descend(MINIMISE_CONJ, kind, 100);
        abnr = descend(MINIMISE_ABNR, kind, 100);
        cr_expect(conj.last < kept.last - 50, "%g, not %g", conj.last, kept.last);
        cr_expect(abnr.last < kept.last - 50, "%g, not %g", abnr.last, kept.last);
    }
}
