/* test_hmd_repeat.c - parameters that are given more than once, in one file or in several: what
 * counts, and what is warned of (CHARMM's rules, param_repeat.c). */
#include "hmd_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double vacuum[3] = {0, 0, 0};

/* The chain with this section behind its other parameters, in a second file or in the same. */
static void repeat_make(struct fixture *fx, const char *more, int second)
{
    char *same = texts_edited(texts_prm, "NBFIX\n", "NBFIX\n");
    char *joined = malloc(strlen(same) + strlen(more) + 1);
    sprintf(joined, "%.*s%s", (int)(strstr(same, "HBOND") - same), same, more);
    const struct fixture_texts t = {.psf = texts_psf,
                                    .par = second ? texts_prm : joined,
                                    .str = second ? more : NULL,
                                    .crd = texts_crd};
    cr_assert_eq(fixture_make(fx, &t, vacuum), 0, "%s: %s", more, fx->e.text);
    free(joined);
    free(same);
}

static void repeat_terms(struct fixture *fx, double term[ENERGY_NUMBERS])
{
    struct scheme s = scheme_none();
    fixture_energy(fx, &s, s.roff, 1, term);
}

static void expect_warnings(const struct fixture *fx, size_t n, const char *say, const char *what)
{
    cr_expect_eq(fx->param.warnings.nwarning, n, "%s: %zu warnings, not %zu", what,
                 fx->param.warnings.nwarning, n);
    for (size_t i = 0; say && i < fx->param.warnings.nwarning; i++)
        cr_expect(strstr(fx->param.warnings.warning[i].text, say), "%s: '%s' lacks '%s'", what,
                  fx->param.warnings.warning[i].text, say);
}

/* The dihedral angle of the chain, in radians; sign as the energy's. */
static double repeat_phi(const struct fixture *fx)
{
    const double *x = fx->x;
    double a[3], b[3], c[3], m[3], n[3], mn = 0, bn = 0, tri = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = x[3 + k] - x[k];
        b[k] = x[6 + k] - x[3 + k];
        c[k] = x[9 + k] - x[6 + k];
    }
    for (int k = 0; k < 3; k++) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        m[k] = a[p] * b[q] - a[q] * b[p];
        n[k] = b[p] * c[q] - b[q] * c[p];
    }
    for (int k = 0; k < 3; k++) {
        mn += m[k] * n[k];
        bn += b[k] * b[k];
        tri += a[k] * n[k];
    }
    return atan2(sqrt(bn) * tri, mn);
}

static double repeat_cosines(double phi, const double (*term)[3], int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += term[k][0] * (1 + cos(term[k][1] * phi - term[k][2] * M_PI / 180));
    return sum;
}

