/* test_hmd_lonepair.c - lone pairs: where they stand, what becomes of the forces on them, whom they
 * see; rigid water with four places keeps its energy; what is refused.
 *
 * One small molecule carries all kinds; the water is made here, too. */
#include "hmd_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constrain.h"
#include "dynamics.h"
#include "lonepair.h"
#include "mem.h"
#include "minimise.h"
#include "random.h"
#include "vec.h"
#include "velocity.h"

static const double vacuum[3] = {0, 0, 0};
static struct comm alone = {.rank = 0, .size = 1};

/* A bent chain of five atoms and seven lone pairs, with an ion beside it. */
static const char psf[] =
    "PSF XPLOR\n\n 1 !NTITLE\n* all kinds\n\n 13 !NATOM\n"
    " 1 M 1 MOL A1 AA  0.30 12.0 0\n 2 M 1 MOL A2 AA -0.20 14.0 0\n 3 M 1 MOL A3 AA 0.25 16.0 0\n"
    " 4 M 1 MOL L1 LP  0.11 0.0 -1\n 5 M 1 MOL L2 LP -0.12 0.0 -1\n 6 M 1 MOL L3 LP 0.13 0.0 -1\n"
    " 7 M 1 MOL L4 LP -0.14 0.0 -1\n 8 M 1 MOL L5 LP  0.15 0.0 -1\n 9 M 1 MOL L6 LP -0.16 0.0 -1\n"
    " 10 M 1 MOL L7 LP 0.17 0.0 -1\n 11 M 1 MOL A4 AA -0.35 12.0 0\n 12 M 1 MOL A5 AA 0.40 12.0 0\n"
    " 13 I 1 ION I1 AA -0.90 23.0 0\n\n"
    " 5 !NBOND\n 1 2 2 3 3 11 11 12\n 3 5\n\n 3 !NTHETA\n 1 2 3 2 3 11\n 3 11 12\n\n"
    " 2 !NPHI\n 1 2 3 11 2 3 11 12\n\n 0 !NIMPHI\n\n 0 !NNB\n\n"
    " 7 24 !NUMLP NUMLPH\n"
    " 1 1 F 0.0 0.0 0.0\n"       /* L1 on A4 */
    " 3 3 T 0.0 0.0 0.0\n"       /* L2: centre of mass of A1 A2 A3 */
    " 2 7 F 0.4 0.3 0.0\n"       /* L3: on the line of A2 and A1 */
    " 3 10 F 1.1 105.0 40.0\n"   /* L4: relative to A3 A2 A1 */
    " 3 14 F 0.7 180.0 0.0\n"    /* L5: relative to A1 A2 A3, in the line of two */
    " 3 18 F -0.9 70.0 -100.0\n" /* L6: bisector of A3: A2 A4 */
    " 2 22 F 0.0 0.0 0.0\n"      /* L7: the middle of A4 A5 */
    " 4 11 5 1 2 3 6 2\n 1 7 3 2 1 8 1 2\n 3 9 3 2 11 10 11 12\n";

static const char prm[] = "BONDS\nAA AA 100.0 1.5\n\nANGLES\nAA AA AA 30.0 110.0\n\n"
                          "DIHEDRALS\nX AA AA X 0.8 3 10.0\n\nNONBONDED\n"
                          "AA 0.0 -0.08 1.9 0.0 -0.05 1.7\nLP 0.0 -0.01 0.6\nEND\n";

static const char crd[] = "* the lone pairs are not in it\n*\n    6\n"
                          "    1    1 MOL  A1     0.10000   0.20000   0.00000 M    1      0.0\n"
                          "    2    1 MOL  A2     1.45000   0.20000   0.40000 M    1      0.0\n"
                          "    3    1 MOL  A3     2.10000   1.40000  -0.20000 M    1      0.0\n"
                          "    4    1 MOL  A4     3.60000   1.30000   0.60000 M    1      0.0\n"
                          "    5    1 MOL  A5     4.10000   2.70000   0.90000 M    1      0.0\n"
                          "    6    2 ION  I1     1.00000   4.10000   2.00000 I    1      0.0\n";

