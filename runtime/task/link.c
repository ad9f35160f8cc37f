/* link.c - framing, acknowledgement and resumption of the streams between two tasks (link.h). */
#include "link.h"

#include "bytes.h"
#include "error.h"
#include "type.h"
#include "way.h"

#include <string.h>

/* Received bytes after which an acknowledgement is sent without being asked for: rare enough to
 * cost nothing, often enough to keep the sender's memory small. */
enum { ACK_INTERVAL = 512 << 10 };

/* A payload of which so much is missing is read by itself; less is read with what follows it. */
enum { BULK = 4 << 10 };

/* Payloads of this size leave room for acknowledgements between them. */
enum { PART = 256 << 10 };

/* Larger messages may be lent in larger parts, each of which is a system call for the reader. */
enum { LARGE = 512 << 10 };

/* One frame of our stream, kept until it is acknowledged. */
struct piece {
    struct list_node node;
    uint64_t start; /* stream offset of its header */
    uint32_t length;
    const uint8_t *data;       /* payload: copy[], or the caller's buffer */
    struct hn_request *lender; /* whose buffer it is; NULL: copy[] */
    int place;                 /* in l->loans, where it is lent; NOWHERE: it is not */
    size_t total;              /* bytes of the whole message */
    uint8_t header[FRAME_SIZE];
    uint8_t copy[];
};

enum { NOWHERE = -1 };

static uint64_t piece_end(const struct piece *p)
{
    return p->start + FRAME_SIZE + p->length;
}

static struct piece *piece_of(struct list_node *n)
{
    return list_entry(n, struct piece, node);
}

void link_init(struct link *l, hn_tid peer, struct match *match)
{
    *l = (struct link){.peer = peer, .match = match};
    list_init(&l->pieces);
    l->cursor = &l->pieces;
}

static void free_piece(struct link *l, struct piece *p)
{
    pool_put(&l->match->pool, p, sizeof *p + (p->lender ? 0 : p->length));
}

/* Forgets the first piece: acknowledged (HN_OK), or never to be. */
static void drop_piece(struct link *l, struct piece *p, int result)
{
    if (l->cursor == &p->node)
        l->cursor = p->node.next;
    list_remove(&p->node);
    l->returned += p->place != NOWHERE;
    if (p->lender) {
        if (result != HN_OK)
            p->lender->result = result;
        if (--p->lender->pieces == 0)
            request_finish(p->lender, p->lender->result);
    } else {
        l->match->outgoing -= sizeof *p + p->length;
    }
    free_piece(l, p);
}

void link_clear(struct link *l, int result)
{
    while (!list_empty(&l->pieces))
        drop_piece(l, piece_of(l->pieces.next), result);
    l->acked = l->written = l->queued;
    if (l->inbound)
        match_abort(l->match, l->inbound, result);
    l->inbound = NULL;
    l->payload = 0;
}

/* ---- sending ------------------------------------------------------------------------------ */

/* A frame without its payload. */
static struct piece *new_piece(struct link *l, const struct frame *f, struct hn_request *lender)
{
    struct piece *p = pool_get(&l->match->pool, sizeof *p + (lender ? 0 : f->length));

    if (!p)
        return NULL;
    p->length = f->length;
    p->lender = lender;
    p->total = f->total;
    p->place = NOWHERE;
    p->data = p->copy;
    frame_encode(f, p->header);
    return p;
}

static void enqueue(struct link *l, struct piece *p)
{
    p->start = l->queued;
    l->queued = piece_end(p);
    list_append(&l->pieces, &p->node);
    if (l->cursor == &l->pieces)
        l->cursor = &p->node;
    if (p->lender)
        p->lender->pieces++;
    else
        l->match->outgoing += sizeof *p + p->length;
}

