/* pool.h - memory for messages in flight, kept for the next message.
 *
 * The C library gives large blocks back to the system at once and fetches them again page by page,
 * which costs more than copying the message.  A pool keeps freed blocks by size class, POOL_KEEP
 * bytes of each at most: small ones in steps of POOL_STEP, for a flood of small messages must not
 * take much more memory than they need; from POOL_SMALL on powers of two, up to POOL_LARGEST, each
 * with POOL_EXTRA for the header of a message.  Larger blocks go to malloc() and free().  No locks:
 * the caller's lock is held.  What each small message needs is here, so that it costs no calls.
 */
#pragma once

#include <stdlib.h>

enum {
    POOL_STEP = 64, /* bytes, as the others but for the numbers of classes */
    POOL_SMALL = 512,
    POOL_STEPS = POOL_SMALL / POOL_STEP,
    POOL_CLASSES = POOL_STEPS + 14, /* up to 4 MiB, the longest payload of a frame */
    POOL_LARGEST = POOL_SMALL << (POOL_CLASSES - POOL_STEPS - 1),
    POOL_EXTRA = 256,   /* else a payload of 64 KiB would take a block of 128 KiB */
    POOL_KEEP = 8 << 20 /* two of the largest: one fills while the other is sent */
};

struct pool_block {
    struct pool_block *next;
};

struct pool {
    struct pool_block *free[POOL_CLASSES];
    size_t kept[POOL_CLASSES]; /* bytes */
};

/* The class of blocks for more than POOL_SMALL bytes; POOL_CLASSES: there is none. */
size_t pool_large_class(size_t size);
void pool_clear(struct pool *pool);

/* Bytes of a block of that class. */
static inline size_t pool_class_size(size_t class)
{
    return class < POOL_STEPS ? (class + 1) * POOL_STEP
                              : ((size_t)POOL_SMALL << (class - POOL_STEPS)) + POOL_EXTRA;
}

static inline size_t pool_class_of(size_t size)
{
    if (size > POOL_SMALL)
        return pool_large_class(size);
    return size > 0 ? (size - 1) / POOL_STEP : 0;
}

/* Bytes that a block takes which is asked for with that size. */
static inline size_t pool_size(size_t size)
{
    size_t c = pool_class_of(size);

    return c < POOL_CLASSES ? pool_class_size(c) : size;
}

/* A block of at least size bytes, or NULL.  All zero is an empty pool. */
static inline void *pool_get(struct pool *pool, size_t size)
{
    size_t c = pool_class_of(size);
    struct pool_block *b;

    if (c == POOL_CLASSES)
        return malloc(size);
    b = pool->free[c];
    if (!b)
        return malloc(pool_class_size(c));
    pool->free[c] = b->next;
    pool->kept[c] -= pool_class_size(c);
    return b;
}

/* Gives a block back, with the size it was asked for. */
static inline void pool_put(struct pool *pool, void *block, size_t size)
{
    size_t c = pool_class_of(size);
    struct pool_block *b = block;

    if (!b)
        return;
    if (c == POOL_CLASSES || pool->kept[c] + pool_class_size(c) > POOL_KEEP) {
        free(b);
        return;
    }
    b->next = pool->free[c];
    pool->free[c] = b;
    pool->kept[c] += pool_class_size(c);
}
