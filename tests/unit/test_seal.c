/* test_seal.c - two links over a sealed wire on which records are cut anywhere, bits change, bytes
 * are lost and repeated, and connections break.  Whatever happens, a message arrives as it was sent
 * or not at all; after each accident the stream goes on under new keys, as peer.c does it, and in
 * the end all is there, once, in order.  A failing seed is printed and replays with HNOW_SEED. */
#include "base/bytes.h"
#include "base/error.h"
#include "link/link.h"
#include "random.h"
#include "transport/seal.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 5000, MESSAGES = 10, LONGEST = 9000, WIRE = 1 << 20 };

struct side {
    struct link link;
    struct match match;
    struct seal *seal;
    uint8_t wire[WIRE]; /* written by this side, not yet delivered */
    size_t in_wire;
    int sent, received;
};

static uint64_t random_state;
static bool aes; /* the cipher of this schedule, where the processor has it */

static size_t below(size_t n)
{
    return (size_t)random_below(&random_state, (int64_t)n);
}

static size_t length_of(int i)
{
    return (size_t)i * 2654435761u % LONGEST;
}

static void fill(uint8_t *p, int i)
{
    for (size_t k = 0; k < length_of(i); k++)
        p[k] = (uint8_t)(i * 7 + 13 * k);
}

static void start(void)
{
    cr_assert_geq(sodium_init(), 0); /* which finds out what the processor has */
}

TestSuite(seal, .init = start);

/* ---- the pieces of a schedule -------------------------------------------------------------- */

static void send_next(struct side *s)
{
    uint8_t data[LONGEST];
    hn_info info = {.tag = 1, .type = HN_BYTE, .count = length_of(s->sent)};
    if (s->sent == MESSAGES)
        return;
    fill(data, s->sent++);
    cr_assert_eq(link_send_copy(&s->link, &info, 7, data), HN_OK);
}

static void write_some(struct side *s)
{
    struct iovec iov[LINK_IOV];
    size_t length;
    const uint8_t *bytes = seal_waiting(s->seal, &length);
    if (!bytes) {
        int n = link_output(&s->link, iov);
        link_written(&s->link, seal_close(s->seal, iov, n));
        bytes = seal_waiting(s->seal, &length);
    }
    if (!bytes || s->in_wire + length > WIRE)
        return;
    length = 1 + below(length);
    memcpy(s->wire + s->in_wire, bytes, length);
    s->in_wire += length;
    seal_written(s->seal, length);
}

/* The accidents that a wire, or somebody at it, may cause. */
static void disturb(struct side *s)
{
    size_t at = below(s->in_wire + 1), n = 1 + below(100);
    if (s->in_wire == 0 || s->in_wire + 100 > WIRE || at + n > s->in_wire)
        return;
    switch (below(3)) {
    case 0:
        s->wire[at] ^= (uint8_t)(1 << below(8));
        break;
    case 1: /* lost */
        memmove(s->wire + at, s->wire + at + n, s->in_wire - at - n);
        s->in_wire -= n;
        break;
    default: /* repeated */
        memmove(s->wire + at + n, s->wire + at, s->in_wire - at);
        s->in_wire += n;
    }
}

static void connect_both(struct side *a, struct side *b)
{
    uint8_t key[2][SEAL_KEY];
    for (size_t i = 0; i < sizeof key; i++)
        key[i / SEAL_KEY][i % SEAL_KEY] = (uint8_t)below(256);
    seal_free(a->seal);
    seal_free(b->seal);
    a->seal = seal_new(key[0], key[1], aes);
    b->seal = seal_new(key[1], key[0], aes);
    a->in_wire = b->in_wire = 0;
}

static void break_wire(struct side *a, struct side *b)
{
    link_broken(&a->link);
    link_broken(&b->link);
    connect_both(a, b);
    cr_assert_eq(link_resume(&a->link, b->link.received), HN_OK, "%s", hn_error_text());
    cr_assert_eq(link_resume(&b->link, a->link.received), HN_OK, "%s", hn_error_text());
}

