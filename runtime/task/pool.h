/* pool.h - memory for messages in flight, kept for the next message.
 *
 * The C library gives large blocks back to the system at once and fetches them again page by page,
 * which costs more than copying the message.  A pool keeps freed blocks by size class (powers of
 * two, POOL_SMALLEST ... POOL_LARGEST bytes, and POOL_EXTRA for the header of one), POOL_KEEP bytes
 * of each class at most; larger blocks go to malloc() and free().  No locks: the caller's lock is
 * held.
 */
#ifndef HNOW_POOL_H
#define HNOW_POOL_H

#include <stddef.h>

enum {
    POOL_SMALLEST = 256,
    POOL_CLASSES = 15,
    POOL_LARGEST = POOL_SMALLEST << (POOL_CLASSES - 1),
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

#endif
