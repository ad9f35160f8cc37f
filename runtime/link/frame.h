/* frame.h - the unit of the byte stream between two tasks.
 *
 * A frame is a header of FRAME_SIZE bytes, always little-endian, and `length` bytes of payload.  A
 * message is one MSG frame, followed by MORE frames if it is longer than a frame.  Frames are short
 * enough for acknowledgements to be sent between them.  A short message may have a header of half
 * the size, because each byte counts on a slow network.
 *
 *      0  u8  kind          FRAME_MSG ... FRAME_BYE
 *      1  u8  flags         FRAME_BIG_ENDIAN ... FRAME_REACH
 *      2  u16 type          of the elements (MSG)
 *      4  u32 context       (MSG)
 *      8  i32 tag           (MSG; ACK: an interface)
 *     12  u32 length        payload bytes after this header
 *     16  u64 total         bytes of the whole message (MSG, MORE); of the stream (ACK)
 *     24  u64 ack           stream bytes that the sender of this frame has received
 *
 *      0  u8  kind          FRAME_SHORT: a MSG frame that contains the whole message
 *      1  u8  flags
 *      2  u16 type
 *      4  u16 context       below 0x8000; or 0x8000 plus its offset from FRAME_CONTEXT_HIGH
 *      6  u16 length
 *      8  i32 tag
 *     12  u32 ack           the lower half
 *
 * The payload stays in the byte order of its sender, which FRAME_BIG_ENDIAN names.  The receiver
 * converts it ("receiver makes right").
 */
#pragma once

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes.  FRAME_PAYLOAD_MAX is the longest payload that a receiver accepts.  It is also the longest
 * loan, because the reader does nothing else while it copies one. */
enum { FRAME_SIZE = 32, FRAME_SHORT_SIZE = 16, FRAME_PAYLOAD_MAX = 4 << 20 };

/* The lowest context that the job assigns (hn_context_new()). */
enum { FRAME_CONTEXT_HIGH = 0x40000000 };

/* The first byte of a header. 0 is no kind, so memory of zeros is not a frame. */
enum frame_kind {
    FRAME_MSG = 1,  /* begins a message */
    FRAME_MORE = 2, /* continues a message */
    FRAME_ACK = 3,  /* carries only `ack`; not part of the acknowledged stream */
    FRAME_BYE = 4,  /* the sender leaves the job; nothing follows */
    FRAME_SHORT = 5 /* MSG with a header of FRAME_SHORT_SIZE bytes; frame_decode() returns MSG */
};

enum {
    FRAME_BIG_ENDIAN = 1,
    FRAME_WANT_ACK = 2, /* the receiver acknowledges this frame at once */
    FRAME_LENT = 4,  /* the payload stays in the sender's memory; the reader copies it (link.h) */
    FRAME_CAST = 8,  /* in an ACK frame: the next frame is at byte `total` of the stream; datagrams
                        carry the bytes before it */
    FRAME_REACH = 16 /* in an ACK frame: datagrams that leave by your interface `tag` arrive here */
};

/* A decoded header, in host byte order.  The layout on the wire is above. */
struct frame {
    uint8_t kind, flags;
    uint8_t size; /* of the header that was decoded */
    uint16_t type;
    uint32_t context;
    int32_t tag;
    uint32_t length;
    uint64_t total;
    uint64_t ack; /* of a short header: completed by frame_decode() */
};

/* Bytes of the header whose first byte this is. */
static inline size_t frame_size(uint8_t first)
{
    return first == FRAME_SHORT ? FRAME_SHORT_SIZE : FRAME_SIZE;
}

/* Writes a full header.  `size` is not part of it: the first byte determines it. */
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

/* Whether a message's frame can have a short header. */
bool frame_fits_short(const struct frame *f);
/* As frame_encode(), with a short header. */
void frame_encode_short(const struct frame *f, uint8_t out[FRAME_SHORT_SIZE]);
/* Writes the current acknowledgement into an encoded header of either size. */
void frame_put_ack(uint8_t *header, uint64_t ack);

/* Decodes a header of frame_size() bytes and validates every field, as the other side may be
 * hostile: HN_OK, or HN_EPROTO with a text. acked: what the other side has acknowledged so far,
 * which yields the upper half of a short `ack`. */
int frame_decode(const uint8_t *in, uint64_t acked, struct frame *f);
/* Validates only the fields that describe a message. */
int frame_check_message(const struct frame *f);
