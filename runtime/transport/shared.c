/* shared.c - sends messages through memory that two tasks share (method: shared.h).
 *
 * Invariants: a connection is on the task's list `awake`, or doorbells were requested for it.  What
 * counts as received was published in `in.shared->received` before its memory is given back to the
 * writer.  So after a break the link never asks for bytes that exist nowhere any more.
 *
 * The socket of the connection stays open, and carries only doorbells.  Three ways lead through the
 * memory: slots for small messages, the ring for frames, and loans, whose payload the reader copies
 * from the writer's memory.
 */
#include "transport/shared.h"

#include "connect/local.h"
#include "connect/peer.h"
#include "transport/small.h"
#include "transport/transport.h"
#include "job/task.h"

#include <errno.h>
#include <sys/socket.h>

/* Unacknowledged bytes from which on the writer reads the acknowledgement.  It does so rarely,
 * because the reader's core then loses the cache line. */
enum { RECEIPT = 8 << 10 };

/* ---- opening and closing ------------------------------------------------------------------ */

/* Adds a connection to the list of awake ones, which are checked in every iteration.  So their
 * writer need not ring. */
static void wake(struct peer *p)
{
    struct shared *s = p->shared;

    if (list_empty(&s->node)) {
        list_append(&p->task->peers.memory.awake, &s->node);
        doorbell_decline(&s->in.shared->reader);
        engine_changed(&p->task->engine);
    }
}

/* Each connection tests anew whether the other task's memory can be read: a read may have failed
 * before, or the other task may be another process now. */
static void start(struct peer *p)
{
    struct shared *s = p->shared;

    s->peer = p;
    p->link.loan.loans = s->lender->loans;
    p->link.loan.lend_least = COPY_MODE_LEAST;
    /* HNOW_LOCAL may forbid cross-memory reads, or force one copy mode for measurements
     * (local.h). */
    p->link.loan.fetches = local_choice() <= LOCAL_FETCH && !p->no_cross_reads &&
                           cross_read_try(&s->cross_read, s->cross_read.shared, p->fd);
    s->learns = p->link.loan.fetches && local_choice() == LOCAL_BEST;
    /* Forced: all size classes are read across, and nothing is measured. */
    if (p->link.loan.fetches && !s->learns)
        atomic_store(&s->cross_read.shared->fetches, UINT32_MAX);
    atomic_store(&s->in.shared->received, p->link.received);
    doorbell_start(&s->in.shared->reader, p->task->peers.memory.joined);
    doorbell_start(&s->out.shared->writer, p->task->peers.memory.joined);
    wake(p);
}

/* Reads what the other side has received by now.  The value is capped at the bytes written, because
 * the other side may be hostile. */
static void read_receipt(struct peer *p)
{
    uint64_t received =
        atomic_load_explicit(&p->shared->out.shared->received, memory_order_acquire);

    if (received > p->link.acked && received <= p->link.written)
        link_acknowledged(&p->link, received);
}

/* Revokes loans, and queues small messages that were not read again for the next connection. The
 * loans come first: from then on no reader accepts bytes of memory that is about to be reused. The
 * receipt reduces what is queued again. */
static void stop(struct peer *p)
{
    struct shared *s = p->shared;

    cross_read_revoke(s->lender);
    read_receipt(p);
    small_reclaim(&p->link, &s->slots_out);
    list_remove(&s->node);
    if (s->large)
        p->task->peers.memory.large--;
    shared_unmap(s);
    p->shared = NULL;
}

/* ---- moving bytes ------------------------------------------------------------------------- */

/* If the socket is full, it is full of doorbells, so the other side will wake up.  A doorbell costs
 * a system call, so it is rung only for a reader that sleeps. */
static void ring_doorbell(struct peer *p)
{
    ssize_t n = send(p->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);

    p->task->engine.background.helped++;
    (void)n; /* reading detects a broken socket */
}

/* Rings for the reader of our output, if it sleeps. */
static void wake_reader(struct peer *p)
{
    struct shared *s = p->shared;

    if (doorbell_needed(&s->out.shared->reader, &s->to_reader, p->task->peers.memory.joined))
        ring_doorbell(p);
}

