/* link.c - queueing, acknowledgement and resumption of the streams between two tasks (link.h).
 *
 * The outgoing stream is a list of pieces, one for each frame that is not acknowledged.  `cursor`
 * separates the frames that were passed to the connection from the others.  An acknowledgement
 * frees pieces at the head; a new connection moves the cursor back.  A piece either contains a copy
 * of its payload, or borrows the caller's buffer (`lender`), or shares a multicast's payload
 * (`cast`).
 */
#include "link/link_piece.h"

#include "base/error.h"
#include "base/type.h"
#include "transport/copy_mode.h"

#include <string.h>

/* Bytes received after which an acknowledgement is sent without a request.  Large enough to cost
 * little, small enough to bound the sender's memory. */
enum { ACK_INTERVAL = 512 << 10 };

/* The same inside a message.  Its sender has queued the rest already, and each acknowledgement
 * wakes the sender, which may take the core from the receiver. */
enum { ACK_INSIDE = 4 << 20 };

/* Bytes.  Messages of at least this size are lent in the largest possible frames, because each loan
 * costs the reader a system call. */
enum { LARGE = 512 << 10 };

void link_init(struct link *l, hn_tid peer, struct match *match)
{
    *l = (struct link){.peer = peer, .match = match, .part = LINK_PART};
    list_init(&l->pieces);
    list_init(&l->cast.held);
    l->cursor = &l->pieces;
}

/* Bytes allocated for a piece, including a payload of its own. */
static size_t size_of(const struct piece *p)
{
    return sizeof *p + (p->lender || p->cast ? 0 : p->length);
}

/* Pieces come from the outbox, so that the agent can deliver them, or from the pool. */
static void free_piece(struct link *l, struct piece *p)
{
    outbox_put(&l->match->outbox, &l->match->pool, p, size_of(p));
}

/* Removes the first piece: it was acknowledged (HN_OK), or will never be.  The last piece of a
 * request completes the request. */
static void drop_piece(struct link *l, struct piece *p, int result)
{
    if (l->cursor == &p->node)
        l->cursor = p->node.next;
    list_remove(&p->node);
    /* A count is enough, because loans are acknowledged in the order in which they were made. */
    l->loan.returned += p->slot != NO_SLOT;
    if (p->lender) {
        if (result != HN_OK)
            p->lender->result = result;
        if (--p->lender->pieces == 0)
            request_finish(p->lender, p->lender->result);
    } else {
        l->match->outgoing -= pool_size(size_of(p));
    }
    if (p->cast)
        link_cast_done(l, p);
    free_piece(l, p);
}

/* All requests with frames here become done, so the callers that wait for them return.  The
 * positions are set as if everything had been acknowledged: nothing is sent again. */
void link_clear(struct link *l, int result)
{
    while (!list_empty(&l->pieces))
        drop_piece(l, piece_of(l->pieces.next), result);
    l->acked = l->written = l->queued;
    if (l->in.inbound)
        match_abort(l->match, l->in.inbound, result);
    l->in.inbound = NULL;
    l->in.payload = 0;
    link_drop_held(l);
}

/* ---- sending ------------------------------------------------------------------------------ */

/* A borrowed payload cannot survive the process, so only pieces with their own copy, or a cast's,
 * come from the outbox.  `start` and the list are set by piece_enqueue(). */
struct piece *piece_new(struct link *l, const struct frame *f, bool is_short,
                        struct hn_request *lender, struct link_cast *cast)
{
    struct match *m = l->match;
    size_t size = sizeof(struct piece) + (lender || cast ? 0 : f->length);
    struct piece *p = lender ? pool_get(&m->pool, size) : outbox_get(&m->outbox, &m->pool, size);

    if (!p)
        return NULL;
    p->length = f->length;
    p->lender = lender;
    p->cast = cast;
    p->apart = cast != NULL;
    p->total = f->total;
    p->slot = NO_SLOT;
    p->data = cast ? cast->payload : p->copy;
    p->head = is_short ? FRAME_SHORT_SIZE : FRAME_SIZE;
    if (is_short)
        frame_encode_short(f, header_of(p));
    else
        frame_encode(f, header_of(p));
    return p;
}

