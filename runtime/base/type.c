/* type.c - element types, and the receiver's conversion of byte order and width.
 *
 * An element is first converted to this machine's byte order.  Then it is widened or narrowed if
 * the receiver has requested another size of the same class.  A complex number is two floats.
 */
#include "base/type.h"

#include "base/error.h"
#include "base/real.h"

#include <string.h>

size_t hn_type_size(hn_type t)
{
    return type_size(t);
}

/* The class, without the distinctions that only real.c and collective operations make. */
static int class_of(hn_type t)
{
    switch (t >> 8) {
    case HN_CLASS_EXTENDED:
        return HN_CLASS_FLOAT;
    case HN_CLASS_EXTENDED_COMPLEX:
        return HN_CLASS_COMPLEX;
    case HN_CLASS_LONG:
        return HN_CLASS_INT;
    case HN_CLASS_ULONG:
        return HN_CLASS_UINT;
    default:
        return t >> 8;
    }
}

/* Whether elements have the same format: a long of 4 bytes is an integer of 4 bytes. */
static bool look_alike(hn_type a, hn_type b)
{
    return a == b || (type_size(a) == 4 && type_size(b) == 4 && class_of(a) == class_of(b));
}

/* The name for messages; the remaining types are long doubles, whose sizes differ between
 * machines. */
const char *type_name(hn_type t)
{
    static const struct {
        hn_type type;
        const char *name;
    } names[] = {{HN_BYTE, "HN_BYTE"},
                 {HN_INT8, "HN_INT8"},
                 {HN_INT16, "HN_INT16"},
                 {HN_INT32, "HN_INT32"},
                 {HN_INT64, "HN_INT64"},
                 {HN_UINT8, "HN_UINT8"},
                 {HN_UINT16, "HN_UINT16"},
                 {HN_UINT32, "HN_UINT32"},
                 {HN_UINT64, "HN_UINT64"},
                 {HN_FLOAT, "HN_FLOAT"},
                 {HN_DOUBLE, "HN_DOUBLE"},
                 {HN_COMPLEX, "HN_COMPLEX"},
                 {HN_PACKED, "HN_PACKED"},
                 {HN_DOUBLE_COMPLEX, "HN_DOUBLE_COMPLEX"},
                 {HN_TYPE(HN_CLASS_LONG, 4), "HN_LONG"},
                 {HN_TYPE(HN_CLASS_ULONG, 4), "HN_ULONG"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].type == t)
            return names[i].name;
    if (type_size(t) == 0)
        return "no type";
    return class_of(t) == HN_CLASS_FLOAT ? "HN_LDOUBLE" : "HN_LDOUBLE_COMPLEX";
}

/* Bytes may be received as any type of their size and the reverse. */
bool type_compatible(hn_type from, hn_type to)
{
    if (from == to)
        return true;
    if (from == HN_BYTE || to == HN_BYTE)
        return type_size(from) == type_size(to);
    return class_of(from) == class_of(to);
}

/* Whether data sent as `from` with this byte order already have the layout of a buffer of `to`. */
static bool type_same_layout(hn_type from, bool big_endian, hn_type to)
{
    size_t size = type_size(from);

    return (look_alike(from, to) || (size == 1 && type_size(to) == 1)) &&
           (size == 1 || big_endian == type_machine_is_big_endian());
}

static void swap_bytes(uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        uint8_t t = p[i];
        p[i] = p[size - 1 - i];
        p[size - 1 - i] = t;
    }
}

/* The bytes of v that have the value of an integer of `size` bytes. */
static void *low_bytes(uint64_t *v, size_t size)
{
    return (uint8_t *)v + (type_machine_is_big_endian() ? sizeof *v - size : 0);
}

static uint64_t load(const uint8_t *p, size_t size, bool has_sign)
{
    uint64_t v = 0;
    int above = 64 - 8 * (int)size;

    memcpy(low_bytes(&v, size), p, size);
    return has_sign ? (uint64_t)((int64_t)(v << above) >> above) : v;
}

/* False: the value does not fit. */
static bool resize(const uint8_t *in, size_t from, uint8_t *out, size_t to, bool has_sign)
{
    uint64_t v = load(in, from, has_sign), low = v;

    memcpy(out, low_bytes(&low, to), to);
    return load(out, to, has_sign) == v;
}

/* A part of an element: all of it, or one of the two floats of a complex number. */
struct part {
    int class;
    size_t size;
    enum real_form form; /* of a float */
};

/* Only floats use the form.  class_of() changes the class of long doubles, and of long integers,
 * whose form is not used. */
static struct part part_of(hn_type t)
{
    int class = class_of(t);
    size_t size = type_size(t) / (class == HN_CLASS_COMPLEX ? 2 : 1);
    enum real_form form = class != t >> 8 ? REAL_EXTENDED
                          : size == 4     ? REAL_FLOAT
                          : size == 8     ? REAL_DOUBLE
                                          : REAL_QUAD;

    return (struct part){class, size, form};
}

/* Converts one part into this machine's byte order and the receiver's size.  `in` and `out` may be
 * the same memory, because the part is copied first.  Returns false if the value does not fit. */
static bool convert_part(const uint8_t *in, const struct part *from, bool swap, uint8_t *out,
                         const struct part *to)
{
    uint8_t part[16];

    memcpy(part, in, from->size);
    if (swap)
        swap_bytes(part, from->size);
    if (from->class == HN_CLASS_FLOAT || from->class == HN_CLASS_COMPLEX)
        return real_convert(part, (struct real_kind){from->form, from->size}, out,
                            (struct real_kind){to->form, to->size});
    return resize(part, from->size, out, to->size, from->class == HN_CLASS_INT);
}

/* The fast path copies.  Otherwise each part is converted by itself: O(elements).  An error leaves
 * the elements before it converted. */
int type_convert(const void *in, hn_type from, bool big_endian, void *out, hn_type to, size_t count)
{
    const struct part in_part = part_of(from), out_part = part_of(to);
    size_t parts = in_part.class == HN_CLASS_COMPLEX ? 2 : 1;
    bool swap = big_endian != type_machine_is_big_endian();
    const uint8_t *p = in;
    uint8_t *q = out;

    /* memmove(), since a receiver may convert in place. */
    if (type_same_layout(from, big_endian, to)) {
        if (in != out && count > 0)
            memmove(out, in, count * type_size(from));
        return HN_OK;
    }
    for (size_t i = 0; i < count * parts; i++, p += in_part.size, q += out_part.size)
        if (!convert_part(p, &in_part, swap, q, &out_part))
            return error_set(HN_ETYPE, "element %zu of the message does not fit into %zu bytes",
                             i / parts, out_part.size);
    return HN_OK;
}
