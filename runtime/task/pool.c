/* pool.c - size classes of blocks that wait for their next use (pool.h). */
#include "pool.h"

#include <stdlib.h>

struct pool_block {
    struct pool_block *next;
};

static size_t size_of(size_t class)
{
    return class < POOL_STEPS ? (class + 1) * POOL_STEP
                              : ((size_t)POOL_SMALL << (class - POOL_STEPS)) + POOL_EXTRA;
}

/* The class that holds blocks of this size; POOL_CLASSES: none. */
static size_t class_of(size_t size)
{
    size_t c = POOL_STEPS;

    if (size <= POOL_SMALL)
        return size > 0 ? (size - 1) / POOL_STEP : 0;
    while (c < POOL_CLASSES && size_of(c) < size)
        c++;
    return c;
}

size_t pool_size(size_t size)
{
    size_t c = class_of(size);

    return c < POOL_CLASSES ? size_of(c) : size;
}

void *pool_get(struct pool *pool, size_t size)
{
    size_t c = class_of(size);
    struct pool_block *b;

    if (c == POOL_CLASSES)
        return malloc(size);
    b = pool->free[c];
    if (!b)
        return malloc(size_of(c));
    pool->free[c] = b->next;
    pool->kept[c] -= size_of(c);
    return b;
}

void pool_put(struct pool *pool, void *block, size_t size)
{
    size_t c = class_of(size);
    struct pool_block *b = block;

    if (!b)
        return;
    if (c == POOL_CLASSES || pool->kept[c] + size_of(c) > POOL_KEEP) {
        free(b);
        return;
    }
    b->next = pool->free[c];
    pool->free[c] = b;
    pool->kept[c] += size_of(c);
}

void pool_clear(struct pool *pool)
{
    for (size_t c = 0; c < POOL_CLASSES; c++) {
        while (pool->free[c]) {
            struct pool_block *b = pool->free[c];
            pool->free[c] = b->next;
            free(b);
        }
        pool->kept[c] = 0;
    }
}
