/* compress.c - deflated messages (compress.h).
 *
 *      0  u64  bytes of the message once inflated, little-endian
 *      8  u8   1: its elements are big-endian
 *      9  u16  their type, which may be wider or narrower than the receiver's
 *     11       a zlib stream (RFC 1950), level 1
 *
 * Cost: a sample is at most SHARE of a message, so looking in vain costs about that share of the
 * processor time of deflating all, and less and less often.
 */
#include "compress.h"

#include "bytes.h"
#include "error.h"
#include "type.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum {
    HEAD = 11,
    LEAST = 16 << 10,
    SHARE = 32,
    SAMPLE_MOST = 16 << 10,
    PIECES = 4,
    SKIP_MOST = 256
};
enum { LEVEL = 1, INFLATE_PART = 3, MARGIN_PERCENT = 110 };
/* A way that takes less for a byte is quicker than any processor deflates: 500 Mb/s. */
static const hn_time quick_byte = 16000; /* ps */

struct way {
    atomic_uint skip; /* messages that are sent without looking */
    atomic_uint next; /* as many the next time */
};

struct compress {
    int ranks;
    struct way ways[]; /* [rank] */
};

struct compress *compress_new(int ranks)
{
    const char *text = getenv("HNOW_COMPRESS");
    if (text && !strcmp(text, "0"))
        return NULL;
    struct compress *c = calloc(1, sizeof *c + (size_t)ranks * sizeof c->ways[0]);
    if (c)
        c->ranks = ranks;
    return c;
}

void compress_free(struct compress *compress)
{
    free(compress);
}

/* ---- sending -----------------------------------------------------------------------------------
 */

/* Deflates to at most `room` bytes; returns how many, 0: they do not suffice. */
static size_t deflate_into(const void *data, size_t bytes, uint8_t *out, size_t room)
{
    uLongf length = room;
    return compress2(out, &length, data, bytes, LEVEL) == Z_OK ? length : 0;
}

/* Pieces from all over the data. */
static size_t take_sample(const uint8_t *data, size_t bytes, uint8_t *sample)
{
    size_t size = bytes / SHARE < SAMPLE_MOST ? bytes / SHARE : SAMPLE_MOST, piece = size / PIECES;
    for (size_t i = 0; i < PIECES; i++)
        memcpy(sample + i * piece, data + i * (bytes / PIECES), piece);
    return PIECES * piece;
}

/* This thread's processor time, in picoseconds: a busy machine does not make deflating worse, the
 * way is as busy. */
static int64_t processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return ((int64_t)t.tv_sec * 1000000000 + t.tv_nsec) * 1000;
}

/* Whether deflating all takes less time than it saves, as far as a sample tells. byte: what a byte
 * takes on the way, in picoseconds. */
static bool is_worth_it(const void *data, size_t bytes, hn_time byte)
{
    uint8_t sample[SAMPLE_MOST], out[SAMPLE_MOST];
    size_t size = take_sample(data, bytes, sample);
    int64_t begun = processor_time();
    size_t small = deflate_into(sample, size, out, size);
    if (small == 0)
        return false;
    int64_t work = processor_time() - begun;
    work += work / INFLATE_PART;
    return byte * (int64_t)(size - small) > work / 100 * MARGIN_PERCENT;
}

/* What a byte takes on a way, in picoseconds. */
static hn_time byte_of(const struct model *model, int from, int to, size_t bytes)
{
    hn_time travel =
        model_cost(model, from, to, (int64_t)bytes).travel - model_cost(model, from, to, 0).travel;
    return travel / (hn_time)bytes;
}

/* Whether data may shrink, as far as the last messages on this way tell. */
static bool has_hope(struct way *way)
{
    unsigned skip = atomic_load(&way->skip);
    if (skip > 0)
        atomic_store(&way->skip, skip - 1);
    return skip == 0;
}

static void lose_hope(struct way *way)
{
    unsigned next = atomic_load(&way->next);
    next = next == 0 ? 1 : next < SKIP_MOST ? 2 * next : SKIP_MOST;
    atomic_store(&way->next, next);
    atomic_store(&way->skip, next);
}

static void put_head(uint8_t *message, uint64_t bytes, hn_type type)
{
    bytes_put64(message, bytes);
    message[8] = type_machine_is_big_endian();
    bytes_put16(message + 9, (uint16_t)type);
}

uint8_t *compress_message(struct compress *compress, const struct model *model, int from, int to,
                          const void *data, size_t bytes, hn_type type, size_t *length)
{
    if (!compress || bytes < LEAST || from == to)
        return NULL;
    hn_time byte = byte_of(model, from, to, bytes);
    struct way *way = &compress->ways[to];
    if (byte < quick_byte || !has_hope(way))
        return NULL;
    /* What does not shrink by a tenth is not worth the receiver's memory. */
    size_t room = bytes - bytes / 10, used = 0;
    uint8_t *message = is_worth_it(data, bytes, byte) ? malloc(room) : NULL;
    if (message)
        used = deflate_into(data, bytes, message + HEAD, room - HEAD);
    if (used == 0) {
        lose_hope(way);
        free(message);
        return NULL;
    }
    atomic_store(&way->next, 0);
    put_head(message, bytes, type);
    *length = HEAD + used;
    return message;
}

/* ---- receiving ---------------------------------------------------------------------------------
 */

bool compress_is_deflated(const hn_info *info, hn_type type)
{
    return info->type == HN_PACKED && type != HN_PACKED;
}

/* Inflates what follows the head to exactly so many bytes. */
static bool inflate_to(void *out, size_t bytes, const uint8_t *message, size_t length)
{
    uLongf inflated = bytes;

    return bytes_get64(message) == bytes &&
           uncompress(out, &inflated, message + HEAD, length - HEAD) == Z_OK && inflated == bytes;
}

int compress_inflate(const uint8_t *message, size_t length, void *data, size_t bytes, hn_type type)
{
    hn_type sent = length > HEAD ? bytes_get16(message + 9) : 0;
    size_t size = type_size(sent), count = bytes / type_size(type);
    bool as_here = size == type_size(type);
    void *out = as_here ? data : malloc(count * size + 1);
    int error = HN_OK;

    if (!out)
        return error_set(HN_ENOMEM, "out of memory");
    if (size == 0 || message[8] > 1 || !type_compatible(sent, type) ||
        !inflate_to(out, count * size, message, length))
        error = error_set(HN_EPROTO, "a message is not %zu deflated elements", count);
    else
        error = type_convert(out, sent, message[8], data, type, count);
    if (!as_here)
        free(out);
    return error;
}
