/* compress.c - deflated messages (compress.h).
 *
 *      0  u64  bytes of the inflated message, little-endian
 *      8  u8   1: its elements are big-endian
 *      9  u16  their type, which may be wider or narrower than the receiver's
 *     11       a zlib stream (RFC 1950), level 1
 *
 * Cost: a sample is at most 1 / SHARE of a message (up to a quarter of short ones), and costs about
 * that share of the processor time of deflating all. If the sample promised too much, this is
 * noticed after a part, at about 1 / PARTS of that time. After a loss the route carries messages
 * for REST times as long before the next sample. So samples in vain cost 1 / REST of the time of
 * the routes, and data that begin to shrink are noticed as soon as that allows.
 *
 * A new zlib stream costs as much as deflating 10 KiB of text (50 us for fresh memory), which must
 * not count against a sample. So each group state keeps one, about 260 KB.
 */
#include "wire/compress.h"

#include "runtime/internal.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum {
    HEAD = 11,              /* bytes, like the others but for counts and shares */
    LEAST = 1 << 10,        /* shorter messages are not deflated */
    LONG = 16 << 10,        /* bytes examined on every route that is not fast, ... */
    SHARE = 32,             /* a sample is this part of a message */
    SAMPLE_LEAST = 512,     /* with less, zlib's header and trees dominate */
    SAMPLE_MOST = 16 << 10, /* on the stack, twice */
    PIECES = 4,             /* pieces of a sample: begin and end of the data may differ */
    PARTS = 16,
    PART_LEAST = 32 << 10, /* zlib's window: later data are deflated with all of it */
    PART_MOST = 64 << 20,  /* avail_in has 32 bits */
    REST = 100
};
/* zlib's fastest level; time of inflating in percent of deflating (too low only costs time); least
 * saving in percent of both. */
enum { LEVEL = 1, INFLATE_PERCENT = 70, MARGIN_PERCENT = 110 };
/* A route with a lower time of a byte is faster than any processor deflates: 500 Mb/s. */
static const hn_time quick_byte = 16000; /* ps */
/* ... and fewer bytes if a message takes this long (ps): both ends need some 10 us besides the
 * bytes. */
static const hn_time long_enough = 200000000;

struct compressed_route {
    atomic_llong rest; /* ps of messages to be sent before the next sample */
};

/* One for each group state. Several threads may send in the same group at once. Then one of them
 * uses the idle stream, and the others make new ones. */
struct compress {
    int ranks;
    _Atomic(z_stream *) idle;         /* kept for the next message; NULL: none, or in use */
    struct compressed_route routes[]; /* [rank] */
};

struct compress *compress_new(int ranks)
{
    const char *text = getenv("HNOW_COMPRESS");
    if (text && strcmp(text, "0") == 0)
        return NULL;
    struct compress *c = calloc(1, sizeof *c + (size_t)ranks * sizeof c->routes[0]);
    if (c)
        c->ranks = ranks;
    return c;
}

static void end_stream(z_stream *z)
{
    if (z)
        deflateEnd(z);
    free(z);
}

/* No message may be in progress. NULL is allowed. */
void compress_free(struct compress *compress)
{
    if (compress)
        end_stream(atomic_load(&compress->idle));
    free(compress);
}

/* Takes the idle stream, or makes a new one. NULL: out of memory. */
static z_stream *take_stream(struct compress *compress)
{
    z_stream *z = atomic_exchange(&compress->idle, NULL);
    if (z)
        return z;
    z = calloc(1, sizeof *z);
    if (z && deflateInit(z, LEVEL) != Z_OK) {
        free(z);
        z = NULL;
    }
    return z;
}

/* If another thread has returned its stream first, that one is freed. */
static void give_stream(struct compress *compress, z_stream *z)
{
    end_stream(atomic_exchange(&compress->idle, z));
}

/* ---- sending ---------------------------------------------------------------------------- */

/* Collects pieces spread over the data, the first from its beginning, the last from its end. */
static size_t take_sample(const uint8_t *data, size_t bytes, uint8_t *sample)
{
    size_t size = bytes / SHARE < SAMPLE_LEAST ? SAMPLE_LEAST : bytes / SHARE;
    size_t piece = (size < SAMPLE_MOST ? size : SAMPLE_MOST) / PIECES;
    for (size_t i = 0; i < PIECES; i++)
        memcpy(sample + i * piece, data + (bytes - piece) / (PIECES - 1) * i, piece);
    return PIECES * piece;
}

/* This thread's processor time in ps. A busy machine does not make deflating worse, since the route
 * is as busy. */
static int64_t processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return ((int64_t)t.tv_sec * 1000000000 + t.tv_nsec) * 1000;
}

/* Whether deflating took less than it saves. byte: time of a byte on the route, in ps. `work` is
 * the processor time of deflating, to which that of inflating is added. */
static bool is_worth(int64_t work, size_t bytes, size_t small, hn_time byte)
{
    work += work * INFLATE_PERCENT / 100;
    return small < bytes && byte > work / 100 * MARGIN_PERCENT / (int64_t)(bytes - small);
}

