/* pool.h - memory for messages in flight, kept for the next message.
 *
 * The C library returns large blocks to the system at once and gets them again page by page, which
 * costs more than copying the message.  A pool keeps freed blocks on a list for each size class, at
 * most POOL_KEEP bytes each.  Small classes have steps of POOL_STEP, so that many small messages
 * take little more memory than they need.  Classes above POOL_SMALL are powers of two, up to
 * POOL_LARGEST, plus POOL_EXTRA for the header of a message.  Larger blocks use malloc() and
 * free().  The caller must hold the lock.  The functions that each small message needs are inline.
 */
#pragma once

#include <stdlib.h>

enum {
    POOL_STEP = 64, /* bytes, as the others except the numbers of classes */
    POOL_SMALL = 512,
    POOL_STEPS = POOL_SMALL / POOL_STEP,
    POOL_CLASSES = POOL_STEPS + 14, /* up to 4 MiB, the longest payload of a frame */
    POOL_LARGEST = POOL_SMALL << (POOL_CLASSES - POOL_STEPS - 1),
    POOL_EXTRA = 256,   /* otherwise a payload of 64 KiB would take a block of 128 KiB */
    POOL_KEEP = 8 << 20 /* two of the largest: one is filled while the other is sent */
};

/* The first bytes of a free block.  A used block has no header, so the caller must know its
 * size. */
struct pool_block {
    struct pool_block *next;
};

/* One for each task, with the lists of free blocks by class.  Blocks in use are not recorded. */
struct pool {
    struct pool_block *free[POOL_CLASSES];
    size_t kept[POOL_CLASSES]; /* bytes */
};

/* The class for more than POOL_SMALL bytes; POOL_CLASSES: there is none. */
size_t pool_large_class(size_t size);
void pool_clear(struct pool *pool);

/* Bytes of a block of a class. */
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

/* Bytes that a block requested with that size occupies. */
static inline size_t pool_size(size_t size)
{
    size_t c = pool_class_of(size);

    return c < POOL_CLASSES ? pool_class_size(c) : size;
}

/* Allocates a block of at least `size` bytes; NULL: out of memory.  A pool of zeros is empty. */
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

/* Frees a block; `size` as in pool_get(). */
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
