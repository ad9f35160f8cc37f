/* test_hmd_constrain.c - bonds of fixed length by themselves: SETTLE and SHAKE come to the same,
 * whatever their atoms weigh; how atoms are cut into blocks; what cannot be kept. */
#include "hmd_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constrain.h"
#include "mem.h"

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};

struct tied {
    struct fixture fx;
    struct constrain constrain;
};

static void tied_open(struct tied *r, enum constrain_kind kind)
{
    static const double cube[3] = {25, 25, 25};
    fixture_files(&r->fx, &alad, cube);
    constrain_init(&r->constrain, &r->fx.system, kind, 1e-12);
}

static void tied_close(struct tied *r)
{
    constrain_free(&r->constrain);
    fixture_free(&r->fx);
}

/* What moved a group sums up to nothing: the forces of its bonds act against each other. */
static void expect_balance(const struct constrain *c, const double *from, const double *to)
{
    for (int k = 0; k < c->groups; k++) {
        const struct constrain_group *g = &c->group[k];
        double sum[3] = {0, 0, 0};
        for (int i = g->low; i <= g->high; i++)
            for (int a = 0; a < 3; a++)
                sum[a] += c->mass[i] * (to[3 * i + a] - from[3 * i + a]);
        cr_expect(fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]) < 1e-10, "group %d", k);
    }
}

/* Rigid water in closed form is what repeated corrections come to, also in other images. */
static void expect_settle_is_shake(const double *mass)
{
    struct tied r;
    struct err e;
    double virial[3][3] = {{0}};
    tied_open(&r, CONSTRAIN_HYDROGEN);
    r.constrain.mass = mass ? mass : r.constrain.mass;
    size_t n = 3 * (size_t)r.fx.system.natom;
    double *x = r.fx.x, *moved = mem_new(n, sizeof *x);
    double *y[2] = {mem_new(n, sizeof *x), mem_new(n, sizeof *x)};
    int water = 0;
    for (int g = 0; g < r.constrain.groups; g++)
        water += r.constrain.group[g].water;
    cr_assert_eq(water, 498);
    srand(11);
    memcpy(y[0], x, n * sizeof *x);
    cr_assert_eq(constrain_apply(&r.constrain, x, y[0], 0, r.fx.system.natom, virial[2], &e), 0);
    memcpy(x, y[0], n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        x[i] += 25 * (double)(i % 5);
        moved[i] = y[0][i] = y[1][i] = x[i] + 0.1 * rand() / RAND_MAX - 0.05;
    }
    cr_assert_eq(constrain_apply(&r.constrain, x, y[0], 0, r.fx.system.natom, virial[0], &e), 0);
    expect_balance(&r.constrain, moved, y[0]);
    for (int g = 0; g < r.constrain.groups; g++)
        r.constrain.group[g].water = 0;
    cr_assert_eq(constrain_apply(&r.constrain, x, y[1], 0, r.fx.system.natom, virial[1], &e), 0);
    cr_expect(fixture_worst_length(&r.constrain, y[0]) < 1e-11);
    for (size_t i = 0; i < n; i++)
        cr_expect_float_eq(y[0][i], y[1][i], 1e-10, "%zu: %.12f, %.12f", i, y[0][i], y[1][i]);
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(virial[0][k], virial[1][k], 1e-7 * fabs(virial[1][k]));
    mem_free(moved);
    mem_free(y[0]);
    mem_free(y[1]);
    tied_close(&r);
}

Test(hmd_constrain, settle_is_shake)
{
    expect_settle_is_shake(NULL);
}

/* As with a friction of single atoms: of oxygens only, and of one hydrogen of every fifth water. */
Test(hmd_constrain, settle_is_shake_with_friction)
{
    double mass[1516];
    for (int i = 0; i < 1516; i++) {
        int oxygen = i >= 22 && (i - 22) % 3 == 0;
        mass[i] = i < 22 ? 3 + i % 7 : oxygen ? 16.5 : 1.008;
        mass[i] *= i >= 22 && (i - 22) % 15 == 1 ? 1.1 : 1;
    }
    expect_settle_is_shake(mass);
}

Test(hmd_constrain, blocks_divide_no_group)
{
    struct tied r;
    int first[65];
    tied_open(&r, CONSTRAIN_BONDS);
    for (int size = 1; size <= 64; size++) {
        constrain_blocks(&r.constrain, size, first);
        cr_assert_eq(first[0], 0);
        cr_assert_eq(first[size], r.fx.system.natom);
        for (int b = 0; b < size; b++) {
            cr_assert(first[b] <= first[b + 1]);
            for (int k = 0; k < r.constrain.pairs; k++) {
                const struct constrain_pair *p = &r.constrain.pair[k];
                cr_assert_eq(p->i >= first[b], p->j >= first[b]);
            }
        }
    }
    tied_close(&r);
}

Test(hmd_constrain, bonds_that_cannot_be_kept_are_told)
{
    struct tied r;
    struct err e = {0};
    double virial[3] = {0};
    tied_open(&r, CONSTRAIN_BONDS);
    double *y = mem_new(3 * (size_t)r.fx.system.natom, sizeof *y);
    memcpy(y, r.fx.x, 3 * (size_t)r.fx.system.natom * sizeof *y);
    y[0] = NAN;
    cr_expect_eq(constrain_apply(&r.constrain, r.fx.x, y, 0, r.fx.system.natom, virial, &e),
                 ERR_RUN);
    cr_expect(strstr(e.text, "SHAKE"), "%s", e.text);
    mem_free(y);
    tied_close(&r);
}
