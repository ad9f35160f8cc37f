/* set_up.c - a new connection, from connect() or accept() until the peer is authenticated.
 *
 * The happy path: connected, handshake bytes exchanged (handshake.c), the peer takes the socket.
 * The failure modes, which all close the socket: it cannot be connected, the other side closes it,
 * violates the protocol, does not know the secret, or is silent for DIAL_TIMEOUT seconds, or the
 * connection is displaced by others (pending.h).  Only the bytes of the handshake are read, so that
 * the stream after it is untouched.
 *
 * Who may end a set-up: its own events, its peer when another connection has won (dial_stop()), and
 * the table of pending ones.
 */
#include "connect/set_up.h"

#include "base/passing.h"
#include "connect/local.h"
#include "transport/seal.h"
#include "job/task.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Nanoseconds in which our own unfinished attempt takes precedence over the other side's. */
#define HEAD_START UINT64_C(1000000000)

/* Stops all events and leaves all lists; the socket stays open. */
static void detach(struct set_up *s)
{
    ev_io_stop(s->task->engine.loop, &s->io);
    ev_timer_stop(s->task->engine.loop, &s->deadline);
    pending_leave(&s->task->door.listener.pending, &s->pending);
    list_remove(&s->node);
}

/* Frees a set-up after wiping its keys. */
static void forget(struct set_up *s)
{
    handshake_wipe(&s->handshake);
    free(s);
}

/* Memory that was mapped but not handed to a peer is unmapped here. */
void set_up_end(struct set_up *s)
{
    detach(s);
    shared_unmap(s->shared);
    if (s->memory >= 0)
        close(s->memory);
    close(s->fd);
    forget(s);
}

static const char not_proven[] = "it has not proven that it belongs to this job";

/* Closes a stranger's connection, with a reset, so that the kernel keeps no state of it. why: a
 * constant string. */
static void turn_away(struct set_up *s, const char *why)
{
    struct linger at_once = {.l_onoff = 1};
    struct task *t = s->task;
    bool local = s->local;
    char source[STRANGERS_TEXT];

    pending_describe(&s->source, source, sizeof source);
    setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    set_up_end(s);
    if (!local)
        listener_note(t, source, why);
}

/* why: a constant string.  An accepted connection without a genuine HELLO is a stranger's, and is
 * counted.  A dialled one is reported to dial.c, which tries the next address.  What the report
 * needs is copied first, because the set-up is freed before it. */
static void fail(struct set_up *s, const char *why)
{
    struct peer *p = s->peer;
    unsigned address = s->address;
    bool joins = s->joins;

    if (!p && (s->handshake.state == HANDSHAKE_WAIT_HELLO || why == not_proven))
        turn_away(s, why);
    else
        set_up_end(s);
    if (p && !joins)
        dial_failed(p, address, why);
}

/* Ends other set-ups that p began here, because the stream position that they contain is about to
 * change. */
static void end_accepted_from(struct task *t, const struct peer *p)
{
    list_for_each_safe (n, &t->door.listener.set_ups) {
        struct set_up *s = list_entry(n, struct set_up, node);
        if (s->handshake.state == HANDSHAKE_WAIT_PROOF && s->handshake.peer == p->link.peer)
            set_up_end(s);
    }
}

/* The flags that this side requests: connections that leave the host are encrypted, unless both
 * ends are trusted. p: the other side, or NULL if there is no peer yet. */
static unsigned wish_of(const struct set_up *s, hn_tid peer, const struct peer *p)
{
    const struct task *t = s->task;
    bool leaves = control_host((uint32_t)peer) != control_host((uint32_t)t->tid);
    bool direct = leaves && !s->local && !s->meant;

    return (t->door.encrypt && leaves ? HANDSHAKE_ENCRYPT : 0) |
           (seal_has_aes() ? HANDSHAKE_AES : 0) |
           (p && p->dial.rate.sockets.wanted > 0 && direct ? HANDSHAKE_PARALLEL : 0) |
           (s->joins ? HANDSHAKE_JOIN : 0);
}

/* The start values of this side for p's streams and datagrams. */
static struct handshake_start start_with(const struct peer *p)
{
    const struct casts *c = &p->task->casts;
    struct handshake_start start = {.received = p->link.received, .datagrams = c->number};

    memcpy(start.key, c->key, sizeof start.key);
    return start;
}

