/* test_hmd_param.c - the forms in which parameters may come, how they are chosen, and what is
 * refused (hmd_texts.h). */
#include "hmd_command.h"
#include "hmd_texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double vacuum[3] = {0, 0, 0};

Test(hmd_param, parameters_in_other_forms)
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
        {"atom cdiel shift vatom vdistance vswitch", "ATOMS CDIELEC SHIFTED VATOMS VDIST VSWITCHED",
         "words spelled out"},
        {"wmin 1.5", "wmin 1.5 norxn nofma nograd noquad wrnmxd 0.5 ctexnb 999 nbscale 1.2",
         "words that change nothing"},
        {"AA BB 300.0 1.5", "AA BB -\n 300.0 -\n 1.5", "a bond over three lines"},
        {"AA BB 300.0 1.5", "AA\tBB\t3.0D2\t1.5", "tabs and D"},
        {"AA BB 300.0 1.5", "AA BB 300. +.15d+1", "Fortran's forms of numbers"},
        {"-0.05 2.1", "-.05 2100.0E-3", "more of them"},
        {"BONDS\n", "SET X 1\nBONDS\n", "commands of CHARMM before the first section"},
        {"HBOND CUTHB 0.5", "NBTHOLE\nAA NA 0.5\nHBOND CUTHB 0.5", "a section for Drude particles"},
        {"NA AA -0.08 3.2", "aa na -0.08 3.2 -0.5 1.0", "NBFIX with 1-4"},
        {"NA AA -0.08 3.2", "aa na -0.08 3.2 -0.5", "NBFIX with a 1-4 energy"},
        {"HBOND CUTHB 0.5",
         "HBOND AEXP 4 REXP 6 HAEX 4 AAEX 0 NOACCEPTORS HBNOEXCLUSIONS -\n"
         " CUTHB 0.5 ! none\n!\nN* O* -0.0 2.0",
         "HBOND"},
        {"NA 0.0 -0.0469 1.36", "NA 0.0 -0.3 1.1\n*NA 0.0 -0.0469 1.36", "a wildcard in front"},
        {"NA AA -0.08 3.2", "NA AA -0.3 1.1\n*A NA -0.08 3.2", "a wildcard of NBFIX"},
        {"END\n", "END\nthis is behind the end\n", "behind END"},
        {"END\n", "END\nBONDS\nAA BB 1.0 1.0\nno bond\nread para card\n", "a section behind END"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = texts_edited(texts_prm, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = texts_psf, .par = text, .crd = texts_crd};
        texts_expect_same(&t, edit[i].what);
        free(text);
    }
}

/* One more file with `more`: energies that are those of the plain file with `from` as `to`. */
static void expect_replaced(const char *from, const char *to, const char *more)
{
    char *text = texts_edited(texts_prm, from, to);
    const struct fixture_texts one = {.psf = texts_psf, .par = text, .crd = texts_crd};
    const struct fixture_texts two = {
        .psf = texts_psf, .par = texts_prm, .str = more, .crd = texts_crd};
    double want[ENERGY_NUMBERS], got[ENERGY_NUMBERS], plain[ENERGY_NUMBERS], moved = 0;
    texts_energies(&(struct fixture_texts){.psf = texts_psf, .par = texts_prm, .crd = texts_crd},
                   plain, "plain");
    texts_energies(&one, want, to);
    texts_energies(&two, got, more);
    for (int k = 0; k < ENERGY_TERMS; k++) {
        cr_expect_float_eq(got[k], want[k], 1e-12 * (1 + fabs(want[k])), "%s: %s %.15g, not %.15g",
                           more, energy_names[k], got[k], want[k]);
        moved += fabs(got[k] - plain[k]);
    }
    cr_expect(moved > 1e-6, "%s changes nothing", more);
    free(text);
}

Test(hmd_param, what_comes_later_counts)
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

/* What files of the OPLS force field have: Rmin by geometric means, wildcards for everything. */
Test(hmd_param, forms_of_opls)
{
    expect_replaced("wmin 1.5", "wmin 1.5 geom",
                    "NBFIX\nBB NA -0.0484252000512130 3.3799408278844174\n");
    expect_replaced("X BB BB X 1.0 3 0.0\nAA BB BB AA 0.7 1 180.0\nAA BB BB AA 0.3 2 0.0",
                    "X X X X 0.4 3 0.0", "PHI\nAA BB BB AA 0.4 3 0.0\n");
    expect_replaced("BB X X AA 20.0 0 10.0", "X X X X 1.4 2 180.0",
                    "IMPHI\nBB AA BB AA 1.4 2 180.0\n");
}

