/* measure.c - length and origin of a message: pvm_bufinfo() and related calls.
 *
 * hnow's buffers provide the number of elements in the next piece, but not the total number of
 * bytes.  So the pieces are skipped by unpacking them into a small buffer that stays in the cache.
 * Afterwards the program's position is restored by the number of elements that it has unpacked.
 * The cost is one pass over the message.
 */
#include "vm.h"

static size_t bytes_in(hn_buffer *buffer);

/* A nested message is one element. */
static bool pass_message(hn_buffer *buffer, size_t *bytes)
{
    hn_buffer *inner = hn_buffer_new();
    bool passed = inner && hn_unpack_buffer(buffer, inner) == HN_OK;

    if (passed)
        *bytes += bytes_in(inner);
    hn_buffer_free(inner);
    return passed;
}

/* Skips the next elements, at most *most; false: end of the message. By parts of 16 KiB. */
static bool pass(hn_buffer *buffer, size_t *most, size_t *bytes)
{
    static _Alignas(max_align_t) unsigned char room[16384];
    hn_type type;
    size_t count, size;

    if (*most == 0 || hn_buffer_next(buffer, &type, &count) != HN_OK)
        return false;
    if (type == HN_PACKED) {
        (*most)--;
        return pass_message(buffer, bytes);
    }
    size = hn_type_size(type);
    /* Only as far as requested. */
    if (count > *most)
        count = *most;
    if (count > sizeof room / size)
        count = sizeof room / size;
    *most -= count;
    *bytes += count * size;
    return hn_unpack(buffer, room, count, type, 1) == HN_OK;
}

/* Leaves the position at the end. */
static size_t bytes_in(hn_buffer *buffer)
{
    size_t bytes = 0, all = SIZE_MAX;

    hn_buffer_rewind(buffer);
    while (pass(buffer, &all, &bytes))
        ;
    return bytes;
}

/* Data in place are packed for this, and again when they are sent. */
size_t vm_buffer_bytes(struct vm_buffer *buffer)
{
    size_t bytes, passed = 0, unpacked = buffer->unpacked;

    if (vm_buffer_ready(buffer) != PvmOk)
        return 0;
    bytes = bytes_in(buffer->data);
    hn_buffer_rewind(buffer->data);
    /* Back to the program's position. */
    while (pass(buffer->data, &unpacked, &passed))
        ;
    return bytes;
}

/* Returns PvmOk, or why a number is no buffer. A number that was never possible is a bad
 * parameter. */
static int find(int id, struct vm_buffer **buffer)
{
    *buffer = vm_buffer(id);
    if (*buffer)
        return PvmOk;
    return id > 0 ? PvmNoSuchBuf : PvmBadParam;
}

/* Measures only if the length is wanted. */
static int describe(int id, int *bytes, int *tag, int *tid)
{
    struct vm_buffer *buffer;
    int result = find(id, &buffer);

    if (result != PvmOk)
        return result;
    if (bytes)
        *bytes = (int)vm_buffer_bytes(buffer);
    if (tag)
        *tag = buffer->tag;
    if (tid)
        *tid = buffer->from;
    return PvmOk;
}

/* The destination is always the caller: a message in a buffer was sent to it, or is its own. */
static int get(int id, struct pvmminfo *info)
{
    struct vm_buffer *buffer;
    int result = info ? find(id, &buffer) : PvmBadParam;

    if (result == PvmOk)
        *info = (struct pvmminfo){
            .len = (int)vm_buffer_bytes(buffer),
            .ctx = buffer->context,
            .tag = buffer->tag,
            .wid = buffer->wait_id,
            .enc = buffer->encoding,
            .crc = buffer->checksum,
            .src = buffer->from,
            .dst = hn_mytid(),
        };
    return result;
}

static int set(int id, const struct pvmminfo *info)
{
    struct vm_buffer *buffer;
    int result = info ? find(id, &buffer) : PvmBadParam;

    if (result != PvmOk)
        return result;
    buffer->context = info->ctx;
    buffer->tag = info->tag;
    buffer->wait_id = info->wid;
    buffer->checksum = info->crc;
    buffer->from = info->src;
    return PvmOk;
}

static int get_wait_id(int id)
{
    struct vm_buffer *buffer;
    int result = find(id, &buffer);

    return result == PvmOk ? buffer->wait_id : result;
}

static int set_wait_id(int id, int value)
{
    struct vm_buffer *buffer;
    int result = find(id, &buffer);

    if (result == PvmOk)
        buffer->wait_id = value;
    return result;
}

int pvm_bufinfo(int buffer, int *bytes, int *tag, int *tid)
{
    return VM_CALL(describe(buffer, bytes, tag, tid));
}

int pvm_getminfo(int buffer, struct pvmminfo *info)
{
    return VM_CALL(get(buffer, info));
}

int pvm_setminfo(int buffer, struct pvmminfo *info)
{
    return VM_CALL(set(buffer, info));
}

int pvm_getmwid(int buffer)
{
    return VM_CALL(get_wait_id(buffer));
}

int pvm_setmwid(int buffer, int id)
{
    return VM_CALL(set_wait_id(buffer, id));
}
