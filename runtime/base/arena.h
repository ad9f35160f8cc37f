/* arena.h - memory for many small objects with one lifetime.
 *
 * A parsed file is thousands of short strings with one owner.  They are allocated from one arena
 * and freed by one call, so no error path can leak one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Owned by the parser or table whose strings it holds.  Pointers into it stay valid until
 * arena_free(), as blocks never move. */
struct arena {
    struct arena_block *block; /* the one being filled; it links to older ones */
    size_t used, size;
    bool failed; /* arena_array() had no memory */
};

/* Allocates zeroed memory, aligned for any type; NULL: out of memory.  A zeroed struct arena is an
 * empty arena. */
void *arena_alloc(struct arena *arena, size_t size);
/* Allocates `count` zeroed elements.  NULL: out of memory, which also sets `failed`.  So several
 * arrays need only one check. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* ARENA_ARRAYS(arena, count, a, b, ...): arena_array() for up to eight pointers, each to elements
 * of its own type.  It is a macro, as a function would lose the types.  It evaluates arena and
 * count repeatedly. */
#define ARENA_ARRAYS(arena, count, ...)                                                            \
    ARENA_NTH(__VA_ARGS__, ARENA_8, ARENA_7, ARENA_6, ARENA_5, ARENA_4, ARENA_3, ARENA_2, ARENA_1, \
              0)                                                                                   \
    (arena, count, __VA_ARGS__)
#define ARENA_NTH(a, b, c, d, e, f, g, h, nth, ...) nth
#define ARENA_1(arena, n, p)                        ((p) = arena_array(arena, n, sizeof *(p)))
#define ARENA_2(arena, n, p, ...)                   ARENA_1(arena, n, p), ARENA_1(arena, n, __VA_ARGS__)
#define ARENA_3(arena, n, p, ...)                   ARENA_1(arena, n, p), ARENA_2(arena, n, __VA_ARGS__)
#define ARENA_4(arena, n, p, ...)                   ARENA_1(arena, n, p), ARENA_3(arena, n, __VA_ARGS__)
#define ARENA_5(arena, n, p, ...)                   ARENA_1(arena, n, p), ARENA_4(arena, n, __VA_ARGS__)
#define ARENA_6(arena, n, p, ...)                   ARENA_1(arena, n, p), ARENA_5(arena, n, __VA_ARGS__)
#define ARENA_7(arena, n, p, ...)                   ARENA_1(arena, n, p), ARENA_6(arena, n, __VA_ARGS__)
#define ARENA_8(arena, n, p, ...)                   ARENA_1(arena, n, p), ARENA_7(arena, n, __VA_ARGS__)
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
/* Frees everything; the arena is empty again. */
void arena_free(struct arena *arena);