/* Installs for p's stream the transport that both sides have agreed on.  False: out of memory. */
static bool choose_transport(struct peer *p, const struct set_up *s, struct seal *seal)
{
    /* The further sockets join after the first one is adopted (succeed()). */
    if (seal && s->handshake.parallel) {
        p->parallel = parallel_new(seal, handshake_token(&s->handshake));
        if (p->parallel)
            p->transport = &transport_parallel;
        return p->parallel != NULL;
    }
    /* Both sides have mapped the memory.  Otherwise the socket carries the stream. */
    if (s->shared && s->handshake.shared) {
        seal_free(seal); /* connections within a host are never encrypted */
        p->shared = s->shared;
        p->transport = &transport_shared;
        return true;
    }
    shared_unmap(s->shared);
    p->seal = seal;
    p->transport = seal ? &transport_sealed : &transport_socket;
    return true;
}

/* Adds another socket to p's connection.  The descriptor is taken out before the set-up is freed,
 * and belongs to the connection from then on. */
static void join(struct set_up *s, struct peer *p)
{
    const struct handshake *h = &s->handshake;
    struct seal *seal = seal_new(h->out_key, h->in_key, h->aes);
    int fd = s->fd;

    if (!seal) {
        set_up_end(s);
        return;
    }
    detach(s);
    forget(s);
    peer_set_options(fd);
    parallel_add(p, fd, seal);
}

/* Hands the socket over to its peer and frees the set-up. */
static void succeed(struct set_up *s, struct peer *p)
{
    const struct handshake *h = &s->handshake;
    struct seal *seal = NULL;

    if (h->encrypt && !(seal = seal_new(h->out_key, h->in_key, h->aes))) {
        set_up_end(s);
        return;
    }
    detach(s);
    memcpy(p->cast.datagram_key, h->theirs.key, sizeof p->cast.datagram_key);
    handshake_wipe(&s->handshake);
    /* dial_stop() ends all set-ups of the peer, and needs them complete; this one is done. */
    struct set_up last = *s;
    free(s);
    if (last.peer)
        dial_succeeded(&p->dial, last.address);
    dial_stop(&p->dial);
    end_accepted_from(p->task, p);
    /* The mapping keeps the memory alive, so its descriptor is not needed any more. */
    if (last.memory >= 0)
        close(last.memory);
    if (!choose_transport(p, &last, seal)) {
        close(last.fd);
        /* otherwise it would never dial again */
        dial_failed(p, last.address, strerrordesc_np(ENOMEM));
        return;
    }
    /* Before the connection opens, as datagrams for it may arrive at any moment. */
    replay_start(&p->cast.replay, last.handshake.theirs.datagrams);
    peer_adopt(p, last.fd, last.handshake.theirs.received);
    if (p->transport == &transport_parallel)
        dial_join(&p->dial, p->fd, p->dial.rate.sockets.wanted);
}

/* The other side dials us: waits for that.  If it fails, our address works as well. */
static void wait_for_call(struct set_up *s)
{
    if (!s->meant)
        dial_busy(&s->peer->dial);
    fail(s, "it is dialling here");
}

/* Handshake messages are small and the socket's buffer is empty, so a short write is a failure. */
static bool flush(struct set_up *s)
{
    struct handshake *h = &s->handshake;
    unsigned length = h->out_length, passed = s->peer && s->memory >= 0;

    h->out_length = 0;
    s->task->engine.background.helped++;
    return length == 0 ||
           passing_send(s->fd, h->out, length, MSG_DONTWAIT, &s->memory, passed) == (ssize_t)length;
}

/* To a task on this host, the memory for both is passed with PROOF. */
static void offer_memory(struct set_up *s)
{
    if (s->local && local_choice() <= LOCAL_RING && s->memory < 0)
        s->shared = shared_map(&s->memory, true, s->task->peers.memory.key);
}

/* Whether one of our own attempts to reach p is proven, or may soon be.  After HEAD_START, an
 * attempt that is only connected does not count.  It may have reached another task at an address
 * that exists on several hosts, or a firewall that drops its packets. */
static bool dial_has_a_chance(const struct peer *p)
{
    bool soon = engine_now() - p->dial.since < HEAD_START;

    return set_up_is_proving(p) || (soon && !list_empty(&p->dial.set_ups));
}

/* Adds an accepted connection to a class of pending ones.  If there are too many, closes one.
 * False: it was this one. */
static bool enter(struct set_up *s, enum pending_class class, struct pending_source source)
{
    struct pending_table *table = &s->task->door.listener.pending;

    pending_leave(table, &s->pending);
    struct pending *last = pending_enter(table, &s->pending, class, source);
    bool stays = last != &s->pending;
    if (last)
        turn_away(list_entry(last, struct set_up, pending), "too many at once");
    return stays;
}

