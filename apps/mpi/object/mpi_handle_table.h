/* mpi_handle_table.h - hash table of predefined objects by handle, for ABIs whose handles are
 * neither small nor dense.
 *
 * Programs may pass any number as a handle, so no memory is read through an unchecked handle.
 */
#pragma once

#include "object/mpi_object.h"

enum { HANDLE_BITS = 9, HANDLES = 1 << HANDLE_BITS }; /* slots: four times as many as used */

/* Open addressing with linear probing. The table is filled once, at the start of MPI, and is read
 * without a lock afterwards. Entries are never removed, so a probe may end at the first empty
 * slot. */
extern struct handle_entry {
    mpi_handle handle;
    struct object *object;
} handle_named[HANDLES];

/* Returns the slot of a handle, or the empty one where it would be. The factor is 2^32 divided by
 * the golden ratio (Fibonacci hashing): handles that differ in a few low bits spread over all
 * slots. The loop ends, because three quarters of the slots are empty. */
static inline struct handle_entry *handle_entry(mpi_handle handle)
{
    size_t at = (uint32_t)(uintptr_t)handle * 0x9e3779b1u >> (32 - HANDLE_BITS);

    while (handle_named[at].object && handle_named[at].handle != handle)
        at = (at + 1) & (HANDLES - 1);
    return &handle_named[at];
}

/* Binds an object to its predefined handle. */
static inline void handle_enter(struct object *o, mpi_handle handle)
{
    o->handle = handle;
    *handle_entry(handle) = (struct handle_entry){handle, o};
}
