/* buffer.c - message buffers: packing, unpacking, sending and receiving (interface: hnow.h).
 *
 * The bytes of a buffer are contiguous pieces:  u16 type, u8 byte order of the data (1: big
 * endian), u8 zero, u64 count, count elements.  The header is little-endian; the elements are as in
 * the packer's memory.  A string is HN_BYTEs with its terminating 0.  Elements that are packed one
 * by one share a piece, because PVM programs pack many of them.  A buffer inside a buffer is one
 * piece of type HN_PACKED, so a machine of another byte order can forward it.
 */
#include "match/buffer.h"

#include "base/bytes.h"
#include "base/error.h"
#include "match/message.h"
#include "base/type.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_HEADER = 12 }; /* bytes: u16 type, u8 byte order, u8 0, u64 count */
/* LONG: bytes of messages for which an aligned copy pays.  Round trips of 256 KiB and 8 MiB on one
 * host need 0.49 and 0.67 of the processor time (AMD EPYC, PvmDataInPlace; of 1 MiB packed, 0.93).
 * LINE: bytes of a cache line.  PADDED: most bytes before the elements, 16 headers. */
enum { LONG = 64 << 10, LINE = 64, PADDED = 16 * PIECE_HEADER };

/* Owned by the program.  Reading (`at`, `done`) and packing (`last`, `single`) have separate
 * positions, so both may alternate. */
struct hn_buffer {
    struct pack bytes;
    size_t at;      /* offset of the piece that is being unpacked */
    uint64_t done;  /* elements of it that were unpacked */
    size_t last;    /* offset of the piece that was packed last */
    hn_type single; /* type of `last`, if its elements were packed one by one; else 0 */
    struct {        /* the next elements, which hn_unpack() takes without decoding the piece */
        hn_type type;
        size_t left; /* without the last one of the piece, which ends the piece; 0: unknown */
        size_t at;   /* offset of their bytes */
    } ready;
};

/* A decoded piece header.  `data` points into the buffer, and is valid until something is
 * packed. */
struct piece_view {
    hn_type type;
    bool big_endian;
    uint64_t count;
    const uint8_t *data;
    size_t end; /* offset of the next piece */
};

hn_buffer *hn_buffer_new(void)
{
    return calloc(1, sizeof(hn_buffer));
}

void hn_buffer_free(hn_buffer *buffer)
{
    if (buffer)
        pack_free(&buffer->bytes);
    free(buffer);
}

/* The memory stays for what is packed next, so a buffer that is used repeatedly costs no
 * allocation. */
void hn_buffer_clear(hn_buffer *buffer)
{
    if (buffer)
        *buffer = (hn_buffer){.bytes = {buffer->bytes.data, 0, buffer->bytes.capacity, false}};
}

void hn_buffer_rewind(hn_buffer *buffer)
{
    if (buffer)
        buffer->at = buffer->done = buffer->ready.left = 0;
}

size_t hn_buffer_bytes(const hn_buffer *buffer)
{
    return buffer ? buffer->bytes.length : 0;
}

const uint8_t *buffer_data(const hn_buffer *buffer)
{
    return buffer->bytes.length ? buffer->bytes.data : (const uint8_t *)"";
}

/* Checks two buffers, one of which will contain the other. */
static int check_buffers(const hn_buffer *buffer, const hn_buffer *inner)
{
    REFUSE_NULL(buffer);
    REFUSE_NULL(inner);
    return buffer != inner ? HN_OK : error_set(HN_EARG, "a buffer cannot hold itself");
}

/* ---- packing ------------------------------------------------------------------------------ */

/* As memcpy(), but without a call for a single number of the usual sizes.  Compilers would make a
 * table of more sizes, which takes longer. */
static inline void copy(void *to, const void *from, size_t n)
{
    n == 4    ? memcpy(to, from, 4)
    : n == 8  ? memcpy(to, from, 8)
    : n == 16 ? memcpy(to, from, 16)
              : memcpy(to, from, n);
}

/* Appends the header of a piece of a valid type, for which there is room, and returns the address
 * of its elements. */
static inline uint8_t *begin_piece(hn_buffer *buffer, hn_type type, size_t count, bool big_endian)
{
    uint8_t *p = buffer->bytes.data + buffer->bytes.length;

    buffer->last = buffer->bytes.length;
    buffer->single = 0;
    bytes_put32(p, (uint32_t)type | (uint32_t)big_endian << 16);
    bytes_put64(p + 4, count);
    buffer->bytes.length += PIECE_HEADER + count * type_valid_size(type);
    return p + PIECE_HEADER;
}

