/* test_handshake.c - the handshake between two tasks, and what strangers make of it: no split of
 * the bytes matters, and nobody gets in who changes, repeats, reflects or makes up any of them. */
#include "base/bytes.h"
#include "base/error.h"
#include "connect/handshake.h"
#include "protocol/control.h"
#include "random.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

enum { DIALLER = 5, ACCEPTOR = 0x40007, BESIDE = 7 /* on the dialler's host */ };
static const uint8_t nothing[HANDSHAKE_KEY];
static const uint8_t secret[CONTROL_SECRET] = {1, 2, 3}, other_secret[CONTROL_SECRET] = {9};

static const struct handshake_start dialler_start = {111, UINT64_C(1) << 40, "key of the dialler"},
                                    acceptor_start = {222, 77, "key of the acceptor"};

static void expect_start(const struct handshake *h, struct handshake_start wanted)
{
    cr_assert_eq(h->theirs.received, wanted.received);
    cr_assert_eq(h->theirs.datagrams, wanted.datagrams);
    cr_assert_arr_eq(h->theirs.key, wanted.key, HANDSHAKE_KEY);
}

/* Everything one side has said. */
struct said {
    uint8_t bytes[512];
    size_t n;
};

static void hear(struct handshake *h, struct said *said)
{
    memcpy(said->bytes + said->n, h->out, h->out_length);
    said->n += h->out_length;
    h->out_length = 0;
}

/* Feeds the bytes from *at on, in random pieces, until something must be decided. */
static int feed(struct handshake *h, const struct said *said, size_t *at, uint64_t *random)
{
    int result = HN_OK;
    while (result == HN_OK && *at < said->n && h->state != HANDSHAKE_DECIDE &&
           h->state != HANDSHAKE_PROVEN && h->state != HANDSHAKE_DONE &&
           h->state != HANDSHAKE_BUSY) {
        size_t used, n = 1 + (size_t)random_below(random, (int64_t)(said->n - *at));
        result = handshake_feed(h, said->bytes + *at, n, &used);
        *at += used;
    }
    return result;
}

struct both {
    struct handshake dialler, acceptor;
    struct said from_dialler, from_acceptor;
    size_t heard_by_dialler, heard_by_acceptor;
    bool busy, beside, zero_key;
    unsigned dialler_wish, acceptor_wish;
    int flip; /* the bit to turn round, of all that is said, in its order; -1: none */
    uint64_t random;
};

/* Turns the bit round when it is among the bytes that have just been said. */
static void spoil(struct both *b, struct said *said, size_t before)
{
    size_t total = b->from_dialler.n + b->from_acceptor.n, fresh = said->n - before;
    size_t from = total - fresh;
    if (b->flip >= 0 && (size_t)b->flip / 8 >= from && (size_t)b->flip / 8 < total)
        said->bytes[before + (size_t)b->flip / 8 - from] ^= (uint8_t)(1 << b->flip % 8);
}

static void say(struct both *b, struct handshake *h, struct said *said)
{
    size_t before = said->n;
    hear(h, said);
    spoil(b, said, before);
}

/* A HELLO whose public key is 0, with the right mac. */
static void zero_key(struct handshake *h)
{
    uint8_t *mac = h->hello + HANDSHAKE_HELLO - HANDSHAKE_MAC;
    crypto_generichash_state s;
    memset(mac - HANDSHAKE_NONCE, 0, HANDSHAKE_NONCE);
    crypto_generichash_init(&s, secret, CONTROL_SECRET, HANDSHAKE_MAC);
    crypto_generichash_update(&s, (const uint8_t *)"hello", sizeof "hello");
    crypto_generichash_update(&s, h->hello, HANDSHAKE_HELLO - HANDSHAKE_MAC);
    crypto_generichash_final(&s, mac, HANDSHAKE_MAC);
    memcpy(h->out, h->hello, HANDSHAKE_HELLO);
}

