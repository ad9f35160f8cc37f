/* test_hmd_select.c - CHARMM's selections of atoms in the bundled system, and turning sets of atoms
 * onto each other. */
#include "hmd_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coor.h"
#include "mem.h"
#include "select.h"
#include "superpose.h"

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};
static const double cube[3] = {25, 25, 25};

Test(hmd_select, patterns_fit_names)
{
    static const struct {
        const char *pattern, *name;
        int fits;
    } row[] = {{"CA", "CA", 1},   {"CA", "CAY", 0},    {"C*", "C", 1},     {"C*", "CAY", 1},
               {"*", "", 1},      {"H*1", "HB11", 1},  {"H*1", "HB12", 0}, {"C%", "CA", 1},
               {"C%", "C", 0},    {"H#", "H123", 1},   {"H#", "H", 1},     {"H#", "H1A", 0},
               {"H+", "H1", 1},   {"H+", "H12", 0},    {"*#*", "ABC", 1},  {"%%", "A", 0},
               {"**A", "BCA", 1}, {"A*B*C", "AXBC", 1}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        cr_expect_eq(text_match(row[k].pattern, row[k].name), row[k].fits, "%s %s", row[k].pattern,
                     row[k].name);
    char *stars = mem_new(4001, 1);
    memset(stars, '*', 4000);
    stars[3999] = 'X';
    cr_expect(!text_match(stars, "ABCDEFGHIJKLMNO"));
    mem_free(stars);
}

/* Arrays for PROP. */
static int array(void *of, const char *name, double *v)
{
    const struct fixture *fx = of;
    int known = strcmp(name, "MASS") == 0 || strcmp(name, "CHARGE") == 0;
    for (int i = 0; known && i < fx->psf.natom; i++)
        v[i] = name[0] == 'M' ? fx->psf.atom[i].mass : fx->psf.atom[i].charge;
    return known;
}

/* The number of atoms that a formula selects; -1 when it is refused, at word *at. */
static int count(const struct select_world *w, const char *formula, int *at)
{
    char text[2048];
    struct words words;
    int n = 0;
    unsigned char *set = mem_new((size_t)w->psf->natom, 1);
    cr_assert(strlen(formula) < sizeof text);
    strcpy(text, formula);
    text_upper(text);
    words_split(&words, text);
    const char *why = select_atoms(w, words.at, words.n, set, at);
    for (int i = 0; i < w->psf->natom; i++)
        n += set[i];
    mem_free(set);
    return why ? -1 : n;
}

static const struct {
    const char *formula;
    int atoms; /* -1: it is refused */
} formulas[] = {{"all", 1516},
                {"none", 0},
                {"segid alad", 22},
                {"resname TIP3", 1494},
                {"resn T*3 .and. type OH2", 498},
                {".not. segid wat", 22},
                {"segid alad .and. hydrogen", 12},
                {"segids alad .and. hydrogens", 12},
                {"residue 1 .and. types h*", 14},
                {"segid alad .and. .not. hydrogen", 10},
                {"segid alad .and. .not. type H*", 10},
                {"segid wat .and. resid 1:10", 30},
                {"segid wat .and. resi 1 : 10", 30},
                {"bynum 3:7 .or. bynu 7", 5},
                {"atom wat 17 h1", 1},
                {"ires 1:2", 25},
                {"segid alad .or. segid wat .and. type h1", 520},
                {"( segid alad .or. segid wat ) .and. type h1", 498},
                {"((segid alad).or.(none))", 22},
                {"( (segid alad) .or. (none) )", 22},
                {".byres. atom wat 9 h2", 3},
                {".byseg. bynum 1", 22},
                {".bonded. bynum 23", 2},
                {"chem OT", 498},
                {"prop mass .gt. 15.9 .and. segid alad", 2},
                {"prop charge .lt. -0.8", 498},
                {"prop abs charge .ge. 0.8", 498},
                {"bynum 1 .around. 0.01", 1},
                {"known .and. hydrogen", 12},
                {"lone", 0},
                {"", -1},
                {"segid", -1},
                {"( segid", -1},
                {"( .not. ( atom wat", -1},
                {"( prop mass", -1},
                {"( point 1", -1},
                {"( all", -1},
                {"all )", -1},
                {"all all", -1},
                {"all .and.", -1},
                {"nonsense", -1},
                {".and. all", -1},
                {"prop weight .gt. 1", -1},
                {"prop mass .gt. many", -1},
                {"segid a : w", 22},
                {"segid alad : wat", 1516},
                {"iseg 2", 1494},
                {"iseg 1:2", 1516},
                {"segid wat .and. type h1 : h2", 996},
                {"segid wat .and. type h : h1", 498},
                {"segid wat .subset. 4", 1},
                {"segid wat .subset. 4 : 9 .and. type oh2", 2},
                {"initial", 1515},
                {".not. init", 1},
                {"segid alad .and .not hydrogen", 10},
                {"bynum 23 .around. 0.01 .or. .byres. bynum 23 .around. 0.01", 3},
                {".not. bynum 23 .around. 1.2 .and. bynum 23", 1},
                {"prop mass .ae. 15.99945", 498},
                {"prop mass .eq. 15.99945", 0},
                {"all .subset. x", 0},
                {"all .subset.", -1},
                {"prop mass .xx. 3", -1},
                {"all .around. far", -1},
                {"atom wat 17", -1}};

Test(hmd_select, formulas_select_atoms)
{
    struct fixture fx;
    fixture_files(&fx, &alad, cube);
    struct select_name known = {.name = "KNOWN", .set = mem_new((size_t)fx.psf.natom, 1)};
    memset(known.set, 1, 22);
    const struct select_world w = {
        .psf = &fx.psf, .x = fx.x, .known = &known, .nknown = 1, .array = array, .of = &fx};
    int at;
    fx.x[3 * 1515] = COOR_UNKNOWN;
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
        cr_expect_eq(count(&w, formulas[k].formula, &at), formulas[k].atoms, "%s: %d",
                     formulas[k].formula, count(&w, formulas[k].formula, &at));
    cr_expect_eq(count(&w, "all .and. frobnicate", &at), -1);
    cr_expect_eq(at, 2);
    char deep[2000];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    cr_expect_eq(count(&w, deep, &at), -1);
    mem_free(known.set);
    fixture_free(&fx);
}

Test(hmd_select, what_is_near_is_what_distances_say)
{
    struct fixture fx;
    fixture_files(&fx, &alad, cube);
    const struct select_world w = {.psf = &fx.psf, .x = fx.x};
    const double r = 4.5;
    int near = 0, at;
    for (int i = 0; i < fx.psf.natom; i++) {
        int any = 0;
        for (int j = 0; j < 22; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += pow(fx.x[3 * i + k] - fx.x[3 * j + k], 2);
            any |= square <= r * r;
        }
        near += any;
    }
    cr_expect_gt(near, 22);
    cr_expect_eq(count(&w, "segid alad .around. 4.5", &at), near);
    cr_expect_eq(count(&w, "segid alad .around. 4.5 .and. .not. segid alad", &at), near - 22);
    fixture_free(&fx);
}

/* ---- turning -------------------------------------------------------------------------------- */

enum { PLACES = 20 };

static void scatter(double *x, unsigned seed)
{
    srand(seed);
    for (int i = 0; i < 3 * PLACES; i++)
        x[i] = (i % 3 + 1) * (rand() % 2001 - 1000) * 1e-3;
}

/* A turn by `phi` about (1, 2, 3), and a shift. */
static void turn(double *x, double phi)
{
    const double n[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)};
    for (int i = 0; i < PLACES; i++, x += 3) {
        double along = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
        const double across[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2],
                                  n[0] * x[1] - n[1] * x[0]};
        for (int k = 0; k < 3; k++)
            x[k] = x[k] * cos(phi) + across[k] * sin(phi) + n[k] * along * (1 - cos(phi)) + k + 1;
    }
}