/* The same, which makes room.  NULL: out of memory. */
static uint8_t *add_piece(hn_buffer *buffer, hn_type type, size_t count, bool big_endian)
{
    if (pack_room(&buffer->bytes, PIECE_HEADER + count * type_valid_size(type)))
        return begin_piece(buffer, type, count, big_endian);
    buffer->bytes.failed = false; /* what was packed before is still valid */
    return NULL;
}

/* The checks for packing and unpacking alike.  A stride of 0 would store all elements in one
 * place. */
static int check_pack(const hn_buffer *buffer, const void *data, size_t count, hn_type type,
                      size_t stride)
{
    size_t size = type_size(type), bytes;

    REFUSE_NULL(buffer);
    if (size == 0)
        return error_set(HN_EARG, "0x%x is not a type", (unsigned)type);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - PIECE_HEADER)
        return error_set(HN_EARG, "%zu elements are more than memory can hold", count);
    if ((!data && count > 0) || stride == 0)
        return error_set(HN_EARG, !data ? "no data" : "a stride of 0");
    return HN_OK;
}

/* Whether a piece of a valid type fits into the memory of the buffer. */
static inline bool has_room(const hn_buffer *buffer, size_t count, hn_type type)
{
    size_t room = buffer ? buffer->bytes.capacity - buffer->bytes.length : 0;

    return type_size(type) > 0 && count <= room &&
           PIECE_HEADER + count * type_valid_size(type) <= room;
}

/* A piece of its own, in the general case.  Not inlined, because it needs registers that its
 * callers would save, too. */
static __attribute__((noinline)) int pack_any(hn_buffer *buffer, const void *data, size_t count,
                                              hn_type type, size_t stride)
{
    size_t size = type_valid_size(type), step = stride == 1 ? count : 1;
    int result = check_pack(buffer, data, count, type, stride);
    if (result != HN_OK)
        return result;
    uint8_t *p = add_piece(buffer, type, count, type_machine_is_big_endian());
    if (!p)
        return error_set(HN_ENOMEM, "no memory to pack %zu elements", count);
    for (size_t i = 0; i < count; i += step)
        copy(p + i * size, (const uint8_t *)data + i * stride * size, step * size);
    buffer->single = count == 1 && type != HN_PACKED ? type : 0;
    return HN_OK;
}

/* A piece of its own, if there is room for contiguous elements. */
static __attribute__((noinline)) int pack_piece(hn_buffer *buffer, const void *data, size_t count,
                                                hn_type type, size_t stride)
{
    if (stride != 1 || !data || !has_room(buffer, count, type))
        return pack_any(buffer, data, count, type, stride);
    uint8_t *p = begin_piece(buffer, type, count, type_machine_is_big_endian());
    buffer->single = count == 1 && type != HN_PACKED ? type : 0;
    copy(p, data, count * type_valid_size(type)); /* last, so that it saves no registers */
    return HN_OK;
}

/* The fast path: a single element is added to the last piece, if that contains single elements of
 * the same type and has not been unpacked. */
int hn_pack(hn_buffer *buffer, const void *data, size_t count, hn_type type, size_t stride)
{
    size_t size = type_valid_size(type);

    if (count != 1 || stride == 0 || !buffer || !data || size == 0 || buffer->single != type ||
        buffer->at > buffer->last || buffer->bytes.capacity - buffer->bytes.length < size)
        return pack_piece(buffer, data, count, type, stride);
    uint8_t *piece = buffer->bytes.data + buffer->last;
    uint8_t *to = buffer->bytes.data + buffer->bytes.length;
    buffer->bytes.length += size;
    bytes_put64(piece + 4, bytes_get64(piece + 4) + 1);
    copy(to, data, size);
    return HN_OK;
}

/* A piece of its own, however short it is. */
int hn_pack_string(hn_buffer *buffer, const char *text)
{
    REFUSE_NULL(buffer);
    REFUSE_NULL(text);
    buffer->single = 0;
    int result = hn_pack(buffer, text, strlen(text) + 1, HN_BYTE, 1);
    buffer->single = 0;
    return result;
}

/* The inner buffer's position does not matter: all its pieces are packed. */
int hn_pack_buffer(hn_buffer *buffer, const hn_buffer *inner)
{
    int result = check_buffers(buffer, inner);

    return result ? result : hn_pack(buffer, buffer_data(inner), inner->bytes.length, HN_PACKED, 1);
}