/* Records the frame for the agent, which delivers it if the process ends.  Until the frame is
 * written, its header has the acknowledgement of this moment. */
static void keep_for_agent(struct link *l, struct piece *p)
{
    frame_put_ack(header_of(p), l->received);
    outbox_queue(&l->match->outbox, p, l->peer, p->start, header_of(p), p->head, p->data,
                 p->length);
}

/* From now on the frame is part of the stream and can no longer be withdrawn.  Borrowed bytes do
 * not count as `outgoing`, because they occupy no memory of the library. */
void piece_enqueue(struct link *l, struct piece *p)
{
    p->start = l->queued;
    l->queued = piece_end(p);
    list_append(&l->pieces, &p->node);
    if (l->cursor == &l->pieces)
        l->cursor = &p->node;
    if (p->lender) {
        p->lender->pieces++;
        return;
    }
    l->match->outgoing += pool_size(size_of(p));
    keep_for_agent(l, p);
}

/* All fields that the receiver needs to choose a receive.  `bytes` is the whole message; the caller
 * shortens `length` to what the first frame carries. */
struct frame link_first_frame(const hn_info *info, hn_context context, size_t bytes)
{
    return (struct frame){.kind = FRAME_MSG,
                          .flags = type_machine_is_big_endian() ? FRAME_BIG_ENDIAN : 0,
                          .type = (uint16_t)info->type,
                          .context = context,
                          .tag = info->tag,
                          .length = (uint32_t)bytes,
                          .total = bytes};
}

static int no_memory(const hn_info *info)
{
    return error_set(HN_ENOMEM, "no memory to queue a message of %zu elements", info->count);
}

/* Makes the frames of a message, without payload, on the list `frames`.  All or none: the stream
 * must never contain a part of a message. */
static int make_frames(struct link *l, const hn_info *info, hn_context context,
                       struct hn_request *lender, struct list_node *frames)
{
    size_t left = info->count * type_size(info->type);
    uint32_t most = l->part;
    struct frame f = link_first_frame(info, context, left);

    if (l->loan.loans && left >= LARGE)
        most = FRAME_PAYLOAD_MAX;
    list_init(frames);
    do {
        f.length = left < most ? (uint32_t)left : most;
        /* Without this request, the acknowledgement of a single message might follow only after
         * LATE seconds (peer.c), for which its sender would wait. */
        if (lender && f.length == left && f.total >= LINK_WAIT)
            f.flags |= FRAME_WANT_ACK;
        struct piece *p = piece_new(l, &f, piece_may_be_short(l, &f), lender, NULL);
        if (!p) {
            list_for_each_safe (n, frames)
                free_piece(l, piece_of(n));
            return no_memory(info);
        }
        list_append(frames, &p->node);
        left -= f.length;
        f = (struct frame){.kind = FRAME_MORE, .flags = f.flags, .total = f.total};
    } while (left > 0);
    l->messages_out++;
    return HN_OK;
}

/* link_send_copy() for a message that fits into one frame. */
static int send_short(struct link *l, const hn_info *info, hn_context context, const void *data,
                      size_t bytes)
{
    struct frame f = link_first_frame(info, context, bytes);
    struct piece *p = piece_new(l, &f, piece_may_be_short(l, &f), NULL, NULL);

    if (!p)
        return no_memory(info);
    if (bytes > 0)
        memcpy(p->copy, data, bytes);
    piece_enqueue(l, p);
    l->messages_out++;
    return HN_OK;
}

/* The bytes are copied into the pieces, so `data` may be reused at once.  All frames of a long
 * message are allocated before the first one is queued. */
