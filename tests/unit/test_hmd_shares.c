/* test_hmd_shares.c - who does which part of the work: shares by speed, shifted on the ring or by
 * all at once. */
#include "hmd_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "balance.h"
#include "ewald.h"
#include "mem.h"

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};
static const double cube[3] = {25, 25, 25};

/* Times of tasks of known speeds, with some noise. */
static void note_steps(struct balance *b, const double *speed, int steps)
{
    double seconds[8];
    for (int step = 0; step < steps; step++) {
        for (int r = 0; r < b->size; r++)
            seconds[r] = b->share[r] / speed[r] * (1 + 0.02 * rand() / RAND_MAX);
        balance_note(b, seconds);
    }
}

/* Shares come to where all take equal time, whatever noise there was. */
static void expect_even(enum balance_kind kind, int size, int rounds)
{
    static const double speed[8] = {1, 1, 4, 1, 4, 4, 1, 4};
    static const int ring[8] = {0, 3, 1, 6, 2, 4, 7, 5};
    struct balance b;
    double least = 1e9, most = 0, sum = 0;
    balance_init(&b, size, kind);
    if (size == 8)
        memcpy(b.ring, ring, sizeof ring);
    srand(23);
    for (int round = 0; round < rounds; round++) {
        note_steps(&b, speed, 10);
        balance_shift(&b);
    }
    for (int r = 0; r < size; r++) {
        least = fmin(least, b.share[r] / speed[r]);
        most = fmax(most, b.share[r] / speed[r]);
        sum += b.share[r];
    }
    cr_expect(most < 1.2 * least, "%d on %d: %g, %g", kind, size, most, least);
    cr_expect_float_eq(sum, size, 1e-9);
    for (int step = 0; step < 10; step++) /* a task that takes no time at all upsets nothing */
        balance_note(&b, (double[8]){0, 1, 1, 1, 1, 1, 1, 1});
    balance_shift(&b);
    for (int r = 0; r < size; r++)
        cr_expect(b.share[r] > 0.01 && b.share[r] <= size, "%g", b.share[r]);
    balance_free(&b);
}

Test(hmd_shares, shares_follow_speeds)
{
    for (int size = 1; size <= 8; size++) {
        expect_even(BALANCE_RING, size, 12);
        expect_even(BALANCE_GLOBAL, size, 12);
    }
}

/* On the ring one slow task is noticed only nearby, at first; by all at once otherwise. */
Test(hmd_shares, neighbours_shift_work)
{
    enum { SIZE = 40, SLOW = 7 };
    double seconds[SIZE];
    for (int kind = BALANCE_RING; kind <= BALANCE_GLOBAL; kind++) {
        struct balance b;
        balance_init(&b, SIZE, (enum balance_kind)kind);
        for (int r = 0; r < SIZE; r++) {
            b.ring[r] = r * 3 % SIZE; /* the slow task, 7, is at place 29 */
            seconds[r] = r == SLOW ? 4 : 1;
        }
        for (int step = 0; step < 10; step++)
            balance_note(&b, seconds);
        cr_expect_eq(balance_shift(&b), 1);
        cr_expect(b.share[SLOW] < 0.6 && b.share[b.ring[30]] > 1.01, "%g", b.share[SLOW]);
        for (int place = 0; place < 20; place++) {
            double share = b.share[b.ring[place]];
            cr_expect((fabs(share - 1) < 1e-12) == (kind == BALANCE_RING), "%d: %g", place, share);
        }
        balance_free(&b);
    }
}