static void take_plain(struct link *l, const uint8_t *plain, size_t length)
{
    while (length > 0) {
        uint8_t scratch[512];
        struct iovec iov[2];
        int n = link_input(l, iov, scratch, sizeof scratch);
        size_t part = 0;
        for (int i = 0; i < n && part < length; i++) {
            size_t room = iov[i].iov_len < length - part ? iov[i].iov_len : length - part;
            memcpy(iov[i].iov_base, plain + part, room);
            part += room;
        }
        cr_assert_eq(link_received(l, scratch, part), HN_OK, "%s", hn_error_text());
        plain += part;
        length -= part;
    }
}

/* Some of what `from` wrote arrives at `to`; false: it is no good, and the connection is over. */
static bool deliver_some(struct side *from, struct side *to)
{
    const uint8_t *plain;
    size_t room, length;
    uint8_t *place = seal_room(to->seal, &room);
    int opened;
    if (room > from->in_wire)
        room = from->in_wire;
    room = room ? below(room + 1) : 0;
    memcpy(place, from->wire, room);
    from->in_wire -= room;
    memmove(from->wire, from->wire + room, from->in_wire);
    seal_received(to->seal, room);
    while ((opened = seal_open(to->seal, &plain, &length)) > 0)
        take_plain(&to->link, plain, length);
    return opened == 0;
}

static void receive_next(struct side *s)
{
    uint8_t data[LONGEST], expected[LONGEST];
    hn_request r = {
        .from = HN_ANY, .tag = 1, .context = 7, .data = data, .count = LONGEST, .type = HN_BYTE};
    const struct inbound *in = match_find(&s->match, HN_ANY, 1, 7, false);
    if (!in || in->got < in->total)
        return;
    list_init(&r.node);
    match_post(&s->match, &r);
    cr_assert(r.done && r.result == HN_OK && r.info.count == length_of(s->received));
    fill(expected, s->received++);
    cr_assert_arr_eq(data, expected, r.info.count);
}

static void one_step(struct side *s, struct side *other, bool calm)
{
    switch (below(calm ? 5 : 7)) {
    case 0:
        send_next(s);
        break;
    case 1:
        write_some(s);
        break;
    case 2:
    case 3:
        if (!deliver_some(other, s))
            break_wire(s, other);
        break;
    case 4:
        receive_next(s);
        break;
    case 5:
        if (below(4) == 0)
            disturb(s);
        break;
    default:
        if (below(20) == 0)
            break_wire(s, other);
    }
}

static void begin(struct side *s, hn_tid peer)
{
    match_init(&s->match);
    link_init(&s->link, peer, &s->match);
    s->seal = NULL;
    s->sent = s->received = 0;
}

static void end(struct side *s)
{
    link_clear(&s->link, HN_EDEAD);
    match_clear(&s->match);
    seal_free(s->seal);
}

/* A lost length may leave a side waiting for more than will come: then time breaks the connection,
 * as the keep-alive does. */
static void run_schedule(uint64_t seed)
{
    static struct side a, b;
    random_state = seed * 2 + 1;
    aes = seed % 2 && seal_has_aes();
    begin(&a, 2);
    begin(&b, 1);
    connect_both(&a, &b);
    for (int step = 0; a.received < MESSAGES || b.received < MESSAGES; step++) {
        cr_assert_lt(step, 100000, "seed %llu does not end", (unsigned long long)seed);
        if (step == 2000)
            break_wire(&a, &b);
        if (below(2))
            one_step(&a, &b, step > 2000);
        else
            one_step(&b, &a, step > 2000);
    }
    end(&a);
    end(&b);
}

Test(seal, random_schedules)
{
    const char *replay = getenv("HNOW_SEED");
    unsigned first = replay ? (unsigned)atoi(replay) : 1,
             last = replay ? first : (unsigned)random_rounds(SCHEDULES);
    for (unsigned seed = first; seed <= last; seed++)
        run_schedule(seed);
}

/* ---- single records ------------------------------------------------------------------------ */

static void seal_text(struct seal *seal, const char *text, uint8_t *out, size_t *n)
{
    struct iovec iov = {(void *)text, strlen(text)};
    const uint8_t *bytes;
    size_t length;
    cr_assert_eq(seal_close(seal, &iov, 1), strlen(text));
    bytes = seal_waiting(seal, &length);
    memcpy(out + *n, bytes, length);
    *n += length;
    seal_written(seal, length);
    cr_assert_null(seal_waiting(seal, &length));
}