/* Whether a sample predicts that deflating all takes less time than it saves. */
static bool promises(z_stream *z, const void *data, size_t bytes, hn_time byte)
{
    uint8_t sample[SAMPLE_MOST], out[SAMPLE_MOST];
    size_t size = take_sample(data, bytes, sample);
    int64_t begun = processor_time();
    deflateReset(z);
    z->next_in = sample;
    z->avail_in = (uInt)size;
    z->next_out = out;
    /* A sample that does not shrink does not fit, and deflate() fails. */
    z->avail_out = (uInt)size;
    return deflate(z, Z_FINISH) == Z_STREAM_END &&
           is_worth(processor_time() - begun, size, z->total_out, byte);
}

/* Deflates into at most `room` bytes; returns their number. 0: too small, or deflating turned out
 * not to be worth it. */
static size_t deflate_into(z_stream *z, const uint8_t *data, size_t bytes, uint8_t *out,
                           size_t room, hn_time byte)
{
    size_t done = 0, part = bytes / PARTS < PART_LEAST ? PART_LEAST : bytes / PARTS;
    int64_t begun = processor_time();
    int result = deflateReset(z);
    z->next_in = (Bytef *)data;
    z->next_out = out;
    part = part < PART_MOST ? part : PART_MOST;
    /* In parts, so that deflating stops soon if it is not worth it. The stream fails when `room` is
     * full. */
    for (bool goes_on = !result; goes_on;) {
        size_t left = bytes - done, room_left = room - (size_t)(z->next_out - out);
        z->avail_in = (uInt)(left < part ? left : part);
        z->avail_out = (uInt)(room_left < UINT_MAX ? room_left : UINT_MAX);
        done += z->avail_in;
        result = deflate(z, done < bytes ? Z_NO_FLUSH : Z_FINISH);
        goes_on = result == Z_OK && z->avail_in == 0 && done < bytes &&
                  is_worth(processor_time() - begun, done, (size_t)(z->next_out - out), byte);
    }
    return result == Z_STREAM_END ? (size_t)(z->next_out - out) : 0;
}

/* Time of a byte on a route, in ps. Only the part that grows with the bytes: latency is not saved.
 */
static hn_time byte_of(const struct model *model, int from, int to, size_t bytes)
{
    hn_time travel =
        model_cost(model, from, to, (int64_t)bytes).travel - model_cost(model, from, to, 0).travel;
    return travel / (hn_time)bytes;
}

/* Whether a message of this travel time is to be examined. After a sample in vain the route rests:
 * messages reduce the rest by the time that they travel. */
static bool is_looked_at(struct compressed_route *route, hn_time travel)
{
    if (atomic_load(&route->rest) <= 0)
        return true;
    atomic_fetch_sub(&route->rest, travel);
    return false;
}

static void put_head(uint8_t *message, uint64_t bytes, hn_type type)
{
    bytes_put64(message, bytes);
    message[8] = type_machine_is_big_endian();
    bytes_put16(message + 9, (uint16_t)type);
}

uint8_t *compress_message(struct compress *compress, const struct model *model, int from, int to,
                          int nth, const void *data, size_t bytes, hn_type type, size_t *length)
{
    if (!compress || bytes < LEAST || from == to)
        return NULL;
    hn_time byte = byte_of(model, from, to, bytes);
    struct compressed_route *route = &compress->routes[to];
    hn_time travel = byte * (hn_time)bytes;
    /* Short messages are examined on slow routes only: examining takes some 10 us at both ends. */
    bool brief = bytes < LONG && travel < long_enough;
    if (byte < quick_byte || brief || !is_looked_at(route, travel))
        return NULL;
    z_stream *z = take_stream(compress);
    if (!z)
        return NULL;
    /* Tasks on one core deflate at the same time, and messages wait for earlier ones. */
    int ranks_per_core = model_ranks_per_core(model);
    byte /= ranks_per_core * nth;
    /* Data that shrink by less than a tenth are not worth the receiver's memory. */
    size_t room = bytes - bytes / 10, used = 0;
    int64_t begun = processor_time();
    uint8_t *message = promises(z, data, bytes, byte) ? malloc(room) : NULL;
    if (message)
        used = deflate_into(z, data, bytes, message + HEAD, room - HEAD, byte);
    give_stream(compress, z);
    if (used == 0) {
        /* The next messages on this route are sent as they are, for REST times this cost. */
        atomic_store(&route->rest, REST * ranks_per_core * (processor_time() - begun));
        free(message);
        return NULL;
    }
    put_head(message, bytes, type);
    *length = HEAD + used;
    return message;
}

/* ---- receiving -------------------------------------------------------------------------- */

/* Inflates the data after the head to exactly so many bytes. Nothing is written beyond them,
 * whatever the message contains. */
static bool inflate_to(void *out, size_t bytes, const uint8_t *message, size_t length)
{
    uLongf inflated = bytes;

    return bytes_get64(message) == bytes &&
           uncompress(out, &inflated, message + HEAD, length - HEAD) == Z_OK && inflated == bytes;
}

/* Elements of the sender may be wider or narrower; then they are inflated first and converted. */
int compress_inflate(const uint8_t *message, size_t length, void *data, size_t bytes, hn_type type)
{
    hn_type sent = length > HEAD ? bytes_get16(message + 9) : 0;
    size_t size = type_size(sent), count = bytes / type_size(type);
    /* Elements of equal width are inflated in place; only their byte order may differ. */
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
