/* measure.c - length and origin of a message: pvm_bufinfo() and related calls. */
#include "vm.h"

size_t vm_buffer_bytes(struct vm_buffer *buffer)
{
    return vm_buffer_ready(buffer) == PvmOk ? hn_buffer_data_bytes(buffer->data) : 0;
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
