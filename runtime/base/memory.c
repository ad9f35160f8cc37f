/* memory.c - asks the kernel which pages are mapped (memory.h).
 *
 * mincore(2) fails with ENOMEM if nothing is mapped, and touches no page.  A buffer on the stack
 * that was never used is mapped, because the frames of its callees are below it.
 */
#include "base/memory.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes; shorter buffers are not checked.  An invalid one ends the program soon anyway, and the
 * check would take a noticeable part of the time of using the buffer. */
enum { LOOKED_AT = 1 << 20 };

static bool is_mapped(uintptr_t address)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    return mincore((void *)(address & ~(page - 1)), 1, &resident) == 0 || errno != ENOMEM;
}

/* Looks at the last byte, and then at the middle of what is before, and so on: O(log bytes) system
 * calls. */
bool memory_spans(const void *data, size_t count, size_t element)
{
    uintptr_t begin = (uintptr_t)data, end;
    size_t bytes;
    if (__builtin_mul_overflow(count, element, &bytes) || bytes > PTRDIFF_MAX ||
        __builtin_add_overflow(begin, bytes, &end))
        return false;
    bool mapped = true;
    for (size_t length = bytes; length >= LOOKED_AT && mapped; length /= 2)
        mapped = is_mapped(begin + length - 1);
    return mapped;
}
