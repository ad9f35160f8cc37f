/* send.c - hn_send(), hn_multicast(), hn_isend(): copies, loans, and flow control by the outbox.
 *
 * There are four kinds of sends: into a slot beside the stream, by a copy in the outbox, on a loan
 * that the call itself ends, and on a loan that ends when the receiver has the message.  Blocking
 * calls return when the caller may reuse its buffer, which does not mean that the message has
 * arrived.
 */
#include "match/message.h"

#include "base/error.h"
#include "base/memory.h"
#include "match/observe.h"
#include "match/ssend_ack.h"
#include "job/tid_check.h"

#include <stdio.h>

/* Bytes.  Messages from LEND_MIN on are written from the caller's memory; smaller ones are copied
 * first.  Bursts of messages up to SMALL are collected.  From LONG on, it pays to determine the
 * frame size. */
enum { LEND_MIN = 16 << 10, SMALL = 1 << 10, LONG = 1 << 20 };

/* Without the lock; `quitting` is checked again with it. */
static int check_send(struct task *t, hn_tid to, int tag, const void *data, size_t count,
                      hn_type type)
{
    if (t->quitting)
        return task_refuse(t->quitting);
    if (tag < 0)
        return error_set(HN_EARG, "tag %d is negative", tag);
    int result = message_check_buffer(data, count, type);
    return result == HN_OK ? tids_check(t, to) : result;
}

/* Waits until a copy of a message fits into the outbox.  On the stack of the sending call, as the
 * argument of has_room(). */
struct room_wait {
    struct task *task;
    struct peer *peer;
    size_t bytes;
};

/* An empty outbox accepts a message of any length.  Otherwise one longer than the limit could never
 * be sent. */
static bool has_room(void *arg)
{
    const struct room_wait *w = arg;
    size_t used = w->task->match.outgoing;

    return used == 0 || used + w->bytes <= w->task->limits.outbox_limit || w->peer->failed ||
           w->task->quitting;
}

/* Whether the background thread must continue this peer's output. */
static bool has_work(const struct peer *p)
{
    return (link_has_output(&p->link) || ev_is_active(&p->writable)) && !p->failed &&
           !p->sending.collecting;
}

/* Waits until the rest of a send can be copied into the outbox. */
struct own_wait {
    struct task *task;
    const hn_request *request;
};

/* As has_room(), for the bytes in flight.  An empty outbox takes more than its limit only from a
 * message shorter than LINK_WAIT. */
static bool can_own(void *arg)
{
    const struct own_wait *w = arg;
    const struct task *t = w->task;
    size_t used = t->match.outgoing, cost = link_own_cost(w->request);

    return w->request->done || used + cost <= t->limits.outbox_limit || t->quitting ||
           (used == 0 && message_length(&w->request->info) < LINK_WAIT);
}

static bool is_done(void *arg)
{
    return ((hn_request *)arg)->done;
}

/* Three attempts: stay with the connection while it is quick, wait for room and copy the rest, or
 * wait for the receiver. */
void send_end_loan(struct task *t, hn_request *r)
{
    if (link_ack_is_near(r))
        flush_until_done(peer_of(r->link), r);
    wait_because(CONTROL_WAIT_SEND, r->link->peer, r->info.tag, message_context);
    peer_wait_acks(t, can_own, &(struct own_wait){t, r});
    if (!r->done && link_own(r) != HN_OK)
        peer_wait_acks(t, is_done, r);
}

bool send_is_brief_loan(const hn_request *r)
{
    return r->pieces > 0 && message_length(&r->info) < LINK_WAIT;
}

/* Used by layers that must not block.  Outside a job only the flag is read. */
bool request_try_complete(hn_request *r)
{
    struct task *t = task_get();
    bool done;

    if (!t)
        return r->done;
    engine_enter(&t->engine);
    if (send_is_brief_loan(r) && can_own(&(struct own_wait){t, r}))
        link_own(r);
    done = r->done;
    engine_leave(&t->engine, false);
    return done;
}

/* Sends a message by copy; blocks while the outbox is full.  `number` counts the messages to this
 * peer, for the trace. */
