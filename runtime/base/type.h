/* type.h - what the receiver does to make data right (public part: HN_TYPE in hnow.h). */
#pragma once

#include "hnow.h"

#include <endian.h>
#include <stdbool.h>

/* A bit of a type as it travels: the sender wants a reply when a receive has taken the message
 * (match/ssend_ack.h).  No program passes it. */
enum { TYPE_ASKS = 0x4000 };

/* hn_type_size(), for those who ask for every message. */
static inline size_t type_size(hn_type t)
{
    static const uint64_t sizes[] = {/* that a class has, a bit each */
                                     [HN_CLASS_BYTE] = 1 << 1,
                                     [HN_CLASS_INT] = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8,
                                     [HN_CLASS_UINT] = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8,
                                     [HN_CLASS_FLOAT] = 1 << 4 | 1 << 8 | 1 << 16,
                                     [HN_CLASS_COMPLEX] = 1 << 8 | 1 << 16 | UINT64_C(1) << 32,
                                     [HN_CLASS_PACKED] = 1 << 1,
                                     [HN_CLASS_EXTENDED] = 1 << 12 | 1 << 16,
                                     [HN_CLASS_EXTENDED_COMPLEX] = 1 << 24 | UINT64_C(1) << 32,
                                     [HN_CLASS_LONG] = 1 << 4,
                                     [HN_CLASS_ULONG] = 1 << 4};
    unsigned class = ((unsigned)t & ~(unsigned)TYPE_ASKS) >> 8, size = (unsigned)t & 0xff;

    return class <= HN_CLASS_ULONG && size <= 32 && sizes[class] >> size & 1 ? size : 0;
}

/* How many elements of a type are in so many bytes, which is a multiple of its size: nearly all
 * sizes are powers of two, and dividing takes longer than all else about a header. */
static inline size_t type_count(hn_type t, size_t bytes)
{
    size_t size = type_size(t);

    return (size & (size - 1)) == 0 ? bytes >> __builtin_ctz((unsigned)size) : bytes / size;
}

/* Whether so many bytes are whole elements of a size that a type has. */
static inline bool type_are_whole(size_t size, uint64_t bytes)
{
    return (size & (size - 1)) == 0 ? (bytes & (size - 1)) == 0 : bytes % size == 0;
}

/* The name of a type in error messages; never NULL. */
const char *type_name(hn_type t);

/* Whether elements sent as `from` may be received as `to`: equal classes, or bytes on either side
 * of equal size. */
bool type_compatible(hn_type from, hn_type to);

/* Converts count elements from the sender's layout to this machine's.  in and out may be the same
 * buffer when the element sizes are equal.  HN_ETYPE when a value does not fit the narrower type.
 */
int type_convert(const void *in, hn_type from, bool big_endian, void *out, hn_type to,
                 size_t count);

/* The type in which collective operations carry elements: all members need one size, and a long has
 * another one on other machines. */
static inline hn_type type_carried(hn_type t)
{
    return t == HN_TYPE(HN_CLASS_LONG, 4)    ? HN_INT64
           : t == HN_TYPE(HN_CLASS_ULONG, 4) ? HN_UINT64
                                             : t;
}

/* This machine's byte order. */
static inline bool type_machine_is_big_endian(void)
{
    return __BYTE_ORDER == __BIG_ENDIAN;
}