int link_send_copy(struct link *l, const hn_info *info, hn_context context, const void *data)
{
    size_t total = info->count * type_size(info->type);
    const uint8_t *bytes = data;
    struct list_node frames;

    if (total <= LINK_PART)
        return send_short(l, info, context, data, total);
    /* Nothing is queued before all frames exist. */
    int result = make_frames(l, info, context, NULL, &frames);
    if (result != HN_OK)
        return result;
    list_for_each_safe (n, &frames) {
        struct piece *p = piece_of(n);
        list_remove(n);
        memcpy(p->copy, bytes, p->length);
        bytes += p->length;
        piece_enqueue(l, p);
    }
    return HN_OK;
}

/* As link_send_copy(), but the pieces refer to the caller's bytes. Through r->last
 * link_own() finds them without a search of the whole stream. */
int link_send_borrow(struct link *l, const hn_info *info, hn_context context, const void *data,
                     struct hn_request *r)
{
    const uint8_t *bytes = data;
    struct list_node frames;
    int result = make_frames(l, info, context, r, &frames);

    if (result != HN_OK)
        return result;
    list_for_each_safe (n, &frames) {
        struct piece *p = piece_of(n);
        list_remove(n);
        p->data = bytes;
        bytes += p->length;
        piece_enqueue(l, p);
        r->last = &p->node;
    }
    r->link = l;
    r->number = l->messages_out;
    return HN_OK;
}

/* An upper bound, since the pieces that are left may be shorter than the longest. */
size_t link_own_cost(const struct hn_request *r)
{
    size_t bytes = r->pieces * (size_t)FRAME_PAYLOAD_MAX;
    size_t total = r->info.count * type_size(r->info.type);

    return r->pieces * sizeof(struct piece) + (bytes < total ? bytes : total);
}

/* Whether the acknowledgement of its last frame was requested, or is due because of the bytes
 * behind it. */
bool link_ack_is_near(const struct hn_request *r)
{
    return r->pieces > 0 && (header_of(piece_of(r->last))[1] & FRAME_WANT_ACK ||
                             r->link->queued - piece_end(piece_of(r->last)) >= ACK_INTERVAL);
}

/* Publishes the address of a lent payload, before its former memory is reused. */
static void show_loan(struct link *l, const struct piece *p)
{
    atomic_store(&l->loan.loans[p->slot], (uintptr_t)p->data);
    atomic_thread_fence(memory_order_seq_cst);
}

/* Replaces a piece that borrows bytes by one with a copy of them.  NULL: out of memory. */
static struct piece *own_piece(struct link *l, struct piece *p)
{
    struct match *m = l->match;
    struct piece *copy = outbox_get(&m->outbox, &m->pool, sizeof *copy + p->length);

    if (!copy)
        return NULL;
    /* The node's neighbours are copied, too, and replaced when the copy enters the list. */
    memcpy(copy, p, sizeof *p);
    memcpy(copy->copy, p->data, p->length);
    copy->data = copy->copy;
    copy->lender = NULL;
    if (copy->slot != NO_SLOT)
        show_loan(l, copy);
    list_append(&p->node, &copy->node); /* before p */
    if (l->cursor == &p->node)
        l->cursor = &copy->node;
    list_remove(&p->node);
    free_piece(l, p);
    m->outgoing += pool_size(sizeof *copy + copy->length);
    keep_for_agent(l, copy);
    return copy;
}

/* Copies the pieces from the last one to the first, because a request refers only to its last
 * piece. */
int link_own(struct hn_request *r)
{
    struct link *l = r->link;

    while (r->pieces > 0) {
        struct piece *copy = own_piece(l, piece_of(r->last));

        if (!copy)
            return error_set(HN_ENOMEM, "no memory to copy a message");
        r->last = copy->node.prev;
        r->pieces--;
    }
    if (!r->done)
        request_finish(r, r->result);
    return HN_OK;
}

/* The other side acknowledges it at once, so the sender's exit does not wait for a delayed
 * acknowledgement. */
