/* datagram.h - what one task sends to several at once: a datagram's layout, and whether it is
 * genuine.
 *
 *      0  u16 DATAGRAM_MAGIC
 *      2  u8  kind          DATAGRAM_FRAME, DATAGRAM_HELLO
 *      3  u8  count         of targets, 1 ... DATAGRAM_TARGETS
 *      4  i32 from          the sender's tid
 *      8  u64 number        among the sender's datagrams
 *     16  mac, 8 bytes
 *     24  targets: i32 tid, u48 place
 *
 * all little-endian.  FRAME: behind the targets stands a frame (frame.h), which is for those tasks;
 * place says where it begins in the stream to each (link_cast.c).  HELLO: nothing follows; the
 * one target has no tid, and its place is the sender's interface, which whoever hears it says in
 * return (FRAME_HEARD).  ASK: the one target is asked to send again what has gone to the sender in
 * datagrams from the place on; behind it stands an u32, for how many bytes of the stream.
 *
 * The mac is Poly1305 over all of it but the mac itself, with a key for each datagram that ChaCha20
 * makes of the job's key, the sender and the number (as in RFC 8439, section 2.6); of its 16 bytes
 * the first 8 are sent, for on a slow wire each byte counts.  A number is used once, and a receiver
 * accepts it once (replay.h).  The first number that belongs to a connection is told when that one
 * is made (handshake.h): a datagram that outlives its connection is not accepted.
 */
#ifndef HNOW_DATAGRAM_H
#define HNOW_DATAGRAM_H

#include "hnow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DATAGRAM_MAGIC = 0x4e68, DATAGRAM_TARGETS = 120, DATAGRAM_KEY = 32 };
enum {
    DATAGRAM_HEAD = 24,
    DATAGRAM_TARGET = 10,
    DATAGRAM_ASKED = 4, /* behind the target of a question */
    DATAGRAM_BEFORE = DATAGRAM_HEAD + DATAGRAM_TARGETS * DATAGRAM_TARGET
};

/* A place has 48 bits. */
#define DATAGRAM_PLACES (UINT64_C(1) << 48)

enum datagram_kind { DATAGRAM_FRAME = 1, DATAGRAM_HELLO = 2, DATAGRAM_ASK = 3 };

struct datagram {
    uint8_t kind, count;
    hn_tid from;
    uint64_t number;
};

/* The key of all datagrams of a job, from its secret. */
void datagram_key(const uint8_t *secret, size_t bytes, uint8_t key[DATAGRAM_KEY]);

/* Writes all that stands before the frame, and returns how many bytes that is: datagram_target()
 * for each target, and datagram_seal() at the end. */
size_t datagram_begin(const struct datagram *d, uint8_t out[DATAGRAM_BEFORE]);
void datagram_target(uint8_t *out, int i, hn_tid tid, uint64_t place);
/* frame: what follows, in two pieces (bytes 0: nothing). */
void datagram_seal(const uint8_t key[DATAGRAM_KEY], uint8_t *out, const void *head,
                   size_t head_bytes, const void *payload, size_t payload_bytes);

/* Takes one apart; false: it is none, or not of this job. */
bool datagram_open(const uint8_t key[DATAGRAM_KEY], const uint8_t *in, size_t bytes,
                   struct datagram *d);
/* The place that it has for this task, of which datagram_open() was true; false: it is not for it.
 */
bool datagram_place(const uint8_t *in, const struct datagram *d, hn_tid tid, uint64_t *place);
/* Where what follows the targets begins. */
static inline size_t datagram_before(const struct datagram *d)
{
    return DATAGRAM_HEAD + (size_t)d->count * DATAGRAM_TARGET;
}

#endif