static int send_copy(struct task *t, struct peer *p, const hn_info *info, const void *data,
                     uint64_t *number)
{
    if (!has_room(&(struct room_wait){t, p, message_length(info)})) {
        wait_because(CONTROL_WAIT_SEND, p->link.peer, info->tag, message_context);
        peer_wait_acks(t, has_room, &(struct room_wait){t, p, message_length(info)});
    }
    if (t->quitting || p->failed)
        return HN_OK; /* send_to_peer() returns the error */
    int result = link_send_copy(&p->link, info, message_context, data);
    *number = p->link.messages_out;
    if (result == HN_OK)
        peer_flush(p);
    return result;
}

/* Writes from the caller's memory while the network keeps up, then copies the rest.  The request is
 * on the stack: no piece may refer to the caller's memory when this returns. */
static int send_lent(struct task *t, struct peer *p, const hn_info *info, const void *data,
                     uint64_t *number)
{
    hn_request r;

    request_init(&r);
    r.info = *info;
    int result = link_send_borrow(&p->link, info, message_context, data, &r);
    if (result != HN_OK)
        return result;
    *number = r.number;
    peer_flush(p);
    send_end_loan(t, &r);
    return HN_OK;
}

/* Whether a nonblocking send uses the caller's memory: it is long, or there is no room for a copy
 * now. */
static bool is_lent(struct task *t, struct peer *p, const hn_info *info)
{
    return message_length(info) >= LEND_MIN ||
           !has_room(&(struct room_wait){t, p, message_length(info)});
}

/* A long send is left for the loop to write.  So the call returns at once, and the kernel's work
 * for the transfer runs on the background thread's core, not on the program's. */
static int send_on_loan(struct peer *p, const hn_info *info, const void *data, hn_request *r,
                        uint64_t *number)
{
    int result = link_send_borrow(&p->link, info, message_context, data, r);

    if (result != HN_OK)
        return result;
    *number = r->number;
    message_not_waited(p->task, r, message_length(info));
    if (r->is_transfer)
        peer_flush_later(p);
    else
        peer_flush_burst(p, true);
    return HN_OK;
}

/* The fast path of most messages: there is room for a copy.  The transport may have a slot for
 * short messages beside the stream (shared memory). */
static int send_small(struct peer *p, const hn_info *info, const void *data, size_t bytes,
                      hn_request *r, uint64_t *number)
{
    int result = HN_OK;

    if (!p->transport->send(p, info, message_context, data, bytes)) {
        result = link_send_copy(&p->link, info, message_context, data);
        if (result == HN_OK)
            peer_flush_burst(p, false);
    }
    *number = p->link.messages_out;
    if (r)
        request_finish(r, HN_OK);
    return p->failed ? message_peer_error(p) : result;
}

/* Queues a message by copy, or (with r) perhaps by reference, and writes as much as possible.  The
 * peer may fail, or the task leave, while a copy waits for room; so both are checked at the end
 * again. */
static int send_to_peer(struct task *t, struct peer *p, const hn_info *info, const void *data,
                        hn_request *r, uint64_t *number)
{
    size_t bytes = message_length(info);
    int result = HN_OK;

    if (bytes >= LONG)
        observe_pace(p);
    if (bytes <= SMALL && t->match.outgoing + bytes <= t->limits.outbox_limit && !t->quitting &&
        !p->failed)
        return send_small(p, info, data, bytes, r, number);
    if (!t->quitting && !p->failed) {
        /* A nonblocking send may use the caller's memory until it is done. */
        if (r && is_lent(t, p, info))
            result = send_on_loan(p, info, data, r, number);
        else if (bytes < LEND_MIN)
            result = send_copy(t, p, info, data, number);
        else
            result = send_lent(t, p, info, data, number);
        /* Copied as a whole: the request is complete, whatever the network does. */
        if (r && r->pieces == 0 && !r->done)
            request_finish(r, HN_OK);
    }
    if (t->quitting)
        return task_refuse(t->quitting);
    return p->failed ? message_peer_error(p) : result;
}

/* Takes the lock for the whole send.  `holders` keeps the peer while the lock is released in waits.
 * Output that is left is reported to the engine. */
