/* pvm_message.c - sending, and messages without a buffer: pvm_psend(), pvm_precv().
 *
 * A message to a task that has ended, or never existed, is dropped without an error, as in PVM.
 *
 * Messages from one task to another arrive in the order in which they were sent.
 *
 * When a call returns, the program may change its data.
 *
 * A message of one int that was not packed has the form of a notification (pvm_notify.c). All
 * such messages are packed, so that a receiver never mistakes one for the other.
 */
#include "vm.h"

#include <stdlib.h>

/* Returns PvmOk if a message can be sent with that tag; *buffer is the current one. */
static int check(int tag, struct vm_buffer **buffer)
{
    /* A negative tag is a wildcard of receives. */
    if (tag < 0)
        return PvmBadParam;
    *buffer = vm_buffer(vm_thread.send);
    return *buffer ? PvmOk : PvmNoBuf;
}

/* Other failures are errors of the call. */
static int sent(int result)
{
    return result == HN_EDEAD || result == HN_ENOTASK ? PvmOk : vm_result(result);
}

/* True for contiguous elements, which are sent from their place. A single int would look like a
 * notification. */
static bool is_one_array(const struct vm_buffer *buffer)
{
    return buffer->nplace == 1 && buffer->places->stride == 1 && buffer->places->count > 1;
}

/* The buffer stays current, and may be sent again. */
static int send_current(int tid, int tag)
{
    struct vm_buffer *buffer;
    int result = vm_may_be_task(tid) ? check(tag, &buffer) : PvmBadParam;

    if (result != PvmOk)
        return result;
    /* No copy is made of one contiguous array. */
    const struct vm_place *p = buffer->places;
    if (is_one_array(buffer))
        return sent(hn_send(tid, tag, p->data, p->count, p->type));
    result = vm_buffer_ready(buffer);
    /* In all other cases the elements are in the buffer, or are packed into it now. */
    return result == PvmOk ? sent(hn_send_buffer(tid, tag, buffer->data)) : result;
}

/* For qsort(), which places equal tids side by side. */
static int by_tid(const void *a, const void *b)
{
    hn_tid x = *(const hn_tid *)a, y = *(const hn_tid *)b;

    return (x > y) - (x < y);
}

/* A task that is in the list twice gets only one message. */
int vm_send_others(const int *tids, int n, int tag)
{
    struct vm_buffer *buffer;
    int m = 0, result = check(tag, &buffer);
    hn_tid *list, me = hn_mytid();

    if (result == PvmOk)
        result = vm_buffer_ready(buffer);
    if (result != PvmOk)
        return result;
    /* The list of the program is not changed. */
    list = malloc(sizeof *list * ((size_t)n + 1));
    if (!list)
        return PvmNoMem;
    /* 0 is an unused instance of a group. */
    for (int i = 0; i < n; i++)
        if (tids[i] > 0 && tids[i] != me)
            list[m++] = tids[i];
    /* Equal tids are adjacent then. */
    qsort(list, (size_t)m, sizeof *list, by_tid);
    n = m;
    m = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || list[i] != list[m - 1])
            list[m++] = list[i];
    /* One call for all receivers, so that hnow can choose the way of the data. */
    result = sent(hn_multicast_buffer(list, m, tag, buffer->data));
    free(list);
    return result;
}

/* One bad tid, and nothing is sent. */
static int send_many(const int *tids, int n, int tag)
{
    if (!vm_buffer(vm_thread.send))
        return PvmNoBuf;
    if (n < 0 || (n > 0 && !tids))
        return PvmBadParam;
    for (int i = 0; i < n; i++)
        if (!vm_may_be_task(tids[i]))
            return PvmBadParam;
    return vm_send_others(tids, n, tag);
}

/* ---- without a buffer --------------------------------------------------------------------- */

/* Sends a single int through a buffer: as a message of one int it would look like a
 * notification. */
static int send_int(int tid, int tag, const int *value)
{
    hn_buffer *buffer = hn_buffer_new();
    int result = buffer ? hn_pack(buffer, value, 1, HN_INT, 1) : HN_ENOMEM;

    if (result == HN_OK)
        result = hn_send_buffer(tid, tag, buffer);
    hn_buffer_free(buffer);
    return sent(result);
}

/* PVM_STR has no count of elements, which these calls need. */
static int check_elements(const void *data, int count, int datatype)
{
    if (datatype == PVM_STR)
        return PvmNotImpl;
    return count < 0 || vm_type(datatype) < 0 || (!data && count > 0) ? PvmBadParam : PvmOk;
}