static int open_bytes(struct seal *seal, const uint8_t *bytes, size_t n, const char *expected)
{
    size_t room, length;
    const uint8_t *plain;
    uint8_t *place = seal_room(seal, &room);
    cr_assert_geq(room, n);
    memcpy(place, bytes, n);
    seal_received(seal, n);
    int opened = seal_open(seal, &plain, &length);
    if (opened > 0)
        cr_assert(length == strlen(expected) && memcmp(plain, expected, length) == 0);
    return opened;
}

static void check_records(void)
{
    static const uint8_t key[2][SEAL_KEY] = {{1}, {2}};
    struct seal *a = seal_new(key[0], key[1], aes), *b = seal_new(key[1], key[0], aes);
    uint8_t first[100], second[100], again[100];
    size_t n1 = 0, n2 = 0, n3 = 0;
    seal_text(a, "a secret that nobody may read", first, &n1);
    seal_text(a, "a secret that nobody may read", second, &n2);
    seal_text(b, "a secret that nobody may read", again, &n3);
    cr_assert_null(memmem(first, n1, "secret", 6));
    cr_assert_neq(memcmp(first, second, n1), 0);
    cr_assert_eq(open_bytes(b, first, n1, "a secret that nobody may read"), 1);
    cr_assert_eq(open_bytes(b, first, n1, ""), HN_EPROTO); /* replayed */
    seal_free(b);
    b = seal_new(key[1], key[0], aes);
    cr_assert_eq(open_bytes(b, second, n2, ""), HN_EPROTO); /* the first one left out */
    seal_free(b);
    b = seal_new(key[1], key[0], aes);
    cr_assert_eq(open_bytes(b, again, n3, ""), HN_EPROTO); /* its own, reflected */
    seal_free(a);
    seal_free(b);
}

Test(seal, nothing_readable_and_nothing_twice)
{
    aes = false;
    check_records();
    if (!seal_has_aes())
        return;
    aes = true;
    check_records();
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Opens a record of one byte by hand, under this key. */
static bool opens(const uint8_t *record, const uint8_t *key, uint64_t number)
{
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0}, byte;
    bytes_put64(nonce, number);
    return crypto_aead_chacha20poly1305_ietf_decrypt(&byte, NULL, NULL, record + SEAL_HEAD,
                                                     1 + SEAL_PROOF, record, SEAL_HEAD, nonce,
                                                     key) == 0;
}

static void next_key(uint8_t key[SEAL_KEY])
{
    static const char what[] = "hnow: the key that follows";
    uint8_t next[SEAL_KEY];
    crypto_generichash(next, SEAL_KEY, (const uint8_t *)what, strlen(what), key, SEAL_KEY);
    memcpy(key, next, SEAL_KEY);
}

/* Each life of a key ends as the header says; the other side follows. */
static void live_long(void)
{
    static const uint8_t first[SEAL_KEY] = {1}, other[SEAL_KEY] = {2};
    struct seal *a = seal_new(first, other, aes), *b = seal_new(other, first, aes);
    uint8_t key[SEAL_KEY], before[SEAL_KEY], record[100];
    memcpy(key, first, SEAL_KEY);
    for (uint64_t number = 0; number < 3 * SEAL_LIFE; number++) {
        size_t n = 0;
        seal_text(a, "x", record, &n);
        if (number > 0 && number % SEAL_LIFE == 0) {
            memcpy(before, key, SEAL_KEY);
            next_key(key);
            cr_assert(aes || (opens(record, key, number) && !opens(record, before, number)));
        }
        cr_assert_eq(open_bytes(b, record, n, "x"), 1, "record %d", (int)number);
    }
    seal_free(a);
    seal_free(b);
}

Test(seal, keys_are_renewed)
{
    aes = false;
    live_long();
    aes = seal_has_aes();
    live_long();
}

/* ---- large payloads ------------------------------------------------------------------------ */

/* What is sealed where it stands, between pieces that are gathered, opens as what it was; whoever
 * reads may get any part of it at a time. */
