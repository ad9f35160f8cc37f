/* flush.c - stays with a send until the receiver has it, while that is better than copying the rest
 * (peer.h: flush_until_done).
 *
 * Writing from the caller's memory costs no copy.  So it is better while the network takes a byte
 * in a nanosecond, after a grace period for the first bytes.  When few bytes are left, their
 * acknowledgement may arrive before a sleeping thread would be awake.  Then the caller spins for
 * it.
 */
#include "connect/peer.h"

#include "job/task.h"

#include <poll.h>

/* The grace period; the number of unacknowledged bytes below which the caller spins. */
enum { FLUSH_GRACE = 100000 /* ns */, FLUSH_LOOK = 512 << 10 };

/* Nanoseconds that sending may have taken by now, since `acked` bytes were acknowledged.  Half of
 * them are for bytes that the network has taken, even earlier, as a socket may have taken all at
 * once.  The other half is for bytes that have arrived.  Loans count, because they are acknowledged
 * frame by frame. */
static uint64_t allowance(const struct link *l, uint64_t acked)
{
    uint64_t lent = l->loan.lent != l->loan.returned ? l->queued - l->acked : 0;

    return FLUSH_GRACE + (l->written - acked + l->acked - acked + lent) / 2;
}

/* A send, and its connection, which alone is served meanwhile. */
struct flush {
    struct peer *peer;
    const struct hn_request *request;
};

/* A connection that broke ends the stay; the next one carries the rest. */
static bool is_flushed(void *arg)
{
    const struct flush *w = arg;

    return w->request->done || w->peer->state != PEER_OPEN;
}

/* Writes and reads what is possible now. */
static bool flush_on(void *arg)
{
    const struct flush *w = arg;
    struct peer *p = w->peer;

    if (p->transport->direct)
        peer_write(p); /* requests an acknowledgement; other input may wait for its receive */
    if (w->request->done)
        return false;
    peer_read(p);
    if (p->state == PEER_OPEN && ev_is_active(&p->writable))
        peer_write(p);
    return false;
}

/* Waits for an event of the connection.  False: another thread drives the loop. */
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

/* `holders` keeps the peer alive while the lock is released in attend().  The caller checks r->done
 * afterwards and copies the rest if it is false. */
void flush_until_done(struct peer *p, const struct hn_request *r)
{
    struct flush w = {p, r};
    uint64_t start = engine_now(), acked = p->link.acked, passed = 0;

    p->holders++;
    while (!is_flushed(&w) && passed < allowance(&p->link, acked) &&
           !peer_inbox_is_full(p->task, p)) {
        if (!attend(&w, allowance(&p->link, acked) - passed))
            break;
        flush_on(&w);
        passed = engine_now() - start;
    }
    p->holders--;
}
