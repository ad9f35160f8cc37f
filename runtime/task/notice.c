/* notice.c - being told what happens to tasks and hosts (hn_notify()).
 *
 * hrun keeps the requests.  When it sends a NOTICE, the loop makes a message of it which comes from
 * the task or host concerned; so receives, probes and their wildcards are as for any message, and
 * nothing else has to be learned.  Cost: a round trip to hrun a request.
 */
#include "notice.h"

#include "error.h"
#include "question.h"
#include "task.h"

void notice_take(struct task *t, struct unpack *fields)
{
    hn_info info = {.tag = (int)unpack_u32(fields), .type = HN_INT32, .count = 1};
    hn_context context = unpack_u32(fields);

    info.from = (hn_tid)unpack_u32(fields);
    match_put(&t->match, &info, context, &(int32_t){(int32_t)unpack_u32(fields)});
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
