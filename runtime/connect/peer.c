/* peer.c - moves a link's bytes through its transport, and handles the states of a connection
 * (states: peer.h).
 *
 * A peer exists from the first use of a tid until its task has ended and no call holds it; those of
 * the world stay.  Its link outlives connections: a new connection continues the stream where the
 * old one broke.  The lock is held in all functions here.
 */
#include "connect/peer.h"

#include "base/error.h"
#include "connect/set_up.h"
#include "connect/mtu.h"
#include "connect/tail_probe.h"
#include "connect/undelivered.h"
#include "job/task.h"

#include <netinet/tcp.h>
#include <sodium.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes read from a peer before other peers get their turn.  Headers and small messages are read
 * into one scratch buffer of the task, large payloads directly into their destination. */
enum { TURN = 4 << 20 };

/* Seconds.  Messages in the other direction carry acknowledgements at no cost.  Bytes that have
 * waited for one for LATE to 2 LATE are acknowledged by an ACK frame, so that the sender can free
 * its memory.  A much shorter time would load slow networks during operations.  A sender that needs
 * the memory requests the acknowledgement. */
#define LATE 1.0

/* Seconds without an answer from the other host after which a connection is broken. */
enum { SILENCE = 20 };

static void on_late(struct ev_loop *loop, ev_timer *w, int events);

/* Without memory for the scratch buffer nothing can be read, so this is the only error.  The key
 * for cross-memory reads is made once for all connections. */
