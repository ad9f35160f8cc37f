/* link.h - the two reliable byte streams between this task and one other task.
 *
 * A link does no I/O and does not depend on the transport.  The engine asks for the bytes to write
 * next (link_output) and reports how many were written (link_written).  It asks where incoming
 * bytes should be stored (link_input) and reports how many arrived (link_received).  A connection
 * may break at any byte.  Both sides then exchange the number of stream bytes that they have
 * received, and continue from there (link_resume).  The sender keeps all data until the other side
 * has acknowledged it.  So nothing is lost, duplicated or reordered.
 *
 * A stream is a sequence of frames (frame.h).  ACK frames are not part of the stream: they are sent
 * between its frames and are never repeated.  One ACK frame precedes each large message, even when
 * there is nothing new to acknowledge.  Together with the message's header it fills a cache line,
 * so payloads of round lengths stay aligned to cache lines.  The kernel copies aligned payloads
 * faster, in and out.
 *
 * Between tasks on one host, the writer may lend the payload of a large message instead of sending
 * it through the connection.  The header then has FRAME_LENT, and the next of LINK_LOANS slots in
 * shared memory holds the payload's address.  The reader copies the bytes from there
 * (cross_read.h).  They still count as bytes of the stream.  So if the connection breaks, the next
 * one carries the rest of a lent payload.  When the writer must move the bytes (link_own), it
 * changes the address in the slot.  A reader that was copying meanwhile detects the change
 * afterwards and copies again.
 *
 * A frame may also be sent to several tasks at once in a datagram (cast.h), which may be lost.
 * Such a frame has a position in each receiver's stream, and the datagram contains that position.
 * The receiver processes the frame at once if it has all earlier bytes, and holds it otherwise.
 * Frames that have not arrived when the connection breaks are sent again through the next
 * connection.  Datagrams from before the break must not be passed to the link any more
 * (handshake.h).
 *
 * Before the connection continues after such a frame, an ACK frame with FRAME_CAST announces the
 * gap.  The receiver can request a missing frame (link_gap(), link_cast_lost()).  If the repair
 * does not arrive, the receiver breaks the connection, and the next one carries everything.
 */
#pragma once

#include "match/match.h"

#include <stdatomic.h>
#include <sys/uio.h>

/* Owned by struct peer, and as long-lived: it survives any number of connections.  All positions
 * count bytes of a stream from 0 since both tasks first met, and never decrease, except
 * `written`. */
struct link {
    hn_tid peer;
    struct match *match; /* delivers received messages */

    /* Outgoing stream bytes [acked, queued); those before `written` were passed to the connection.
     * Invariant: acked <= written <= queued. */
    struct list_node pieces; /* struct piece, ascending; the first is not fully acknowledged */
    struct list_node
        *cursor; /* the piece that contains byte `written`; the list head: all is written */
    uint64_t acked, written, queued;
    uint32_t part; /* maximum payload of a frame that is not lent: LINK_PART, or LINK_PART_FAST on a
                      fast connection */

    /* Incoming stream bytes parsed so far. */
    uint64_t received, confirmed; /* confirmed: the last acknowledgement sent */
    uint64_t wanted;              /* the other side waits for the acknowledgement of this byte */
    uint64_t overdue;     /* bytes before this one must be acknowledged with the next output */
    uint64_t written_ack; /* acknowledgement in the output of the last link_output() */
    struct {              /* the frame that is arriving */
        uint8_t partial[FRAME_SIZE];
        unsigned have;           /* bytes of an incomplete header in partial */
        uint32_t payload;        /* bytes of the current frame that have not arrived */
        struct inbound *inbound; /* the message that receives them; NULL between messages */
        bool large;              /* the last message was large, so the next one may be, too */
    } in;

