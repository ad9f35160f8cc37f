/* notification.c - notifications of events of tasks and hosts (hn_notify()).
 *
 * hrun stores the requests.  When it sends a NOTIFICATION, the loop converts it to a message from
 * the task or host concerned.  So receives, probes and their wildcards work as for any message.
 * Cost: a frame to hrun for each request; a round trip if the answer is not known in advance.
 *
 * A notification takes another path than the task's messages, and may be faster.  So it waits until
 * the connection to that task has been read to its end, and no message of the task follows it.  It
 * may also be slower, because a task that has called hn_exit() may continue to run.  So requests
 * about the ends of tasks are also recorded here, as due.  A receive that would match a due
 * notification waits for it.  It ends with HN_EDEAD only when another receive has got the
 * notification, or the request was cancelled.  A notification that is not due was sent before hrun
 * had the cancellation, and is dropped.  So cancellations need no answer.
 */
#include "job/notification.h"

#include "base/error.h"
#include "match/message.h"
#include "job/question.h"
#include "job/task.h"
#include "job/tid_check.h"

#include <stdlib.h>

/* A notification that waits until everything that its task has sent was read. */
struct notification {
    struct list_node node; /* on t->others.notifications, while it waits */
    hn_info info;
    hn_context context;
    int32_t value; /* the only value of a notification about a task */
};

/* ---- due notifications ---------------------------------------------------------------------- */

/* Records due notifications.  A task is not notified of its own end. */
static int expect(struct task *t, const struct match_due *like, const hn_tid *tids, int n)
{
    for (int i = 0; i < n; i++) {
        struct match_due *due;
        if (tids[i] == t->tid)
            continue;
        due = malloc(sizeof *due);
        if (!due)
            return error_set(HN_ENOMEM, "out of memory");
        *due = *like;
        due->from = tids[i];
        list_append(&t->match.due, &due->node);
    }
    return HN_OK;
}

/* Deletes at most so many due notifications, from one task or (HN_ANY) any.  Receives that waited
 * only for these fail, as their sender has ended. */
static void forget(struct task *t, const struct match_due *like, hn_tid from, int most)
{
    list_for_each_safe (node, &t->match.due) {
        struct match_due *due = list_entry(node, struct match_due, node);
        hn_tid tid = due->from;
        if (most == 0)
            return;
        if (due->tag != like->tag || due->context != like->context ||
            (from != HN_ANY && from != tid))
            continue;
        list_remove(&due->node);
        free(due);
        message_fail_lost(t, tid);
        most--;
    }
}

/* As forget(), for each of the list. most -1: without a limit. */
static void forget_list(struct task *t, const struct match_due *like, const hn_tid *tids, int n,
                        int most)
{
    for (int i = 0; i < n; i++)
        forget(t, like, tids[i], most);
    engine_changed(&t->engine);
}

/* ---- notifications -------------------------------------------------------------------------- */

static bool is_host(hn_tid tid)
{
    return control_serial((uint32_t)tid) == 0;
}

/* Delivers only what is due, except about hosts and this task itself, which are never recorded as
 * due.  Afterwards it is due no more. */
static void deliver(struct task *t, const struct notification *n, const int32_t *values)
{
    const struct match_due due = {.tag = n->info.tag, .context = n->context};

    if (!is_host(n->info.from) && n->info.from != t->tid &&
        !match_is_due(&t->match, n->info.from, due.tag, due.context))
        return;
    match_put(&t->match, &n->info, n->context, values);
    forget(t, &due, n->info.from, 1);
}

/* Whether a task has a connection that was not read to its end. */
static bool is_open(struct task *t, hn_tid tid)
{
    const struct peer *p = tid == t->tid ? NULL : peer_get(t, tid);

    return p && p->state == PEER_OPEN && !p->failed;
}

/* Whether `who` is the task, or its host. */
static bool is_about(const struct notification *n, hn_tid who)
{
    return n->info.from == who ||
           (is_host(who) && control_host((uint32_t)n->info.from) == control_host((uint32_t)who));
}

/* Delivers what was held back about a task, whose stream has ended now, or about a host and all
 * tasks there. */
void notification_release(struct task *t, hn_tid who)
{
    list_for_each_safe (node, &t->others.notifications) {
        struct notification *n = list_entry(node, struct notification, node);
        if (!is_about(n, who))
            continue;
        list_remove(&n->node);
        deliver(t, n, &n->value);
        free(n);
    }
}

void notification_clear(struct task *t)
{
    list_for_each_safe (node, &t->others.notifications)
        free(list_entry(node, struct notification, node));
    list_for_each_safe (node, &t->match.due)
        free(list_entry(node, struct match_due, node));
    list_init(&t->others.notifications);
    list_init(&t->match.due);
}

/* A notification about a task whose connection is open waits for the end of the stream.  Without
 * memory to keep it, it is delivered at once. */
