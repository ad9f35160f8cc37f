/* pvm_notify.c - pvm_notify(): notifications about tasks and hosts.
 *
 * A notification of hnow is sent by the task or host concerned and contains a status; PVM's
 * contains the tid.  A notification about added hosts contains their tids; PVM's begins with their
 * number.  So the tags of requests are recorded, and a notification gets PVM's contents when it is
 * received.
 */
#include "vm.h"

#include <stdlib.h>

/* Notifications with this tag and context are converted. */
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

/* Records it.  Returns false if out of memory. */
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

/* Replaces the contents by the tid of an ended task or deleted host, or by the number of added
 * hosts and their tids.  No status equals the sender's tid, which distinguishes the two. */
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

/* ---- requests ----------------------------------------------------------------------------- */

/* Sends a notification in PVM's form to the caller itself. */
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

/* For tids that were never assigned PVM reports that the task has ended; but any tid of a host
 * identifies the host. */
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
    result = hn_notify(HN_HOST_ADDED | HN_NOTIFY_CANCEL, NULL, 0, tag); /* replaces an earlier
                                                                           count */
    if (result == HN_OK && count != 0)
        result = hn_notify(HN_HOST_ADDED, NULL, count < 0 ? -1 : count, tag);
    return vm_result(result);
}

static bool has_ended(int tid)
{
    hn_task_info info;

    return hn_task_status(tid, &info) == HN_OK && info.state == HN_ENDED;
}

/* PVM delivers a notification for each cancelled request.  For tasks that have ended it was already
 * delivered. */
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
        return PvmOk; /* this event never happens; routes to a task end with the task */
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