    struct {                           /* our ACK frames */
        uint8_t ack_frame[FRAME_SIZE]; /* the last ack_left bytes of this one are not written yet */
        unsigned ack_left;
        bool spaced;    /* an ACK frame already precedes the next large frame */
        bool after_ack; /* the last header that arrived was an ACK frame's */
        bool spaces;    /* an ACK frame preceded the last message, so it may precede the next one */
        bool asks;      /* when all is written, request an acknowledgement from the other side */
        bool tail_probes; /* when all is written, send an ACK frame unconditionally */
    } ack;
    bool bye_received;
    bool lost; /* bytes of our stream are lost, so that no connection can continue it */
    uint64_t messages_out, messages_in; /* begun so far */

    struct {
        /* Valid for the current connection.  The i-th loan uses slot i % LINK_LOANS. */
        _Atomic uint64_t *loans; /* addresses for the other side; NULL: it cannot read our memory */
        size_t lend_least;       /* shorter payloads are never lent */
        uint32_t lends;          /* bit mask of the size classes that are lent (copy_mode.h) */
        uint64_t decided; /* for frames before this byte it is decided whether they are lent */
        unsigned lent, returned; /* loans made, and loans acknowledged */
        bool fetches;            /* we can read the other side's memory */
        bool payload_lent;       /* the current payload does not arrive through the connection */
        unsigned fetched;        /* loans of the other side that were read */
    } loan;

    struct {            /* datagrams */
        uint32_t epoch; /* counts connections, and times when datagrams were abandoned
                           (link_cast_recall) */
        uint64_t
            cast_end; /* end of the last frame that was skipped because a datagram carries it */
        uint64_t cast_announced; /* value of cast_end that the other side knows */
        size_t cast_out;         /* payload bytes sent in datagrams and not acknowledged */
        size_t cast_held;    /* those of them that the other side holds behind a gap: no longer in
                                flight, */
        uint64_t held_end;   /* up to this byte */
        size_t cast_unasked; /* payload bytes in datagrams since the last request for an
                                acknowledgement */
        bool announces;      /* announce cast_end even if no frame follows */
        int32_t reach;     /* interface by which our datagrams reach the other side; 0: none does */
        int32_t reach_due; /* interface to report, by which its datagrams reach us; 0: none */
        struct list_node held; /* struct held (link_cast.c), ascending: early frames, */
        size_t held_bytes;     /* and their bytes */
        uint64_t gap;          /* a frame is missing before this byte; 0: none is */
        uint8_t *stash;        /* bytes that arrived through the connection behind the gap */
        size_t stash_bytes;
    } cast;
};

/* The payload of a frame that several links share. */
struct link_cast {
    unsigned holders; /* references: pieces of links, and the datagram sender */
    bool sent;        /* a datagram with it was sent */
    uint64_t number;  /* number of the last datagram that contained it */
    uint64_t again;   /* time when it was sent again (engine_now); 0: never */
    uint32_t length;
    uint8_t payload[];
};

/* LINK_IOV: entries that one writev(2) takes at most.  LINK_WAIT: for borrowed messages of at least
 * so many bytes the other side is asked to acknowledge at once, as the sender waits for that
 * instead of copying. */
enum { LINK_IOV = 32, LINK_WAIT = 256 << 10 };

/* Bytes.  Smaller payloads are received together with the frames around them, larger ones alone. */
enum { LINK_SMALL = 4 << 10 };

/* Bytes.  The header of a longer message is read alone.  If a part of the payload were read with
 * it, that part would have to be copied. */
enum { LINK_LARGE = 32 << 10 };

/* Bytes: the maximum payload of a frame.  Acknowledgements of the other direction travel between
 * frames, so a frame must not take long.  On a fast connection frames are longer, because each
 * frame costs both sides time. */
enum { LINK_PART = 256 << 10, LINK_PART_FAST = 2 << 20 };

/* Loans at a time: 128 MiB of the longest payloads.  The slots of both directions fit into one
 * page. */
enum { LINK_LOANS = 32 };

/* The first frame of a message; a short message has no other. */
struct frame link_first_frame(const hn_info *info, hn_context context, size_t bytes);

void link_init(struct link *l, hn_tid peer, struct match *match);
/* Frees the queue.  Send requests in flight and a partly received message fail with `result`. */
void link_clear(struct link *l, int result);