/* count 0 sends an empty message. */
static int send_elements(int tid, int tag, const void *data, int count, int datatype)
{
    hn_type type = vm_type(datatype);
    int result = check_elements(data, count, datatype);

    if (result != PvmOk || !vm_may_be_task(tid) || tag < 0)
        return result != PvmOk ? result : PvmBadParam;
    /* All other elements are sent from the program's memory, without a buffer. */
    if (count == 1 && type == HN_INT)
        return send_int(tid, tag, data);
    return sent(hn_send(tid, tag, data, (size_t)count, type));
}

/* Result arguments of a receive besides the elements. */
struct origin {
    int *from, *tag, *bytes;
};

/* All may be NULL. */
static void tell(const struct origin *origin, int from, int tag, size_t bytes)
{
    if (origin->from)
        *origin->from = from;
    if (origin->tag)
        *origin->tag = tag;
    if (origin->bytes)
        *origin->bytes = (int)bytes;
}

/* Unpacks as many elements as fit; the rest is dropped. PvmBadMsg: an element has another type.
 * Fewer elements than requested are no error. */
static int unpack_elements(int id, char *to, size_t count, hn_type type,
                           const struct origin *origin)
{
    struct vm_buffer *buffer = vm_buffer(id);
    hn_type next;
    size_t n;
    int result = PvmOk;

    tell(origin, buffer->from, buffer->tag, vm_buffer_bytes(buffer));
    while (count > 0 && result == PvmOk && hn_buffer_next(buffer->data, &next, &n) == HN_OK) {
        /* In elements of the wanted type. */
        n = vm_elements(next, n, type);
        /* A message may consist of several pieces, each with a type of its own. */
        n = n < count ? n : count;
        result = n > 0 ? vm_take(buffer, to, n, type) : PvmBadMsg;
        to += n * hn_type_size(type);
        count -= n;
    }
    vm_buffer_free(id);
    return result;
}

/* Receives directly into the program's memory: the message matches, and is no notification. */
static int receive_straight(const hn_info *info, void *data, const struct origin *origin)
{
    int result;

    /* Source and tag are those of the message that was probed, also if the call asked for any. */
    VM_WAIT(result = hn_recv(info->from, info->tag, data, info->count, info->type, NULL));
    vm_descriptor_reset();
    if (result == HN_OK)
        tell(origin, info->from, info->tag, info->count * hn_type_size(info->type));
    return vm_result(result);
}

/* The elements go straight to the program's memory if the message is not in the list, has the same
 * type, and fits. */
static int receive_elements(int tid, int tag, void *data, int count, int datatype,
                            const struct origin *origin)
{
    hn_type type = vm_type(datatype);
    hn_info info;
    int id, result = check_elements(data, count, datatype);

    if (result != PvmOk)
        return result;
    /* A function of the program may give other numbers a meaning. */
    if (!vm_program_matches() && !vm_names_source(tid, tag))
        return PvmBadParam;
    /* Messages in the list come first: they arrived earlier. */
    id = vm_program_matches() ? vm_receive(tid, tag, -1) : vm_kept(tid, tag, vm_context());
    if (id == 0) {
        /* Blocks until a message is there. Another thread may take it before this one receives. */
        VM_WAIT(result = hn_probe(tid, tag, &info));
        if (result != HN_OK)
            return vm_result(result);
        /* A single int may be a notification, which is converted in a buffer. */
        if (info.type == type && info.count <= (size_t)count &&
            (info.type != HN_INT || info.count != 1))
            return receive_straight(&info, data, origin);
        id = vm_receive(info.from, info.tag, -1);
    }
    return id > 0 ? unpack_elements(id, data, (size_t)count, type, origin) : id;
}

/* PvmNoBuf: there is no current buffer. PvmBadParam: a tid that no task can have, or a negative
 * tag. */
int pvm_send(int tid, int tag)
{
    return VM_CALL(send_current(tid, tag));
}

/* PvmBadParam: a negative count, or a tid that no task can have. count 0 is no error. */
int pvm_mcast(int *tids, int count, int tag)
{
    return VM_CALL(send_many(tids, count, tag));
}

/* PvmBadParam: a bad tid, tag, count or type. PvmNotImpl: PVM_STR. */
int pvm_psend(int tid, int tag, void *data, int count, int type)
{
    return VM_CALL(send_elements(tid, tag, data, count, type));
}

/* *bytes is the length of the message, which may be more than was requested. */
int pvm_precv(int tid, int tag, void *data, int count, int type, int *from, int *from_tag,
              int *bytes)
{
    const struct origin origin = {from, from_tag, bytes};

    return VM_CALL(receive_elements(tid, tag, data, count, type, &origin));
}
