/* test_datagram.c - datagrams to several tasks: what was closed is opened again, and nothing else
 * is. They stand in memory of exactly their size, so that a sanitizer sees who reads too far. */
#include "multicast/datagram.h"

#include "base/bytes.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER UINT64_C(0x0123456789abcdef)
enum { FRAME = 93, FROM = 0x30005, FIRST = 0x10001 };

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
    for (int i = 0; i < DATAGRAM_KEY; i++)
        key[i] = (uint8_t)(i * 7 + 3);
    for (int i = 0; i < FRAME; i++)
        frame[i] = (uint8_t)(i * 37 + 1);
}

/* A closed datagram to so many targets, with so much of the frame; the caller frees it. */
static uint8_t *make(struct datagram d, size_t bytes, size_t *all)
{
    uint8_t *out = malloc(datagram_before(&d) + bytes + DATAGRAM_MAC);

    cr_assert(out);
    for (int i = 0; i < d.count; i++)
        datagram_target(out, i, target(i), place_of(i));
    memcpy(out + datagram_before(&d), frame, bytes);
    *all = datagram_close(key, &d, out, bytes);
    cr_assert_eq(*all, datagram_before(&d) + bytes + DATAGRAM_MAC);
    return out;
}

static struct datagram to(int count, bool sealed)
{
    return (struct datagram){DATAGRAM_FRAME, (uint8_t)count, sealed, FROM, NUMBER};
}

/* Whether it opens, in a copy of its own, to the frame. */
static bool opens(const uint8_t *in, size_t all)
{
    uint8_t *copy = malloc(all + !all);
    struct datagram d;
    size_t left;
    bool good;

    cr_assert(copy);
    memcpy(copy, in, all);
    good = datagram_parse(copy, all, &d) && datagram_open(key, &d, copy, all, &left);
    cr_assert(!good || (left == FRAME && memcmp(copy + datagram_before(&d), frame, left) == 0));
    free(copy);
    return good;
}

static void check_targets(const uint8_t *in, const struct datagram *d)
{
    uint64_t position;

    for (int i = 0; i < d->count; i++) {
        cr_assert(datagram_position(in, d, target(i), &position));
        cr_assert_eq(position, place_of(i));
    }
    position = 4711;
    cr_assert_not(datagram_position(in, d, target(d->count), &position));
    cr_assert_not(datagram_position(in, d, FROM, &position));
    cr_assert_not(datagram_position(in, d, 0, &position));
    cr_assert_eq(position, 4711u, "of who is no target");
}

Test(datagram, opens_with_all_that_was_said, .init = setup)
{
    const uint8_t kinds[] = {DATAGRAM_FRAME, DATAGRAM_HELLO, DATAGRAM_ASK};

    for (int count = 1; count <= DATAGRAM_TARGETS; count++) {
        struct datagram wanted = to(count, count % 2), d;
        size_t all;
        wanted.kind = kinds[count % 3];
        uint8_t *in = make(wanted, FRAME, &all);
        cr_assert(datagram_parse(in, all, &d));
        cr_assert(d.kind == wanted.kind && d.count == count && d.sealed == wanted.sealed);
        cr_assert(d.from == FROM && d.number == NUMBER);
        check_targets(in, &d);
        cr_assert(opens(in, all), "%d targets", count);
        free(in);
    }
}

Test(datagram, layout_is_that_of_the_header_file, .init = setup)
{
    size_t all;
    uint8_t *in = make(to(2, false), FRAME, &all);
    const uint8_t begins[] = {0x68, 0x4e, 1,    2,    5,    0,    3,    0,
                              0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 1};
    const uint8_t targets[] = {1, 0, 1, 0, 0xf0, 0xff, 0xff, 0xff, 0xcd, 0xab,
                               8, 0, 1, 0, 0xf3, 0xff, 0xff, 0xff, 0xcd, 0xab};

    cr_assert_arr_eq(in, begins, sizeof begins);
    cr_assert_arr_eq(in + DATAGRAM_HEAD, targets, sizeof targets);
    cr_assert_arr_eq(in + DATAGRAM_HEAD + sizeof targets, frame, FRAME);
    free(in);
}

/* What is sealed shows nothing of the frame; the cipher and its arguments are those of RFC 8439. */
Test(datagram, sealed_is_what_the_header_file_says, .init = setup)
{
    size_t all, before = DATAGRAM_HEAD + 2 * DATAGRAM_TARGET;
    uint8_t *in = make(to(2, true), FRAME, &all), text[FRAME];
    unsigned long long bytes;

    for (size_t i = 0; i + 4 <= FRAME; i++)
        cr_assert_null(memmem(in, all, frame + i, 4));
    cr_assert_eq(in[2], DATAGRAM_FRAME | DATAGRAM_SEALED);
    cr_assert_eq(crypto_aead_chacha20poly1305_ietf_decrypt(text, &bytes, NULL, in + before,
                                                           all - before, in, before, in + 4, key),
                 0);
    cr_assert_eq(bytes, (unsigned long long)FRAME);
    cr_assert_arr_eq(text, frame, FRAME);
    free(in);
}