static const struct fixture_texts texts = {.psf = psf, .par = prm, .crd = crd};
static const int atoms[6] = {0, 1, 2, 10, 11, 12};

static void molecule(struct fixture *fx, const double box[3])
{
    cr_assert_eq(fixture_make(fx, &texts, box), 0, "%s", fx->e.text);
    cr_assert_eq(fx->system.nlonepair, 7);
}

/* ---- places ------------------------------------------------------------------------------- */

static void minus(const double *a, const double *b, double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
}

static double distance(const double *a, const double *b)
{
    double d[3];
    minus(a, b, d);
    return sqrt(vec_dot(d, d));
}

/* Degrees. */
static double angle(const double *a, const double *b, const double *c)
{
    double p[3], q[3];
    minus(a, b, p);
    minus(c, b, q);
    return acos(vec_dot(p, q) / sqrt(vec_dot(p, p) * vec_dot(q, q))) * 180 / M_PI;
}

/* Degrees, by the sign that the dihedral terms have (IUPAC). */
static double dihedral(const double *a, const double *b, const double *c, const double *d)
{
    double p[3], q[3], r[3], m[3], n[3];
    minus(b, a, p);
    minus(c, b, q);
    minus(d, c, r);
    vec_cross(p, q, m);
    vec_cross(q, r, n);
    return atan2(sqrt(vec_dot(q, q)) * vec_dot(p, n), vec_dot(m, n)) * 180 / M_PI;
}

Test(hmd_lonepair, places)
{
    struct fixture fx;
    molecule(&fx, vacuum);
    const double *at[13], *x = fx.x;
    double middle[3];
    for (int i = 0; i < 13; i++)
        at[i] = x + 3 * i;
    for (int k = 0; k < 3; k++) {
        double mass = (12 * x[k] + 14 * x[3 + k] + 16 * x[6 + k]) / 42;
        double line = x[3 + k] + (0.3 + 0.4 / distance(at[1], at[0])) * (x[3 + k] - x[k]);
        cr_expect_float_eq(at[3][k], at[10][k], 1e-12, "L1 is on A4");
        cr_expect_float_eq(at[4][k], mass, 1e-12, "L2 is the centre of mass");
        cr_expect_float_eq(at[5][k], line, 1e-12, "L3 is on the line");
        cr_expect_float_eq(at[9][k], (at[10][k] + at[11][k]) / 2, 1e-12, "L7 is in the middle");
        middle[k] = (at[1][k] + at[10][k]) / 2;
    }
    cr_expect_float_eq(distance(at[6], at[2]), 1.1, 1e-12);
    cr_expect_float_eq(angle(at[6], at[2], at[1]), 105, 1e-9);
    cr_expect_float_eq(dihedral(at[6], at[2], at[1], at[0]), 40, 1e-9);
    cr_expect_float_eq(distance(at[7], at[0]), 0.7, 1e-12);
    cr_expect_float_eq(angle(at[7], at[0], at[1]), 180, 1e-5);
    cr_expect_float_eq(distance(at[8], at[2]), 0.9, 1e-12);
    cr_expect_float_eq(angle(at[8], at[2], middle), 70, 1e-9);
    cr_expect_float_eq(dihedral(at[8], at[2], middle, at[10]), -100, 1e-9);
    fixture_free(&fx);
}

/* Fortran's forms of true and false: a centre of mass, or one without masses. */
Test(hmd_lonepair, weights_in_other_words)
{
    static const char *const word[] = {"t", ".T.", ".TRUE.", ".true.", "f", ".false.", ".FALSE."};
    for (int k = 0; k < 7; k++) {
        char line[32];
        snprintf(line, sizeof line, " 3 3 %s 0.0", word[k]);
        char *text = texts_edited(psf, " 3 3 T 0.0", line);
        const struct fixture_texts t = {.psf = text, .par = prm, .crd = crd};
        struct fixture fx;
        cr_assert_eq(fixture_make(&fx, &t, vacuum), 0, "%s: %s", word[k], fx.e.text);
        double m[3] = {12, 14, 16}, *x = fx.x;
        for (int i = 0; i < 3 && k > 3; i++)
            m[i] = 14;
        for (int i = 0; i < 3; i++)
            cr_expect_float_eq(x[12 + i], (m[0] * x[i] + m[1] * x[3 + i] + m[2] * x[6 + i]) / 42,
                               1e-12, "%s", word[k]);
        fixture_free(&fx);
        free(text);
    }
}

