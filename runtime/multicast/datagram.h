/* datagram.h - the layout and the protection of a datagram that one task sends to several.
 *
 *      0  u16 DATAGRAM_MAGIC
 *      2  u8  kind          DATAGRAM_FRAME, ...; plus DATAGRAM_SEALED if the content is encrypted
 *      3  u8  count         of targets, 1 ... DATAGRAM_TARGETS
 *      4  i32 from          the sender's tid
 *      8  u64 number        among the sender's datagrams
 *     16  targets: i32 tid, u48 position
 *         content
 *         mac, 16 bytes
 *
 * All fields are little-endian.  FRAME: the content is a frame (frame.h) for all targets.  A
 * position is the frame's position in the stream to that task (link_cast.c).  HELLO: no content.
 * The only target has no tid, and its position is the sender's interface, which receivers return
 * (FRAME_REACH).  ASK: requests retransmission.  The only target shall send again what it has sent
 * to this sender in datagrams, from the position on.  The content is
 *
 *      0  u32  for how many bytes of the stream
 *      4  u32  bytes from the position on up to which the sender holds later frames
 *      8  u64  in datagrams below this number; later ones may still arrive
 *
 * ChaCha20-Poly1305 (RFC 8439), which all machines support, protects a datagram with a key of the
 * sender.  The receivers get the key in the handshake of a connection (handshake.h).  The sender
 * and the number are the nonce.  The targets are additional data, and so is the rest if it is not
 * encrypted.  A number is used once, and a receiver accepts it once (replay.h).  The handshake also
 * exchanges the first number that belongs to the connection: a datagram that outlives its
 * connection is not accepted.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DATAGRAM_MAGIC = 0x4e68, DATAGRAM_TARGETS = 120, DATAGRAM_KEY = 32 };
enum {
    DATAGRAM_HEAD = 16,
    DATAGRAM_TARGET = 10,
    DATAGRAM_MAC = 16,
    DATAGRAM_ASKED = 16 /* content of a request */
};

/* A position has 48 bits. */
#define DATAGRAM_POSITIONS (UINT64_C(1) << 48)

enum datagram_kind { DATAGRAM_FRAME = 1, DATAGRAM_HELLO = 2, DATAGRAM_ASK = 3 };
enum { DATAGRAM_SEALED = 0x80 };

/* The decoded header.  Targets and content stay in the buffer. */
struct datagram {
    uint8_t kind, count;
    bool sealed;
    hn_tid from;
    uint64_t number;
};

/* Offset of the content. */
static inline size_t datagram_before(const struct datagram *d)
{
    return DATAGRAM_HEAD + (size_t)d->count * DATAGRAM_TARGET;
}

/* Writes the i-th target of the datagram that begins at `out`. */
void datagram_target(uint8_t *out, int i, hn_tid tid, uint64_t position);
/* Completes a datagram whose targets and content (`bytes` bytes) are in place: writes the other
 * fields, and encrypts the content if d->sealed.  Returns the length of the datagram. */
size_t datagram_close(const uint8_t key[DATAGRAM_KEY], const struct datagram *d, uint8_t *out,
                      size_t bytes);

/* Decodes the header of a datagram that is not authenticated yet.  False: it is none. */
bool datagram_parse(const uint8_t *in, size_t bytes, struct datagram *d);
/* The position for this task.  False: the datagram is not for it. */
bool datagram_position(const uint8_t *in, const struct datagram *d, hn_tid tid, uint64_t *position);
/* Authenticates and decrypts in place a datagram that datagram_parse() has decoded.  *left: bytes
 * of its content.  False: the sender does not have the key. */
bool datagram_open(const uint8_t key[DATAGRAM_KEY], const struct datagram *d, uint8_t *in,
                   size_t bytes, size_t *left);