/* Plays it to the end: HN_OK, or the first failure. */
static int play(struct both *b)
{
    int result = HN_OK;
    hn_tid acceptor = b->beside ? BESIDE : ACCEPTOR;
    handshake_dial(&b->dialler, secret, DIALLER, acceptor, &dialler_start, b->dialler_wish);
    if (b->zero_key)
        zero_key(&b->dialler);
    handshake_accept(&b->acceptor, secret, acceptor);
    for (int round = 0; round < 8 && result == HN_OK; round++) {
        say(b, &b->dialler, &b->from_dialler);
        result = feed(&b->acceptor, &b->from_dialler, &b->heard_by_acceptor, &b->random);
        if (b->acceptor.state == HANDSHAKE_DECIDE)
            handshake_answer(&b->acceptor, b->busy, b->acceptor_wish);
        if (b->acceptor.state == HANDSHAKE_PROVEN)
            handshake_resume(&b->acceptor, &acceptor_start, false);
        say(b, &b->acceptor, &b->from_acceptor);
        if (result == HN_OK)
            result = feed(&b->dialler, &b->from_acceptor, &b->heard_by_dialler, &b->random);
    }
    return result;
}

static void check_keys(const struct both *b)
{
    const struct handshake *d = &b->dialler, *a = &b->acceptor;
    cr_assert_arr_eq(d->out_key, a->in_key, HANDSHAKE_KEY);
    cr_assert_arr_eq(d->in_key, a->out_key, HANDSHAKE_KEY);
    cr_assert_neq(memcmp(d->out_key, d->in_key, HANDSHAKE_KEY), 0);
    cr_assert_arr_eq(d->private_key, nothing, HANDSHAKE_KEY, "a private key is not wiped");
    cr_assert_arr_eq(a->private_key, nothing, HANDSHAKE_KEY, "a private key is not wiped");
}

Test(handshake, both_get_through)
{
    for (int round = 0; round < 400; round++) {
        struct both b = {.flip = -1,
                         .random = random_seed() + (uint64_t)round,
                         .dialler_wish = (unsigned)round % 16,
                         .acceptor_wish = (unsigned)round / 16 % 8};
        unsigned either = b.dialler_wish | b.acceptor_wish;
        bool parallel = either & HANDSHAKE_PARALLEL, joins = b.dialler_wish & HANDSHAKE_JOIN;
        bool encrypt = parallel || either & HANDSHAKE_ENCRYPT;
        bool aes = encrypt && b.dialler_wish & b.acceptor_wish & HANDSHAKE_AES;
        cr_assert_eq(play(&b), HN_OK, "%s", hn_error_text());
        cr_assert(b.dialler.state == HANDSHAKE_DONE && b.acceptor.state == HANDSHAKE_DONE);
        cr_assert(b.acceptor.peer == DIALLER);
        expect_start(&b.acceptor, dialler_start);
        expect_start(&b.dialler, acceptor_start);
        cr_assert(b.dialler.encrypt == encrypt && b.acceptor.encrypt == encrypt);
        cr_assert(b.dialler.aes == aes && b.acceptor.aes == aes);
        cr_assert(b.dialler.parallel == parallel && b.acceptor.parallel == parallel);
        cr_assert(b.dialler.joins == joins && b.acceptor.joins == joins);
        cr_assert_eq(handshake_token(&b.dialler), handshake_token(&b.acceptor));
        check_keys(&b);
    }
}

Test(handshake, keys_are_never_the_same)
{
    struct both a = {.flip = -1}, b = {.flip = -1};
    cr_assert_eq(play(&a), HN_OK);
    cr_assert_eq(play(&b), HN_OK);
    cr_assert_neq(memcmp(a.dialler.out_key, b.dialler.out_key, HANDSHAKE_KEY), 0);
    handshake_wipe(&a.dialler);
    cr_assert_arr_eq(a.dialler.out_key, nothing, HANDSHAKE_KEY);
    cr_assert_arr_eq(a.dialler.in_key, nothing, HANDSHAKE_KEY);
    cr_assert_arr_eq(a.dialler.theirs.key, nothing, HANDSHAKE_KEY);
    cr_assert_arr_eq(a.dialler.mine.key, nothing, HANDSHAKE_KEY);
}

/* On one host nothing is encrypted, and no keys are made. */
Test(handshake, no_keys_on_one_host)
{
    struct both b = {.flip = -1, .beside = true};
    cr_assert_eq(play(&b), HN_OK);
    cr_assert_eq(b.acceptor.state, HANDSHAKE_DONE);
    cr_assert_arr_eq(b.dialler.out_key, nothing, HANDSHAKE_KEY);
    cr_assert_arr_eq(b.dialler.theirs.key, nothing, HANDSHAKE_KEY, "and no datagrams");
}

/* One in the middle who knows the secret, as who is told it later, must take part in the exchange:
 * what both sides said is not enough for the keys.  With a public key of his own he has others. */