int peer_table_init(struct task *t, const struct peer_events *events)
{
    t->peers.events = events;
    ev_timer_init(&t->peers.late, on_late, LATE, 0);
    t->peers.late.data = t;
    list_init(&t->peers.memory.awake);
    list_init(&t->peers.buried);
    t->peers.memory.joined = doorbell_join();
    randombytes_buf(t->peers.memory.key, sizeof t->peers.memory.key);
    t->peers.scratch = malloc(PEER_SCRATCH);
    return t->peers.scratch ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

/* The upper 8 bits of a multiplicative hash; there are 256 buckets. */
static struct peer **bucket_of(struct task *t, hn_tid tid)
{
    uint32_t h = (uint32_t)tid * 2654435761u;

    return &t->peers.bucket[h >> 24];
}

static void on_readable(struct ev_loop *loop, ev_io *w, int events);
static void on_writable(struct ev_loop *loop, ev_io *w, int events);

/* NULL: no call has used this tid so far. */
struct peer *peer_find(struct task *t, hn_tid tid)
{
    struct peer *p = *bucket_of(t, tid);

    while (p && p->link.peer != tid)
        p = p->next;
    return p;
}

/* Adds the peer to the list of peer_free_buried(), which frees it when no call holds it. */
static void release_buried(struct peer *p)
{
    if (p->ended && p->failed && !p->of_world && list_empty(&p->buried))
        list_append(&p->task->peers.buried, &p->buried);
}

/* The task has ended and its first peer was freed: restores how it ended. */
static void remember_end(struct peer *p)
{
    enum tids_end how = tids_end_of(&p->task->tids, p->link.peer);

    if (how == TIDS_LIVES)
        return;
    p->ended = true;
    p->lost = how == TIDS_LOST;
    p->failed = HN_EDEAD;
    release_buried(p);
}

/* The peer must be in its bucket.  `last` must not keep a pointer to it. */
static void unlink_peer(struct peer *p)
{
    struct peer **at = bucket_of(p->task, p->link.peer);

    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    if (p->task->peers.last == p)
        p->task->peers.last = NULL;
}

/* Records in tids how the task ended, because a later message to that tid must fail in the same
 * way. */
void peer_free_buried(struct task *t)
{
    if (!list_empty(&t->casts.queue))
        return; /* notifications on this list refer to peers */
    list_for_each_safe (n, &t->peers.buried) {
        struct peer *p = list_entry(n, struct peer, buried);
        if (p->holders > 0)
            continue;
        tids_end(&t->tids, p->link.peer, p->lost ? TIDS_LOST : TIDS_ENDED);
        list_remove(&p->buried);
        unlink_peer(p);
        undelivered_drop(p);
        free(p);
    }
}

/* Linear, but once for each peer. */
static bool is_of_world(const struct task *t, hn_tid tid)
{
    for (int i = 0; i < t->world.size; i++)
        if (t->world.tid[i] == tid)
            return true;
    return false;
}

/* A new peer has no connection yet.  If the task is known to have ended, it fails from the start,
 * so that no call dials it in vain. */
struct peer *peer_look_up(struct task *t, hn_tid tid)
{
    struct peer **bucket = bucket_of(t, tid), *p = peer_find(t, tid);

    if (p)
        return t->peers.last = p;
    p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->task = t;
    p->fd = -1;
    p->transport = &transport_socket;
    link_init(&p->link, tid, &t->match);
    dial_init(&p->dial, p);
    list_init(&p->undelivered);
    p->of_world = is_of_world(t, tid);
    list_init(&p->buried);
    remember_end(p);
    ev_init(&p->readable, on_readable);
    ev_init(&p->writable, on_writable);
    p->readable.data = p->writable.data = p;
    p->next = *bucket;
    *bucket = p;
    return t->peers.last = p;
}

/* f() may change its peer, but must not add or free any. */
bool peer_all(struct task *t, bool (*f)(struct peer *))
{
    for (size_t b = 0; b < sizeof t->peers.bucket / sizeof *t->peers.bucket; b++)
        for (struct peer *p = t->peers.bucket[b]; p; p = p->next)
            if (!f(p))
                return false;
    return true;
}

/* Holds small messages to p back (on), so that one system call writes many. */
static void collect(struct peer *p, bool on)
{
    if (p->sending.collecting != on)
        p->task->engine.collected += on ? 1 : -1u;
    p->sending.collecting = on;
}

static void watch_writable(struct peer *p, bool on)
{
    engine_await_room(&p->task->engine, &p->writable, on);
}

/* The order matters: the transport stops while p->fd is still open, and the link forgets the
 * connection last.  Held-back messages stay queued in the link. */
void peer_disconnect(struct peer *p)
{
    if (p->state != PEER_OPEN)
        return;
    ev_io_stop(p->task->engine.loop, &p->readable);
    watch_writable(p, false);
    dial_stop_joining(&p->dial);
    p->transport->stop(p);
    p->transport = &transport_socket;
    close(p->fd);
    p->fd = -1;
    sodium_memzero(p->cast.datagram_key, sizeof p->cast.datagram_key);
    p->state = PEER_IDLE;
    collect(p, false);
    link_broken(&p->link);
}

/* Nothing more will arrive from there.  What the agents have brought is received before the link is
 * cleared, since those messages are complete. */
static void bury(struct peer *p, int result)
{
    dial_stop(&p->dial);
    peer_disconnect(p);
    p->failed = result;
    undelivered_receive(p);
    link_clear(&p->link, result);
    release_buried(p);
    p->task->peers.events->ended(p, result);
}

/* Idempotent: the first result stays. */
void peer_fail(struct peer *p, int result)
{
    if (!p->failed)
        bury(p, result);
}

void peer_ended(struct peer *p, bool host_lost)
{
    p->ended = true;
    if (host_lost || !peer_may_receive(p))
        peer_fail(p, HN_EDEAD); /* otherwise the end of the stream shows when everything is read */
    release_buried(p);          /* it may have failed before */
}

/* Whether something may still arrive: over the present connection, or one that is about to open. */
bool peer_may_receive(const struct peer *p)
{
    return p->state == PEER_OPEN || set_up_is_proving(p);
}

void peer_receive_undelivered(struct peer *p)
{
    int result = undelivered_receive(p);

    if (result != HN_OK)
        peer_fail(p, result);
}

/* The connection is gone.  A side with unacknowledged bytes dials again.  The other side waits, so
 * that the two do not dial at the same time in vain. */
static void lost(struct peer *p)
{
    peer_disconnect(p);
    peer_receive_undelivered(p);
    bool pending = !link_all_acknowledged(&p->link);
    bool hopeful = dial_note_break(&p->dial, p->link.received + p->link.acked, engine_now());
    /* No other connection to that task will ever exist. */
    if (p->ended || p->link.bye_received)
        peer_fail(p, HN_EDEAD);
    else if (pending && hopeful)
        dial_start(&p->dial);
    else if (pending)
        dial_give_up(&p->dial);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Written bytes may be lost on the network.  So both checks are scheduled, unless they are
 * already. */
void peer_write(struct peer *p)
{
    bool full = false;

    collect(p, false);
    int sent = p->transport->write(p, &full);
    if (sent > 0) {
        tail_probe_watch(p);
        mtu_watch(p);
    }
    if (sent < 0)
        lost(p);
    else
        watch_writable(p, full);
}

/* If the socket is full, the loop's watcher is active and writes later; another attempt would cost
 * a system call in vain. */
void peer_flush(struct peer *p)
{
    if (p->state == PEER_OPEN) {
        if (!ev_is_active(&p->writable))
            peer_write(p);
    } else if (!p->failed) {
        dial_start(&p->dial);
    }
}

/* For long sends: the loop writes, on the background thread, while the caller returns. */
void peer_flush_later(struct peer *p)
{
    if (p->state == PEER_OPEN && !p->transport->direct)
        watch_writable(p, true);
    else
        peer_flush(p);
}

/* Small messages within CLOSE ns of each other are a burst.  From the BURST-th on they are
 * collected, up to COLLECT bytes, or COLLECT_LENT if they are not copies. */
enum { CLOSE = 2000 /* ns */, BURST = 4, COLLECT = 16 << 10, COLLECT_LENT = 1 << 20 };

/* Counts messages in quick succession.  The loop, or the next call, writes what is collected at
 * most ENGINE_COLLECT ns later (engine.h). */
void peer_flush_burst(struct peer *p, bool lent)
{
    if (p->transport->direct) {
        peer_write(p);
        return;
    }
    /* A single late message ends the burst, and is written at once. */
    p->sending.burst = engine_now() - p->sending.last_sent < CLOSE ? p->sending.burst + 1 : 0;
    if (p->sending.burst < BURST || p->state != PEER_OPEN)
        peer_flush(p);
    else if (p->link.queued - p->link.written >= (lent ? COLLECT_LENT : COLLECT)) {
        if (p->sending.collecting || !ev_is_active(&p->writable))
            peer_write(p); /* otherwise the connection is full, and the loop waits for it */
    } else {
        collect(p, true);
        watch_writable(p, true);
    }
    p->sending.last_sent = engine_now();
}

/* One timer serves all peers.  It runs only while some connection has received bytes that it has
 * not acknowledged. */
static void watch_late(struct peer *p)
{
    ev_timer *late = &p->task->peers.late;

    if (p->state != PEER_OPEN || p->link.received == p->link.confirmed || ev_is_active(late))
        return;
    ev_timer_set(late, LATE, 0);
    ev_timer_start(p->task->engine.loop, late);
}

/* Sends a delayed acknowledgement.  Bytes that arrived after the timer started wait for the next
 * one, because a message may still acknowledge them at no cost. */
static bool acknowledge(struct peer *p)
{
    bool waited = p->link.confirmed < p->receiving.late;

    p->receiving.late = p->link.received;
    if (waited && p->state == PEER_OPEN && link_acknowledge(&p->link) &&
        !ev_is_active(&p->writable))
        peer_write(p);
    watch_late(p);
    return true;
}

static void on_late(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop, (void)events;
    peer_all(w->data, acknowledge);
}

static void on_writable(struct ev_loop *loop, ev_io *w, int events)
{
    (void)loop, (void)events;
    peer_write(w->data);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The other side violates the protocol, so no later connection could be trusted either. */
static void refuse(struct peer *p, int result)
{
    peer_disconnect(p);
    peer_fail(p, result);
}

/* Data of a connection could not be processed.  If memory was short, there may be some when the
 * next connection sends them again. */
static void receive_failed(struct peer *p, int result)
{
    if (result == HN_ELINK || result == HN_ENOMEM)
        lost(p);
    else
        refuse(p, result);
}

/* Reads once.  Returns as the transport's read(), after handling errors of the connection. */
static ptrdiff_t read_some(struct peer *p, size_t *offered)
{
    ptrdiff_t n = p->transport->read(p, offered);

    if (n < 0)
        receive_failed(p, (int)n);
    return n;
}

/* After input: writes acknowledgements, and lets datagrams continue. */
static void answer(struct peer *p)
{
    if (!ev_is_active(&p->writable))
        peer_write(p);
    watch_late(p);
    p->task->peers.events->received(p);
}

/* Stops when the last posted receive has been served, because its caller may post the next one
 * before that message is read. */
void peer_read(struct peer *p)
{
    uint64_t finished = p->task->match.finished;
    size_t turn = 0, offered;
    ptrdiff_t n;

    if (link_misses(&p->link))
        return;
    do {
        n = read_some(p, &offered);
        if (n < 0)
            return;
        /* Reading continues while the socket has filled all that was offered, and the limits of
         * this turn are not reached. */
        turn += (size_t)n;
    } while (n > 0 && (size_t)n == offered && turn < TURN && !link_misses(&p->link) &&
             !peer_inbox_is_full(p->task, p) &&
             (p->task->match.finished == finished || !list_empty(&p->task->match.posted)));
    /* So much input counts as progress that others wait for. */
    if (turn >= LINK_LARGE)
        p->task->engine.background.helped++;
    if (turn > 0)
        p->transport->confirm(p);
    if (link_misses(&p->link))
        p->task->peers.events->missing(p);
    answer(p);
}

/* If the gap is closed, the connection may be read again.  Its watcher was stopped, so the loop is
 * notified. */
void peer_received(struct peer *p, int result)
{
    if (result != HN_OK) {
        receive_failed(p, result);
        return;
    }
    if (!link_misses(&p->link) && !ev_is_active(&p->readable) && !p->task->peers.paused) {
        ev_io_start(p->task->engine.loop, &p->readable);
        p->transport->wake(p);
        engine_changed(&p->task->engine);
    }
    answer(p);
}

void peer_break(struct peer *p)
{
    lost(p);
}

/* The other task is gone, but what it wrote can still be read. */
static void read_the_rest(struct peer *p)
{
    size_t offered;
    ptrdiff_t n;

    do {
        n = read_some(p, &offered);
    } while (n > 0);
    if (n == 0)
        lost(p);
}

/* A full inbox stops the watcher of a socket, so that TCP's flow control reaches the sender.  With
 * shared memory the socket carries only doorbells, which are always read. */
static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
    struct peer *p = w->data;

    (void)events;
    bool full = peer_inbox_is_full(p->task, p);
    p->task->peers.paused |= full;
    if (full && !p->transport->direct)
        ev_io_stop(loop, w);
    else if (!p->transport->notice(p))
        read_the_rest(p);
    else if (!full)
        peer_read(p);
}

/* ---- opening ------------------------------------------------------------------------------ */

/* TCP_NODELAY: the link already combines small writes.  Keepalive probes find a dead host on an
 * idle connection, TCP_USER_TIMEOUT on one with unacknowledged bytes.  On a UNIX socket the calls
 * fail without effect. */
void peer_set_options(int fd)
{
    int on = 1, silence_ms = SILENCE * 1000, idle = SILENCE / 2, interval = SILENCE / 4;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms, sizeof silence_ms);
}

/* The link resumes before the first byte is read or written, because it has the positions of both
 * streams. */
void peer_adopt(struct peer *p, int fd, uint64_t peer_received)
{
    struct engine *e = &p->task->engine;

    tids_learn(&p->task->tids, p->link.peer);
    p->fd = fd;
    p->state = PEER_OPEN;
    p->met = true;
    /* Statistics of the former connection do not apply to this socket. */
    p->loss.packets_lost = 0;
    p->loss.lossy = 0;
    p->loss.confirmed = 0;
    p->mtu.watched = false;
    p->receiving.awaits = 1;
    peer_set_options(fd);
    /* A position that is impossible ends the peer: no connection can continue the stream. */
    int result = link_resume(&p->link, peer_received);
    if (result != HN_OK) {
        refuse(p, result);
        return;
    }
    /* The watchers exist once for each peer and are set to the new descriptor. */
    ev_io_set(&p->readable, fd, EV_READ);
    ev_io_set(&p->writable, fd, EV_WRITE);
    ev_io_start(e->loop, &p->readable);
    p->transport->start(p);
    p->task->peers.events->opened(p);
    engine_changed(e);
    peer_write(p);
}

/* Requests that are still in flight fail with HN_ESTATE. */
void peer_table_clear(struct task *t)
{
    t->peers.last = NULL;
    if (t->engine.loop)
        ev_timer_stop(t->engine.loop, &t->peers.late);
    for (size_t b = 0; b < sizeof t->peers.bucket / sizeof *t->peers.bucket; b++) {
        /* No callback may run any more for these peers, as their events are disconnected here. */
        for (struct peer *p = t->peers.bucket[b], *next; p; p = next) {
            next = p->next;
            dial_stop(&p->dial);
            peer_disconnect(p);
            undelivered_drop(p);
            link_clear(&p->link, HN_ESTATE);
            free(p);
        }
        t->peers.bucket[b] = NULL;
    }
    free(t->peers.scratch);
    t->peers.scratch = NULL;
}
