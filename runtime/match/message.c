/* message.c - what the public message calls share (message.h). */
#include "match/message.h"

#include "base/error.h"
#include "job/tid_check.h"
#include "job/others.h"
#include "base/memory.h"
#include "base/type.h"

#include <stdint.h>

_Thread_local hn_context message_context;

hn_context hn_set_context(hn_context context)
{
    hn_context before = message_context;

    message_context = context;
    return before;
}

/* memory_spans() finds counts that reach beyond the mapped memory. */
int message_check_buffer(const void *data, size_t count, hn_type type)
{
    size_t size = type_size(type), bytes;

    if (size == 0 || type & TYPE_ASKS)
        return error_set(HN_EARG, "0x%x is not a type", (unsigned)type);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        return error_set(HN_EARG, "%zu elements are more than memory can hold", count);
    if (!data && count > 0)
        return error_set(HN_EARG, "no buffer");
    if (!memory_spans(data, count, size))
        return error_set(HN_EARG, "%zu elements are too many: the buffer ends before", count);
    return HN_OK;
}

/* The checks before every receive, in the order of their cost.  Also called without a buffer, for a
 * probe. */
int message_check(struct task *t, hn_tid from, int tag, const void *data, size_t count,
                  hn_type type)
{
    if (t->quitting)
        return task_refuse(t->quitting);
    if (tag < 0 && tag != HN_ANY)
        return error_set(HN_EARG, "tag %d is negative", tag);
    int result = message_check_buffer(data, count, type);
    if (result != HN_OK)
        return result;
    return from == HN_ANY ? HN_OK : tids_source(t, from);
}

/* Why messages to this peer fail, with the addresses that were tried.  The lock is held. */
int message_peer_error(const struct peer *p)
{
    char tried[ERROR_TEXT / 2];

    if (p->failed != HN_ELINK)
        return message_error(p->link.peer, p->failed);
    dial_describe(&p->dial, tried, sizeof tried);
    return error_set(HN_ELINK, "task %d on host %s: %s: tried %s", p->link.peer,
                     tids_host(p->link.peer), hn_strerror(HN_ELINK), tried);
}

/* message_peer_error(), holding the lock while it reads the peer's state. */
static int unlinked(struct task *t, hn_tid tid)
{
    /* The caller may hold locks that work() and serve() take. */
    bool before = engine_hold_work(true);
    int result = HN_OK;

    engine_enter(&t->engine);
    const struct peer *p = peer_find(t, tid);
    if (p && p->failed == HN_ELINK)
        result = message_peer_error(p);
    engine_leave(&t->engine, false);
    engine_hold_work(before);
    return result;
}

/* The most helpful text first: which addresses were tried, else which task on which host. */
int message_error(hn_tid tid, int code)
{
    if (code == HN_EJOB || code == HN_ESTATE)
        return task_refuse(code);
    if (code == HN_ENOMEM)
        return error_set(code, "messages that nobody receives fill the memory for them "
                               "(HNOW_INBOX), and this one is not among them");
    if (tid == HN_ANY)
        return error_set(code, "all other tasks have ended");
    if (code == HN_ELINK && task_enrolled && unlinked(task_enrolled, tid) == code)
        return code;
    return error_set(code, "task %d on host %s: %s", tid, tids_host(tid), hn_strerror(code));
}

/* All tasks are notified of the ends of world tasks, and of other tasks if they had enrolled
 * before.  So for a task without a connection so far, the agent is asked whether it lives.  Asked
 * once; the answer arrives as any other frame, and fails the peer if its task has ended. */
static void ask_whether_it_lives(struct task *t, struct peer *p)
{
    if (p->of_world || p->met || p->ended || p->failed || p->dial.asked || p->dial.answered)
        return;
    p->dial.asked = true;
    agent_put(t, CONTROL_LOOKUP, (unsigned)p->link.peer);
}

/* HN_OK while `from` may still send, else why it cannot. */
static int sender_lost(struct task *t, hn_tid from)
{
    if (from == t->tid)
        return HN_OK; /* another thread may send */
    if (from == HN_ANY)
        return t->agent.fd >= 0 && (t->world.size > 1 || t->others.grown) && others_ended(t)
                   ? HN_EDEAD
                   : HN_OK;
    if (control_serial((uint32_t)from) == 0)
        return HN_OK; /* a host, about which hrun sends notifications */
    struct peer *p = t->agent.fd < 0 ? NULL : peer_get(t, from);
    if (p)
        ask_whether_it_lives(t, p);
    return p ? p->failed : HN_ENOTASK;
}

/* A message that has arrived, or is arriving, can still be received after its sender's end. */
int message_lost(struct task *t, hn_tid from, int tag, hn_context context)
{
    int lost = sender_lost(t, from);

    return lost == HN_EDEAD && match_is_due(&t->match, from, tag, context) ? HN_OK : lost;
}

/* Also fails receives from any task, if this was the last other task. */
void message_fail_lost(struct task *t, hn_tid from)
{
    int lost = sender_lost(t, from);

    if (lost != HN_OK)
        match_sender_ended(&t->match, from, lost);
    if (sender_lost(t, HN_ANY) != HN_OK)
        match_sender_ended(&t->match, HN_ANY, HN_EDEAD);
}

/* Never 0, which would mean no deadline. */
uint64_t message_deadline(int milliseconds)
{
    return engine_now() + (uint64_t)(milliseconds > 0 ? milliseconds : 0) * 1000000u;
}

/* Counts a long transfer that the program does not wait for, so that the background thread drives
 * it. */
void message_not_waited(struct task *t, hn_request *r, size_t bytes)
{
    if (bytes < LINK_WAIT)
        return;
    r->is_transfer = true;
    atomic_fetch_add_explicit(&t->engine.transfers, 1, memory_order_relaxed);
}

/* The program waits now, or the request is done: the transfer is no longer counted. */
void message_waited(struct task *t, hn_request *r)
{
    if (r->is_transfer)
        atomic_fetch_sub_explicit(&t->engine.transfers, 1, memory_order_relaxed);
    r->is_transfer = false;
}

/* `info` is also set after an error, as far as it is known: a truncated message has a length. */
int message_conclude(const hn_request *r, hn_info *info)
{
    if (info)
        *info = r->info;
    switch (r->result) {
    case HN_OK:
        return HN_OK;
    /* Both numbers, because the user must know how much larger the buffer has to be. */
    case HN_ETRUNC:
        return error_set(HN_ETRUNC, "the message has %zu elements, the buffer holds %zu",
                         r->info.count, r->count);
    case HN_ETYPE:
        return error_set(HN_ETYPE, "the message holds %s, which cannot be received as %s",
                         type_name(r->info.type), type_name(r->type));
    /* These concern the other task, or all, so the text names it. */
    case HN_ENOMEM:
    case HN_EDEAD:
    case HN_ELINK:
    case HN_ENOTASK:
    case HN_EJOB:
    case HN_ESTATE:
        return message_error(r->to > 0 ? r->to : r->from, r->result);
    default:
        return error_set(r->result, "%s", hn_strerror(r->result));
    }
}
