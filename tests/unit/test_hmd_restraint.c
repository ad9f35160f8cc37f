/* test_hmd_restraint.c - restraints on groups of atoms: forces against differences of the energy,
 * the virial against a scaled molecule. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "random.h"
#include "system.h"

enum { ATOMS = 7 };

static const int atom[ATOMS] = {3, 0, 6, 1, 5, 2, 4};
static const double weight[ATOMS] = {0.25, 0.5, 0.25, 0.1, 0.2, 0.3, 0.4}; /* of 3 and 4 atoms */

static const double place_of[3 * ATOMS] = {1.5, 0.25, -2, 3, -1, 0.5, -2, 2.25, 1, 0.5, 0,
                                           1,   -1,   2,  0, 3,  1,   -2, 0,    1, 2};

static const struct restraint all[] = {
    {.kind = RESTRAINT_SPHERE, .u.wall = {.force = 3, .off = 1}},
    {.kind = RESTRAINT_SPHERE, .u.wall = {.side = RESTRAINT_OUTSIDE, .force = 3, .off = 9}},
    {.kind = RESTRAINT_SPHERE,
     .u.wall = {.form = RESTRAINT_QUARTIC, .force = 0.2, .off = 1, .p1 = 2.25}},
    {.kind = RESTRAINT_SPHERE,
     .more = {4},
     .u.wall = {.side = RESTRAINT_SYMMETRIC, .force = 3, .off = 3}},
    {.kind = RESTRAINT_CYLINDER,
     .u.wall = {.side = RESTRAINT_SYMMETRIC, .force = 3, .off = 5, .along = {0.6, 0, 0.8}}},
    {.kind = RESTRAINT_PLANE, .u.wall = {.force = 3, .off = 0.1, .along = {0.6, 0, 0.8}}},
    {.kind = RESTRAINT_PLANE,
     .u.wall = {.side = RESTRAINT_SYMMETRIC, .force = 3, .off = -4, .along = {0, -1, 0}}},
    {.kind = RESTRAINT_PLANE,
     .u.wall = {.side = RESTRAINT_BOTH,
                .form = RESTRAINT_EXPONENTIAL,
                .force = 3,
                .off = 1.5,
                .p1 = 0.7,
                .along = {0.6, 0, 0.8}}},
    {.kind = RESTRAINT_SPHERE,
     .more = {4},
     .u.wall = {.side = RESTRAINT_BOTH,
                .form = RESTRAINT_SAXON_WOOD,
                .force = 3,
                .off = 2,
                .p1 = 0.6,
                .p2 = 1.1}},
    {.kind = RESTRAINT_AXIS, .more = {2, 2}, .u.wall = {.force = 3, .off = 0.2}},
    {.kind = RESTRAINT_ANGLE,
     .more = {2, 2},
     .u.wall = {.side = RESTRAINT_SYMMETRIC, .force = 3, .off = 0.3}},
    {.kind = RESTRAINT_DIHEDRAL,
     .more = {2, 2, 1},
     .u.wall = {.side = RESTRAINT_SYMMETRIC, .force = 3}},
    {.kind = RESTRAINT_NOE, .more = {4}, .u.noe = {.kmin = 2, .rmin = 99, .rmax = 99, .mean = 1}},
    {.kind = RESTRAINT_NOE,
     .more = {4},
     .u.noe = {.kmax = 2, .rmax = 0.1, .fmax = 99, .mean = -6, .sum = 1}},
    {.kind = RESTRAINT_NOE,
     .more = {4},
     .u.noe = {.kmax = 2, .rmax = 0.1, .fmax = 99, .mean = 1, .nearest = 1}},
    {.kind = RESTRAINT_NOE,
     .more = {4},
     .u.noe = {.kmax = 2, .rmax = 0.1, .fmax = 0.3, .mean = 1.0 / 3}},
    {.kind = RESTRAINT_NOE,
     .u.noe = {.kmax = 2, .rmax = 0.1, .fmax = 0.7, .mean = 1, .soft = 0.5, .power = 2}},
    {.kind = RESTRAINT_SUM, .u.sum = {.force = 2, .target = 3, .power = 1, .order = 2}},
    {.kind = RESTRAINT_SUM, .u.sum = {.force = 0.1, .target = 9, .power = 3, .order = 3}},
    {.kind = RESTRAINT_SUM,
     .u.sum = {.force = 2, .target = 99, .power = 1, .order = 2, .sign = -1}},
    {.kind = RESTRAINT_SHAPE, .u.shape = {.force = 2, .turns = 1, .moves = 1}},
    {.kind = RESTRAINT_SHAPE, .u.shape = {.force = 2, .target = 1.5, .turns = 1, .moves = 1}},
    {.kind = RESTRAINT_SHAPE, .u.shape = {.force = 2, .target = 1.5, .moves = 1}},
    {.kind = RESTRAINT_SHAPE,
     .u.shape = {.force = 2, .target = 1.5, .turns = 1, .moves = 1, .flat = 1}},
    {.kind = RESTRAINT_SHAPE, .u.shape = {.force = 2, .target = 0.5, .turns = 1}},
    {.kind = RESTRAINT_SHAPE,
     .more = {4},
     .u.shape = {.force = 2, .target = -0.3, .turns = 1, .moves = 1}},
    {.kind = RESTRAINT_PLACES, .u.shape = {.force = 2, .target = 1.5}},
    {.kind = RESTRAINT_GYRATION, .u.shape = {.force = 2, .target = 1.5}},
};

