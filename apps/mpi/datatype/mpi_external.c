/* mpi_external.c - converts data to and from external formats (mpi_external.h).
 *
 * The layout follows MPI 4.1, 14.5.2. Integers are copied byte by byte in reversed order; those of
 * another size are sign-extended or cut, with a test. All is done per basic element, in O(bytes):
 * speed matters little, as only unlike machines and external32 use this.
 *
 * Sizes come from the table of basic types (mpi_type.c): `size` here and `external` in
 * external32. Nothing else is known about the other machine, and nothing needs to be: both sides
 * convert to the same format.
 * Two families of functions: put... writes the external form, get... reads it. Both report
 * values that do not fit, and store something in any case.
 */
#include "datatype/mpi_external.h"

#include <endian.h>

/* Copies n bytes in reversed or in the same order. External formats are big-endian, so a big-endian
 * machine copies straight. */
static void reverse(char *out, const char *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = in[__BYTE_ORDER == __BIG_ENDIAN ? i : n - 1 - i];
}

/* 'B' is LOGICAL of Fortran, which is stored as a signed integer. */
static bool is_signed(const struct mpi_basic *b)
{
    return b->sort == 'I' || b->sort == 'L' || b->sort == 'B';
}

/* Size in the given form. Only long and wide characters differ between the two forms: external32
 * fixes 4 and 2 bytes (MPI 4.1, 14.5.2), which would lose data between tasks. */
static size_t size_in(const struct mpi_basic *b, enum external_form form)
{
    if (form == EXTERNAL_WIRE && (b->sort == 'L' || b->sort == 'M'))
        return 8;
    return form == EXTERNAL_WIRE && b->sort == 'W' ? b->size : b->external;
}

/* ---- integers of another size --------------------------------------------------------------- */

/* Reads `n` big-endian bytes as a 64-bit number. The value is extended by its sign, or by zeros.
 * Of more than 8 bytes the last 8 count. */
static uint64_t get_number(const unsigned char *big, size_t n, bool sign)
{
    uint64_t value = sign && big[0] & 0x80 ? ~UINT64_C(0) : 0;

    for (size_t i = 0; i < n; i++)
        value = value << 8 | big[i];
    return value;
}

/* n is at most 8. Returns false if `value` had significant bits above n bytes. */
static bool put_number(unsigned char *big, size_t n, bool sign, uint64_t value)
{
    /* From the least significant byte, at the end; `value` then holds what was not stored. */
    for (size_t i = n; i-- > 0; value >>= 8)
        big[i] = (unsigned char)value;
    if (n == 8)
        return true;
    /* bytes that are cut off must only contain the sign */
    uint64_t rest = sign && big[0] & 0x80 ? UINT64_MAX >> 8 * n : 0;
    return value == rest;
}

/* For long and similar types, whose external32 size differs from that here. False: the value does
 * not fit. */
static bool put_integer(char *out, size_t to, const char *in, const struct mpi_basic *b)
{
    /* 16: the largest basic integer, although such ones never change their size. */
    unsigned char big[16] = {0};

    reverse((char *)big, in, b->size);
    return put_number((unsigned char *)out, to, is_signed(b),
                      get_number(big, b->size, is_signed(b)));
}

/* The native integer may be shorter than the external one, for instance a long of 4 bytes. `out` is
 * written even if the value does not fit. */
static bool get_integer(char *out, const char *in, size_t from, const struct mpi_basic *b)
{
    unsigned char big[16] = {0};
    bool fits = put_number(big, b->size, is_signed(b),
                           get_number((const unsigned char *)in, from, is_signed(b)));

    reverse(out, (char *)big, b->size);
    return fits;
}

/* ---- real numbers --------------------------------------------------------------------------- */

#if __LDBL_MANT_DIG__ == 64
/* Only long double has another format here than externally. x86's extended precision has 64 bits of
 * mantissa in 10 bytes; external formats have IEEE binary128. The conversion through __float128 is
 * exact outwards and rounds inwards. */
static bool is_foreign(const struct mpi_basic *b, size_t size)
{
    return size == sizeof(long double) &&
           (b->hn >> 8 == HN_CLASS_EXTENDED || b->hn >> 8 == HN_CLASS_EXTENDED_COMPLEX);
}
#endif

/* `to` is the size in the external form, `size` that in memory. They differ for extended
 * precision on 32-bit x86 only, where a long double has 12 bytes. */
static void put_real(char *out, size_t to, const char *in, size_t size, const struct mpi_basic *b)
{
#if __LDBL_MANT_DIG__ == 64
    if (is_foreign(b, size)) {
        long double x;
        memcpy(&x, in, sizeof x);
        /* Exact: binary128 has more bits of mantissa and of exponent. */
        __float128 wide = x;
        reverse(out, (char *)&wide, sizeof wide);
        return;
    }
#else
    (void)b;
    (void)size;
#endif
    reverse(out, in, to);
}

