/* link_input.c - parses the incoming bytes of a link into messages (link.h).
 *
 * A small message that is complete in the buffer is matched in place, without a copy.  For other
 * messages, the header is assembled first.  Then the payload is read into the memory that matching
 * selects.
 *
 * Invariant: `received` counts the bytes of the stream that were processed, headers included.
 * Bytes of an incomplete header in `partial` are not counted.  So the value is always a position
 * from which the other side can continue.
 */
#include "link/link.h"

#include "base/error.h"

#include <string.h>

/* A copy from scratch costs time in proportion to its bytes, a further read a system call.  So
 * small payloads are read together with what follows them, and large ones only with one header. */
int link_input(struct link *l, struct iovec iov[2], uint8_t *scratch, size_t size)
{
    bool last = l->in.payload > 0 && l->in.inbound->got + l->in.payload == l->in.inbound->total;
    bool two = l->ack.spaces && size >= 2 * FRAME_SIZE; /* an ACK frame may precede the header */
    size_t header = two ? 2 * FRAME_SIZE : FRAME_SIZE;
    int n = 0;

    if (l->in.payload > 0)
        iov[n++] = (struct iovec){l->in.inbound->data + l->in.inbound->got, l->in.payload};
    if (l->in.payload >= LINK_SMALL && last && list_empty(&l->match->posted))
        return n; /* the receive for the next message may be posted before it arrives */
    if (l->in.payload >= LINK_SMALL)
        size = header;
    else if (l->in.payload == 0 && l->in.large)
        size = header - l->in.have;
    iov[n++] = (struct iovec){scratch, size};
    return n;
}

/* The slot follows from the number of loans so far, as the sender counts in the same way. */
bool link_must_fetch(const struct link *l, unsigned *slot, struct iovec *to)
{
    if (!l->loan.payload_lent)
        return false;
    *slot = l->loan.fetched % LINK_LOANS;
    *to = (struct iovec){l->in.inbound->data + l->in.inbound->got, l->in.payload};
    return true;
}

/* So many bytes of the current payload have arrived in the message's buffer. */
static void payload_arrived(struct link *l, size_t bytes)
{
    struct inbound *in = l->in.inbound;

    l->loan.fetched += l->loan.payload_lent;
    l->loan.payload_lent = false;
    l->in.payload -= (uint32_t)bytes;
    l->received += bytes;
    in->got += bytes;
    if (in->got == in->total) {
        l->in.inbound = NULL;
        match_complete(l->match, in);
    }
}

/* The first frame of a message: finds its receive, or memory for it.  A message's first frame may
 * be empty only if the whole message is. */
static int begin_message(struct link *l, const struct frame *f)
{
    if (l->in.inbound)
        return error_set(HN_EPROTO, "a message begins inside another");
    if (f->length < f->total && f->length == 0)
        return error_set(HN_EPROTO, "a message begins with an empty frame");
    l->in.inbound = match_begin(l->match, l->peer, f);
    if (!l->in.inbound)
        return error_set(HN_ENOMEM, "no memory for a message of %llu bytes",
                         (unsigned long long)f->total);
    l->in.inbound->number = ++l->messages_in;
    /* Messages of similar length tend to follow each other, so the next header is read alone if
     * this message is large. */
    l->in.large = f->total >= LINK_LARGE;
    l->in.payload = f->length;
    /* No payload will arrive that would complete it. */
    if (f->total == 0)
        payload_arrived(l, 0);
    return HN_OK;
}

/* Processes the fields that the headers of all frames except ACK have.  The acknowledgement is
 * processed first: it is valid even if the rest of the frame is not. */
static int accept_header(struct link *l, const struct frame *f)
{
    int result = link_acknowledged(l, f->ack);

    if (result != HN_OK)
        return result;
    if (l->bye_received)
        return error_set(HN_EPROTO, "data after the closing frame");
    if (f->flags & FRAME_LENT && (!l->loan.fetches || f->length == 0))
        return error_set(HN_EPROTO, "a loan that nobody can take");
    l->received += f->size;
    l->loan.payload_lent = f->flags & FRAME_LENT;
    if (f->flags & FRAME_WANT_ACK)
        l->wanted = l->received + f->length;
    return HN_OK;
}

/* Processes what an ACK frame reports about datagrams: everything before byte `total` was sent in
 * them. */