/* Hosts that the box has parted carry them all the same. */
Test(hmd_lonepair, places_across_the_border)
{
    static const double box[3] = {20, 21, 22};
    struct fixture fx, far;
    molecule(&fx, box);
    molecule(&far, box);
    for (int i = 0; i < 6; i++)
        far.x[3 * atoms[i] + i % 3] += (i % 2 ? -2 : 1) * box[i % 3];
    lonepair_place(&far.system, far.x, 0, far.system.natom);
    for (int l = 0; l < 7; l++) {
        double d[3];
        int i = fx.system.lonepair[l].atom;
        system_delta(&fx.system, fx.x + 3 * i, far.x + 3 * i, d);
        cr_expect(vec_dot(d, d) < 1e-20, "lone pair %d", l + 1);
    }
    fixture_free(&fx);
    fixture_free(&far);
}

/* ---- forces ------------------------------------------------------------------------------- */

static double energy_of(struct fixture *fx, const struct scheme *s, double cutnb, int tasks)
{
    double term[ENERGY_NUMBERS], sum = 0;
    lonepair_place(&fx->system, fx->x, 0, fx->system.natom);
    fixture_energy(fx, s, cutnb, tasks, term);
    for (int k = 0; k < ENERGY_TERMS; k++)
        sum += term[k];
    return sum;
}

Test(hmd_lonepair, forces_are_slopes)
{
    const double h = 1e-5;
    struct fixture fx;
    struct scheme s = scheme_none();
    molecule(&fx, vacuum);
    energy_of(&fx, &s, s.roff, 1);
    double f[3 * 13];
    memcpy(f, fx.f, sizeof f);
    for (int l = 0; l < 7; l++)
        for (int k = 0; k < 3; k++)
            cr_expect_eq(f[3 * fx.system.lonepair[l].atom + k], 0.0, "lone pair %d", l + 1);
    for (int i = 0; i < 18; i++) {
        double *x = &fx.x[3 * atoms[i / 3] + i % 3], at = *x, got = f[3 * atoms[i / 3] + i % 3];
        *x = at + h;
        double above = energy_of(&fx, &s, s.roff, 1);
        *x = at - h;
        double slope = (energy_of(&fx, &s, s.roff, 1) - above) / (2 * h);
        *x = at;
        cr_expect(fabs(slope - got) < 1e-6 * (1 + fabs(got)), "atom %d, %c: force %.9f, slope %.9f",
                  atoms[i / 3] + 1, 'x' + i % 3, got, slope);
    }
    fixture_free(&fx);
}

static void force_and_torque(const double *x, const double *f, double sum[6])
{
    memset(sum, 0, 6 * sizeof *sum);
    for (int i = 0; i < 13; i++) {
        double t[3];
        vec_cross(x + 3 * i, f + 3 * i, t);
        vec_add(sum, 1, f + 3 * i);
        vec_add(sum + 3, 1, t);
    }
}

Test(hmd_lonepair, force_and_torque_are_kept)
{
    struct fixture fx;
    uint64_t random = 77;
    molecule(&fx, vacuum);
    for (int round = 0; round < 20; round++) {
        double f[3 * 13], before[6], after[6], virial[3] = {0};
        for (int i = 0; i < 39; i++)
            f[i] = (double)random_below(&random, 2001) / 1000 - 1;
        force_and_torque(fx.x, f, before);
        lonepair_spread(&fx.system, fx.x, f, 0, 13, virial);
        force_and_torque(fx.x, f, after);
        for (int k = 0; k < 6; k++)
            cr_expect_float_eq(after[k], before[k], 1e-11, "round %d: %d", round, k);
    }
    fixture_free(&fx);
}

