/* test_hmd_input.c - the forms in which a CHARMM system may come, and what is refused.
 *
 * One small molecule is written in many ways; all must give the same energies.  Then it is damaged
 * in many ways; each must be refused with one line that names the file and says what is wrong. */
#include "hmd_fixture.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double vacuum[3] = {0, 0, 0};

/* Five atoms: a chain of four, and an ion in a segment of its own. */
static const char psf[] =
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

static const char prm[] =
    "* parameters\n*\n\nBONDS\nAA BB 300.0 1.5 ! comment\nBB BB 200.0 1.4\n\n"
    "ANGLES\nAA BB BB 50.0 110.0 10.0 2.5\n\n"
    "DIHEDRALS\nX BB BB X 1.0 3 0.0\nAA BB BB AA 0.7 1 180.0\n"
    "AA BB BB AA 0.3 2 0.0\n\n"
    "IMPROPER\nBB X X AA 20.0 0 10.0\n\n"
    "NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch -\n"
    "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5\n"
    "AA 0.0 -0.11 2.0 0.0 -0.01 1.9\nBB 0.0 -0.05 2.1\nNA 0.0 -0.0469 1.36\n\n"
    "NBFIX\nNA AA -0.08 3.2\n\nHBOND CUTHB 0.5\n\nEND\n";

static const char crd[] =
    "* title\n*\n    5\n"
    "    1    1 RES  A1     0.00000   0.00000   0.00000 CHN  1      0.00000\n"
    "    2    1 RES  A2     1.45000   0.20000   0.10000 CHN  1      0.00000\n"
    "    3    1 RES  A3     2.10000   1.40000  -0.20000 CHN  1      0.00000\n"
    "    4    1 RES  A4     3.60000   1.30000   0.60000 CHN  1      0.00000\n"
    "    5    2 SOD  SOD    1.00000   3.90000   2.00000 ION  1A     0.00000\n";