static struct restraint one(size_t k)
{
    struct restraint r = all[k];
    int pairs = r.kind == RESTRAINT_SUM, groups = r.more[0] > 0;
    r.first = pairs ? 1 : 0;
    r.count = pairs ? 6 : groups ? 7 : 3;
    r.scale = 1.5;
    r.at[0] = 0.5;
    r.at[2] = -0.25;
    return r;
}

static double energy(const struct restraint *r, const double *x, double *f, double *virial)
{
    const struct system s = {.natom = ATOMS,
                             .restraint_atom = atom,
                             .restraint_weight = weight,
                             .restraint_place = place_of,
                             .restraint = r};
    double forces[3 * ATOMS] = {0}, sum[3] = {0}, e = restraint_energy(&s, r, x, forces, sum);
    if (f)
        memcpy(f, forces, sizeof forces);
    if (virial)
        memcpy(virial, sum, sizeof sum);
    return e;
}

static void place(uint64_t *seed, double *x)
{
    for (int k = 0; k < 3 * ATOMS; k++)
        x[k] = (double)random_below(seed, 8000000) * 1e-6 - 4;
}

Test(hmd_restraint, forces_are_the_slope_of_the_energy)
{
    uint64_t seed = 5;
    const double h = 1e-5;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct restraint r = one(k);
        int told = 0;
        for (int round = 0; round < 5; round++) {
            double x[3 * ATOMS], f[3 * ATOMS];
            place(&seed, x);
            told += energy(&r, x, f, NULL) != 0;
            for (int c = 0; c < 3 * ATOMS; c++) {
                double y = x[c];
                x[c] = y + h;
                double up = energy(&r, x, NULL, NULL);
                x[c] = y - h;
                double down = energy(&r, x, NULL, NULL);
                x[c] = y;
                cr_expect_float_eq(f[c], (down - up) / (2 * h),
                                   1e-6 * (1 + fabs(f[c])) + 1e-9 * fabs(up) / h,
                                   "kind %zu, round %d, component %d: %g, %g", k, round, c, f[c],
                                   (down - up) / (2 * h));
            }
        }
        cr_expect_gt(told, 0, "restraint %zu is never felt", k);
    }
}

Test(hmd_restraint, the_virial_is_that_of_a_scaled_molecule)
{
    uint64_t seed = 6;
    const double h = 1e-5;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct restraint r = one(k);
        double x[3 * ATOMS], y[3 * ATOMS], e[2], virial[3];
        place(&seed, x);
        energy(&r, x, NULL, virial);
        for (int axis = 0; axis < 3; axis++) {
            int inner = r.kind == RESTRAINT_SUM || r.kind == RESTRAINT_GYRATION ||
                        (r.kind == RESTRAINT_SHAPE && r.u.shape.moves) || r.more[0];
            if (!inner) { /* to a place: it acts from outside */
                cr_expect_eq(virial[axis], 0);
                continue;
            }
            for (int side = 0; side < 2; side++) {
                for (int c = 0; c < 3 * ATOMS; c++)
                    y[c] = x[c] * (c % 3 == axis ? 1 + (side ? -h : h) : 1);
                e[side] = energy(&r, y, NULL, NULL);
            }
            double want = (e[1] - e[0]) / (2 * h);
            cr_expect_float_eq(virial[axis], want, 1e-5 * (1 + fabs(want)) + 1e-9 * fabs(e[0]) / h,
                               "kind %zu, axis %d: %g, %g", k, axis, virial[axis], want);
        }
    }
}

Test(hmd_restraint, what_is_left_out_has_no_energy)
{
    uint64_t seed = 7;
    double x[3 * ATOMS], f[3 * ATOMS];
    struct restraint r = one(0);
    place(&seed, x);
    r.skipped = 1;
    cr_expect_eq(energy(&r, x, f, NULL), 0);
    for (int c = 0; c < 3 * ATOMS; c++)
        cr_expect_eq(f[c], 0);
}
