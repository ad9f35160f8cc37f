/* link_cast.c - frames of a link's stream that are sent in datagrams (link.h, cast.h).
 *
 * The writer queues such a frame like any other, but skips it when its turn to be written comes.
 * Its position is the stream byte at which it begins.
 */
#include "link/link_piece.h"

#include "multicast/datagram.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Maximum bytes of early frames that a reader holds; further ones count as lost. */
enum { HELD_MOST = 512 << 10 };

/* A frame that has arrived too early. */
struct held {
    struct list_node node;
    uint64_t position;
    size_t bytes;
    uint8_t frame[];
};

/* ---- sending ------------------------------------------------------------------------------ */

/* Memory for a payload that several links share; the caller is the first holder.  Its length counts
 * once as outgoing. */
struct link_cast *link_cast_new(struct match *m, uint32_t length)
{
    struct link_cast *c = outbox_get(&m->outbox, &m->pool, sizeof *c + length);

    if (!c)
        return NULL;
    *c = (struct link_cast){.holders = 1, .length = length};
    m->outgoing += pool_size(sizeof *c + length);
    return c;
}

void link_cast_drop(struct match *m, struct link_cast *c)
{
    if (--c->holders > 0)
        return;
    m->outgoing -= pool_size(sizeof *c + c->length);
    outbox_put(&m->outbox, &m->pool, c, sizeof *c + c->length);
}

/* Whether datagrams to this peer arrive, and the stream's position still fits into one. */
bool link_is_reached(const struct link *l)
{
    return l->cast.reach > 0 && l->queued < DATAGRAM_POSITIONS;
}

/* The piece shares the payload, and counts as `apart` until its connection must carry it.  The
 * header is copied for the datagram, without an acknowledgement. */
int link_send_cast(struct link *l, const struct frame *f, struct link_cast *c, uint64_t *position,
                   uint8_t header[FRAME_SIZE], unsigned *head)
{
    struct piece *p = piece_new(l, f, piece_may_be_short(l, f), NULL, c);

    if (!p)
        return error_set(HN_ENOMEM, "no memory to queue a message");
    c->holders++;
    piece_enqueue(l, p);
    l->messages_out += f->kind == FRAME_MSG;
    *position = p->start;
    *head = p->head;
    memcpy(header, header_of(p), p->head);
    return HN_OK;
}

/* Moves the cursor over consecutive frames that datagrams have carried.  It stops at the first one
 * that is not sent yet, or that the connection carries. */
void link_cast_pass(struct link *l)
{
    while (l->cursor != &l->pieces) {
        const struct piece *p = piece_of(l->cursor);

        if (!p->apart || !p->cast->sent || p->start != l->written)
            return;
        l->written = l->cast.cast_end = piece_end(p);
        l->cursor = l->cursor->next;
    }
}

void link_cast_sent(struct link *l, const struct link_cast *c)
{
    l->cast.cast_out += c->length;
    link_cast_pass(l);
}

/* Each frame is counted once, since held_end only grows.  Frames that the receiver holds are not in
 * flight, so they leave the window; but they are kept until they are acknowledged. */
void link_cast_holds(struct link *l, uint64_t end)
{
    list_for_each (n, &l->pieces) {
        const struct piece *p = piece_of(n);

        if (p->start >= end || (p->apart && !p->cast->sent))
            break;
        if (!p->apart || p->start < l->cast.held_end)
            continue;
        l->cast.cast_held += p->length;
        l->cast.held_end = piece_end(p);
    }
}

/* Frames that were sent stay `apart`, as they may still arrive or be repaired.  The new epoch
 * invalidates the targets in the queue. */
void link_cast_recall(struct link *l)
{
    l->cast.epoch++;
    list_for_each (n, &l->pieces) {
        struct piece *p = piece_of(n);
        p->apart = p->apart && p->cast->sent;
    }
}