int link_send_bye(struct link *l)
{
    struct frame f = {.kind = FRAME_BYE, .flags = FRAME_WANT_ACK};
    struct piece *p = piece_new(l, &f, false, NULL, NULL);

    if (!p)
        return error_set(HN_ENOMEM, "no memory to say goodbye");
    piece_enqueue(l, p);
    return HN_OK;
}

/* Whether the next byte to write begins a frame, so that an ACK frame can precede it. */
static bool at_boundary(const struct link *l)
{
    return l->cursor == &l->pieces || piece_of(l->cursor)->start == l->written;
}

/* An acknowledgement is due if the other side waits for it, if the engine demands it, or after many
 * bytes. */
static bool ack_is_due(const struct link *l)
{
    return (l->confirmed < l->wanted && l->received >= l->wanted) || l->confirmed < l->overdue ||
           l->received - l->confirmed >= (l->in.inbound ? ACK_INSIDE : ACK_INTERVAL);
}

bool link_acknowledge(struct link *l)
{
    l->overdue = l->received;
    return l->confirmed < l->overdue;
}

void link_ask(struct link *l)
{
    l->ack.asks = l->acked < l->queued;
}

void link_probe_tail(struct link *l)
{
    l->ack.tail_probes = true;
}

/* Whether bytes of messages are written next.  Otherwise all are written, or the next ones are sent
 * in datagrams. */
static bool has_next_frame(const struct link *l)
{
    return l->cursor != &l->pieces && !piece_of(l->cursor)->apart;
}

/* An ACK frame is no part of the stream: it has no position, and is not sent again. */
static void prepare_ack_frame(struct link *l, uint8_t flags)
{
    struct frame f = {.kind = FRAME_ACK, .flags = flags, .ack = l->received};

    link_cast_report(l, &f);
    frame_encode(&f, l->ack.ack_frame);
    l->ack.ack_left = FRAME_SIZE;
    l->confirmed = l->received;
}

/* Sets the fields of a header that change until it is written. */
static void complete_header(const struct link *l, struct piece *p)
{
    uint8_t *flags = header_of(p) + 1;

    frame_put_ack(header_of(p), l->received); /* every header acknowledges */
    *flags = (uint8_t)(p->slot != NO_SLOT ? *flags | FRAME_LENT : *flags & ~FRAME_LENT);
}

/* Whether p should be lent, and is not yet.  Output that was offered to the connection keeps its
 * mode, even if the other mode is selected meanwhile: later pieces may be lent already, and the
 * other side finds the slots by counting. */
static bool wants_loan(const struct link *l, const struct piece *p)
{
    return l->loan.loans && p->head == FRAME_SIZE && p->length >= l->loan.lend_least &&
           l->loan.lends >> copy_mode_class(p->total) & 1 && p->slot == NO_SLOT &&
           l->loan.decided <= p->start;
}

/* Slots are used in turn; the reader counts them in the same way, so no number is sent. */
static void lend(struct link *l, struct piece *p)
{
    p->slot = (int)(l->loan.lent++ % LINK_LOANS);
    show_loan(l, p);
}

static bool loans_left(const struct link *l)
{
    return l->loan.lent - l->loan.returned < LINK_LOANS;
}

/* The next frame waits until the other side has acknowledged an earlier loan. */
bool link_out_of_loans(const struct link *l)
{
    return l->cursor != &l->pieces && wants_loan(l, piece_of(l->cursor)) && !loans_left(l);
}

/* The part of p that is not written yet, as one or two entries.  No entries: it must wait for a
 * free slot. */
static int piece_output(struct link *l, struct piece *p, struct iovec *iov)
{
    uint64_t done = l->written > p->start ? l->written - p->start : 0;
    int n = 0;

    if (wants_loan(l, p)) {
        if (!loans_left(l))
            return 0;
        lend(l, p);
    }
    /* From here on this frame keeps its mode: the connection may already have taken a part of
     * it. */
    if (l->loan.decided < piece_end(p))
        l->loan.decided = piece_end(p);
    /* A header of which a part was written must not change, or the reader would get a mixture. */
    if (done == 0)
        complete_header(l, p);
    if (p->data == p->copy && p->slot == NO_SLOT) { /* contiguous with the header */
        iov[n] = (struct iovec){header_of(p) + done, p->head + p->length - done};
        return 1;
    }
    if (done < p->head)
        iov[n++] = (struct iovec){header_of(p) + done, p->head - done};
    if (p->slot != NO_SLOT)
        return n;
    done = done > p->head ? done - p->head : 0;
    if (p->length > done)
        iov[n++] = (struct iovec){(void *)(p->data + done), p->length - done};
    return n;
}

