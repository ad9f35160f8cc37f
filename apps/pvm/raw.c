/* raw.c - unpacking elements as another type than they were packed with.
 *
 * PVM does not check types.  So programs pack an unsigned and unpack an int, or unpack numbers as
 * bytes, or complex numbers as pairs of reals.  Here an integer of the other signedness is
 * converted.  Bytes and numbers are exchanged in native format, by whole elements, and so are
 * complex numbers and reals.  Everything else is PvmBadMsg.
 *
 * This is the slow way: elements of the expected type in one piece never come here. Elements are
 * taken piece by piece, each with one type. A request may extend over several pieces, of different
 * types.
 *
 * Bytes of a number depend on the host, so numbers unpacked as bytes are in the receiver's
 * format, and bytes unpacked as numbers in the sender's.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* The class; a 4-byte long is an integer like others. Types with the same class and size look alike
 * in memory. */
static int plain_class(hn_type type)
{
    int class = type >> 8;

    return class == HN_CLASS_LONG ? HN_CLASS_INT : class == HN_CLASS_ULONG ? HN_CLASS_UINT : class;
}

/* The integer type of the other signedness, or the type itself. */
static hn_type other_sign(hn_type type)
{
    int class = plain_class(type);

    if (class == HN_CLASS_INT)
        return HN_TYPE(HN_CLASS_UINT, hn_type_size(type));
    return class == HN_CLASS_UINT ? HN_TYPE(HN_CLASS_INT, hn_type_size(type)) : type;
}

/* Rounded down. */
size_t vm_elements(hn_type from, size_t count, hn_type to)
{
    /* Also if the sizes differ: such elements are not exchanged as bytes. */
    if (plain_class(from) == plain_class(to))
        return count;
    return count * hn_type_size(from) / hn_type_size(to);
}

/* Unpacks numbers as bytes: n of them, or fewer, which fill whole elements. If fewer bytes are
 * requested than an element has: PvmBadMsg. */
static int as_bytes(struct vm_buffer *buffer, char *data, size_t *n, hn_type type, size_t count)
{
    /* A part of a number is never delivered. */
    size_t size = hn_type_size(type), whole = *n / size < count ? *n / size : count;
    char *room;
    int result;

    if (whole == 0)
        return PvmBadMsg;
    room = malloc(whole * size); /* aligned for the numbers */
    if (!room)
        return PvmNoMem;
    result = hn_unpack(buffer->data, room, whole, type, 1);
    if (result == HN_OK)
        /* The program's memory may not be aligned. */
        memcpy(data, room, whole * size);
    *n = whole * size;
    free(room);
    return vm_result(result);
}

/* Unpacks `count` bytes as elements, as many as there are.  As in PVM, bytes that are too few for
 * an element are consumed. */
static int from_bytes(struct vm_buffer *buffer, void *data, size_t *n, hn_type type, size_t count)
{
    size_t size = hn_type_size(type), whole = count / size;

    /* As many elements as were requested, at most. */
    *n = *n < whole ? *n : whole;
    /* Too few for one element: all are consumed. */
    size_t bytes = whole > 0 ? *n * size : count;
    /* Bytes can be copied to any address. */
    int result = hn_unpack(buffer->data, data, bytes, HN_BYTE, 1);
    return result == HN_OK && whole == 0 ? PvmNoData : vm_result(result);
}

/* A complex number has its real part first. */
static bool is_pair_of(hn_type pair, hn_type real)
{
    return (pair == HN_COMPLEX && real == HN_FLOAT) ||
           (pair == HN_DOUBLE_COMPLEX && real == HN_DOUBLE);
}

/* Unpacks reals as complex numbers, or the reverse, as many whole elements as there are. In either
 * direction whole elements of both types are taken. */
static int as_parts(struct vm_buffer *buffer, void *data, size_t *n, hn_type type, size_t count,
                    hn_type next)
{
    size_t size = hn_type_size(type), part = hn_type_size(next), take = *n * size / part;

    /* Rounded down twice, so that no element of either type is divided. */
    *n = (take < count ? take : count) * part / size;
    take = *n * size / part;
    if (take == 0)
        return PvmBadMsg;
    return vm_result(hn_unpack(buffer->data, data, take, next, 1));
}

/* Unpacks elements of one piece, at most *n, as the requested type; *n becomes their number. */
static int take_piece(struct vm_buffer *buffer, void *data, size_t *n, hn_type type)
{
    hn_type next;
    size_t count;
    int result = hn_buffer_next(buffer->data, &next, &count);

    if (result != HN_OK)
        return vm_result(result);
    /* A nested message is for pvm_upkmesg() only. */
    if (next == HN_PACKED)
        return PvmBadMsg;
    /* The order of these checks does not matter: at most one of them is true. */
    if (type == HN_BYTE && hn_type_size(next) > 1)
        return as_bytes(buffer, data, n, next, count);
    if (next == HN_BYTE && hn_type_size(type) > 1)
        return from_bytes(buffer, data, n, type, count);
    if (is_pair_of(type, next) || is_pair_of(next, type))
        return as_parts(buffer, data, n, type, count, next);
    *n = *n < count ? *n : count;
    result = hn_unpack(buffer->data, data, *n, type, 1);
    /* The same size, but signed instead of unsigned, or the reverse. */
    if (result == HN_ETYPE && hn_type_size(next) == hn_type_size(type))
        result = hn_unpack(buffer->data, data, *n, other_sign(type), 1);
    return vm_result(result);
}

/* As in PVM, a request for too many elements gets the existing ones, and PvmNoData. */
int vm_take_pieces(struct vm_buffer *buffer, void *data, size_t count, hn_type type)
{
    char *to = data;
    int result = PvmOk;

    while (count > 0 && result == PvmOk) {
        /* take_piece() reduces it to the number of elements that it has unpacked. */
        size_t n = count;
        result = take_piece(buffer, to, &n, type);
        to += n * hn_type_size(type);
        count -= n;
    }
    return result;
}