/* O(pieces) for each frame.  Repairs are rare, and the window bounds the pieces in datagrams. */
struct link_cast *link_cast_lost(struct link *l, uint64_t *from, uint64_t end,
                                 uint8_t header[FRAME_SIZE], unsigned *head)
{
    list_for_each (n, &l->pieces) {
        struct piece *p = piece_of(n);

        if (p->start >= end)
            break;
        if (p->start < *from || !p->apart || !p->cast->sent)
            continue;
        *from = piece_end(p);
        *head = p->head;
        memcpy(header, header_of(p), p->head);
        return p->cast;
    }
    return NULL;
}

bool link_cast_position(struct link *l, const struct link_cast *c, uint64_t *position)
{
    list_for_each (n, &l->pieces) {
        const struct piece *p = piece_of(n);

        if (p->cast == c && p->apart) {
            *position = p->start;
            return true;
        }
    }
    return false;
}

bool link_cast_confirm(struct link *l)
{
    l->cast.announces = l->cast.cast_announced < l->cast.cast_end && l->acked < l->cast.cast_end;
    return l->cast.announces;
}

bool link_cast_must_report(const struct link *l, bool on)
{
    return l->cast.cast_announced < l->cast.cast_end && (on || l->cast.announces);
}

/* The receiver learns from an ACK frame what datagrams should have brought.  The connection
 * delivers it reliably and in order. */
void link_cast_report(struct link *l, struct frame *f)
{
    if (l->cast.cast_announced < l->cast.cast_end) {
        f->flags |= FRAME_CAST;
        f->total = l->cast.cast_announced = l->cast.cast_end;
        l->cast.announces = false;
    }
    if (l->cast.reach_due) {
        f->flags |= FRAME_REACH;
        f->tag = l->cast.reach_due;
        l->cast.reach_due = 0;
    }
}

void link_cast_done(struct link *l, struct piece *p)
{
    if (p->apart && p->cast->sent) {
        l->cast.cast_out -= p->length;
        l->cast.cast_held -= p->start < l->cast.held_end ? p->length : 0;
    }
    link_cast_drop(l->match, p->cast);
}

/* Everything that concerns datagrams belongs to a connection.  The next one begins with none in
 * flight, and carries all unacknowledged frames. */
void link_cast_broken(struct link *l)
{
    l->cast.epoch++;
    l->cast.cast_end = l->cast.cast_announced = 0;
    l->cast.cast_out = l->cast.cast_unasked = l->cast.cast_held = 0;
    l->cast.held_end = 0;
    l->cast.announces = false;
    l->cast.reach = l->cast.reach_due = 0;
    list_for_each (n, &l->pieces)
        piece_of(n)->apart = false;
    link_drop_held(l);
}

/* ---- receiving ---------------------------------------------------------------------------- */

static struct held *held_of(struct list_node *n)
{
    return list_entry(n, struct held, node);
}

static void drop_held(struct link *l, struct held *h)
{
    list_remove(&h->node);
    l->cast.held_bytes -= h->bytes;
    free(h);
}

void link_drop_held(struct link *l)
{
    list_for_each_safe (n, &l->cast.held)
        drop_held(l, held_of(n));
    free(l->cast.stash);
    l->cast.stash = NULL;
    l->cast.stash_bytes = 0;
    l->cast.gap = 0;
}

/* Stores an early frame.  Without room, it counts as lost.  Frames are sorted by position; most
 * arrive in order, so the search begins at the end. */
static void hold(struct link *l, uint64_t position, const uint8_t *frame, size_t bytes)
{
    struct list_node *before = l->cast.held.prev;

    while (before != &l->cast.held && held_of(before)->position > position)
        before = before->prev;
    if (before != &l->cast.held && held_of(before)->position == position)
        return; /* a duplicate, sent again for other receivers */
    struct held *h = l->cast.held_bytes + bytes <= HELD_MOST ? malloc(sizeof *h + bytes) : NULL;
    if (!h)
        return;
    h->position = position;
    h->bytes = bytes;
    memcpy(h->frame, frame, bytes);
    l->cast.held_bytes += bytes;
    list_append(before->next, &h->node);
}