/* Inserts an ACK frame before a large frame, for alignment (link.h).  Not on one host, where loans
 * are used. */
static void space_out(struct link *l)
{
    if (l->loan.loans || l->ack.spaced || piece_of(l->cursor)->length < LINK_LARGE)
        return;
    prepare_ack_frame(l, 0);
    l->ack.spaced = true;
}

/* Prepares the ACK frame, if any, that precedes the next output. */
static void prepare_control(struct link *l)
{
    bool on = has_next_frame(l);

    if (l->ack.ack_left > 0 || !at_boundary(l))
        return;
    if (link_cast_must_report(l, on)) {
        prepare_ack_frame(l, 0);
        l->ack.spaced = on;
    } else if (on) {
        space_out(l);
    } else if (l->ack.asks || l->ack.tail_probes || ack_is_due(l) || l->cast.reach_due) {
        prepare_ack_frame(l, l->ack.asks ? FRAME_WANT_ACK : 0);
        l->ack.asks = l->ack.tail_probes = false;
    }
    if (on)
        l->written_ack = l->received;
}

/* Prepares at most one ACK frame, and then as many pieces as entries suffice for.  Calling it twice
 * without link_written() returns the same bytes, except for newer acknowledgements in headers that
 * were not begun. */
int link_output(struct link *l, struct iovec iov[LINK_IOV])
{
    int n = 0, parts = 1;

    prepare_control(l);
    if (l->ack.ack_left > 0)
        iov[n++] = (struct iovec){l->ack.ack_frame + FRAME_SIZE - l->ack.ack_left, l->ack.ack_left};
    if (link_cast_must_report(l, true))
        return n; /* the rest of an older ACK frame, which lacks the current announcement */
    /* A piece without entries waits for the slot of a loan, and nothing may overtake it. */
    for (struct list_node *c = l->cursor;
         c != &l->pieces && !piece_of(c)->apart && n + 2 <= LINK_IOV && parts > 0;
         c = c->next, n += parts)
        parts = piece_output(l, piece_of(c), iov + n);
    return n;
}

/* Only for a single piece that was not begun, is not lent, and lies contiguously behind its header.
 * These are the conditions under which link_output() would return one entry. */
const void *link_short_output(struct link *l, size_t *bytes)
{
    struct piece *p = piece_of(l->cursor);

    if (!link_has_output(l) || l->cursor->next != &l->pieces || l->ack.ack_left > 0 ||
        p->start != l->written || p->data != p->copy || p->slot != NO_SLOT ||
        p->length >= LINK_SMALL)
        return NULL;
    complete_header(l, p);
    *bytes = p->head + p->length;
    return header_of(p);
}

void link_short_written(struct link *l)
{
    l->written = l->queued;
    l->cursor = &l->pieces;
}

/* The stream position up to which p is sent through the connection: a lent payload is not. */
static uint64_t carried_end(const struct piece *p)
{
    return p->slot != NO_SLOT ? p->start + p->head : piece_end(p);
}

/* Advances over whole pieces, and inside the last one.  Lent payloads are skipped without being
 * counted in `bytes`, because they do not pass through the connection. */
