/* raw.c - elements that are unpacked as another type than the one they were packed as.
 *
 * PVM looks at no types, so programs pack an unsigned and unpack an int, or take as bytes what was
 * packed as numbers.  Here a number of the other sign is converted; bytes and numbers stand for
 * each other as they lie in the memory of this machine, by whole elements.  All else is PvmBadMsg.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* The class, in which a long of 4 bytes is an integer like others. */
static int plain_class(hn_type type)
{
    int class = type >> 8;

    return class == HN_CLASS_LONG ? HN_CLASS_INT : class == HN_CLASS_ULONG ? HN_CLASS_UINT : class;
}

/* An integer type with the other sign, or the type itself. */
static hn_type other_sign(hn_type type)
{
    int class = plain_class(type);

    if (class == HN_CLASS_INT)
        return HN_TYPE(HN_CLASS_UINT, hn_type_size(type));
    return class == HN_CLASS_UINT ? HN_TYPE(HN_CLASS_INT, hn_type_size(type)) : type;
}

size_t vm_elements(hn_type from, size_t count, hn_type to)
{
    if (plain_class(from) == plain_class(to))
        return count;
    return count * hn_type_size(from) / hn_type_size(to);
}

/* Numbers as bytes: n of them, or fewer, which fill whole elements. */
static int as_bytes(struct vm_buffer *buffer, char *data, size_t *n, hn_type type, size_t count)
{
    size_t size = hn_type_size(type), whole = *n / size < count ? *n / size : count;
    char *room;
    int result;

    if (whole == 0)
        return PvmBadMsg;
    room = malloc(whole * size); /* where they lie as numbers should */
    if (!room)
        return PvmNoMem;
    result = hn_unpack(buffer->data, room, whole, type, 1);
    if (result == HN_OK) {
        memcpy(data, room, whole * size);
        buffer->unpacked += whole;
        *n = whole * size;
    }
    free(room);
    return vm_result(result);
}

/* `count` bytes as elements, as many as there are.  As in PVM, bytes that are too few for an
 * element are used up. */
static int from_bytes(struct vm_buffer *buffer, void *data, size_t *n, hn_type type, size_t count)
{
    size_t size = hn_type_size(type), whole = count / size;

    *n = *n < whole ? *n : whole;
    size_t bytes = whole > 0 ? *n * size : count;
    int result = hn_unpack(buffer->data, data, bytes, HN_BYTE, 1);
    buffer->unpacked += result == HN_OK ? bytes : 0;
    return result == HN_OK && whole == 0 ? PvmNoData : vm_result(result);
}

/* Elements of one piece, *n at most, as the type that is asked for; *n: how many were taken. */
static int take_piece(struct vm_buffer *buffer, void *data, size_t *n, hn_type type)
{
    hn_type next;
    size_t count;
    int result = hn_buffer_next(buffer->data, &next, &count);

    if (result != HN_OK)
        return vm_result(result);
    if (next == HN_PACKED)
        return PvmBadMsg;
    if (type == HN_BYTE && hn_type_size(next) > 1)
        return as_bytes(buffer, data, n, next, count);
    if (next == HN_BYTE && hn_type_size(type) > 1)
        return from_bytes(buffer, data, n, type, count);
    *n = *n < count ? *n : count;
    result = hn_unpack(buffer->data, data, *n, type, 1);
    if (result == HN_ETYPE && hn_type_size(next) == hn_type_size(type))
        result = hn_unpack(buffer->data, data, *n, other_sign(type), 1);
    buffer->unpacked += result == HN_OK ? *n : 0;
    return vm_result(result);
}

/* As in PVM, who asks for more than there is gets what there is, and PvmNoData. */
int vm_take_pieces(struct vm_buffer *buffer, void *data, size_t count, hn_type type)
{
    char *to = data;
    int result = PvmOk;

    while (count > 0 && result == PvmOk) {
        size_t n = count;
        result = take_piece(buffer, to, &n, type);
        to += n * hn_type_size(type);
        count -= n;
    }
    return result;
}
