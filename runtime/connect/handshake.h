/* handshake.h - how two tasks prove to each other that they belong to the same job.
 *
 *     dialler                                        acceptor
 *     HELLO  magic version encrypt from to nonce mac  ->
 *                                            <-      ANSWER status encrypt nonce mac
 *     PROOF  received datagrams key mac      ->
 *                                            <-      RESUME received datagrams key shared mac
 *
 * A mac is BLAKE2b keyed with the job's secret over everything said before it, so neither side can
 * be imitated or replayed; `received` is the number of stream bytes that the speaker already has
 * from the other side (link.h), `datagrams` the number of its first datagram beside this connection
 * (datagram.h): those that it has numbered before are not accepted any more.  When one side wants
 * the connection to be encrypted, it is (seal.h), by AES when the processors of both have it; the
 * macs cover what was said about that, too.  The same holds for parallel sockets (parallel.h),
 * which are always encrypted.  A further one says so in HELLO, and in PROOF the token of the
 * connection that it joins in the place of `received`.
 *
 * Between hosts, a nonce is a public key of X25519 that was made for this handshake.  The keys of
 * the connection follow from the two (crypto_kx of libsodium); the job's secret only authenticates
 * them.  With them each side encrypts the `key` of its datagrams, for the other one.  So who learns
 * the secret later cannot read what was recorded before.  The private key is wiped when the keys
 * are made, and these by handshake_wipe().
 *
 * The mac of HELLO covers it alone.  So a stranger without the secret gets no answer, and costs
 * a few hundred bytes for a moment and one hash.  A stranger that repeats a recorded HELLO costs
 * the making of a key pair (some 30 us) besides, and gets an answer that is of no use to it.
 *
 * No I/O here: bytes are fed in, and `out` holds bytes to write.  Everything has a fixed size.
 */
#pragma once

#include "hnow.h"

#include "transport/seal.h"

#include <stdbool.h>

/* Both sides must have the same: it goes up by one whenever what they say changes. */
enum { HANDSHAKE_VERSION = 10 };

/* Bytes: what BLAKE2b and X25519 take (asserted in handshake.c), then the messages above. */
enum {
    HANDSHAKE_NONCE = 32,
    HANDSHAKE_MAC = 32,
    HANDSHAKE_KEY = SEAL_KEY,
    HANDSHAKE_HELLO = 16 + HANDSHAKE_NONCE + HANDSHAKE_MAC,
    HANDSHAKE_ANSWER = 4 + HANDSHAKE_NONCE + HANDSHAKE_MAC,
    HANDSHAKE_START = 8 + 8 + HANDSHAKE_KEY,
    HANDSHAKE_PROOF = HANDSHAKE_START + HANDSHAKE_MAC,
    HANDSHAKE_RESUME = HANDSHAKE_START + 1 + HANDSHAKE_MAC,
    HANDSHAKE_LONGEST = HANDSHAKE_RESUME
};

/* The first bytes of what a dialler says, and the tid in them that it wants; 0: it is no dialler.
 */
enum { HANDSHAKE_ADDRESSED = 16 };
hn_tid handshake_addressee(const uint8_t first[HANDSHAKE_ADDRESSED]);

/* Flags of a side: it wants the connection to be encrypted; it can do so by AES; it wants parallel
 * sockets; this is a further one of those. */
enum { HANDSHAKE_ENCRYPT = 1, HANDSHAKE_AES = 2, HANDSHAKE_PARALLEL = 4, HANDSHAKE_JOIN = 8 };

enum handshake_state {
    HANDSHAKE_WAIT_HELLO,  /* acceptor */
    HANDSHAKE_DECIDE,      /* acceptor: `peer` asks; call handshake_answer() */
    HANDSHAKE_WAIT_PROOF,  /* acceptor */
    HANDSHAKE_PROVEN,      /* acceptor: call handshake_resume() */
    HANDSHAKE_WAIT_ANSWER, /* dialler */
    HANDSHAKE_WAIT_RESUME, /* dialler */
    HANDSHAKE_BUSY,        /* dialler: the other side is dialling itself; end */
    HANDSHAKE_DONE /* `theirs` is valid, and so are keys between hosts; what follows belongs to the
                      stream */
};

/* Where what a side has to do with the other one continues. */
struct handshake_start {
    uint64_t received;          /* from the other side, by this one */
    uint64_t datagrams;         /* number of this side's next one */
    uint8_t key[HANDSHAKE_KEY]; /* of its datagrams; 0 on one host, where there are none */
};

struct handshake {
    enum handshake_state state;
    const uint8_t *secret; /* CONTROL_SECRET bytes, the caller's */
    hn_tid me, peer;
    bool dialled;                       /* by us */
    unsigned wish;                      /* the dialler's: HANDSHAKE_ENCRYPT, ... */
    bool encrypt, aes, parallel, joins; /* behind HELLO and ANSWER: it is so */
    struct handshake_start mine, theirs;
    bool shared; /* the acceptor uses the memory that came with the proof */
    uint8_t in[HANDSHAKE_LONGEST];
    unsigned have;
    uint8_t out[HANDSHAKE_LONGEST]; /* to write; the caller sets out_length to 0 when written */
    unsigned out_length;
    uint8_t hello[HANDSHAKE_HELLO];
    uint8_t answer[HANDSHAKE_ANSWER];
    uint8_t private_key[HANDSHAKE_KEY]; /* of the nonce, while the other one has not come */
    uint8_t out_key[HANDSHAKE_KEY], in_key[HANDSHAKE_KEY]; /* of the two directions, ... */
    uint8_t out_pad[HANDSHAKE_KEY], in_pad[HANDSHAKE_KEY]; /* ... and what hides `key` there */
};

/* wish: HANDSHAKE_ENCRYPT and HANDSHAKE_AES, what holds for this side. */
void handshake_dial(struct handshake *h, const uint8_t *secret, hn_tid me, hn_tid peer,
                    const struct handshake_start *mine, unsigned wish);
void handshake_accept(struct handshake *h, const uint8_t *secret, hn_tid me);
/* Takes up to n bytes; how many is put into *used (fewer only when a decision or the end is
 * reached).  HN_EPROTO: the other side is not one of ours; close. */
int handshake_feed(struct handshake *h, const uint8_t *bytes, size_t n, size_t *used);
/* A number of this connection, which both sides know behind ANSWER, and nobody else has. */
uint64_t handshake_token(const struct handshake *h);
/* Forgets the keys; `state` and what the other side has said stay. */
void handshake_wipe(struct handshake *h);
/* Bytes that must come before the state can change. */
unsigned handshake_need(const struct handshake *h);
/* Acceptor, in HANDSHAKE_DECIDE: continues, or says that this side is dialling itself. */
void handshake_answer(struct handshake *h, bool busy, unsigned wish);
/* Acceptor, in HANDSHAKE_PROVEN: any older connection to the peer must be closed by now, so that
 * `mine` is final. */
void handshake_resume(struct handshake *h, const struct handshake_start *mine, bool shared);