void link_written(struct link *l, size_t bytes)
{
    size_t of_ack = bytes < l->ack.ack_left ? bytes : l->ack.ack_left;

    l->ack.ack_left -= (unsigned)of_ack;
    bytes -= of_ack;
    /* The first header of that output contains written_ack (complete_header()). */
    if (bytes > 0 && l->written_ack > l->confirmed)
        l->confirmed = l->written_ack;
    if (bytes > 0)
        l->ack.spaced = false;
    while (bytes > 0) {
        const struct piece *p = piece_of(l->cursor);
        uint64_t left = carried_end(p) - l->written;

        if (bytes < left) {
            l->written += bytes;
            return;
        }
        bytes -= (size_t)left;
        l->written = piece_end(p);
        l->cursor = l->cursor->next;
    }
    link_cast_pass(l);
}

/* ---- acknowledgements --------------------------------------------------------------------- */

/* An older value is no error: acknowledgements may arrive out of order by different paths, for
 * example in datagrams. */
int link_acknowledged(struct link *l, uint64_t ack)
{
    /* The other side may be hostile: a higher value would free bytes that were never sent. */
    if (ack > l->written)
        return error_set(HN_EPROTO, "acknowledgement of bytes never sent");
    if (ack <= l->acked)
        return HN_OK;
    l->acked = ack;
    /* The acknowledged byte may be inside a frame, where a connection broke. That piece is kept
     * whole. */
    while (!list_empty(&l->pieces) && piece_end(piece_of(l->pieces.next)) <= ack)
        drop_piece(l, piece_of(l->pieces.next), HN_OK);
    return HN_OK;
}

/* ---- resumption --------------------------------------------------------------------------- */

uint64_t link_beside(const struct link *l, uint64_t *end)
{
    *end = list_empty(&l->pieces) ? l->queued : piece_of(l->pieces.next)->start;
    return l->acked < *end ? l->acked : *end;
}

/* Inserts by position rather than at the end, because frames that were queued later may be in the
 * list already. */
int link_requeue(struct link *l, uint64_t position, const hn_info *info, hn_context context,
                 const void *data)
{
    size_t bytes = info->count * type_size(info->type);
    struct frame f = link_first_frame(info, context, bytes);
    struct list_node *next = l->pieces.next;
    struct piece *p =
        piece_new(l, &f, false, NULL, NULL); /* the same size that link_sent_beside() has counted */

    if (!p)
        return no_memory(info);
    memcpy(p->copy, data, bytes);
    p->start = position;
    while (next != &l->pieces && piece_of(next)->start < position)
        next = next->next;
    list_append(next, &p->node); /* before it */
    l->match->outgoing += pool_size(sizeof *p + p->length);
    keep_for_agent(l, p);
    return HN_OK;
}

/* Nothing of the connection's state survives: the next connection may have another transport, and
 * both sides count loans from 0 again. The message that is arriving keeps its buffer: `received`
 * counts its bytes, so the next connection continues inside it. */
void link_broken(struct link *l)
{
    l->in.have = 0; /* was not counted as received, so it will be sent again */
    l->ack.ack_left = 0;
    l->ack.spaced = l->ack.tail_probes = false;
    l->part = LINK_PART;
    l->loan.loans = NULL;
    l->loan.lends = 0;
    l->loan.fetches = l->loan.payload_lent = false;
    l->loan.lent = l->loan.returned = l->loan.fetched = 0;
    list_for_each (n, &l->pieces)
        piece_of(n)->slot = NO_SLOT;
    link_cast_broken(l);
}

/* The other side's count replaces all acknowledgements that were lost with the old connection.
 * Pieces before it are freed; those after it are written again. */
int link_resume(struct link *l, uint64_t peer_received)
{
    if (l->lost)
        return error_set(HN_EPROTO, "messages to the other side are lost");
    /* Fewer bytes than were acknowledged would need pieces that are freed.  More than were written
     * never left this process. */
    if (peer_received < l->acked || peer_received > l->written)
        return error_set(HN_EPROTO, "the other side claims to have bytes that were never sent");
    int result = link_acknowledged(l, peer_received);
    l->written = l->loan.decided = peer_received;
    l->cursor = l->pieces.next;
    l->confirmed = l->received; /* the handshake has acknowledged them */
    return result;
}
