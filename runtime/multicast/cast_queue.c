/* cast_queue.c - outgoing messages to several tasks: their frames in the streams, the queue of
 * datagrams, and flow control (cast.h).
 *
 * Invariant: a frame is in the streams of all its receivers before it enters the queue.  The
 * connections stop in front of it until its datagram was sent, or until the receiver's epoch has
 * changed.  Cost of a message: one datagram a frame, and O(receivers) bookkeeping.
 */
#include "multicast/cast.h"

#include "match/message.h"
#include "job/task.h"
#include "job/trace.h"
#include "base/type.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A frame that waits to be sent, and its receivers.  A receiver is valid while its link has the
 * same epoch; otherwise the connection carries the frame. */
struct outgoing {
    struct list_node node;
    struct link_cast *cast;
    size_t window;
    int interface;
    unsigned head;
    uint8_t header[FRAME_SIZE];
    int count;
    struct target {
        struct peer *peer;
        uint64_t position;
        uint32_t epoch;
        uint64_t acked; /* link.acked at the last check of patience */
    } target[];
};

static void drop(struct task *t, struct outgoing *o)
{
    list_remove(&o->node);
    link_cast_drop(&t->match, o->cast);
    free(o);
}

static void on_writable(struct ev_loop *loop, ev_io *w, int events);
static void on_patience(struct ev_loop *loop, ev_timer *w, int events);

void cast_queue_init(struct task *t)
{
    struct casts *c = &t->casts;

    list_init(&c->queue);
    ev_init(&c->writable, on_writable);
    ev_timer_init(&c->patience, on_patience, CAST_PATIENCE, 0);
    c->writable.data = c->patience.data = t;
}

void cast_queue_clear(struct task *t)
{
    list_for_each_safe (n, &t->casts.queue)
        drop(t, list_entry(n, struct outgoing, node));
}

/* ---- datagrams ---------------------------------------------------------------------------- */

static bool is_valid(const struct target *to)
{
    return to->peer->state == PEER_OPEN && to->peer->link.cast.epoch == to->epoch;
}

/* Whether a receiver has so many bytes in flight, or holds so many, that more must wait. A frame
 * that is larger than the window may be sent alone. */
static bool is_full(const struct outgoing *o, const struct target *to)
{
    const struct link *l = &to->peer->link;
    size_t out = l->cast.cast_out, under_way = out - l->cast.cast_held;

    return is_valid(to) && out > 0 &&
           ((under_way > 0 && under_way + o->cast->length > o->window) ||
            out + o->cast->length > CAST_AHEAD);
}

/* The slowest receiver determines the rate, until CAST_PATIENCE removes it. */
static bool must_wait(const struct outgoing *o)
{
    for (int i = 0; i < o->count; i++)
        if (is_full(o, &o->target[i]))
            return true;
    return false;
}

/* Whether receivers must be asked for acknowledgements, so that the window opens in time. */
static bool must_ask(const struct outgoing *o)
{
    for (int i = 0; i < o->count; i++)
        if (is_valid(&o->target[i]) &&
            o->target[i].peer->link.cast.cast_unasked + o->cast->length >= o->window / 2)
            return true;
    return false;
}

/* Receivers whose connection has changed are left out, as theirs carries the frame.  If none
 * remains, nothing is sent, which counts as success.  One encrypted connection among the receivers
 * encrypts the datagram for all. */
static bool send_datagram(struct task *t, struct outgoing *o, bool asks)
{
    struct casts *c = &t->casts;
    struct datagram d = {.kind = DATAGRAM_FRAME};
    struct iovec parts[2] = {{o->header, o->head}, {o->cast->payload, o->cast->length}};

    for (int i = 0; i < o->count; i++) {
        const struct peer *p = o->target[i].peer;
        if (!is_valid(&o->target[i]))
            continue;
        datagram_target(c->out, d.count++, p->link.peer, o->target[i].position);
        d.sealed = d.sealed || p->transport->sealed;
    }
    if (d.count == 0)
        return true;
    o->cast->number = c->number;
    o->header[1] = (uint8_t)(asks ? o->header[1] | FRAME_WANT_ACK : o->header[1]);
    return cast_transmit(c, o->interface, &d, parts, 2);
}

/* The datagram was sent: the connections may continue after its frame. A connection never overtakes
 * a datagram: it stops before the frame until it is sent. */
static void note_sent(struct task *t, struct outgoing *o, bool asked)
{
    o->cast->sent = true;
    cast_lengthen(&t->casts);
    for (int i = 0; i < o->count; i++) {
        struct peer *p = o->target[i].peer;
        if (!is_valid(&o->target[i]))
            continue;
        link_cast_sent(&p->link, o->cast);
        p->link.cast.cast_unasked = asked ? 0 : p->link.cast.cast_unasked + o->cast->length;
        if (link_has_output(&p->link))
            peer_flush(p);
    }
    cast_report_later(t, o->count);
}

