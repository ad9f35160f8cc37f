/* hmd_texts.c - see hmd_texts.h. */
#include "hmd_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double vacuum[3] = {0, 0, 0};

const char texts_psf[] =
    "PSF XPLOR\n\n       2 !NTITLE\n* a chain\n* and !an ion\n\n"
    "       5 !NATOM\n"
    "       1 CHN  1    RES  A1   AA    -0.300000       12.0110       0\n"
    "       2 CHN  1    RES  A2   BB     0.100000       12.0110       0\n"
    "       3 CHN  1    RES  A3   BB     0.100000       12.0110       0\n"
    "       4 CHN  1    RES  A4   AA    -0.900000       12.0110       0\n"
    "       5 ION  1A   SOD  SOD  NA     1.000000       22.9898       0\n\n"
    "       3 !NBOND: bonds\n       1       2       2       3\n       3       4\n\n"
    "       2 !NTHETA: angles\n       1       2       3       2       3       4\n\n"
    "       1 !NPHI: dihedrals\n       1       2       3       4\n\n"
    "       1 !NIMPHI: impropers\n       2       1       3       4\n\n"
    "       0 !NDON: donors\n\n\n       0 !NACC: acceptors\n\n\n"
    "       0 !NNB\n\n       0       0       0       0       0\n\n"
    "       2       0 !NGRP NST2\n       0       1       0       4       1       0\n";

const char texts_prm[] = "* parameters\n*\n\nBONDS\nAA BB 300.0 1.5 ! comment\nBB BB 200.0 1.4\n\n"
                         "ANGLES\nAA BB BB 50.0 110.0 10.0 2.5\n\n"
                         "DIHEDRALS\nX BB BB X 1.0 3 0.0\nAA BB BB AA 0.7 1 180.0\n"
                         "AA BB BB AA 0.3 2 0.0\n\n"
                         "IMPROPER\nBB X X AA 20.0 0 10.0\n\n"
                         "NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch -\n"
                         "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5\n"
                         "AA 0.0 -0.11 2.0 0.0 -0.01 1.9\nBB 0.0 -0.05 2.1\nNA 0.0 -0.0469 1.36\n\n"
                         "NBFIX\nNA AA -0.08 3.2\n\nHBOND CUTHB 0.5\n\nEND\n";

const char texts_crd[] = "* title\n*\n    5\n"
                         "    1    1 RES  A1     0.00000   0.00000   0.00000 CHN  1      0.00000\n"
                         "    2    1 RES  A2     1.45000   0.20000   0.10000 CHN  1      0.00000\n"
                         "    3    1 RES  A3     2.10000   1.40000  -0.20000 CHN  1      0.00000\n"
                         "    4    1 RES  A4     3.60000   1.30000   0.60000 CHN  1      0.00000\n"
                         "    5    2 SOD  SOD    1.00000   3.90000   2.00000 ION  1A     0.00000\n";

char *texts_edited(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    cr_assert(at, "'%s' is not there", from);
    size_t n = strlen(text) + strlen(to) + 1;
    char *out = malloc(n);
    snprintf(out, n, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

char *texts_with_newlines(const char *text, const char *to)
{
    char *out = calloc(strlen(text) * 4 + 1, 1), *at = out;
    for (; *text; text++) {
        const char c[2] = {*text, 0};
        at = stpcpy(at, *text == '\n' ? to : c);
    }
    return out;
}

void texts_energies(const struct fixture_texts *t, double term[ENERGY_NUMBERS], const char *what)
{
    struct fixture fx;
    struct scheme s = scheme_none();
    cr_assert_eq(fixture_make(&fx, t, vacuum), 0, "%s: %s", what, fx.e.text);
    fixture_energy(&fx, &s, s.roff, 1, term);
    fixture_free(&fx);
}

void texts_expect_same(const struct fixture_texts *t, const char *what)
{
    static const struct fixture_texts plain = {
        .psf = texts_psf, .par = texts_prm, .crd = texts_crd};
    double want[ENERGY_NUMBERS], got[ENERGY_NUMBERS];
    texts_energies(&plain, want, "plain");
    texts_energies(t, got, what);
    for (int k = 0; k < ENERGY_TERMS; k++)
        cr_expect_float_eq(got[k], want[k], 1e-12 * (1 + fabs(want[k])), "%s: %s %.15g, not %.15g",
                           what, energy_names[k], got[k], want[k]);
}

void texts_expect_refused(const struct fixture_texts *t, const char *say, const char *what)
{
    struct fixture fx;
    int status = fixture_make(&fx, t, vacuum);
    cr_expect_eq(status, ERR_INPUT, "%s: status %d", what, status);
    cr_expect(!strchr(fx.e.text, '\n') && strstr(fx.e.text, say), "%s: '%s' lacks '%s'", what,
              fx.e.text, say);
    fixture_free(&fx);
}

/* ---- cross terms -------------------------------------------------------------------------- */

/* Eight atoms in a chain with one cross term over both its torsions. */
const char texts_cross_psf[] = "PSF CMAP XPLOR\n\n 1 !NTITLE\n* chain\n\n 5 !NATOM\n"
                               " 1 C 1 ONE A1 A 0.0 12.0 0\n 2 C 1 ONE A2 B 0.0 12.0 0\n"
                               " 3 C 1 ONE A3 C 0.0 12.0 0\n 4 C 1 ONE A4 A 0.0 12.0 0\n"
                               " 5 C 1 ONE A5 B 0.0 12.0 0\n\n 0 !NBOND\n\n 0 !NTHETA\n\n"
                               " 0 !NPHI\n\n 0 !NIMPHI\n\n 1 !NCRTERM\n 1 2 3 4 2 3 4 5\n";

/* Its map: a smooth surface that is not symmetric in its angles, 15 degrees a step. */
char *texts_cross_prm(void)
{
    size_t room = 24 * 24 * 16 + 512;
    char *text = calloc(room, 1);
    int n = snprintf(text, room, "CMAP\nA B C A B C A B 24\n");
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++) {
            double p = (i * 15 - 180) * M_PI / 180, q = (j * 15 - 180) * M_PI / 180;
            n += snprintf(text + n, room - (size_t)n, "%.8f%s",
                          2 * sin(p + 0.3) * cos(q) + cos(2 * q - p), j % 5 == 4 ? "\n" : " ");
        }
    snprintf(text + n, room - (size_t)n, "\nNONBONDED\nA 0 -0.1 2\nB 0 -0.1 2\nC 0 -0.1 2\nEND\n");
    return text;
}