/* Very uneven work is not left until the next list is due; work that is nearly even is. */
Test(hmd_shares, urgent_only_while_far_from_even)
{
    static const double speed[8] = {4, 4, 1, 1, 4, 4, 1, 1};
    for (int kind = BALANCE_RING; kind <= BALANCE_GLOBAL; kind++) {
        struct balance b;
        int urgent = 0;
        balance_init(&b, 8, (enum balance_kind)kind);
        note_steps(&b, speed, 4);
        cr_expect_eq(balance_urgent(&b), 0, "four steps say too little");
        note_steps(&b, speed, 1);
        cr_expect_eq(balance_urgent(&b), 1);
        for (int step = 0; step < 100; step++) {
            if (balance_urgent(&b)) {
                urgent++;
                balance_shift(&b);
            }
            note_steps(&b, speed, 1);
        }
        cr_expect(urgent >= 1 && urgent <= 3, "%d: shifted %d times at once", kind, urgent);
        balance_free(&b);
    }
}

/* Where another task is slow all the time, each urgent shift waits twice as long as the one before.
 */
Test(hmd_shares, noise_is_not_chased)
{
    struct balance b;
    int urgent = 0;
    balance_init(&b, 8, BALANCE_GLOBAL);
    for (int step = 0; step < 5 * 128; step++) {
        double seconds[8];
        for (int r = 0; r < 8; r++)
            seconds[r] = b.share[r] * (urgent % 8 == r ? 20 : 1);
        balance_note(&b, seconds);
        if (balance_urgent(&b)) {
            urgent++;
            balance_shift(&b);
        }
    }
    cr_expect(urgent >= 5 && urgent <= 7, "shifted %d times at once", urgent);
    balance_free(&b);
}

Test(hmd_shares, without_balancing_nothing_shifts)
{
    static const double speed[8] = {4, 1, 1, 1, 1, 1, 1, 1};
    struct balance b;
    balance_init(&b, 8, BALANCE_NONE);
    note_steps(&b, speed, 10);
    cr_expect_eq(balance_urgent(&b), 0);
    cr_expect_eq(balance_shift(&b), 0);
    cr_expect_eq(b.share[0], 1);
    balance_free(&b);
}

/* Unequal shares change who does what, not what is done. */
static void expect_shared(enum scheme_elec elec)
{
    static const double share[4] = {0.1, 2.3, 0.9, 0.7};
    static const int ring[4] = {0, 2, 3, 1};
    struct fixture fx;
    struct scheme s = scheme_make(elec, SCHEME_VDW_FSWITCH, 7, 6);
    double want[ENERGY_NUMBERS], part[ENERGY_NUMBERS], got[ENERGY_NUMBERS] = {0};
    fixture_files(&fx, &alad, cube);
    s.ewald = (struct scheme_ewald){.pme = 0};
    if (elec == SCHEME_ELEC_EWALD)
        cr_assert_eq(ewald_choose(&s.ewald, cube, 7, 1e-2, &fx.e), 0, "%s", fx.e.text);
    fixture_energy(&fx, &s, 8, 1, want);
    size_t n = 3 * (size_t)fx.system.natom;
    double *f = mem_new(n, sizeof *f), *sum = mem_new(n, sizeof *sum);
    for (int rank = 0; rank < 4; rank++) {
        struct energy e;
        energy_init(&e, &fx.system, &s, 8, rank, 4);
        e.share.part = share;
        e.share.ring = ring;
        energy_list_build(&e, fx.x);
        energy_forces(&e, fx.x, f, 1, part, &fx.e);
        energy_free(&e);
        for (size_t i = 0; i < n; i++)
            sum[i] += f[i];
        for (int k = 0; k < ENERGY_NUMBERS; k++)
            got[k] += part[k];
    }
    for (int k = 0; k < ENERGY_NUMBERS; k++)
        cr_expect_float_eq(got[k], want[k], 1e-9 * (1 + fabs(want[k])), "%d", k);
    for (size_t i = 0; i < n; i++)
        cr_expect_float_eq(sum[i], fx.f[i], 1e-9 * (1 + fabs(fx.f[i])));
    mem_free(f);
    mem_free(sum);
    fixture_free(&fx);
}

Test(hmd_shares, unequal_shares_give_the_same_forces)
{
    expect_shared(SCHEME_ELEC_FSHIFT);
    expect_shared(SCHEME_ELEC_EWALD);
}
