/* control.c - frames of the control protocol; see control.h.
 *
 * A walk over a signature validates a payload, another (over varargs) writes it.  Cost: O(bytes),
 * one copy of received bytes.
 *
 * Invariant: a frame leaves control_end() only if its payload matches its signature, and
 * control_next() returns only such frames.  So neither side sends what the other would reject.
 */
#include "protocol/control.h"

#include "base/bytes.h"
#include "hnow.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    const char *name, *signature;
} control_table[] = {
#define X(name, number, signature, fields) [number] = {#name, signature},
    CONTROL_KINDS(X)
#undef X
};
enum { CONTROL_TABLE = sizeof control_table / sizeof *control_table };

/* NULL: there is no such kind. */
const char *control_name(unsigned kind)
{
    return kind < CONTROL_TABLE ? control_table[kind].name : NULL;
}

const char *control_signature(unsigned kind)
{
    return kind < CONTROL_TABLE ? control_table[kind].signature : NULL;
}

/* ---- walking a payload ---------------------------------------------------------------------- */

/* Reads one field, according to its letter. */
static void control_walk_one(struct unpack *in, char letter)
{
    size_t n;
    if (letter == 's')
        unpack_str(in);
    else if (letter == 'y')
        unpack_blob(in, &n);
    else
        unpack_raw(in, letter == 'b'   ? 1
                       : letter == 'h' ? 2
                       : letter == 'u' ? 4
                       : letter == 'l' ? 8
                                       : CONTROL_SECRET);
}

/* An element of a list has a byte at least, which bounds the list's count before that is used. */
static bool control_well_formed(const char *signature, struct unpack payload)
{
    for (const char *at = signature; *at && !payload.failed; at++) {
        if (*at != '(') {
            control_walk_one(&payload, *at);
            continue;
        }
        size_t n = strcspn(at + 1, ")");
        uint32_t count = unpack_count(&payload, 1);
        for (uint32_t round = 0; round < count && !payload.failed; round++)
            for (size_t i = 1; i <= n; i++)
                control_walk_one(&payload, at[i]);
        at += n + 1;
    }
    return unpack_done(&payload);
}

/* ---- writing ---------------------------------------------------------------------------- */

/* Returns the offset of the header, for control_end(). */
size_t control_begin(struct pack *pack, enum control_kind kind)
{
    size_t begun = pack->length;
    pack_u32(pack, 0);
    pack_u16(pack, (uint16_t)kind);
    pack_u16(pack, 0);
    return begun;
}

/* The length was written as 0 and is filled in here.  A failed buffer stays failed, and
 * channel_send() then ends the channel. */
void control_end(struct pack *pack, size_t begun)
{
    if (pack->failed)
        return;
    uint8_t *header = pack->data + begun;
    size_t length = pack->length - begun - CONTROL_HEADER;
    const char *signature = control_signature(bytes_get16(header + 4));
    if (length > CONTROL_PAYLOAD_MAX || !signature ||
        !control_well_formed(signature, unpack_from(header + CONTROL_HEADER, length)))
        pack->failed = true;
    else
        bytes_put32(header, (uint32_t)length);
}

/* One letter takes one argument, except y, which takes a pointer and a length. */
static void control_put_one(struct pack *pack, char letter, va_list *list)
{
    const void *data;
    switch (letter) {
    case 'b':
        pack_u8(pack, (uint8_t)va_arg(*list, unsigned));
        break;
    case 'h':
        pack_u16(pack, (uint16_t)va_arg(*list, unsigned));
        break;
    case 'u':
        pack_u32(pack, va_arg(*list, unsigned));
        break;
    case 'l':
        pack_u64(pack, va_arg(*list, uint64_t));
        break;
    case 's':
        pack_str(pack, va_arg(*list, const char *));
        break;
    case 'y':
        data = va_arg(*list, const void *);
        pack_blob(pack, data, va_arg(*list, size_t));
        break;
    case 'k':
        pack_raw(pack, va_arg(*list, const void *), CONTROL_SECRET);
        break;
    default: /* a list: control_end() rejects the frame */
        break;
    }
}

