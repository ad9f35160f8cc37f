/* notice.c - being told what happens to tasks and hosts (hn_notify()).
 *
 * hrun keeps the requests.  When it sends a NOTICE, the loop makes a message of it which comes from
 * the task or host concerned; so receives, probes and their wildcards are as for any message, and
 * nothing else has to be learned.  Cost: a round trip to hrun a request.
 *
 * A notice comes over another way than what its task has sent, and may be faster.  So it waits
 * until the connection to that task has been read to its end: nothing of the task comes behind it.
 */
#include "notice.h"

#include "error.h"
#include "question.h"
#include "task.h"

#include <stdlib.h>

struct notice {
    struct list_node node; /* in t->notices, while it waits */
    hn_info info;
    hn_context context;
    int32_t value;
};

static void deliver(struct task *t, const struct notice *n)
{
    match_put(&t->match, &n->info, n->context, &n->value);
}

static bool is_host(hn_tid tid)
{
    return control_serial((uint32_t)tid) == 0;
}

/* Whether a task has a connection that is not read to its end. */
static bool is_open(struct task *t, hn_tid tid)
{
    const struct peer *p = tid == t->tid ? NULL : peer_get(t, tid);

    return p && p->state == PEER_OPEN && !p->failed;
}

static bool is_about(const struct notice *n, hn_tid who)
{
    return n->info.from == who ||
           (is_host(who) && control_host((uint32_t)n->info.from) == control_host((uint32_t)who));
}

void notice_release(struct task *t, hn_tid who)
{
    list_for_each_safe (node, &t->notices) {
        struct notice *n = list_entry(node, struct notice, node);
        if (!is_about(n, who))
            continue;
        list_remove(&n->node);
        deliver(t, n);
        free(n);
    }
}

void notice_clear(struct task *t)
{
    list_for_each_safe (node, &t->notices)
        free(list_entry(node, struct notice, node));
    list_init(&t->notices);
}

void notice_take(struct task *t, struct unpack *fields)
{
    struct notice n = {.info = {.tag = (int)unpack_u32(fields), .type = HN_INT32, .count = 1}};
    struct notice *kept = NULL;

    n.context = unpack_u32(fields);
    n.info.from = (hn_tid)unpack_u32(fields);
    n.value = (int32_t)unpack_u32(fields);
    if (is_host(n.info.from))
        notice_release(t, n.info.from);
    else if (is_open(t, n.info.from))
        kept = malloc(sizeof *kept);
    if (!kept) {
        deliver(t, &n);
        return;
    }
    *kept = n;
    list_append(&t->notices, &kept->node);
}

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

static hn_context context_now(void)
{
    hn_context context = hn_set_context(0);

    hn_set_context(context);
    return context;
}

int hn_notify(int what, const hn_tid *tids, int n, int tag)
{
    bool cancel = what & HN_NOTIFY_CANCEL;
    int event = what & ~HN_NOTIFY_CANCEL;
    struct question q;
    int result = check_notify(event, tids, n, tag, cancel);

    if (result != HN_OK)
        return result;
    result = question_begin(&q, CONTROL_NOTIFY_ASK);
    if (result == HN_OK) {
        pack_u32(&q.out, (uint32_t)event);
        pack_u32(&q.out, (uint32_t)tag);
        pack_u32(&q.out, context_now());
        pack_u32(&q.out, event == HN_HOST_ADDED ? (uint32_t)n : UINT32_MAX);
        pack_u8(&q.out, cancel);
        pack_u32(&q.out, tids ? (uint32_t)n : 0);
        for (int i = 0; tids && i < n; i++)
            pack_u32(&q.out, (uint32_t)tids[i]);
        result = question_ask(&q, CONTROL_DONE);
    }
    question_end(&q);
    return result;
}