/* ---- whom they see ------------------------------------------------------------------------ */

static int excluded(const struct system *s, int i, int j)
{
    for (int k = s->excluded_first[i]; k < s->excluded_first[i + 1]; k++)
        if (s->excluded[k] == j)
            return 1;
    return 0;
}

static int is14(const struct system *s, int i, int j)
{
    for (int k = 0; k < s->term.npair14; k++)
        if ((s->term.pair14[k].i == i && s->term.pair14[k].j == j) ||
            (s->term.pair14[k].i == j && s->term.pair14[k].j == i))
            return 1;
    return 0;
}

/* To the others a lone pair is its first host; A1 A4, A2 A5 are 1-4, A1 A5 see each other. */
Test(hmd_lonepair, exclusions_are_the_hosts)
{
    struct fixture fx;
    molecule(&fx, vacuum);
    const struct system *s = &fx.system;
    int host[13];
    for (int i = 0; i < 13; i++)
        host[i] = i;
    for (int l = 0; l < 7; l++)
        host[s->lonepair[l].atom] = s->lonepair_host[s->lonepair[l].first];
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 13; j++) {
            int a = host[i], b = host[j], same = a == b;
            if (i == j)
                continue;
            cr_expect_eq(excluded(s, i, j), same || excluded(s, a, b), "%d %d", i, j);
            cr_expect_eq(is14(s, i, j), !same && is14(s, a, b), "%d %d are 1-4", i, j);
        }
    cr_expect(is14(s, 0, 10) && is14(s, 1, 11) && !excluded(s, 0, 11) && !excluded(s, 12, 4));
    fixture_free(&fx);
}

/* ---- four-place water --------------------------------------------------------------------- */

enum { SIDE = 4, WATERS = SIDE * SIDE * SIDE };
static const double box[3] = {SIDE * 3.12, SIDE * 3.12, SIDE * 3.12};

/* The lone pair stands before the hydrogens and has their charge; all waters lie differently. */
static void water_texts(char **out_psf, char **out_crd)
{
    size_t n, m;
    FILE *p = open_memstream(out_psf, &n), *c = open_memstream(out_crd, &m);
    uint64_t random = 5;
    fprintf(p, "PSF EXT XPLOR\n\n 1 !NTITLE\n* water\n\n %d !NATOM\n", 4 * WATERS);
    fprintf(c, "* water\n*\n %d  EXT\n", 3 * WATERS);
    for (int w = 0; w < WATERS; w++) {
        static const char *const name[4] = {"OH2", "OM", "H1", "H2"};
        static const char *const type[4] = {"OT4", "LPM", "HT4", "HT4"};
        static const double charge[4] = {0, -1.04, 0.52, 0.52},
                            mass[4] = {15.9994, 0, 1.008, 1.008};
        double turn = (double)random_below(&random, 6283) / 1000;
        for (int k = 0; k < 4; k++) {
            double at = turn + (k == 2 ? -0.9121 : 0.9121), r = k < 2 ? 0 : 0.9572;
            double x[3] = {r * cos(at), r * sin(at), 0.05 * (w % 7)};
            fprintf(p, " %d W %d TIP4 %s %s %g %g 0\n", 4 * w + k + 1, w + 1, name[k], type[k],
                    charge[k], mass[k]);
            const int cell[3] = {w % SIDE, w / SIDE % SIDE, w / SIDE / SIDE};
            for (int a = 0; a < 3; a++)
                x[(a + w) % 3] += 3.12 * cell[(a + w) % 3];
            if (k != 1)
                fprintf(c, " %d %d TIP4 %s %.10f %.10f %.10f W %d 0.0\n", 3 * w + k + 1, w + 1,
                        name[k], x[w % 3], x[(1 + w) % 3], x[(2 + w) % 3], w + 1);
        }
    }
    fprintf(p, "\n %d !NBOND\n", 3 * WATERS);
    for (int w = 0; w < WATERS; w++)
        fprintf(p, " %d %d %d %d %d %d\n", 4 * w + 1, 4 * w + 3, 4 * w + 1, 4 * w + 4, 4 * w + 3,
                4 * w + 4);
    fprintf(p, "\n 0 !NTHETA\n\n 0 !NPHI\n\n 0 !NIMPHI\n\n %d %d !NUMLP NUMLPH\n", WATERS,
            4 * WATERS);
    for (int w = 0; w < WATERS; w++)
        fprintf(p, " 3 %d F -0.15 0.0 0.0\n", 4 * w + 1);
    for (int w = 0; w < WATERS; w++)
        fprintf(p, " %d %d %d %d\n", 4 * w + 2, 4 * w + 1, 4 * w + 3, 4 * w + 4);
    fclose(p);
    fclose(c);
}

