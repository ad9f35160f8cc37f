/* real.c - converts floating-point numbers between machines (interface: real.h).
 *
 * A number is converted through the widest type that C has here; a wider format is converted by
 * arithmetic.  So no value that the receiver could represent is lost.  Formats that C does not have
 * here are decoded by their bits: IEEE 754-2008, table 3.5 (binary128), and Intel's manual, volume
 * 1, 4.2.2 (extended, whose leading bit is explicit).  A NaN remains a NaN, but its bits may
 * change.
 */
#include "base/real.h"

#include "base/bytes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BIAS = 16383, TOP = 0x7fff }; /* of both formats with 15 bits of exponent */

/* Whether this machine's C has the format as one of its types. */
static bool is_native(enum real_form form)
{
    return form == REAL_FLOAT || form == REAL_DOUBLE ||
           (form == REAL_EXTENDED && LDBL_MANT_DIG == 64) ||
           (form == REAL_QUAD && LDBL_MANT_DIG == 113);
}

static long double special(bool nan)
{
    return nan ? (long double)NAN : (long double)INFINITY;
}

/* p contains the bytes in little-endian order. */
static long double take_quad(const uint8_t *p)
{
    uint64_t low = bytes_get64(p), high = bytes_get64(p + 8);
    int exponent = (int)(high >> 48 & TOP);

    high &= (UINT64_C(1) << 48) - 1;
    if (exponent == TOP)
        return special(high | low);
    if (exponent > 0)
        high |= UINT64_C(1) << 48;
    else
        exponent = 1;
    long double value = ldexpl((long double)high, 64) + (long double)low; /* rounds once */
    return ldexpl(value, exponent - BIAS - 112);
}

/* The leading bit of the fraction is explicit, so it is shifted out in the test for infinity. */
static long double take_extended(const uint8_t *p)
{
    uint64_t fraction = bytes_get64(p);
    int exponent = bytes_get16(p + 8) & TOP;

    if (exponent == TOP)
        return special(fraction << 1);
    return ldexpl((long double)fraction, (exponent > 0 ? exponent : 1) - BIAS - 63);
}

/* The bytes are in this machine's order, possibly unaligned. */
static long double load(const uint8_t *in, struct real_kind kind)
{
    uint8_t bytes[16];
    long double value = 0;
    double d;
    float f;

    switch (kind.form) {
    case REAL_FLOAT:
        memcpy(&f, in, sizeof f);
        return (long double)f;
    case REAL_DOUBLE:
        memcpy(&d, in, sizeof d);
        return (long double)d;
    default:
        break;
    }
    if (is_native(kind.form)) {
        memcpy(&value, in, kind.size < sizeof value ? kind.size : sizeof value);
        return value;
    }
    for (size_t i = 0; i < kind.size; i++)
        bytes[i] = in[__BYTE_ORDER == __BIG_ENDIAN ? kind.size - 1 - i : i];
    value = kind.form == REAL_QUAD ? take_quad(bytes) : take_extended(bytes);
    return bytes[kind.form == REAL_QUAD ? 15 : 9] & 0x80 ? -value : value;
}

/* Whether a loaded number was finite before: load() returns infinity for numbers that are too large
 * for C's widest type. */
static bool was_finite(const uint8_t *in, struct real_kind kind, long double loaded)
{
    uint8_t top = in[__BYTE_ORDER == __BIG_ENDIAN ? 0 : kind.size - 1];
    uint8_t next = in[__BYTE_ORDER == __BIG_ENDIAN ? 1 : kind.size - 2];

    return kind.form == REAL_QUAD ? (top & 0x7f) != 0x7f || next != 0xff : isfinite(loaded);
}

/* Copies a number to the same number of bytes, or x87's to more or fewer. */
static void copy(const uint8_t *in, size_t from, uint8_t *out, size_t to)
{
    size_t both = from < to ? from : to;

    memcpy(out, in, both);
    memset(out + both, 0, to - both);
}

/* Infinity is no error if the number was infinite before. */
bool real_convert(const uint8_t *in, struct real_kind from, uint8_t *out, struct real_kind to)
{
    double d;
    float f;

    if (from.form == to.form) {
        copy(in, from.size, out, to.size);
        return true;
    }
    long double value = load(in, from);
    switch (to.form) {
    case REAL_FLOAT:
        f = (float)value;
        memcpy(out, &f, sizeof f);
        return isfinite(f) || !was_finite(in, from, value);
    case REAL_DOUBLE:
        d = (double)value;
        memcpy(out, &d, sizeof d);
        return isfinite(d) || !was_finite(in, from, value);
    default:
        copy((const uint8_t *)&value, sizeof value, out, to.size);
        return is_native(to.form) && (isfinite(value) || !was_finite(in, from, value));
    }
}
