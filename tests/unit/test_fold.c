/* test_fold.c - the reduction kernels: results, sides, wrapping, and what means nothing. */
#include "wire/fold.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

Test(fold, results)
{
    int32_t own[4] = {1, -5, 7, INT32_MAX}, incoming[4] = {2, 3, -7, 1};
    fold_of(HN_SUM, HN_INT32)(own, incoming, 4, true);
    cr_assert_eq(own[0], 3);
    cr_assert_eq(own[1], -2);
    cr_assert_eq(own[2], 0);
    cr_assert_eq(own[3], INT32_MIN, "sums wrap around");
    int16_t a[2] = {-300, 300}, b[2] = {300, 300};
    fold_of(HN_PROD, HN_INT16)(a, b, 2, false);
    cr_assert_eq(a[0], (int16_t)-90000);
    cr_assert_eq(a[1], (int16_t)90000);
    double d[2] = {1.5, -2}, e[2] = {0.5, 7};
    fold_of(HN_MAX, HN_DOUBLE)(d, e, 2, true);
    cr_assert(d[0] == 1.5 && d[1] == 7);
    double complex z = 1 + 2 * I, w = 3 - I;
    fold_of(HN_PROD, HN_DOUBLE_COMPLEX)(&z, &w, 1, true);
    cr_assert(z == 5 + 5 * I);
    uint8_t bits = 0x0f, mask = 0x3c;
    fold_of(HN_BXOR, HN_BYTE)(&bits, &mask, 1, true);
    cr_assert_eq(bits, 0x33);
    uint64_t yes = 4, no = 0;
    fold_of(HN_LAND, HN_UINT64)(&yes, &no, 1, true);
    cr_assert_eq(yes, 0);
    int8_t truths[4] = {0, 4, 0, 4}, others[4] = {0, 0, 2, 2};
    fold_of(HN_LXOR, HN_INT8)(truths, others, 4, false);
    cr_assert(truths[0] == 0 && truths[1] == 1 && truths[2] == 1 && truths[3] == 0);
}

/* min(0, -0) is the left one, whichever of the two is the own one: both partners of an exchange get
 * the same. */
Test(fold, sides)
{
    double own = 0.0, incoming = -0.0;
    fold_of(HN_MIN, HN_DOUBLE)(&own, &incoming, 1, true);
    cr_assert(signbit(own));
    own = -0.0, incoming = 0.0;
    fold_of(HN_MIN, HN_DOUBLE)(&own, &incoming, 1, false);
    cr_assert(signbit(own));
}

Test(fold, what_means_nothing)
{
    cr_assert_null(fold_of(HN_BAND, HN_DOUBLE));
    cr_assert_null(fold_of(HN_MIN, HN_COMPLEX));
    cr_assert_null(fold_of(HN_SUM, HN_BYTE));
    cr_assert_null(fold_of((hn_op)-1, HN_INT));
    cr_assert_null(fold_of((hn_op)(HN_LXOR + 1), HN_INT));
    cr_assert_null(fold_of(HN_SUM, 77));
}
