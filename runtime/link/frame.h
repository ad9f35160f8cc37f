/* frame.h - the unit of the byte stream between two tasks.
 *
 * A frame is a header of FRAME_SIZE bytes, always little-endian, and `length` bytes of payload.  A
 * message is one MSG frame and, when it is longer than a frame, MORE frames with the rest: pieces
 * are small enough for acknowledgements to travel between them.  A short message may have a header
 * of half the size, for on a slow wire each byte counts.
 *
 *      0  u8  kind          FRAME_MSG ... FRAME_BYE
 *      1  u8  flags         FRAME_BIG_ENDIAN ... FRAME_HEARD
 *      2  u16 type          of the elements (MSG)
 *      4  u32 context       (MSG)
 *      8  i32 tag           (MSG; ACK: an interface)
 *     12  u32 length        payload bytes behind this header
 *     16  u64 total         bytes of the whole message (MSG, MORE); of the stream (ACK)
 *     24  u64 ack           stream bytes that the sender of this frame has received
 *
 *      0  u8  kind          FRAME_SHORT: a MSG frame that is the whole message
 *      1  u8  flags
 *      2  u16 type
 *      4  u16 context       below 0x8000, or 0x8000 and what it is above FRAME_CONTEXT_HIGH
 *      6  u16 length
 *      8  i32 tag
 *     12  u32 ack           the lower half
 *
 * The payload stays in the byte order of its sender; FRAME_BIG_ENDIAN says which one that is
 * ("receiver makes right").
 */
#pragma once

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes.  The last is what a receiver accepts, and a lent payload is as long: its reader does
 * nothing else while it copies that. */
enum { FRAME_SIZE = 32, FRAME_SHORT_SIZE = 16, FRAME_PAYLOAD_MAX = 4 << 20 };

/* Of the contexts that the job gives out (hn_context_new()). */
enum { FRAME_CONTEXT_HIGH = 0x40000000 };

enum frame_kind {
    FRAME_MSG = 1,  /* begins a message */
    FRAME_MORE = 2, /* continues it */
    FRAME_ACK = 3,  /* carries `ack` only; not part of the stream that is acknowledged */
    FRAME_BYE = 4,  /* the sender leaves the job: nothing follows */
    FRAME_SHORT = 5 /* MSG with a header of FRAME_SHORT_SIZE bytes; frame_decode() says MSG */
};

enum {
    FRAME_BIG_ENDIAN = 1,
    FRAME_WANT_ACK = 2, /* the receiver acknowledges this one at once */
    FRAME_LENT = 4,     /* the payload stays where it is and the reader fetches it (link.h) */
    FRAME_CAST = 8,     /* of an ACK frame: what follows it is at byte `total` of the stream; what
                           is  before that has gone in datagrams */
    FRAME_HEARD = 16 /* of an ACK frame: datagrams that leave by your interface `tag` come here */
};

struct frame {
    uint8_t kind, flags;
    uint8_t size; /* of the header that was taken apart */
    uint16_t type;
    uint32_t context;
    int32_t tag;
    uint32_t length;
    uint64_t total;
    uint64_t ack;
};

/* Bytes of the header that begins with this one. */
static inline size_t frame_size(uint8_t first)
{
    return first == FRAME_SHORT ? FRAME_SHORT_SIZE : FRAME_SIZE;
}

static inline void frame_encode(const struct frame *f, uint8_t out[FRAME_SIZE])
{
    out[0] = f->kind;
    out[1] = f->flags;
    bytes_put16(out + 2, f->type);
    bytes_put32(out + 4, f->context);
    bytes_put32(out + 8, (uint32_t)f->tag);
    bytes_put32(out + 12, f->length);
    bytes_put64(out + 16, f->total);
    bytes_put64(out + 24, f->ack);
}

/* Whether a message's frame may have a short header. */
bool frame_fits_short(const struct frame *f);
/* The same in a short header. */
void frame_encode_short(const struct frame *f, uint8_t out[FRAME_SHORT_SIZE]);
/* Fields of a header that change until it is written. */
void frame_put_ack(uint8_t *header, uint64_t ack);

/* Takes the frame_size() bytes of a header apart and checks every field as hostile input: HN_OK or
 * HN_EPROTO with a text.  acked: what the other side has acknowledged so far, from which follows
 * the upper half of an `ack` that is short. */
int frame_decode(const uint8_t *in, uint64_t acked, struct frame *f);
/* The same of a message's fields alone. */
int frame_check_message(const struct frame *f);
