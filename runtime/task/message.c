/* message.c - the public sends and receives: arguments checked, links and matching put to work. */
#include "activity.h"
#include "error.h"
#include "loss.h"
#include "task.h"
#include "trace.h"
#include "type.h"

#include <string.h>

/* Messages from LEND_MIN bytes on are written from the caller's memory, smaller ones are copied
 * first; up to SMALL bytes, bursts are collected. */
enum { LEND_MIN = 16 << 10, SMALL = 1 << 10 };

static _Thread_local hn_context current_context;

hn_context hn_set_context(hn_context context)
{
    hn_context before = current_context;

    current_context = context;
    return before;
}

/* ---- sending ------------------------------------------------------------------------------ */

static int check_send(const struct task *t, hn_tid to, int tag, const void *data, size_t count,
                      hn_type type)
{
    size_t size = type_size(type);

    if (t->quitting)
        return error_set(t->quitting, "the job is ending");
    if (to <= 0)
        return error_set(HN_EARG, "%d is not the name of a task", to);
    if (tag < 0)
        return error_set(HN_EARG, "tag %d is negative", tag);
    if (size == 0)
        return error_set(HN_EARG, "0x%x is not a type", (unsigned)type);
    if (count > PTRDIFF_MAX / size)
        return error_set(HN_EARG, "%zu elements are more than memory can hold", count);
    if (!data && count > 0)
        return error_set(HN_EARG, "no data");
    return HN_OK;
}

/* The text for a task that cannot be reached any more. */
static int task_error(hn_tid tid, int code)
{
    const char *host = tid == HN_ANY ? NULL : hn_host_of(tid);

    if (tid == HN_ANY)
        return error_set(code, "all other tasks have ended");
    return error_set(code, "task %d on host %s: %s", tid, host ? host : "?", hn_strerror(code));
}

struct room_wait {
    struct task *task;
    struct peer *peer;
    size_t bytes;
};

static bool has_room(void *arg)
{
    const struct room_wait *w = arg;
    size_t used = w->task->match.outgoing;

    return used == 0 || used + w->bytes <= w->task->outbox_limit || w->peer->failed ||
           w->task->quitting;
}

static bool has_work(const struct peer *p)
{
    return (p->link.cursor != &p->link.pieces || peer_has_sealed(p)) && !p->failed &&
           !p->collecting;
}

static bool is_done(void *arg)
{
    return ((hn_request *)arg)->done;
}

static size_t length_of(const hn_info *info)
{
    return info->count * type_size(info->type);
}

struct own_wait {
    struct task *task;
    const hn_request *request;
};

static bool can_own(void *arg)
{
    const struct own_wait *w = arg;
    const struct task *t = w->task;
    size_t used = t->match.outgoing, cost = link_own_cost(w->request);

    return w->request->done || used + cost <= t->outbox_limit || t->quitting ||
           (used == 0 && length_of(&w->request->info) < LINK_WAIT);
}

/* Sees to it that the buffer of a send is free: waits as long as the network keeps up, then copies
 * what is on its way, when there is room. */
static void end_loan(struct task *t, hn_request *r)
{
    if (link_ack_is_near(r))
        peer_push(peer_of(r->link), r);
    wait_because(CONTROL_WAIT_SEND, r->link->peer, r->info.tag, current_context);
    peer_wait_acks(t, can_own, &(struct own_wait){t, r});
    if (!r->done && link_own(r) != HN_OK)
        peer_wait_acks(t, is_done, r);
}

/* Copies a message, and writes what can be written. */
static int send_copy(struct task *t, struct peer *p, const hn_info *info, const void *data,
                     uint64_t *number)
{
    int result;

    if (!has_room(&(struct room_wait){t, p, length_of(info)})) {
        wait_because(CONTROL_WAIT_SEND, p->link.peer, info->tag, current_context);
        peer_wait_acks(t, has_room, &(struct room_wait){t, p, length_of(info)});
    }
    if (t->quitting || p->failed)
        return HN_OK; /* send_to_peer() says it */
    result = link_send_copy(&p->link, info, current_context, data);
    *number = p->link.messages_out;
    if (result == HN_OK)
        peer_flush(p);
    return result;
}

