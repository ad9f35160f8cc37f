/* handles.h - handles of the standard ABI. Predefined objects are numbers below HANDLES; all others
 * are addresses.
 *
 * A lookup of a predefined handle is one access to an array; that of any other handle is
 * object_at(). Handles of the null kind ("MPI_COMM_NULL") have no object, so they are found to be
 * NULL.
 *
 * One of three headers with the same functions (mpich/, openmpi/); the rest of apps/mpi is
 * compiled once for each. A number that is no handle is found invalid without reading memory
 * that it names.
 */
#pragma once

#include "mpi.h"
#include "object/mpi_object.h"

#include <stdint.h>
#include <string.h>

enum { HANDLES = 0x400 }; /* numbers that the standard reserves for predefined handles */

extern struct object *handle_named[HANDLES];

/* Binds a predefined object to its handle in the standard. */
static inline void handle_bind(void *object, mpi_handle handle)
{
    struct object *o = object;

    o->handle = handle;
    handle_named[(uintptr_t)handle] = o;
}

/* The handle of any other object is its address. */
static inline mpi_handle handle_new(struct object *o)
{
    return object_address(o);
}

/* Returns the object of a handle; NULL: it is no object of that kind. */
static inline void *handle_object(enum object_kind kind, mpi_handle handle)
{
    if ((uintptr_t)handle >= HANDLES)
        return object_at(kind, handle);
    struct object *o = handle_named[(uintptr_t)handle];
    return o && o->kind == kind ? o : NULL;
}

/* Fortran's integer handle of a C handle, and the reverse. Predefined handles have the same number
 * in both. 0 is the number of an invalid handle. Numbers from HANDLES + 1 on belong to objects that
 * are not predefined. */
static inline int handle_number(enum object_kind kind, mpi_handle handle)
{
    if ((uintptr_t)handle < HANDLES)
        return (int)(uintptr_t)handle;
    void *object = object_at(kind, handle);
    return object ? HANDLES + object_number(object) : 0;
}

/* A negative number becomes a large handle that belongs to no object. */
static inline mpi_handle handle_of_number(enum object_kind kind, int number)
{
    if (number < HANDLES)
        return (void *)(uintptr_t)(unsigned)number;
    struct object *o = object_of_number(kind, number - HANDLES);
    return o ? o->handle : NULL;
}

/* Fields of a status besides source, tag and error: the number of received elements, their type in
 * hnow, and whether the receive was cancelled. The standard leaves the five internal words to the
 * library; three fields take four of them. */
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