static int receive_notes(struct link *l, const struct frame *f)
{
    int result = HN_OK;

    if (f->flags & FRAME_REACH)
        l->cast.reach = f->tag;
    if (f->flags & FRAME_CAST && f->total > l->received) {
        result = link_receive_held(l);
        l->cast.gap = f->total > l->received ? f->total : 0;
    }
    return result;
}

/* A request for an acknowledgement covers the missing frames, too, so that the answer is sent after
 * their repair. */
static int receive_ack(struct link *l, const struct frame *f)
{
    int result = link_acknowledged(l, f->ack);

    if (result == HN_OK)
        result = receive_notes(l, f);
    if (f->flags & FRAME_WANT_ACK)
        l->wanted = l->cast.gap > 0 ? l->cast.gap : l->received;
    return result;
}

/* Prepares for the payload that follows such a header.  The remaining kind is the closing frame,
 * which has no payload. */
static int begin_payload(struct link *l, const struct frame *f)
{
    if (f->kind == FRAME_MSG)
        return begin_message(l, f);
    if (f->kind == FRAME_MORE) {
        /* More than the message announced would be written behind its buffer. */
        if (!l->in.inbound || f->length > l->in.inbound->total - l->in.inbound->got)
            return error_set(HN_EPROTO, "a continuation that belongs to no message");
        if (!match_make_room(l->match, l->in.inbound, f->length))
            return error_set(HN_ENOMEM, "no memory for a message of %zu bytes",
                             l->in.inbound->total);
        l->in.payload = f->length;
        return HN_OK;
    }
    if (l->in.inbound)
        return error_set(HN_EPROTO, "closing frame inside a message");
    l->bye_received = true;
    return HN_OK;
}

/* There was no memory for a frame: treats it as not received.  The caller closes the connection,
 * and the next one sends the frame again (link.h). */
static int undo_receive(struct link *l, uint64_t received, uint64_t messages_in)
{
    l->received = received;
    l->messages_in = messages_in;
    return HN_ENOMEM;
}

/* Processes the header of a frame that is part of the stream. */
static int receive_header(struct link *l, const struct frame *f)
{
    uint64_t received = l->received, messages_in = l->messages_in;
    int result = accept_header(l, f);

    if (result == HN_OK)
        result = begin_payload(l, f);
    return result == HN_ENOMEM ? undo_receive(l, received, messages_in) : result;
}

/* Processes a header that has arrived through the connection.  A message behind an ACK frame shows
 * that the sender aligns large frames (link_input()). */
static int receive_control(struct link *l, const uint8_t *header)
{
    struct frame f;
    int result = frame_decode(header, l->acked, &f);

    if (result != HN_OK)
        return result;
    if (f.kind == FRAME_MSG)
        l->ack.spaces = l->ack.after_ack;
    l->ack.after_ack = f.kind == FRAME_ACK;
    return f.kind == FRAME_ACK ? receive_ack(l, &f) : receive_header(l, &f);
}

/* Processes a whole message in one frame. */
static int receive_message(struct link *l, const struct frame *f, const uint8_t *payload)
{
    uint64_t received = l->received, messages_in = l->messages_in;
    int result = accept_header(l, f);

    if (result != HN_OK)
        return result;
    l->in.large = false;
    l->received += f->length;
    result = match_whole(l->match, l->peer, f, ++l->messages_in, payload);
    return result == HN_ENOMEM ? undo_receive(l, received, messages_in) : result;
}

/* For frames from datagrams and from the stash, which are complete.  Small messages take the short
 * way, as in receive_whole(). */
int link_receive_frame(struct link *l, const struct frame *f, const uint8_t *payload)
{
    if (f->kind == FRAME_MSG && f->length == f->total && f->length < LINK_SMALL && !l->in.inbound)
        return receive_message(l, f, payload);
    int result = receive_header(l, f);
    if (result != HN_OK || f->length == 0)
        return result;
    memcpy(l->in.inbound->data + l->in.inbound->got, payload, f->length);
    payload_arrived(l, f->length);
    return HN_OK;
}

/* Processes the next frame in `in` if it is a small, complete message: then *used > 0.  `in` may be
 * shared memory, which the other side may change, so nothing is read twice. */
