/* test_hmd_abnr.c - adopted-basis Newton-Raphson on energies whose minimum is known. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abnr.h"

enum { DIM = 4 };

/* E = x'Hx / 2 with eigenvalues over a factor 1600, turned so that no axis is special. */
static double quadratic(const double *x, double *f)
{
    static const double value[DIM] = {0.6, 3, 50, 1000};
    double energy = 0;
    memset(f, 0, DIM * sizeof *f);
    for (int e = 0; e < DIM; e++) {
        double v[DIM], along = 0, length = 0; /* rows of a Hadamard matrix */
        for (int i = 0; i < DIM; i++) {
            v[i] = __builtin_popcount((unsigned)(e & i)) % 2 ? -0.5 : 0.5;
            along += v[i] * x[i];
            length += v[i] * v[i];
        }
        cr_assert_float_eq(length, 1, 1e-12);
        energy += value[e] * along * along / 2;
        for (int i = 0; i < DIM; i++)
            f[i] -= value[e] * along * v[i];
    }
    return energy;
}

static void go(struct abnr *a, double *x, double *f, double step)
{
    double move[DIM], y[DIM], g[DIM];
    abnr_move(a, f, step, move);
    for (int i = 0; i < DIM; i++)
        y[i] = x[i] + move[i];
    quadratic(y, g);
    abnr_remember(a, x, y, f, g);
    memcpy(x, y, sizeof y);
    memcpy(f, g, sizeof g);
}

/* Without memory the move follows the forces; with as many moves as there are dimensions it ends in
 * the minimum, however stiff some of them are. */
Test(hmd_abnr, a_quadratic_is_solved_when_all_directions_are_known)
{
    struct abnr a;
    double x[DIM] = {1, -0.3, 0.2, 0.7}, f[DIM], start = quadratic(x, f), before[DIM];
    abnr_init(&a, DIM);
    memcpy(before, f, sizeof f);
    double old[DIM];
    memcpy(old, x, sizeof x);
    go(&a, x, f, 5e-4);
    for (int i = 0; i < DIM; i++)
        cr_expect_float_eq(x[i], old[i] + 5e-4 * before[i], 1e-12);
    for (int k = 0; k < 6; k++)
        go(&a, x, f, 5e-4);
    double end = quadratic(x, f);
    cr_expect(end < 1e-12 * start, "%g of %g", end, start);
    abnr_free(&a);
}

/* A move that was made already teaches nothing new, and no number comes out of it. */
Test(hmd_abnr, equal_and_empty_moves_do_no_harm)
{
    static const double zero[DIM] = {0};
    struct abnr a;
    double x[DIM] = {1, 2, 3, 4}, y[DIM] = {1.1, 2, 3, 4}, f[DIM], g[DIM], move[DIM];
    abnr_init(&a, DIM);
    quadratic(x, f);
    quadratic(y, g);
    for (int k = 0; k < 3; k++)
        abnr_remember(&a, x, y, f, g);
    abnr_remember(&a, x, x, f, f);
    abnr_move(&a, f, 1e-5, move);
    for (int i = 0; i < DIM; i++)
        cr_expect(isfinite(move[i]) && fabs(move[i]) < 1e3, "%g", move[i]);
    abnr_forget(&a);
    abnr_move(&a, f, 0.5, move);
    cr_expect_float_eq(move[2], 0.5 * f[2], 1e-12);
    abnr_move(&a, zero, 0.5, move);
    cr_expect_eq(move[0], 0);
    abnr_free(&a);
}

/* Where the energy curves downward the move still goes down. */
Test(hmd_abnr, a_saddle_is_left_downhill)
{
    struct abnr a;
    double x[DIM] = {0}, y[DIM] = {0, 0.1, 0, 0}, f[DIM] = {0}, g[DIM] = {0, 0.2, 0, 0}, move[DIM];
    abnr_init(&a, DIM); /* E = -x1^2 */
    abnr_remember(&a, x, y, f, g);
    abnr_move(&a, g, 1e-3, move);
    cr_expect_float_eq(move[1], 0.1, 1e-12); /* 0.2 / |-2| along the force */
    abnr_free(&a);
}
