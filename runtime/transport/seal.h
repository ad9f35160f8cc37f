/* seal.h - encrypts and authenticates the bytes of a connection (hrun -encrypt).
 *
 * The stream is divided into records:
 *
 *     u32 length of the plain text (1 ... SEAL_PLAIN) | encrypted text | 16 bytes of proof
 *
 * Each record is sealed with ChaCha20-Poly1305 (RFC 8439), or with AES-256-GCM if both processors
 * have instructions for it.  The length is additional data.  Each direction of each connection has
 * its own key, which both sides derive in the handshake (handshake.h).  The number of the record is
 * its nonce, and is not sent.  So a nonce is never used twice with a key, even if a stream resumes
 * over a new connection.  A record that was changed, omitted, repeated or taken from another
 * connection does not open.
 *
 * A key seals SEAL_LIFE records, at most 1 GiB (TLS 1.3 allows 350 GB with a key of AES-GCM: RFC
 * 8446, section 5.5).  The next key is its BLAKE2b hash.  So both sides replace it without a
 * message, and an attacker who learns a key cannot decrypt what was sent before it.
 *
 * The receiver opens a record while the next one is in transit.  A record of 16 KiB takes 8 us, 6 %
 * of its time on a network of 1 Gb/s.
 *
 * No I/O here: the caller passes bytes in and out.  Contiguous bytes are sealed in place; others
 * are gathered first.  Cost: 20 bytes a record, two passes over the bytes and a copy at the reader;
 * 96 KiB of memory a connection.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Bytes.  SEAL_PLAIN is TLS's maximum, too.  Shorter records need more headers and calls; with
 * longer ones the receiver gets the first byte later. */
enum { SEAL_KEY = 32, SEAL_PLAIN = 16 << 10, SEAL_HEAD = 4, SEAL_PROOF = 16 };
enum { SEAL_RECORD = SEAL_HEAD + SEAL_PLAIN + SEAL_PROOF, SEAL_LIFE = 1 << 16 /* records */ };

struct seal;

/* Whether this processor supports AES.  Only after sodium_init(). */
bool seal_has_aes(void);

/* aes: both sides support it.  NULL: out of memory. */
struct seal *seal_new(const uint8_t out_key[SEAL_KEY], const uint8_t in_key[SEAL_KEY], bool aes);
void seal_free(struct seal *seal);

/* Seals the first of the given bytes into one or two records, and returns their number.  Only when
 * seal_waiting() returns NULL. */
size_t seal_close(struct seal *seal, const struct iovec *iov, int n);
/* The sealed bytes to write next; NULL and 0: there are none. */
const uint8_t *seal_waiting(const struct seal *seal, size_t *length);
/* So many of those bytes were written. */
void seal_written(struct seal *seal, size_t bytes);

/* Where to store sealed bytes from the connection, and how many at most. */
uint8_t *seal_room(struct seal *seal, size_t *size);
/* So many bytes have arrived there. */
void seal_received(struct seal *seal, size_t bytes);
/* Opens the next complete record: returns 1 and its plain text, which is valid until the next call.
 * 0: there is none.  HN_EPROTO: the record is not genuine, and nothing after it can be opened.
 * Call it until it returns 0, before seal_room(). */
int seal_open(struct seal *seal, const uint8_t **plain, size_t *length);
/* Bytes until the next record is complete; 0: its length has not arrived. */
size_t seal_missing(const struct seal *seal);
