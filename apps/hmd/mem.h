/* mem.h - memory allocation for hmd.
 *
 * hmd allocates while it reads its input and when a neighbour list grows.  Without memory it cannot
 * continue in either case.  So these functions print one line and end the task with status 1 (which
 * ends the job) instead of returning NULL.  Sizes are checked for overflow.
 */
#pragma once

#include <stddef.h>

/* Allocates n elements of `size` bytes, zeroed, aligned to 64 bytes (a cache line, and more than
 * any vector requires).  Never returns NULL, also for n = 0. */
void *mem_new(size_t n, size_t size);

/* Ensures space for at least `need` elements in the array *data, which has space for *room.  Grows
 * by at least half, so that appending is linear.  Keeps the contents; new elements are
 * uninitialised. */
void mem_grow(void *data, size_t *room, size_t need, size_t size);

/* Returns the uninitialised element n after the n elements of the array *data, which starts as NULL
 * and is grown only by this function: at powers of two.  It may move. */
void *mem_add(void *data, size_t n, size_t size);

void mem_free(void *data);
