/* test_hmd_psf.c - the forms in which a structure may come, and what is refused (hmd_texts.h). */
#include "hmd_texts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double vacuum[3] = {0, 0, 0};

Test(hmd_psf, energies_by_hand)
{
    static const struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .crd = texts_crd};
    double term[ENERGY_NUMBERS];
    texts_energies(&t, term, "plain");
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

Test(hmd_psf, structures_in_other_forms)
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
        char *text = texts_edited(texts_psf, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = text, .par = texts_prm, .crd = texts_crd};
        if (strstr(edit[i].to, "CMAP")) { /* which promises cross terms */
            char *more =
                texts_edited(text, "       0 !NDON", "       0 !NCRTERM\n\n\n       0 !NDON");
            free(text);
            t.psf = text = more;
        }
        texts_expect_same(&t, edit[i].what);
        free(text);
    }
}

/* As psfgen writes large systems: free fields, remarks for titles, no groups. */
Test(hmd_psf, written_by_psfgen)
{
    static const char text[] =
        "PSF NAMD EXT CMAP XPLOR\n\n         4 !NTITLE\n"
        " REMARKS original generated structure x-plor psf file\n"
        " REMARKS topology top_all36_prot.rtf !old\n REMARKS segment CHN { first NONE; last NONE "
        "}\n"
        " REMARKS 5 !NATOM\n\n         5 !NATOM\n"
        "1 CHN 1 RES A1 AA -0.300000 12.0110 0\n2 CHN 1 RES A2 BB 0.100000 12.0110 0\n"
        "3 CHN 1 RES A3 BB 1e-1 12.0110 0\n4 CHN 1 RES A4 AA -0.900000 12.0110 0\n"
        "5 ION 1A SOD SOD NA 1.000000 22.9898 0\n\n"
        "         3 !NBOND: bonds\n1 2 2 3 3 4\n\n         2 !NTHETA: angles\n1 2 3 2 3 4\n\n"
        "         1 !NPHI: dihedrals\n1 2 3 4\n\n         1 !NIMPHI: impropers\n2 1 3 4\n\n"
        "         0 !NDON: donors\n\n\n         0 !NACC: acceptors\n\n\n         0 !NNB\n\n"
        "0 0 0 0 0 \n\n         1         0 !NGRP\n0 0 0 \n\n"
        "         0 !NCRTERM: cross-terms\n\n";
    struct fixture_texts t = {.psf = text, .par = texts_prm, .crd = texts_crd};
    texts_expect_same(&t, "psfgen");
}

Test(hmd_psf, line_ends_of_other_systems)
{
    char *p = texts_with_newlines(texts_psf, "\r\n"), *q = texts_with_newlines(texts_prm, "\r\n");
    char *c = texts_with_newlines(texts_crd, "\r\n");
    struct fixture_texts t = {.psf = p, .par = q, .crd = c};
    texts_expect_same(&t, "CRLF");
    free(p);
    free(q);
    free(c);
}