static const char water_prm[] =
    "BONDS\nOT4 HT4 450.0 0.9572\nHT4 HT4 450.0 1.5139\n\nNONBONDED\n"
    "OT4 0.0 -0.155 1.7682\nHT4 0.0 -0.046 0.2245\nLPM 0.0 0.0 0.0\nEND\n";

struct water {
    struct fixture fx;
    struct energy energy;
    struct constrain constrain;
    struct scheme scheme;
};

static void water_open(struct water *w)
{
    char *p, *c;
    memset(w, 0, sizeof *w);
    water_texts(&p, &c);
    const struct fixture_texts t = {.psf = p, .par = water_prm, .crd = c};
    cr_assert_eq(fixture_make(&w->fx, &t, box), 0, "%s", w->fx.e.text);
    free(p);
    free(c);
    w->scheme = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 6, 5);
    energy_init(&w->energy, &w->fx.system, &w->scheme, 6.2, 0, 1);
    constrain_init(&w->constrain, &w->fx.system, CONSTRAIN_HYDROGEN, 1e-12);
    w->fx.system.fixed = w->constrain.pairs;
}

static void water_close(struct water *w)
{
    energy_free(&w->energy);
    constrain_free(&w->constrain);
    fixture_free(&w->fx);
}

static void quiet(void *context, const struct sample *s)
{
    (void)context;
    (void)s;
}

static void quiet_minimise(void *context, const struct sample *s, double change, double step)
{
    (void)context;
    (void)s;
    (void)change;
    (void)step;
}

static void water_minimise(struct water *w, enum minimise_method method, long steps,
                           struct sample *last)
{
    struct minimise m = {.s = &w->fx.system,
                         .comm = &alone,
                         .energy = &w->energy,
                         .constrain = &w->constrain,
                         .method = method,
                         .x = w->fx.x,
                         .nstep = steps,
                         .step = 0.02,
                         .report_every = steps,
                         .report = quiet_minimise};
    cr_assert_eq(minimise_run(&m, &w->fx.e), 0, "%s", w->fx.e.text);
    *last = m.last;
}

/* Whether every lone pair stands 0.15 Angstrom from its oxygen, between the hydrogens. */
static void expect_placed(const struct fixture *fx, const char *when)
{
    double *x = mem_new(3 * (size_t)fx->system.natom, sizeof *x), worst = 0;
    memcpy(x, fx->x, 3 * (size_t)fx->system.natom * sizeof *x);
    lonepair_place(&fx->system, x, 0, fx->system.natom);
    for (int i = 0; i < 3 * fx->system.natom; i++)
        worst = fmax(worst, fabs(x[i] - fx->x[i]));
    cr_expect(worst < 1e-12, "%s: a lone pair is %g away from its place", when, worst);
    cr_expect_float_eq(distance(fx->x + 3, fx->x), 0.15, 1e-9, "%s", when);
    mem_free(x);
}

