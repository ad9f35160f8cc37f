/* greet.c - a new connection, from connect() or accept() to the proof of who is there.
 *
 * The happy path: connected, handshake bytes exchanged (handshake.c), the socket goes to its peer.
 * The failure modes, all of which close the socket: it cannot be connected, the other side closes,
 * says something else than the protocol, does not know the secret, is silent for DIAL_TIMEOUT
 * seconds, or has to give way to others (pending.h). Exactly the bytes of the handshake are read,
 * so that the stream behind it is untouched.
 */
#include "connect/greet.h"

#include "base/error.h"
#include "connect/local.h"
#include "connect/passing.h"
#include "transport/seal.h"
#include "job/task.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How long an attempt of ours that has not got through yet counts for more than the other side's,
 * in nanoseconds. */
#define HEAD_START UINT64_C(1000000000)

static void detach(struct greeting *g)
{
    ev_io_stop(g->task->engine.loop, &g->io);
    ev_timer_stop(g->task->engine.loop, &g->deadline);
    pending_leave(&g->task->door.listener.pending, &g->pending);
    list_remove(&g->node);
}

/* Its keys do not stay in memory that is free. */
static void forget(struct greeting *g)
{
    handshake_wipe(&g->handshake);
    free(g);
}

void greet_end(struct greeting *g)
{
    detach(g);
    shared_unmap(g->shared);
    if (g->memory >= 0)
        close(g->memory);
    close(g->fd);
    forget(g);
}

static const char not_proven[] = "it has not proven that it belongs to this job";

/* A stranger.  What he may still say is of no use: the kernel keeps nothing of the connection
 * either.  why: a constant. */
