/* test_datagram.c - datagrams to several tasks: what was sealed is opened again, and nothing else
 * is. They stand in memory of exactly their size, so that a sanitizer sees who reads too far. */
#include "datagram.h"

#include "bytes.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER UINT64_C(0x0123456789abcdef)
enum {
    AT_MAC = 16,
    HEAD = 16,
    PAYLOAD = 77,
    FRAME = HEAD + PAYLOAD,
    FROM = 0x30005,
    FIRST = 0x10001
};

static uint8_t key[DATAGRAM_KEY], frame[FRAME];

static hn_tid target(int i)
{
    return FIRST + 7 * i;
}

static uint64_t place_of(int i)
{
    return 0xabcdfffffff0u + (uint64_t)i * 3;
}

static void setup(void)
{
    datagram_key((const uint8_t *)"secret of a job", 15, key);
    for (int i = 0; i < FRAME; i++)
        frame[i] = (uint8_t)(i * 37 + 1);
}

/* A sealed datagram to so many targets, with a frame; the caller frees it. */
static uint8_t *make(uint8_t kind, int count, size_t *bytes)
{
    struct datagram d = {kind, (uint8_t)count, FROM, NUMBER};
    uint8_t begin[DATAGRAM_BEFORE], *out;
    size_t before = datagram_begin(&d, begin);

    cr_assert_eq(before, datagram_before(&d));
    for (int i = 0; i < count; i++)
        datagram_target(begin, i, target(i), place_of(i));
    datagram_seal(key, begin, frame, HEAD, frame + HEAD, PAYLOAD);
    *bytes = before + FRAME;
    out = malloc(*bytes);
    cr_assert(out);
    memcpy(out, begin, before);
    memcpy(out + before, frame, FRAME);
    return out;
}

static void check_targets(const uint8_t *in, const struct datagram *d)
{
    uint64_t place;

    for (int i = 0; i < d->count; i++) {
        cr_assert(datagram_place(in, d, target(i), &place));
        cr_assert_eq(place, place_of(i));
    }
    place = 4711;
    cr_assert_not(datagram_place(in, d, target(d->count), &place));
    cr_assert_not(datagram_place(in, d, FROM, &place));
    cr_assert_not(datagram_place(in, d, 0, &place));
    cr_assert_eq(place, 4711u, "of who is no target");
}

Test(datagram, opens_with_all_that_was_said, .init = setup)
{
    const uint8_t kinds[] = {DATAGRAM_FRAME, DATAGRAM_HELLO};

    for (int count = 1; count <= DATAGRAM_TARGETS; count++) {
        uint8_t kind = kinds[count % 2];
        struct datagram d;
        size_t bytes;
        uint8_t *in = make(kind, count, &bytes);
        cr_assert(datagram_open(key, in, bytes, &d), "%d targets", count);
        cr_assert(d.kind == kind && d.count == count && d.from == FROM && d.number == NUMBER);
        cr_assert_eq(bytes - datagram_before(&d), (size_t)FRAME);
        check_targets(in, &d);
        free(in);
    }
}

Test(datagram, layout_is_that_of_the_header_file, .init = setup)
{
    size_t bytes;
    uint8_t *in = make(DATAGRAM_FRAME, 2, &bytes);
    const uint8_t begins[] = {0x68, 0x4e, 1,    2,    5,    0,    3,    0,
                              0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 1};
    const uint8_t targets[] = {1, 0, 1, 0, 0xf0, 0xff, 0xff, 0xff, 0xcd, 0xab,
                               8, 0, 1, 0, 0xf3, 0xff, 0xff, 0xff, 0xcd, 0xab};

    cr_assert_arr_eq(in, begins, sizeof begins);
    cr_assert_arr_eq(in + DATAGRAM_HEAD, targets, sizeof targets);
    cr_assert_arr_eq(in + DATAGRAM_HEAD + sizeof targets, frame, FRAME);
    free(in);
}

/* A task may be named twice: the first one counts. */
Test(datagram, first_of_two_places_counts, .init = setup)
{
    struct datagram d = {DATAGRAM_FRAME, 3, FROM, 1};
    uint8_t out[DATAGRAM_BEFORE];
    uint64_t place = 0;

    datagram_begin(&d, out);
    for (int i = 0; i < 3; i++)
        datagram_target(out, i, FIRST, 100 + (uint32_t)i);
    cr_assert(datagram_place(out, &d, FIRST, &place));
    cr_assert_eq(place, 100u);
}

Test(datagram, mac_is_the_same_however_the_frame_is_cut, .init = setup)
{
    size_t bytes, before = DATAGRAM_HEAD + 3 * DATAGRAM_TARGET;
    uint8_t *whole = make(DATAGRAM_FRAME, 3, &bytes), *cut = make(DATAGRAM_FRAME, 3, &bytes);

    for (size_t at = 0; at <= FRAME; at++) {
        memset(cut + AT_MAC, 0, 8);
        datagram_seal(key, cut, frame, at, frame + at, FRAME - at);
        cr_assert_arr_eq(cut, whole, before, "cut at %zu", at);
    }
    free(whole);
    free(cut);
}

