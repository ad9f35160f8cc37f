/* frame.c - encoding and checking of frame headers (layout: frame.h). */
#include "frame.h"

#include "bytes.h"
#include "error.h"
#include "type.h"

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

int frame_decode(const uint8_t in[FRAME_SIZE], struct frame *f)
{
    *f = (struct frame){
        .kind = in[0],
        .flags = in[1],
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
