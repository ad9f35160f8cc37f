/* complete.c - hn_wait() and hn_test(): complete the requests of hn_isend(), hn_irecv() and
 * nonblocking operations. */
#include "match/message.h"

#include "engine/activity.h"
#include "base/error.h"

/* A send that the network still reads is first copied, if that is quicker.  Otherwise
 * acknowledgements are requested while the caller waits.  A brief loan is one whose copy costs less
 * than waiting for the acknowledgement. */
static void wait_long(struct task *t, hn_request *r)
{
    engine_enter(&t->engine);
    if (send_is_brief_loan(r))
        send_end_loan(t, r);
    bool lent = r->pieces > 0;
    if (lent)
        peer_want_acks(t);
    message_wait(t, r, 0);
    if (lent)
        peer_stop_wanting(t);
    engine_leave(&t->engine, false);
}

/* The acquire load pairs with request_finish().  A request that is done needs no lock at all. */
int message_end(struct task *t, hn_request *r, uint64_t begun, hn_info *info)
{
    if (r->activity)
        return activity_wait(t, r->activity, info);
    if (!atomic_load_explicit(&r->done, memory_order_acquire))
        wait_long(t, r);
    message_waited(t, r);
    trace_message(t, begun, TRACE_WAIT, r->to > 0 ? r->to : r->info.from, &r->info,
                  r->to > 0 ? 0 : r->number);
    int result = message_conclude(r, info);
    request_free(r);
    return result;
}

int hn_wait(hn_request *r, hn_info *info)
{
    struct task *t = task_get();
    uint64_t begun = trace_begin(t);

    if (!t || !r)
        return t ? error_set(HN_EARG, "no request") : HN_ESTATE;
    return message_end(t, r, begun, info);
}

/* Through shared memory, only a request for an acknowledgement shows the end of a long send. */
void message_glance(struct task *t, bool lent)
{
    if (lent)
        peer_want_acks(t);
    engine_glance(&t->engine);
    engine_work(&t->engine);
    if (lent)
        peer_stop_wanting(t);
}

/* A send whose rest is short counts as done: hn_wait() copies it as soon as there is room. 1: the
 * request is done and freed.  0: it is not.  Negative: it has failed, and is freed. */
int hn_test(hn_request *r, hn_info *info)
{
    struct task *t = task_get();
    bool done;

    if (!t || !r)
        return t ? error_set(HN_EARG, "no request") : HN_ESTATE;
    engine_enter(&t->engine);
    message_glance(t, r->pieces > 0);
    done = r->done || send_is_brief_loan(r);
    engine_leave(&t->engine, false);
    if (!done)
        return 0;
    int result = hn_wait(r, info);
    return result == HN_OK ? 1 : result;
}
