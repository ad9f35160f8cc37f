/* inner.c - nested messages: pvm_pkmesg(), pvm_pkmesgbody(), pvm_upkmesg().
 *
 * A nested message is packed as its numbers (context, tag, ...) and its buffer as one element.
 * It can be nested to any depth, because the inner buffer's elements keep their types.
 *
 * The body alone is packed as the elements of the inner buffer, so the receiver unpacks them as
 * if the sender had packed each of them. Either way the data are copied.
 */
#include "vm.h"

#include <stdlib.h>

enum { CONTEXT, TAG, WAIT_ID, ENCODING, FROM, NUMBERS };

/* Returns PvmOk if the buffer `id` can be packed into the current one. A buffer cannot contain
 * itself. */
static int find(int id, struct vm_buffer **inner, struct vm_buffer **outer)
{
    /* The number is checked first, then the inner buffer, and the outer one last. */
    *inner = vm_buffer(id);
    if (id <= 0 || id == vm_thread.send)
        return PvmBadParam;
    if (!*inner)
        return PvmNoSuchBuf;
    *outer = vm_to_pack();
    if (!*outer)
        return PvmNoBuf;
    /* The inner buffer may contain data in place, which are packed now. */
    return (*outer)->encoding == PvmDataInPlace ? PvmNotImpl : vm_buffer_ready(*inner);
}

/* As six integers, so that byte orders may differ. */
static int pack_whole(int id)
{
    struct vm_buffer *inner, *outer;
    int result = find(id, &inner, &outer);

    if (result != PvmOk)
        return result;
    int32_t numbers[NUMBERS] = {
        [CONTEXT] = inner->context,   [TAG] = inner->tag,   [WAIT_ID] = inner->wait_id,
        [ENCODING] = inner->encoding, [FROM] = inner->from,
    };
    result = hn_pack(outer->data, numbers, NUMBERS, HN_INT32, 1);
    return vm_result(result == HN_OK ? hn_pack_buffer(outer->data, inner->data) : result);
}

/* ---- the body only ------------------------------------------------------------------------ */

/* A nested message within the body stays nested. */
static int copy_message(hn_buffer *from, hn_buffer *to)
{
    hn_buffer *inner = hn_buffer_new();
    int result = inner ? hn_unpack_buffer(from, inner) : HN_ENOMEM;

    if (result == HN_OK)
        result = hn_pack_buffer(to, inner);
    hn_buffer_free(inner);
    return result;
}

/* A piece keeps its type, and stays one piece. */
static int copy_piece(hn_buffer *from, hn_buffer *to, hn_type type, size_t count)
{
    void *room;
    int result;

    if (type == HN_PACKED)
        return copy_message(from, to);
    /* In the format of this host: the type is preserved, but not the byte order of the sender. */
    room = malloc(count * hn_type_size(type));
    result = room ? hn_unpack(from, room, count, type, 1) : HN_ENOMEM;
    if (result == HN_OK)
        result = hn_pack(to, room, count, type, 1);
    free(room);
    return result;
}

/* Unpacks a copy, so the program's position in the buffer is unchanged. */
static int pack_body(int id)
{
    struct vm_buffer *inner, *outer;
    hn_buffer *copy = NULL, *wrap = NULL;
    hn_type type;
    size_t count;
    int result = find(id, &inner, &outer);

    if (result == PvmOk && inner->encoding != outer->encoding)
        result = PvmMismatch;
    if (result != PvmOk)
        return result;
    /* hnow has no copy of a buffer. Packed into `wrap` and unpacked from there, it becomes one. */
    copy = hn_buffer_new();
    wrap = hn_buffer_new();
    result = copy && wrap ? hn_pack_buffer(wrap, inner->data) : HN_ENOMEM;
    if (result == HN_OK)
        result = hn_unpack_buffer(wrap, copy);
    /* Piece by piece, so that types remain. */
    while (result == HN_OK && hn_buffer_next(copy, &type, &count) == HN_OK)
        result = copy_piece(copy, outer->data, type, count);
    hn_buffer_free(copy);
    hn_buffer_free(wrap);
    return vm_result(result);
}

/* ---- unpacking ---------------------------------------------------------------------------- */

/* After an error the position in the outer message is past the numbers, or unchanged. */
static int unpack_into(struct vm_buffer *outer, struct vm_buffer *inner)
{
    int32_t numbers[NUMBERS];
    int result = hn_unpack(outer->data, numbers, NUMBERS, HN_INT32, 1);

    if (result == HN_OK)
        result = hn_unpack_buffer(outer->data, inner->data);
    if (result != HN_OK)
        return vm_result(result);
    /* So pvm_getminfo() describes the inner message as its sender did. */
    inner->context = numbers[CONTEXT];
    inner->tag = numbers[TAG];
    inner->wait_id = numbers[WAIT_ID];
    inner->encoding = numbers[ENCODING];
    inner->from = numbers[FROM];
    return PvmOk;
}

/* Returns the new buffer's number, or an error, after which no buffer is left. */
static int unpack_whole(void)
{
    struct vm_buffer *outer = vm_to_unpack();
    int id, result;

    if (!outer)
        return PvmNoBuf;
    /* It is marked as received, so unpacking starts at its first element. */
    id = vm_buffer_new(PvmDataDefault, NULL);
    if (id < 0)
        return id;
    result = unpack_into(outer, vm_buffer(id));
    if (result == PvmOk)
        return id;
    vm_buffer_free(id);
    return result;
}

/* The inner buffer is copied, and may be freed. */
int pvm_pkmesg(int buffer)
{
    return VM_CALL(pack_whole(buffer));
}

/* PvmMismatch: the two buffers have different encodings. */
int pvm_pkmesgbody(int buffer)
{
    return VM_CALL(pack_body(buffer));
}

/* The new buffer is not current: pvm_setrbuf() makes it so. */
int pvm_upkmesg(void)
{
    return VM_CALL(unpack_whole());
}