static int start_send(struct task *t, enum trace_kind kind, hn_tid to, const hn_info *info,
                      const void *data, hn_request *r)
{
    uint64_t begun = trace_begin(t), number = 0;
    struct peer *p = NULL;
    hn_info self = *info;
    int result;

    self.from = t->tid;
    engine_enter(&t->engine);
    if (to == t->tid) { /* delivered at once */
        result = match_put(&t->match, &self, message_context, data);
        ssend_acks_send(t);
        engine_changed(&t->engine); /* another thread may wait for it */
        if (r)
            request_finish(r, HN_OK);
    } else if (!(p = peer_get(t, to))) {
        result = error_set(HN_ENOMEM, "out of memory");
    } else {
        p->holders++;
        result = send_to_peer(t, p, info, data, r, &number);
        p->holders--;
    }
    engine_leave(&t->engine, p && has_work(p));
    trace_message(t, begun, kind, to, info, number);
    return result;
}

int hn_send(hn_tid to, int tag, const void *data, size_t count, hn_type type)
{
    struct task *t = task_get();
    hn_info info = {.tag = tag, .type = type, .count = count};
    int result = t ? check_send(t, to, tag, data, count, type) : HN_ESTATE;

    return result == HN_OK ? start_send(t, TRACE_SEND, to, &info, data, NULL) : result;
}

/* Tasks that datagrams reach get the message from cast_send(), the others one by one.  An error
 * with one receiver does not keep the others from getting it; the first error is returned. */
int hn_multicast(const hn_tid *to, int n, int tag, const void *data, size_t count, hn_type type)
{
    bool went[CAST_LIST] = {0};
    char text[512];
    int first = HN_OK;

    if (n < 0 || (n > 0 && !to))
        return error_set(HN_EARG, "no list of tasks");
    if (n > 1 && n <= CAST_LIST && memory_spans(data, count, type_size(type)))
        cast_send(to, n, tag, data, count, type, went); /* the others get it, or the error, below */
    for (int i = 0; i < n; i++) {
        int result = i < CAST_LIST && went[i] ? HN_OK : hn_send(to[i], tag, data, count, type);
        if (first == HN_OK && result != HN_OK) {
            first = result;
            snprintf(text, sizeof text, "%s", hn_error_text());
        }
    }
    return first == HN_OK ? HN_OK : error_set(first, "%s", text);
}

/* On an error no request remains.  A link that has failed after it borrowed the data has already
 * completed the request. */
static int isend(hn_tid to, int tag, const void *data, size_t count, hn_type type, bool asks,
                 hn_request **request)
{
    struct task *t = task_get();
    hn_info info = {.tag = tag, .type = type, .count = count};
    hn_request *r;
    int result = request_new(t ? check_send(t, to, tag, data, count, type) : HN_ESTATE, &r);

    if (result != HN_OK)
        return result;
    r->info = info;
    r->to = to;
    if (asks)
        info.type |= TYPE_ASKS;
    result = start_send(t, TRACE_ISEND, to, &info, data, r);
    if (result != HN_OK) {
        message_waited(t, r);
        request_free(r);
        return result;
    }
    *request = r;
    return HN_OK;
}

int hn_isend(hn_tid to, int tag, const void *data, size_t count, hn_type type, hn_request **request)
{
    REFUSE_NULL(request);
    return isend(to, tag, data, count, type, false, request);
}

/* The receive for the acknowledgement is posted first, as the acknowledgement may arrive at
 * once. */
int hn_issend(hn_tid to, int tag, const void *data, size_t count, hn_type type,
              hn_request **request, hn_request **taken)
{
    REFUSE_NULL(request);
    REFUSE_NULL(taken);

    hn_context context = hn_set_context(message_context | MATCH_SSEND_ACK);
    int result = tag < 0 ? error_set(HN_EARG, "tag %d is negative", tag)
                         : hn_irecv(to, tag, NULL, 0, HN_BYTE, taken);

    hn_set_context(context);
    if (result != HN_OK)
        return result;
    result = isend(to, tag, data, count, type, true, request);
    if (result != HN_OK) {
        hn_cancel(*taken);
        hn_wait(*taken, NULL);
    }
    return result;
}