Test(hmd_repeat, dihedrals_of_one_file_add)
{
    static const struct {
        const char *lines, *what;
        int n, warnings;
        double term[8][3];
    } table[] = {
        {"AA BB BB AA 0.9 3 90.0\nAA BB BB AA 0.6 3 90.0\n",
         "equal period and phase",
         4,
         1,
         {{0.7, 1, 180}, {0.3, 2, 0}, {0.9, 3, 90}, {0.6, 3, 90}}},
        {"AA BB BB AA 0.7 1 180.0\n",
         "the very same line",
         3,
         1,
         {{0.7, 1, 180}, {0.3, 2, 0}, {0.7, 1, 180}}},
        {"AA BB BB AA 0.2 1 0.0\nAA BB BB AA 1.8 1 90.0\nAA BB BB AA 0.1 1 150.0\n",
         "several phases of one period",
         5,
         6,
         {{0.7, 1, 180}, {0.3, 2, 0}, {0.2, 1, 0}, {1.8, 1, 90}, {0.1, 1, 150}}},
        {"AA BB BB AA 0.2 4 0.0\n",
         "another period",
         3,
         0,
         {{0.7, 1, 180}, {0.3, 2, 0}, {0.2, 4, 0}}},
        {"X BB BB X 5.0 2 0.0\nX BB BB X 6.0 2 0.0\n",
         "wildcards do not add to all four types",
         2,
         1,
         {{0.7, 1, 180}, {0.3, 2, 0}}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct fixture fx;
        char text[256];
        double term[ENERGY_NUMBERS];
        snprintf(text, sizeof text, "DIHEDRALS\n%s", table[i].lines);
        repeat_make(&fx, text, 0);
        repeat_terms(&fx, term);
        double want = repeat_cosines(repeat_phi(&fx), table[i].term, table[i].n);
        cr_expect_float_eq(term[ENERGY_DIHE], want, 1e-10, "%s: %.12g, not %.12g", table[i].what,
                           term[ENERGY_DIHE], want);
        expect_warnings(&fx, (size_t)table[i].warnings, "both terms count", table[i].what);
        fixture_free(&fx);
    }
}

Test(hmd_repeat, repeated_wildcards_add)
{
    char *text = texts_edited(texts_prm, "AA BB BB AA 0.7 1 180.0\nAA BB BB AA 0.3 2 0.0",
                              "X BB BB X 0.5 3 0.0\nX BB BB X 0.25 3 60.0");
    const struct fixture_texts t = {.psf = texts_psf, .par = text, .crd = texts_crd};
    const double want[3][3] = {{1, 3, 0}, {0.5, 3, 0}, {0.25, 3, 60}};
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0, "%s", fx.e.text);
    repeat_terms(&fx, term);
    cr_expect_float_eq(term[ENERGY_DIHE], repeat_cosines(repeat_phi(&fx), want, 3), 1e-10);
    expect_warnings(&fx, 3, "dihedral of X BB BB X with multiplicity 3", "wildcards");
    fixture_free(&fx);
    free(text);
}

/* In the same file or in another one the later line counts; a warning names both. */
Test(hmd_repeat, what_is_replaced_is_told)
{
    static const struct {
        const char *more, *say;
        int term;
        double want; /* energy; negative: it is another one than before */
    } table[] = {
        {"BONDS\nBB AA 0.0 1.5\nBB BB 0.0 1.4\n", ": the bond of ", ENERGY_BOND, 0},
        {"ANGLES\nBB BB AA 0.0 110.0\n", ": the angle of ", ENERGY_ANGL, 0},
        {"ANGLES\nBB BB AA 0.0 110.0 0.0 2.5\n", ": the angle of ", ENERGY_UREY, 0},
        {"IMPROPER\nAA X X BB 0.0 0 10.0\n", ": the improper of ", ENERGY_IMPR, 0},
        {"NONBONDED nbxmod 5\nNA 0.0 -0.5 2.0\n", ": the Lennard-Jones line of NA", ENERGY_VDW, -1},
        {"NBFIX\nAA NA -0.5 3.0\n", ": the NBFIX of AA NA", ENERGY_VDW, -1},
    };
    double plain[ENERGY_NUMBERS], term[ENERGY_NUMBERS];
    const struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .crd = texts_crd};
    texts_energies(&t, plain, "plain");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int second = 0; second < 2; second++) {
            struct fixture fx;
            repeat_make(&fx, table[i].more, second);
            repeat_terms(&fx, term);
            double got = term[table[i].term];
            cr_expect(table[i].want < 0 ? fabs(got - plain[table[i].term]) > 1e-6 : got == 0,
                      "%s: %g", table[i].more, got);
            cr_expect(fx.param.warnings.nwarning > 0, "%s: no warning", table[i].more);
            expect_warnings(&fx, fx.param.warnings.nwarning, table[i].say, table[i].more);
            expect_warnings(&fx, fx.param.warnings.nwarning,
                            second ? "not that of par:" : "par:", table[i].more);
            fixture_free(&fx);
        }
}

Test(hmd_repeat, a_dihedral_of_another_file_is_replaced_whole)
{
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    const double want[2][3] = {{0.2, 4, 0}, {0.1, 4, 90}};
    repeat_make(&fx, "PHI\nAA BB BB AA 0.2 4 0.0\nAA BB BB AA 0.1 4 90.0\n", 1);
    repeat_terms(&fx, term);
    cr_expect_float_eq(term[ENERGY_DIHE], repeat_cosines(repeat_phi(&fx), want, 2), 1e-10);
    cr_assert_eq(fx.param.warnings.nwarning, 2);
    fixture_free(&fx);
}

