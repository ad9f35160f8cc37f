/* loop_memory.c - realloc() with a reserve (loop_memory.h). */
#include "engine/loop_memory.h"

#include <ev.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: libev's tables for 2000 descriptors and as many timers, each grown by doubling. */
enum { RESERVE = 128 << 10 };

static _Alignas(max_align_t) uint8_t reserve[RESERVE];
static atomic_size_t used;

static bool is_reserved(const void *block)
{
    return (uintptr_t)block - (uintptr_t)reserve < RESERVE;
}

/* Allocates from the reserve; its bytes are never reused.  NULL: it is used up.  Thread-safe,
 * because another thread may have a loop, too. */
static void *reserve_take(size_t size)
{
    size_t whole = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    size_t at = atomic_fetch_add(&used, whole);

    return whole <= RESERVE && at <= RESERVE - whole ? reserve + at : NULL;
}

/* Bytes that may be copied from a block whose size is not recorded. */
static size_t size_of(void *block)
{
    if (is_reserved(block))
        return (size_t)(reserve + RESERVE - (uint8_t *)block);
    return malloc_usable_size(block);
}

/* libev's allocator: size 0 frees the block. */
static void *allocate(void *block, long size)
{
    size_t wanted = (size_t)size, had;

    if (size == 0) {
        if (!is_reserved(block))
            free(block);
        return NULL;
    }
    void *grown = is_reserved(block) ? malloc(wanted) : realloc(block, wanted);
    if (grown && !is_reserved(block))
        return grown;
    if (!grown)
        grown = reserve_take(wanted);
    if (!grown || !block)
        return grown;
    /* For a block of the reserve this may be more than was allocated.  The bytes behind it are
     * other blocks of the reserve, which are harmless to copy. */
    had = size_of(block);
    memcpy(grown, block, had < wanted ? had : wanted);
    if (!is_reserved(block))
        free(block);
    return grown;
}

/* libev ends the process when its allocator returns NULL; the reserve makes that improbable. */
void loop_memory_init(void)
{
    ev_set_allocator(allocate);
}