Test(handshake, secret_and_record_do_not_give_the_keys)
{
    struct both b = {.flip = -1};
    struct handshake again;
    size_t at = 0;
    cr_assert_eq(play(&b), HN_OK);
    handshake_dial(&again, secret, DIALLER, ACCEPTOR, &dialler_start, 0);
    memcpy(again.hello, b.from_dialler.bytes, HANDSHAKE_HELLO);
    cr_assert_eq(feed(&again, &b.from_acceptor, &at, &b.random), HN_OK);
    cr_assert_eq(again.state, HANDSHAKE_DONE);
    cr_assert_neq(memcmp(again.out_key, b.dialler.out_key, HANDSHAKE_KEY), 0);
    cr_assert_neq(memcmp(again.in_key, b.dialler.in_key, HANDSHAKE_KEY), 0);
    cr_assert_neq(memcmp(again.theirs.key, acceptor_start.key, HANDSHAKE_KEY), 0);
    for (size_t i = 0; i + HANDSHAKE_KEY <= b.from_acceptor.n; i++)
        cr_assert_neq(memcmp(b.from_acceptor.bytes + i, acceptor_start.key, HANDSHAKE_KEY), 0);
}

/* Of a member with a fault: a key of small order, with which the common one would be known. */
Test(handshake, public_keys_that_are_none)
{
    struct both b = {.flip = -1, .zero_key = true};
    cr_assert_eq(play(&b), HN_EPROTO);
    cr_assert(strstr(hn_error_text(), "public key"), "%s", hn_error_text());
}

/* Whichever bit is changed on its way: one side at least does not get through, and both never
 * believe something else than what was said. */
Test(handshake, every_bit_counts)
{
    int bits = 8 * (HANDSHAKE_HELLO + HANDSHAKE_ANSWER + HANDSHAKE_PROOF + HANDSHAKE_RESUME);
    for (int flip = 0; flip < bits; flip++) {
        struct both b = {
            .flip = flip, .random = 1, .dialler_wish = HANDSHAKE_ENCRYPT | HANDSHAKE_AES};
        cr_assert_neq(play(&b), HN_OK, "bit %d", flip);
        cr_assert_neq(b.dialler.state, HANDSHAKE_DONE, "bit %d", flip);
        if (b.acceptor.state == HANDSHAKE_DONE)
            expect_start(&b.acceptor, dialler_start);
    }
}

Test(handshake, busy)
{
    struct both b = {.flip = -1, .busy = true};
    cr_assert_eq(play(&b), HN_OK);
    cr_assert_eq(b.dialler.state, HANDSHAKE_BUSY);
}

Test(handshake, a_recorded_dialler_does_not_get_in)
{
    struct both b = {.flip = -1};
    struct handshake again;
    size_t at = 0;
    cr_assert_eq(play(&b), HN_OK);
    handshake_accept(&again, secret, ACCEPTOR);
    cr_assert_eq(feed(&again, &b.from_dialler, &at, &b.random), HN_OK);
    cr_assert_eq(again.state, HANDSHAKE_DECIDE);
    handshake_answer(&again, false, false);
    cr_assert_eq(feed(&again, &b.from_dialler, &at, &b.random), HN_EPROTO);
    cr_assert_neq(again.state, HANDSHAKE_PROVEN);
}

Test(handshake, a_recorded_acceptor_is_not_believed)
{
    struct both b = {.flip = -1};
    struct handshake again;
    size_t at = 0;
    cr_assert_eq(play(&b), HN_OK);
    handshake_dial(&again, secret, DIALLER, ACCEPTOR, &dialler_start, false);
    cr_assert_eq(feed(&again, &b.from_acceptor, &at, &b.random), HN_EPROTO);
}

/* A mirror: what the dialler says comes back to it, and to the acceptor what that says. */
Test(handshake, reflections)
{
    struct handshake dialler, acceptor;
    struct said said = {.n = 0};
    uint64_t random = 1;
    size_t at = 0;
    handshake_dial(&dialler, secret, DIALLER, ACCEPTOR, &dialler_start, false);
    hear(&dialler, &said);
    memset(said.bytes + said.n, 0, sizeof said.bytes - said.n);
    said.n = sizeof said.bytes;
    cr_assert_eq(feed(&dialler, &said, &at, &random), HN_EPROTO);
    at = 0;
    handshake_accept(&acceptor, secret, DIALLER); /* it wants to talk to the acceptor */
    cr_assert_eq(feed(&acceptor, &said, &at, &random), HN_EPROTO);
}