/* ---- unpacking ---------------------------------------------------------------------------- */

/* Decodes the piece at offset `at`; false at the end.  Buffers were validated on arrival, so types
 * are valid.  The end of the buffer and of the last piece are the same, so a rest shorter than a
 * header does not occur. */
static bool view(const hn_buffer *buffer, size_t at, struct piece_view *v)
{
    *v = (struct piece_view){0};
    if (buffer->bytes.length - at < PIECE_HEADER)
        return false;
    const uint8_t *p = buffer->bytes.data + at;
    v->type = bytes_get16(p);
    v->big_endian = p[2];
    v->count = bytes_get64(p + 4);
    v->data = p + PIECE_HEADER;
    v->end = at + PIECE_HEADER + (size_t)v->count * type_valid_size(v->type);
    return true;
}

size_t hn_buffer_data_bytes(const hn_buffer *buffer)
{
    size_t bytes = 0;
    struct piece_view v;

    for (size_t at = 0; buffer && view(buffer, at, &v); at = v.end)
        bytes += v.end - at - PIECE_HEADER;
    return bytes;
}

/* Whether the next `count` elements have this type; they may be in several pieces. */
static int check_unpack(const hn_buffer *buffer, size_t count, hn_type type)
{
    uint64_t skip = buffer->done;
    struct piece_view v;

    for (size_t at = buffer->at; count > 0; at = v.end, skip = 0) {
        if (!view(buffer, at, &v))
            return error_set(HN_ETRUNC, "the message ends %zu element%s too early", count,
                             count == 1 ? "" : "s");
        if (v.count == skip)
            continue;
        if (!type_compatible(v.type, type))
            return error_set(HN_ETYPE, "%s comes next, not %s", type_name(v.type), type_name(type));
        count -= v.count - skip < count ? (size_t)(v.count - skip) : count;
    }
    return HN_OK;
}

/* Converts n elements from p to data, with a stride. */
static int convert(const struct piece_view *v, const uint8_t *p, uint8_t *data, size_t n,
                   hn_type type, size_t stride)
{
    size_t from = type_size(v->type), to = type_size(type), step = stride == 1 ? n : 1;
    int result = HN_OK;

    for (size_t i = 0; i < n && result == HN_OK; i += step)
        result =
            type_convert(p + i * from, v->type, v->big_endian, data + i * stride * to, type, step);
    return result;
}

/* Records that n elements of the next piece were unpacked. */
static void advance(hn_buffer *buffer, const struct piece_view *v, size_t n)
{
    buffer->done += n;
    buffer->ready.left = 0;
    if (buffer->done == v->count) {
        buffer->at = v->end;
        buffer->done = 0;
    }
}

/* Not inlined, for the same reason as pack_piece(). */
static __attribute__((noinline)) int unpack_pieces(hn_buffer *buffer, uint8_t *data, size_t count,
                                                   hn_type type, size_t stride)
{
    struct piece_view v;
    int result = check_pack(buffer, data, count, type, stride);
    if (result == HN_OK)
        result = check_unpack(buffer, count, type);
    if (result != HN_OK)
        return result;
    /* The position is changed in a copy, which shares the data.  After an error the buffer is as
     * before. */
    hn_buffer next = *buffer;

    while (result == HN_OK && count > 0) {
        view(&next, next.at, &v);
        size_t n = v.count - next.done < count ? (size_t)(v.count - next.done) : count;
        result = convert(&v, v.data + next.done * type_size(v.type), data, n, type, stride);
        data += n * stride * type_size(type);
        count -= n;
        advance(&next, &v, n);
    }
    if (result == HN_OK)
        *buffer = next;
    return result;
}

/* All elements are in the next piece, in this machine's format, or the general case.  Not inlined,
 * for the same reason as pack_piece(). */
