/* pvm_notify.c - pvm_notify(): notifications about tasks and hosts.
 *
 * A notification of hnow is sent by the task or host concerned and contains a status; PVM's
 * contains the tid.  A notification about added hosts contains their tids; PVM's begins with their
 * number.  So the tags of requests are recorded, and a notification gets PVM's contents when it is
 * received.  PVM also delivers a notification for each request that is cancelled, one request a
 * call, so the requests themselves are recorded until they are answered.
 *
 * The status that hnow reports is lost in the conversion: PVM has no place for it.
 */
#include "vm.h"

#include <stdlib.h>

/* Notifications with this tag and context are converted.  `about`: a task or host, with one entry
 * for each request that was not answered; 0: an entry that stays. */
struct wanted {
    int context, tag, about;
    struct wanted *next;
};

/* Newest first. */
static struct wanted *all;

/* The link to the first such entry; to NULL: there is none. In the current context; a message
 * arrives in the context of its request. */
static struct wanted **find(int tag, int about)
{
    struct wanted **w = &all;

    while (*w && ((*w)->context != vm_context() || (*w)->tag != tag || (*w)->about != about))
        w = &(*w)->next;
    return w;
}

/* Records it.  Returns false if out of memory. The newest entry comes first. */
static bool remember(int tag, int about)
{
    struct wanted *w = malloc(sizeof *w);

    if (w) {
        *w = (struct wanted){vm_context(), tag, about, all};
        all = w;
    }
    return w;
}

/* Returns whether there was such an entry. Only the first one: two requests need two answers. */
static bool forget(int tag, int about)
{
    struct wanted **at = find(tag, about), *w = *at;

    if (w)
        *at = w->next;
    free(w);
    return w;
}

/* Replaces the contents by the tid of an ended task or deleted host, or by the number of added
 * hosts and their tids.  No status equals the sender's tid, which distinguishes the two. Messages
 * of the program with such a tag are left alone: a packed one has another type, an array of ints
 * another length. */