/* Root mean square deviation of the energy over 0.2 ps of constant energy. */
static double water_wobble(struct water *w, double dt)
{
    struct sample mean, fluctuation;
    size_t n = 3 * (size_t)w->fx.system.natom;
    double *x = mem_new(2 * n, sizeof *x), *v = x + n;
    memcpy(x, w->fx.x, n * sizeof *x);
    velocity_draw(&w->fx.system, x, 300, 9, v);
    struct dynamics d = {.s = &w->fx.system,
                         .comm = &alone,
                         .energy = &w->energy,
                         .constrain = &w->constrain,
                         .x = x,
                         .v = v,
                         .dt = dt,
                         .nstep = (long)(0.2 / dt + 0.5),
                         .sample_every = 5,
                         .report = quiet};
    cr_assert_eq(dynamics_run(&d, &w->fx.e), 0, "%s", w->fx.e.text);
    mem_free(d.timers.share);
    mem_free(d.timers.ring);
    samples_mean(&d.samples, &mean, &fluctuation);
    cr_expect(mean.temp > 100, "%g K", mean.temp);
    memcpy(w->fx.x, x, n * sizeof *x);
    expect_placed(&w->fx, "after dynamics");
    samples_free(&d.samples);
    mem_free(x);
    return fluctuation.tote;
}

Test(hmd_lonepair, rigid_water_keeps_its_energy)
{
    struct water w;
    struct sample last;
    water_open(&w);
    cr_expect_eq(w.constrain.groups, WATERS);
    cr_expect_eq(system_freedom(&w.fx.system), 6 * WATERS - 3);
    water_minimise(&w, MINIMISE_SD, 60, &last);
    expect_placed(&w.fx, "minimised");
    water_wobble(&w, 0.001); /* out of the minimum */
    double *x = mem_new(3 * (size_t)w.fx.system.natom, sizeof *x);
    memcpy(x, w.fx.x, 3 * (size_t)w.fx.system.natom * sizeof *x);
    double coarse = water_wobble(&w, 0.001);
    memcpy(w.fx.x, x, 3 * (size_t)w.fx.system.natom * sizeof *x);
    double fine = water_wobble(&w, 0.0005);
    cr_expect(coarse < 0.5 && coarse > 2.5 * fine, "deviations %g and %g kcal/mol", coarse, fine);
    mem_free(x);
    water_close(&w);
}

/* All ways lead down, with the lone pairs in their places. */
Test(hmd_lonepair, minimisation)
{
    static const enum minimise_method method[3] = {MINIMISE_SD, MINIMISE_CONJ, MINIMISE_ABNR};
    for (int k = 0; k < 3; k++) {
        struct water w;
        struct sample last;
        water_open(&w);
        constrain_free(&w.constrain);
        constrain_init(&w.constrain, &w.fx.system, CONSTRAIN_NONE, 1e-12);
        double before = energy_of(&w.fx, &w.scheme, 6.2, 1);
        water_minimise(&w, method[k], 100, &last);
        cr_expect(last.ener < before - 100 && last.grms < 10, "%g to %g kcal/mol, GRMS %g", before,
                  last.ener, last.grms);
        expect_placed(&w.fx, "minimised");
        water_close(&w);
    }
}

Test(hmd_lonepair, tasks_agree)
{
    static const int tasks[3] = {2, 4, 7};
    struct water w;
    water_open(&w);
    double want = energy_of(&w.fx, &w.scheme, 6.2, 1);
    size_t n3 = 3 * (size_t)w.fx.system.natom;
    double *f = mem_new(n3, sizeof *f);
    memcpy(f, w.fx.f, n3 * sizeof *f);
    for (int k = 0; k < 3; k++) {
        int first[8];
        cr_expect_float_eq(energy_of(&w.fx, &w.scheme, 6.2, tasks[k]), want, 1e-9 * fabs(want));
        for (size_t i = 0; i < n3; i++)
            cr_expect_float_eq(w.fx.f[i], f[i], 1e-8, "%d tasks, %zu", tasks[k], i);
        constrain_free(&w.constrain); /* without constraints, what is carried keeps together */
        constrain_init(&w.constrain, &w.fx.system, CONSTRAIN_NONE, 1e-12);
        constrain_blocks(&w.constrain, tasks[k], first);
        for (int r = 0; r < tasks[k]; r++)
            cr_expect_eq(first[r] % 4, 0, "%d tasks: a cut before atom %d", tasks[k], first[r] + 1);
    }
    mem_free(f);
    water_close(&w);
}

