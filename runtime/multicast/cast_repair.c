/* cast_repair.c - lost datagrams: requests, retransmission, and giving up (cast.h).
 *
 * The receiver requests the first missing frame by a datagram to the sender.  So the request does
 * not have to wait for other data on the connection, or their retransmission.  The sender
 * multicasts the same frame again, for all receivers that have not acknowledged it, because often
 * several lack it.  The request also contains the number of the last datagram that has arrived.  A
 * frame whose last datagram is later may still arrive, so it is not sent again.
 *
 * While a frame is missing, the receiver repeats this report whenever the sender wants an
 * acknowledgement.  Frames that it holds then leave the sender's window.  So a gap does not stop
 * later frames.
 */
#include "multicast/cast.h"

#include "job/task.h"

/* Nanoseconds after which a missing frame is requested, and requested again.  After the last one it
 * is given up. */
static const uint64_t patience[] = {
    (uint64_t)(CAST_GRACE * 1e9), 40000000, 80000000, 120000000, 160000000, 200000000, 300000000};
enum { ASKS = sizeof patience / sizeof *patience - 1 };

/* A receiver that no later datagram has reached requests everything.  A frame is then not sent
 * again for REST ns plus REST_PER_BYTE ns for each byte.  Receivers that lack it send their
 * requests at about the same time, and a slow network may still be carrying it. */
enum { REST = 5000000, REST_PER_BYTE = 1000 };

/* Bytes of payload of the shortest datagrams. */
enum { PART_SHORTEST = CAST_PACKET / 2 };

/* Number of datagrams without a loss after which their length may double.  At first each is one
 * packet.  The kernel stores the fragments of an incomplete datagram for half a minute.  When its
 * memory for fragments is full, no fragmented datagram arrives at all. */
enum { WHOLE = 64 };

/* If MANY of WHOLE datagrams are missed by some receiver, receivers are slower than the sender.
 * Shorter datagrams would make them even slower.  So datagrams stay long for LONG ns, unless twice
 * as many are missed. */
enum { MANY = 16 };
#define LONG UINT64_C(60000000000) /* ns */

/* After a lost datagram, a receiver does not report for DEAF ns that datagrams arrive.  This time
 * doubles with each loss, at most DEAF_DOUBLES times.  After FORGET ns without a loss it is DEAF
 * again. */
#define DEAF   UINT64_C(500000000)
#define FORGET UINT64_C(60000000000)
enum { DEAF_DOUBLES = 9 };

/* ---- requests -------------------------------------------------------------------------------- */

static void on_grace(struct ev_loop *loop, ev_timer *w, int events);

void cast_repair_init(struct task *t)
{
    t->casts.length.most = PART_SHORTEST;
    ev_timer_init(&t->casts.grace, on_grace, CAST_GRACE, 0);
    t->casts.grace.data = t;
}

void cast_repair_clear(struct task *t)
{
    ev_timer_stop(t->engine.loop, &t->casts.grace);
}

/* One timer for all peers; it starts with the first frame that is missing. */
static void watch_grace(struct task *t)
{
    ev_timer *w = &t->casts.grace;

    if (ev_is_active(w))
        return;
    ev_timer_set(w, CAST_GRACE, 0);
    ev_timer_start(t->engine.loop, w);
    engine_changed(&t->engine);
}

/* Whether a frame is missing; records since when.  A new gap restarts the row of requests. */
static bool is_missing(struct peer *p, uint32_t *bytes)
{
    uint64_t position;

    if (p->state != PEER_OPEN || !link_gap(&p->link, &position, bytes)) {
        p->cast.missing = 0;
        return false;
    }
    if (p->cast.missing == 0 || p->cast.gap != position) {
        p->cast.missing = engine_now();
        p->cast.gap = position;
        p->cast.asks = 0;
    }
    return true;
}

/* Sends a request. number: datagrams below this number have been overtaken; UINT64_MAX: unknown. */
static void ask(struct peer *p, uint32_t bytes, uint64_t number)
{
    uint64_t end = link_held_end(&p->link);
    struct casts *c = &p->task->casts;
    struct datagram d = {.kind = DATAGRAM_ASK, .count = 1};
    uint8_t asked[DATAGRAM_ASKED];

    bytes_put32(asked, bytes);
    bytes_put32(asked + 4, end > p->cast.gap ? (uint32_t)(end - p->cast.gap) : 0);
    bytes_put64(asked + 8, number);
    datagram_target(c->out, 0, p->link.peer, p->cast.gap);
    cast_transmit(c, p->cast.interface, &d, &(struct iovec){asked, sizeof asked}, 1);
}

/* A later datagram proves that the missing one is lost or late by a whole datagram.  So the first
 * request is sent at once, and counts as the first of the row. */
void cast_look_behind(struct peer *p, uint64_t number, bool wants_answer)
{
    uint32_t bytes;

    cast_look(p);
    if (!is_missing(p, &bytes) || link_held_end(&p->link) == 0 ||
        (p->cast.asks > 0 && !wants_answer))
        return;
    p->cast.asks += p->cast.asks == 0;
    ask(p, bytes, number);
}

/* A connection behind the gap is not read any more.  What it has brought already is in the link's
 * stash. */
void cast_look(struct peer *p)
{
    uint32_t bytes;

    if (p->state == PEER_OPEN && link_misses(&p->link))
        ev_io_stop(p->task->engine.loop, &p->readable);
    if (is_missing(p, &bytes))
        watch_grace(p->task);
}