/* Nothing follows a hello. */
Test(datagram, without_a_frame, .init = setup)
{
    struct datagram d = {DATAGRAM_HELLO, 1, FROM, 0}, got;
    uint8_t out[DATAGRAM_BEFORE];
    size_t bytes = datagram_begin(&d, out);
    uint64_t interface = 0;

    datagram_target(out, 0, 0, 42);
    datagram_seal(key, out, NULL, 0, NULL, 0);
    cr_assert(datagram_open(key, out, bytes, &got));
    cr_assert(got.kind == DATAGRAM_HELLO && datagram_place(out, &got, 0, &interface));
    cr_assert_eq(interface, 42u);
    cr_assert_not(datagram_open(key, out, bytes + 1, &got));
}

static void expect_changes_seen(int count)
{
    struct datagram d;
    size_t bytes;
    uint8_t *in = make(DATAGRAM_FRAME, count, &bytes);

    for (size_t at = 0; at < bytes; at++) {
        for (int bit = 0; bit < 8; bit++) {
            in[at] ^= (uint8_t)(1 << bit);
            cr_assert_not(datagram_open(key, in, bytes, &d), "byte %zu, bit %d", at, bit);
            in[at] ^= (uint8_t)(1 << bit);
        }
        in[at] ^= 0xff;
        cr_assert_not(datagram_open(key, in, bytes, &d), "byte %zu", at);
        in[at] ^= 0xff;
    }
    cr_assert(datagram_open(key, in, bytes, &d));
    free(in);
}

Test(datagram, mac_covers_every_bit, .init = setup)
{
    expect_changes_seen(1);
    expect_changes_seen(5);
    expect_changes_seen(DATAGRAM_TARGETS);
}

/* Bytes may not wander from the targets to the frame, nor places between targets. */
Test(datagram, targets_do_not_change_places, .init = setup)
{
    struct datagram d;
    size_t bytes;
    uint8_t *in = make(DATAGRAM_FRAME, 2, &bytes), *at = in + DATAGRAM_HEAD;
    uint8_t first[DATAGRAM_TARGET];

    memcpy(first, at, sizeof first);
    memmove(at, at + DATAGRAM_TARGET, DATAGRAM_TARGET);
    memcpy(at + DATAGRAM_TARGET, first, sizeof first);
    cr_assert_not(datagram_open(key, in, bytes, &d));
    free(in);
}

Test(datagram, needs_the_key, .init = setup)
{
    uint8_t other[DATAGRAM_KEY];
    struct datagram d;
    size_t bytes;
    uint8_t *in = make(DATAGRAM_FRAME, 3, &bytes);

    datagram_key((const uint8_t *)"secret of a jod", 15, other);
    cr_assert_not(datagram_open(other, in, bytes, &d));
    for (int i = 0; i < DATAGRAM_KEY; i++) {
        memcpy(other, key, sizeof other);
        other[i] ^= 1;
        cr_assert_not(datagram_open(other, in, bytes, &d), "byte %d of the key", i);
    }
    free(in);
}

/* The same words sealed with another number have another mac: keys are used once. */
Test(datagram, each_number_has_a_key_of_its_own, .init = setup)
{
    size_t bytes;
    uint8_t *one = make(DATAGRAM_FRAME, 1, &bytes), *two = make(DATAGRAM_FRAME, 1, &bytes);

    bytes_put64(two + 8, NUMBER + 1);
    datagram_seal(key, two, frame, HEAD, frame + HEAD, PAYLOAD);
    cr_assert_neq(memcmp(one + AT_MAC, two + AT_MAC, 8), 0);
    free(one);
    free(two);
}

Test(datagram, shorter_or_longer_is_none, .init = setup)
{
    struct datagram d;
    size_t bytes;
    uint8_t *whole = make(DATAGRAM_FRAME, 3, &bytes);
    uint8_t *longer = calloc(1, bytes + 1);

    for (size_t n = 0; n < bytes; n++) {
        uint8_t *in = malloc(n + !n);
        cr_assert(in);
        memcpy(in, whole, n);
        cr_assert_not(datagram_open(key, in, n, &d), "%zu of %zu bytes", n, bytes);
        free(in);
    }
    cr_assert(longer);
    memcpy(longer, whole, bytes);
    cr_assert_not(datagram_open(key, longer, bytes + 1, &d), "one byte more");
    free(longer);
    free(whole);
}

/* With a mac that is right: of who has the key and a fault. */
Test(datagram, number_of_targets_is_checked, .init = setup)
{
    enum { MOST = UINT8_MAX };
    static uint8_t in[DATAGRAM_HEAD + MOST * DATAGRAM_TARGET + FRAME];

    for (int count = 0; count <= MOST; count++) {
        struct datagram d = {DATAGRAM_FRAME, (uint8_t)count, FROM, 9}, got;
        size_t before = datagram_begin(&d, in);
        for (int i = 0; i < count; i++)
            datagram_target(in, i, target(i), 0);
        memcpy(in + before, frame, FRAME);
        datagram_seal(key, in, frame, FRAME, NULL, 0);
        cr_assert_eq(datagram_open(key, in, before + FRAME, &got),
                     count >= 1 && count <= DATAGRAM_TARGETS, "%d targets", count);
    }
}