/* Minus the slope of the energy when all but the lone pairs is scaled by 1 + h along an axis is the
 * virial along it. */
Test(hmd_lonepair, virial)
{
    const double h = 1e-5;
    struct water w;
    double term[ENERGY_NUMBERS], energy[2];
    water_open(&w);
    int n = 3 * w.fx.system.natom;
    fixture_energy(&w.fx, &w.scheme, 6.2, 1, term);
    double *x = mem_new((size_t)n, sizeof *x);
    memcpy(x, w.fx.x, (size_t)n * sizeof *x);
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            double scale = side ? 1 + h : 1 - h, length[3] = {box[0], box[1], box[2]};
            for (int i = 0; i < n; i++)
                w.fx.x[i] = (i % 3 == axis ? scale : 1) * x[i];
            length[axis] *= scale;
            cell_right(&w.fx.system.cell, length);
            energy[side] = energy_of(&w.fx, &w.scheme, 6.2, 1);
        }
        double want = (energy[0] - energy[1]) / (2 * h), got = term[ENERGY_VIRIAL + axis];
        cr_expect_float_eq(got, want, 1e-5 * fabs(want) + 1e-4, "axis %d: %.9g, not %.9g", axis,
                           got, want);
    }
    mem_free(x);
    water_close(&w);
}

/* ---- what is refused ---------------------------------------------------------------------- */

Test(hmd_lonepair, refused)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {" 7 24 !NUMLP", " 0 0 !NUMLP", "psf:10: atom MOL 1 L1 has mass 0"},
        {" 7 24 !NUMLP", " 6 22 !NUMLP", "psf:"},
        {" 7 24 !NUMLP", " 8 26 !NUMLP", "psf:"},
        {" 7 24 !NUMLP", " 700000 26 !NUMLP", "700000"},
        {" 1 1 F 0.0 0.0 0.0\n", " 1 1 F 0.0 0.0\n", "psf:37: "},
        {" 1 1 F 0.0", " 0 1 F 0.0", "psf:37: a lone pair without hosts"},
        {" 1 1 F 0.0", " -1 1 F 0.0", "psf:37: "},
        {" 1 1 F 0.0", " 1 0 F 0.0", "psf:37: "},
        {" 1 1 F 0.0", " 1 1 0 0.0", "psf:37: a weight that is neither T nor F"},
        {" 1 1 F 0.0", " 1 24 F 0.0", "pointer"},
        {" 1 1 F 0.0", " 1 1 F nan", "psf:37: "},
        {" 1 1 F 0.0", " 1 1 F 1D999", "psf:37: "},
        {" 4 11 5 1 2 3", " 4 14 5 1 2 3", "'14'"},
        {" 4 11 5 1 2 3", " 4 4 5 1 2 3", "lone pair 1 "},
        {" 4 11 5 1 2 3", " 4 11 5 1 1 3", "lone pair 2 "},
        {" 4 11 5 1 2 3", " 5 11 5 1 2 3", "lone pair 2 "},
        {" 4 11 5 1 2 3", " 4 6 5 1 2 3", "psf:12: lone pair MOL 1 L3 is the host"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        const char *at = strstr(psf, edit[i].from);
        char text[sizeof psf + 64];
        struct fixture fx;
        cr_assert(at, "'%s' is not there", edit[i].from);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - psf), psf, edit[i].to,
                 at + strlen(edit[i].from));
        struct fixture_texts t = {.psf = text, .par = prm, .crd = crd};
        cr_expect_eq(fixture_make(&fx, &t, vacuum), ERR_INPUT, "%s is taken", edit[i].to);
        cr_expect(strstr(fx.e.text, edit[i].say), "%s: '%s' lacks '%s'", edit[i].to, fx.e.text,
                  edit[i].say);
        fixture_free(&fx);
    }
}