/* The padding behind the 10 bytes of an x86 long double is zeroed, so that results can be compared
 * bytewise. */
static void get_real(char *out, const char *in, size_t from, size_t size, const struct mpi_basic *b)
{
#if __LDBL_MANT_DIG__ == 64
    if (is_foreign(b, size)) {
        __float128 wide;
        reverse((char *)&wide, in, sizeof wide);
        /* Rounds to 64 bits of mantissa, as every conversion of C does; this is no error. */
        long double x = (long double)wide;
        memset(out, 0, size);
        memcpy(out, &x, sizeof x);
        return;
    }
#else
    (void)b;
    (void)size;
#endif
    reverse(out, in, from);
}

/* ---- elements ------------------------------------------------------------------------------- */

/* One basic element, in native form at `in`. False: an integer does not fit; reals always fit.
 * The sort selects the conversion, the sizes decide whether integers change their width. */
static bool put(char *out, size_t to, const char *in, const struct mpi_basic *b)
{
    switch (b->sort) {
    case 'C':
        memcpy(out, in, b->size);
        return true;
    case 'F':
        put_real(out, to, in, b->size, b);
        return true;
    /* Real and imaginary part. */
    case 'Z':
        put_real(out, to / 2, in, b->size / 2, b);
        put_real(out + to / 2, to / 2, in + b->size / 2, b->size / 2, b);
        return true;
    default:
        /* Only for long, wide characters, and their unsigned forms. */
        if (to != b->size)
            return put_integer(out, to, in, b);
        /* external32 is big-endian. */
        reverse(out, in, to);
        return true;
    }
}

/* The reverse of put(), from `from` external bytes. */
static bool get(char *out, const char *in, size_t from, const struct mpi_basic *b)
{
    switch (b->sort) {
    case 'C':
        memcpy(out, in, b->size);
        return true;
    case 'F':
        get_real(out, in, from, b->size, b);
        return true;
    case 'Z':
        get_real(out, in, from / 2, b->size / 2, b);
        get_real(out + b->size / 2, in + from / 2, from / 2, b->size / 2, b);
        return true;
    default:
        if (from != b->size)
            return get_integer(out, in, from, b);
        reverse(out, in, from);
        return true;
    }
}

/* Iterates over a type's units, repeatedly, until `elements` elements are processed. */
#define FOR_UNITS(t, elements, u, n)                                                               \
    for (size_t u##_left = (elements), u##_k = 0, n = 0; u##_left > 0;                             \
         u##_left -= n, u##_k = u##_k + 1 < (t)->unit_count ? u##_k + 1 : 0)                       \
        for (const struct type_unit *u =                                                           \
                 ((n = (t)->units[u##_k].count < u##_left ? (t)->units[u##_k].count : u##_left),   \
                  &(t)->units[u##_k]);                                                             \
             u; u = NULL)

/* Complete passes over the list are multiplied, so the cost is O(units) and not O(elements). */
size_t external_size(const struct mpi_type *t, size_t elements, enum external_form form)
{
    size_t list = 0, bytes = 0, rest = 0;

    /* Elements and bytes of one pass over the list. */
    for (size_t k = 0; k < t->unit_count; k++) {
        list += t->units[k].count;
        bytes += t->units[k].count * size_in(t->units[k].basic, form);
    }
    /* A type without data. */
    if (list == 0)
        return 0;
    /* Less than one list remains. */
    FOR_UNITS(t, elements % list, u, n)
    rest += n * size_in(u->basic, form);
    return elements / list * bytes + rest;
}

/* Continues after a value that does not fit, so that `out` is always complete. */
bool external_put(const struct mpi_type *t, size_t elements, enum external_form form,
                  const void *packed, void *out)
{
    const char *from = packed;
    char *to = out;
    bool fits = true;

    FOR_UNITS(t, elements, u, n)
    {
        size_t size = size_in(u->basic, form);
        /* Packed data has no gaps: both sides advance by their own sizes. */
        for (size_t i = 0; i < n; i++, from += u->basic->size, to += size)
            fits &= put(to, size, from, u->basic);
    }
    return fits;
}

/* False: a value does not fit into the type here. The other elements are converted nevertheless. */
bool external_get(const struct mpi_type *t, size_t elements, enum external_form form,
                  const void *in, void *packed)
{
    const char *from = in;
    char *to = packed;
    bool fits = true;

    FOR_UNITS(t, elements, u, n)
    {
        size_t size = size_in(u->basic, form);
        for (size_t i = 0; i < n; i++, from += size, to += u->basic->size)
            fits &= get(to, from, size, u->basic);
    }
    return fits;
}
