/* wide.h - signed 128-bit integers, for products and sums of model times that exceed 64 bits.
 *
 * Where the compiler has __int128, a wide is one, and each function is an operator. 32-bit machines
 * have none; there a wide is two 64-bit halves. Results are equal bit for bit, so that all tasks of
 * a job make the same plans. The caller must keep products, sums and quotients within 128 bits. The
 * cost is that of 64-bit arithmetic, except for quotients: about 30 ns with __int128, up to 128
 * shift steps with halves.
 *
 * A file that defines WIDE_HALVES always gets the halves: the test that compares both. All
 * functions take and return values; nothing is allocated and no error is reported. Shifts are
 * defined for 0 <= bits < 128.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#if defined __SIZEOF_INT128__ && !defined WIDE_HALVES

typedef __int128 wide;

static inline wide wide_of(int64_t a)
{
    return a;
}

static inline wide wide_plus(wide a, wide b)
{
    return a + b;
}

static inline wide wide_minus(wide a, wide b)
{
    return a - b;
}

static inline wide wide_product(int64_t a, int64_t b)
{
    return (wide)a * b;
}

/* a * b. */
static inline wide wide_times(wide a, int64_t b)
{
    return a * b;
}

/* a / b, rounded towards 0. */
static inline wide wide_over(wide a, wide b)
{
    return a / b;
}

/* a * 2^bits, which must fit. */
static inline wide wide_up(wide a, int bits)
{
    return a * ((wide)1 << bits);
}

static inline bool wide_less(wide a, wide b)
{
    return a < b;
}

static inline bool wide_equal(wide a, wide b)
{
    return a == b;
}

/* Saturates to 64 bits. Saturation, not truncation: a time that is too long must stay longer than
 * all others. */
static inline int64_t wide_int64(wide a)
{
    return a > INT64_MAX ? INT64_MAX : a < INT64_MIN ? INT64_MIN : (int64_t)a;
}

/* The upper half of an unsigned product. 64 by 64 bits. */
static inline uint64_t wide_upper(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

#else

/* high * 2^64 + low; high carries the sign (two's complement). */
typedef struct wide {
    int64_t high;
    uint64_t low;
} wide;

static inline wide wide_of(int64_t a)
{
    return (wide){a < 0 ? -1 : 0, (uint64_t)a};
}

/* Sums are computed without sign, since overflow of signed numbers is undefined; the carry is 1 if
 * the low sum is less than an addend. */
static inline wide wide_plus(wide a, wide b)
{
    uint64_t low = a.low + b.low;
    return (wide){(int64_t)((uint64_t)a.high + (uint64_t)b.high + (low < a.low)), low};
}

static inline wide wide_minus(wide a, wide b)
{
    return (wide){(int64_t)((uint64_t)a.high - (uint64_t)b.high - (a.low < b.low)), a.low - b.low};
}

/* Long multiplication by 32-bit digits. */
static inline uint64_t wide_upper(uint64_t a, uint64_t b)
{
    /* Four products of 32-bit digits. Neither sum can overflow: (2^32 - 1)^2 + 2 (2^32 - 1) < 2^64.
     */
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* Modulo 2^128 signs need no care: a factor's high half is only multiplied by the other's low
 * half. */
static inline wide wide_times(wide a, int64_t b)
{
    wide w = wide_of(b);
    uint64_t high = (uint64_t)a.high * w.low + a.low * (uint64_t)w.high;
    return (wide){(int64_t)(high + wide_upper(a.low, w.low)), a.low * w.low};
}

static inline wide wide_product(int64_t a, int64_t b)
{
    return wide_times(wide_of(a), b);
}

static inline wide wide_up(wide a, int bits)
{
    /* Shifts by 64 are undefined in C, so 0 and 64 are cases of their own. */
    if (bits == 0)
        return a;
    if (bits >= 64)
        return (wide){(int64_t)(a.low << (bits - 64)), 0};
    return (wide){(int64_t)((uint64_t)a.high << bits | a.low >> (64 - bits)), a.low << bits};
}

/* The low halves compare without sign also for negative numbers, by two's complement. */
static inline bool wide_less(wide a, wide b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static inline bool wide_equal(wide a, wide b)
{
    return a.high == b.high && a.low == b.low;
}

/* It fits if the high half is the sign of the low one. */
static inline int64_t wide_int64(wide a)
{
    if (a.high == (int64_t)a.low >> 63)
        return (int64_t)a.low;
    return a.high < 0 ? INT64_MIN : INT64_MAX;
}

/* Leading zeros. */
static inline int wide_zeros(wide a)
{
    return a.high ? __builtin_clzll((uint64_t)a.high) : 64 + (a.low ? __builtin_clzll(a.low) : 64);
}

/* Long division, bit by bit, of non-negative numbers. */
static inline wide wide_divide(wide a, wide b)
{
    wide quotient = {0, 0};
    /* Most quotients are of this kind, in one hardware division. */
    if (a.high == 0 && b.high == 0)
        return (wide){0, a.low / b.low};
    /* Aligns the divisor's first bit with that of the dividend, so each step gives one bit of the
     * quotient. */
    int bits = wide_zeros(b) - wide_zeros(a);
    if (bits < 0)
        return quotient;
    b = wide_up(b, bits);
    for (; bits >= 0; bits--) {
        quotient = wide_up(quotient, 1);
        if (!wide_less(a, b)) {
            a = wide_minus(a, b);
            quotient.low |= 1;
        }
        b = (wide){b.high >> 1, b.low >> 1 | (uint64_t)b.high << 63};
    }
    return quotient;
}

/* Division towards 0, as C's operator, by the sizes of both numbers. The smallest number has no
 * size and may not occur. */
static inline wide wide_over(wide a, wide b)
{
    wide zero = {0, 0};
    wide size =
        wide_divide(a.high < 0 ? wide_minus(zero, a) : a, b.high < 0 ? wide_minus(zero, b) : b);
    return (a.high < 0) != (b.high < 0) ? wide_minus(zero, size) : size;
}

#endif

/* a * b / c, rounded towards 0 and saturated to 64 bits. */
static inline int64_t wide_ratio(int64_t a, int64_t b, int64_t c)
{
    return wide_int64(wide_over(wide_product(a, b), wide_of(c)));
}