/* A task may be named twice: the first one counts. */
Test(datagram, first_of_two_places_counts, .init = setup)
{
    struct datagram d = to(3, false);
    uint8_t out[DATAGRAM_HEAD + 3 * DATAGRAM_TARGET];
    uint64_t position = 0;

    for (int i = 0; i < 3; i++)
        datagram_target(out, i, FIRST, 100 + (uint64_t)i);
    cr_assert(datagram_position(out, &d, FIRST, &position));
    cr_assert_eq(position, 100u);
}

static void expect_changes_seen(struct datagram d)
{
    size_t all;
    uint8_t *in = make(d, FRAME, &all);

    for (size_t at = 0; at < all; at++) {
        for (int bit = 0; bit < 8; bit++) {
            in[at] ^= (uint8_t)(1 << bit);
            cr_assert_not(opens(in, all), "byte %zu, bit %d", at, bit);
            in[at] ^= (uint8_t)(1 << bit);
        }
        in[at] ^= 0xff;
        cr_assert_not(opens(in, all), "byte %zu", at);
        in[at] ^= 0xff;
    }
    cr_assert(opens(in, all));
    free(in);
}

/* Also that which says whether it is encrypted. */
Test(datagram, mac_covers_every_bit, .init = setup)
{
    const int counts[] = {1, 5, DATAGRAM_TARGETS};

    for (int i = 0; i < 3; i++) {
        expect_changes_seen(to(counts[i], false));
        expect_changes_seen(to(counts[i], true));
    }
}

/* Bytes may not wander from the targets to the frame, nor places between targets. */
Test(datagram, targets_do_not_change_places, .init = setup)
{
    size_t all;
    uint8_t *in = make(to(2, true), FRAME, &all), *at = in + DATAGRAM_HEAD;
    uint8_t first[DATAGRAM_TARGET];

    memcpy(first, at, sizeof first);
    memmove(at, at + DATAGRAM_TARGET, DATAGRAM_TARGET);
    memcpy(at + DATAGRAM_TARGET, first, sizeof first);
    cr_assert_not(opens(in, all));
    free(in);
}

Test(datagram, needs_the_key, .init = setup)
{
    size_t all;
    uint8_t *in = make(to(3, false), FRAME, &all), *sealed = make(to(3, true), FRAME, &all);

    for (int i = 0; i < DATAGRAM_KEY; i++) {
        key[i] ^= 1;
        cr_assert_not(opens(in, all), "byte %d of the key", i);
        cr_assert_not(opens(sealed, all), "byte %d of the key", i);
        key[i] ^= 1;
    }
    cr_assert(opens(in, all) && opens(sealed, all));
    free(in);
    free(sealed);
}

/* The same words under another number have another mac, and another text. */
Test(datagram, number_is_the_nonce, .init = setup)
{
    struct datagram next = to(1, true);
    size_t all, before = datagram_before(&next);
    uint8_t *one = make(next, FRAME, &all), *two;

    next.number++;
    two = make(next, FRAME, &all);
    cr_assert_neq(memcmp(one + before, two + before, FRAME), 0);
    cr_assert_neq(memcmp(one + all - DATAGRAM_MAC, two + all - DATAGRAM_MAC, DATAGRAM_MAC), 0);
    free(one);
    free(two);
}

Test(datagram, shorter_or_longer_is_none, .init = setup)
{
    size_t all;
    uint8_t *whole = make(to(3, true), FRAME, &all), *longer = calloc(1, all + 1);

    for (size_t n = 0; n < all; n++)
        cr_assert_not(opens(whole, n), "%zu of %zu bytes", n, all);
    cr_assert(longer);
    memcpy(longer, whole, all);
    cr_assert_not(opens(longer, all + 1), "one byte more");
    free(longer);
    free(whole);
}

/* Nothing follows a hello. */
Test(datagram, without_a_frame, .init = setup)
{
    struct datagram d = {.kind = DATAGRAM_HELLO, .count = 1, .from = FROM}, got;
    uint8_t out[DATAGRAM_HEAD + DATAGRAM_TARGET + DATAGRAM_MAC];
    uint64_t interface = 0;
    size_t left = 1;

    datagram_target(out, 0, 0, 42);
    cr_assert_eq(datagram_close(key, &d, out, 0), sizeof out);
    cr_assert(datagram_parse(out, sizeof out, &got) && got.kind == DATAGRAM_HELLO);
    cr_assert(datagram_position(out, &got, 0, &interface));
    cr_assert_eq(interface, 42u);
    cr_assert(datagram_open(key, &got, out, sizeof out, &left));
    cr_assert_eq(left, 0u);
}

/* With a mac that is right: of who has the key and a fault. */
Test(datagram, number_of_targets_is_checked, .init = setup)
{
    for (int count = 0; count <= UINT8_MAX; count++) {
        size_t all;
        uint8_t *in = make(to(count, false), FRAME, &all);
        cr_assert_eq(opens(in, all), count >= 1 && count <= DATAGRAM_TARGETS, "%d targets", count);
        free(in);
    }
}
