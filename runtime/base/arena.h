/* arena.h - memory for many small things that live and die together.
 *
 * A parsed file is thousands of short strings with one owner: they are taken from one arena and
 * given back by one call, so no error path can forget a piece.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena {
    struct arena_block *block; /* the one being filled; older ones hang behind it */
    size_t used, size;
    bool failed; /* arena_array() had no memory */
};

/* Zeroed memory, aligned for any type; NULL when there is none left.  A zeroed struct arena is an
 * empty arena. */
void *arena_alloc(struct arena *arena, size_t size);
/* Room for that many elements, zeroed.  NULL without memory, which the arena remembers: several
 * arrays need one check of `failed`. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* ARENA_ARRAYS(arena, count, a, b, ...): arena_array() for up to eight pointers, each to elements
 * of its own type.  A function could not keep the types.  arena and count are evaluated repeatedly.
 */
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
/* Gives everything back; the arena is empty again. */
void arena_free(struct arena *arena);
