/* test_hmd_coor.c - the forms in which coordinates may come, how they are matched to the
 * structure, and what is refused (hmd_texts.h). */
#include "hmd_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double vacuum[3] = {0, 0, 0};

static const char pdb[] =
    "REMARK made by hand\nCRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n"
    "HETATM    1 SOD  SOD B   1A      1.000   3.900   2.000  1.00  0.00      ION\n"
    "ATOM      2  A4  RES A   1       3.600   1.300   0.600  1.00  0.00      CHN\n"
    "ATOM      3  A3  RES A   1       2.100   1.400  -0.200  1.00  0.00      CHN\n"
    "TER\n"
    "ATOM      4  A2  RES A   1       1.450   0.200   0.100  1.00  0.00      CHN\n"
    "ATOM      5  A1  RES A   1       0.000   0.000   0.000  1.00  0.00      CHN\nEND\n";

Test(hmd_coor, coordinates_in_other_forms)
{
    static const struct {
        const char *from, *to, *what;
    } edit[] = {
        {"    5\n", "         5  EXT\n", "EXT by words"},
        {"* title\n*\n", "", "no title"},
        {"    5\n", "5\n", "number at the left"},
        {"RES  A1 ", "res  a1 ", "lower case"},
        {"CHN  1      0.00000", "CHN  1", "no weight"},
        {"    1    1 RES  A1     0.00000   0.00000   0.00000 CHN  1 ",
         "1\t1\tRES\tA1\t0.0\t0.0\t0.0\tCHN\t1", "tabs"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = texts_edited(texts_crd, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .crd = text};
        texts_expect_same(&t, edit[i].what);
        free(text);
    }
    struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .pdb = pdb};
    texts_expect_same(&t, "PDB in another order");
}

Test(hmd_coor, coordinates_refused)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"    5\n", "    6\n", "complete"},
        {"    5\n", "    4\n", "crd"},
        {"    5\n", "   -5\n", "-5"},
        {"    5\n", "99999999999\n", "99999999999"},
        {"1.45000", "    nan", "crd:5: "},
        {"1.45000", "    inf", "crd:5: "},
        {"1.45000", "*******", "crd:5: "},
        {"RES  A2 ", "RES  B2 ", "B2"},
        {"RES  A2 ", "RES  A1 ", "twice"},
        {"CHN  1      0.00000", "CHN  1      0.0o000", "crd:4: "},
        {"CHN  1      0.00000", "CHN  1    **********", "crd:4: "},
        {"   0.00000 CHN  1      0.00000", " 0.0 CHN 1 heavy", "crd:4: "},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = texts_edited(texts_crd, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .crd = text};
        texts_expect_refused(&t, edit[i].say, edit[i].to);
        free(text);
    }
    char *text = texts_edited(pdb, "1.450", "  nan");
    struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .pdb = text};
    texts_expect_refused(&t, "A2", "PDB with NaN");
    free(text);
    text = texts_edited(pdb, "-0.200  1.00  0.00", "-0.200  1.00  0.o0");
    t.pdb = text;
    texts_expect_refused(&t, "pdb:5: the temperature factor of atom RES 1 A3 is '0.o0'", "PDB");
    free(text);
    t.pdb = "REMARK nothing\nEND\n";
    texts_expect_refused(&t, "no ATOM", "empty PDB");
    text = texts_edited(
        pdb, "ATOM      4  A2  RES A   1       1.450   0.200   0.100  1.00  0.00      CHN\n", "");
    t.pdb = text;
    texts_expect_refused(&t, "A2", "an atom is missing in the PDB");
    free(text);
}

/* Residue numbers of five digits, of which a PDB has four columns, differ in the last. */
Test(hmd_coor, a_pdb_comes_back)
{
    char path[] = "/tmp/hmd_pdb.XXXXXX";
    char *one = texts_edited(texts_psf, "ION  1A ", "ION  10000 "),
         *psf = texts_edited(one, "CHN  1    RES  A4", "ION  10001 RES  A4");
    struct fixture_texts t = {.psf = psf, .par = texts_prm};
    struct fixture fx, back;
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0, "%s", fx.e.text);
    for (int i = 0; i < 15; i++)
        fx.x[i] = i * 1.125 - 5;
    const struct coor_set set = {fx.x, NULL};
    close(mkstemp(path));
    cr_assert_eq(pdb_write(path, &fx.psf, &set, NULL, &fx.system.cell, &fx.e), 0, "%s", fx.e.text);
    FILE *file = fopen(path, "r");
    char text[4096];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    unlink(path);
    t.pdb = text;
    cr_assert_eq(fixture_make(&back, &t, vacuum), 0, "%s", back.e.text);
    cr_expect_str_empty(back.note.text);
    for (int i = 0; i < 15; i++)
        cr_expect_float_eq(back.x[i], fx.x[i], 1e-9);
    fixture_free(&back);
    fixture_free(&fx);
    free(one);
    free(psf);
}