static __attribute__((noinline)) int unpack_next(hn_buffer *buffer, void *data, size_t count,
                                                 hn_type type)
{
    size_t size = type_valid_size(type), bytes = count * size;
    uint32_t header = (uint32_t)type | (uint32_t)type_machine_is_big_endian() << 16;
    const uint8_t *piece = buffer->bytes.data + buffer->at;

    if (count == 0 || buffer->bytes.length - buffer->at < PIECE_HEADER ||
        bytes_get32(piece) != header || bytes_get64(piece + 4) - buffer->done < count)
        return unpack_pieces(buffer, data, count, type, 1);
    size_t left = (size_t)(bytes_get64(piece + 4) - buffer->done) - count;
    size_t from = buffer->at + PIECE_HEADER + (size_t)buffer->done * size;
    buffer->done = left > 0 ? buffer->done + count : 0;
    buffer->at = left > 0 ? buffer->at : from + bytes;
    buffer->ready.type = type;
    buffer->ready.left = left > 0 ? left - 1 : 0;
    buffer->ready.at = from + bytes;
    copy(data, buffer->bytes.data + from, bytes); /* last, so that it saves no registers */
    return HN_OK;
}

/* The fast path: the elements are `ready`. */
int hn_unpack(hn_buffer *buffer, void *data, size_t count, hn_type type, size_t stride)
{
    if (!buffer || !data || stride != 1)
        return unpack_pieces(buffer, data, count, type, stride);
    if (count - 1 >= buffer->ready.left || type != buffer->ready.type)
        return unpack_next(buffer, data, count, type);
    const uint8_t *from = buffer->bytes.data + buffer->ready.at;
    size_t bytes = count * type_valid_size(type);
    buffer->ready.left -= count;
    buffer->ready.at += bytes;
    buffer->done += count;
    copy(data, from, bytes);
    return HN_OK;
}

/* Pieces without elements are skipped, as nothing can be unpacked from them.  Only an empty
 * HN_PACKED piece has a meaning. */
static bool is_nothing(const struct piece_view *v, hn_type type)
{
    return v->count == 0 && (v->type != HN_PACKED || type != HN_PACKED);
}

/* Finds the next piece that is not skipped for this type. */
static int next_piece(const hn_buffer *buffer, hn_type type, struct piece_view *v)
{
    size_t at = buffer->at;

    while (view(buffer, at, v) && is_nothing(v, type))
        at = v->end;
    return v->end > 0 ? HN_OK : error_set(HN_ETRUNC, "nothing is left in the message");
}

/* Describes what is left of the next piece: its type and its number of elements. */
int hn_buffer_next(const hn_buffer *buffer, hn_type *type, size_t *count)
{
    REFUSE_NULL(buffer);
    REFUSE_NULL(type);
    REFUSE_NULL(count);

    struct piece_view v;
    int result = next_piece(buffer, HN_PACKED, &v);

    if (result != HN_OK)
        return result;
    *type = v.type;
    *count = (size_t)(v.count - buffer->done);
    return HN_OK;
}

/* The next piece, if it has this type and nothing of it has been unpacked. */
static int whole_piece(const hn_buffer *buffer, hn_type type, struct piece_view *v)
{
    int result = next_piece(buffer, type, v);

    if (result != HN_OK)
        return result;
    if (v->type != type)
        return error_set(HN_ETYPE, "%s comes next, not %s", type_name(v->type), type_name(type));
    if (buffer->done > 0)
        return error_set(HN_ETYPE, "part of the next %s has been unpacked already",
                         type_name(type));
    return HN_OK;
}

/* A piece without elements was skipped, so v.count is at least 1.  After an error the string can be
 * unpacked again into more room. */
int hn_unpack_string(hn_buffer *buffer, char *text, size_t size)
{
    REFUSE_NULL(buffer);
    REFUSE_NULL(text);

    struct piece_view v;
    int result = whole_piece(buffer, HN_BYTE, &v);

    if (result != HN_OK)
        return result;
    if (v.data[v.count - 1] != 0)
        return error_set(HN_ETYPE, "bytes that are no string come next");
    if (v.count > size)
        return error_set(HN_ETRUNC, "the string has %llu bytes, the buffer %zu",
                         (unsigned long long)v.count, size);
    memcpy(text, v.data, (size_t)v.count);
    buffer->at = v.end;
    return HN_OK;
}

/* Validates that the bytes are whole pieces: they may come from anywhere.  All later functions rely
 * on this check, and read pieces without further ones. */
static bool well_formed(const hn_buffer *buffer)
{
    size_t at = 0;

    while (at < buffer->bytes.length) {
        const uint8_t *p = buffer->bytes.data + at;
        size_t left = buffer->bytes.length - at, size;

        if (left < PIECE_HEADER || p[2] > 1 || p[3] != 0)
            return false;
        size = type_size(bytes_get16(p));
        left -= PIECE_HEADER;
        if (size == 0 || bytes_get64(p + 4) > left / size)
            return false;
        at += PIECE_HEADER + (size_t)bytes_get64(p + 4) * size;
    }
    return true;
}

