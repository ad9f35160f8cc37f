/* others.c - processes hrun's reports about other tasks: their addresses, and their ends.
 *
 * Reports arrive from the agent, out of order with messages on the tasks' own connections.  An end
 * is therefore only recorded, and becomes effective when the connection has been read to its end,
 * unless the host is lost.
 */
#include "job/others.h"

#include "job/failure.h"
#include "job/notification.h"
#include "job/task.h"
#include "connect/undelivered.h"

/* The task may have ended since the LOOKUP, and its connection to us may not be read to its end. */
static void ended_or_never(struct peer *p, unsigned state)
{
    if (state == CONTROL_TASK_ENDED)
        peer_ended(p, false);
    else
        peer_fail(p, HN_ENOTASK);
}

/* Processes the answer to a LOOKUP. */
void others_address(struct task *t, struct unpack *u)
{
    struct peer *p = peer_get(t, (hn_tid)unpack_u32(u));
    unsigned state = unpack_u8(u);

    if (!p)
        return;
    p->dial.asked = false;
    if (state == CONTROL_FOUND)
        dial_addresses(&p->dial, u);
    else
        ended_or_never(p, state);
}

/* A task that has failed breaks its groups only after peer_ended(): what it had sent before is
 * still received. */
void others_end(struct task *t, struct unpack *u)
{
    struct peer *p = peer_get(t, (hn_tid)unpack_u32(u));
    bool failed = unpack_u32(u) != 0, host_lost = unpack_u8(u) != 0;

    if (!p || p->link.peer == t->tid)
        return;
    p->lost = failed || host_lost;
    peer_ended(p, host_lost);
    if (p->lost)
        failure_of(t, p->link.peer);
}

/* Whether everything from a task has arrived.  No end is reported for a tid that never was a
 * task's, which a receive or a send may have looked up. */
static bool has_said_all(struct peer *p)
{
    return p->failed != HN_OK || (p->state == PEER_IDLE && !p->ended);
}

/* O(world), or O(peers) in a job that has grown. */
bool others_ended(struct task *t)
{
    if (t->others.grown)
        return t->others.alone && peer_all(t, has_said_all);
    for (int i = 0; i < t->world.size; i++) {
        struct peer *p = t->world.tid[i] == t->tid ? NULL : peer_get(t, t->world.tid[i]);
        if (p && !p->failed)
            return false;
    }
    return true;
}

/* hrun reports whether this task is alone in a job that has spawned tasks. */
void others_grown(struct task *t, struct unpack *u)
{
    t->others.grown = true;
    t->others.alone = unpack_u8(u) == 0;
    if (others_ended(t))
        match_sender_ended(&t->match, HN_ANY, HN_EDEAD);
}

/* Called by peer.c when nothing more arrives from the task.  First its notifications, since
 * receives may wait for them. */
void others_over(struct peer *p, int result)
{
    struct task *t = p->task;

    notification_release(t, p->link.peer);
    match_sender_ended(&t->match, p->link.peer, result);
    if (others_ended(t))
        match_sender_ended(&t->match, HN_ANY, HN_EDEAD);
}

/* Without memory the stream has a gap that cannot be repaired, so the peer fails. */
void others_undelivered(struct task *t, struct unpack *u)
{
    unpack_u32(u); /* our own tid */
    struct peer *p = peer_get(t, (hn_tid)unpack_u32(u));
    if (!p || p->failed || p->link.peer == t->tid)
        return;
    tids_learn(&t->tids, p->link.peer);
    if (!undelivered_keep(p, u))
        peer_fail(p, HN_ENOMEM);
    else if (!peer_may_receive(p))
        peer_receive_undelivered(p);
}
