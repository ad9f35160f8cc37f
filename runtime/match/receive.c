/* receive.c - hn_recv(), hn_irecv(), hn_cancel(): posts receives, waits for them, and cancels
 * them.
 *
 * A receive is posted to the matcher, which may complete it at once from the messages that have
 * arrived.  Else the caller drives the engine until the request is done.  A request is on the
 * caller's stack, or belongs to the program until hn_wait().
 */
#include "match/message.h"
#include "match/ssend_ack.h"

#include "base/error.h"
#include "job/argument_check.h"
#include "job/failure.h"

/* Sets the receive fields of a new request.  The context is that of the calling thread. */
static void ask_for(hn_request *r, hn_tid from, int tag, void *data, size_t count, hn_type type)
{
    r->from = from;
    r->tag = tag;
    r->context = message_context;
    r->data = data;
    r->count = count;
    r->type = type;
}

/* A receive that can never be served fails at once: its context is broken, or no sender is left. */
static void post(struct task *t, hn_request *r)
{
    t->handlers.asked++;
    hn_tid dead = failure_in(t, r->context);
    if (dead) {
        r->from = dead;
        request_finish(r, HN_EDEAD);
        return;
    }
    match_post(&t->match, r);
    /* After match_post(): a message that arrived before its sender ended is still received. */
    int lost = message_lost(t, r->from, r->tag, r->context);
    if (!r->done && !list_empty(&r->node) && lost != HN_OK) {
        match_cancel(&t->match, r);
        request_finish(r, lost);
    }
    argument_check_look(t);
    ssend_acks_send(t);
    peer_resume(t);
}

/* State of a wait for a receive whose message may be about to arrive. */
struct recv_wait {
    hn_request *request;
    struct task *task;
    struct peer *peer; /* the only possible sender, or NULL */
};

static bool is_received(void *arg)
{
    return ((struct recv_wait *)arg)->request->done;
}

/* Reads from the only possible sender directly, which is faster than an iteration of the loop.  Not
 * if it sends datagrams, which the loop receives. */
static bool look(void *arg)
{
    struct recv_wait *w = arg;
    struct peer *p = w->peer;

    if (!p || p->state != PEER_OPEN || p->cast.casts)
        return engine_look(&w->task->engine);
    uint64_t before = p->link.received;
    p->transport->wake(p);
    peer_read(p);
    return p->transport->direct && p->link.received != before;
}

/* `from` is 0 for a send.  A receive with a single possible sender reads that connection itself
 * while it spins.  `holders` keeps the peer's memory while the lock is released in between. */
int message_wait(struct task *t, hn_request *r, uint64_t deadline)
{
    struct recv_wait w = {r, t, NULL};

    if (t->engine.collected > 0)
        engine_look(&t->engine); /* an answer may depend on held-back messages */
    if (r->from == 0)
        wait_because(CONTROL_WAIT_SENT, r->to, r->info.tag, message_context);
    else
        wait_because(CONTROL_WAIT_RECV, r->from, r->tag, r->context);
    if (r->from > 0 && r->from != t->tid)
        w.peer = peer_get(t, r->from);
    if (w.peer)
        w.peer->holders++;
    int result = engine_wait_soon(&t->engine, is_received, look, &w, deadline);
    if (w.peer)
        w.peer->holders--;
    return result;
}

/* The deadline has passed: its message, perhaps incomplete, is left for the next receive.  A
 * message longer than the inbox cannot be: it has no place except the program's buffer. */
static bool take_back(struct task *t, hn_request *r)
{
    return match_cancel(&t->match, r) ||
           (message_length(&r->info) <= t->limits.inbox_limit && match_release(&t->match, r));
}

/* With a deadline the receive takes only complete messages, so that it can return in time.  But if
 * the inbox is full, a message may be complete only after it has claimed it. */
static int recv_until(hn_tid from, int tag, void *data, size_t count, hn_type type, bool cuts,
                      uint64_t deadline, hn_info *info)
{
    struct task *t = task_get();
    int result = t ? message_check(t, from, tag, data, count, type) : HN_ESTATE;
    uint64_t begun = trace_begin(t);
    hn_request r;

    if (result != HN_OK)
        return result;
    request_init(&r);
    ask_for(&r, from, tag, data, count, type);
    engine_enter(&t->engine);
    r.cuts = cuts;
    r.whole = deadline > 0 && !peer_inbox_exceeds(t, 1);
    post(t, &r);
    result = message_wait(t, &r, deadline);
    if (result == HN_ETIMEOUT && !take_back(t, &r))
        result = message_wait(t, &r, 0); /* it is complete, or cannot be moved */
    engine_leave(&t->engine, false);
    if (result == HN_OK)
        trace_message(t, begun, TRACE_RECV, r.info.from, &r.info, r.number);
    return result == HN_ETIMEOUT ? result : message_conclude(&r, info);
}