/* Copies the bytes.  On an error the buffer is empty. */
int buffer_set(hn_buffer *buffer, const void *bytes, size_t n)
{
    int result = HN_OK;

    hn_buffer_clear(buffer);
    pack_raw(&buffer->bytes, bytes, n);
    if (buffer->bytes.failed)
        result = error_set(HN_ENOMEM, "no memory for a message of %zu bytes", n);
    else if (!well_formed(buffer))
        result = error_set(HN_EPROTO, "the message is not well formed");
    if (result != HN_OK)
        hn_buffer_clear(buffer);
    return result;
}

/* For handlers that get a message which was not packed.  The elements are converted when they are
 * unpacked. */
int buffer_set_piece(hn_buffer *buffer, const void *data, size_t count, hn_type type,
                     bool big_endian)
{
    hn_buffer_clear(buffer);
    uint8_t *p = add_piece(buffer, type, count, big_endian);
    if (!p)
        return error_set(HN_ENOMEM, "no memory for a message of %zu elements", count);
    memcpy(p, data, count * type_size(type));
    return HN_OK;
}

/* The inner pieces are validated, too: the sender may have packed any bytes as HN_PACKED. */
int hn_unpack_buffer(hn_buffer *buffer, hn_buffer *inner)
{
    struct piece_view v;
    int result = check_buffers(buffer, inner);

    if (result == HN_OK)
        result = whole_piece(buffer, HN_PACKED, &v);
    if (result == HN_OK)
        result = buffer_set(inner, v.data, (size_t)v.count);
    if (result == HN_OK)
        buffer->at = v.end;
    return result;
}

/* ---- sending and receiving ---------------------------------------------------------------- */

/* The pieces are sent as they are; the receiver converts elements when it unpacks them. */
int hn_send_buffer(hn_tid to, int tag, const hn_buffer *buffer)
{
    REFUSE_NULL(buffer);
    return hn_send(to, tag, buffer->bytes.data, buffer->bytes.length, HN_PACKED);
}

int hn_multicast_buffer(const hn_tid *to, int n, int tag, const hn_buffer *buffer)
{
    REFUSE_NULL(buffer);
    return hn_multicast(to, n, tag, buffer->bytes.data, buffer->bytes.length, HN_PACKED);
}

int hn_joined_multicast_buffer(const char *name, int tag, const hn_buffer *buffer)
{
    REFUSE_NULL(buffer);
    return hn_joined_multicast(name, tag, buffer->bytes.data, buffer->bytes.length, HN_PACKED);
}

/* The memory for the elements of a message: packed ones are pieces already, others become one.
 * Packed bytes are never converted on the way, hence the type HN_PACKED. */
static void *room_for(void *arg, const hn_info *info)
{
    hn_buffer *buffer = arg;
    size_t bytes = info->count * type_size(info->type),
           header = info->type == HN_PACKED ? 0 : PIECE_HEADER;

    hn_buffer_clear(buffer);
    if (bytes > SIZE_MAX / 2 || !pack_room(&buffer->bytes, bytes + PADDED)) {
        hn_buffer_clear(buffer);
        return NULL;
    }
    uint8_t **data = &buffer->bytes.data;
    while (bytes >= LONG && (uintptr_t)(*data + buffer->bytes.length + header) % LINE != 0)
        begin_piece(buffer, HN_BYTE, 0, false);
    buffer->at = buffer->bytes.length;
    if (info->type != HN_PACKED)
        return begin_piece(buffer, info->type, info->count, type_machine_is_big_endian());
    buffer->bytes.length += bytes;
    return *data + buffer->at;
}

/* At HN_ETIMEOUT the buffer keeps its content.  After any other error it is empty. */
int hn_recv_buffer(hn_tid from, int tag, int milliseconds, hn_buffer *buffer, hn_info *info)
{
    REFUSE_NULL(buffer);
    uint64_t deadline = milliseconds < 0 ? 0 : message_deadline(milliseconds);
    int result = message_take(from, tag, deadline, room_for, buffer, info);

    if (result == HN_OK && !well_formed(buffer))
        result = error_set(HN_EPROTO, "the message is not well formed");
    if (result != HN_OK && result != HN_ETIMEOUT)
        hn_buffer_clear(buffer);
    return result;
}