/* `text` with the first `from` replaced; to be freed. */
static char *edited(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    cr_assert(at, "'%s' is not there", from);
    size_t n = strlen(text) + strlen(to) + 1;
    char *out = malloc(n);
    snprintf(out, n, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

/* `text` with every newline as `to`. */
static char *with_newlines(const char *text, const char *to)
{
    char *out = calloc(strlen(text) * 4 + 1, 1), *at = out;
    for (; *text; text++) {
        const char c[2] = {*text, 0};
        at = stpcpy(at, *text == '\n' ? to : c);
    }
    return out;
}

static void energies(const struct fixture_texts *t, double term[ENERGY_NUMBERS], const char *what)
{
    struct fixture fx;
    struct scheme s = scheme_none();
    cr_assert_eq(fixture_make(&fx, t, vacuum), 0, "%s: %s", what, fx.e.text);
    fixture_energy(&fx, &s, s.roff, 1, term);
    fixture_free(&fx);
}

static void expect_same(const struct fixture_texts *t, const char *what)
{
    static const struct fixture_texts plain = {.psf = psf, .par = prm, .crd = crd};
    double want[ENERGY_NUMBERS], got[ENERGY_NUMBERS];
    energies(&plain, want, "plain");
    energies(t, got, what);
    for (int k = 0; k < ENERGY_TERMS; k++)
        cr_expect_float_eq(got[k], want[k], 1e-12 * (1 + fabs(want[k])), "%s: %s %.15g, not %.15g",
                           what, energy_names[k], got[k], want[k]);
}

/* Refused with status 2, one line, a file's name in front and `say` in it. */
static void expect_refused(const struct fixture_texts *t, const char *say, const char *what)
{
    struct fixture fx;
    int status = fixture_make(&fx, t, vacuum);
    cr_expect_eq(status, ERR_INPUT, "%s: status %d", what, status);
    cr_expect(!strchr(fx.e.text, '\n') && strstr(fx.e.text, say), "%s: '%s' lacks '%s'", what,
              fx.e.text, say);
    fixture_free(&fx);
}

/* ---- the structure ------------------------------------------------------------------------ */

Test(hmd_input, energies_by_hand)
{
    static const struct fixture_texts t = {.psf = psf, .par = prm, .crd = crd};
    double term[ENERGY_NUMBERS];
    energies(&t, term, "plain");
    double b1 = sqrt(1.45 * 1.45 + 0.05) - 1.5, b2 = sqrt(0.65 * 0.65 + 1.44 + 0.09) - 1.4;
    double b3 = sqrt(2.25 + 0.01 + 0.64) - 1.5;
    cr_expect_float_eq(term[ENERGY_BOND], 300 * (b1 * b1 + b3 * b3) + 200 * b2 * b2, 1e-9);
    double u1 = sqrt(2.1 * 2.1 + 1.4 * 1.4 + 0.04) - 2.5;
    double u2 = sqrt(2.15 * 2.15 + 1.1 * 1.1 + 0.25) - 2.5;
    cr_expect_float_eq(term[ENERGY_UREY], 10 * (u1 * u1 + u2 * u2), 1e-9);
    double r = sqrt(3.6 * 3.6 + 1.3 * 1.3 + 0.36), elec = 0.27 / r; /* 1-4, and the ion's four */
    const double at[4][4] = {
        {0, 0, 0, -0.3}, {1.45, 0.2, 0.1, 0.1}, {2.1, 1.4, -0.2, 0.1}, {3.6, 1.3, 0.6, -0.9}};
    for (int i = 0; i < 4; i++)
        elec +=
            at[i][3] / sqrt(pow(at[i][0] - 1, 2) + pow(at[i][1] - 3.9, 2) + pow(at[i][2] - 2, 2));
    cr_expect_float_eq(term[ENERGY_ELEC], SCHEME_COULOMB * elec, 1e-9);
    double s = pow(3.8 / r, 6), lj = 0.01 * (s * s - 2 * s); /* 1-4 */
    for (int i = 0; i < 4; i++) {
        int end = i == 0 || i == 3; /* NBFIX with the ends */
        double eps = end ? 0.08 : sqrt(0.05 * 0.0469), rmin = end ? 3.2 : 3.46;
        double d2 = pow(at[i][0] - 1, 2) + pow(at[i][1] - 3.9, 2) + pow(at[i][2] - 2, 2);
        s = pow(rmin * rmin / d2, 3);
        lj += eps * (s * s - 2 * s);
    }
    cr_expect_float_eq(term[ENERGY_VDW], lj, 1e-9);
}

Test(hmd_input, structures_in_other_forms)
{
    static const struct {
        const char *from, *to, *what;
    } edit[] = {
        {"PSF XPLOR", "PSF NAMD CMAP CHEQ", "NAMD"},
        {"PSF XPLOR", "PSF EXT CMAP XPLOR", "EXT by words"},
        {"PSF XPLOR\n\n", "PSF XPLOR\n", "no blank line"},
        {"PSF XPLOR\n\n", "\n\nPSF XPLOR\n\n\n\n", "blank lines"},
        {"       0 !NDON", "       1 !MOLNT\n 1 1 1 1 1\n\n       0 !NDON", "molecules"},
        {"       0 !NNB", "       0       0 !NUMLP NUMLPH\n\n       0 !NNB", "no lone pairs"},
        {"       0       0       0       0       0\n", "", "no exclusion pointers"},
        {"12.0110       0\n       2", "12.0110       0   0.00000     -0.301140E-02\n       2",
         "fluctuating charges"},
        {"-0.300000 ", "-3.0E-01 ", "exponents"},
        {"       1       2       2       3\n       3       4\n", "1 2\n2\n3 3\n\n4\n",
         "free lines"},
        {" CHN  1    RES  A1   AA ", "\tCHN\t1\tRES\tA1\tAA\t", "tabs"},
        {"       5 !NATOM", "5!NATOM", "no blank before the mark"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = edited(psf, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = text, .par = prm, .crd = crd};
        if (strstr(edit[i].to, "CMAP")) { /* which promises cross terms */
            char *more = edited(text, "       0 !NDON", "       0 !NCRTERM\n\n\n       0 !NDON");
            free(text);
            t.psf = text = more;
        }
        expect_same(&t, edit[i].what);
        free(text);
    }
}

Test(hmd_input, line_ends_of_other_systems)
{
    char *p = with_newlines(psf, "\r\n"), *q = with_newlines(prm, "\r\n");
    char *c = with_newlines(crd, "\r\n");
    struct fixture_texts t = {.psf = p, .par = q, .crd = c};
    expect_same(&t, "CRLF");
    free(p);
    free(q);
    free(c);
}

/* A byte order mark, lower case, blank lines between atoms: as editors and scripts leave them. */
Test(hmd_input, files_from_editors)
{
    char *low = with_newlines(psf, "\n"), *marked = edited(psf, "PSF", "\xef\xbb\xbfPSF");
    for (char *c = low; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    char *gaps = with_newlines(strchr(crd, '5'), "\n \n");
    expect_same(&(struct fixture_texts){.psf = low, .par = prm, .crd = crd}, "lower case");
    expect_same(&(struct fixture_texts){.psf = marked, .par = prm, .crd = crd}, "a mark of UTF-8");
    expect_same(&(struct fixture_texts){.psf = psf, .par = prm, .crd = gaps}, "blank lines");
    free(low);
    free(marked);
    free(gaps);
}

/* Files are known by what is in them: a parameter file as -top, and what is none. */
Test(hmd_input, files_that_stand_for_each_other)
{
    static const char rtf[] = "* t\n*\n31 1\nMASS 1 QQ 12.0\nRESI RES 0.0\nATOM A1 AA 0.0\n"
                              "IC A B C D 1.0 2.0 3.0\nIMPR A B C D\nEND\n";
    expect_same(&(struct fixture_texts){.psf = psf, .top = prm, .par = rtf, .crd = crd},
                "exchanged");
    expect_refused(&(struct fixture_texts){.psf = psf, .par = psf, .crd = crd},
                   "is it a parameter or topology file", "a PSF as parameters");
    expect_refused(&(struct fixture_texts){.psf = psf, .par = "", .crd = crd},
                   "is it a parameter or topology file", "an empty file");
}

/* VMD writes names, some of which look like numbers, without a word for it in the first line. */
Test(hmd_input, names_that_look_like_numbers)
{
    char *plain = edited(psf, "PSF XPLOR", "PSF"), *one = edited(plain, "NA     1.0", "7      1.0");
    char *ion = edited(prm, "\nNA 0.0", "\n7 0.0"), *par = edited(ion, "\nNA AA", "\n7 AA");
    expect_same(&(struct fixture_texts){.psf = one, .par = par, .crd = crd}, "type 7");
    char *all[] = {plain, one, ion, par};
    for (int k = 0; k < 4; k++)
        free(all[k]);
}

Test(hmd_input, segments_without_a_name)
{
    char *p = edited(psf, "ION  1A ", "     1A "), *c = edited(crd, "ION  1A", "     1A");
    struct fixture_texts t = {.psf = p, .par = prm, .crd = c};
    expect_same(&t, "blank segment");
    free(p);
    free(c);
}

Test(hmd_input, types_by_number)
{
    static const char rtf[] = "* topology\n*\n   36  1\n\nMASS    12 AA    12.01100 C ! old\n"
                              "MASS    13 BB    12.01100 C\nmass    14 NA    22.98977\nEND\n";
    char *a = strdup(psf);
    memcpy(a, "PSF      ", 9);
    for (char *s;
         (s = strstr(a, "   AA ")) || (s = strstr(a, "   BB ")) || (s = strstr(a, "  NA  "));)
        memcpy(s, s[2] == 'N' ? "  14  " : s[3] == 'A' ? "   12 " : "   13 ", 6);
    struct fixture_texts t = {.psf = a, .top = rtf, .par = prm, .crd = crd};
    expect_same(&t, "numbers");
    t.top = NULL;
    expect_refused(&t, "12", "numbers without MASS lines");
    free(a);
}

Test(hmd_input, exclusions_of_the_file)
{
    /* The ion and atom 1 do not see each other. */
    char *p = edited(psf, "       0 !NNB\n\n       0       0       0       0       0\n",
                     "       1 !NNB\n       5\n       1       1       1       1       1\n");
    struct fixture_texts all = {.psf = psf, .par = prm, .crd = crd}, less = all;
    double with[ENERGY_NUMBERS], without[ENERGY_NUMBERS];
    less.psf = p;
    energies(&all, with, "all");
    energies(&less, without, "less");
    cr_expect_float_eq(with[ENERGY_ELEC] - without[ENERGY_ELEC],
                       SCHEME_COULOMB * -0.3 / sqrt(1 + 3.9 * 3.9 + 4), 1e-9);
    free(p);
}

/* Cut at any byte before the last section, the file is refused or all of it was there. */
Test(hmd_input, structures_cut_off)
{
    size_t needed = (size_t)(strstr(psf, "       0 !NDON") - psf) - 2;
    for (size_t n = 0; n < needed; n++) {
        char *cut = strndup(psf, n);
        struct fixture fx;
        struct fixture_texts t = {.psf = cut, .par = prm, .crd = crd};
        int status = fixture_make(&fx, &t, vacuum);
        cr_expect_eq(status, ERR_INPUT, "%zu bytes are taken for a PSF", n);
        cr_expect(!strncmp(fx.e.text, "psf:", 4), "%zu bytes: %s", n, fx.e.text);
        fixture_free(&fx);
        free(cut);
    }
}

Test(hmd_input, structures_refused)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"PSF XPLOR", "CRD", "psf:1: "},
        {"PSF XPLOR", "PSF XPLOR DRUDE", "Drude"},
        {"PSF XPLOR", "PSF XPLOR CMAP", "NCRTERM"},
        {"       0 !NDON", "       2       6 !NUMLP NUMLPH\n\n       0 !NDON", "!NUMLP"},
        {"       5 !NATOM", "       4 !NATOM", "psf:12: "},
        {"       5 !NATOM", "       6 !NATOM", "psf:"},
        {"       5 !NATOM", "      -5 !NATOM", "-5"},
        {"       5 !NATOM", " 2000000000 !NATOM", "2000000000"},
        {"       5 !NATOM", "99999999999999999999 !NATOM", "99999999999999999999"},
        {"       3 !NBOND", "       4 !NBOND", "psf:"},
        {"       3 !NBOND", "      -3 !NBOND", "-3"},
        {"       3 !NBOND", "   30000 !NBOND", "30000"},
        {"       1       2       2 ", "       1       2       6 ", "'6'"},
        {"       1       2       2 ", "       1       2       0 ", "'0'"},
        {"       1       2       2 ", "       1       x       2 ", "'x'"},
        {"-0.300000", "nan", "psf:8: "},
        {"-0.300000", "inf", "psf:8: "},
        {"12.0110", "0.0", "psf:8: "},
        {"12.0110", "-12.0", "psf:8: "},
        {"       2       1       3       4\n", "", "psf:"},
        {"AA    -0.3", "ZZ    -0.3", "ZZ"},
        {"       1       2       2       3", "       1       4       2       3", "AA"},
        {"       1       2       2       3", "       1       2       2       2", "twice"},
        {"       1       2       3       2", "       1       2       1       2", "!NTHETA"},
        {"       1       2       3       2", "       1       2       1       2", "atom 1 twice"},
        {"       2       1       3       4", "       2       1       3       2", "atom 2 twice"},
        {"       3 !NBOND", "       2 !NBOND", "!NBOND"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = edited(psf, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = text, .par = prm, .crd = crd};
        expect_refused(&t, edit[i].say, edit[i].to);
        free(text);
    }
}

/* ---- parameters --------------------------------------------------------------------------- */

Test(hmd_input, parameters_in_other_forms)
{
    static const struct {
        const char *from, *to, *what;
    } edit[] = {
        {"BONDS\nAA BB", "bond ! here\nBB AA", "lower case, other order"},
        {"ANGLES\nAA BB BB", "THETAS\n! x\nBB BB AA", "THETAS"},
        {"DIHEDRALS", "PHI", "PHI"},
        {"IMPROPER\n", "IMPHI\n", "IMPHI"},
        {"NONBONDED", "NBONDED", "NBONDED"},
        {"IMPROPER\nBB X X AA", "IMPROPERS\nAA X X BB", "improper backwards"},
        {"BONDS", "ATOMS\nMASS -1 AA 12.011\nMASS -1 BB 12.011\nMASS -1 NA 22.99\n\nBONDS", "MASS"},
        {"AA BB 300.0", "AA BB 1.0 1.0\nAA BB 300.0", "the last one counts"},
        {"X BB BB X 1.0", "X AA BB X 9.0 2 0.0\nX BB BB X 1.0", "another wildcard"},
        {"vswitch -\ncutnb 14.0 ctofnb", "vswitch - ! more\n cutnb 14.0 -\n   ctofnb",
         "three lines"},
        {"AA BB 300.0 1.5", "AA BB -\n 300.0 -\n 1.5", "a bond over three lines"},
        {"AA BB 300.0 1.5", "AA\tBB\t3.0D2\t1.5", "tabs and D"},
        {"AA BB 300.0 1.5", "AA BB 300. +.15d+1", "Fortran's forms of numbers"},
        {"-0.05 2.1", "-.05 2100.0E-3", "more of them"},
        {"BONDS\n", "SET X 1\nBONDS\n", "commands of CHARMM before the first section"},
        {"HBOND CUTHB 0.5", "NBTHOLE\nAA NA 0.5\nHBOND CUTHB 0.5", "a section for Drude particles"},
        {"NA AA -0.08 3.2", "aa na -0.08 3.2 -0.5 1.0", "NBFIX with 1-4"},
        {"HBOND CUTHB 0.5",
         "HBOND AEXP 4 REXP 6 HAEX 4 AAEX 0 NOACCEPTORS HBNOEXCLUSIONS -\n"
         " CUTHB 0.5 ! none\n!\nN* O* -0.0 2.0",
         "HBOND"},
        {"END\n", "END\nthis is behind the end\n", "behind END"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = edited(prm, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = psf, .par = text, .crd = crd};
        expect_same(&t, edit[i].what);
        free(text);
    }
}

/* One more file with `more`: energies that are those of the plain file with `from` as `to`. */
static void expect_replaced(const char *from, const char *to, const char *more)
{
    char *text = edited(prm, from, to);
    const struct fixture_texts one = {.psf = psf, .par = text, .crd = crd};
    const struct fixture_texts two = {.psf = psf, .par = prm, .str = more, .crd = crd};
    double want[ENERGY_NUMBERS], got[ENERGY_NUMBERS], plain[ENERGY_NUMBERS], moved = 0;
    energies(&(struct fixture_texts){.psf = psf, .par = prm, .crd = crd}, plain, "plain");
    energies(&one, want, to);
    energies(&two, got, more);
    for (int k = 0; k < ENERGY_TERMS; k++) {
        cr_expect_float_eq(got[k], want[k], 1e-12 * (1 + fabs(want[k])), "%s: %s %.15g, not %.15g",
                           more, energy_names[k], got[k], want[k]);
        moved += fabs(got[k] - plain[k]);
    }
    cr_expect(moved > 1e-6, "%s changes nothing", more);
    free(text);
}

Test(hmd_input, what_comes_later_counts)
{
    expect_replaced("AA BB 300.0", "AA BB 250.0", "BONDS\nBB AA 250.0 1.5\n");
    expect_replaced("50.0 110.0 10.0 2.5", "50.0 110.0", "ANGLES\nAA BB BB 50.0 110.0\n");
    expect_replaced("AA BB BB AA 0.7 1 180.0\nAA BB BB AA 0.3 2 0.0", "AA BB BB AA 0.2 4 0.0",
                    "read para card append\n* more\n*\nPHI\nAA BB BB AA 0.2 4 0.0\nEND\n");
    expect_replaced("20.0 0 10.0", "25.0 0 10.0", "IMPROPER\nAA X X BB 25.0 0 10.0\n");
    expect_replaced("-0.08 3.2", "-0.09 3.1", "NBFIX\nAA NA -0.09 3.1\n");
    expect_replaced("NA 0.0 -0.0469 1.36", "NA 0.0 -0.06 1.5",
                    "NONBONDED e14fac 1.0\nNA 0.0 -0.06 1.5\n");
}

/* CHARMM's order: all four types, then one or two wildcards as param.c says. */
Test(hmd_input, wildcards_in_their_order)
{
    static const struct {
        const char *name, *of;
        int n;
        const char *line[5];
    } table[] = {{"dihedral", "AA BB BB AA", 3, {"AA BB BB AA", "X BB BB AA", "X BB BB X"}},
                 {"improper",
                  "BB AA BB AA",
                  5,
                  {"BB AA BB AA", "BB X X AA", "X AA BB AA", "X AA BB X", "X X BB AA"}}};
    for (int t = 0; t < 2; t++)
        for (int best = 0; best < table[t].n; best++)
            for (int turn = 0; turn < 2; turn++) {
                struct param p;
                struct err e = {0};
                char text[512] = "", line[80];
                strcpy(text, t ? "IMPROPER\n" : "DIHEDRALS\n");
                for (int k = best; k < table[t].n; k++) { /* the better ones last, or first */
                    int at = turn ? k : table[t].n - 1 - (k - best);
                    snprintf(line, sizeof line, "%s %d.5 %d 0.0\n", table[t].line[at], at + 1,
                             t ? 0 : 2);
                    strcat(text, line);
                }
                param_init(&p);
                struct text in;
                text_open(&in, "par", text, strlen(text));
                cr_assert_eq(param_read(&p, &in, 0, &e), 0, "%s", e.text);
                int aa = param_type_of(&p, "AA"), bb = param_type_of(&p, "BB");
                const int key[2][4] = {{aa, bb, bb, aa}, {bb, aa, bb, aa}};
                const struct param_term *q = (t ? param_improper : param_dihedral)(&p, key[t]);
                cr_expect(q && q->v[0] == best + 1.5, "%s %s: %g, not %d.5", table[t].name,
                          table[t].of, q ? q->v[0] : 0, best + 1);
                param_free(&p);
            }
}

/* The head of NONBONDED says how the force field is to be computed. */
Test(hmd_input, options_of_the_nonbonded_line)
{
    char *text = edited(prm,
                        "NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch -\n"
                        "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5",
                        "nonb nbxm 5 atom cdie fshi vato vdis vfsw -\n cutnb 13.5 ctofnb 11.5 - "
                        "! more\nctonnb 9. eps 2.0 e14fac .4 wmin 1.5");
    char *now = edited(text, "nbxm 5", "nbxmod 5");
    static const struct fixture_texts plain = {.psf = psf, .par = prm, .crd = crd};
    const struct fixture_texts t = {.psf = psf, .par = now, .crd = crd};
    struct fixture fx;
    double all[ENERGY_NUMBERS], got[ENERGY_NUMBERS];
    energies(&plain, all, "plain");
    energies(&t, got, "options");
    double r = sqrt(3.6 * 3.6 + 1.3 * 1.3 + 0.36), one14 = SCHEME_COULOMB * 0.27 / r;
    cr_expect_float_eq(got[ENERGY_ELEC], (all[ENERGY_ELEC] - 0.6 * one14) / 2, 1e-9);
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0);
    const struct param_options *o = &fx.param.options;
    cr_expect(o->cutnb == 13.5 && o->ctofnb == 11.5 && o->ctonnb == 9);
    cr_expect(!strcmp(o->elec, "fshift") && !strcmp(o->vdw, "vfswitch"), "%s %s", o->elec, o->vdw);
    fixture_free(&fx);
    free(text);
    free(now);
}

/* Pairs that NBXMOD takes out: ELEC by hand over the five charges. */
Test(hmd_input, nbxmod)
{
    static const double at[5][4] = {{0, 0, 0, -0.3},
                                    {1.45, 0.2, 0.1, 0.1},
                                    {2.1, 1.4, -0.2, 0.1},
                                    {3.6, 1.3, 0.6, -0.9},
                                    {1, 3.9, 2, 1}};
    char *own = edited(psf, "       0 !NNB\n\n       0       0       0       0       0\n",
                       "       1 !NNB\n       5\n       1       1       1       1       1\n");
    for (int mode = -5; mode <= 5; mode += mode == -2 ? 4 : 1) {
        char to[32];
        double want = 0, got[ENERGY_NUMBERS];
        snprintf(to, sizeof to, "nbxmod %d", mode);
        char *text = edited(prm, "nbxmod 5", to);
        const struct fixture_texts t = {.psf = own, .par = text, .crd = crd};
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++) {
                int apart = j == 4 ? 9 : j - i; /* bonds between them */
                double d2 = 0;
                for (int k = 0; k < 3; k++)
                    d2 += (at[i][k] - at[j][k]) * (at[i][k] - at[j][k]);
                if (apart < abs(mode) - (abs(mode) == 5) && !(apart == 3 && abs(mode) == 5))
                    continue;
                if (i == 0 && j == 4 && mode > 0)
                    continue;
                want += SCHEME_COULOMB * at[i][3] * at[j][3] / sqrt(d2);
            }
        energies(&t, got, to);
        cr_expect_float_eq(got[ENERGY_ELEC], want, 1e-9, "%s: %g, not %g", to, got[ENERGY_ELEC],
                           want);
        free(text);
    }
    free(own);
}

Test(hmd_input, parameters_in_a_stream)
{
    char stream[4096];
    const char *body = strstr(prm, "BONDS");
    snprintf(stream, sizeof stream,
             "* stream\n*\n\nioformat extended\nread rtf card append\n* title\n*\n36 1\n"
             "MASS -1 AA 12.011 C\nRESI SOD 1.00\nATOM SOD NA 1.00\nEND\n\n"
             "read para card flex append\n* title\n*\n%sRETURN\n",
             body);
    struct fixture_texts t = {.psf = psf, .str = stream, .crd = crd};
    expect_same(&t, "stream");
}

Test(hmd_input, parameters_refused)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"AA BB 300.0 1.5", "", "AA"},
        {"AA BB 300.0 1.5", "AA BB 300.0", "par:5: "},
        {"AA BB 300.0 1.5", "AA BB nan 1.5", "par:5: "},
        {"AA BB BB 50.0 110.0 10.0 2.5", "", "AA"},
        {"AA BB BB 50.0 110.0 10.0 2.5", "AA BB BB 50.0 110.0 10.0", "par:9: "},
        {"BB X X AA 20.0 0 10.0", "", "BB"},
        {"AA BB BB AA 0.7 1 180.0", "AA BB BB AA 0.7 1.5 180.0", "par:13: "},
        {"NA 0.0 -0.0469 1.36\n", "", "NA"},
        {"NA 0.0 -0.0469", "NA 0.0 0.0469", "par: the Lennard-Jones line of type NA (line 23)"},
        {"BB 0.0 -0.05 2.1", "BB 0.0 -0.05", "par:"},
        {"eps 1.0", "eps 0.0", "EPS"},
        {"eps 1.0", "eps", "EPS"},
        {"nbxmod 5", "nbxmod 1", "NBXMOD"},
        {"nbxmod 5", "nbxmod 4.5", "NBXMOD"},
        {"cdiel", "rdiel", "RDIE"},
        {"atom", "group", "par:20: GROUP: "},
        {"vatom", "vgroup", "par:20: VGROUP: "},
        {"AA BB 300.0 1.5", "AA BB -\n-\n-\n-\nCC 300.0 1.5", "par:9: "},
        {"vdistance", "lrc", "par:20: LRC: "},
        {"wmin", "wmim", "par:20: WMIM: "},
        {"cutnb 14.0", "cutnb", "par:20: CUTNB: "},
        {"cutnb 14.0", "fftx 0.5", "par:20: FFTX: "},
        {"IMPROPER\n", "CMAP\nAA BB BB AA AA BB BB AA 24\n0.1 0.2\nIMPROPER\n", "CMAP"},
        {"IMPROPER\n", "CMAP\nAA BB BB AA AA BB BB AA 1000000\n0.1 0.2\nIMPROPER\n", "CMAP"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = edited(prm, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = psf, .par = text, .crd = crd};
        expect_refused(&t, edit[i].say, *edit[i].to ? edit[i].to : edit[i].from);
        free(text);
    }
}

