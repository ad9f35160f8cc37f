/* link.h - the reliable byte streams between this task and one other, whatever carries them.
 *
 * No I/O here.  The engine asks for the bytes to write next (link_output), says how many went out
 * (link_written), asks where bytes that come in should go (link_input) and says how many came
 * (link_received).  A connection may break at any byte: both sides then exchange the number of
 * stream bytes that they have received (link_received_bytes) and continue from there (link_resume);
 * what is sent stays here until the other side has acknowledged it.  So nothing is lost, doubled or
 * reordered.
 *
 * A stream is a sequence of frames (frame.h). ACK frames are not part of it: they stand between its
 * frames and are not repeated.  One is before each large message, also where there is nothing
 * to acknowledge: with it, its header takes a line of the cache, so that payloads of round lengths
 * keep their places in the lines.  The kernel copies those faster, in and out.
 *
 * Between tasks on one host, payloads of large messages need not pass through the connection: their
 * writer lends them.  The header then says FRAME_LENT, the address is in the next of LINK_LOANS
 * places that both sides see, and the reader fetches the bytes from there (cross_read.h).  They
 * count as bytes of the stream all the same, so a connection that breaks continues with the rest of
 * a lent payload through the new one.  When the writer must move the bytes (link_own), it changes
 * the address; who was reading meanwhile sees that afterwards and reads again.
 *
 * A frame may also go to several tasks at once, in datagrams (cast.h), which may be lost.  It has
 * its place in each stream all the same.  A datagram says which one: who has all that is before it
 * takes it at once, else it is held until then.  What has not come when the connection breaks is
 * repeated through the next: a datagram of the time before must not be given to the link any more
 * (handshake.h).  Before the connection goes
 * on behind such a frame, an ACK frame says so (FRAME_CAST); what is missing then (link_misses()),
 * or before a frame that has arrived too early, can be asked for (link_hole(), link_cast_lost()).
 * If it does not arrive, the reader breaks the connection, and all goes through the next one.
 */
#pragma once

#include "match/match.h"

#include <stdatomic.h>
#include <sys/uio.h>

struct link {
    hn_tid peer;
    struct match *match; /* where messages go */

    /* Out: stream bytes [acked, queued), of which `written` have been given to the connection. */
    struct list_node
        pieces; /* struct piece (link.c), ascending; the first is not all acknowledged */
    struct list_node
        *cursor; /* the piece that holds byte `written`; the head when all is written */
    uint64_t acked, written, queued;
    uint32_t part; /* the longest payload of a frame, where nothing is lent: LINK_PART, or more, as
                      the connection allows */

    /* In: stream bytes taken apart so far. */
    uint64_t received, confirmed; /* confirmed: the last acknowledgement sent */
    uint64_t wanted;              /* the other side waits for the acknowledgement of this byte */
    uint64_t overdue;     /* up to here it is to be acknowledged whatever else is expected */
    uint64_t written_ack; /* the acknowledgement in what link_output() offered last */
    struct {              /* the frame that is coming */
        uint8_t partial[FRAME_SIZE];
        unsigned have;           /* bytes of an incomplete header in partial */
        uint32_t payload;        /* bytes still to come of the current frame */
        struct inbound *inbound; /* the message that they belong to; NULL between messages */
        bool large;              /* the last one was, and so may be the next */
    } in;

    struct {                           /* ACK frames of ours */
        uint8_t ack_frame[FRAME_SIZE]; /* an ACK frame that is partly written: its last ack_left
                                          bytes */
        unsigned ack_left;
        bool spaced;      /* one has been put before the large frame that is next */
        bool after_ack;   /* the last header that came is that of an ACK frame */
        bool spaces;      /* the last message that came was behind one, and so may the next */
        bool asks;        /* when all is written, the other side is to be asked how much it has */
        bool tail_probes; /* when all is written, an ACK frame follows whatever it says */
    } ack;
    bool bye_received;
    bool torn; /* bytes of our stream are lost: no connection can continue with it */
    uint64_t messages_out, messages_in; /* begun so far */

    struct {
        /* Of this connection; loans are counted, and the i-th is in place i % LINK_LOANS.
         */
        _Atomic uint64_t *loans; /* addresses for the other side; NULL: it cannot fetch */
        size_t lend_least;       /* shorter payloads are never lent */
        uint32_t lends;   /* which others are: the bits of the classes of messages (copy_mode.h) */
        uint64_t settled; /* up to here it is settled what is lent: in the order of the stream */
        unsigned lent, returned; /* loans made, and acknowledged */
        bool fetches;            /* we can fetch */
        bool payload_lent;       /* the current payload does not come through the connection */
        unsigned fetched;        /* loans of the other side taken */
    } loan;

