/* seal.h - a connection's bytes encrypted and authenticated (hrun -encrypt).
 *
 * The stream is cut into records:
 *
 *     u32 length of the plain text (1 ... SEAL_PLAIN) | encrypted text | 16 bytes of proof
 *
 * each sealed with ChaCha20-Poly1305 (RFC 8439) or, where the processors of both sides have
 * instructions for it, AES-256-GCM; the length is additional data.  Each direction of
 * each connection has a key of its own, which both sides make when it is made (handshake.h); the
 * number of the record is its nonce, and is not sent.  So a nonce is never used twice under a key,
 * also not when a stream resumes over a new connection, and a record that is changed, left out,
 * repeated or comes from another connection does not open.
 *
 * A key seals SEAL_LIFE records, at most 1 GiB (TLS 1.3 trusts one of AES-GCM with 350 GB: RFC
 * 8446, section 5.5).  The next one is its BLAKE2b hash, so both sides make it without a word about
 * it, and who learns a key cannot open what was sent before it.
 *
 * The receiver opens a record while the next one is on the wire: one of 16 KiB takes 8 us, 6 % of
 * its time on a wire of 1 Gb/s.
 *
 * No I/O here: bytes are fed in and out.  A record is sealed from where its bytes are, if one piece
 * has them all; else they are gathered first.  Cost: 20 bytes a record, two passes over the bytes
 * and a copy at the reader; 96 KiB of memory a connection.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Bytes.  SEAL_PLAIN is TLS's largest record, too: shorter ones need more headers and calls, of a
 * longer one the receiver opens the first byte later. */
enum { SEAL_KEY = 32, SEAL_PLAIN = 16 << 10, SEAL_HEAD = 4, SEAL_PROOF = 16 };
enum { SEAL_RECORD = SEAL_HEAD + SEAL_PLAIN + SEAL_PROOF, SEAL_LIFE = 1 << 16 /* records */ };

struct seal;

/* Whether this processor has AES; after sodium_init(). */
bool seal_has_aes(void);

/* aes: both sides have it.  NULL: out of memory. */
struct seal *seal_new(const uint8_t out_key[SEAL_KEY], const uint8_t in_key[SEAL_KEY], bool aes);
void seal_free(struct seal *seal);

/* Seals the first bytes of what is given, in one or two records: how many.  Only when
 * seal_waiting() says that nothing waits. */
size_t seal_close(struct seal *seal, const struct iovec *iov, int n);
/* The sealed bytes to write next; NULL and 0: there are none. */
const uint8_t *seal_waiting(const struct seal *seal, size_t *length);
void seal_written(struct seal *seal, size_t bytes);

/* Where sealed bytes from the connection go next. */
uint8_t *seal_room(struct seal *seal, size_t *size);
/* bytes have arrived into it. */
void seal_came(struct seal *seal, size_t bytes);
/* The next record that is whole: 1, and its plain text, which lives until the next call; 0: there
 * is none; HN_EPROTO: it is not what the other side has sent, and nothing after it can be opened.
 * Call it until it gives no more, before seal_room(). */
int seal_open(struct seal *seal, const uint8_t **plain, size_t *length);