/* Makes the frames of a message, without payload, on the list `frames`. */
static int make_frames(struct link *l, const hn_info *info, hn_context context,
                       struct hn_request *lender, struct list_node *frames)
{
    size_t left = info->count * hn_type_size(info->type);
    uint32_t most = PART;
    struct frame f = {.kind = FRAME_MSG,
                      .flags = type_machine_is_big_endian() ? FRAME_BIG_ENDIAN : 0,
                      .type = (uint16_t)info->type,
                      .context = context,
                      .tag = info->tag,
                      .total = left};

    if (l->loans && left >= LARGE)
        most = FRAME_PAYLOAD_MAX;
    list_init(frames);
    do {
        struct piece *p;

        f.length = left < most ? (uint32_t)left : most;
        if (lender && f.length == left && info->count * hn_type_size(info->type) >= LINK_WAIT)
            f.flags |= FRAME_WANT_ACK;
        p = new_piece(l, &f, lender);
        if (!p) {
            list_for_each_safe (n, frames)
                free_piece(l, piece_of(n));
            return error_set(HN_ENOMEM, "no memory to queue a message of %zu elements",
                             info->count);
        }
        list_append(frames, &p->node);
        left -= f.length;
        f = (struct frame){.kind = FRAME_MORE, .flags = f.flags, .total = f.total};
    } while (left > 0);
    l->messages_out++;
    return HN_OK;
}

int link_send_copy(struct link *l, const hn_info *info, hn_context context, const void *data)
{
    const uint8_t *bytes = data;
    struct list_node frames;
    int result = make_frames(l, info, context, NULL, &frames);

    if (result != HN_OK)
        return result;
    list_for_each_safe (n, &frames) {
        struct piece *p = piece_of(n);
        list_remove(n);
        if (p->length > 0) {
            memcpy(p->copy, bytes, p->length);
            bytes += p->length;
        }
        enqueue(l, p);
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
        enqueue(l, p);
        r->last = &p->node;
    }
    r->link = l;
    r->number = l->messages_out;
    return HN_OK;
}

size_t link_own_cost(const struct hn_request *r)
{
    size_t bytes = r->pieces * (size_t)FRAME_PAYLOAD_MAX;
    size_t total = r->info.count * hn_type_size(r->info.type);

    return r->pieces * sizeof(struct piece) + (bytes < total ? bytes : total);
}

bool link_ack_is_near(const struct hn_request *r)
{
    return r->pieces > 0 && (piece_of(r->last)->header[1] & FRAME_WANT_ACK ||
                             r->link->queued - piece_end(piece_of(r->last)) >= ACK_INTERVAL);
}

/* Tells where a lent payload is: before its former place is used for anything else. */
static void show_loan(struct link *l, const struct piece *p)
{
    atomic_store(&l->loans[p->place], (uintptr_t)p->data);
    atomic_thread_fence(memory_order_seq_cst);
}

/* Puts a piece with a copy of the bytes in the place of one that borrows them; NULL: no memory. */
static struct piece *own_piece(struct link *l, struct piece *p)
{
    struct piece *copy = pool_get(&l->match->pool, sizeof *copy + p->length);

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
    l->match->outgoing += sizeof *copy + copy->length;
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
    struct piece *p =
        new_piece(l, &(struct frame){.kind = FRAME_BYE, .flags = FRAME_WANT_ACK}, NULL);

    if (!p)
        return error_set(HN_ENOMEM, "no memory to say goodbye");
    enqueue(l, p);
    l->bye_sent = true;
    return HN_OK;
}

/* True when the next byte to write begins a frame, so that an ACK frame may stand before it. */
static bool at_boundary(const struct link *l)
{
    return l->cursor == &l->pieces || piece_of(l->cursor)->start == l->written;
}

static bool ack_is_due(const struct link *l)
{
    return (l->told < l->wanted && l->received >= l->wanted) ||
           l->received - l->told >= ACK_INTERVAL;
}

static void prepare_ack_frame(struct link *l)
{
    frame_encode(&(struct frame){.kind = FRAME_ACK, .ack = l->received}, l->ack_frame);
    l->ack_left = FRAME_SIZE;
    l->told = l->received;
}