/* Sends the queued frames to this receiver through its connection, until it reports again that
 * datagrams arrive. */
static void leave_out(struct target *to)
{
    struct peer *p = to->peer;

    if (!is_valid(to))
        return;
    p->link.cast.reach = 0;
    link_cast_recall(&p->link);
    peer_flush(p);
}

/* Starts the timer for receivers that block the first datagram; each acknowledgement restarts
 * it. */
static void wait_for_window(struct task *t, struct outgoing *o)
{
    ev_timer *w = &t->casts.patience;

    if (ev_is_active(w))
        return;
    for (int i = 0; i < o->count; i++)
        o->target[i].acked = o->target[i].peer->link.acked;
    ev_timer_set(w, CAST_PATIENCE, 0);
    ev_timer_start(t->engine.loop, w);
    engine_changed(&t->engine);
}

/* Sends queued datagrams until one must wait for acknowledgements. */
static void cast_pump(struct task *t)
{
    struct casts *c = &t->casts;
    bool blocked = false;

    while (!list_empty(&c->queue) && !blocked) {
        struct outgoing *o = list_entry(c->queue.next, struct outgoing, node);
        bool asks = must_ask(o);

        if (must_wait(o)) {
            wait_for_window(t, o);
            break;
        }
        /* Three cases: sent; the socket is full, and the frame stays at the head; refused, and the
         * connections carry it. */
        if (send_datagram(t, o, asks)) {
            note_sent(t, o, asks);
        } else if (errno == EAGAIN) {
            blocked = true;
            continue;
        } else {
            for (int i = 0; i < o->count; i++)
                leave_out(&o->target[i]);
        }
        drop(t, o);
        ev_timer_stop(t->engine.loop, &c->patience);
    }
    engine_await_room(&t->engine, &t->casts.writable, blocked);
}

void cast_continue(struct peer *p)
{
    if (!list_empty(&p->task->casts.queue))
        cast_pump(p->task);
}

static void on_writable(struct ev_loop *loop, ev_io *w, int events)
{
    (void)loop, (void)events;
    cast_pump(w->data);
}