/* Queues a message and copies its bytes: HN_OK, or HN_ENOMEM (nothing is queued). */
int link_send_copy(struct link *l, const hn_info *info, hn_context context, const void *data);
/* Queues a message without a copy.  The caller must keep the bytes unchanged until r is done. */
int link_send_borrow(struct link *l, const hn_info *info, hn_context context, const void *data,
                     struct hn_request *r);
/* Copies the bytes of r that are not acknowledged, so that r is done (HN_OK) and the caller may
 * reuse its buffer.  HN_ENOMEM: r is unchanged. */
int link_own(struct hn_request *r);
/* Bytes that link_own() would allocate, without the rounding of pool.h. */
size_t link_own_cost(const struct hn_request *r);
/* Whether an acknowledgement of all of r will arrive soon without a request for it. */
bool link_ack_is_near(const struct hn_request *r);
/* Queues the closing frame.  Nothing may be sent after it. */
int link_send_bye(struct link *l);

/* The bytes to write next.  Returns the number of entries filled; 0: there is nothing to write. */
int link_output(struct link *l, struct iovec iov[LINK_IOV]);
/* Whether bytes of messages wait to be written. link_output() may return acknowledgements
 * without. */
static inline bool link_has_output(const struct link *l)
{
    return l->cursor != &l->pieces;
}
/* Whether writing can continue only after the other side has acknowledged a loan. */
bool link_out_of_loans(const struct link *l);
/* Makes the next output acknowledge all received bytes.  Returns false if it is done already. */
bool link_acknowledge(struct link *l);
/* Appends a request for an acknowledgement of all that is queued.  For callers that wait for the
 * memory.  Has no effect where link_short_output() is used. */
void link_ask(struct link *l);
/* If there is nothing else to write, the next output is an ACK frame (tail probe). */
void link_probe_tail(struct link *l);
/* The connection accepted so many of the bytes that link_output() returned. */
void link_written(struct link *l, size_t bytes);
/* As link_output() where the only output is one small message: its bytes, contiguous.  NULL: the
 * output is something else.  For connections that acknowledge by other means than frames. */
const void *link_short_output(struct link *l, size_t *bytes);
void link_short_written(struct link *l);

/* Whether some queued pieces are not acknowledged. */
static inline bool link_has_pieces(const struct link *l)
{
    return !list_empty(&l->pieces);
}

/* Counts a message of so many bytes that is sent by another path than link_output(), whose bytes
 * are all acknowledged.  Returns its position in the stream. */
static inline uint64_t link_sent_beside(struct link *l, size_t bytes)
{
    uint64_t position = l->queued;

    l->queued += FRAME_SIZE + bytes;
    l->written = l->queued;
    l->messages_out++;
    return position;
}
/* Such a message has arrived.  Returns as link_received(). */
int link_receive_beside(struct link *l, const struct frame *f, const void *data);
/* Messages sent this way and not acknowledged: positions from the result to *end.  When the
 * connection ends, the caller queues each of them again, in order: HN_OK or HN_ENOMEM. */
uint64_t link_beside(const struct link *l, uint64_t *end);
int link_requeue(struct link *l, uint64_t position, const hn_info *info, hn_context context,
                 const void *data);

/* Where to store the next bytes from the connection: the rest of the current payload, if any, then
 * scratch, if that saves more reads than it costs copies.  Returns the entries filled (1 or 2). */
int link_input(struct link *l, struct iovec iov[2], uint8_t *scratch, size_t size);
/* Whether the next payload must be read from the sender's memory: from the address in slot *slot,
 * into *to.  The caller then reports it by link_received() as if it had been read from the
 * connection.  Where loans are used, scratch must not hold more than one header, because the
 * payload does not follow it. */
bool link_must_fetch(const struct link *l, unsigned *slot, struct iovec *to);
/* So many bytes were read into the space that link_input() returned.  HN_OK.  HN_EPROTO: the link
 * has failed.  HN_ENOMEM: the connection must be closed; the next one continues before the frame
 * for which there was no memory. */
