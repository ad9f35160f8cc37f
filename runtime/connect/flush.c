/* flush.c - staying with a send until its receiver has it, as long as that is better than to copy
 * the rest (peer.h: flush_until_done).
 *
 * Going on from the caller's memory costs no copy; so it is right as long as the network takes a
 * byte in a nanosecond, after a grace for the first ones.  The acknowledgement of so few bytes that
 * they may have arrived before a sleeper is awake is looked for.
 */
#include "connect/peer.h"

#include "job/task.h"

#include <poll.h>

enum { FLUSH_GRACE = 100000 /* ns */, FLUSH_LOOK = 512 << 10 };

/* ns that sending may have taken by now, since `acked` bytes had been acknowledged: half of them
 * for what the network has taken, be it before (a socket may have taken all at once, and its bytes
 * are on their way), half for what has arrived.  What is lent is acknowledged a frame at a time. */
static uint64_t allowance(const struct link *l, uint64_t acked)
{
    uint64_t lent = l->loan.lent != l->loan.returned ? l->queued - l->acked : 0;

    return FLUSH_GRACE + (l->written - acked + l->acked - acked + lent) / 2;
}

/* A send whose connection is attended to alone. */
struct flush {
    struct peer *peer;
    const struct hn_request *request;
};

static bool is_flushed(void *arg)
{
    const struct flush *w = arg;

    return w->request->done || w->peer->state != PEER_OPEN;
}

/* Moves what can be moved now. */
static bool flush_on(void *arg)
{
    const struct flush *w = arg;
    struct peer *p = w->peer;

    if (p->transport->direct)
        peer_write(p); /* has it arrived?  Then what comes in may wait for its receive */
    if (w->request->done)
        return false;
    peer_read(p);
    if (p->state == PEER_OPEN && ev_is_active(&p->writable))
        peer_write(p);
    return false;
}

/* Waits for something to happen on the connection; false: another thread attends to all. */
static bool attend(struct flush *w, uint64_t ns)
{
    struct peer *p = w->peer;
    struct engine *e = &p->task->engine;
    short events = POLLIN | (ev_is_active(&p->writable) ? POLLOUT : 0);
    bool soon = p->link.queued - p->link.acked <= FLUSH_LOOK;

    return p->transport->direct
               ? engine_yield(e, ns)
               : engine_attend(e, p->fd, events, ns, is_flushed, soon ? flush_on : NULL, w);
}

void flush_until_done(struct peer *p, const struct hn_request *r)
{
    struct flush w = {p, r};
    uint64_t start = engine_now(), acked = p->link.acked, passed = 0;

    p->holders++;
    while (!is_flushed(&w) && passed < allowance(&p->link, acked) && !peer_inbox_is_full(p->task)) {
        if (!attend(&w, allowance(&p->link, acked) - passed))
            break;
        flush_on(&w);
        passed = engine_now() - start;
    }
    p->holders--;
}
