/* mem.c - see mem.h.
 *
 * Blocks of mem_new() keep their size.  Arrays of mem_grow() and mem_add() come from realloc(), and
 * are not aligned to MEM_ALIGN.  mem_free() frees both.
 */
#include "mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEM_ALIGN = 64 }; /* a cache line, and the widest vectors of the kernels */
enum { MEM_LEAST = 16 }; /* initial elements of a growing array */

/* Only another run could use less memory, and no caller could continue; so callers need not
 * check. */
static void mem_fail(size_t n, size_t size)
{
    fprintf(stderr,
            "hmd: out of memory (%zu times %zu bytes): use more tasks or a shorter cut-off\n", n,
            size);
    exit(1);
}

/* At least one byte more than asked is allocated, so n = 0 gives a valid block. aligned_alloc()
 * needs a multiple of the alignment. */
void *mem_new(size_t n, size_t size)
{
    if (size && n > (SIZE_MAX - MEM_ALIGN) / size)
        mem_fail(n, size);
    size_t bytes = (n * size + MEM_ALIGN) / MEM_ALIGN * MEM_ALIGN;
    void *p = aligned_alloc(MEM_ALIGN, bytes);
    if (!p)
        mem_fail(n, size);
    return memset(p, 0, bytes);
}

/* memcpy() moves the pointer, because *data has any pointer type (strict aliasing). */
void mem_grow(void *data, size_t *room, size_t need, size_t size)
{
    if (need <= *room)
        return;
    /* By half, or as much as is needed. */
    size_t n = *room + *room / 2 > need ? *room + *room / 2 : need;
    n = n < MEM_LEAST ? MEM_LEAST : n;
    if (n > SIZE_MAX / size)
        mem_fail(n, size);
    void *old, *p;
    memcpy(&old, data, sizeof old);
    /* New elements are not cleared, and not aligned as those of mem_new(). */
    p = realloc(old, n * size);
    if (!p)
        mem_fail(n, size);
    memcpy(data, &p, sizeof p);
    *room = n;
}

/* The room is not stored: it is MEM_LEAST, or the next power of two above n. */
void *mem_add(void *data, size_t n, size_t size)
{
    char *at;
    if (n == 0 || (n >= MEM_LEAST && (n & (n - 1)) == 0))
        mem_grow(data, &(size_t){0}, n ? 2 * n : MEM_LEAST, size);
    memcpy(&at, data, sizeof at);
    return at + n * size;
}

/* NULL is allowed. */
void mem_free(void *data)
{
    free(data);
}