int link_received(struct link *l, const uint8_t *scratch, size_t bytes);

/* Receives small messages that are complete in `bytes` bytes at `in`.  *used: bytes consumed; 0:
 * the next frame is not a small one, so use link_input().  Returns early when no posted receive is
 * left.  Returns as link_received(). */
int link_receive(struct link *l, const uint8_t *in, size_t bytes, size_t *used);

/* The other side has received so many bytes of our stream.  For connections that know this by other
 * means than frames.  HN_EPROTO: so many were never sent. */
int link_acknowledged(struct link *l, uint64_t bytes);

/* The connection is gone: discards frames that were partly sent or partly received. */
void link_broken(struct link *l);
/* A new connection exists, and the other side has so many bytes of our stream.  HN_EPROTO: so many
 * were never sent. */
int link_resume(struct link *l, uint64_t peer_received);

/* ---- link_cast.c: frames sent to several links in datagrams ----------------------------- */

/* Allocates a payload of so many bytes with one reference.  NULL: no memory.  It counts as
 * outgoing. */
struct link_cast *link_cast_new(struct match *m, uint32_t length);
/* Releases one reference. */
void link_cast_drop(struct match *m, struct link_cast *c);
/* Whether our datagrams reach the other side, and stream positions fit into them. */
bool link_is_reached(const struct link *l);
/* Queues a frame with this payload, to be sent in a datagram.  Sets *position to its stream
 * position, and header and *head to its header and length.  HN_OK or HN_ENOMEM. */
int link_send_cast(struct link *l, const struct frame *f, struct link_cast *c, uint64_t *position,
                   uint8_t header[FRAME_SIZE], unsigned *head);
/* The datagram with a frame of so many bytes was sent; c->sent is set. */
void link_cast_sent(struct link *l, const struct link_cast *c);
/* The other side lacks a frame, and holds later frames from datagrams up to byte `end`. */
void link_cast_holds(struct link *l, uint64_t end);
/* Sends through the connection the frames whose datagram was not sent. */
void link_cast_recall(struct link *l);
/* Announces frames in datagrams that no other frame has followed yet.  True: there are some. */
bool link_cast_confirm(struct link *l);
/* Finds the first frame that was sent in a datagram, is not acknowledged, and lies in [*from, end).
 * Returns its payload and header, and sets *from to its end.  NULL: there is none. */
struct link_cast *link_cast_lost(struct link *l, uint64_t *from, uint64_t end,
                                 uint8_t header[FRAME_SIZE], unsigned *head);
/* Finds the stream position of such a frame.  False: this link has no such frame, or it is
 * acknowledged. */
bool link_cast_position(struct link *l, const struct link_cast *c, uint64_t *position);

/* A datagram has brought the whole frame (header and payload) for this stream position.  Returns as
 * link_received(). */
int link_receive_cast(struct link *l, uint64_t position, const uint8_t *frame, size_t bytes);
/* Processes held frames whose position is reached now (called by link_received()). */
int link_receive_held(struct link *l);
/* Whether frames are missing that were perhaps sent in datagrams: from *position on, at most
 * *bytes. */
bool link_gap(const struct link *l, uint64_t *position, uint32_t *bytes);
/* End of the last frame that arrived too early; 0: there is none. */
uint64_t link_held_end(const struct link *l);
/* Whether a frame is missing, so that the connection must not be read. */
static inline bool link_misses(const struct link *l)
{
    return l->cast.gap > 0;
}
/* Appends bytes that arrived through the connection behind the gap to those stored already.  HN_OK
 * or HN_ENOMEM. */
int link_stash(struct link *l, const uint8_t *in, size_t bytes);
/* link_input.c: processes a whole frame of the stream that is in memory. */
int link_receive_frame(struct link *l, const struct frame *f, const uint8_t *payload);

static inline bool link_all_acknowledged(const struct link *l)
{
    return l->acked == l->queued;
}