/* A multiplicity of 0 behind others is a constant, as Ryckaert and Bellemans' potential has it. */
Test(hmd_param, a_constant_behind_other_dihedrals)
{
    char *text = texts_edited(texts_prm, "AA BB BB AA 0.3 2 0.0",
                              "AA BB BB AA 0.3 2 0.0\nAA BB BB AA -4.5 0 30.0");
    const struct fixture_texts t = {.psf = texts_psf, .par = text, .crd = texts_crd};
    double plain[ENERGY_NUMBERS], got[ENERGY_NUMBERS];
    texts_energies(&(struct fixture_texts){.psf = texts_psf, .par = texts_prm, .crd = texts_crd},
                   plain, "plain");
    texts_energies(&t, got, "a constant");
    cr_expect_float_eq(got[ENERGY_DIHE], plain[ENERGY_DIHE] - 4.5, 1e-12, "%g, not %g - 4.5",
                       got[ENERGY_DIHE], plain[ENERGY_DIHE]);
    for (int k = ENERGY_VIRIAL; k < ENERGY_VIRIAL + 3; k++)
        cr_expect_float_eq(got[k], plain[k], 1e-12);
    free(text);
}

/* No word is lost, however many there are: the last one of these asks for what hmd cannot do. */
Test(hmd_param, a_line_of_too_many_words)
{
    char words[8 * 300] = "wmin 1.5";
    for (int k = 0; k < 300; k++)
        strcat(words, " atom");
    strcat(words, " group");
    char *text = texts_edited(texts_prm, "wmin 1.5", words);
    const struct fixture_texts t = {.psf = texts_psf, .par = text, .crd = texts_crd};
    texts_expect_refused(&t, "par:20: expected fewer words in a line", "300 words");
    free(text);
}

/* CHARMM's order: all four types, then one or two wildcards as param.c says. */
Test(hmd_param, wildcards_in_their_order)
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
Test(hmd_param, options_of_the_nonbonded_line)
{
    char *text =
        texts_edited(texts_prm,
                     "NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch -\n"
                     "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5",
                     "nonb nbxm 5 atom cdie fshi vato vdis vfsw -\n cutnb 13.5 ctofnb 11.5 - "
                     "! more\nctonnb 9. eps 2.0 e14fac .4 wmin 1.5");
    char *now = texts_edited(text, "nbxm 5", "nbxmod 5");
    static const struct fixture_texts plain = {
        .psf = texts_psf, .par = texts_prm, .crd = texts_crd};
    const struct fixture_texts t = {.psf = texts_psf, .par = now, .crd = texts_crd};
    struct fixture fx;
    double all[ENERGY_NUMBERS], got[ENERGY_NUMBERS];
    texts_energies(&plain, all, "plain");
    texts_energies(&t, got, "options");
    double r = sqrt(3.6 * 3.6 + 1.3 * 1.3 + 0.36), one14 = SCHEME_COULOMB * 0.27 / r;
    cr_expect_float_eq(got[ENERGY_ELEC], (all[ENERGY_ELEC] - 0.6 * one14) / 2, 1e-9);
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0);
    const struct param_options *o = &fx.param.options;
    cr_expect(o->cutnb == 13.5 && o->ctofnb == 11.5 && o->ctonnb == 9);
    cr_expect(strcmp(o->elec, "fshift") == 0 && strcmp(o->vdw, "vfswitch") == 0, "%s %s", o->elec,
              o->vdw);
    fixture_free(&fx);
    free(text);
    free(now);
}

/* What a row below says of a distance: 0 nothing, a negative number the distance 0. */
static double distance_said(double said)
{
    return said > 0 ? said : said < 0 ? 0 : -1;
}

/* Words of three commands, one behind the other, in force with a parameter file's distances. */
static void expect_distances(const double (*said)[3], const double want[3], const char *what)
{
    struct param_options file, o;
    param_options_init(&file);
    param_options_init(&o);
    file.cutnb = 14, file.ctofnb = 12, file.ctonnb = 9;
    for (int k = 0; k < 3; k++) {
        struct param_options before = o;
        o.cutnb = distance_said(said[k][0]);
        o.ctofnb = distance_said(said[k][1]);
        o.ctonnb = distance_said(said[k][2]);
        param_options_forget(&o, &before);
    }
    param_options_merge(&file, &o);
    cr_expect(file.cutnb == want[0] && file.ctofnb == want[1] && file.ctonnb == want[2],
              "%s: %g %g %g", what, file.cutnb, file.ctofnb, file.ctonnb);
}

