/* Memory for messages: what a block takes, and that it is used again. */
#include "engine/pool.h"

#include <criterion/criterion.h>
#include <string.h>

Test(pool, blocks_take_little_more_than_they_hold)
{
    for (size_t size = 0; size <= POOL_SMALL; size++)
        cr_assert(pool_size(size) >= size && pool_size(size) < size + POOL_STEP + (size == 0),
                  "%zu bytes take %zu", size, pool_size(size));
    for (size_t size = POOL_SMALL + 1; size < 2 * (size_t)POOL_LARGEST; size += size / 3 + 1)
        cr_assert(pool_size(size) >= size && pool_size(size) <= 2 * size + POOL_EXTRA,
                  "%zu bytes take %zu", size, pool_size(size));
    cr_expect_eq(pool_size(POOL_LARGEST + POOL_EXTRA), (size_t)POOL_LARGEST + POOL_EXTRA);
    cr_expect_eq(pool_size(POOL_LARGEST + POOL_EXTRA + 1), (size_t)POOL_LARGEST + POOL_EXTRA + 1);
}

/* A block that is given back serves the next one of any size that takes as much. */
Test(pool, blocks_are_used_again)
{
    static const size_t sizes[][2] = {{0, 64}, {65, 128}, {512, 449}, {513, 768}, {70000, 131328}};
    struct pool pool = {0};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *block = pool_get(&pool, sizes[i][0]);
        cr_assert_not_null(block);
        memset(block, 1, pool_size(sizes[i][0]));
        pool_put(&pool, block, sizes[i][0]);
        cr_assert_eq(pool_get(&pool, sizes[i][1]), block, "%zu, then %zu", sizes[i][0],
                     sizes[i][1]);
        pool_put(&pool, block, sizes[i][1]);
    }
    pool_clear(&pool);
}
