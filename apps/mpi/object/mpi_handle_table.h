/* mpi_handle_table.h - MPI's own objects by their handles, for fronts whose handles are neither
 * small nor dense: programs pass any number as a handle, and nothing is read that may not be there.
 */
#pragma once

#include "object/mpi_object.h"

enum { HANDLE_BITS = 9, HANDLES = 1 << HANDLE_BITS }; /* places: four times as many as used */

extern struct handle_entry {
    mpi_handle handle;
    struct object *object;
} handle_named[HANDLES];

/* The entry of a handle, or the empty one where it would be. */
static inline struct handle_entry *handle_entry(mpi_handle handle)
{
    size_t at = (uint32_t)(uintptr_t)handle * 0x9e3779b1u >> (32 - HANDLE_BITS);

    while (handle_named[at].object && handle_named[at].handle != handle)
        at = (at + 1) & (HANDLES - 1);
    return &handle_named[at];
}

/* The program knows this object by that handle. */
static inline void handle_enter(struct object *o, mpi_handle handle)
{
    o->handle = handle;
    *handle_entry(handle) = (struct handle_entry){handle, o};
}
