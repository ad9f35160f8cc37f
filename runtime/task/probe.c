/* probe.c - hn_probe() and its kin: what a receive would get. */
#include "message.h"

#include "error.h"

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
    return p->found || p->task->quitting || message_lost(p->task, p->from);
}

/* 1 when there is a message, 0 when none has come until the deadline (0: no deadline). */
static int probe(hn_tid from, int tag, hn_info *info, uint64_t deadline)
{
    struct task *t = task_get();
    int result = t ? message_check(t, from, tag, NULL, 0, HN_BYTE) : HN_ESTATE;
    struct probe p = {t, from, tag, message_context, NULL};
    uint64_t begun = trace_begin(t);
    int lost;

    if (result != HN_OK)
        return result;
    engine_enter(&t->engine);
    t->probing++;
    t->asked++;
    peer_resume(t);
    engine_look(&t->engine);
    wait_because(CONTROL_WAIT_PROBE, from, tag, message_context);
    engine_wait(&t->engine, is_there, &p, deadline);
    t->probing--;
    is_there(&p);
    lost = t->quitting ? t->quitting : message_lost(t, from);
    if (p.found && info)
        *info = p.found->info;
    if (p.found)
        trace_message(t, begun, TRACE_PROBE, p.found->info.from, &p.found->info, 0);
    engine_leave(&t->engine, false);
    if (!p.found && lost != HN_OK)
        return message_error(from, lost);
    return p.found ? 1 : 0;
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
