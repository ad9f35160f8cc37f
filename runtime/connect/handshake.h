/* handshake.h - how two tasks prove to each other that they belong to the same job.
 *
 *     dialler                                        acceptor
 *     HELLO  magic version encrypt from to nonce mac  ->
 *                                            <-      ANSWER status encrypt nonce mac
 *     PROOF  received datagrams key mac      ->
 *                                            <-      RESUME received datagrams key shared mac
 *
 * A mac is BLAKE2b, keyed with the job's secret, over all bytes of the handshake so far.  So
 * neither side can be imitated or replayed.  `received` is the number of stream bytes that the
 * sender of the message has received (link.h).  `datagrams` is the number of its first datagram
 * during this connection (datagram.h).  The other side accepts no datagrams with lower numbers.
 *
 * If one side requests encryption, the connection is encrypted (seal.h), with AES if both
 * processors support it.  The macs cover these requests.  The same holds for parallel sockets
 * (parallel.h), which are always encrypted.  An additional socket sets a flag in HELLO, and PROOF
 * contains the token of the connection that it joins instead of `received`.
 *
 * Between hosts, a nonce is an X25519 public key that was made for this handshake.  The keys of the
 * connection are derived from both (crypto_kx of libsodium); the job's secret only authenticates
 * them.  They also encrypt the `key` of each side's datagrams.  So an attacker who learns the
 * secret later cannot decrypt recorded traffic (forward secrecy).  The private key is wiped when
 * the connection's keys are derived, and those by handshake_wipe().
 *
 * The mac of HELLO covers HELLO alone.  A stranger without the secret gets no answer, and costs one
 * hash and a few hundred bytes for a moment.  A stranger that repeats a recorded HELLO also costs a
 * key pair (some 30 us), and gets an answer that it cannot use.
 *
 * No I/O here: the caller passes received bytes in, and writes the bytes in `out`.  All sizes are
 * fixed.
 */
#pragma once

#include "hnow.h"

#include "transport/seal.h"

#include <stdbool.h>

/* Both sides must have the same version.  Increment it when a message changes. */
enum { HANDSHAKE_VERSION = 10 };

/* Bytes: the sizes of BLAKE2b and X25519 (asserted in handshake.c), then of the messages above. */
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

/* The tid to which a connection with these first bytes is addressed; 0: they are no HELLO. */
enum { HANDSHAKE_ADDRESSED = 16 };
hn_tid handshake_addressee(const uint8_t first[HANDSHAKE_ADDRESSED]);

/* Flags of a side: requests encryption; supports AES; requests parallel sockets; this is an
 * additional socket of a parallel connection. */
enum { HANDSHAKE_ENCRYPT = 1, HANDSHAKE_AES = 2, HANDSHAKE_PARALLEL = 4, HANDSHAKE_JOIN = 8 };

/* An error has no state of its own: handshake_feed() returns HN_EPROTO, and the caller discards the
 * struct. */
enum handshake_state {
    HANDSHAKE_WAIT_HELLO,  /* acceptor */
    HANDSHAKE_DECIDE,      /* acceptor: `peer` is known; call handshake_answer() */
    HANDSHAKE_WAIT_PROOF,  /* acceptor */
    HANDSHAKE_PROVEN,      /* acceptor: call handshake_resume() */
    HANDSHAKE_WAIT_ANSWER, /* dialler */
    HANDSHAKE_WAIT_RESUME, /* dialler */
    HANDSHAKE_BUSY,        /* dialler: the other side is dialling us; close */
    HANDSHAKE_DONE /* `theirs` and, between hosts, the keys are valid; later bytes belong to the
                      stream */
};

/* Where one side's streams continue. */
struct handshake_start {
    uint64_t received;          /* bytes that it has received from the other side */
    uint64_t datagrams;         /* number of its next datagram */
    uint8_t key[HANDSHAKE_KEY]; /* of its datagrams; zeros on one host, which has no datagrams */
};

/* One for each set-up, embedded in it.  Callers use the results up to `shared`, the output buffer,
 * and the two keys; the rest is internal. */
struct handshake {
    enum handshake_state state;
    const uint8_t *secret; /* CONTROL_SECRET bytes, owned by the caller */
    hn_tid me, peer;
    bool dialled;  /* we are the dialler */
    unsigned wish; /* the dialler's flags: HANDSHAKE_ENCRYPT, ... */
    /* the result of both sides' flags, valid after HELLO and ANSWER */
    bool encrypt, aes, parallel, joins;
    struct handshake_start mine, theirs;
    bool shared; /* the acceptor uses the memory that was passed with the proof */
    uint8_t in[HANDSHAKE_LONGEST];
    unsigned have;
    uint8_t out[HANDSHAKE_LONGEST]; /* bytes to write; the caller sets out_length to 0 when they are
                                       written */
    unsigned out_length;
    uint8_t hello[HANDSHAKE_HELLO];
    uint8_t answer[HANDSHAKE_ANSWER];
    uint8_t private_key[HANDSHAKE_KEY]; /* of our nonce, until the other nonce has arrived */
    uint8_t out_key[HANDSHAKE_KEY], in_key[HANDSHAKE_KEY]; /* keys of the two directions */
    uint8_t out_pad[HANDSHAKE_KEY], in_pad[HANDSHAKE_KEY]; /* pads that encrypt `key` */
};

/* Starts a handshake. wish: HANDSHAKE_ENCRYPT and HANDSHAKE_AES, as they hold for this side. */
void handshake_dial(struct handshake *h, const uint8_t *secret, hn_tid me, hn_tid peer,
                    const struct handshake_start *mine, unsigned wish);
void handshake_accept(struct handshake *h, const uint8_t *secret, hn_tid me);
/* Processes up to n bytes, and sets *used to the number processed: fewer than n only when the
 * caller must decide, or at the end.  HN_EPROTO: the other side does not belong to the job;
 * close. */
int handshake_feed(struct handshake *h, const uint8_t *bytes, size_t n, size_t *used);
/* A number of this connection that only its two ends know.  Valid after ANSWER. */
uint64_t handshake_token(const struct handshake *h);
/* Wipes the keys; `state` and the other side's values stay. */
void handshake_wipe(struct handshake *h);
/* Number of bytes that must arrive before the state can change. */
unsigned handshake_need(const struct handshake *h);
/* Acceptor, in HANDSHAKE_DECIDE: continues, or answers BUSY because this side is dialling
 * itself. */
void handshake_answer(struct handshake *h, bool busy, unsigned wish);
/* Acceptor, in HANDSHAKE_PROVEN: sends RESUME.  The caller has closed any older connection to the
 * peer, so that `mine` is final. */
void handshake_resume(struct handshake *h, const struct handshake_start *mine, bool shared);
