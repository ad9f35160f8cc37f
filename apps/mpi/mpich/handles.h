/* handles.h - handles of MPICH: integers, which are the same in Fortran.  Only file handles are
 * pointers in C; they have the integer's value and point to nothing.
 *
 * Predefined handles are looked up in a hash table (mpi_handle_table.h), because they are spread
 * over the whole range of an int. Handles of other objects contain kind and number, so no table is
 * needed for them.
 */
#pragma once

#include "object/mpi_handle_table.h"

#include <string.h>

/* First number of objects that are not predefined: some pair types have numbers below. */
enum { HANDLE_FIRST = 16 };

/* Binds a predefined object to its handle in MPICH. */
static inline void handle_bind(void *object, mpi_handle handle)
{
    handle_enter(object, handle);
}

/* Handles of other objects: the highest bit, the kind, and the object's number. 26 bits remain for
 * the number: SLOTS_MOST times GENERATIONS, and HANDLE_FIRST (mpi_object.c). */
static inline unsigned handle_base(enum object_kind kind)
{
    return 0x80000000u + ((unsigned)kind << 26) + HANDLE_FIRST;
}

static inline mpi_handle handle_new(const struct object *o)
{
    return (mpi_handle)(handle_base(o->kind) + (unsigned)object_number(o));
}

/* Returns the object of a handle; NULL: it is no object of that kind. The subtraction gives a
 * number that is out of range for a handle of another kind. */
static inline void *handle_object(enum object_kind kind, mpi_handle handle)
{
    struct object *o = handle_entry(handle)->object;

    if (o && o->kind == kind)
        return o;
    return object_of_number(kind, (int)((unsigned)handle - handle_base(kind)));
}

/* No conversion: C and Fortran share the numbers, also of handles that are invalid. */
static inline int handle_number(enum object_kind kind, mpi_handle handle)
{
    (void)kind;
    return handle;
}

static inline mpi_handle handle_of_number(enum object_kind kind, int number)
{
    (void)kind;
    return number;
}

/* Common blocks of MPICH's mpif.h, and the names of their variables in fortran.h. The layouts are
 * MPICH's. Programs compare the addresses of these variables only, so their values do not
 * matter. */
struct fortran_private1 {
    MPI_Fint bottom, in_place;
    MPI_Status status_ignore;
};
struct fortran_private2 {
    MPI_Status statuses_ignore;
    MPI_Fint errcodes_ignore;
};
struct fortran_privatec {
    char argvs_null, argv_null;
};
#define FORTRAN_COMMONS(X)                                                                         \
    X(mpipriv1_, struct fortran_private1)                                                          \
    X(mpipriv2_, struct fortran_private2)                                                          \
    X(mpiprivc_, struct fortran_privatec)                                                          \
    X(mpifcmb5_, MPI_Fint)                                                                         \
    X(mpifcmb9_, MPI_Fint)
#define mpi_fortran_bottom_          mpipriv1_.bottom
#define mpi_fortran_in_place_        mpipriv1_.in_place
#define mpi_fortran_status_ignore_   mpipriv1_.status_ignore
#define mpi_fortran_statuses_ignore_ mpipriv2_.statuses_ignore
#define mpi_fortran_errcodes_ignore_ mpipriv2_.errcodes_ignore
#define mpi_fortran_argvs_null_      mpiprivc_.argvs_null
#define mpi_fortran_argv_null_       mpiprivc_.argv_null
#define mpi_fortran_unweighted_      mpifcmb5_
#define mpi_fortran_weights_empty_   mpifcmb9_

/* Fields of a status besides source, tag and error: the number of received elements, their type in
 * hnow, and whether the receive was cancelled.  The upper word has 19 bits for the count, 12 for
 * the type, and 1. */
enum { STATUS_TYPE_BITS = 12 };

static inline void handle_put_count(MPI_Status *status, uint64_t count, int type, int cancelled)
{
    status->count_lo = (int)(uint32_t)count;
    status->count_hi_and_cancelled = (int)((uint32_t)(count >> 32) << (STATUS_TYPE_BITS + 1) |
                                           (uint32_t)type << 1 | (cancelled != 0));
}

static inline uint64_t handle_count(const MPI_Status *status, int *type, int *cancelled)
{
    uint32_t high = (uint32_t)status->count_hi_and_cancelled;

    *type = (int)(high >> 1 & ((1u << STATUS_TYPE_BITS) - 1));
    *cancelled = (int)(high & 1);
    return (uint64_t)(high >> (STATUS_TYPE_BITS + 1)) << 32 | (uint32_t)status->count_lo;
}
