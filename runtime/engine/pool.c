/* pool.c - size classes of free blocks (pool.h).
 *
 * Only what is rare is here: the class of a large block, and the end of the pool.
 */
#include "engine/pool.h"

/* At most 14 steps, which is little beside the copying of so large a block. */
size_t pool_large_class(size_t size)
{
    size_t c = POOL_STEPS;

    while (c < POOL_CLASSES && pool_class_size(c) < size)
        c++;
    return c;
}

/* Frees the free blocks.  Blocks in use belong to their users, which must have given them back. */
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
