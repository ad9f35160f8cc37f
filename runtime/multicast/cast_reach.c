/* cast_reach.c - hn_multicast_reach(): asks and waits until it is known which tasks get this task's
 * datagrams.
 *
 * Only this call waits for the answers to HELLO. Other calls use what is known, and send one by one
 * to the rest.
 */
#include "multicast/cast.h"

#include "base/error.h"
#include "match/message.h"
#include "job/task.h"
#include "job/tid_check.h"

#include <string.h>

/* The argument of note_reached(), on the stack of hn_multicast_reach(). */
struct reach {
    struct task *task;
    const hn_tid *to;
    int n;
    char *reached;
};

/* Whether a task can be reached at all: tasks on the caller's own host never are. */
static bool may_hear(const struct task *t, hn_tid tid)
{
    return tid > 0 && control_host((uint32_t)tid) != control_host((uint32_t)t->tid);
}

/* Records which peers are reached.  True: all that can be. */
static bool note_reached(void *arg)
{
    struct reach *r = arg;
    bool all = true;

    for (int i = 0; i < r->n; i++) {
        struct peer *p = may_hear(r->task, r->to[i]) ? peer_get(r->task, r->to[i]) : NULL;
        r->reached[i] = p && p->state == PEER_OPEN && p->link.cast.reach > 0;
        all = all && (!p || p->failed || r->reached[i]);
    }
    return all || r->task->quitting;
}

/* Connects to all of them, because HELLOs are answered over connections. */
static void connect_to_all(const struct reach *r)
{
    for (int i = 0; i < r->n; i++) {
        struct peer *p = may_hear(r->task, r->to[i]) ? peer_get(r->task, r->to[i]) : NULL;
        if (p && p->state == PEER_IDLE && !p->failed)
            dial_start(&p->dial);
    }
}

/* Returns the number of tasks that are reached, perhaps 0.  HELLO is repeated at its growing
 * intervals until the deadline, because it may be lost, too. */
int hn_multicast_reach(const hn_tid *to, int n, int milliseconds, char *reached)
{
    struct task *t = task_get();
    struct reach r = {t, to, n, reached};
    uint64_t end = message_deadline(milliseconds), now;
    int count = 0;

    if (!t)
        return HN_ESTATE;
    if (n < 0 || (n > 0 && (!to || !reached)))
        return error_set(HN_EARG, "no list of tasks");
    memset(reached, 0, (size_t)n);
    for (int i = 0; i < n; i++) {
        int result = tids_check(t, to[i]);
        if (result != HN_OK)
            return result;
    }
    if (t->agent.fd < 0)
        return 0;
    engine_enter(&t->engine);
    connect_to_all(&r);
    while (!note_reached(&r) && (now = engine_now()) < end) {
        /* Waits until all are known, or until the next HELLO is due. */
        uint64_t next = t->casts.hello.next > now ? t->casts.hello.next : now + CAST_HELLO;
        cast_send_hello(t);
        wait_because(CONTROL_WAIT_RECV, 0, 0, 0);
        engine_wait(&t->engine, note_reached, &r, next < end ? next : end);
    }
    engine_leave(&t->engine, false);
    for (int i = 0; i < n; i++)
        count += reached[i];
    return count;
}