/* Rings for the writer of our input, if it sleeps. */
static void wake_writer(struct peer *p)
{
    struct shared *s = p->shared;

    if (doorbell_needed(&s->in.shared->writer, &s->to_writer, p->task->peers.memory.joined))
        ring_doorbell(p);
}

/* Whether the ring may grow for the waiting bytes.  A task lets SHARED_LARGE rings grow, so that
 * memory is bounded with many partners. */
static bool may_grow(struct peer *p, uint64_t more)
{
    struct shared *s = p->shared;

    if (!s->large && more > RING_SMALL && p->task->peers.memory.large < SHARED_LARGE) {
        s->large = true;
        p->task->peers.memory.large++;
    }
    return s->large;
}

/* The fast path: one small message, contiguous.  False: there is no such frame now, or no room for
 * it in one piece; the general path then decides. */
static bool write_short(struct peer *p)
{
    size_t n;
    const void *frame = link_short_output(&p->link, &n);

    if (!frame || !ring_put_whole(&p->shared->out, frame, n))
        return false;
    link_short_written(&p->link);
    wake_reader(p);
    return true;
}

/* In this order: the acknowledgement frees memory, the mode of large messages is read, then frames
 * are written until the ring is full.  The reader is woken once, after the last frame. */
static int write_shared(struct peer *p, bool *full)
{
    struct link *l = &p->link;
    struct shared *s = p->shared;
    struct iovec iov[LINK_IOV];
    bool wrote = false;
    int n;

    (void)full; /* what finds no room is written in a later iteration */
    /* A receipt frees pieces, or completes a send that a caller waits for. */
    if (l->queued - l->acked >= RECEIPT || p->task->peers.acks_wanted > 0)
        read_receipt(p);
    l->confirmed = l->received; /* confirm() has published it */
    /* The reader selects the copy mode, and the writer reads its choice only when a large message
     * is queued. */
    if (l->queued - l->written >= COPY_MODE_LEAST)
        l->loan.lends = atomic_load_explicit(&s->lender->fetches, memory_order_relaxed);
    s->stuck = false;
    write_short(p);
    /* Without data nothing is written, because acknowledgements are published in the memory itself.
     * A loan without a free slot ends the loop, too, as link_output() returns 0 then. */
    while (!s->stuck && link_has_output(l) && (n = link_output(l, iov)) > 0) {
        uint64_t more = l->queued - l->written;
        size_t bytes = ring_put(&s->out, iov, n, more, may_grow(p, more));

        link_written(l, bytes);
        wrote |= bytes > 0;
        s->stuck = bytes == 0;
    }
    if (wrote)
        wake_reader(p);
    /* The reader's progress is not reported by an event, so the loop must look for it. */
    if (s->stuck || link_out_of_loans(l) || p->task->peers.acks_wanted > 0)
        wake(p);
    return 0;
}

/* Stores only a changed value, as a store takes the cache line from the writer.  Then it wakes the
 * writer, which may wait for room or for an acknowledgement. */
static void confirm(struct peer *p)
{
    struct ring_shared *in = p->shared->in.shared;

    if (atomic_load_explicit(&in->received, memory_order_relaxed) != p->link.received)
        atomic_store_explicit(&in->received, p->link.received, memory_order_release);
    wake_writer(p);
}

/* A large message has begun, or is complete: measures its time, and publishes the copy mode for the
 * next ones. */
static void note_copy_mode(struct peer *p, bool begins)
{
    struct shared *s = p->shared;
    uint64_t now = engine_now();

    if (begins) {
        s->begun = now;
        s->coming = p->link.in.inbound->total;
        s->fetched = p->link.loan.payload_lent;
        return;
    }
    copy_mode_note(&s->copy_mode, s->coming, s->fetched, now - s->begun);
    s->begun = 0;
    atomic_store_explicit(&s->cross_read.shared->fetches, copy_mode_fetches(&s->copy_mode),
                          memory_order_relaxed);
}

/* Reads the next payload from the sender's memory: returns bytes, or HN_ELINK.  If the system does
 * not permit it, later connections to that task use rings only. */
