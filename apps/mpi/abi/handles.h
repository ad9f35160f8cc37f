/* handles.h - handles of the standard ABI: MPI's own objects are numbers below HANDLES, all others
 * are addresses. */
#pragma once

#include "mpi.h"
#include "object/mpi_object.h"

#include <stdint.h>
#include <string.h>

enum { HANDLES = 0x400 }; /* numbers that the standard keeps for handles */

extern struct object *handle_named[HANDLES];

/* The program knows this object by that handle, which is one of the standard's. */
static inline void handle_bind(void *object, mpi_handle handle)
{
    struct object *o = object;

    o->handle = handle;
    handle_named[(uintptr_t)handle] = o;
}

/* The handle of any other object: its address. */
static inline mpi_handle handle_new(struct object *o)
{
    return object_address(o);
}

/* The object of a handle; NULL: it is not an object of that kind. */
static inline void *handle_object(enum object_kind kind, mpi_handle handle)
{
    if ((uintptr_t)handle >= HANDLES)
        return object_at(kind, handle);
    struct object *o = handle_named[(uintptr_t)handle];
    return o && o->kind == kind ? o : NULL;
}

/* A handle as Fortran has it, an integer, and back: MPI's own are the same numbers in both. */
static inline int handle_number(enum object_kind kind, mpi_handle handle)
{
    if ((uintptr_t)handle < HANDLES)
        return (int)(uintptr_t)handle;
    void *object = object_at(kind, handle);
    return object ? HANDLES + object_number(object) : 0;
}

static inline mpi_handle handle_of_number(enum object_kind kind, int number)
{
    if (number < HANDLES)
        return (void *)(uintptr_t)(unsigned)number;
    struct object *o = object_of_number(kind, number - HANDLES);
    return o ? o->handle : NULL;
}

/* Contents of a status besides source, tag and error: how many elements of which type (of hnow)
 * came, and whether the receive was cancelled. */
static inline void handle_put_count(MPI_Status *status, uint64_t count, int type, int cancelled)
{
    status->MPI_internal[0] = type;
    status->MPI_internal[1] = cancelled;
    memcpy(&status->MPI_internal[2], &count, sizeof count);
}

static inline uint64_t handle_count(const MPI_Status *status, int *type, int *cancelled)
{
    uint64_t count;

    *type = status->MPI_internal[0];
    *cancelled = status->MPI_internal[1];
    memcpy(&count, &status->MPI_internal[2], sizeof count);
    return count;
}