/* A new outer distance takes the inner ones along, as CHARMM's GTNBCT does. */
Test(hmd_param, distances_of_commands)
{
    static const struct {
        double said[3][3], want[3];
        const char *what;
    } row[] = {{{{0}}, {14, 12, 9}, "nothing"},
               {{{12}}, {12, 10, 7}, "CUTNB"},
               {{{0, 10}}, {14, 10, 7}, "CTOFNB"},
               {{{0, 0, 8}}, {14, 12, 8}, "CTONNB"},
               {{{0, 0, -1}}, {14, 12, 0}, "CTONNB 0"},
               {{{11, 10}}, {11, 10, 7}, "CUTNB and CTOFNB"},
               {{{16, 12, 10}}, {16, 12, 10}, "all"},
               {{{16, 12, 10}, {16}}, {16, 12, 10}, "the same CUTNB again"},
               {{{16, 12, 10}, {15}}, {15, 13, 10}, "another CUTNB"},
               {{{16, 12, 10}, {0, 11}}, {16, 11, 8}, "another CTOFNB"},
               {{{16, 12, 10}, {15}, {0, 12}}, {15, 12, 9}, "one after the other"},
               {{{2}}, {2, 0, 0}, "no room for the others"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        expect_distances(row[k].said, row[k].want, row[k].what);
}

/* Pairs that NBXMOD takes out: ELEC by hand over the five charges. */
Test(hmd_param, nbxmod)
{
    static const double at[5][4] = {{0, 0, 0, -0.3},
                                    {1.45, 0.2, 0.1, 0.1},
                                    {2.1, 1.4, -0.2, 0.1},
                                    {3.6, 1.3, 0.6, -0.9},
                                    {1, 3.9, 2, 1}};
    char *own =
        texts_edited(texts_psf, "       0 !NNB\n\n       0       0       0       0       0\n",
                     "       1 !NNB\n       5\n       1       1       1       1       1\n");
    for (int mode = -5; mode <= 5; mode += mode == -1 ? 2 : 1) {
        char to[32];
        double want = 0, got[ENERGY_NUMBERS];
        snprintf(to, sizeof to, "nbxmod %d", mode);
        char *text = texts_edited(texts_prm, "nbxmod 5", to);
        const struct fixture_texts t = {.psf = own, .par = text, .crd = texts_crd};
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
        texts_energies(&t, got, to);
        cr_expect_float_eq(got[ENERGY_ELEC], want, 1e-9, "%s: %g, not %g", to, got[ENERGY_ELEC],
                           want);
        free(text);
    }
    free(own);
}

Test(hmd_param, parameters_in_a_stream)
{
    char stream[4096];
    const char *body = strstr(texts_prm, "BONDS");
    snprintf(stream, sizeof stream,
             "* stream\n*\n\nioformat extended\nread rtf card append\n* title\n*\n36 1\n"
             "MASS -1 AA 12.011 C\nRESI SOD 1.00\nATOM SOD NA 1.00\nEND\n\n"
             "read para card flex append\n* title\n*\n%sRETURN\n",
             body);
    struct fixture_texts t = {.psf = texts_psf, .str = stream, .crd = texts_crd};
    texts_expect_same(&t, "stream");
}

/* The commands around sections as CHARMM-GUI's toppar files have them; the last END is missing, and
 * so are all the parameters that another file brings. */
Test(hmd_param, a_stream_behind_another_file)
{
    char *less = texts_edited(texts_prm, "AA BB 300.0 1.5 ! comment\n", "");
    char *none = texts_edited(less, "NBFIX\nNA AA -0.08 3.2\n", "");
    static const char stream[] =
        "* toppar of something\n*\n!comment - with a line's end of its own -\n\n"
        "ioformat extended\n! Testing for flex\nset nat ?NATC\nset app\n"
        "if @nat ne 0 set app append\n\n"
        "read rtf card @app\n* topology\n*\n31  1\nMASS  -1  NA  22.9898 ! ion\n"
        "RESI SOD 1.00 ! ion\nGROUP\nATOM SOD NA 1.00\nPATCHING FIRST NONE LAST NONE\nEND\n\n"
        "read para card flex @app\n* parameters\n*\n\nATOMS\nMASS -1 NA 22.9898\n\n"
        "BONDS\n!V(bond) = Kb(b - b0)**2\naa   bb - ! the rest follows\n   300.0 1.5\n\nANGLES\n\n"
        "DIHEDRALS\n\nIMPROPERS\n\nNONBONDED nbxmod 5 atom cdiel fshift vatom vdistance vfswitch "
        "-\n"
        "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5\n\n"
        "NA 0.0 -0.0469 1.36\n\nNBFIX\n! Emin Rmin\nna   AA   -0.08   3.2";
    char *dos = texts_with_newlines(stream, "\r\n");
    texts_expect_same(
        &(struct fixture_texts){.psf = texts_psf, .par = none, .str = stream, .crd = texts_crd},
        "a stream");
    texts_expect_same(
        &(struct fixture_texts){.psf = texts_psf, .top = dos, .par = none, .crd = texts_crd},
        "before the file, CRLF");
    free(dos);
    free(none);
    free(less);
}

Test(hmd_param, parameters_refused)
{
    static const struct {
        const char *from, *to, *say;
    } edit[] = {
        {"AA BB 300.0 1.5", "", "AA"},
        {"AA BB 300.0 1.5", "AA BB 300.0", "par:5: "},
        {"AA BB 300.0 1.5", "AA BB nan 1.5", "par:5: "},
        {"AA BB BB 50.0 110.0 10.0 2.5", "", "AA"},
        {"AA BB BB 50.0 110.0 10.0 2.5", "AA BB BB 50.0 110.0 10.0", "par:9: "},
        {"AA BB BB 50.0 110.0 10.0 2.5", "AA BB BB 50.0 -110.0", "par:9: "},
        {"AA BB 300.0 1.5", "* note\nAA BB 300.0 1.5", "par:5: "},
        {"HBOND", "EQUIVALENCE\nALL AA BB\nHBOND", "par:29: expected no groups of types"},
        {"BB X X AA 20.0 0 10.0", "", "BB"},
        {"AA BB BB AA 0.7 1 180.0", "AA BB BB AA 0.7 1.5 180.0", "par:13: "},
        {"NA 0.0 -0.0469 1.36\n", "", "NA"},
        {"NA 0.0 -0.0469", "NA 0.0 0.0469", "par: the Lennard-Jones line of type NA (line 23)"},
        {"BB 0.0 -0.05 2.1", "BB 0.0 -0.05", "par:"},
        {"eps 1.0", "eps 0.0", "EPS"},
        {"eps 1.0", "eps", "EPS"},
        {"nbxmod 5", "nbxmod 0", "NBXMOD"},
        {"nbxmod 5", "nbxmod 4.5", "NBXMOD"},
        {"atom", "group", "par:20: GROUP: "},
        {"vatom", "vgroup", "par:20: VGROUP: "},
        {"AA BB 300.0 1.5", "AA BB -\n-\n-\n-\nCC 300.0 1.5", "par:9: "},
        {"vdistance", "noelec", "par:20: NOELEC: "},
        {"wmin", "wmim", "par:20: WMIM: "},
        {"cutnb 14.0", "cutnb", "par:20: CUTNB: "},
        {"cutnb 14.0", "fftx 0.5", "par:20: FFTX: "},
        {"110.0 10.0 2.5", "110.0 1O.0 2.5", "par:9: "},
        {"20.0 0 10.0", "20.0 0 1O.0", "par:17: "},
        {"2.0 0.0 -0.01 1.9", "2.0 0.O -0.01 1.9", "par:21: "},
        {"-0.08 3.2", "-0.08 3.2 -0.5x 1.0", "par:26: "},
        {"IMPROPER\n", "CMAP\nAA BB BB AA AA BB BB AA 24\n0.1 0.2\nIMPROPER\n", "CMAP"},
        {"IMPROPER\n", "CMAP\nAA BB BB AA AA BB BB AA 1000000\n0.1 0.2\nIMPROPER\n", "CMAP"},
    };
    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        char *text = texts_edited(texts_prm, edit[i].from, edit[i].to);
        struct fixture_texts t = {.psf = texts_psf, .par = text, .crd = texts_crd};
        texts_expect_refused(&t, edit[i].say, *edit[i].to ? edit[i].to : edit[i].from);
        free(text);
    }
}

/* -help and the messages about a wrong name have all schemes. */
Test(hmd_param, every_scheme_is_named)
{
    for (int e = 0; e < SCHEME_ELECS; e++)
        cr_expect(strstr(COMMAND_ELECS, scheme_elec_name((enum scheme_elec)e)), "%s",
                  scheme_elec_name((enum scheme_elec)e));
    for (int v = 0; v < SCHEME_VDWS; v++)
        cr_expect(strstr(COMMAND_VDWS, scheme_vdw_name((enum scheme_vdw)v)), "%s",
                  scheme_vdw_name((enum scheme_vdw)v));
}