/* What does not fit the columns would be read back as another number, or as none. */
Test(hmd_coor, a_pdb_has_no_room_for_distant_atoms)
{
    char path[] = "/tmp/hmd_pdb.XXXXXX";
    const double fits[] = {-999.999, 9999.999}, distant[] = {-1000, 10000};
    struct fixture_texts t = {.psf = texts_psf, .par = texts_prm};
    struct fixture fx;
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0, "%s", fx.e.text);
    memset(fx.x, 0, 15 * sizeof *fx.x);
    const struct coor_set set = {fx.x, NULL};
    const unsigned char others[] = {1, 1, 0, 1, 1};
    close(mkstemp(path));
    for (int i = 0; i < 2; i++) {
        fx.x[7] = fits[i];
        cr_expect_eq(pdb_write(path, &fx.psf, &set, NULL, &fx.system.cell, &fx.e), 0);
        fx.x[7] = distant[i];
        cr_expect_eq(pdb_write(path, &fx.psf, &set, NULL, &fx.system.cell, &fx.e), ERR_RUN);
        cr_expect(strstr(fx.e.text, "no room: write a CRD"), "%s", fx.e.text);
        cr_expect_eq(pdb_write(path, &fx.psf, &set, others, &fx.system.cell, &fx.e), 0);
    }
    unlink(path);
    fixture_free(&fx);
}

/* CHARMM's mark of an atom without a place, and one that no number of digits reaches. */
Test(hmd_coor, places_that_are_none)
{
    static const char a2[] = "1.45000   0.20000   0.10000";
    static const struct {
        const char *to, *say;
    } edit[] = {
        {"9999.00000 9999.00000 9999.00000",
         "crd: atom CHN RES 1 A2 is at 9999, 9999, 9999: that is CHARMM"},
        {"1.45000 1e300 0.10000", "too far away"},
        {"-4e7 0.20000 0.10000", "crd: atom CHN RES 1 A2 is at -4e+07"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = texts_edited(texts_crd, a2, edit[i].to);
        struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .crd = text};
        texts_expect_refused(&t, edit[i].say, edit[i].to);
        free(text);
    }
}

/* ---- coordinates by their places ------------------------------------------------------------- */

/* Energies of a structure and a coordinate file whose names do not go together everywhere are those
 * of the plain ones, and the note says `say`. */
static void expect_by_places(const char *structure, const char *coordinates, const char *say)
{
    static const struct fixture_texts plain = {
        .psf = texts_psf, .par = texts_prm, .crd = texts_crd};
    double want[ENERGY_NUMBERS], got[ENERGY_NUMBERS];
    struct fixture_texts t = {.psf = structure, .par = texts_prm, .crd = coordinates};
    struct scheme s = scheme_none();
    struct fixture fx;
    texts_energies(&plain, want, "plain");
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

Test(hmd_coor, coordinates_by_their_places)
{
    char *p = with_elements(texts_psf, "RES  "), *c = with_elements(texts_crd, "RES  ");
    expect_by_places(p, texts_crd,
                     "crd: atoms are taken in the order of the PSF, which has more than "
                     "one CHN RES 1 A");
    expect_by_places(p, c, "more than one CHN RES 1 A");
    free(c);
    c = texts_edited(texts_crd, "RES  A2 ", "RES  AX ");
    expect_by_places(texts_psf, c,
                     "crd:5: atoms are taken in the order of the PSF: RES AX is called "
                     "RES A2 there");
    free(c);
    c = texts_edited(texts_crd, "SOD  SOD ", "ION  SOD "); /* another name for the residue */
    expect_by_places(p, c, "more than one");
    free(c);
    free(p);
}

Test(hmd_coor, coordinates_that_are_in_no_order)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"    5\n", "    4\n", "crd: the file has 4 atoms, the PSF 5, more than one of them"},
        {"RES  A3 ", "RES  B3 ", "crd:6: atom CHN RES 1 B3 is where the PSF has CHN RES 1 A"},
        {"RES  A3 ", "RET  Q3 ", "crd:6: "},
        {"SOD  SOD ", "CLA  CLA ", "crd:8: atom ION CLA 1A CLA is where the PSF has ION SOD"},
    };
    char *p = with_elements(texts_psf, "RES  ");
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = texts_edited(texts_crd, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = p, .par = texts_prm, .crd = text};
        texts_expect_refused(&t, edit[i].say, edit[i].to);
        free(text);
    }
    free(p);
    /* A name that belongs elsewhere: A4 would be taken for A1, and A1 for A4. */
    char *one = texts_edited(texts_crd, "RES  A1 ", "RES  A8 "),
         *two = texts_edited(one, "RES  A4 ", "RES  A1 ");
    struct fixture_texts t = {.psf = texts_psf, .par = texts_prm, .crd = two};
    texts_expect_refused(&t, "A8", "atoms in another order, one with another name");
    free(one);
    free(two);
}