/* Writes from the caller's memory as long as the network keeps up, and copies what is left. */
static int send_lent(struct task *t, struct peer *p, const hn_info *info, const void *data,
                     uint64_t *number)
{
    hn_request r = {.info = *info};
    int result;

    list_init(&r.node);
    result = link_send_borrow(&p->link, info, current_context, data, &r);
    if (result != HN_OK)
        return result;
    *number = r.number;
    peer_flush(p);
    end_loan(t, &r);
    return HN_OK;
}

/* Whether a send that may go on later does so from the caller's memory: it is long, or there is no
 * room for a copy now. */
static bool is_lent(struct task *t, struct peer *p, const hn_info *info)
{
    return length_of(info) >= LEND_MIN || !has_room(&(struct room_wait){t, p, length_of(info)});
}

static int lend(struct peer *p, const hn_info *info, const void *data, hn_request *r,
                uint64_t *number)
{
    int result = link_send_borrow(&p->link, info, current_context, data, r);

    if (result == HN_OK) {
        *number = r->number;
        peer_flush(p);
    }
    return result;
}

/* Most messages: there is room for a copy. */
static int send_small(struct peer *p, const hn_info *info, const void *data, hn_request *r,
                      uint64_t *number)
{
    int result = link_send_copy(&p->link, info, current_context, data);

    *number = p->link.messages_out;
    if (result == HN_OK)
        peer_flush_small(p);
    if (r)
        request_finish(r, HN_OK);
    return p->failed ? task_error(p->link.peer, p->failed) : result;
}

/* Queues a message, by copy or (r) perhaps by reference, and writes what can be written. */
static int send_to_peer(struct task *t, struct peer *p, const hn_info *info, const void *data,
                        hn_request *r, uint64_t *number)
{
    size_t bytes = length_of(info);
    int result = HN_OK;

    if (bytes <= SMALL && t->match.outgoing + bytes <= t->outbox_limit && !t->quitting &&
        !p->failed)
        return send_small(p, info, data, r, number);
    if (!t->quitting && !p->failed) {
        if (r && is_lent(t, p, info))
            result = lend(p, info, data, r, number);
        else if (bytes < LEND_MIN)
            result = send_copy(t, p, info, data, number);
        else
            result = send_lent(t, p, info, data, number);
        if (r && r->pieces == 0 && !r->done)
            request_finish(r, HN_OK);
    }
    if (t->quitting)
        return error_set(t->quitting, "the job is ending");
    return p->failed ? task_error(p->link.peer, p->failed) : result;
}

