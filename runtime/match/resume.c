/* resume.c - continues to read when the inbox has room again (peer.h). */
#include "job/task.h"

static bool watch_readable(struct peer *p)
{
    if (p->state == PEER_OPEN && !link_misses(&p->link))
        ev_io_start(p->task->engine.loop, &p->readable);
    p->transport->wake(p);
    return true;
}

void peer_resume(struct task *t)
{
    if (!t->peers.paused || peer_inbox_is_full(t))
        return;
    t->peers.paused = false;
    peer_all(t, watch_readable);
    cast_resume(t);
    captured_resume(t);
    engine_changed(&t->engine);
}