static ptrdiff_t fetch(struct peer *p, unsigned slot, struct iovec to)
{
    struct ring_shared *in = p->shared->in.shared;
    int result = cross_read_payload(&p->shared->cross_read, slot, to);

    if (result != HN_OK) {
        p->no_cross_reads |= result == HN_ESYS;
        return HN_ELINK;
    }
    /* Cannot fail: the bytes belong to the payload, so nothing is parsed. */
    link_received(&p->link, NULL, to.iov_len);
    atomic_store_explicit(&in->received, p->link.received, memory_order_release);
    return (ptrdiff_t)to.iov_len;
}

/* ---- the slot queue ----------------------------------------------------------------------- */

/* Small messages between two checks of the writer whether the ring was read. */
enum { LOOK = 16 };

/* Whether everything in the ring has been read, so that slots can follow without overtaking it.
 * The writer checks again when something has arrived from the reader since, or after LOOK
 * messages. */
static bool ring_is_behind(struct peer *p)
{
    struct shared *s = p->shared;

    if (link_has_pieces(&p->link) &&
        (s->last_received != p->link.received || ++s->unlooked >= LOOK)) {
        s->last_received = p->link.received;
        s->unlooked = 0;
        read_receipt(p);
    }
    return !link_has_pieces(&p->link);
}

/* The fastest path of a small message: from the caller's memory into a slot, without a piece in the
 * link.  False sends the message through the ring, which is always possible. */
static bool send_beside(struct peer *p, const hn_info *info, hn_context context, const void *data,
                        size_t bytes)
{
    if (bytes > SLOT_ROOM || !ring_is_behind(p) ||
        !small_send(&p->link, &p->shared->slots_out, info, context, data, bytes))
        return false;
    wake_reader(p);
    if (p->task->peers.acks_wanted > 0)
        wake(p);
    return true;
}