static void turn_away(struct greeting *g, const char *why)
{
    struct linger at_once = {.l_onoff = 1};
    struct task *t = g->task;
    bool local = g->local;
    char source[STRANGERS_TEXT];

    pending_describe(&g->source, source, sizeof source);
    setsockopt(g->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    greet_end(g);
    if (!local)
        listener_note(t, source, why);
}

/* why: a constant. */
static void fail(struct greeting *g, const char *why)
{
    struct peer *p = g->peer;
    unsigned address = g->address;

    if (!p && (g->handshake.state == HANDSHAKE_WAIT_HELLO || why == not_proven))
        turn_away(g, why);
    else
        greet_end(g);
    if (p)
        dial_failed(p, address, why);
}

/* Ends the greetings that p began here: what they said of p's stream would soon be untrue. */
static void end_accepted_from(struct task *t, const struct peer *p)
{
    list_for_each_safe (n, &t->door.listener.greetings) {
        struct greeting *g = list_entry(n, struct greeting, node);
        if (g->handshake.state == HANDSHAKE_WAIT_PROOF && g->handshake.peer == p->link.peer)
            greet_end(g);
    }
}

/* What leaves this host is encrypted, unless both ends are trusted. */
static unsigned seal_wish(const struct task *t, hn_tid peer)
{
    bool leaves = control_host((uint32_t)peer) != control_host((uint32_t)t->tid);

    return (t->door.encrypt && leaves ? HANDSHAKE_ENCRYPT : 0) |
           (seal_has_aes() ? HANDSHAKE_AES : 0);
}

/* Where p's stream goes on, and what it gets beside it. */
static struct handshake_start start_with(const struct peer *p)
{
    const struct casts *c = &p->task->casts;
    struct handshake_start s = {.received = p->link.received, .datagrams = c->number};

    memcpy(s.key, c->key, sizeof s.key);
    return s;
}

/* What both sides have agreed on carries the bytes of p's stream. */
static void choose_transport(struct peer *p, const struct greeting *g, struct seal *seal)
{
    if (g->shared && g->handshake.shared) {
        seal_free(seal); /* what stays on this host is never encrypted */
        p->shared = g->shared;
        p->transport = &transport_shared;
        return;
    }
    shared_unmap(g->shared);
    p->seal = seal;
    p->transport = seal ? &transport_sealed : &transport_socket;
}

/* Hands the socket over and forgets the greeting. */
static void succeed(struct greeting *g, struct peer *p)
{
    const struct handshake *h = &g->handshake;
    struct greeting last;
    struct seal *seal = NULL;

    if (h->encrypt && !(seal = seal_new(h->out_key, h->in_key, h->aes))) {
        greet_end(g);
        return;
    }
    detach(g);
    memcpy(p->cast.datagram_key, h->theirs.key, sizeof p->cast.datagram_key);
    handshake_wipe(&g->handshake);
    last = *g;
    free(g);
    if (last.peer)
        dial_succeeded(&p->dial, last.address);
    dial_stop(&p->dial);
    end_accepted_from(p->task, p);
    if (last.memory >= 0)
        close(last.memory);
    choose_transport(p, &last, seal);
    replay_start(&p->cast.replay, last.handshake.theirs.datagrams);
    peer_adopt(p, last.fd, last.handshake.theirs.received);
}

/* Handshake messages are small and the socket's buffer is empty: a short write is a failure. */
static bool flush(struct greeting *g)
{
    struct handshake *h = &g->handshake;
    unsigned length = h->out_length;

    h->out_length = 0;
    g->task->engine.background.helped++;
    return length == 0 ||
           passing_send(g->fd, h->out, length, g->peer ? g->memory : -1) == (ssize_t)length;
}

/* The proof to a task on this host comes with memory for both. */
static void offer_memory(struct greeting *g)
{
    if (g->local && local_choice() <= LOCAL_RING && g->memory < 0)
        g->shared = shared_map(&g->memory, true, g->task->peers.memory.key);
}

/* Whether one of our own attempts to reach p has proven itself, or may still do so soon.  Later,
 * one that is only connected may have met another task behind an address that exists on several
 * hosts, and behind a firewall that drops what comes, none ever gets through. */
static bool dial_has_a_chance(const struct peer *p)
{
    bool soon = engine_now() - p->dial.since < HEAD_START;

    return greet_is_proving(p) || (soon && !list_empty(&p->dial.greetings));
}

/* Enters an accepted greeting in a class; another one may have to give way.  False: this one. */
static bool enter(struct greeting *g, enum pending_class class, struct pending_source source)
{
    struct pending_table *table = &g->task->door.listener.pending;

    pending_leave(table, &g->pending);
    struct pending *last = pending_enter(table, &g->pending, class, source);
    bool stays = last != &g->pending;
    if (last)
        turn_away(list_entry(last, struct greeting, pending), "too many at once");
    return stays;
}

bool greet_give_way(struct task *t)
{
    struct pending *last = pending_give_way(&t->door.listener.pending, PENDING_STRANGER);

    if (last)
        turn_away(list_entry(last, struct greeting, pending), "too many at once");
    return last != NULL;
}

/* The acceptor's decision: of two tasks that dial each other, the lower tid's connection stands. */
static bool we_dial_ourselves(struct greeting *g)
{
    struct peer *p = peer_find(g->task, g->handshake.peer); /* made for whoever proves it only */

    return p && g->task->tid < g->handshake.peer && dial_has_a_chance(p);
}

/* Whether one of our own greetings with p, other than g, has its PROOF in flight. */
static bool proof_in_flight(const struct peer *p, const struct greeting *g)
{
    list_for_each (n, &p->dial.greetings) {
        const struct greeting *other = list_entry(n, struct greeting, node);
        if (other != g && other->handshake.state == HANDSHAKE_WAIT_RESUME)
            return true;
    }
    return false;
}

bool greet_is_proving(const struct peer *p)
{
    return proof_in_flight(p, NULL);
}

/* The other side has proven itself; any older connection to it is dead. */
static void accept_peer(struct greeting *g)
{
    struct peer *p = peer_get(g->task, g->handshake.peer);
    struct handshake_start start;

    if (!p || p->failed || (g->task->tid < p->link.peer && proof_in_flight(p, g))) {
        greet_end(g);
        return;
    }
    peer_disconnect(p);
    start = start_with(p);
    if (g->memory >= 0)
        g->shared = shared_map(&g->memory, false, g->task->peers.memory.key);
    handshake_resume(&g->handshake, &start, g->shared != NULL);
    if (flush(g))
        succeed(g, p);
    else
        greet_end(g);
}

/* Goes on after bytes have been taken; g may be freed. */
static void proceed(struct greeting *g)
{
    struct handshake *h = &g->handshake;

    if (h->state == HANDSHAKE_DECIDE && !enter(g, PENDING_MEMBER, pending_from_tid(h->peer)))
        return;
    if (h->state == HANDSHAKE_DECIDE)
        handshake_answer(h, we_dial_ourselves(g), seal_wish(g->task, h->peer));
    if (h->state == HANDSHAKE_WAIT_RESUME)
        offer_memory(g);
    if (h->state == HANDSHAKE_WAIT_RESUME && proof_in_flight(g->peer, g))
        fail(g, "another connection is further");
    else if (!flush(g))
        fail(g, strerrordesc_np(errno));
    else if (h->state == HANDSHAKE_PROVEN)
        accept_peer(g);
    else if (h->state == HANDSHAKE_BUSY)
        fail(g, "it is dialling here");
    else if (h->state == HANDSHAKE_DONE)
        succeed(g, g->peer);
}

/* A dialler on this host may pass memory with its proof, and nothing else with anything. */
static ssize_t receive(struct greeting *g, uint8_t *buffer, size_t n)
{
    bool takes = g->local && !g->peer && g->handshake.state == HANDSHAKE_WAIT_PROOF;
    int passed = -1;
    ssize_t got = passing_receive(g->fd, buffer, n, takes ? &passed : NULL);

    if (passed >= 0) {
        if (g->memory >= 0)
            close(g->memory);
        g->memory = passed;
    }
    return got;
}

static void read_more(struct greeting *g)
{
    uint8_t buffer[HANDSHAKE_LONGEST];
    ssize_t n = receive(g, buffer, handshake_need(&g->handshake));
    size_t used;

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        fail(g, n == 0 ? "it closed the connection" : strerrordesc_np(errno));
    else if (handshake_feed(&g->handshake, buffer, (size_t)n, &used) != HN_OK)
        fail(g, not_proven);
    else
        proceed(g);
}

static void connected(struct greeting *g)
{
    int error = 0;
    socklen_t size = sizeof error;
    struct handshake_start start = start_with(g->peer);

    getsockopt(g->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        fail(g, strerrordesc_np(error));
        return;
    }
    if (g->meant && !local_is_own(g->fd)) {
        fail(g, "another user listens there");
        return;
    }
    g->connecting = false;
    ev_io_stop(g->task->engine.loop, &g->io);
    ev_io_set(&g->io, g->fd, EV_READ);
    ev_io_start(g->task->engine.loop, &g->io);
    handshake_dial(&g->handshake, g->task->secret, g->task->tid, g->peer->link.peer, &start,
                   seal_wish(g->task, g->peer->link.peer));
    if (!flush(g))
        fail(g, strerrordesc_np(errno));
}

static void on_io(struct ev_loop *loop, ev_io *w, int events)
{
    struct greeting *g = w->data;

    (void)loop;
    (void)events;
    if (g->connecting)
        connected(g);
    else
        read_more(g);
}

static void on_deadline(struct ev_loop *loop, ev_timer *w, int events)
{
    struct greeting *g = w->data;

    (void)loop;
    (void)events;
    if (g->peer && g->meant)
        g->peer->dial.silent = true;
    fail(g, g->connecting ? "no answer" : "connected, but then no answer");
}

static struct greeting *begin(struct task *t, struct peer *p, int fd)
{
    struct greeting *g = calloc(1, sizeof *g);

    if (!g) {
        close(fd);
        return NULL;
    }
    g->task = t;
    g->peer = p;
    g->fd = fd;
    g->connecting = p != NULL;
    g->memory = -1;
    list_append(p ? &p->dial.greetings : &t->door.listener.greetings, &g->node);
    ev_io_init(&g->io, on_io, fd, p ? EV_WRITE : EV_READ);
    g->io.data = g;
    ev_io_start(t->engine.loop, &g->io);
    ev_timer_init(&g->deadline, on_deadline, DIAL_TIMEOUT, 0);
    g->deadline.data = g;
    ev_timer_start(t->engine.loop, &g->deadline);
    engine_changed(&t->engine);
    return g;
}

struct greeting *greet_dial(struct task *t, struct peer *p, int fd)
{
    return begin(t, p, fd);
}

void greet_accept(struct task *t, int fd, const struct sockaddr *from)
{
    struct greeting *g = begin(t, NULL, fd);
    struct pending_source source = {{0}};

    if (!g)
        return;
    handshake_accept(&g->handshake, t->secret, t->tid);
    g->local = from == NULL;
    if (from)
        source = g->source = pending_from_address(from);
    if (enter(g, from ? PENDING_STRANGER : PENDING_LOCAL, source))
        read_more(g); /* mostly, HELLO came with the connection */
}