    struct {            /* datagrams */
        uint32_t epoch; /* connections, and times when nothing was to go in datagrams any more */
        uint64_t
            cast_end; /* before this byte the last frame that was passed over went in datagrams */
        uint64_t cast_announced; /* announced to the other side up to here */
        size_t cast_out;     /* payload that has gone out in datagrams and is not acknowledged */
        size_t cast_held;    /* of that: no longer under way, behind a hole of the other side, */
        uint64_t held_end;   /* which holds frames up to this byte */
        size_t cast_unasked; /* of that: since the other side was last asked to acknowledge it */
        bool announces;      /* the other side learns it even if nothing follows */
        int32_t heard; /* the interface by which our datagrams reach the other side; 0: none does */
        int32_t heard_due;     /* the same the other way round, to be reported; 0: none */
        struct list_node held; /* struct held (link_cast.c), ascending: what arrived too early, */
        size_t held_bytes;     /* and how many bytes they are */
        uint64_t gap;          /* a frame is missing before this byte; 0: none is */
        uint8_t *stash;        /* what has arrived through the connection behind the gap */
        size_t stash_bytes;
    } cast;
};

/* The payload of a frame that several links have. */
struct link_cast {
    unsigned holders; /* pieces of links, and the maker of datagrams */
    bool sent;        /* the datagram has gone out */
    uint64_t number;  /* of the last datagram that it has gone out in */
    uint64_t again;   /* when it has gone out again (engine_now); 0: it has not */
    uint32_t length;
    uint8_t payload[];
};

/* LINK_WAIT: the other side is asked to acknowledge borrowed messages from this size on at once,
 * for it is worth while to wait for that. */
enum { LINK_IOV = 32, LINK_WAIT = 256 << 10 };

/* Smaller payloads are taken together with what is around them, larger ones by themselves. */
enum { LINK_SMALL = 4 << 10 };

/* Of messages of this size on, the header is read alone: nothing is gained by taking a part of the
 * payload with it, which has to be copied then. */
enum { LINK_LARGE = 32 << 10 };

/* Acknowledgements of the other direction travel between frames, so a frame should not take long.
 * Where a connection is fast, longer ones do: each that begins costs a little time of both sides.
 */
enum { LINK_PART = 256 << 10, LINK_PART_FAST = 2 << 20 };

/* Payloads lent at a time: 128 MiB of the longest.  Those of both directions fit into a page. */
enum { LINK_LOANS = 32 };

/* The first frame of a message, and the only one of a short one. */
struct frame link_first_frame(const hn_info *info, hn_context context, size_t bytes);

void link_init(struct link *l, hn_tid peer, struct match *match);
/* Frees what is queued; send requests still in flight and a half-arrived message fail with
 * result. */
void link_clear(struct link *l, int result);

/* Queues a message whose bytes are copied: HN_OK or HN_ENOMEM (then nothing is queued). */
int link_send_copy(struct link *l, const hn_info *info, hn_context context, const void *data);
/* Queues a message whose bytes stay with the caller until r is done. */
int link_send_borrow(struct link *l, const hn_info *info, hn_context context, const void *data,
                     struct hn_request *r);
/* Copies those bytes of r that are not acknowledged, so that r is done (HN_OK) and its buffer free;
 * HN_ENOMEM: r is as before. */
int link_own(struct hn_request *r);
/* Memory that link_own() takes, without the rounding of blocks (pool.h). */
size_t link_own_cost(const struct hn_request *r);
/* Whether an acknowledgement of all of r will come without being asked for, and soon. */
bool link_ack_is_near(const struct hn_request *r);
/* Queues the closing frame; nothing may be sent after it. */
int link_send_bye(struct link *l);

/* The bytes to write next: number of entries filled, 0 when there is nothing to write. */
int link_output(struct link *l, struct iovec iov[LINK_IOV]);
/* Whether bytes of messages are there to write; besides, link_output() gives acknowledgements. */
static inline bool link_has_output(const struct link *l)
{
    return l->cursor != &l->pieces;
}
/* Whether writing continues only when the other side has acknowledged a loan. */
bool link_out_of_loans(const struct link *l);
/* Acknowledges what has been received with the next output; true: there is something. */
bool link_acknowledge(struct link *l);
/* Asks the other side to acknowledge all that is queued, behind it in the output: for who waits for
 * the memory.  No use where link_short_output() is. */
void link_ask(struct link *l);
/* The next output is an ACK frame, where nothing else is to be written. */
void link_probe_tail(struct link *l);
void link_written(struct link *l, size_t bytes);
/* The same where all there is to write is one small message: its bytes in one piece; NULL: it is
 * not so.  For connections that acknowledge by other means what has been received. */
const void *link_short_output(struct link *l, size_t *bytes);
void link_short_written(struct link *l);

/* Whether some of what has been queued as pieces is not acknowledged. */
static inline bool link_has_pieces(const struct link *l)
{
    return !list_empty(&l->pieces);
}

/* A message of so many bytes goes to the other side beside what link_output() gives, all of which
 * is acknowledged: its place in the stream. */
static inline uint64_t link_sent_beside(struct link *l, size_t bytes)
{
    uint64_t place = l->queued;

    l->queued += FRAME_SIZE + bytes;
    l->written = l->queued;
    l->messages_out++;
    return place;
}
/* Such a message has arrived: as link_received(). */
int link_receive_beside(struct link *l, const struct frame *f, const void *data);
/* Messages that were sent so and are not acknowledged: places from the returned one to *end. A
 * caller whose connection ends queues each again, in order: HN_OK or HN_ENOMEM. */