/* What changes in a header until it is written. */
static void complete_header(const struct link *l, struct piece *p)
{
    uint8_t *flags = p->header + 1;

    bytes_put64(p->header + FRAME_SIZE - 8, l->received); /* every header acknowledges */
    *flags = (uint8_t)(p->place != NOWHERE ? *flags | FRAME_LENT : *flags & ~FRAME_LENT);
}

/* Whether p is to be lent, and is not yet. */
static bool wants_loan(const struct link *l, const struct piece *p)
{
    return l->loans && p->length >= l->lend_least && l->lends >> way_class(p->total) & 1 &&
           p->place == NOWHERE && l->written <= p->start;
}

static void lend(struct link *l, struct piece *p)
{
    p->place = (int)(l->lent++ % LINK_LOANS);
    show_loan(l, p);
}

static bool loans_left(const struct link *l)
{
    return l->lent - l->returned < LINK_LOANS;
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
    if (done == 0)
        complete_header(l, p);
    if (done < FRAME_SIZE)
        iov[n++] = (struct iovec){p->header + done, FRAME_SIZE - done};
    if (p->place != NOWHERE)
        return n;
    done = done > FRAME_SIZE ? done - FRAME_SIZE : 0;
    if (p->length > done)
        iov[n++] = (struct iovec){(void *)(p->data + done), p->length - done};
    return n;
}

int link_output(struct link *l, struct iovec iov[LINK_IOV])
{
    int n = 0, parts = 1;

    if (l->cursor == &l->pieces && l->ack_left == 0 && ack_is_due(l))
        prepare_ack_frame(l);
    else if (l->ack_left == 0 && at_boundary(l) && l->cursor != &l->pieces)
        l->written_ack = l->received;
    if (l->ack_left > 0)
        iov[n++] = (struct iovec){l->ack_frame + FRAME_SIZE - l->ack_left, l->ack_left};
    for (struct list_node *c = l->cursor; c != &l->pieces && n + 2 <= LINK_IOV && parts > 0;
         c = c->next, n += parts)
        parts = piece_output(l, piece_of(c), iov + n);
    return n;
}

/* The stream byte up to which p passes through the connection. */
static uint64_t carried_end(const struct piece *p)
{
    return p->place != NOWHERE ? p->start + FRAME_SIZE : piece_end(p);
}

void link_written(struct link *l, size_t bytes)
{
    size_t of_ack = bytes < l->ack_left ? bytes : l->ack_left;

    l->ack_left -= (unsigned)of_ack;
    bytes -= of_ack;
    if (bytes > 0 && l->written_ack > l->told)
        l->told = l->written_ack;
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
}

/* ---- receiving ---------------------------------------------------------------------------- */

int link_input(struct link *l, struct iovec iov[2], uint8_t *scratch, size_t size)
{
    bool last = l->payload > 0 && l->inbound->got + l->payload == l->inbound->total;
    int n = 0;

    if (l->payload > 0)
        iov[n++] = (struct iovec){l->inbound->data + l->inbound->got, l->payload};
    if (l->payload >= BULK && last && list_empty(&l->match->posted))
        return n; /* the receive of the next message may be posted before it comes */
    iov[n++] = (struct iovec){scratch, l->payload >= BULK ? FRAME_SIZE : size};
    return n;
}

bool link_must_fetch(const struct link *l, unsigned *place, struct iovec *to)
{
    if (!l->payload_lent)
        return false;
    *place = l->fetched % LINK_LOANS;
    *to = (struct iovec){l->inbound->data + l->inbound->got, l->payload};
    return true;
}

/* bytes of the current payload have reached the message's buffer. */
static void payload_arrived(struct link *l, size_t bytes)
{
    struct inbound *in = l->inbound;

    l->fetched += l->payload_lent;
    l->payload_lent = false;
    l->payload -= (uint32_t)bytes;
    l->received += bytes;
    in->got += bytes;
    if (in->got == in->total) {
        l->inbound = NULL;
        match_complete(l->match, in);
    }
}

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

