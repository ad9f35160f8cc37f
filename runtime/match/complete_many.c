/* complete_many.c - hn_waitall(), hn_waitany(), hn_testany(): complete several requests; and
 * hn_sendrecv(), which is two of them.
 *
 * Waiting for any of several works as for one message (receive.c): the caller drives the loop until
 * one of them is done.  That one is then completed as in hn_wait().
 */
#include "match/message.h"

#include "engine/activity.h"
#include "base/error.h"

#include <stdio.h>

enum { NO_REQUEST = -1 };

/* Requests that a call waits for together. */
struct several {
    struct task *task;
    hn_request *const *requests;
    int n;
};

/* With the lock: whether the caller still has to complete it.  An inactive persistent operation
 * counts as little as an empty entry. */
static bool is_pending(const hn_request *r)
{
    return r && (!r->activity || r->activity->unseen);
}

/* O(n), as all searches here. */
static int first_done(const struct several *s)
{
    for (int i = 0; i < s->n; i++)
        if (is_pending(s->requests[i]) &&
            (s->requests[i]->done || send_is_brief_loan(s->requests[i])))
            return i;
    return NO_REQUEST;
}

/* The first request that the caller has not completed, done or not. */
static int first_pending(const struct several *s)
{
    for (int i = 0; i < s->n; i++)
        if (is_pending(s->requests[i]))
            return i;
    return NO_REQUEST;
}

static bool is_any_done(void *arg)
{
    return first_done(arg) != NO_REQUEST;
}

/* Nonblocking operations need a step of their own besides incoming messages. */
static bool look_at_all(void *arg)
{
    const struct several *s = arg;
    bool moved = engine_look(&s->task->engine);

    return engine_work(&s->task->engine) || moved;
}

/* Records that this task waits for the first of them, for reports of stalls. */
static void explain_first(const hn_request *r)
{
    if (r->activity)
        wait_reason()->activity = r->activity;
    else if (r->from == 0)
        wait_because(CONTROL_WAIT_SENT, r->to, r->info.tag, message_context);
    else
        wait_because(CONTROL_WAIT_RECV, r->from, r->tag, r->context);
}

static bool has_long_send(const struct several *s)
{
    bool any = false;

    for (int i = 0; i < s->n && !any; i++)
        any = is_pending(s->requests[i]) && s->requests[i]->pieces > 0;
    return any;
}

/* With the lock: waits until one of them is done.  Returns its index, or NO_REQUEST: none is
 * pending. */
static int await_any(struct several *s)
{
    struct engine *engine = &s->task->engine;
    int first = first_pending(s), done = first_done(s);
    bool lent = has_long_send(s);

    if (first == NO_REQUEST || done != NO_REQUEST)
        return done;
    if (engine->collected > 0)
        engine_look(engine); /* an answer may depend on held-back messages */
    if (lent)
        peer_want_acks(s->task);
    explain_first(s->requests[first]);
    engine_wait_soon(engine, is_any_done, look_at_all, s, 0);
    wait_reason()->activity = NULL;
    if (lent)
        peer_stop_wanting(s->task);
    return first_done(s);
}

static int check_list(const struct task *t, hn_request *const *requests, int n)
{
    if (!t)
        return HN_ESTATE;
    return n < 0 || (n > 0 && !requests) ? error_set(HN_EARG, "no list of requests") : HN_OK;
}

/* Completes a request.  The list keeps only requests that can be started again. */
static int end_one(struct task *t, hn_request **request, uint64_t begun, hn_info *info)
{
    hn_request *r = *request;

    if (!r->activity || !r->activity->rewind)
        *request = NULL;
    return message_end(t, r, begun, info);
}

/* The lock is released between the search and the completion.  A request that was done stays so. */
int hn_waitany(hn_request **requests, int n, int *index, hn_info *info)
{
    REFUSE_NULL(index);

    struct task *t = task_get();
    struct several s = {t, requests, n};
    uint64_t begun = trace_begin(t);
    int result = check_list(t, requests, n);

    *index = NO_REQUEST;
    if (result != HN_OK)
        return result;
    engine_enter(&t->engine);
    *index = await_any(&s);
    engine_leave(&t->engine, false);
    return *index == NO_REQUEST ? HN_OK : end_one(t, &requests[*index], begun, info);
}

/* 1 with an index, 1 without one if nothing is pending, or 0. */
int hn_testany(hn_request **requests, int n, int *index, hn_info *info)
{
    REFUSE_NULL(index);

    struct task *t = task_get();
    struct several s = {t, requests, n};
    int result = check_list(t, requests, n);

    *index = NO_REQUEST;
    if (result != HN_OK)
        return result;
    engine_enter(&t->engine);
    message_glance(t, has_long_send(&s));
    *index = first_done(&s);
    bool over = first_pending(&s) == NO_REQUEST;
    engine_leave(&t->engine, false);
    if (*index == NO_REQUEST)
        return over;
    result = end_one(t, &requests[*index], trace_begin(t), info);
    return result == HN_OK ? 1 : result;
}

/* In the order of the list, since all must be done in the end.  Completes every request even after
 * an error, and returns the first one. */
int hn_waitall(hn_request **requests, int n, int *results, hn_info *infos)
{
    struct task *t = task_get();
    char text[ERROR_TEXT] = "";
    int first = check_list(t, requests, n);

    if (first != HN_OK)
        return first;
    for (int i = 0; i < n; i++) {
        hn_info none = {0}, *info = infos ? &infos[i] : &none;
        int result = HN_OK;

        *info = none;
        if (requests[i])
            result = end_one(t, &requests[i], trace_begin(t), info);
        if (result != HN_OK && first == HN_OK) {
            first = result;
            snprintf(text, sizeof text, "%s", hn_error_text());
        }
        if (results)
            results[i] = result;
    }
    return first == HN_OK ? HN_OK : error_set(first, "%s", text);
}

/* Receive and send are in progress at the same time, so two tasks that exchange messages cannot
 * block each other. */
int hn_sendrecv(hn_tid to, int send_tag, const void *out, size_t out_count, hn_type out_type,
                hn_tid from, int recv_tag, void *in, size_t in_count, hn_type in_type,
                hn_info *info)
{
    struct task *t = task_get();
    hn_request *requests[2] = {NULL, NULL};
    hn_info infos[2];
    int result = t ? message_check(t, from, recv_tag, in, in_count, in_type) : HN_ESTATE;

    /* The send is first: if it were refused, an earlier receive could have matched a message, which
     * would be lost. */
    if (result == HN_OK)
        result = hn_isend(to, send_tag, out, out_count, out_type, &requests[1]);
    if (result != HN_OK)
        return result;
    result = hn_irecv(from, recv_tag, in, in_count, in_type, &requests[0]);
    if (result != HN_OK) {
        hn_wait(requests[1], NULL);
        return error_set(result, "no memory for a receive");
    }
    result = hn_waitall(requests, 2, NULL, infos);
    if (info)
        *info = infos[0];
    return result;
}