/* ---- coordinates -------------------------------------------------------------------------- */

static const char pdb[] =
    "REMARK made by hand\nCRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n"
    "HETATM    1 SOD  SOD B   1A      1.000   3.900   2.000  1.00  0.00      ION\n"
    "ATOM      2  A4  RES A   1       3.600   1.300   0.600  1.00  0.00      CHN\n"
    "ATOM      3  A3  RES A   1       2.100   1.400  -0.200  1.00  0.00      CHN\n"
    "TER\n"
    "ATOM      4  A2  RES A   1       1.450   0.200   0.100  1.00  0.00      CHN\n"
    "ATOM      5  A1  RES A   1       0.000   0.000   0.000  1.00  0.00      CHN\nEND\n";

Test(hmd_input, coordinates_in_other_forms)
{
    static const struct {
        const char *from, *to, *what;
    } edit[] = {
        {"    5\n", "         5  EXT\n", "EXT by words"},
        {"* title\n*\n", "", "no title"},
        {"    5\n", "5\n", "number at the left"},
        {"RES  A1 ", "res  a1 ", "lower case"},
        {"    1    1 RES  A1     0.00000   0.00000   0.00000 CHN  1 ",
         "1\t1\tRES\tA1\t0.0\t0.0\t0.0\tCHN\t1", "tabs"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = edited(crd, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = psf, .par = prm, .crd = text};
        expect_same(&t, edit[i].what);
        free(text);
    }
    struct fixture_texts t = {.psf = psf, .par = prm, .pdb = pdb};
    expect_same(&t, "PDB in another order");
}

Test(hmd_input, coordinates_refused)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"    5\n", "    6\n", "complete"}, {"    5\n", "    4\n", "crd"},
        {"    5\n", "   -5\n", "-5"},       {"    5\n", "99999999999\n", "99999999999"},
        {"1.45000", "    nan", "crd:5: "},  {"1.45000", "    inf", "crd:5: "},
        {"1.45000", "*******", "crd:5: "},  {"RES  A2 ", "RES  B2 ", "B2"},
        {"RES  A2 ", "RES  A1 ", "twice"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = edited(crd, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = psf, .par = prm, .crd = text};
        expect_refused(&t, edit[i].say, edit[i].to);
        free(text);
    }
    char *text = edited(pdb, "1.450", "  nan");
    struct fixture_texts t = {.psf = psf, .par = prm, .pdb = text};
    expect_refused(&t, "A2", "PDB with NaN");
    free(text);
    t.pdb = "REMARK nothing\nEND\n";
    expect_refused(&t, "no ATOM", "empty PDB");
    text = edited(
        pdb, "ATOM      4  A2  RES A   1       1.450   0.200   0.100  1.00  0.00      CHN\n", "");
    t.pdb = text;
    expect_refused(&t, "A2", "an atom is missing in the PDB");
    free(text);
}

