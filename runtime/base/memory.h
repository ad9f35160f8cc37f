/* memory.h - whether a caller's buffer can be as long as it says. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False: count elements of so many bytes are more than an address can count, or some of them are
 * not in the process's memory.  Short buffers are not looked at; of long ones, the last page and
 * those at the half, the quarter, ... of the length.  Cost: a microsecond at most for each of
 * these. */
bool memory_spans(const void *data, size_t count, size_t element);