uint64_t link_beside(const struct link *l, uint64_t *end);
int link_requeue(struct link *l, uint64_t place, const hn_info *info, hn_context context,
                 const void *data);

/* Where the next bytes from the connection go: the rest of the current payload, if any, then
 * scratch, where that saves more reads than it costs copies.  Entries filled (1 or 2). */
int link_input(struct link *l, struct iovec iov[2], uint8_t *scratch, size_t size);
/* Whether the payload that comes next is to be fetched: to there, from the address in that place.
 * Then it is taken by link_received() as if it had been read.  Where loans are made, scratch must
 * not hold more than one header, for what follows is not its payload. */
bool link_must_fetch(const struct link *l, unsigned *place, struct iovec *to);
/* bytes have been read into what link_input() gave.  HN_OK; HN_EPROTO: the link is of no use any
 * more; HN_ENOMEM: the connection is of no use, but the next one continues before the frame for
 * which there was no memory. */
int link_received(struct link *l, const uint8_t *scratch, size_t bytes);

/* Takes small messages that stand whole in `bytes` bytes of memory: *used says how many bytes they
 * were, 0 when the next frame is not one, and link_input() shall say where it goes.  Stops early
 * when the last receive that was posted is served.  Returns as link_received(). */
int link_receive(struct link *l, const uint8_t *in, size_t bytes, size_t *used);

/* The other side has received this many bytes of our stream: what a connection knows by other means
 * than frames.  HN_EPROTO: it cannot have. */
int link_acknowledged(struct link *l, uint64_t bytes);

/* The connection is gone: forgets what was in the middle of the wire. */
void link_broken(struct link *l);
/* A new connection is there and the other side has this many bytes of our stream.  HN_EPROTO: it
 * cannot have. */
int link_resume(struct link *l, uint64_t peer_received);

/* ---- link_cast.c: frames that go to several links in datagrams --------------------------------
 */

/* A cast with room for so many bytes, held once; NULL: no memory.  It counts as outgoing. */
struct link_cast *link_cast_new(struct match *m, uint32_t length);
/* Gives up one reference. */
void link_cast_drop(struct match *m, struct link_cast *c);
/* Whether datagrams reach the other side, and have room for places of the stream. */
bool link_is_heard(const struct link *l);
/* Queues a frame whose payload is the cast's, and which goes in a datagram: *place says where it
 * belongs, header and *head what it begins with. HN_OK or HN_ENOMEM. */
int link_send_cast(struct link *l, const struct frame *f, struct link_cast *c, uint64_t *place,
                   uint8_t header[FRAME_SIZE], unsigned *head);
/* The datagram with a frame of so many bytes has gone out: c->sent is set. */
void link_cast_sent(struct link *l, const struct link_cast *c);
/* The other side lacks something, and holds what it has got of the datagrams up to that byte. */
void link_cast_holds(struct link *l, uint64_t end);
/* Sends through the connection what has not gone out yet. */
void link_cast_recall(struct link *l);
/* Frames that nothing has followed yet are to be reported: true when there are such. */
bool link_cast_confirm(struct link *l);
/* Of the frames that have gone in datagrams, are not acknowledged and begin at *from or behind it,
 * before `end`, the first: its cast, and its header; *from is then behind it.  NULL: none. */
struct link_cast *link_cast_lost(struct link *l, uint64_t *from, uint64_t end,
                                 uint8_t header[FRAME_SIZE], unsigned *head);
/* The place of such a frame; false: it is none of this link, or is acknowledged. */
bool link_cast_place(struct link *l, const struct link_cast *c, uint64_t *place);

/* A datagram has brought the frame (a header and its payload, all of it) that belongs there.
 * Returns as link_received(). */
int link_receive_cast(struct link *l, uint64_t place, const uint8_t *frame, size_t bytes);
/* Gives what has arrived too early to its place, where it is there now (in link_received()). */
int link_receive_held(struct link *l);
/* Whether something is missing that may have gone in datagrams: the place from which on, and up to
 * how many bytes. */
bool link_hole(const struct link *l, uint64_t *place, uint32_t *bytes);
/* Where the last frame ends that has arrived too early; 0: none has. */
uint64_t link_held_end(const struct link *l);
/* Whether a frame is missing, so that the connection must not be read. */
static inline bool link_misses(const struct link *l)
{
    return l->cast.gap > 0;
}
/* Keeps what has arrived through the connection behind the gap, and behind what is kept already.
 * HN_OK or HN_ENOMEM. */
int link_stash(struct link *l, const uint8_t *in, size_t bytes);
/* link_input.c: a whole frame of the stream that is in memory. */
int link_receive_frame(struct link *l, const struct frame *f, const uint8_t *payload);

static inline bool link_all_acknowledged(const struct link *l)
{
    return l->acked == l->queued;
}
