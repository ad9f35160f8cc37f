/* arena.h - memory for many small things that live and die together.
 *
 * A parsed file is thousands of short strings with one owner: they are taken from one arena and
 * given back by one call, so no error path can forget a piece.
 */
#ifndef HNOW_ARENA_H
#define HNOW_ARENA_H

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
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
/* Gives everything back; the arena is empty again. */
void arena_free(struct arena *arena);

#endif