int hn_recv(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_info *info)
{
    return recv_until(from, tag, data, count, type, false, 0, info);
}

int hn_recv_cut(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_info *info)
{
    return recv_until(from, tag, data, count, type, true, 0, info);
}

int hn_recv_timeout(hn_tid from, int tag, void *data, size_t count, hn_type type, int milliseconds,
                    hn_info *info)
{
    return recv_until(from, tag, data, count, type, false, message_deadline(milliseconds), info);
}

/* Receives an available message into the memory from room(): HN_OK when r is done, or HN_ENOMEM. */
static int take_found(struct task *t, hn_request *r, const hn_info *what,
                      void *(*room)(void *arg, const hn_info *info), void *arg)
{
    void *data = room(arg, what);

    request_init(r);
    ask_for(r, what->from, what->tag, data, what->count, what->type);
    if (!data)
        return HN_ENOMEM;
    post(t, r); /* matches this message, as the lock was held */
    return message_wait(t, r, 0);
}

/* Probes and receives under one lock, so the message that was found is the one that is received.
 * If its sender ends in the middle, a receive from any task looks for another message. */
int message_take(hn_tid from, int tag, uint64_t deadline,
                 void *(*room)(void *arg, const hn_info *info), void *arg, hn_info *info)
{
    struct task *t = task_get();
    int result = t ? message_check(t, from, tag, NULL, 0, HN_BYTE) : HN_ESTATE;
    uint64_t begun = trace_begin(t);
    const struct inbound *found;
    hn_request r;

    if (result != HN_OK)
        return result;
    engine_enter(&t->engine);
    do {
        result = message_await(t, from, tag, deadline == 0, deadline, &found);
        if (found) {
            /* A copy, as the message may be freed before it is used. */
            hn_info what = found->info;
            result = take_found(t, &r, &what, room, arg);
        }
    } while (found && result == HN_OK && from == HN_ANY && r.result == HN_EDEAD);
    engine_leave(&t->engine, false);
    if (!found)
        return result != HN_OK ? message_error(from, result)
                               : error_set(HN_ETIMEOUT, "the time is up");
    if (result != HN_OK)
        return error_set(result, "no memory for a message of %zu elements", r.count);
    trace_message(t, begun, TRACE_RECV, r.info.from, &r.info, r.number);
    return message_conclude(&r, info);
}

/* A long receive keeps the background thread in the lead until the program waits for it
 * (engine.transfers). */
static int irecv(hn_tid from, int tag, void *data, size_t count, hn_type type, bool cuts,
                 hn_request **request)
{
    struct task *t = task_get();
    hn_request *r;
    int result = request_new(t ? message_check(t, from, tag, data, count, type) : HN_ESTATE, &r);

    if (result != HN_OK)
        return result;
    ask_for(r, from, tag, data, count, type);
    r->cuts = cuts;
    engine_enter(&t->engine);
    post(t, r);
    if (!r->done)
        message_not_waited(t, r, count * type_size(type));
    engine_leave(&t->engine, r->is_transfer);
    *request = r;
    return HN_OK;
}

int hn_irecv(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_request **request)
{
    REFUSE_NULL(request);
    return irecv(from, tag, data, count, type, false, request);
}

int hn_irecv_cut(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_request **request)
{
    REFUSE_NULL(request);
    return irecv(from, tag, data, count, type, true, request);
}

/* HN_OK also if it is too late. hn_wait() then returns the message instead of HN_ECANCEL. */
int hn_cancel(hn_request *r)
{
    struct task *t = task_get();

    if (!t || !r)
        return t ? error_set(HN_EARG, "no request") : HN_ESTATE;
    if (r->activity || r->to > 0)
        return error_set(HN_EARG, "only receives can be taken back");
    engine_enter(&t->engine);
    if (match_cancel(&t->match, r)) {
        request_finish(r, HN_ECANCEL); /* from here on the waiting thread may free it */
        engine_changed(&t->engine);
    }
    engine_leave(&t->engine, false);
    return HN_OK;
}
