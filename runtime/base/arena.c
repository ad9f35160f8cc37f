/* arena.c - blocks of growing size, filled from the bottom, freed all at once. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes.  The first block is a page, enough for most files.  The last bounds what remains
 * unused. */
enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *older;
    _Alignas(max_align_t) char bytes[];
};

/* The rest of the old block stays unused.  Blocks double up to LARGEST_BLOCK; a larger request gets
 * a block of its own size. */
static int arena_grow(struct arena *arena, size_t wanted)
{
    size_t size = arena->size ? arena->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < wanted)
        size = wanted;
    if (size > SIZE_MAX - sizeof(struct arena_block))
        return -1;
    struct arena_block *block = calloc(1, sizeof *block + size);
    if (!block)
        return -1;
    block->older = arena->block;
    arena->block = block;
    arena->size = size;
    arena->used = 0;
    return 0;
}

/* A request for no bytes may return the end of a block, or NULL if there is none. */
void *arena_alloc(struct arena *arena, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (size > SIZE_MAX - align)
        return NULL;
    size = (size + align - 1) / align * align;
    if (size > arena->size - arena->used && arena_grow(arena, size) < 0)
        return NULL;
    void *memory = arena->block ? arena->block->bytes + arena->used : NULL;
    arena->used += size;
    return memory;
}

/* A count of 0 gets one byte, so that NULL always means an error. */
void *arena_array(struct arena *arena, size_t count, size_t size)
{
    void *array = count <= SIZE_MAX / size ? arena_alloc(arena, count * size + !count) : NULL;
    arena->failed |= !array;
    return array;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? arena_alloc(arena, length + 1) : NULL;
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

void arena_free(struct arena *arena)
{
    while (arena->block) {
        struct arena_block *older = arena->block->older;
        free(arena->block);
        arena->block = older;
    }
    *arena = (struct arena){0};
}