/* Who does not know the secret gets no answer to a HELLO, and who has recorded one cannot go on. */
Test(handshake, another_secret)
{
    struct handshake stranger, acceptor;
    struct said said = {.n = 0};
    uint64_t random = 1;
    size_t at = 0;
    handshake_dial(&stranger, other_secret, DIALLER, ACCEPTOR, &dialler_start, false);
    hear(&stranger, &said);
    handshake_accept(&acceptor, secret, ACCEPTOR);
    cr_assert_eq(feed(&acceptor, &said, &at, &random), HN_EPROTO);
    cr_assert(strstr(hn_error_text(), "does not belong to this job"));
    cr_assert_eq(acceptor.out_length, 0);
}

Test(handshake, a_proof_made_up)
{
    struct handshake dialler, acceptor;
    struct said said = {.n = 0};
    uint64_t random = 1;
    size_t at = 0;
    handshake_dial(&dialler, secret, DIALLER, ACCEPTOR, &dialler_start, false);
    hear(&dialler, &said);
    handshake_accept(&acceptor, secret, ACCEPTOR);
    cr_assert_eq(feed(&acceptor, &said, &at, &random), HN_OK);
    handshake_answer(&acceptor, false, false);
    memset(said.bytes, 7, HANDSHAKE_PROOF);
    said.n = HANDSHAKE_PROOF;
    at = 0;
    cr_assert_eq(feed(&acceptor, &said, &at, &random), HN_EPROTO);
}

Test(handshake, another_version_is_named)
{
    struct handshake dialler, acceptor;
    struct said said = {.n = 0};
    uint64_t random = 1;
    size_t at = 0;
    handshake_dial(&dialler, secret, DIALLER, ACCEPTOR, &dialler_start, false);
    hear(&dialler, &said);
    bytes_put16(said.bytes + 4, 77);
    handshake_accept(&acceptor, secret, ACCEPTOR);
    cr_assert_eq(feed(&acceptor, &said, &at, &random), HN_EPROTO);
    cr_assert(strstr(hn_error_text(), "version 77"), "%s", hn_error_text());
}

/* Whoever begins with something else is not waited for, however few bytes that are. */
Test(handshake, a_wrong_beginning_is_enough)
{
    struct handshake real, acceptor;
    uint8_t bytes[HANDSHAKE_ADDRESSED];
    size_t used;
    handshake_dial(&real, secret, DIALLER, ACCEPTOR, &dialler_start, 0);
    for (unsigned at = 0; at < sizeof bytes; at++) {
        memcpy(bytes, real.hello, sizeof bytes);
        bytes[at] ^= 0x10;
        handshake_accept(&acceptor, secret, ACCEPTOR);
        bool said_by_all = at == 6 || at == 7 || (at >= 8 && at < 12); /* wishes, sender */
        cr_assert_eq(handshake_feed(&acceptor, bytes, sizeof bytes, &used),
                     said_by_all ? HN_OK : HN_EPROTO, "byte %u", at);
        handshake_accept(&acceptor, secret, ACCEPTOR);
        cr_assert_eq(handshake_feed(&acceptor, real.hello, at, &used), HN_OK);
        if (at < 4)
            cr_assert_eq(handshake_feed(&acceptor, bytes + at, 1, &used), HN_EPROTO);
    }
}

Test(handshake, noise)
{
    uint64_t random = random_seed();
    struct handshake real;
    uint8_t begins[HANDSHAKE_ADDRESSED];
    handshake_dial(&real, secret, DIALLER, ACCEPTOR, &dialler_start, 0);
    memcpy(begins, real.hello, sizeof begins);
    for (int round = 0; round < 20000; round++) {
        struct handshake acceptor;
        struct said said = {.n = 1 + (size_t)random_below(&random, 300)};
        size_t at = 0;
        for (size_t i = 0; i < said.n; i++)
            said.bytes[i] = (uint8_t)random_below(&random, 256);
        if (round % 2)
            memcpy(said.bytes, begins, sizeof begins);
        handshake_accept(&acceptor, secret, ACCEPTOR);
        if (feed(&acceptor, &said, &at, &random) == HN_OK && acceptor.state == HANDSHAKE_DECIDE) {
            handshake_answer(&acceptor, false, false);
            feed(&acceptor, &said, &at, &random);
        }
        cr_assert(acceptor.state != HANDSHAKE_PROVEN && acceptor.state != HANDSHAKE_DONE);
    }
}
