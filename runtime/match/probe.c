/* probe.c - hn_probe(), hn_iprobe() and hn_probe_timeout(): what a receive would match. */
#include "match/message.h"

#include "base/error.h"

/* State of one call, on its stack.  `found` is valid only while the lock is held. */
struct probe {
    struct task *task;
    hn_tid from;
    int tag;
    hn_context context;
    bool forever; /* no deadline */
    bool begun;   /* an incomplete message counts */
    const struct inbound *found;
};

/* Whether a message is available: it must be complete, so that a receive need not wait.  But while
 * the inbox is full, an incomplete message counts, because its rest may not be read before its
 * receive.  A probe without a deadline fails if nothing is read any more. */
static bool is_there(void *arg)
{
    struct probe *p = arg;
    struct match *m = &p->task->match;

    p->found =
        match_find(m, p->from, p->tag, p->context, !p->begun && !peer_inbox_exceeds(p->task, 1));
    return p->found || p->task->quitting || (p->forever && peer_inbox_exceeds(p->task, 2)) ||
           message_lost(p->task, p->from, p->tag, p->context);
}

static bool look(void *arg)
{
    return engine_look(&((struct probe *)arg)->task->engine);
}

int message_await(struct task *t, hn_tid from, int tag, bool begun, uint64_t deadline,
                  const struct inbound **found)
{
    struct probe p = {t, from, tag, message_context, deadline == 0, begun, NULL};
    bool waits = deadline == 0 || deadline > engine_now();
    hn_request waiting;

    request_init(&waiting);
    waiting.from = from;
    list_append(&t->match.probing, &waiting.node);
    t->handlers.asked++;
    peer_resume(t);
    if (waits)
        engine_look(&t->engine);
    else
        engine_glance(&t->engine);
    wait_because(CONTROL_WAIT_PROBE, from, tag, message_context);
    /* Without an agent there are no other tasks, so no message can be about to arrive. */
    if (t->agent.fd >= 0 && waits)
        engine_wait_soon(&t->engine, is_there, look, &p, deadline);
    else
        engine_wait(&t->engine, is_there, &p, deadline);
    list_remove(&waiting.node);
    is_there(&p);
    *found = p.found;
    if (p.found || t->quitting)
        return p.found ? HN_OK : t->quitting;
    int lost = message_lost(t, from, tag, p.context);
    return p.forever && lost == HN_OK ? HN_ENOMEM : lost;
}

/* Returns 1 if there is a message, 0 if none has arrived until the deadline (0: no deadline).  The
 * message is only described; another thread may receive it after the lock is released. */
static int probe(hn_tid from, int tag, hn_info *info, uint64_t deadline)
{
    struct task *t = task_get();
    int result = t ? message_check(t, from, tag, NULL, 0, HN_BYTE) : HN_ESTATE;
    const struct inbound *found;
    uint64_t begun = trace_begin(t);

    if (result != HN_OK)
        return result;
    engine_enter(&t->engine);
    result = message_await(t, from, tag, false, deadline, &found);
    if (found && info)
        *info = found->info;
    if (found)
        trace_message(t, begun, TRACE_PROBE, found->info.from, &found->info, 0);
    engine_leave(&t->engine, false);
    return result != HN_OK ? message_error(from, result) : found != NULL;
}

int hn_probe(hn_tid from, int tag, hn_info *info)
{
    int result = probe(from, tag, info, 0);

    return result > 0 ? HN_OK : result;
}

int hn_probe_timeout(hn_tid from, int tag, int milliseconds, hn_info *info)
{
    int result = probe(from, tag, info, message_deadline(milliseconds));

    if (result == 0)
        return error_set(HN_ETIMEOUT, "the time is up");
    return result > 0 ? HN_OK : result;
}

int hn_iprobe(hn_tid from, int tag, hn_info *info)
{
    return probe(from, tag, info, message_deadline(0));
}
