/* handles.h - handles of Open MPI: addresses.  Predefined handles are addresses of data objects
 * (mpi_predefined.h), whose first word points to hnow's object.
 *
 * Objects of programs and of hnow are distinguished by the table of predefined handles, which is
 * asked first; any other address is validated by object_at().
 *
 * This header is one of three with the same functions (abi/, mpich/): the rest of apps/mpi is
 * compiled once for each ABI and knows handles through these only. The macros of Open MPI's
 * mpi.h turn the address of a data object into a handle.
 */
#pragma once

#include "object/mpi_handle_table.h"

#include <string.h>

enum { HANDLE_FIRST = 1024 }; /* Fortran's first number of objects that are not predefined */

/* Binds a predefined object to its handle in Open MPI. */
static inline void handle_bind(void *object, mpi_handle handle)
{
    /* For code of Open MPI's other libraries, which may look at the first word. */
    *(void **)handle = object;
    handle_enter(object, handle);
}

/* The handle of any other object is its address. Its first word points to itself, as that of a
 * predefined one does to its object. */
static inline mpi_handle handle_new(struct object *o)
{
    return object_address(o);
}

/* Returns the object of a handle; NULL: it is no object of that kind. */
static inline void *handle_object(enum object_kind kind, mpi_handle handle)
{
    /* O(1): a hash table with one probe in most cases. */
    struct object *o = handle_entry(handle)->object;

    return o && o->kind == kind ? o : object_at(kind, handle);
}

/* A handle's number in Fortran, and the reverse; -1 and NULL: there is no such object. Both
 * search the table of predefined handles first. */
int handle_number(enum object_kind kind, mpi_handle handle);
mpi_handle handle_of_number(enum object_kind kind, int number);

/* Fields of a status besides source, tag and error: the number of received elements, their type in
 * hnow, and whether the receive was cancelled. The type of hnow shares a word with the flag, since
 * the struct has no spare field. */
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
