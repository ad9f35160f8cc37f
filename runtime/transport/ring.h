/* ring.h - a stream of bytes through shared memory: one writer, one reader, no locks, no system
 * calls.
 *
 *      head  bytes written so far       tail  bytes read so far       data[position % window]
 *
 * Both counters only grow; each is written by one side and read by the other.  The window is what
 * is used of the data: it begins small, so that a pair that exchanges a few words touches a few
 * pages, and grows to its full size when a message is larger (only while the ring is empty, when
 * no position is in use).  Large copies are published in parts of RING_PART bytes, so that reader
 * and writer copy at the same time.
 *
 * A side that goes to sleep asks for a doorbell (doorbell.h), which the caller rings by whatever
 * means it has (shared.c).
 *
 * What the other side writes is checked: positions that cannot be end the connection (ring_get
 * says RING_BROKEN), and no position reaches outside the data.
 */
#pragma once

#include "transport/doorbell.h"

#include <sys/uio.h>

/* Bytes.  Windows are powers of two.  RING_FULL has room for 16 parts, so that neither side waits
 * for the other after each. */
enum { RING_SMALL = 16 << 10, RING_FULL = 512 << 10, RING_PART = 32 << 10 };
#define RING_BROKEN SIZE_MAX

/* Memory of both sides; each line of the cache is written by one of them. */
struct ring_shared {
    _Alignas(64) _Atomic uint64_t head;
    _Atomic uint32_t window;
    _Alignas(64) _Atomic uint64_t tail;
    _Atomic uint64_t received; /* of the link's stream (link.h): what tail means in its frames */
    struct doorbell reader, writer; /* that wake them */
};

/* One side's end of it. */
struct ring {
    struct ring_shared *shared;
    uint8_t *data;
    uint64_t at;     /* our own position */
    uint64_t other;  /* the other side's, when we looked last */
    uint32_t window; /* as the writer has set it */
};

/* The shared part is all zero at first. */
void ring_init(struct ring *r, struct ring_shared *shared, uint8_t *data);

/* Writes as much of the n parts as there is room for; `more`: so many bytes are there to write, in
 * case the ring has to grow for them and may. */
size_t ring_put(struct ring *r, const struct iovec *iov, int n, uint64_t more, bool may_grow);
/* Writes n bytes in one piece; false: there is no room for one, and nothing is written. */
bool ring_put_whole(struct ring *r, const void *bytes, size_t n);
/* Reads what is there into the n parts; RING_BROKEN: the other side's position is impossible. */
size_t ring_get(struct ring *r, const struct iovec *iov, int n);

/* Whether there is something to read, or all that was written has been read. */
bool ring_has_data(const struct ring *r);
bool ring_is_empty(const struct ring *r);

/* The first contiguous bytes to read, and their number (0: none; RING_BROKEN); a hostile writer may
 * change them all the same. ring_skip() marks them as read. */
const uint8_t *ring_peek(struct ring *r, size_t *bytes);
void ring_skip(struct ring *r, size_t bytes);