/* The repair will not arrive: breaks the connection, and the next one carries everything. */
static void give_up(struct peer *p)
{
    uint64_t now = engine_now();

    if (now > p->cast.deaf + FORGET)
        p->cast.losses = 0;
    p->cast.deaf = now + (DEAF << p->cast.losses);
    p->cast.losses += p->cast.losses < DEAF_DOUBLES;
    peer_break(p);
}

/* A peer that did not answer a request may have sent no datagrams for that gap, and its connection
 * may only be late. */
static bool look_for_missing(struct peer *p)
{
    uint32_t bytes;

    if (!is_missing(p, &bytes))
        return true;
    /* The times are counted from the beginning of the gap, so the row is also the schedule. */
    if (engine_now() - p->cast.missing >= patience[p->cast.asks]) {
        if (p->cast.asks < ASKS && ++p->cast.asks)
            ask(p, bytes, UINT64_MAX);
        else if (link_misses(&p->link))
            give_up(p);
        else
            return true;
    }
    watch_grace(p->task);
    return true;
}

static void on_grace(struct ev_loop *loop, ev_timer *w, int events)
{
    struct task *t = w->data;

    (void)loop, (void)events;
    cast_read(t); /* it may have arrived just now */
    peer_all(t, look_for_missing);
}

/* ---- retransmission -------------------------------------------------------------------------- */

/* A frame that is being sent again, and the interface. */
struct again {
    struct link_cast *cast;
    int interface;
    struct datagram d;
};

/* The interface by which datagrams reach the peer, or that of its connection if no answer is
 * known. */
static int interface_to(const struct peer *p)
{
    return p->link.cast.reach > 0 ? p->link.cast.reach : p->cast.interface;
}

/* A receiver that has acknowledged the frame has no piece of it any more, and is left out. */
static bool add_target(struct peer *p)
{
    struct again *a = p->task->casts.again;
    uint64_t position;

    if (p->state == PEER_OPEN && interface_to(p) == a->interface && a->d.count < DATAGRAM_TARGETS &&
        link_cast_position(&p->link, a->cast, &position)) {
        datagram_target(p->task->casts.out, a->d.count++, p->link.peer, position);
        a->d.sealed = a->d.sealed || p->transport->sealed;
    }
    return true;
}

/* False: the network does not accept it. */
static bool send_again(struct peer *p, struct link_cast *cast, uint8_t *header, unsigned head)
{
    struct task *t = p->task;
    struct casts *c = &t->casts;
    struct again a = {cast, interface_to(p), {.kind = DATAGRAM_FRAME}};
    struct iovec parts[2] = {{header, head}, {cast->payload, cast->length}};

    c->again = &a;
    peer_all(t, add_target);
    c->again = NULL;
    header[1] |= FRAME_WANT_ACK; /* the lost one may have requested an acknowledgement */
    cast->number = c->number;
    return cast_transmit(c, a.interface, &a.d, parts, 2);
}

/* Shorter datagrams are lost less often, and cost less when they are lost. */
static void shorten(struct casts *c, uint32_t length, uint64_t now)
{
    /* Half of what was lost, which may be longer than the present maximum: it was sent before that
     * was reduced. */
    uint32_t half = (c->length.most < length ? c->length.most : length) / 2;

    c->length.missed++;
    c->length.whole = 0;
    c->length.lossy = true;
    if (now >= c->length.stay_long)
        c->length.most = half > PART_SHORTEST ? half : PART_SHORTEST;
}

/* Evaluates whether it was right to shorten datagrams, or to keep their length. */
static void judge_length(struct casts *c)
{
    if (++c->length.tried < WHOLE)
        return;
    uint64_t now = engine_now();
    if (now < c->length.stay_long && c->length.missed >= 2 * MANY) {
        c->length.stay_long = 0;
        c->length.may_be_long = now + LONG;
    } else if (c->length.most == PART_SHORTEST && c->length.missed >= MANY &&
               now >= c->length.may_be_long) {
        c->length.most = CAST_PART_LEAST;
        c->length.stay_long = now + LONG;
    }
    c->length.tried = c->length.missed = 0;
}

/* Doubles the length after WHOLE datagrams without a loss.  A loss halves it (shorten()). */
void cast_lengthen(struct casts *c)
{
    judge_length(c);
    if (c->length.most >= CAST_WINDOW || ++c->length.whole < WHOLE)
        return;
    c->length.most *= 2;
    c->length.whole = 0;
    c->length.lossy = c->length.lossy && c->length.most < CAST_WINDOW;
}

/* Whether a frame whose last datagram has this number may still arrive. */
static bool may_arrive(const struct link_cast *cast, uint64_t number, uint64_t now)
{
    if (number != UINT64_MAX)
        return cast->number >= number;
    return cast->again && now - cast->again < REST + (uint64_t)cast->length * REST_PER_BYTE;
}

/* The request comes from an authenticated member.  Even so, it selects only frames that were sent
 * to it in datagrams and are not acknowledged. */
void cast_asked(struct peer *p, uint64_t position, const uint8_t *asked)
{
    struct casts *c = &p->task->casts;
    uint64_t now = engine_now(), from = position, end = position + bytes_get32(asked);
    uint64_t number = bytes_get64(asked + 8);
    uint8_t header[FRAME_SIZE];
    struct link_cast *cast;
    uint32_t longest = 0;
    unsigned head;

    link_cast_holds(&p->link, position + bytes_get32(asked + 4));
    while ((cast = link_cast_lost(&p->link, &from, end, header, &head))) {
        if (may_arrive(cast, number, now))
            continue;
        if (!send_again(p, cast, header, head))
            break; /* the receiver will request it again */
        cast->again = now;
        longest = cast->length > longest ? cast->length : longest;
    }
    if (longest > 0)
        shorten(c, longest, now);
    cast_continue(p);
}
