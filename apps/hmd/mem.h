/* mem.h - memory for hmd.
 *
 * hmd allocates while it reads its input and when a neighbour list grows; in neither place is there
 * anything sensible to do without memory.  So these functions end the task with one line and status
 * 1 (the job then ends with it) instead of returning NULL.  Sizes are products that are checked
 * for overflow.
 */
#pragma once

#include <stddef.h>

/* n elements of `size` bytes, zeroed, aligned to 64 bytes (a cache line, and more than any vector
 * needs); never NULL, also for n = 0. */
void *mem_new(size_t n, size_t size);

/* Makes room for at least `need` elements in the array *data that has room for *room; grows by at
 * least half, so that appending is linear.  The contents stay; new elements are not cleared. */
void mem_grow(void *data, size_t *room, size_t need, size_t size);

/* Element n, not cleared, behind the n of the array *data, which begins as NULL and grows by this
 * alone: at powers of two.  It may move. */
void *mem_add(void *data, size_t n, size_t size);

void mem_free(void *data);
