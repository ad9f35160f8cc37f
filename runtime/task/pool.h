/* pool.h - memory for messages in flight, kept for the next message.
 *
 * The C library gives large blocks back to the system at once and fetches them again page by page,
 * which costs more than copying the message.  A pool keeps freed blocks by size class, POOL_KEEP
 * bytes of each at most: small ones in steps of POOL_STEP, for a flood of small messages must not
 * take much more memory than they need; from POOL_SMALL on powers of two, up to POOL_LARGEST, each
 * with POOL_EXTRA for the header of a message.  Larger blocks go to malloc() and free().  No locks:
 * the caller's lock is held.
 */
#ifndef HNOW_POOL_H
#define HNOW_POOL_H

#include <stddef.h>

enum {
    POOL_STEP = 64,
    POOL_SMALL = 512,
    POOL_STEPS = POOL_SMALL / POOL_STEP,
    POOL_CLASSES = POOL_STEPS + 14,
    POOL_LARGEST = POOL_SMALL << (POOL_CLASSES - POOL_STEPS - 1),
    POOL_EXTRA = 256,
    POOL_KEEP = 8 << 20
};

struct pool {
    struct pool_block *free[POOL_CLASSES];
    size_t kept[POOL_CLASSES]; /* bytes */
};

/* A block of at least size bytes, or NULL.  All zero is an empty pool. */
void *pool_get(struct pool *pool, size_t size);
/* Gives a block back, with the size it was asked for. */
void pool_put(struct pool *pool, void *block, size_t size);
void pool_clear(struct pool *pool);
/* Bytes that a block takes which is asked for with that size. */
size_t pool_size(size_t size);

#endif