Test(seal, long_and_short_pieces)
{
    enum { MOST = 400000, PIECES = 5, ROUNDS = 40 };
    static const uint8_t key[2][SEAL_KEY] = {{1}, {2}};
    static const size_t lengths[] = {1, 32, 5000, 16 << 10, 40000, SEAL_PLAIN, 100000};
    uint64_t seed = random_seed();
    uint8_t *bytes = malloc(MOST), *wire = malloc(2 * MOST);
    struct seal *a = seal_new(key[0], key[1], false), *b = seal_new(key[1], key[0], false);
    cr_assert(bytes && wire && a && b);
    random_state = seed;
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 9);
    for (int round = 0; round < ROUNDS; round++) {
        size_t to = 0, at = 0, written = 0, read = 0, opened = 0;
        while (to < MOST) {
            struct iovec iov[PIECES];
            size_t end = at, length;
            for (int i = 0; i < PIECES; i++) {
                size_t left = MOST - end, part = lengths[below(7)];
                iov[i] = (struct iovec){bytes + end, part < left ? part : left};
                end += iov[i].iov_len;
            }
            at += seal_close(a, iov, PIECES);
            const uint8_t *sealed = seal_waiting(a, &length);
            cr_assert(sealed && written + length <= 2 * MOST);
            memcpy(wire + written, sealed, length);
            written += length;
            seal_written(a, length);
            to = at;
        }
        while (read < written) {
            size_t room, length;
            const uint8_t *plain;
            uint8_t *place = seal_room(b, &room);
            room = room < written - read ? room : written - read;
            room = 1 + below(room);
            memcpy(place, wire + read, room);
            read += room;
            seal_received(b, room);
            while (seal_open(b, &plain, &length) > 0) {
                cr_assert(opened + length <= MOST && memcmp(plain, bytes + opened, length) == 0,
                          "seed %llu", (unsigned long long)seed);
                opened += length;
            }
        }
        cr_assert_eq(opened, MOST, "seed %llu", (unsigned long long)seed);
    }
    free(bytes);
    free(wire);
    seal_free(a);
    seal_free(b);
}

/* A message of 16 KiB and what stands before it are one write, and each record of a longer one
 * opens as soon as it has arrived. */
Test(seal, few_writes_and_no_waiting_for_the_last_byte)
{
    static const uint8_t key[2][SEAL_KEY] = {{1}, {2}};
    static uint8_t bytes[4 * SEAL_PLAIN];
    struct seal *a = seal_new(key[0], key[1], false), *b = seal_new(key[1], key[0], false);
    struct iovec message[] = {{bytes, 64}, {bytes, 16 << 10}}, longer = {bytes, sizeof bytes};
    size_t length, room;
    const uint8_t *plain, *sealed;

    cr_assert_eq(seal_close(a, message, 2), 64 + (16 << 10));
    sealed = seal_waiting(a, &length);
    memcpy(seal_room(b, &room), sealed, length);
    seal_received(b, length);
    seal_written(a, length);
    for (size_t got = 0; got < 64 + (16 << 10); got += length)
        cr_assert_eq(seal_open(b, &plain, &length), 1);
    cr_assert_gt(seal_close(a, &longer, 1), SEAL_PLAIN);
    memcpy(seal_room(b, &room), seal_waiting(a, &length), SEAL_RECORD);
    seal_received(b, SEAL_RECORD);
    cr_assert_eq(seal_open(b, &plain, &length), 1);
    cr_assert_eq(length, SEAL_PLAIN);
    seal_free(a);
    seal_free(b);
}

/* Who has agreed on another cipher opens nothing. */
Test(seal, ciphers_are_not_mixed)
{
    static const uint8_t key[2][SEAL_KEY] = {{1}, {2}};
    uint8_t bytes[100];
    size_t n = 0;

    if (!seal_has_aes())
        cr_skip_test("this processor has no AES");
    struct seal *a = seal_new(key[0], key[1], true), *b = seal_new(key[1], key[0], false);
    seal_text(a, "text", bytes, &n);
    cr_assert_eq(open_bytes(b, bytes, n, ""), HN_EPROTO);
    seal_free(a);
    seal_free(b);
}
