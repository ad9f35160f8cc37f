/* type.h - converts received data to this machine's types (public part: HN_TYPE in hnow.h). */
#pragma once

#include "hnow.h"

#include <endian.h>
#include <stdbool.h>

/* A bit of a type in a frame: the sender requests an acknowledgement when a receive has matched the
 * message (match/ssend_ack.h).  Programs cannot set it. */
enum { TYPE_ASKS = 0x4000 };

/* hn_type_size(), inline because it is called for every message. */
static inline size_t type_size(hn_type t)
{
    static const uint64_t sizes[] = {/* valid sizes of each class: bit n for n bytes */
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

/* The same for a type that is known to be valid. */
static inline size_t type_valid_size(hn_type t)
{
    return (size_t)t & 0xff;
}

/* Number of elements in so many bytes, a multiple of the type's size.  Nearly all sizes are powers
 * of two, and a division takes longer than the rest of decoding a header. */
static inline size_t type_count(hn_type t, size_t bytes)
{
    size_t size = type_size(t);

    return (size & (size - 1)) == 0 ? bytes >> __builtin_ctz((unsigned)size) : bytes / size;
}

/* Whether so many bytes are a multiple of the size of a type. */
static inline bool type_are_whole(size_t size, uint64_t bytes)
{
    return (size & (size - 1)) == 0 ? (bytes & (size - 1)) == 0 : bytes % size == 0;
}

/* The name of a type for error messages; never NULL. */
const char *type_name(hn_type t);

/* Whether elements sent as `from` can be received as `to`: the classes are equal, or one side has
 * bytes of equal size. */
bool type_compatible(hn_type from, hn_type to);

/* Converts count elements from the sender's layout to this machine's. in and out may be the same
 * buffer if the element sizes are equal.  HN_ETYPE: a value does not fit into the narrower type. */
int type_convert(const void *in, hn_type from, bool big_endian, void *out, hn_type to,
                 size_t count);

/* The type in which collective operations carry elements.  All members need the same size, but the
 * size of a long differs between machines. */
static inline hn_type type_carried(hn_type t)
{
    return t == HN_TYPE(HN_CLASS_LONG, 4)    ? HN_INT64
           : t == HN_TYPE(HN_CLASS_ULONG, 4) ? HN_UINT64
                                             : t;
}

/* Whether this machine is big-endian. */
static inline bool type_machine_is_big_endian(void)
{
    return __BYTE_ORDER == __BIG_ENDIAN;
}
