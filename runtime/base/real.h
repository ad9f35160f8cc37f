/* real.h - converts floating-point numbers between the formats of different machines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum real_form {
    REAL_FLOAT,    /* 4 bytes, IEEE 754 */
    REAL_DOUBLE,   /* 8 bytes */
    REAL_QUAD,     /* 16 bytes: the long double of most 64-bit machines */
    REAL_EXTENDED, /* x87: 10 significant bytes, in 12 or 16 */
};

/* A format, and the bytes that a number occupies. */
struct real_kind {
    enum real_form form;
    size_t size;
};

/* Converts a number, rounding if necessary; both are in this machine's byte order.  False: it is
 * finite and too large for the target, or this machine's C has no such type. */
bool real_convert(const uint8_t *in, struct real_kind from, uint8_t *out, struct real_kind to);
