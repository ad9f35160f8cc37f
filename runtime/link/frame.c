/* frame.c - encodes, decodes and validates frame headers (layout: frame.h).
 *
 * Nothing here depends on the state of a link, except the upper half of a short acknowledgement.
 * The decoder rejects what no correct sender writes.  So the code behind it needs no check of
 * types, tags and lengths.
 */
#include "link/frame.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/type.h"

/* PTRDIFF_MAX bounds the total so that sums with small numbers cannot overflow.  A total that is no
 * multiple of the element size would leave a part of an element. */
int frame_check_message(const struct frame *f)
{
    size_t size = type_size(f->type);

    if (size == 0)
        return error_set(HN_EPROTO, "frame with unknown type 0x%x", f->type);
    if (f->tag < 0)
        return error_set(HN_EPROTO, "frame with negative tag %d", f->tag);
    if (f->total > PTRDIFF_MAX || !type_are_whole(size, f->total))
        return error_set(HN_EPROTO, "frame with impossible message length %llu",
                         (unsigned long long)f->total);
    if (f->length > f->total)
        return error_set(HN_EPROTO, "frame longer than its message");
    return HN_OK;
}

/* ---- writing -------------------------------------------------------------------------------- */

enum { SHORT_HIGH = 0x8000 }; /* set in a context that is relative to FRAME_CONTEXT_HIGH */

/* Low contexts are the program's, high ones those that hrun has given out; both are mostly small
 * relative to their start. */
static bool context_fits_short(uint32_t context)
{
    return context < SHORT_HIGH || context - FRAME_CONTEXT_HIGH < SHORT_HIGH;
}

bool frame_fits_short(const struct frame *f)
{
    return f->kind == FRAME_MSG && f->length == f->total && f->length <= UINT16_MAX &&
           context_fits_short(f->context);
}

/* Only for a frame that frame_fits_short() accepts.  `total` is not written: it equals `length`. */
void frame_encode_short(const struct frame *f, uint8_t out[FRAME_SHORT_SIZE])
{
    bool high = f->context >= SHORT_HIGH;

    out[0] = FRAME_SHORT;
    out[1] = f->flags;
    bytes_put16(out + 2, f->type);
    bytes_put16(out + 4,
                (uint16_t)(high ? SHORT_HIGH | (f->context - FRAME_CONTEXT_HIGH) : f->context));
    bytes_put16(out + 6, (uint16_t)f->length);
    bytes_put32(out + 8, (uint32_t)f->tag);
    bytes_put32(out + 12, (uint32_t)f->ack);
}

/* The acknowledgement is the last field of either header. */
void frame_put_ack(uint8_t *header, uint64_t ack)
{
    if (header[0] == FRAME_SHORT)
        bytes_put32(header + FRAME_SHORT_SIZE - 4, (uint32_t)ack);
    else
        bytes_put64(header + FRAME_SIZE - 8, ack);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The number with this lower half that is nearest to what has been acknowledged: slightly below it,
 * if another path was faster, or above it.  It never exceeds the sender's number.  It is too small
 * only with 2 GiB in flight, and a later acknowledgement corrects that. */
static uint64_t whole_ack(uint32_t low, uint64_t acked)
{
    return acked + (uint64_t)(int32_t)(low - (uint32_t)acked);
}

/* Yields the same struct as a MSG frame with a full header, so later code does not distinguish
 * them, except by `size`. */
static int decode_short(const uint8_t *in, uint64_t acked, struct frame *f)
{
    uint32_t context = bytes_get16(in + 4);

    *f = (struct frame){
        .kind = FRAME_MSG,
        .flags = in[1],
        .size = FRAME_SHORT_SIZE,
        .type = bytes_get16(in + 2),
        .context = context < SHORT_HIGH ? context : context - SHORT_HIGH + FRAME_CONTEXT_HIGH,
        .tag = (int32_t)bytes_get32(in + 8),
        .length = bytes_get16(in + 6),
        .total = bytes_get16(in + 6),
        .ack = whole_ack(bytes_get32(in + 12), acked),
    };
    if (f->flags & FRAME_LENT)
        return error_set(HN_EPROTO, "a short frame that is lent");
    return frame_check_message(f);
}

/* The fields that a kind does not use are not checked.  BYE and ACK carry no payload, and a
 * continuation carries some, as otherwise a stream of empty frames would keep the reader busy. */
int frame_decode(const uint8_t *in, uint64_t acked, struct frame *f)
{
    if (in[0] == FRAME_SHORT)
        return decode_short(in, acked, f);
    *f = (struct frame){
        .kind = in[0],
        .flags = in[1],
        .size = FRAME_SIZE,
        .type = bytes_get16(in + 2),
        .context = bytes_get32(in + 4),
        .tag = (int32_t)bytes_get32(in + 8),
        .length = bytes_get32(in + 12),
        .total = bytes_get64(in + 16),
        .ack = bytes_get64(in + 24),
    };
    if (f->length > FRAME_PAYLOAD_MAX)
        return error_set(HN_EPROTO, "frame with %u bytes of payload", f->length);
    switch (f->kind) {
    case FRAME_MSG:
        return frame_check_message(f);
    case FRAME_MORE:
        return f->length > 0 ? HN_OK : error_set(HN_EPROTO, "empty continuation frame");
    case FRAME_ACK:
    case FRAME_BYE:
        return f->length == 0 ? HN_OK : error_set(HN_EPROTO, "control frame with payload");
    default:
        return error_set(HN_EPROTO, "unknown frame kind %u", f->kind);
    }
}
