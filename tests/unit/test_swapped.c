/* test_swapped.c - a peer of the other byte order: its frames and buffers, made here, are fed to a
 * link in random pieces, and every type comes out right, in its own width and in others.  Stands in
 * for tests/cross, where machines of both byte orders really meet, wherever that cannot run. */
#include "base/bytes.h"
#include "base/error.h"
#include "link/link.h"
#include "random.h"
#include "base/type.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { VALUES = 7, ROUNDS = 2000, LONGEST = FRAME_SIZE + 16 * VALUES };

static const hn_type types[] = {HN_BYTE,   HN_INT8,    HN_INT16,         HN_INT32,  HN_INT64,
                                HN_UINT8,  HN_UINT16,  HN_UINT32,        HN_UINT64, HN_FLOAT,
                                HN_DOUBLE, HN_COMPLEX, HN_DOUBLE_COMPLEX};
enum { TYPES = sizeof types / sizeof *types };

/* Turns each number of an array round, as it lies in the memory of the other machine. */
static void swap_numbers(uint8_t *data, hn_type type, size_t count)
{
    size_t parts = type >> 8 == HN_CLASS_COMPLEX ? 2 : 1, size = hn_type_size(type) / parts;
    for (size_t i = 0; i < count * parts; i++)
        for (size_t k = 0; k < size / 2; k++) {
            uint8_t byte = data[i * size + k];
            data[i * size + k] = data[(i + 1) * size - 1 - k];
            data[(i + 1) * size - 1 - k] = byte;
        }
}

/* A message as the other machine writes it; returns its length. */
static size_t write_message(uint8_t *out, hn_type type, const uint8_t *values)
{
    size_t bytes = VALUES * hn_type_size(type);
    struct frame f = {.kind = FRAME_MSG,
                      .flags = type_machine_is_big_endian() ? 0 : FRAME_BIG_ENDIAN,
                      .type = (uint16_t)type,
                      .length = (uint32_t)bytes,
                      .total = bytes};
    frame_encode(&f, out);
    memcpy(out + FRAME_SIZE, values, bytes);
    swap_numbers(out + FRAME_SIZE, type, VALUES);
    return FRAME_SIZE + bytes;
}

static void feed(struct link *l, const uint8_t *bytes, size_t n, uint64_t *random)
{
    for (size_t at = 0; at < n;) {
        uint8_t scratch[LONGEST];
        struct iovec iov[2];
        size_t want = 1 + (size_t)random_below(random, (int64_t)(n - at)), part = 0;
        int entries = link_input(l, iov, scratch, sizeof scratch);
        for (int k = 0; k < entries && part < want; k++) {
            size_t room = iov[k].iov_len < want - part ? iov[k].iov_len : want - part;
            memcpy(iov[k].iov_base, bytes + at + part, room);
            part += room;
        }
        cr_assert_eq(link_received(l, scratch, part), HN_OK, "%s", hn_error_text());
        at += part;
    }
}

static hn_request receive_of(void *data, hn_type type)
{
    hn_request r = {.from = 2, .data = data, .count = VALUES, .type = type};
    list_init(&r.node);
    return r;
}

/* One message, its receive posted before or after it. */
static int receive(hn_type as, hn_type type, const uint8_t *values, void *out, uint64_t *random)
{
    uint8_t wire[LONGEST];
    size_t n = write_message(wire, type, values);
    hn_request r = receive_of(out, as);
    bool early = random_below(random, 2);
    struct match match;
    struct link link;

    match_init(&match);
    link_init(&link, 2, &match);
    if (early)
        match_post(&match, &r);
    feed(&link, wire, n, random);
    if (!early)
        match_post(&match, &r);
    cr_assert(r.done);
    list_init(&r.node);
    link_clear(&link, HN_EDEAD);
    match_clear(&match);
    return r.result;
}

Test(swapped, every_type_comes_out_right)
{
    uint64_t seed = random_seed(), random = seed;
    for (int round = 0; round < ROUNDS; round++) {
        hn_type type = types[round % TYPES];
        uint8_t values[16 * VALUES], got[16 * VALUES];
        size_t bytes = VALUES * hn_type_size(type);
        for (size_t i = 0; i < bytes; i++)
            values[i] = (uint8_t)random_below(&random, 256);
        cr_assert_eq(receive(type, type, values, got, &random), HN_OK);
        cr_assert_arr_eq(got, values, bytes, "seed %llu, round %d, type %x",
                         (unsigned long long)seed, round, (unsigned)type);
    }
}

Test(swapped, numbers_change_their_width)
{
    static const int64_t wide[VALUES] = {0, -1, 0x0102, INT16_MIN, INT16_MAX, 1, -300};
    static const double doubles[VALUES] = {0, -1, .5, 1e30, -1e-30, 3, 1024};
    uint64_t random = random_seed();
    int16_t narrow[VALUES];
    int64_t again[VALUES];
    float floats[VALUES];

    cr_assert_eq(receive(HN_INT16, HN_INT64, (const uint8_t *)wide, narrow, &random), HN_OK);
    for (int i = 0; i < VALUES; i++)
        cr_assert_eq(narrow[i], wide[i]);
    cr_assert_eq(receive(HN_INT64, HN_INT16, (uint8_t *)narrow, again, &random), HN_OK);
    cr_assert_arr_eq(again, wide, sizeof wide);
    cr_assert_eq(receive(HN_INT8, HN_INT64, (const uint8_t *)wide, narrow, &random), HN_ETYPE);
    cr_assert_eq(receive(HN_FLOAT, HN_DOUBLE, (const uint8_t *)doubles, floats, &random), HN_OK);
    for (int i = 0; i < VALUES; i++)
        cr_assert_eq(floats[i], (float)doubles[i]);
}