/* Files that have the same lines as others are common: nothing changes, nothing is told. */
Test(hmd_repeat, the_same_again_is_not_told)
{
    static const char *const more[] = {
        "BONDS\nBB AA 300.0 1.5\n",
        "ANGLES\nBB BB AA 50.0 110.0 10.0 2.5\n",
        "PHI\nAA BB BB AA 0.3 2 0.0\nAA BB BB AA 0.7 1 180.0\n",
        "IMPROPER\nBB X X AA 20.0 0 10.0\n",
        "NONBONDED nbxmod 5\nBB 0.0 -0.05 2.1\n",
        "NBFIX\nAA NA -0.08 3.2\n",
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        struct fixture fx;
        double plain[ENERGY_NUMBERS], term[ENERGY_NUMBERS];
        const struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .crd = texts_crd};
        texts_energies(&t, plain, "plain");
        repeat_make(&fx, more[i], 1);
        repeat_terms(&fx, term);
        for (int k = 0; k < ENERGY_TERMS; k++)
            cr_expect_float_eq(term[k], plain[k], 1e-12 * (1 + fabs(plain[k])), "%s", more[i]);
        expect_warnings(&fx, 0, NULL, more[i]);
        fixture_free(&fx);
    }
}

/* Parameters of a text alone. */
static void repeat_read(struct param *p, char *copy, const char *text)
{
    struct text in;
    struct err e = {0};
    strcpy(copy, text);
    param_init(p);
    text_open(&in, "par", copy, strlen(copy));
    cr_assert_eq(param_read(p, &in, 0, &e), 0, "%s", e.text);
}

/* CHARMM applies lines in their order: a wildcard takes the place of a name before it. */
Test(hmd_repeat, wildcards_of_pairs_count_in_their_order)
{
    struct param p;
    char copy[512];
    repeat_read(&p, copy, "NONBONDED\nC* 0.0 -0.1 1.0\nCA 0.0 -0.2 2.0\n");
    cr_expect_eq(param_lj_of(&p, "CA")->rmin2, 2);
    cr_expect_eq(param_lj_of(&p, "CB")->rmin2, 1);
    param_free(&p);
    repeat_read(&p, copy, "NONBONDED\nCA 0.0 -0.2 2.0\nC* 0.0 -0.1 1.0\n");
    cr_expect_eq(param_lj_of(&p, "CA")->rmin2, 1);
    param_free(&p);
    for (int any = 0; any < 2; any++) {
        repeat_read(&p, copy,
                    any ? "NBFIX\nCA CB -0.1 1.0\nCA X -0.1 2.0\n"
                        : "NBFIX\nCB * -0.1 2.0\nCA CB -0.1 1.0\n");
        cr_expect_eq(param_nbfix_of(&p, "CB", "CA")->rmin, any ? 2 : 1);
        cr_expect_eq(param_nbfix_of(&p, any ? "CA" : "CZ", any ? "CZ" : "CB")->rmin, 2);
        param_free(&p);
    }
}

Test(hmd_repeat, maps)
{
    struct param p;
    char text[1024], copy[1024];
    for (int same = 0; same < 2; same++) {
        int at = snprintf(text, sizeof text, "CMAP\n");
        for (int k = 0; k < 2; k++) {
            at += snprintf(text + at, sizeof text - (size_t)at, "A B C D B C D E 4\n");
            for (int i = 0; i < 4; i++)
                at += snprintf(text + at, sizeof text - (size_t)at, "%d 1 2 3\n", same ? 0 : k);
        }
        repeat_read(&p, copy, text);
        int key[8];
        for (int i = 0; i < 8; i++)
            key[i] = param_type_of(&p, (const char[2]){"ABCDBCDE"[i], 0});
        cr_expect_eq(param_cmap_of(&p, key)->grid[0], same ? 0 : 1);
        cr_expect_eq(p.warnings.nwarning, same ? 0 : 1);
        cr_expect(same || strstr(p.warnings.warning[0].text,
                                 "par:7: the CMAP of A B C D B C D E is given"),
                  "%s", p.warnings.warning[0].text);
        param_free(&p);
    }
}