/* Called when the process has no descriptor left for a connection of the job. */
bool set_up_give_way(struct task *t)
{
    struct pending *last = pending_give_way(&t->door.listener.pending, PENDING_STRANGER);

    if (last)
        turn_away(list_entry(last, struct set_up, pending), "too many at once");
    return last != NULL;
}

/* The acceptor's decision: if two tasks dial each other, the lower tid's connection is kept. */
static bool we_dial_ourselves(struct set_up *s)
{
    struct peer *p =
        peer_find(s->task, s->handshake.peer); /* exists only for a side that has proven itself */

    return p && s->task->tid < s->handshake.peer && dial_has_a_chance(p);
}

/* Whether another connection that we have dialled to p has its PROOF in flight. */
static bool proof_in_flight(const struct peer *p, const struct set_up *s)
{
    list_for_each (n, &p->dial.set_ups) {
        const struct set_up *other = list_entry(n, struct set_up, node);
        if (other != s && other->handshake.state == HANDSHAKE_WAIT_RESUME)
            return true;
    }
    return false;
}

bool set_up_is_proving(const struct peer *p)
{
    return proof_in_flight(p, NULL);
}

/* The other side is proven, so any older connection to it is dead. */
static void accept_peer(struct set_up *s)
{
    struct peer *p = peer_get(s->task, s->handshake.peer);

    /* The other side may have accepted our PROOF already, and then uses that connection. */
    if (!p || p->failed || (s->task->tid < p->link.peer && proof_in_flight(p, s))) {
        set_up_end(s);
        return;
    }
    /* Only now are the positions final that RESUME will contain. */
    peer_disconnect(p);
    struct handshake_start start = start_with(p);
    if (s->memory >= 0)
        s->shared = shared_map(&s->memory, false, s->task->peers.memory.key);
    handshake_resume(&s->handshake, &start, s->shared != NULL);
    if (flush(s))
        succeed(s, p);
    else
        set_up_end(s);
}

/* The same for a further socket of the open connection. */
static void accept_join(struct set_up *s)
{
    struct peer *p = peer_find(s->task, s->handshake.peer);

    if (!p || !parallel_takes(p, s->handshake.theirs.received)) {
        set_up_end(s);
        return;
    }
    struct handshake_start start = start_with(p);
    handshake_resume(&s->handshake, &start, false);
    if (flush(s))
        join(s, p);
    else
        set_up_end(s);
}

/* Continues after bytes were processed; may free s. */
static void proceed(struct set_up *s)
{
    struct handshake *h = &s->handshake;

    /* The HELLO is genuine: from now on no flood of strangers displaces this connection. */
    if (h->state == HANDSHAKE_DECIDE && !enter(s, PENDING_MEMBER, pending_from_tid(h->peer)))
        return;
    if (h->state == HANDSHAKE_DECIDE)
        handshake_answer(h, we_dial_ourselves(s), wish_of(s, h->peer, peer_find(s->task, h->peer)));
    if (h->state == HANDSHAKE_WAIT_RESUME)
        offer_memory(s);
    if (h->state == HANDSHAKE_WAIT_RESUME && !h->joins && proof_in_flight(s->peer, s))
        fail(s, "another connection is further");
    else if (!flush(s))
        fail(s, strerrordesc_np(errno));
    else if (h->state == HANDSHAKE_PROVEN && h->joins)
        accept_join(s);
    else if (h->state == HANDSHAKE_PROVEN)
        accept_peer(s);
    else if (h->state == HANDSHAKE_BUSY)
        wait_for_call(s);
    else if (h->state == HANDSHAKE_DONE && h->joins)
        join(s, s->peer);
    else if (h->state == HANDSHAKE_DONE)
        succeed(s, s->peer);
}

/* Receives bytes.  A dialler on this host may pass memory with PROOF; any other descriptor is
 * closed. */
static ssize_t receive(struct set_up *s, uint8_t *buffer, size_t n)
{
    bool takes = s->local && !s->peer && s->handshake.state == HANDSHAKE_WAIT_PROOF;
    int passed = -1;
    ssize_t got = passing_receive(s->fd, buffer, n, MSG_DONTWAIT, &passed, takes);

    if (passed >= 0) {
        if (s->memory >= 0)
            close(s->memory);
        s->memory = passed;
    }
    return got;
}

/* A dialler that closes before its first byte is not counted as refused.  Mostly it is a member
 * that has reached this task at another address. */