/* A byte order mark, lower case, blank lines between atoms: as editors and scripts leave them. */
Test(hmd_psf, files_from_editors)
{
    char *low = texts_with_newlines(texts_psf, "\n"),
         *marked = texts_edited(texts_psf, "PSF", "\xef\xbb\xbfPSF");
    for (char *c = low; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    char *gaps = texts_with_newlines(strchr(texts_crd, '5'), "\n \n");
    texts_expect_same(&(struct fixture_texts){.psf = low, .par = texts_prm, .crd = texts_crd},
                      "lower case");
    texts_expect_same(&(struct fixture_texts){.psf = marked, .par = texts_prm, .crd = texts_crd},
                      "a mark of UTF-8");
    texts_expect_same(&(struct fixture_texts){.psf = texts_psf, .par = texts_prm, .crd = gaps},
                      "blank lines");
    free(low);
    free(marked);
    free(gaps);
}

/* Files are known by what is in them: a parameter file as -top, and what is none. */
Test(hmd_psf, files_that_stand_for_each_other)
{
    static const char rtf[] = "* t\n*\n31 1\nMASS 1 QQ 12.0\nRESI RES 0.0\nATOM A1 AA 0.0\n"
                              "IC A B C D 1.0 2.0 3.0\nIMPR A B C D\nEND\n";
    texts_expect_same(
        &(struct fixture_texts){.psf = texts_psf, .top = texts_prm, .par = rtf, .crd = texts_crd},
        "exchanged");
    texts_expect_refused(
        &(struct fixture_texts){.psf = texts_psf, .par = texts_psf, .crd = texts_crd},
        "is it a parameter or topology file", "a PSF as parameters");
    texts_expect_refused(&(struct fixture_texts){.psf = texts_psf, .par = "", .crd = texts_crd},
                         "is it a parameter or topology file", "an empty file");
}

/* VMD writes names, some of which look like numbers, without a word for it in the first line. */
Test(hmd_psf, names_that_look_like_numbers)
{
    char *plain = texts_edited(texts_psf, "PSF XPLOR", "PSF"),
         *one = texts_edited(plain, "NA     1.0", "7      1.0");
    char *ion = texts_edited(texts_prm, "\nNA 0.0", "\n7 0.0"),
         *par = texts_edited(ion, "\nNA AA", "\n7 AA");
    texts_expect_same(&(struct fixture_texts){.psf = one, .par = par, .crd = texts_crd}, "type 7");
    char *all[] = {plain, one, ion, par};
    for (int k = 0; k < 4; k++)
        free(all[k]);
}

Test(hmd_psf, segments_without_a_name)
{
    char *p = texts_edited(texts_psf, "ION  1A ", "     1A "),
         *c = texts_edited(texts_crd, "ION  1A", "     1A");
    struct fixture_texts t = {.psf = p, .par = texts_prm, .crd = c};
    texts_expect_same(&t, "blank segment");
    free(p);
    free(c);
}

Test(hmd_psf, types_by_number)
{
    static const char rtf[] = "* topology\n*\n   36  1\n\nMASS    12 AA    12.01100 C ! old\n"
                              "MASS    13 BB    12.01100 C\nmass    14 NA    22.98977\nEND\n";
    char *a = strdup(texts_psf);
    memcpy(a, "PSF      ", 9);
    for (char *s;
         (s = strstr(a, "   AA ")) || (s = strstr(a, "   BB ")) || (s = strstr(a, "  NA  "));)
        memcpy(s, s[2] == 'N' ? "  14  " : s[3] == 'A' ? "   12 " : "   13 ", 6);
    struct fixture_texts t = {.psf = a, .top = rtf, .par = texts_prm, .crd = texts_crd};
    texts_expect_same(&t, "numbers");
    t.top = NULL;
    texts_expect_refused(&t, "12", "numbers without MASS lines");
    free(a);
}

Test(hmd_psf, exclusions_of_the_file)
{
    /* The ion and atom 1 do not see each other. */
    char *p = texts_edited(texts_psf, "       0 !NNB\n\n       0       0       0       0       0\n",
                           "       1 !NNB\n       5\n       1       1       1       1       1\n");
    struct fixture_texts all = {.psf = texts_psf, .par = texts_prm, .crd = texts_crd}, less = all;
    double with[ENERGY_NUMBERS], without[ENERGY_NUMBERS];
    less.psf = p;
    texts_energies(&all, with, "all");
    texts_energies(&less, without, "less");
    cr_expect_float_eq(with[ENERGY_ELEC] - without[ENERGY_ELEC],
                       SCHEME_COULOMB * -0.3 / sqrt(1 + 3.9 * 3.9 + 4), 1e-9);
    free(p);
}

/* Cut at any byte before the last section, the file is refused or all of it was there. */
Test(hmd_psf, structures_cut_off)
{
    size_t needed = (size_t)(strstr(texts_psf, "       0 !NDON") - texts_psf) - 2;
    for (size_t n = 0; n < needed; n++) {
        char *cut = strndup(texts_psf, n);
        struct fixture fx;
        struct fixture_texts t = {.psf = cut, .par = texts_prm, .crd = texts_crd};
        int status = fixture_make(&fx, &t, vacuum);
        cr_expect_eq(status, ERR_INPUT, "%zu bytes are taken for a PSF", n);
        cr_expect(strncmp(fx.e.text, "psf:", 4) == 0, "%zu bytes: %s", n, fx.e.text);
        fixture_free(&fx);
        free(cut);
    }
}

Test(hmd_psf, structures_refused)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"PSF XPLOR", "CRD", "psf:1: "},
        {"PSF XPLOR", "PSF XPLOR DRUDE", "Drude"},
        {"PSF XPLOR", "PSF XPLOR CMAP", "NCRTERM"},
        {"       0 !NDON", "       2       6 !NUMLP NUMLPH\n\n       0 !NDON", "!NUMLP"},
        {"22.9898       0", "22.9898       O", "psf:12: "},
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
        {"AA    -0.3", "ALONGNAMEOFATYPE -0.3", "a type of more than 15 letters"},
        {"A1   AA", "ALONGNAMEOFATOM1 AA", "a name of more than 15 letters"},
        {"       1       2       2       3", "       1       4       2       3", "AA"},
        {"       1       2       2       3", "       1       2       2       2", "twice"},
        {"       1       2       3       2", "       1       2       1       2", "!NTHETA"},
        {"       1       2       3       2", "       1       2       1       2", "atom 1 twice"},
        {"       2       1       3       4", "       2       1       3       2", "atom 2 twice"},
        {"       3 !NBOND", "       2 !NBOND", "!NBOND"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = texts_edited(texts_psf, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = text, .par = texts_prm, .crd = texts_crd};
        texts_expect_refused(&t, edit[i].say, edit[i].to);
        free(text);
    }
}
