/* pvm_notify.c - pvm_notify(): messages about tasks and hosts that end or come.
 *
 * A notification of hnow's comes from the task or host concerned and holds a status; PVM's holds
 * the tid.  One about hosts that were added holds their tids; PVM's begins with their number.  So
 * the tags of requests are remembered, and a notification gets PVM's contents when it is received.
 */
#include "vm.h"

#include <stdlib.h>

/* Notifications have this tag and context. */
struct wanted {
    int context, tag;
    struct wanted *next;
};

static struct wanted *all;

static struct wanted *find(int context, int tag)
{
    struct wanted *w = all;

    while (w && (w->context != context || w->tag != tag))
        w = w->next;
    return w;
}

/* Remembers it; false: out of memory. */
static bool remember(int tag)
{
    struct wanted *w = find(vm_context(), tag);

    if (!w) {
        w = calloc(1, sizeof *w);
        if (!w)
            return false;
        w->context = vm_context();
        w->tag = tag;
        w->next = all;
        all = w;
    }
    return true;
}

/* The tid of a task that has ended or of a host that has left; or the number of hosts that were
 * added, and their tids.  No status equals the tid of the sender, so the two are told apart. */
void vm_notification_convert(struct vm_buffer *buffer, const hn_info *info)
{
    hn_buffer *data = buffer->data;
    int n = (int)info->count, first;

    if (!find(vm_context(), info->tag) || info->type != HN_INT || n < 1)
        return;

    int *values = malloc(info->count * sizeof *values);
    if (!values)
        return;
    first = hn_unpack(data, values, info->count, HN_INT, 1) == HN_OK ? values[0] : 0;
    hn_buffer_clear(data);
    if (first == info->from) {
        hn_pack(data, &n, 1, HN_INT, 1);
        hn_pack(data, values, info->count, HN_INT, 1);
    } else {
        hn_pack(data, &info->from, 1, HN_INT, 1);
    }
    free(values);
}

/* ---- asking ------------------------------------------------------------------------------- */

/* A notice in PVM's form, to oneself. */
static int deliver(int tid, int tag)
{
    hn_buffer *buffer = hn_buffer_new();
    int result = buffer ? hn_pack(buffer, &tid, 1, HN_INT, 1) : HN_ENOMEM;
    if (result == HN_OK)
        result = hn_send_buffer(hn_mytid(), tag, buffer);
    hn_buffer_free(buffer);
    return result;
}

static bool is_unknown(int result)
{
    return result == HN_ENOTASK || result == HN_EARG;
}

/* If a list has tids that were never given, PVM says that these have ended; but any tid of a host
 * names the host. */
static int ask_each(int event, int tag, int count, const int *tids)
{
    int result = HN_OK;

    for (int i = 0; i < count && result == HN_OK; i++) {
        hn_tid tid = event == HN_HOST_LOST ? tids[i] & VM_HOST_OF_TID : tids[i];
        result = hn_notify(event, &tid, 1, tag);
        if (is_unknown(result))
            result = deliver(tids[i], tag);
    }
    return vm_result(result);
}

static int ask(int what, int tag, int count, const int *tids)
{
    int event = what == PvmHostDelete ? HN_HOST_LOST : HN_TASK_EXIT, result;

    if (!remember(tag))
        return PvmNoMem;
    if (what != PvmHostAdd) {
        result = hn_notify(event, tids, count, tag);
        return is_unknown(result) ? ask_each(event, tag, count, tids) : vm_result(result);
    }
    result = hn_notify(HN_HOST_ADDED | HN_NOTIFY_CANCEL, NULL, 0, tag); /* a new count takes over */
    if (result == HN_OK && count != 0)
        result = hn_notify(HN_HOST_ADDED, NULL, count < 0 ? -1 : count, tag);
    return vm_result(result);
}

static bool has_ended(int tid)
{
    hn_task_info info;

    return hn_task_status(tid, &info) == HN_OK && info.state == HN_ENDED;
}

/* PVM delivers a notice that is taken back; who has ended has been told of already. */
static int take_back(int what, int tag, int count, const int *tids)
{
    static const int events[] = {
        [PvmTaskExit] = HN_TASK_EXIT,
        [PvmHostDelete] = HN_HOST_LOST,
        [PvmHostAdd] = HN_HOST_ADDED,
        [PvmRouteDelete] = HN_TASK_EXIT,
    };
    bool listed = what != PvmHostAdd;
    int result =
        hn_notify(events[what] | HN_NOTIFY_CANCEL, listed ? tids : NULL, listed ? count : 0, tag);

    for (int i = 0; listed && i < count && result == HN_OK; i++)
        if (!has_ended(tids[i]))
            result = deliver(tids[i], tag);
    return vm_result(result);
}

static int notify(int what, int tag, int count, const int *tids)
{
    int kind = what & ~PvmNotifyCancel;

    if (tag < 0 || kind < PvmTaskExit || kind > PvmRouteDelete)
        return PvmBadParam;
    if (kind == PvmRouteAdd)
        return PvmOk; /* that never happens; routes to a task end with it */
    if (kind != PvmHostAdd && (count < 1 || !tids))
        return PvmBadParam;
    for (int i = 0; kind != PvmHostAdd && kind != PvmHostDelete && i < count; i++)
        if (!vm_may_be_task(tids[i]))
            return PvmBadParam;
    return what == kind ? ask(kind, tag, count, tids) : take_back(kind, tag, count, tids);
}

int pvm_notify(int what, int tag, int count, int *tids)
{
    return VM_CALL(notify(what, tag, count, tids));
}