void vm_notification_convert(struct vm_buffer *buffer, const hn_info *info)
{
    hn_buffer *data = buffer->data;
    int n = (int)info->count, first;

    if (!*find(info->tag, 0) || info->type != HN_INT || n < 1)
        return;

    /* Without memory the message keeps hnow's contents. */
    int *values = malloc(info->count * sizeof *values);
    if (!values)
        return;
    /* Read before the buffer is cleared, because the new contents replace it. */
    first = hn_unpack(data, values, info->count, HN_INT, 1) == HN_OK ? values[0] : 0;
    hn_buffer_clear(data);
    /* A message about added hosts comes from the first of them. */
    if (first == info->from) {
        hn_pack(data, &n, 1, HN_INT, 1);
        hn_pack(data, values, info->count, HN_INT, 1);
    } else if (n > 1) {
        /* Several ints that begin with another number are an array of the program. */
        hn_pack(data, values, info->count, HN_INT, 1);
    } else {
        /* The status is dropped. The request is answered, and its entry is removed. */
        hn_pack(data, &info->from, 1, HN_INT, 1);
        forget(info->tag, info->from);
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

/* The task or host is not known to hrun. */
static bool is_unknown(int result)
{
    return result == HN_ENOTASK || result == HN_EARG;
}

/* Any tid of a host identifies the host. */
static int about(int event, int tid)
{
    return event == HN_HOST_LOST ? tid & VM_HOST_OF_TID : tid;
}

/* For tids that were never assigned PVM reports that the task has ended. Used after a request for
 * the whole list failed, to find those that are unknown. */
static int ask_each(int event, int tag, int count, const int *tids)
{
    int result = HN_OK;

    for (int i = 0; i < count && result == HN_OK; i++) {
        hn_tid tid = about(event, tids[i]);
        result = hn_notify(event, &tid, 1, tag);
        /* Without an entry the notification was received before. */
        if (is_unknown(result) && forget(tag, tid))
            result = deliver(tids[i], tag);
    }
    return vm_result(result);
}

/* Recorded first: the notification may arrive before hn_notify() returns. */
static int ask(int event, int tag, int count, const int *tids)
{
    /* The entry for the tag is needed once. */
    bool done = *find(tag, 0) || remember(tag, 0);
    int result;

    /* Requests about added hosts have no task or host, so the entry of the tag is enough. */
    for (int i = 0; event != HN_HOST_ADDED && i < count && done; i++)
        done = remember(tag, about(event, tids[i]));
    if (!done)
        return PvmNoMem;
    if (event != HN_HOST_ADDED) {
        result = hn_notify(event, tids, count, tag);
        return is_unknown(result) ? ask_each(event, tag, count, tids) : vm_result(result);
    }
    result = hn_notify(HN_HOST_ADDED | HN_NOTIFY_CANCEL, NULL, 0, tag); /* replaces an earlier
                                                                           count */
    if (result == HN_OK && count != 0)
        result = hn_notify(HN_HOST_ADDED, NULL, count < 0 ? -1 : count, tag);
    return vm_result(result);
}

/* A task that is unknown to hrun counts as not ended. */
static bool has_ended(int tid)
{
    hn_task_info info;

    return hn_task_status(tid, &info) == HN_OK && info.state == HN_ENDED;
}

/* Whether the notification waits to be received.  hnow cancels all requests for the same event, so
 * it is the only one that can still come; but a task may also have sent messages with this tag. */
static bool has_come(int event, int tid, int tag)
{
    return hn_iprobe(tid, tag, NULL) == 1 && (event == HN_HOST_LOST || has_ended(tid));
}

/* Cancels one request for each task or host, and repeats the others. */
static int take_back(int event, int tag, int count, const int *tids)
{
    int result = HN_OK;

    for (int i = 0; i < count && result == HN_OK; i++) {
        hn_tid tid = about(event, tids[i]);
        /* There was no such request. */
        if (!*find(tag, tid))
            continue;
        result = hn_notify(event | HN_NOTIFY_CANCEL, &tid, 1, tag);
        /* The notification is received like any other, so nothing is to be delivered for it. */
        if (result != HN_OK || has_come(event, tid, tag))
            continue;
        forget(tag, tid);
        result = deliver(tids[i], tag);
        /* hnow has cancelled all of them, but only one was to be cancelled. */
        if (result == HN_OK && *find(tag, tid))
            result = hn_notify(event, &tid, 1, tag);
    }
    return vm_result(result);
}

/* PvmHostDelete accepts any tid of a host; the other two need tids of tasks. */
static int notify(int what, int tag, int count, const int *tids)
{
    static const int events[] = {
        [PvmTaskExit] = HN_TASK_EXIT,
        [PvmHostDelete] = HN_HOST_LOST,
        [PvmHostAdd] = HN_HOST_ADDED,
        [PvmRouteDelete] = HN_TASK_EXIT,
    };
    /* Without the flag that cancels. */
    int kind = what & ~PvmNotifyCancel;

    if (tag < 0 || kind < PvmTaskExit || kind > PvmRouteDelete)
        return PvmBadParam;
    if (kind == PvmRouteAdd)
        return PvmOk; /* this event never happens; routes to a task end with the task */
    /* PvmHostAdd has no list; its count is the number of messages. */
    if (kind != PvmHostAdd && (count < 1 || !tids))
        return PvmBadParam;
    for (int i = 0; kind != PvmHostAdd && kind != PvmHostDelete && i < count; i++)
        if (!vm_may_be_task(tids[i]))
            return PvmBadParam;
    /* The flag is not set. */
    if (what == kind)
        return ask(events[kind], tag, count, tids);
    if (kind == PvmHostAdd)
        return vm_result(hn_notify(HN_HOST_ADDED | HN_NOTIFY_CANCEL, NULL, 0, tag));
    return take_back(events[kind], tag, count, tids);
}

/* Tasks that have ended are reported at once. With PvmNotifyCancel in `what`, requests with that
 * tag end. */
int pvm_notify(int what, int tag, int count, int *tids)
{
    return VM_CALL(notify(what, tag, count, tids));
}