/* ---- coordinates by their places ------------------------------------------------------------- */

/* Energies of a structure and a coordinate file whose names do not go together everywhere are those
 * of the plain ones, and the note says `say`. */
static void expect_by_places(const char *structure, const char *coordinates, const char *say)
{
    static const struct fixture_texts plain = {.psf = psf, .par = prm, .crd = crd};
    double want[ENERGY_NUMBERS], got[ENERGY_NUMBERS];
    struct fixture_texts t = {.psf = structure, .par = prm, .crd = coordinates};
    struct scheme s = scheme_none();
    struct fixture fx;
    energies(&plain, want, "plain");
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0, "%s", fx.e.text);
    fixture_energy(&fx, &s, s.roff, 1, got);
    cr_expect(strstr(fx.note.text, say), "'%s' lacks '%s'", fx.note.text, say);
    for (int k = 0; k < ENERGY_TERMS; k++)
        cr_expect_float_eq(got[k], want[k], 1e-12 * (1 + fabs(want[k])), "%s", energy_names[k]);
    fixture_free(&fx);
}

/* As some programs write them: an element for a name, in the structure only or in both files. */
static char *with_elements(const char *text, const char *before)
{
    char *out = strdup(text), from[16];
    for (int i = 1; i <= 4; i++) {
        snprintf(from, sizeof from, "%sA%d ", before, i);
        char *at = strstr(out, from);
        cr_assert(at);
        memcpy(at + strlen(before), "A ", 2);
    }
    return out;
}