/* Reads the slots: returns bytes, or as read_shared(). */
static ptrdiff_t take_small(struct peer *p)
{
    struct link *l = &p->link;
    uint64_t before = l->received;
    int result = small_receive(l, &p->shared->slots_in);

    if (l->received != before) {
        atomic_store_explicit(&p->shared->in.shared->received, l->received, memory_order_release);
        slot_queue_notify(&p->shared->slots_in); /* in this order: what was removed from the slot
                                                    queue counts as received already */
    }
    return result == HN_OK ? (ptrdiff_t)(l->received - before) : result;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Reads the next input: the slots, then the ring, small messages without a copy. */
static ptrdiff_t take(struct peer *p)
{
    struct link *l = &p->link;
    struct ring *in = &p->shared->in;
    uint8_t *scratch = p->task->peers.scratch;
    struct iovec iov[2];
    size_t n, there;
    const uint8_t *bytes = ring_peek(in, &there); /* checks the ring first, because the slot queue
                                                     has precedence over what is in it now */
    ptrdiff_t beside = take_small(p);

    if (beside != 0 || there == 0)
        return beside; /* bytes that enter the ring later may follow messages in the slot queue */
    int result = there == RING_BROKEN ? HN_EPROTO : link_receive(l, bytes, there, &n);

    if (result != HN_OK)
        return result;
    /* Small messages were matched in the ring itself.  Their bytes are given back only now. */
    if (n > 0) {
        ring_skip(in, n);
        return (ptrdiff_t)n;
    }
    /* A larger message, or a frame that wraps.  At most one header is read into scratch, since a
     * lent payload does not follow its header (link_must_fetch()). */
    n = ring_get(in, iov, link_input(l, iov, scratch, FRAME_SIZE - l->in.have));
    result = n == RING_BROKEN ? HN_EPROTO : link_received(l, scratch, n);
    return result == HN_OK ? (ptrdiff_t)n : result;
}

/* Whether reading on at once is worthwhile: inside a message, or if more is known to be there.  A
 * check for more after each small message would take the cache line from the writer each time. */
static bool more_is_near(const struct peer *p)
{
    const struct ring *in = &p->shared->in;

    return p->link.in.inbound || p->link.in.have > 0 || in->other != in->at;
}

/* Returns the bytes read, 0, or an error.  `offered` is 0 when reading on at once is not
 * worthwhile. */
static ptrdiff_t read_shared(struct peer *p, size_t *offered)
{
    struct link *l = &p->link;
    uint64_t messages = l->messages_in;
    struct iovec to;
    unsigned slot;
    /* A lent payload comes before anything else in the ring, because it belongs to the header
     * that was read last. */
    ptrdiff_t n = link_must_fetch(l, &slot, &to) ? fetch(p, slot, to) : take(p);

    /* A measured message is complete, even if the next one has begun in the same read. */
    if (p->shared->begun && (!l->in.inbound || l->messages_in != messages))
        note_copy_mode(p, false);
    /* A message that was complete at once has no measurable time, and is too small to be lent. */
    if (p->shared->learns && l->messages_in != messages && l->in.inbound &&
        l->in.inbound->total >= COPY_MODE_LEAST)
        note_copy_mode(p, true);
    *offered = n > 0 && more_is_near(p) ? (size_t)n : 0;
    return n;
}

/* The socket carries only doorbells.  Its end shows that the other task is gone.  The bytes
 * themselves have no meaning. */
static bool take_doorbells(struct peer *p)
{
    char bells[64];
    ssize_t n = recv(p->fd, bells, sizeof bells, MSG_DONTWAIT);

    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        return false;
    wake(p);
    return true;
}

/* ---- sleeping ----------------------------------------------------------------------------- */

/* Whether a caller waits for an acknowledgement, which only a doorbell would report. */
static bool wants_receipt(const struct peer *p)
{
    return (p->task->peers.acks_wanted > 0 || link_out_of_loans(&p->link)) &&
           !link_all_acknowledged(&p->link);
}

/* Whether this side waits until the other side has read. */
static bool waits_for_reader(const struct peer *p)
{
    return p->shared->stuck || wants_receipt(p);
}

static void ask_for_doorbells(struct peer *p)
{
    doorbell_ask(&p->shared->in.shared->reader);
    if (waits_for_reader(p))
        doorbell_ask(&p->shared->out.shared->writer);
}

/* Whether the other side omits its fences, so that this side must execute a barrier for both. */
static bool has_plain_doorbells(const struct peer *p)
{
    return doorbell_is_plain(&p->shared->in.shared->reader) ||
           (waits_for_reader(p) && doorbell_is_plain(&p->shared->out.shared->writer));
}

static void decline_doorbells(struct peer *p)
{
    doorbell_decline(&p->shared->in.shared->reader);
    doorbell_decline(&p->shared->out.shared->writer);
}

/* Whether something arrived before the other side could see our request for a doorbell. */
static bool has_arrived(struct peer *p)
{
    const struct shared *s = p->shared;
    struct ring_shared *out = s->out.shared;

    return ((ring_has_data(&s->in) || small_has_arrived(&p->link, &s->slots_in)) &&
            !peer_inbox_is_full(p->task, p)) ||
           (s->stuck && atomic_load(&out->tail) != s->out.other) ||
           (wants_receipt(p) && atomic_load(&out->received) != p->link.acked);
}

static struct peer *awake_peer(struct list_node *n)
{
    return list_entry(n, struct shared, node)->peer;
}

/* The order of doorbell.h for all connections at once: request, barrier, check.  One membarrier(2)
 * covers all of them.  If something has arrived anywhere, no connection leaves the list, so that
 * the loop does not block. */
bool shared_go_to_sleep(struct task *t)
{
    bool plain = false, come = false;

    list_for_each (n, &t->peers.memory.awake)
        ask_for_doorbells(awake_peer(n));
    list_for_each (n, &t->peers.memory.awake)
        plain |= has_plain_doorbells(awake_peer(n));
    if (plain)
        doorbell_barrier();
    list_for_each (n, &t->peers.memory.awake)
        come |= has_arrived(awake_peer(n));
    /* All or none: see the comment above. */
    list_for_each_safe (n, &t->peers.memory.awake) {
        if (come)
            decline_doorbells(awake_peer(n));
        else
            list_remove(n);
    }
    return !come;
}

const struct transport transport_shared = {
    .direct = true,
    .start = start,
    .stop = stop,
    .send = send_beside,
    .write = write_shared,
    .read = read_shared,
    .confirm = confirm,
    .wake = wake,
    .notice = take_doorbells,
};
