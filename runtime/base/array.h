/* array.h - growable arrays from malloc(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes room for n elements of `size` bytes.  `list` is the address of the pointer to the array,
 * which may be NULL.  Existing elements keep their values.  False: out of memory, and the array is
 * unchanged. */
bool array_resize(void *list, size_t n, size_t size);

#define ARRAY_ROOM(list, n) array_resize(&(list), (size_t)(n), sizeof *(list))
