/* resume.c - continues to read when the inbox has room again, or when the task waits for something
 * behind the messages that fill it (peer.h): a message, or acknowledgements of what it sends, for
 * which it waits here. */
#include "job/task.h"

/* A peer behind a gap of datagrams stays unread until the gap is closed. */
static bool watch_readable(struct peer *p)
{
    if (peer_inbox_is_full(p->task, p)) {
        p->task->peers.paused = true;
        return true;
    }
    if (p->state == PEER_OPEN && !link_misses(&p->link))
        ev_io_start(p->task->engine.loop, &p->readable);
    p->transport->wake(p);
    return true;
}

/* `paused` is cleared first. watch_readable() sets it again if the inbox is full for one of the
 * peers. */
void peer_resume(struct task *t)
{
    if (!t->peers.paused)
        return;
    t->peers.paused = false;
    peer_all(t, watch_readable);
    if (peer_inbox_is_full(t, NULL)) {
        t->peers.paused = true;
    } else {
        cast_resume(t);
        captured_resume(t);
    }
    engine_changed(&t->engine);
}

/* Shared memory of a peer with unacknowledged bytes is checked in every iteration, and its doorbell
 * is requested. */
static bool want_acks(struct peer *p)
{
    if (!link_all_acknowledged(&p->link))
        p->transport->wake(p);
    return true;
}

/* Calls nest, and each is undone by peer_stop_wanting(). */
void peer_want_acks(struct task *t)
{
    t->peers.acks_wanted++;
    peer_all(t, want_acks);
    peer_resume(t);
}

void peer_stop_wanting(struct task *t)
{
    t->peers.acks_wanted--;
}

/* Requests acknowledgements.  Not needed with shared memory, where progress is visible. */
static bool ask_for_acks(struct peer *p)
{
    if (p->transport->direct || p->failed || link_all_acknowledged(&p->link))
        return true;
    link_ask(&p->link);
    peer_flush(p);
    return true;
}

/* Blocks until done(); the requests bring acknowledgements early, which free memory or complete
 * loans. */
void peer_wait_acks(struct task *t, bool (*done)(void *), void *arg)
{
    if (done(arg))
        return;
    peer_want_acks(t);
    peer_all(t, ask_for_acks);
    engine_wait(&t->engine, done, arg, 0);
    peer_stop_wanting(t);
}