#ifdef HN_LDOUBLE
/* Long doubles as machines of the other byte order have them (128 bits, here lowest bytes first),
 * and those that have x87 in 12 or 16 bytes. */
Test(swapped, long_doubles_of_other_machines)
{
    static const struct {
        uint64_t low, high;
        long double value;
    } quads[VALUES] = {{0, 0x3fff000000000000, 1},
                       {0x5555555555555555, 0x3ffd555555555555, 1.L / 3},
                       {0, 0x817f000000000000, -0x1p-16000L},
                       {0, 0x7fff000000000000, INFINITY},
                       {0, 0x8000000000000000, 0},
                       {1ULL << 49, 0x3fff000000000000, 0x1.0000000000000002p0L},
                       {0, 0xc03e000000000000, -0x1p63L}};
    uint64_t random = random_seed();
    uint8_t bytes[16 * VALUES];
    long double got[VALUES];
    double doubles[VALUES];

    for (int i = 0; i < VALUES; i++) {
        bytes_put64(bytes + 16 * i, quads[i].low);
        bytes_put64(bytes + 16 * i + 8, quads[i].high);
    }
    cr_assert_eq(receive(HN_LDOUBLE, HN_TYPE(HN_CLASS_FLOAT, 16), bytes, got, &random), HN_OK);
    for (int i = 0; i < VALUES; i++)
        cr_assert(got[i] == quads[i].value, "%d: %.30Lg", i, got[i]);
    cr_assert_eq(receive(HN_DOUBLE, HN_TYPE(HN_CLASS_FLOAT, 16), bytes, doubles, &random), HN_OK);
    for (int i = 0; i < VALUES; i++)
        cr_assert_eq(doubles[i], (double)quads[i].value);
    memset(bytes + 6, 0xff, 10);
    bytes[15] = 0x7f;
    bytes[14] = 0xfe; /* the largest there is */
    cr_assert_eq(receive(HN_DOUBLE, HN_TYPE(HN_CLASS_FLOAT, 16), bytes, doubles, &random),
                 HN_ETYPE);
    for (int i = 0; i < VALUES; i++) {
        bytes_put64(bytes + 12 * i, 0xaaaaaaaaaaaaaaab);
        bytes_put32(bytes + 12 * i + 8, 0xbffd);
    }
    cr_assert_eq(receive(HN_DOUBLE, HN_TYPE(HN_CLASS_EXTENDED, 12), bytes, doubles, &random),
                 HN_OK);
    cr_assert_eq(receive(HN_LDOUBLE, HN_TYPE(HN_CLASS_EXTENDED, 12), bytes, got, &random), HN_OK);
    for (int i = 0; i < VALUES; i++)
        cr_assert(doubles[i] == -1. / 3 && (double)got[i] == -1. / 3);
    cr_assert_eq(receive(HN_INT64, HN_TYPE(HN_CLASS_EXTENDED, 12), bytes, got, &random), HN_ETYPE);
}
#endif

/* A buffer goes out and is received as the bytes that it is, which are then turned into what the
 * other machine would have packed (layout: buffer.c), and sent again. */
Test(swapped, buffers)
{
    static const struct {
        uint32_t words[3];
        double fraction;
    } sent = {{1, 0x01020304, UINT32_MAX}, -1. / 3};
    enum { HEADER = 12, ORDER = 2 };
    uint8_t bytes[256];
    uint32_t words[3];
    uint64_t wide[3];
    double fraction;
    hn_info info;
    hn_buffer *b;

    cr_assert_eq(hn_enrol(), HN_OK);
    b = hn_buffer_new();
    hn_pack(b, sent.words, 3, HN_UINT32, 1);
    hn_pack(b, &sent.fraction, 1, HN_DOUBLE, 1);
    cr_assert_eq(hn_send_buffer(hn_mytid(), 1, b), HN_OK);
    cr_assert_eq(hn_recv(HN_ANY, 1, bytes, sizeof bytes, HN_PACKED, &info), HN_OK);
    bytes[ORDER] ^= 1;
    swap_numbers(bytes + HEADER, HN_UINT32, 3);
    bytes[HEADER + 12 + ORDER] ^= 1;
    swap_numbers(bytes + HEADER + 12 + HEADER, HN_DOUBLE, 1);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(hn_send(hn_mytid(), 1, bytes, info.count, HN_PACKED), HN_OK);
        cr_assert_eq(hn_recv_buffer(HN_ANY, 1, -1, b, NULL), HN_OK);
        cr_assert_eq(i ? hn_unpack(b, wide, 3, HN_UINT64, 1) : hn_unpack(b, words, 3, HN_UINT32, 1),
                     HN_OK);
        cr_assert_eq(hn_unpack(b, &fraction, 1, HN_DOUBLE, 1), HN_OK);
        cr_assert_eq(fraction, sent.fraction);
    }
    for (int i = 0; i < 3; i++)
        cr_assert(words[i] == sent.words[i] && wide[i] == sent.words[i]);
    hn_buffer_free(b);
    hn_exit();
}