/* The gap ends at the next frame that is held, or at the position that the connection has
 * announced, whichever is first. */
bool link_gap(const struct link *l, uint64_t *position, uint32_t *bytes)
{
    uint64_t end = l->cast.gap > l->received ? l->cast.gap : UINT64_MAX;

    if (l->in.payload > 0) /* not a gap: the connection is only late */
        return false;
    list_for_each (n, &l->cast.held) {
        uint64_t held = held_of(n)->position;
        if (held > l->received) {
            end = held < end ? held : end;
            break;
        }
    }
    *position = l->received;
    *bytes = (uint32_t)(end - l->received);
    return end != UINT64_MAX;
}

/* The position behind the last frame that is held; 0: none is. */
uint64_t link_held_end(const struct link *l)
{
    const struct held *last = held_of(l->cast.held.prev);

    return list_empty(&l->cast.held) ? 0 : last->position + last->bytes;
}

/* Processes a frame that is next in the stream. */
static int take_now(struct link *l, const uint8_t *frame, size_t bytes)
{
    struct frame f;

    if (bytes < FRAME_SHORT_SIZE || bytes < frame_size(frame[0]))
        return error_set(HN_EPROTO, "a datagram without a frame");
    int result = frame_decode(frame, l->acked, &f);
    if (result != HN_OK)
        return result;
    if ((f.kind != FRAME_MSG && f.kind != FRAME_MORE) || f.size + (size_t)f.length != bytes)
        return error_set(HN_EPROTO, "a datagram that is no frame");
    f.ack = 0; /* all receivers get the same bytes, so it has no acknowledgement */
    return link_receive_frame(l, &f, frame + f.size);
}

/* Frames below the present position were received in the meantime, and are freed. */
int link_receive_held(struct link *l)
{
    int result = HN_OK;

    while (result == HN_OK && !list_empty(&l->cast.held)) {
        struct held *h = held_of(l->cast.held.next);

        if (h->position > l->received)
            break;
        if (h->position == l->received)
            result = take_now(l, h->frame, h->bytes);
        drop_held(l, h);
    }
    return result;
}

/* The connection is not read while a frame is missing, so only the rest of one read is stored. */
int link_stash(struct link *l, const uint8_t *in, size_t bytes)
{
    uint8_t *stash;

    if (bytes == 0)
        return HN_OK;
    stash = realloc(l->cast.stash, l->cast.stash_bytes + bytes);
    if (!stash)
        return error_set(HN_ENOMEM, "no memory for what arrived behind a gap");
    memcpy(stash + l->cast.stash_bytes, in, bytes);
    l->cast.stash = stash;
    l->cast.stash_bytes += bytes;
    return HN_OK;
}

/* Nothing is missing any more: processes the bytes that arrived after the gap. */
static int close_gap(struct link *l)
{
    uint8_t *stash = l->cast.stash;
    size_t bytes = l->cast.stash_bytes;

    l->cast.gap = 0;
    l->cast.stash = NULL;
    l->cast.stash_bytes = 0;
    int result = link_received(l, stash, bytes);
    free(stash);
    return result;
}

/* A frame that would be next waits, too, while the connection is in the middle of a payload. */
int link_receive_cast(struct link *l, uint64_t position, const uint8_t *frame, size_t bytes)
{
    if (position < l->received)
        return HN_OK; /* it has arrived already */
    if (position > l->received || l->in.payload > 0) {
        hold(l, position, frame, bytes);
        return HN_OK;
    }
    int result = take_now(l, frame, bytes);
    if (result == HN_OK)
        result = link_receive_held(l);
    if (result == HN_OK && l->cast.gap > 0 && l->received >= l->cast.gap)
        result = close_gap(l);
    return result;
}
