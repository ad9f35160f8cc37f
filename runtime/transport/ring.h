/* ring.h - a byte stream through shared memory: one writer, one reader, no locks, no system calls.
 *
 *      head  bytes written so far       tail  bytes read so far       data[position % window]
 *
 * Both counters only grow; each is written by one side and read by the other.  The window is the
 * part of the data that is used.  It begins small, so that a pair that exchanges a few words
 * touches few pages.  It grows to its full size when a message is larger, but only while the ring
 * is empty and no position is in use.  Large copies are published in parts of RING_PART bytes, so
 * that reader and writer copy at the same time.
 *
 * A side that goes to sleep requests a doorbell (doorbell.h).  How to ring is up to the caller
 * (shared.c).
 *
 * The values of the other side are validated.  An impossible position ends the connection (ring_get
 * returns RING_BROKEN), and no position leads outside the data.
 */
#pragma once

#include "transport/doorbell.h"

#include <sys/uio.h>

/* Bytes.  Windows are powers of two.  RING_FULL has room for 16 parts, so that neither side has to
 * wait for the other after each part. */
enum { RING_SMALL = 16 << 10, RING_FULL = 512 << 10, RING_PART = 32 << 10 };
#define RING_BROKEN SIZE_MAX

/* Shared by both sides; each cache line is written by one of them. */
struct ring_shared {
    _Alignas(64) _Atomic uint64_t head;
    _Atomic uint32_t window;
    _Alignas(64) _Atomic uint64_t tail;
    _Atomic uint64_t received; /* stream bytes (link.h) that the reader has received at `tail` */
    struct doorbell reader, writer; /* wake the reader and the writer */
};

/* One side's end of a ring. */
struct ring {
    struct ring_shared *shared;
    uint8_t *data;
    uint64_t at;     /* our position */
    uint64_t other;  /* the other side's position when we last read it */
    uint32_t window; /* as the writer has set it */
};

/* Initialises one end.  The shared memory is initially zero. */
void ring_init(struct ring *r, struct ring_shared *shared, uint8_t *data);

/* Writes as much of the n parts as there is room for. more: bytes that wait to be written; the ring
 * grows for them if may_grow.  Returns the bytes written. 0 means that the ring is full, or must
 * become empty before it can grow.  Neither is an error: the caller tries again later. */
size_t ring_put(struct ring *r, const struct iovec *iov, int n, uint64_t more, bool may_grow);
/* Writes n contiguous bytes.  False: there is no contiguous room, and nothing is written. */
bool ring_put_whole(struct ring *r, const void *bytes, size_t n);
/* Reads the available bytes into the n parts.  RING_BROKEN: the other side's position is
 * impossible.  Returns as many bytes as there are, and does not wait for more.  Bytes are copied
 * out before their room is given back, so the writer cannot change them afterwards. */
size_t ring_get(struct ring *r, const struct iovec *iov, int n);

/* Whether bytes are available; whether all written bytes have been read. */
bool ring_has_data(const struct ring *r);
bool ring_is_empty(const struct ring *r);

/* The first contiguous available bytes, and their number (0: none; RING_BROKEN).  A hostile writer
 * may still change them. ring_skip() marks them as read. */
const uint8_t *ring_peek(struct ring *r, size_t *bytes);
void ring_skip(struct ring *r, size_t bytes);
