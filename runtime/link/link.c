/* link.c - queueing, acknowledgement and resumption of the streams between two tasks (link.h). */
#include "link/link_piece.h"

#include "base/error.h"
#include "base/type.h"
#include "transport/copy_mode.h"

#include <string.h>

/* Received bytes after which an acknowledgement is sent without being asked for: rare enough to
 * cost nothing, often enough to keep the sender's memory small. */
enum { ACK_INTERVAL = 512 << 10 };

/* The same inside a message, whose sender has queued the rest of it already: each acknowledgement
 * wakes the sender, who may have to take the core from the receiver for it. */
enum { ACK_INSIDE = 4 << 20 };

/* Larger messages may be lent in larger parts, each of which is a system call for the reader. */
enum { LARGE = 512 << 10 };

void link_init(struct link *l, hn_tid peer, struct match *match)
{
    *l = (struct link){.peer = peer, .match = match, .part = LINK_PART};
    list_init(&l->pieces);
    list_init(&l->cast.held);
    l->cursor = &l->pieces;
}

/* Memory of a piece with the payload that is its own. */
static size_t size_of(const struct piece *p)
{
    return sizeof *p + (p->lender || p->cast ? 0 : p->length);
}

static void free_piece(struct link *l, struct piece *p)
{
    outbox_put(&l->match->outbox, &l->match->pool, p, size_of(p));
}

/* Forgets the first piece: acknowledged (HN_OK), or never to be. */
static void drop_piece(struct link *l, struct piece *p, int result)
{
    if (l->cursor == &p->node)
        l->cursor = p->node.next;
    list_remove(&p->node);
    l->loan.returned += p->place != NOWHERE;
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
    p->place = NOWHERE;
    p->data = cast ? cast->payload : p->copy;
    p->head = is_short ? FRAME_SHORT_SIZE : FRAME_SIZE;
    if (is_short)
        frame_encode_short(f, header_of(p));
    else
        frame_encode(f, header_of(p));
    return p;
}

/* From now on the frame is sent even if the process ends.  Until it is written its header says
 * what has been received by now. */
static void keep_for_agent(struct link *l, struct piece *p)
{
    frame_put_ack(header_of(p), l->received);
    outbox_queue(&l->match->outbox, p, l->peer, p->start, header_of(p), p->head, p->data,
                 p->length);
}

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

/* The first frame of a message, and the only one of a short one. */
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

/* Makes the frames of a message, without payload, on the list `frames`. */
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

/* link_send_copy() of a message that fits into one frame. */
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