static double farthest(const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < 3 * PLACES; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

Test(hmd_select, a_turn_is_found_again)
{
    double x[3 * PLACES], y[3 * PLACES], weight[PLACES];
    struct superpose m;
    for (unsigned seed = 1; seed <= 40; seed++) {
        scatter(x, seed);
        memcpy(y, x, sizeof x);
        for (int i = 0; i < PLACES; i++)
            weight[i] = i < 15 ? 1 + i % 4 : 0;
        turn(x, seed % 4 ? 0.37 * seed : M_PI);
        superpose_fit(&m, PLACES, x, y, weight);
        superpose_move(&m, PLACES, x);
        cr_expect_lt(farthest(x, y), 1e-9, "seed %u: %g", seed, farthest(x, y));
    }
}

Test(hmd_select, a_mirror_image_is_never_made)
{
    double x[3 * PLACES], y[3 * PLACES], weight[PLACES];
    struct superpose m;
    scatter(x, 7);
    for (int i = 0; i < 3 * PLACES; i++) {
        y[i] = i % 3 ? x[i] : -x[i];
        weight[i / 3] = 1;
    }
    superpose_fit(&m, PLACES, x, y, weight);
    const double *a = m.turn[0], *b = m.turn[1], *c = m.turn[2];
    double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                    a[2] * (b[0] * c[1] - b[1] * c[0]);
    cr_expect_float_eq(volume, 1, 1e-12);
}

Test(hmd_select, axes_lie_along_x_y_and_z)
{
    double x[3 * PLACES], weight[PLACES], c[3] = {0}, h[3][3] = {{0}};
    struct superpose m;
    scatter(x, 3);
    turn(x, 1.1);
    for (int i = 0; i < PLACES; i++)
        weight[i] = 1 + i % 3;
    superpose_axes(&m, PLACES, x, weight);
    superpose_move(&m, PLACES, x);
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < 3; k++) {
            c[k] += weight[i] * x[3 * i + k];
            for (int l = 0; l < 3; l++)
                h[k][l] += weight[i] * x[3 * i + k] * x[3 * i + l];
        }
    for (int k = 0; k < 3; k++) {
        cr_expect_float_eq(c[k], 0, 1e-9);
        cr_expect_float_eq(h[k][(k + 1) % 3], 0, 1e-9);
    }
    cr_expect_gt(h[0][0], h[1][1]);
    cr_expect_gt(h[1][1], h[2][2]);
}
