/* handshake.c - mutual authentication on every connection between tasks (layout: handshake.h).
 *
 * Each take_...() function verifies the mac of a whole message before anything outside the
 * handshake changes.  HELLO is also checked early, byte by byte, for obvious strangers.  All
 * comparisons of macs take constant time.
 */
#include "connect/handshake.h"

#include "base/bytes.h"
#include "protocol/control.h"
#include "base/error.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

static const uint8_t magic[4] = {'H', 'N', 'O', 'W'};
/* The first byte of ANSWER. */
enum { STATUS_OK = 0, STATUS_BUSY = 1 };
/* Offsets in HELLO, */
enum { AT_HELLO_NONCE = 16, AT_HELLO_MAC = 16 + HANDSHAKE_NONCE };
/* and in ANSWER. */
enum { AT_ANSWER_NONCE = 4, AT_ANSWER_MAC = 4 + HANDSHAKE_NONCE };

/* The acceptor's mac covers HELLO and ANSWER, the dialler's also its start values.  The role
 * prevents reflecting one as the other. */
static void make_mac(const struct handshake *h, const char *role, const uint8_t *extra,
                     size_t extra_size, uint8_t mac[HANDSHAKE_MAC])
{
    crypto_generichash_state s;

    crypto_generichash_init(&s, h->secret, CONTROL_SECRET, HANDSHAKE_MAC);
    crypto_generichash_update(&s, (const uint8_t *)role, strlen(role));
    crypto_generichash_update(&s, h->hello, sizeof h->hello);
    crypto_generichash_update(&s, h->answer, sizeof h->answer - HANDSHAKE_MAC);
    crypto_generichash_update(&s, extra, extra_size);
    crypto_generichash_final(&s, mac, HANDSHAKE_MAC);
}

