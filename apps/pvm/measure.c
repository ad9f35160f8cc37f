/* measure.c - length and origin of a message: pvm_bufinfo() and related calls.
 *
 * Context, tag, wait id and sender are fields of the buffer, which the library copies but does
 * not interpret. Changing them has no effect on where a message is sent: the arguments of
 * pvm_send() count. A message in the list of probed ones is found by its changed fields, however
 * (pvm_receive.c).
 *
 * The length is that of the data alone. It depends on the elements' types, and not on the
 * encoding.
 */
#include "vm.h"

/* Data in place are packed to be measured. Without memory for that the length is 0. */
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
    /* A length above INT_MAX does not fit into the argument, as in PVM. */
    if (bytes)
        *bytes = (int)vm_buffer_bytes(buffer);
    if (tag)
        *tag = buffer->tag;
    if (tid)
        *tid = buffer->from;
    return PvmOk;
}

/* The destination is always the caller: a message in a buffer was sent to it, or is its own. The
 * checksum is 0: hnow has none. */
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

/* Length, encoding and destination are left alone, as they follow from the buffer itself. */
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

/* The wait id is not negative unless the program has set such a number. */
static int get_wait_id(int id)
{
    struct vm_buffer *buffer;
    int result = find(id, &buffer);

    return result == PvmOk ? buffer->wait_id : result;
}

/* Accepts any number. */
static int set_wait_id(int id, int value)
{
    struct vm_buffer *buffer;
    int result = find(id, &buffer);

    if (result == PvmOk)
        buffer->wait_id = value;
    return result;
}

/* PvmNoSuchBuf: the number was valid, but no buffer has it now. PvmBadParam: no buffer can have
 * it. */
int pvm_bufinfo(int buffer, int *bytes, int *tag, int *tid)
{
    return VM_CALL(describe(buffer, bytes, tag, tid));
}

/* PvmBadParam also if info is NULL; the structure is unchanged after an error. */
int pvm_getminfo(int buffer, struct pvmminfo *info)
{
    return VM_CALL(get(buffer, info));
}

/* For a buffer to send, too, but the receiver does not get these numbers. */
int pvm_setminfo(int buffer, struct pvmminfo *info)
{
    return VM_CALL(set(buffer, info));
}

/* The id is local to this task: it is not sent. */
int pvm_getmwid(int buffer)
{
    return VM_CALL(get_wait_id(buffer));
}

/* PVM uses it for requests that await a reply. Here only a nested message carries it to another
 * task. */
int pvm_setmwid(int buffer, int id)
{
    return VM_CALL(set_wait_id(buffer, id));
}