/* The list is copied, because its address is passed on and a parameter of type va_list may be an
 * array. */
void control_vput(struct pack *pack, enum control_kind kind, va_list fields)
{
    va_list list;
    size_t begun = control_begin(pack, kind);
    va_copy(list, fields);
    for (const char *at = control_signature(kind); at && *at; at++)
        control_put_one(pack, *at, &list);
    va_end(list);
    control_end(pack, begun);
}

void control_put(struct pack *pack, enum control_kind kind, ...)
{
    va_list fields;
    va_start(fields, kind);
    control_vput(pack, kind, fields);
    va_end(fields);
}

/* Copies the fields that the reader has not read yet, without decoding them. */
void control_pass(struct pack *pack, enum control_kind kind, const struct unpack *in)
{
    size_t begun = control_begin(pack, kind);
    pack_raw(pack, in->data + in->at, in->length - in->at);
    control_end(pack, begun);
}

/* ---- reading ---------------------------------------------------------------------------- */

void control_decoder_free(struct control_decoder *decoder)
{
    pack_free(&decoder->in);
    *decoder = (struct control_decoder){0};
}

/* Consumed bytes are dropped first, so the buffer does not grow while frames are consumed as
 * quickly as they arrive. */
bool control_room(struct control_decoder *decoder, size_t length)
{
    if (decoder->taken > 0) {
        pack_drop(&decoder->in, decoder->taken);
        decoder->taken = 0;
    }
    if (pack_room(&decoder->in, length))
        return true;
    decoder->in.failed = false; /* only reading is affected: nothing was being written */
    return false;
}

int control_feed(struct control_decoder *decoder, const void *data, size_t length)
{
    if (!control_room(decoder, length))
        return HN_ENOMEM;
    pack_raw(&decoder->in, data, length);
    return HN_OK;
}

/* After a flaw the decoder returns no more frames: it cannot find where the next one begins. */
static int control_flaw(struct control_decoder *decoder, const char *flaw)
{
    decoder->flaw = flaw;
    return HN_EPROTO;
}

/* The header is checked before the payload has arrived, so that a wrong length does not make the
 * reader wait. */
int control_next(struct control_decoder *decoder, struct control_frame *frame)
{
    size_t there = decoder->in.length - decoder->taken;
    if (decoder->flaw)
        return HN_EPROTO;
    if (there < CONTROL_HEADER)
        return 0;
    struct unpack in = unpack_from(decoder->in.data + decoder->taken, there);
    size_t length = unpack_u32(&in);
    unsigned kind = unpack_u16(&in);
    const char *signature = control_signature(kind);
    if (unpack_u16(&in) != 0 || !signature)
        return control_flaw(decoder, "a frame of no known kind");
    if (length > CONTROL_PAYLOAD_MAX)
        return control_flaw(decoder, "a frame that is too long");
    if (there - CONTROL_HEADER < length)
        return 0;
    frame->kind = (enum control_kind)kind;
    /* The payload refers to the decoder's memory, which is valid until it is fed again. */
    frame->payload = unpack_from(decoder->in.data + decoder->taken + CONTROL_HEADER, length);
    if (!control_well_formed(signature, frame->payload))
        return control_flaw(decoder, "a frame whose payload is not well formed");
    decoder->taken += CONTROL_HEADER + length;
    return 1;
}

/* The outer frame was validated only as bytes.  So the inner payload is validated here. */
int control_unwrap(struct unpack *fields, struct control_frame *inner)
{
    size_t length;
    inner->kind = (enum control_kind)unpack_u16(fields);
    const uint8_t *payload = unpack_blob(fields, &length);
    const char *signature = control_signature(inner->kind);
    inner->payload = unpack_from(payload, length);
    return !fields->failed && signature && control_well_formed(signature, inner->payload)
               ? HN_OK
               : HN_EPROTO;
}