static int receive_whole(struct link *l, const uint8_t *in, size_t bytes, size_t *used)
{
    uint8_t header[FRAME_SIZE];
    struct frame f;

    *used = 0;
    if (l->in.have > 0 || l->in.inbound || bytes < FRAME_SHORT_SIZE)
        return HN_OK;
    memcpy(header, in, bytes < FRAME_SIZE ? bytes : FRAME_SIZE);
    if (bytes < frame_size(header[0]))
        return HN_OK;
    /* An invalid header is no error here: receive_part() decodes it again, and returns the
     * error. */
    if (frame_decode(header, l->acked, &f) != HN_OK || f.kind != FRAME_MSG ||
        f.flags & FRAME_LENT || f.length != f.total || f.length >= LINK_SMALL ||
        f.length > bytes - f.size)
        return HN_OK;
    int result = receive_message(l, &f, in + f.size);
    *used = result == HN_OK ? f.size + f.length : 0;
    return result;
}

/* Slots have no frame header, but count as one of FRAME_SIZE bytes on both sides
 * (link_sent_beside()).  They carry no acknowledgement either. */
int link_receive_beside(struct link *l, const struct frame *f, const void *data)
{
    int result = frame_check_message(f);

    if (result != HN_OK)
        return result;
    if (l->bye_received)
        return error_set(HN_EPROTO, "data after the closing frame");
    uint64_t received = l->received, messages_in = l->messages_in;
    l->in.large = false;
    l->received += FRAME_SIZE + f->length;
    result = match_whole(l->match, l->peer, f, ++l->messages_in, data);
    return result == HN_ENOMEM ? undo_receive(l, received, messages_in) : result;
}

/* Ends early when a receive was served and none is posted: the program's next receive may then get
 * its message without a copy. */
int link_receive(struct link *l, const uint8_t *in, size_t bytes, size_t *used)
{
    uint64_t finished = l->match->finished;
    size_t n;

    *used = 0;
    do {
        int result = receive_whole(l, in + *used, bytes - *used, &n);

        if (result != HN_OK)
            return result;
        *used += n;
        /* The bound lets the caller release the ring's memory (ring_skip()) before the writer runs
         * out of it. */
    } while (n > 0 && *used < LINK_SMALL &&
             (l->match->finished == finished || !list_empty(&l->match->posted)));
    return HN_OK;
}

/* Copies bytes of a header or payload from `in`; *used: their number.  At most one header or
 * payload is advanced, so the caller calls again while bytes are left. */
static int receive_part(struct link *l, const uint8_t *in, size_t bytes, size_t *used)
{
    size_t n, size;

    if (l->in.payload > 0) {
        n = bytes < l->in.payload ? bytes : l->in.payload;
        memcpy(l->in.inbound->data + l->in.inbound->got, in, n);
        payload_arrived(l, n);
        *used = n;
        return HN_OK;
    }
    /* The first byte determines whether the header is a short one. */
    size = frame_size(l->in.have > 0 ? l->in.partial[0] : in[0]);
    n = bytes < size - l->in.have ? bytes : size - l->in.have;
    memcpy(l->in.partial + l->in.have, in, n);
    l->in.have += (unsigned)n;
    *used = n;
    if (l->in.have < size)
        return HN_OK;
    l->in.have = 0;
    return receive_control(l, l->in.partial);
}

/* Between two frames of the stream, a held frame from a datagram may be next. */
static int receive_held(struct link *l)
{
    return l->in.payload > 0 || list_empty(&l->cast.held) ? HN_OK : link_receive_held(l);
}

/* Alternates between whole messages and parts of frames.  If a frame is missing (link_misses()),
 * the rest of the bytes is stored until datagrams have delivered it. */
int link_received(struct link *l, const uint8_t *scratch, size_t bytes)
{
    size_t direct = bytes < l->in.payload ? bytes : l->in.payload;

    /* The first entry of link_input() was filled before scratch. */
    if (direct > 0)
        payload_arrived(l, direct);
    bytes -= direct;
    int result = receive_held(l);
    while (bytes > 0 && result == HN_OK) {
        size_t used;

        result = receive_whole(l, scratch, bytes, &used);
        if (result == HN_OK && used == 0)
            result = receive_part(l, scratch, bytes, &used);
        if (result == HN_OK)
            result = receive_held(l);
        scratch += used;
        bytes -= used;
        if (result == HN_OK && link_misses(l))
            return link_stash(l, scratch, bytes);
    }
    return result;
}