static int begin_message(struct link *l, const struct frame *f)
{
    if (l->inbound)
        return error_set(HN_EPROTO, "a message begins inside another");
    if (f->length < f->total && f->length == 0)
        return error_set(HN_EPROTO, "a message begins with an empty frame");
    l->inbound = match_begin(l->match, l->peer, f);
    if (!l->inbound)
        return error_set(HN_ENOMEM, "no memory for a message of %llu bytes",
                         (unsigned long long)f->total);
    l->inbound->number = ++l->messages_in;
    l->payload = f->length;
    if (f->total == 0)
        payload_arrived(l, 0);
    return HN_OK;
}

static int take_header(struct link *l, const uint8_t *header)
{
    struct frame f;
    int result = frame_decode(header, &f);

    if (result == HN_OK)
        result = link_acknowledged(l, f.ack);
    if (result != HN_OK || f.kind == FRAME_ACK)
        return result;
    if (l->bye_received)
        return error_set(HN_EPROTO, "data after the farewell");
    if (f.flags & FRAME_LENT && (!l->fetches || f.length == 0))
        return error_set(HN_EPROTO, "a loan that nobody can take");
    l->received += FRAME_SIZE;
    l->payload_lent = f.flags & FRAME_LENT;
    if (f.flags & FRAME_WANT_ACK)
        l->wanted = l->received + f.length;
    if (f.kind == FRAME_MSG)
        return begin_message(l, &f);
    if (f.kind == FRAME_MORE) {
        if (!l->inbound || f.length > l->inbound->total - l->inbound->got)
            return error_set(HN_EPROTO, "a continuation that belongs to no message");
        l->payload = f.length;
        return HN_OK;
    }
    if (l->inbound)
        return error_set(HN_EPROTO, "farewell inside a message");
    l->bye_received = true;
    return HN_OK;
}

/* Takes bytes of a header or payload from in; how many is put into *used. */
static int take_some(struct link *l, const uint8_t *in, size_t bytes, size_t *used)
{
    size_t n;

    if (l->payload > 0) {
        n = bytes < l->payload ? bytes : l->payload;
        memcpy(l->inbound->data + l->inbound->got, in, n);
        payload_arrived(l, n);
        *used = n;
        return HN_OK;
    }
    n = bytes < FRAME_SIZE - l->have ? bytes : FRAME_SIZE - l->have;
    memcpy(l->partial + l->have, in, n);
    l->have += (unsigned)n;
    *used = n;
    if (l->have < FRAME_SIZE)
        return HN_OK;
    l->have = 0;
    return take_header(l, l->partial);
}

int link_received(struct link *l, const uint8_t *scratch, size_t bytes)
{
    size_t direct = bytes < l->payload ? bytes : l->payload;

    if (direct > 0)
        payload_arrived(l, direct);
    bytes -= direct;
    while (bytes > 0) {
        size_t used;
        int result = take_some(l, scratch, bytes, &used);

        if (result != HN_OK)
            return result;
        scratch += used;
        bytes -= used;
    }
    return HN_OK;
}

/* ---- resumption --------------------------------------------------------------------------- */

void link_broken(struct link *l)
{
    l->have = 0; /* not counted as received, so it comes again */
    l->ack_left = 0;
    l->loans = NULL;
    l->lends = 0;
    l->fetches = l->payload_lent = false;
    l->lent = l->returned = l->fetched = 0;
    list_for_each (n, &l->pieces)
        piece_of(n)->place = NOWHERE;
}

int link_resume(struct link *l, uint64_t peer_received)
{
    int result;

    if (peer_received < l->acked || peer_received > l->written)
        return error_set(HN_EPROTO, "the other side claims to have bytes that were never sent");
    result = link_acknowledged(l, peer_received);
    l->written = peer_received;
    l->cursor = l->pieces.next;
    l->told = l->received; /* the handshake has told it */
    return result;
}
