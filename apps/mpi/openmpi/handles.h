/* handles.h - handles of Open MPI: addresses.  Those of MPI's own objects are addresses of data
 * objects (mpi_predefined.h), whose first word leads to our object. */
#ifndef MPI_HANDLES_H
#define MPI_HANDLES_H

#include "mpi.h"
#include "mpi_object.h"

#include <stdint.h>
#include <string.h>

enum {
    HANDLES = 512,      /* places of the table below: a power of 2, four times as many as used */
    HANDLE_FIRST = 1024 /* in Fortran: the first number of objects that are not MPI's own */
};

/* MPI's own objects by the address of their handle: programs pass any number as a handle, and
 * nothing is read that may not be there. */
extern struct handle_entry {
    const void *handle;
    struct object *object;
} handle_named[HANDLES];

static inline struct handle_entry *handle_entry(const void *handle)
{
    size_t at = ((uintptr_t)handle >> 5) * 0x9e3779b1u >> 7 & (HANDLES - 1);

    while (handle_named[at].handle && handle_named[at].handle != handle)
        at = (at + 1) & (HANDLES - 1);
    return &handle_named[at];
}

/* The program knows this object by that handle, which is one of Open MPI's. */
static inline void handle_bind(void *object, const void *handle)
{
    struct object *o = object;

    o->handle = (void *)handle;
    *(void **)o->handle = o;
    *handle_entry(handle) = (struct handle_entry){handle, o};
}

/* The object of a handle; NULL: it is not an object of that kind. */
static inline void *handle_object(enum object_kind kind, const void *handle)
{
    struct object *o = handle_entry(handle)->object;

    return o && o->kind == kind ? o : object_at(kind, handle);
}

/* A handle's number in Fortran, and back; -1 and NULL: there is no such object. */
int handle_number(enum object_kind kind, const void *handle);
void *handle_of_number(enum object_kind kind, int number);

/* What a status says besides source, tag and error: how many elements of which type (of hnow) came,
 * and whether the receive was cancelled. */
static inline void handle_put_count(MPI_Status *status, uint64_t count, int type, int cancelled)
{
    status->_ucount = (size_t)count;
    status->_cancelled = type << 1 | (cancelled != 0);
}

static inline uint64_t handle_count(const MPI_Status *status, int *type, int *cancelled)
{
    *type = status->_cancelled >> 1;
    *cancelled = status->_cancelled & 1;
    return status->_ucount;
}

#endif
