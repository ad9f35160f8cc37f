/* datagram.h - what one task sends to several at once: a datagram's layout, and its protection.
 *
 *      0  u16 DATAGRAM_MAGIC
 *      2  u8  kind          DATAGRAM_FRAME, ...; and DATAGRAM_SEALED, when what follows the targets
 *                           is encrypted
 *      3  u8  count         of targets, 1 ... DATAGRAM_TARGETS
 *      4  i32 from          the sender's tid
 *      8  u64 number        among the sender's datagrams
 *     16  targets: i32 tid, u48 place
 *         what follows them
 *         mac, 16 bytes
 *
 * all little-endian.  FRAME: behind the targets is a frame (frame.h), which is for those tasks;
 * place says where it begins in the stream to each (link_cast.c).  HELLO: nothing follows; the one
 * target has no tid, and its place is the sender's interface, which its receivers send back
 * (FRAME_HEARD).  ASK: the one target is asked to send again what has gone to the sender in
 * datagrams from the place on; behind it are
 *
 *      0  u32  for how many bytes of the stream
 *      4  u32  up to which byte, from the place on, the sender holds what has arrived
 *      8  u64  in datagrams below this number: later ones may still arrive
 *
 * A datagram is protected by ChaCha20-Poly1305 (RFC 8439), which all machines have, with a key of
 * the sender; the receivers learn it when a connection is made (handshake.h).  Sender and number
 * are the nonce, the targets are additional data; so is all the rest, where it is not encrypted.  A
 * number is used once, and a receiver accepts it once (replay.h).  The first number that belongs to
 * a connection is exchanged when that one is made: a datagram that outlives its connection is not
 * accepted.
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
    DATAGRAM_ASKED = 16 /* behind the target of a question */
};

/* A place has 48 bits. */
#define DATAGRAM_PLACES (UINT64_C(1) << 48)

enum datagram_kind { DATAGRAM_FRAME = 1, DATAGRAM_HELLO = 2, DATAGRAM_ASK = 3 };
enum { DATAGRAM_SEALED = 0x80 };

struct datagram {
    uint8_t kind, count;
    bool sealed;
    hn_tid from;
    uint64_t number;
};

/* Where what follows the targets begins. */
static inline size_t datagram_before(const struct datagram *d)
{
    return DATAGRAM_HEAD + (size_t)d->count * DATAGRAM_TARGET;
}

/* Writes a target; `out` is where the datagram begins. */
void datagram_target(uint8_t *out, int i, hn_tid tid, uint64_t place);
/* Writes all else around what is behind the targets already, `bytes` long, and encrypts that
 * where d->sealed says so: the length of the datagram. */
size_t datagram_close(const uint8_t key[DATAGRAM_KEY], const struct datagram *d, uint8_t *out,
                      size_t bytes);

/* Takes one apart that nobody has vouched for yet; false: it is none. */
bool datagram_parse(const uint8_t *in, size_t bytes, struct datagram *d);
/* The place that it has for this task; false: it is not for it. */
bool datagram_place(const uint8_t *in, const struct datagram *d, hn_tid tid, uint64_t *place);
/* Opens in place what datagram_parse() has taken apart: what is behind the targets is `left`
 * bytes long.  False: its sender does not have the key. */
bool datagram_open(const uint8_t key[DATAGRAM_KEY], const struct datagram *d, uint8_t *in,
                   size_t bytes, size_t *left);