static void on_patience(struct ev_loop *loop, ev_timer *w, int events)
{
    struct task *t = w->data;

    (void)loop, (void)events;
    if (list_empty(&t->casts.queue))
        return;
    struct outgoing *o = list_entry(t->casts.queue.next, struct outgoing, node);
    for (int i = 0; i < o->count; i++)
        if (is_full(o, &o->target[i]) && o->target[i].acked == o->target[i].peer->link.acked)
            leave_out(&o->target[i]);
    cast_pump(t);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Whether our datagrams reach p by the interface (0: by any, and *interface becomes it). */
static bool is_reached(struct peer *p, int *interface)
{
    const struct link *l = &p->link;

    if (p->state != PEER_OPEN || p->failed || p->ended || !link_is_reached(l) ||
        (*interface && l->cast.reach != *interface))
        return false;
    *interface = l->cast.reach;
    return true;
}

/* Bytes that a receiver may have unacknowledged.  Its kernel must buffer that much from each of the
 * receivers, in case all send at once. (The kernel counts buffered data nearly double.) */
static size_t window_for(const struct casts *c, int receivers)
{
    size_t share = (size_t)c->buffer / 2 / (size_t)receivers;

    return share < CAST_PART_LEAST ? CAST_PART_LEAST : share > CAST_WINDOW ? CAST_WINDOW : share;
}

/* Payload of a datagram: half a window, so that one is always in flight; less after losses, but at
 * least a packet. */
static size_t part_for(const struct casts *c, int receivers)
{
    size_t half = window_for(c, receivers) / 2;
    size_t least = CAST_PACKET - DATAGRAM_HEAD - DATAGRAM_TARGET * (size_t)receivers - FRAME_SIZE -
                   DATAGRAM_MAC;
    size_t part = half < CAST_PART_LEAST ? CAST_PART_LEAST : half;

    return c->length.most > part ? part : c->length.most > least ? c->length.most : least;
}

/* The payload is copied once, whatever the number of receivers.  NULL: out of memory. */
static struct outgoing *new_outgoing(struct task *t, const void *payload, uint32_t length,
                                     int receivers)
{
    struct outgoing *o = malloc(sizeof *o + (size_t)receivers * sizeof o->target[0]);

    if (!o || !(o->cast = link_cast_new(&t->match, length))) {
        free(o);
        return NULL;
    }
    list_init(&o->node);
    o->count = 0;
    if (length > 0)
        memcpy(o->cast->payload, payload, length);
    return o;
}

/* Queues a frame in the streams to all receivers.  False: no memory, and nothing of the message is
 * queued.  A receiver without memory for a later frame, or for its piece, fails. */
static bool queue_frame(struct task *t, struct peer **to, int n, const struct frame *f,
                        const void *payload, int interface)
{
    struct outgoing *o = new_outgoing(t, payload, f->length, n);

    if (!o && f->kind == FRAME_MSG)
        return false;
    for (int i = 0; i < n; i++) {
        struct target *target = o ? &o->target[o->count] : NULL;
        /* A stream must not lack a frame in the middle of a message.  So a receiver without memory
         * for its piece fails as a whole. */
        if (target && link_send_cast(&to[i]->link, f, o->cast, &target->position, o->header,
                                     &o->head) == HN_OK) {
            target->peer = to[i];
            target->epoch = to[i]->link.cast.epoch;
            o->count++;
        } else {
            peer_fail(to[i], HN_ENOMEM);
        }
    }
    if (!o)
        return true;
    o->interface = interface;
    o->window = window_for(&t->casts, n);
    list_append(&t->casts.queue, &o->node);
    return true;
}

/* Each receiver's stream has the same frames, each at its own position. */
static bool queue_message(struct task *t, struct peer **to, int n, const hn_info *info,
                          hn_context context, const uint8_t *data, int interface)
{
    size_t left = info->count * type_size(info->type), part = part_for(&t->casts, n);
    struct frame f = link_first_frame(info, context, left);

    do {
        f.length = (uint32_t)(left < part ? left : part);
        if (!queue_frame(t, to, n, &f, data, interface))
            return false;
        data += f.length;
        left -= f.length;
        f = (struct frame){.kind = FRAME_MORE, .flags = f.flags, .total = f.total};
    } while (left > 0);
    return true;
}

/* A task may be twice in a list; datagrams reach it once, and the connection carries the second
 * message. */
static bool is_among(const struct peer *p, struct peer **peers, int n)
{
    while (n > 0 && peers[n - 1] != p)
        n--;
    return n > 0;
}

/* Finds the tasks that datagrams reach.  Sends HELLO if the reach of some tasks is unknown. */
static int find_reached(struct task *t, const hn_tid *to, int n, struct peer **reached,
                        int *interface, bool *went)
{
    int count = 0;
    bool unreached = false;

    for (int i = 0; i < n && count < DATAGRAM_TARGETS; i++) {
        struct peer *p = to[i] <= 0 || to[i] == t->tid ? NULL : peer_get(t, to[i]);
        went[i] = p && is_reached(p, interface) && !is_among(p, reached, count);
        if (went[i])
            reached[count++] = p;
        unreached = unreached || (p && p->cast.interface > 0 && p->link.cast.reach == 0);
    }
    if (unreached)
        cast_send_hello(t);
    return count;
}

/* Whether there is room for the copy. */
static bool has_room(const struct task *t, const hn_info *info)
{
    return !t->quitting && t->match.outgoing + message_length(info) <= t->limits.outbox_limit;
}

/* Records a send for each receiver: in a plan, each is a step of its own. */
static void note_messages(struct task *t, uint64_t begun, const hn_tid *to, int n, const bool *went,
                          const hn_info *info)
{
    for (int i = 0; i < n && begun; i++, trace_step_by(1))
        if (went[i])
            trace_message(t, begun, TRACE_ISEND, to[i], info,
                          peer_get(t, to[i])->link.messages_out);
    if (begun)
        trace_step_by(-n);
}

/* With fewer than two reachable tasks a datagram has no advantage, and all of `went` is cleared. */
int cast_send(const hn_tid *to, int n, int tag, const void *data, size_t count, hn_type type,
              bool *went)
{
    struct task *t = task_get();
    struct peer *reached[DATAGRAM_TARGETS];
    hn_info info = {.tag = tag, .type = type, .count = count};
    uint64_t begun = trace_begin(t);
    int many = 0, interface = 0;

    memset(went, 0, (size_t)n * sizeof *went);
    if (!t || tag < 0 || (!data && count > 0) || type_size(type) == 0 ||
        count > PTRDIFF_MAX / type_size(type))
        return 0;
    info.from = t->tid;
    engine_enter(&t->engine);
    /* Without room the messages are sent one by one, and each waits for room. */
    if (t->casts.fd >= 0 && has_room(t, &info))
        many = find_reached(t, to, n, reached, &interface, went);
    if (many > 1 && queue_message(t, reached, many, &info, message_context, data, interface)) {
        note_messages(t, begun, to, n, went, &info);
        cast_pump(t);
    } else {
        memset(went, 0, (size_t)n * sizeof *went);
        many = 0;
    }
    engine_leave(&t->engine, !list_empty(&t->casts.queue));
    return many;
}