Test(hmd_input, coordinates_by_their_places)
{
    char *p = with_elements(psf, "RES  "), *c = with_elements(crd, "RES  ");
    expect_by_places(p, crd,
                     "crd: atoms are taken in the order of the PSF, which has more than "
                     "one CHN RES 1 A");
    expect_by_places(p, c, "more than one CHN RES 1 A");
    free(c);
    c = edited(crd, "RES  A2 ", "RES  AX ");
    expect_by_places(psf, c,
                     "crd:5: atoms are taken in the order of the PSF: RES AX is called "
                     "RES A2 there");
    free(c);
    c = edited(crd, "SOD  SOD ", "ION  SOD "); /* another name for the residue */
    expect_by_places(p, c, "more than one");
    free(c);
    free(p);
}

Test(hmd_input, coordinates_that_are_in_no_order)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"    5\n", "    4\n", "crd: the file has 4 atoms, the PSF 5, more than one of them"},
        {"RES  A3 ", "RES  B3 ", "crd:6: atom CHN RES 1 B3 stands where the PSF has CHN RES 1 A"},
        {"RES  A3 ", "RET  Q3 ", "crd:6: "},
        {"SOD  SOD ", "CLA  CLA ", "crd:8: atom ION CLA 1A CLA stands where the PSF has ION SOD"},
    };
    char *p = with_elements(psf, "RES  ");
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = edited(crd, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = p, .par = prm, .crd = text};
        expect_refused(&t, edit[i].say, edit[i].to);
        free(text);
    }
    free(p);
    /* A name that belongs elsewhere: A4 would be taken for A1, and A1 for A4. */
    char *one = edited(crd, "RES  A1 ", "RES  A8 "), *two = edited(one, "RES  A4 ", "RES  A1 ");
    struct fixture_texts t = {.psf = psf, .par = prm, .crd = two};
    expect_refused(&t, "A8", "atoms in another order, one with another name");
    free(one);
    free(two);
}