static int start_send(struct task *t, enum trace_kind kind, hn_tid to, const hn_info *info,
                      const void *data, hn_request *r)
{
    uint64_t begun = trace_begin(t), number = 0;
    struct peer *p = NULL;
    hn_info self = *info;
    int result;

    self.from = t->tid;
    engine_enter(&t->engine);
    if (to == t->tid) { /* it arrives at once */
        result = match_put(&t->match, &self, current_context, data);
        if (r)
            request_finish(r, HN_OK);
    } else if (t->agent.fd < 0) {
        result = error_set(HN_ENOTASK, "there is no task %d: this is a job of one", to);
    } else if (!(p = peer_get(t, to))) {
        result = error_set(HN_ENOMEM, "out of memory");
    } else {
        result = send_to_peer(t, p, info, data, r, &number);
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

int hn_multicast(const hn_tid *to, int n, int tag, const void *data, size_t count, hn_type type)
{
    int first = HN_OK;

    for (int i = 0; i < n; i++) {
        int result = hn_send(to[i], tag, data, count, type);
        if (first == HN_OK)
            first = result;
    }
    return first;
}

int hn_isend(hn_tid to, int tag, const void *data, size_t count, hn_type type, hn_request **request)
{
    struct task *t = task_get();
    hn_info info = {.tag = tag, .type = type, .count = count};
    int result = t ? check_send(t, to, tag, data, count, type) : HN_ESTATE;
    hn_request *r;

    if (result != HN_OK)
        return result;
    r = request_new();
    if (!r)
        return error_set(HN_ENOMEM, "out of memory");
    *r = (hn_request){.info = info, .to = to};
    list_init(&r->node);
    result = start_send(t, TRACE_ISEND, to, &info, data, r);
    if (result != HN_OK) {
        request_free(r);
        return result;
    }
    *request = r;
    return HN_OK;
}

/* ---- receiving ---------------------------------------------------------------------------- */

static int check_recv(const struct task *t, hn_tid from, int tag, const void *data, size_t count,
                      hn_type type)
{
    if (t->quitting)
        return error_set(t->quitting, "the job is ending");
    if (from <= 0 && from != HN_ANY)
        return error_set(HN_EARG, "%d is not the name of a task", from);
    if (tag < 0 && tag != HN_ANY)
        return error_set(HN_EARG, "tag %d is negative", tag);
    if (type_size(type) == 0)
        return error_set(HN_EARG, "0x%x is not a type", (unsigned)type);
    if (!data && count > 0)
        return error_set(HN_EARG, "no buffer");
    return HN_OK;
}

static void init_recv(hn_request *r, hn_tid from, int tag, void *data, size_t count, hn_type type)
{
    *r = (hn_request){.from = from,
                      .tag = tag,
                      .context = current_context,
                      .data = data,
                      .count = count,
                      .type = type};
    list_init(&r->node);
}

/* HN_OK while somebody could send what `from` says, else why nobody can. */
static int sender_lost(struct task *t, hn_tid from)
{
    struct peer *p;

    if (from == t->tid)
        return HN_OK; /* another thread may */
    if (from == HN_ANY)
        return t->agent.fd >= 0 && (t->world.size > 1 || t->grown) && agent_others_ended(t)
                   ? HN_EDEAD
                   : HN_OK;
    p = t->agent.fd < 0 ? NULL : peer_get(t, from);
    return p ? p->failed : HN_ENOTASK;
}

static void post(struct task *t, hn_request *r)
{
    hn_tid dead;
    int lost;

    t->asked++;
    dead = loss_in(t, r->context);
    if (dead) {
        r->from = dead;
        request_finish(r, HN_EDEAD);
        return;
    }
    match_post(&t->match, r);
    lost = sender_lost(t, r->from);
    if (!r->done && !list_empty(&r->node) && lost != HN_OK) {
        match_cancel(&t->match, r);
        request_finish(r, lost);
    }
    peer_resume(t);
}

/* What a finished request has to tell; an error gets its text here. */
static int conclude(const hn_request *r, hn_info *info)
{
    if (info)
        *info = r->info;
    switch (r->result) {
    case HN_OK:
        return HN_OK;
    case HN_ETRUNC:
        return error_set(HN_ETRUNC, "the message has %zu elements, the buffer holds %zu",
                         r->info.count, r->count);
    case HN_ETYPE:
        return error_set(HN_ETYPE, "the message's type 0x%x cannot be received as 0x%x",
                         (unsigned)r->info.type, (unsigned)r->type);
    case HN_ENOMEM:
        return error_set(HN_ENOMEM, "messages that nobody receives fill the memory for them "
                                    "(HNOW_INBOX), and this one is not among them");
    case HN_EDEAD:
    case HN_ELINK:
    case HN_ENOTASK:
        return task_error(r->to > 0 ? r->to : r->from, r->result);
    default:
        return error_set(r->result, "%s", hn_strerror(r->result));
    }
}

/* Waits for a receive; its message may be just about to come. */
struct recv_wait {
    hn_request *request;
    struct task *task;
    struct peer *peer; /* the only one who can send it, or NULL */
};

static bool has_come(void *arg)
{
    return ((struct recv_wait *)arg)->request->done;
}

static bool look(void *arg)
{
    struct recv_wait *w = arg;
    struct peer *p = w->peer;
    uint64_t before;

    if (!p || p->state != PEER_OPEN)
        return engine_look(&w->task->engine);
    before = p->link.received;
    shared_wake(p);
    peer_read(p);
    return p->shared.map && p->link.received != before;
}

static int wait_for(struct task *t, hn_request *r, uint64_t deadline)
{
    struct recv_wait w = {r, t, NULL};

    if (t->engine.collected > 0)
        engine_look(&t->engine); /* an answer may depend on them */
    if (r->from == 0)
        wait_because(CONTROL_WAIT_SENT, r->link ? r->link->peer : 0, r->info.tag, current_context);
    else
        wait_because(CONTROL_WAIT_RECV, r->from, r->tag, r->context);
    if (r->from > 0 && r->from != t->tid && t->agent.fd >= 0)
        w.peer = peer_get(t, r->from);
    return t->agent.fd >= 0 ? engine_wait_soon(&t->engine, has_come, look, &w, deadline)
                            : engine_wait(&t->engine, is_done, r, deadline);
}

/* The end of a time that begins now. */
static uint64_t deadline_after(int milliseconds)
{
    return engine_now() + (uint64_t)(milliseconds > 0 ? milliseconds : 0) * 1000000u;
}

static int recv_until(hn_tid from, int tag, void *data, size_t count, hn_type type,
                      uint64_t deadline, hn_info *info)
{
    struct task *t = task_get();
    int result = t ? check_recv(t, from, tag, data, count, type) : HN_ESTATE;
    uint64_t begun = trace_begin(t);
    hn_request r;

    if (result != HN_OK)
        return result;
    init_recv(&r, from, tag, data, count, type);
    engine_enter(&t->engine);
    post(t, &r);
    result = wait_for(t, &r, deadline);
    if (result == HN_ETIMEOUT && !match_cancel(&t->match, &r))
        result = wait_for(t, &r, 0); /* it is arriving */
    engine_leave(&t->engine, false);
    if (result == HN_OK)
        trace_message(t, begun, TRACE_RECV, r.info.from, &r.info, r.number);
    return result == HN_ETIMEOUT ? result : conclude(&r, info);
}

int hn_recv(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_info *info)
{
    return recv_until(from, tag, data, count, type, 0, info);
}

int hn_recv_timeout(hn_tid from, int tag, void *data, size_t count, hn_type type, int milliseconds,
                    hn_info *info)
{
    return recv_until(from, tag, data, count, type, deadline_after(milliseconds), info);
}

int hn_irecv(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_request **request)
{
    struct task *t = task_get();
    int result = t ? check_recv(t, from, tag, data, count, type) : HN_ESTATE;
    hn_request *r;

    if (result != HN_OK)
        return result;
    r = request_new();
    if (!r)
        return error_set(HN_ENOMEM, "out of memory");
    init_recv(r, from, tag, data, count, type);
    engine_enter(&t->engine);
    post(t, r);
    engine_leave(&t->engine, false);
    *request = r;
    return HN_OK;
}

/* A send of which it is better to copy what is on its way than to wait for the receiver. */
static bool is_brief_loan(const hn_request *r)
{
    return r->pieces > 0 && length_of(&r->info) < LINK_WAIT;
}

bool request_settled(hn_request *r)
{
    struct task *t = task_get();
    bool done;

    if (!t)
        return r->done;
    engine_enter(&t->engine);
    if (is_brief_loan(r) && can_own(&(struct own_wait){t, r}))
        link_own(r);
    done = r->done;
    engine_leave(&t->engine, false);
    return done;
}

static void wait_long(struct task *t, hn_request *r)
{
    bool lent;

    engine_enter(&t->engine);
    if (is_brief_loan(r))
        end_loan(t, r);
    lent = r->pieces > 0;
    if (lent)
        peer_want_acks(t);
    wait_for(t, r, 0);
    if (lent)
        peer_stop_wanting(t);
    engine_leave(&t->engine, false);
}

int hn_wait(hn_request *r, hn_info *info)
{
    struct task *t = task_get();
    uint64_t begun = trace_begin(t);
    int result;

    if (!t || !r)
        return t ? error_set(HN_EARG, "no request") : HN_ESTATE;
    if (r->activity)
        return activity_wait(t, r->activity, info);
    if (!atomic_load_explicit(&r->done, memory_order_acquire))
        wait_long(t, r);
    trace_message(t, begun, TRACE_WAIT, r->to > 0 ? r->to : r->info.from, &r->info,
                  r->to > 0 ? 0 : r->number);
    result = conclude(r, info);
    request_free(r);
    return result;
}

int hn_test(hn_request *r, hn_info *info)
{
    struct task *t = task_get();
    bool done;
    int result;

    if (!t || !r)
        return t ? error_set(HN_EARG, "no request") : HN_ESTATE;
    engine_enter(&t->engine);
    engine_look(&t->engine);
    engine_work(&t->engine);
    done = r->done || is_brief_loan(r);
    engine_leave(&t->engine, false);
    if (!done)
        return 0;
    result = hn_wait(r, info);
    return result == HN_OK ? 1 : result;
}

/* ---- probing ------------------------------------------------------------------------------ */

struct probe {
    struct task *task;
    hn_tid from;
    int tag;
    hn_context context;
    const struct inbound *found;
};

static bool is_there(void *arg)
{
    struct probe *p = arg;

    p->found = match_find(&p->task->match, p->from, p->tag, p->context);
    return p->found || p->task->quitting || sender_lost(p->task, p->from);
}

/* 1 when there is a message, 0 when none has come until the deadline (0: no deadline). */
static int probe(hn_tid from, int tag, hn_info *info, uint64_t deadline)
{
    struct task *t = task_get();
    int result = t ? check_recv(t, from, tag, NULL, 0, HN_BYTE) : HN_ESTATE;
    struct probe p = {t, from, tag, current_context, NULL};
    uint64_t begun = trace_begin(t);
    int lost;

    if (result != HN_OK)
        return result;
    engine_enter(&t->engine);
    t->probing++;
    t->asked++;
    peer_resume(t);
    engine_look(&t->engine);
    wait_because(CONTROL_WAIT_PROBE, from, tag, current_context);
    engine_wait(&t->engine, is_there, &p, deadline);
    t->probing--;
    is_there(&p);
    lost = t->quitting ? t->quitting : sender_lost(t, from);
    if (p.found && info)
        *info = p.found->info;
    if (p.found)
        trace_message(t, begun, TRACE_PROBE, p.found->info.from, &p.found->info, 0);
    engine_leave(&t->engine, false);
    if (!p.found && lost != HN_OK)
        return task_error(from, lost);
    return p.found ? 1 : 0;
}

int hn_probe(hn_tid from, int tag, hn_info *info)
{
    int result = probe(from, tag, info, 0);

    return result > 0 ? HN_OK : result;
}

int hn_probe_timeout(hn_tid from, int tag, int milliseconds, hn_info *info)
{
    int result = probe(from, tag, info, deadline_after(milliseconds));

    if (result == 0)
        return error_set(HN_ETIMEOUT, "the time is up");
    return result > 0 ? HN_OK : result;
}

int hn_iprobe(hn_tid from, int tag, hn_info *info)
{
    return probe(from, tag, info, deadline_after(0));
}