/* The mac of HELLO covers only HELLO, as nothing precedes it. */
static void make_hello_mac(const struct handshake *h, uint8_t mac[HANDSHAKE_MAC])
{
    static const uint8_t role[] = "hello";
    crypto_generichash_state s;

    crypto_generichash_init(&s, h->secret, CONTROL_SECRET, HANDSHAKE_MAC);
    crypto_generichash_update(&s, role, sizeof role);
    crypto_generichash_update(&s, h->hello, AT_HELLO_MAC);
    crypto_generichash_final(&s, mac, HANDSHAKE_MAC);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static_assert(crypto_kx_PUBLICKEYBYTES == HANDSHAKE_NONCE &&
                  crypto_kx_SECRETKEYBYTES == HANDSHAKE_KEY &&
                  crypto_kx_SESSIONKEYBYTES == HANDSHAKE_KEY &&
                  crypto_kdf_KEYBYTES == HANDSHAKE_KEY,
              "a nonce is a public key");
static_assert((int)HANDSHAKE_LONGEST >= (int)HANDSHAKE_HELLO &&
                  (int)HANDSHAKE_LONGEST >= (int)HANDSHAKE_ANSWER &&
                  (int)HANDSHAKE_LONGEST >= (int)HANDSHAKE_PROOF &&
                  (int)HANDSHAKE_LONGEST >= (int)HANDSHAKE_RESUME,
              "there is room for each");

/* Connections within a host are not encrypted, and need no keys. */
static bool has_keys(const struct handshake *h)
{
    return control_host((uint32_t)h->me) != control_host((uint32_t)h->peer);
}

/* A nonce is fresh in either case.  Between hosts it is also the public key of a pair that is used
 * once. */
static void make_nonce(struct handshake *h, uint8_t nonce[HANDSHAKE_NONCE])
{
    if (has_keys(h))
        crypto_kx_keypair(nonce, h->private_key);
    else
        randombytes_buf(nonce, HANDSHAKE_NONCE);
}

/* Derives the key and the pad of a direction from the shared secret in `key`. */
static void derive(uint8_t key[HANDSHAKE_KEY], uint8_t pad[HANDSHAKE_KEY])
{
    static const char context[crypto_kdf_CONTEXTBYTES] = "hnowlink";
    uint8_t agreed[crypto_kdf_KEYBYTES];

    memcpy(agreed, key, sizeof agreed);
    crypto_kdf_derive_from_key(key, HANDSHAKE_KEY, 1, context, agreed);
    crypto_kdf_derive_from_key(pad, HANDSHAKE_KEY, 2, context, agreed);
    sodium_memzero(agreed, sizeof agreed);
}

/* Both nonces have arrived, and the other side has proven that its own is genuine: derives the
 * keys. */
static int make_keys(struct handshake *h)
{
    const uint8_t *dialler = h->hello + AT_HELLO_NONCE, *acceptor = h->answer + AT_ANSWER_NONCE;
    int bad = 0;

    if (!has_keys(h))
        return HN_OK;
    /* The roles make the two directions' keys different: what the client sends with is what the
     * server receives with. */
    if (h->dialled)
        bad =
            crypto_kx_client_session_keys(h->in_key, h->out_key, dialler, h->private_key, acceptor);
    else
        bad =
            crypto_kx_server_session_keys(h->in_key, h->out_key, acceptor, h->private_key, dialler);
    sodium_memzero(h->private_key, sizeof h->private_key);
    derive(h->out_key, h->out_pad);
    derive(h->in_key, h->in_pad);
    return bad ? error_set(HN_EPROTO, "the other side sends a public key that is none") : HN_OK;
}

/* sodium_memzero() is not removed by compilers, as a plain memset() of memory that is freed may
 * be. */
void handshake_wipe(struct handshake *h)
{
    sodium_memzero(h->private_key, sizeof h->private_key);
    sodium_memzero(h->out_key, sizeof h->out_key);
    sodium_memzero(h->in_key, sizeof h->in_key);
    sodium_memzero(h->out_pad, sizeof h->out_pad);
    sodium_memzero(h->in_pad, sizeof h->in_pad);
    sodium_memzero(h->mine.key, sizeof h->mine.key);
    sodium_memzero(h->theirs.key, sizeof h->theirs.key);
}

/* ---- outgoing messages ----------------------------------------------------------------------- */

/* One message at a time waits to be sent. */
static void put(struct handshake *h, const uint8_t *bytes, unsigned n)
{
    memcpy(h->out, bytes, n);
    h->out_length = n;
}

/* Produces HELLO in `out`. The start values are sent with PROOF. They stay valid until then, as a
 * connection that opens meanwhile ends the other set-ups. */
void handshake_dial(struct handshake *h, const uint8_t *secret, hn_tid me, hn_tid peer,
                    const struct handshake_start *mine, unsigned wish)
{
    *h = (struct handshake){.state = HANDSHAKE_WAIT_ANSWER,
                            .secret = secret,
                            .me = me,
                            .peer = peer,
                            .dialled = true,
                            .wish = wish,
                            .mine = *mine};
    memcpy(h->hello, magic, sizeof magic);
    bytes_put16(h->hello + 4, HANDSHAKE_VERSION);
    bytes_put16(h->hello + 6, (uint16_t)wish);
    bytes_put32(h->hello + 8, (uint32_t)me);
    bytes_put32(h->hello + 12, (uint32_t)peer);
    make_nonce(h, h->hello + AT_HELLO_NONCE);
    make_hello_mac(h, h->hello + AT_HELLO_MAC);
    put(h, h->hello, sizeof h->hello);
}

/* 0: these bytes do not begin a handshake. */
hn_tid handshake_addressee(const uint8_t first[HANDSHAKE_ADDRESSED])
{
    return memcmp(first, magic, sizeof magic) == 0 ? (hn_tid)bytes_get32(first + 12) : 0;
}

/* The secret must live as long as the handshake. */
void handshake_accept(struct handshake *h, const uint8_t *secret, hn_tid me)
{
    *h = (struct handshake){.state = HANDSHAKE_WAIT_HELLO, .secret = secret, .me = me};
}

/* The acceptor decides for both: encryption and parallel sockets if either side requests them, AES
 * only if both support it.  The answer's mac authenticates the decision. */
void handshake_answer(struct handshake *h, bool busy, unsigned wish)
{
    unsigned theirs = bytes_get16(h->hello + 6);

    memset(h->answer, 0, 4);
    h->answer[0] = busy ? STATUS_BUSY : STATUS_OK;
    h->joins = theirs & HANDSHAKE_JOIN;
    h->parallel = (wish | theirs) & HANDSHAKE_PARALLEL;
    h->encrypt = h->parallel || (wish | theirs) & HANDSHAKE_ENCRYPT;
    h->aes = h->encrypt && wish & theirs & HANDSHAKE_AES;
    h->answer[1] = (uint8_t)((h->encrypt ? HANDSHAKE_ENCRYPT : 0) | (h->aes ? HANDSHAKE_AES : 0) |
                             (h->parallel ? HANDSHAKE_PARALLEL : 0));
    make_nonce(h, h->answer + AT_ANSWER_NONCE);
    make_mac(h, "acceptor", NULL, 0, h->answer + AT_ANSWER_MAC);
    put(h, h->answer, sizeof h->answer);
    h->state = HANDSHAKE_WAIT_PROOF;
}

/* Encrypts or decrypts a datagram key.  A pad is used once, and the mac covers the result.  On one
 * host there is none. */
static void mask_key(const struct handshake *h, const uint8_t pad[HANDSHAKE_KEY],
                     const uint8_t key[HANDSHAKE_KEY], uint8_t out[HANDSHAKE_KEY])
{
    for (int i = 0; i < HANDSHAKE_KEY; i++)
        out[i] = has_keys(h) ? key[i] ^ pad[i] : 0;
}

static void put_start(const struct handshake *h, uint8_t out[HANDSHAKE_START])
{
    bytes_put64(out, h->mine.received);
    bytes_put64(out + 8, h->mine.datagrams);
    mask_key(h, h->out_pad, h->mine.key, out + 16);
}

/* The other side's start values, from the message in `in`. */
static void get_start(struct handshake *h)
{
    h->theirs.received = bytes_get64(h->in);
    h->theirs.datagrams = bytes_get64(h->in + 8);
    mask_key(h, h->in_pad, h->in + 16, h->theirs.key);
}

/* Whether the mac after `bytes` bytes of input is the other side's. */
static bool has_mac(const struct handshake *h, const char *role, unsigned bytes)
{
    uint8_t mac[HANDSHAKE_MAC];

    make_mac(h, role, h->in, bytes, mac);
    return sodium_memcmp(mac, h->in + bytes, sizeof mac) == 0;
}

/* The last message.  It is sent after PROOF was verified, so its sender can use the connection at
 * once. */
void handshake_resume(struct handshake *h, const struct handshake_start *mine, bool shared)
{
    uint8_t resume[HANDSHAKE_RESUME];

    h->mine = *mine;
    h->shared = shared;
    put_start(h, resume);
    resume[HANDSHAKE_START] = shared;
    make_mac(h, "resume", resume, HANDSHAKE_START + 1, resume + HANDSHAKE_START + 1);
    put(h, resume, sizeof resume);
    h->state = HANDSHAKE_DONE;
}

/* Checks the received part of HELLO, so that a wrong byte closes the connection before the rest
 * arrives. */
static int check_beginning(const struct handshake *h)
{
    unsigned n = h->have < sizeof magic ? h->have : sizeof magic;

    if (memcmp(h->in, magic, n) != 0)
        return error_set(HN_EPROTO, "a connection that does not speak hnow's protocol");
    if (h->have >= 6 && bytes_get16(h->in + 4) != HANDSHAKE_VERSION)
        return error_set(HN_EPROTO, "a connection that speaks version %u of the protocol, not %u",
                         bytes_get16(h->in + 4), HANDSHAKE_VERSION);
    if (h->have >= HANDSHAKE_ADDRESSED && (hn_tid)bytes_get32(h->in + 12) != h->me)
        return error_set(HN_EPROTO, "a connection meant for another task");
    return HN_OK;
}

/* A mac of the right secret may still be a recorded one.  So the state is DECIDE, and nothing about
 * the peer changes before PROOF. */
static int take_hello(struct handshake *h)
{
    uint8_t mac[HANDSHAKE_MAC];

    memcpy(h->hello, h->in, sizeof h->hello);
    h->peer = (hn_tid)bytes_get32(h->hello + 8);
    if (h->peer <= 0 || h->peer == h->me)
        return error_set(HN_EPROTO, "a connection meant for another task");
    make_hello_mac(h, mac);
    if (sodium_memcmp(mac, h->hello + AT_HELLO_MAC, sizeof mac) != 0)
        return error_set(HN_EPROTO, "the side that connected does not belong to this job");
    h->state = HANDSHAKE_DECIDE;
    return HN_OK;
}

/* Besides the mac, checks that the acceptor has respected our requests: a member with another
 * configuration must not turn encryption off. */
static int take_answer(struct handshake *h)
{
    uint8_t mac[HANDSHAKE_MAC], proof[HANDSHAKE_PROOF];

    memcpy(h->answer, h->in, sizeof h->answer);
    make_mac(h, "acceptor", NULL, 0, mac);
    if (sodium_memcmp(mac, h->answer + AT_ANSWER_MAC, sizeof mac) != 0)
        return error_set(HN_EPROTO, "the side that answers there does not belong to this job");
    h->encrypt = h->answer[1] & HANDSHAKE_ENCRYPT;
    h->aes = h->answer[1] & HANDSHAKE_AES;
    h->joins = h->wish & HANDSHAKE_JOIN;
    h->parallel = h->answer[1] & HANDSHAKE_PARALLEL;
    /* A busy acceptor's decision is not used. */
    if (h->answer[0] == STATUS_OK && (h->wish & HANDSHAKE_ENCRYPT || h->parallel) && !h->encrypt)
        return error_set(HN_EPROTO, "the other side does not encrypt");
    if (h->aes && !(h->wish & HANDSHAKE_AES))
        return error_set(HN_EPROTO, "the other side wants a cipher that is not here");
    if (make_keys(h) != HN_OK)
        return HN_EPROTO;
    if (h->answer[0] != STATUS_OK) {
        h->state = HANDSHAKE_BUSY;
        return HN_OK;
    }
    put_start(h, proof);
    make_mac(h, "dialler", proof, HANDSHAKE_START, proof + HANDSHAKE_START);
    put(h, proof, sizeof proof);
    h->state = HANDSHAKE_WAIT_RESUME;
    return HN_OK;
}

/* PROOF covers the acceptor's fresh nonce, so it cannot be a recording. */
static int take_proof(struct handshake *h)
{
    if (!has_mac(h, "dialler", HANDSHAKE_START))
        return error_set(HN_EPROTO, "the side that connected does not belong to this job");
    if (make_keys(h) != HN_OK)
        return HN_EPROTO;
    get_start(h);
    h->state = HANDSHAKE_PROVEN;
    return HN_OK;
}

/* Its mac covers both nonces, so it belongs to this handshake. */
static int take_resume(struct handshake *h)
{
    if (!has_mac(h, "resume", HANDSHAKE_START + 1))
        return error_set(HN_EPROTO, "the answer to the proof has been changed on its way");
    get_start(h);
    h->shared = h->in[HANDSHAKE_START] != 0;
    h->state = HANDSHAKE_DONE;
    return HN_OK;
}

/* For each state, the number of bytes that it needs, and the function that processes them. */
static const struct {
    unsigned size;
    int (*take)(struct handshake *);
} expected[] = {
    [HANDSHAKE_WAIT_HELLO] = {HANDSHAKE_HELLO, take_hello},
    [HANDSHAKE_WAIT_PROOF] = {HANDSHAKE_PROOF, take_proof},
    [HANDSHAKE_WAIT_ANSWER] = {HANDSHAKE_ANSWER, take_answer},
    [HANDSHAKE_WAIT_RESUME] = {HANDSHAKE_RESUME, take_resume},
    [HANDSHAKE_DONE] = {0, NULL},
};

/* Eight bytes of the acceptor's nonce: they identify the connection, for its further sockets. */
uint64_t handshake_token(const struct handshake *h)
{
    return bytes_get64(h->answer + AT_ANSWER_NONCE);
}

/* 0: no message is expected, or the handshake is done. */
unsigned handshake_need(const struct handshake *h)
{
    return expected[h->state].size - h->have;
}

/* Collects one message in `in` and processes it when it is complete.  Never consumes bytes behind
 * it. */
int handshake_feed(struct handshake *h, const uint8_t *bytes, size_t n, size_t *used)
{
    unsigned need = expected[h->state].size;
    size_t part = need - h->have;

    *used = 0;
    if (need == 0)
        return HN_OK;
    /* Less than a whole message: it is completed by a later call. */
    if (part > n)
        part = n;
    memcpy(h->in + h->have, bytes, part);
    h->have += (unsigned)part;
    *used = part;
    if (h->state == HANDSHAKE_WAIT_HELLO && check_beginning(h) != HN_OK)
        return HN_EPROTO;
    if (h->have < need)
        return HN_OK;
    h->have = 0;
    return expected[h->state].take(h);
}