static bool left_silently(const struct set_up *s)
{
    return !s->peer && s->handshake.state == HANDSHAKE_WAIT_HELLO && s->handshake.have == 0;
}

/* Reads at most what the present message lacks, so that bytes of the stream stay in the socket for
 * the transport. */
static void read_more(struct set_up *s)
{
    uint8_t buffer[HANDSHAKE_LONGEST];
    ssize_t n = receive(s, buffer, handshake_need(&s->handshake));
    size_t used;

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0 && left_silently(s))
        set_up_end(s);
    else if (n <= 0)
        fail(s, n == 0 ? "it closed the connection" : strerrordesc_np(errno));
    else if (handshake_feed(&s->handshake, buffer, (size_t)n, &used) != HN_OK)
        fail(s, not_proven);
    else
        proceed(s);
}

/* connect() has ended, perhaps with an error.  The handshake begins here and not in set_up_begin(),
 * because its start values must be current. */
static void connected(struct set_up *s)
{
    int error = 0;
    socklen_t size = sizeof error;
    struct handshake_start start = start_with(s->peer);

    getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        fail(s, strerrordesc_np(error));
        return;
    }
    /* The name is visible in /proc/net/unix, so another user may listen there when its task has
     * ended. */
    if (s->meant && !local_is_own(s->fd)) {
        fail(s, "another user listens there");
        return;
    }
    s->connecting = false;
    ev_io_stop(s->task->engine.loop, &s->io);
    ev_io_set(&s->io, s->fd, EV_READ);
    ev_io_start(s->task->engine.loop, &s->io);
    /* A further socket shows by the token which connection it belongs to. */
    if (s->joins)
        start.received = parallel_token(s->peer);
    handshake_dial(&s->handshake, s->task->secret, s->task->tid, s->peer->link.peer, &start,
                   wish_of(s, s->peer->link.peer, s->peer));
    if (!flush(s))
        fail(s, strerrordesc_np(errno));
}

/* Before the handshake the watcher waits for EV_WRITE, the end of connect(), afterwards for
 * EV_READ. */
static void on_io(struct ev_loop *loop, ev_io *w, int events)
{
    struct set_up *s = w->data;

    (void)loop, (void)events;
    if (s->connecting)
        connected(s);
    else
        read_more(s);
}

/* On the local path and through the relay, a connection without an answer shows that the task
 * exists, so dial.c restarts its patience. */
static void on_deadline(struct ev_loop *loop, ev_timer *w, int events)
{
    struct set_up *s = w->data;

    (void)loop, (void)events;
    if (s->peer && s->meant)
        s->peer->dial.silent = true;
    fail(s, s->connecting ? "no answer" : "connected, but then no answer");
}

/* The deadline covers connect() and the handshake together. */
struct set_up *set_up_begin(struct task *t, struct peer *p, int fd)
{
    struct set_up *s = calloc(1, sizeof *s);

    if (!s) {
        close(fd);
        return NULL;
    }
    s->task = t;
    s->peer = p;
    s->fd = fd;
    s->connecting = p != NULL;
    s->memory = -1;
    list_append(p ? &p->dial.set_ups : &t->door.listener.set_ups, &s->node);
    ev_io_init(&s->io, on_io, fd, p ? EV_WRITE : EV_READ);
    s->io.data = s;
    ev_io_start(t->engine.loop, &s->io);
    ev_timer_init(&s->deadline, on_deadline, DIAL_TIMEOUT, 0);
    s->deadline.data = s;
    ev_timer_start(t->engine.loop, &s->deadline);
    engine_changed(&t->engine);
    return s;
}

/* On its own list, so that dialling the peer does not count it as an attempt to reach the peer. */
void set_up_join(struct task *t, struct peer *p, int fd)
{
    struct set_up *s = set_up_begin(t, p, fd);

    if (!s)
        return;
    s->joins = true;
    list_remove(&s->node);
    list_append(&p->dial.joining, &s->node);
}

/* Enters the table of pending connections before the first byte is read.  If the table is full, the
 * connection may be closed at once. */
void set_up_accept(struct task *t, int fd, const struct sockaddr *from)
{
    struct set_up *s = set_up_begin(t, NULL, fd);
    struct pending_source source = {{0}};

    if (!s)
        return;
    handshake_accept(&s->handshake, t->secret, t->tid);
    s->local = from == NULL;
    if (from)
        source = s->source = pending_from_address(from);
    if (enter(s, from ? PENDING_STRANGER : PENDING_LOCAL, source))
        read_more(s); /* HELLO has mostly arrived with the connection */
}