void notification_receive(struct task *t, struct unpack *fields)
{
    struct notification n = {.info = {.tag = (int)unpack_u32(fields), .type = HN_INT32}};
    struct notification *kept = NULL;
    int32_t *values = &n.value;

    n.context = unpack_u32(fields);
    n.info.from = (hn_tid)unpack_u32(fields);
    n.info.count = unpack_count(fields, 4);
    if (n.info.count > 1)
        values = malloc(n.info.count * sizeof *values);
    for (size_t i = 0; values && i < n.info.count; i++)
        values[i] = (int32_t)unpack_u32(fields);
    /* A lost host delivers nothing more: notifications about its tasks need not wait for
     * connections. */
    if (is_host(n.info.from))
        notification_release(t, n.info.from);
    else if (is_open(t, n.info.from))
        kept = malloc(sizeof *kept);
    if (kept) {
        *kept = n;
        list_append(&t->others.notifications, &kept->node);
    } else if (values) {
        deliver(t, &n, values);
    }
    if (values != &n.value)
        free(values);
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Which combinations of list and number each event accepts: see hn_notify(). */
static int check_notify(int event, const hn_tid *tids, int n, int tag, bool cancel)
{
    bool some = tids && n > 0, none = !tids && n == 0;

    if (tag < 0)
        return error_set(HN_EARG, "tag %d is negative", tag);
    switch (event) {
    case HN_TASK_EXIT:
        return some || (none && cancel) ? HN_OK : error_set(HN_EARG, "give a list of tasks");
    case HN_HOST_LOST:
        return some || none ? HN_OK : error_set(HN_EARG, "give a list of hosts, or NULL and 0");
    case HN_HOST_ADDED:
        return !tids && (cancel ? n == 0 : n > 0 || n == -1)
                   ? HN_OK
                   : error_set(HN_EARG, "give NULL, and how many times, or -1 for always");
    default:
        return error_set(HN_EARG, "there is no event %d", event);
    }
}

/* Whether the list contains only tasks, or only hosts. */
static int check_list(int event, const hn_tid *tids, int n)
{
    struct task *t = task_get();
    int result = t ? HN_OK : HN_ESTATE;

    for (int i = 0; tids && i < n && result == HN_OK && t->agent.fd >= 0; i++)
        result = event == HN_TASK_EXIT ? tids_check(t, tids[i]) : tids_source(t, tids[i]);
    return result;
}

/* Whether hrun can only accept a request about the ends of these tasks, so that no answer is
 * needed. hrun also reports tasks that end before it has the request, and receives wait for due
 * notifications.  If a task is known to have ended, the call must wait for its notification.  That
 * of the task itself is not due, so a cancellation must wait until it cannot arrive any more. */
static bool is_granted(const struct task *t, const hn_tid *tids, int n, bool cancel)
{
    if (!tids || t->agent.out.length > 0) /* the agent is slow: do not send it more */
        return false;
    for (int i = 0; i < n; i++)
        if (cancel ? tids[i] == t->tid : tids_end_of(&t->tids, tids[i]) != TIDS_LIVES)
            return false;
    return true;
}

/* Sends the request.  Waits for the answer only if hrun may refuse, or its order matters. */
static int ask(struct question *q, int event, const struct match_due *like, const hn_tid *tids,
               int n, bool cancel)
{
    bool granted = event == HN_TASK_EXIT && is_granted(q->task, tids, n, cancel);

    pack_u32(&q->out, (uint32_t)event);
    pack_u32(&q->out, (uint32_t)like->tag);
    pack_u32(&q->out, like->context);
    pack_u32(&q->out, event == HN_HOST_ADDED ? (uint32_t)n : UINT32_MAX);
    pack_u8(&q->out, (cancel ? CONTROL_NOTIFY_CANCEL : 0) | (granted ? CONTROL_NOTIFY_GRANTED : 0));
    question_add_tids(q, tids, tids ? n : 0);
    return granted ? question_tell(q) : question_ask(q, CONTROL_DONE);
}

/* A request about the ends of tasks.  It is recorded as due before it is sent, because the
 * notification may arrive before the answer. */
static int ask_exits(struct question *q, const struct match_due *like, const hn_tid *tids, int n,
                     bool cancel)
{
    int result = cancel ? HN_OK : expect(q->task, like, tids, n);

    if (result == HN_OK)
        result = ask(q, HN_TASK_EXIT, like, tids, n, cancel);
    if (cancel && result == HN_OK)
        forget_list(q->task, like, tids ? tids : &(hn_tid){HN_ANY}, tids ? n : 1, -1);
    else if (!cancel && result != HN_OK)
        forget_list(q->task, like, tids, n, 1);
    return result;
}

/* All arguments are checked before a question is begun, because that takes the lock. */
int hn_notify(int what, const hn_tid *tids, int n, int tag)
{
    const struct match_due like = {.tag = tag, .context = message_context};
    bool cancel = what & HN_NOTIFY_CANCEL;
    int event = what & ~HN_NOTIFY_CANCEL;
    struct question q;
    int result = check_notify(event, tids, n, tag, cancel);

    if (result != HN_OK)
        return result;
    result = check_list(event, tids, n);
    if (result != HN_OK)
        return result;
    result = question_begin(&q, CONTROL_NOTIFY_ASK);
    if (result == HN_OK && event == HN_TASK_EXIT)
        result = ask_exits(&q, &like, tids, n, cancel);
    else if (result == HN_OK)
        result = ask(&q, event, &like, tids, n, cancel);
    question_end(&q);
    return result;
}
