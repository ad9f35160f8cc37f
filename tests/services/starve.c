/* starve.c - an allocator in front of the C library's that fails on demand (starve.h). */
#include "starve.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The C library's own, under the names by which it offers them to such programs. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Thread_local unsigned left; /* allocations until one fails; 0: none does */
static _Thread_local bool goes_on, failed;
static atomic_long live;

void starve_begin(unsigned nth, bool on)
{
    left = nth;
    goes_on = on;
    failed = false;
}

bool starve_end(void)
{
    left = 0;
    return failed;
}

long starve_live(void)
{
    return live;
}

static bool fails(void)
{
    if (left == 0)
        return false;
    if (left > 1) {
        left--;
        return false;
    }
    if (!goes_on)
        left = 0;
    failed = true;
    errno = ENOMEM;
    return true;
}

static void *counted(void *block)
{
    if (block)
        live++;
    return block;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *block, size_t size)
{
    if (!block)
        return malloc(size);
    return fails() ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = aligned_alloc(alignment, size);
    return *block ? 0 : ENOMEM;
}

void free(void *block)
{
    if (block)
        live--;
    __libc_free(block);
}