int link_send_copy(struct link *l, const hn_info *info, hn_context context, const void *data)
{
    size_t total = info->count * type_size(info->type);
    const uint8_t *bytes = data;
    struct list_node frames;

    if (total <= LINK_PART)
        return send_short(l, info, context, data, total);
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

size_t link_own_cost(const struct hn_request *r)
{
    size_t bytes = r->pieces * (size_t)FRAME_PAYLOAD_MAX;
    size_t total = r->info.count * type_size(r->info.type);

    return r->pieces * sizeof(struct piece) + (bytes < total ? bytes : total);
}

bool link_ack_is_near(const struct hn_request *r)
{
    return r->pieces > 0 && (header_of(piece_of(r->last))[1] & FRAME_WANT_ACK ||
                             r->link->queued - piece_end(piece_of(r->last)) >= ACK_INTERVAL);
}

/* Tells where a lent payload is: before its former place is used for anything else. */
static void show_loan(struct link *l, const struct piece *p)
{
    atomic_store(&l->loan.loans[p->place], (uintptr_t)p->data);
    atomic_thread_fence(memory_order_seq_cst);
}

/* Puts a piece with a copy of the bytes in the place of one that borrows them; NULL: no memory. */
static struct piece *own_piece(struct link *l, struct piece *p)
{
    struct match *m = l->match;
    struct piece *copy = outbox_get(&m->outbox, &m->pool, sizeof *copy + p->length);

    if (!copy)
        return NULL;
    memcpy(copy, p, sizeof *p);
    memcpy(copy->copy, p->data, p->length);
    copy->data = copy->copy;
    copy->lender = NULL;
    if (copy->place != NOWHERE)
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

int link_send_bye(struct link *l)
{
    struct frame f = {.kind = FRAME_BYE, .flags = FRAME_WANT_ACK};
    struct piece *p = piece_new(l, &f, false, NULL, NULL);

    if (!p)
        return error_set(HN_ENOMEM, "no memory to say goodbye");
    piece_enqueue(l, p);
    return HN_OK;
}

/* True when the next byte to write begins a frame, so that an ACK frame may stand before it. */
static bool at_boundary(const struct link *l)
{
    return l->cursor == &l->pieces || piece_of(l->cursor)->start == l->written;
}

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

/* Whether bytes of messages are next to be written; else all are, or they go in datagrams. */
static bool goes_on(const struct link *l)
{
    return l->cursor != &l->pieces && !piece_of(l->cursor)->apart;
}

static void prepare_ack_frame(struct link *l, uint8_t flags)
{
    struct frame f = {.kind = FRAME_ACK, .flags = flags, .ack = l->received};

    link_cast_report(l, &f);
    frame_encode(&f, l->ack.ack_frame);
    l->ack.ack_left = FRAME_SIZE;
    l->confirmed = l->received;
}

/* Fills in the fields of a header that change until it is written. */
static void complete_header(const struct link *l, struct piece *p)
{
    uint8_t *flags = header_of(p) + 1;

    frame_put_ack(header_of(p), l->received); /* every header acknowledges */
    *flags = (uint8_t)(p->place != NOWHERE ? *flags | FRAME_LENT : *flags & ~FRAME_LENT);
}

/* Whether p is to be lent, and is not yet.  What has been offered to be written keeps its way, even
 * if another one is wished meanwhile: pieces behind it may be lent already, and the other side
 * finds the places by counting. */
static bool wants_loan(const struct link *l, const struct piece *p)
{
    return l->loan.loans && p->head == FRAME_SIZE && p->length >= l->loan.lend_least &&
           l->loan.lends >> copy_mode_class(p->total) & 1 && p->place == NOWHERE &&
           l->loan.settled <= p->start;
}

static void lend(struct link *l, struct piece *p)
{
    p->place = (int)(l->loan.lent++ % LINK_LOANS);
    show_loan(l, p);
}

static bool loans_left(const struct link *l)
{
    return l->loan.lent - l->loan.returned < LINK_LOANS;
}

bool link_out_of_loans(const struct link *l)
{
    return l->cursor != &l->pieces && wants_loan(l, piece_of(l->cursor)) && !loans_left(l);
}

/* The part of p that is not written yet, as one or two entries; none: it must wait. */
static int piece_output(struct link *l, struct piece *p, struct iovec *iov)
{
    uint64_t done = l->written > p->start ? l->written - p->start : 0;
    int n = 0;

    if (wants_loan(l, p)) {
        if (!loans_left(l))
            return 0;
        lend(l, p);
    }
    if (l->loan.settled < piece_end(p))
        l->loan.settled = piece_end(p);
    if (done == 0)
        complete_header(l, p);
    if (p->data == p->copy && p->place == NOWHERE) { /* it is behind the header */
        iov[n] = (struct iovec){header_of(p) + done, p->head + p->length - done};
        return 1;
    }
    if (done < p->head)
        iov[n++] = (struct iovec){header_of(p) + done, p->head - done};
    if (p->place != NOWHERE)
        return n;
    done = done > p->head ? done - p->head : 0;
    if (p->length > done)
        iov[n++] = (struct iovec){(void *)(p->data + done), p->length - done};
    return n;
}

/* Before a large frame is an ACK frame (link.h); not where loans are made, on one host. */
static void space_out(struct link *l)
{
    if (l->loan.loans || l->ack.spaced || piece_of(l->cursor)->length < LINK_LARGE)
        return;
    prepare_ack_frame(l, 0);
    l->ack.spaced = true;
}

/* The frame that is no part of the stream and is before what is written next, if any. */
static void prepare_control(struct link *l)
{
    bool on = goes_on(l);

    if (l->ack.ack_left > 0 || !at_boundary(l))
        return;
    if (link_cast_must_report(l, on)) {
        prepare_ack_frame(l, 0);
        l->ack.spaced = on;
    } else if (on) {
        space_out(l);
    } else if (l->ack.asks || l->ack.tail_probes || ack_is_due(l) || l->cast.heard_due) {
        prepare_ack_frame(l, l->ack.asks ? FRAME_WANT_ACK : 0);
        l->ack.asks = l->ack.tail_probes = false;
    }
    if (on)
        l->written_ack = l->received;
}

int link_output(struct link *l, struct iovec iov[LINK_IOV])
{
    int n = 0, parts = 1;

    prepare_control(l);
    if (l->ack.ack_left > 0)
        iov[n++] = (struct iovec){l->ack.ack_frame + FRAME_SIZE - l->ack.ack_left, l->ack.ack_left};
    if (link_cast_must_report(l, true))
        return n; /* behind the rest of an ACK frame that knew less */
    for (struct list_node *c = l->cursor;
         c != &l->pieces && !piece_of(c)->apart && n + 2 <= LINK_IOV && parts > 0;
         c = c->next, n += parts)
        parts = piece_output(l, piece_of(c), iov + n);
    return n;
}

const void *link_short_output(struct link *l, size_t *bytes)
{
    struct piece *p = piece_of(l->cursor);

    if (!link_has_output(l) || l->cursor->next != &l->pieces || l->ack.ack_left > 0 ||
        p->start != l->written || p->data != p->copy || p->place != NOWHERE ||
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

/* The stream byte up to which p passes through the connection. */
static uint64_t carried_end(const struct piece *p)
{
    return p->place != NOWHERE ? p->start + p->head : piece_end(p);
}

void link_written(struct link *l, size_t bytes)
{
    size_t of_ack = bytes < l->ack.ack_left ? bytes : l->ack.ack_left;

    l->ack.ack_left -= (unsigned)of_ack;
    bytes -= of_ack;
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

int link_acknowledged(struct link *l, uint64_t ack)
{
    if (ack > l->written)
        return error_set(HN_EPROTO, "acknowledgement of bytes never sent");
    if (ack <= l->acked)
        return HN_OK;
    l->acked = ack;
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

int link_requeue(struct link *l, uint64_t place, const hn_info *info, hn_context context,
                 const void *data)
{
    size_t bytes = info->count * type_size(info->type);
    struct frame f = link_first_frame(info, context, bytes);
    struct list_node *next = l->pieces.next;
    struct piece *p =
        piece_new(l, &f, false, NULL, NULL); /* as link_sent_beside() has counted it */

    if (!p)
        return no_memory(info);
    memcpy(p->copy, data, bytes);
    p->start = place;
    while (next != &l->pieces && piece_of(next)->start < place)
        next = next->next;
    list_append(next, &p->node); /* before it */
    l->match->outgoing += pool_size(sizeof *p + p->length);
    keep_for_agent(l, p);
    return HN_OK;
}

void link_broken(struct link *l)
{
    l->in.have = 0; /* not counted as received, so it comes again */
    l->ack.ack_left = 0;
    l->ack.spaced = l->ack.tail_probes = false;
    l->part = LINK_PART;
    l->loan.loans = NULL;
    l->loan.lends = 0;
    l->loan.fetches = l->loan.payload_lent = false;
    l->loan.lent = l->loan.returned = l->loan.fetched = 0;
    list_for_each (n, &l->pieces)
        piece_of(n)->place = NOWHERE;
    link_cast_broken(l);
}

int link_resume(struct link *l, uint64_t peer_received)
{
    if (l->torn)
        return error_set(HN_EPROTO, "messages to the other side are lost");
    if (peer_received < l->acked || peer_received > l->written)
        return error_set(HN_EPROTO, "the other side claims to have bytes that were never sent");
    int result = link_acknowledged(l, peer_received);
    l->written = l->loan.settled = peer_received;
    l->cursor = l->pieces.next;
    l->confirmed = l->received; /* the handshake has said so */
    return result;
}
