/* memory.h - validates the extent of a caller's buffer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False: `count` elements of `element` bytes exceed the address space, or a part of them is not
 * mapped.  Short buffers are not checked.  Of long ones, it checks the last page and those at the
 * half, the quarter, ... of the length.  Cost: at most a microsecond for each of these. */
bool memory_spans(const void *data, size_t count, size_t element);
