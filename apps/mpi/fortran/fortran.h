/* fortran.h - MPI functions for Fortran: their definition, and conversion of arguments to C.
 *
 * bindings.py generates most of them; fortran_*.c have the others.
 *
 * MPI 4.1, 19.1. Arguments of Fortran are addresses; strings have their length appended as an
 * argument by value, at the end (gfortran's convention). LOGICALs are ints with the values 0 and
 * 1.
 *
 * Each function is defined once and serves all Fortran interfaces. Handles are INTEGERs,
 * converted by PMPI_X_f2c() and back. Errors are reported by the C function; the Fortran one
 * only stores its result.
 *
 * What is static inline here is used by the generated functions, which are many and short.
 */
#pragma once

#include "mpi_call.h"

#include <stdlib.h>

/* Defines one function for mpif.h and the module mpi (mpi_X_) and for mpi_f08 (mpi_X_f08_).  All
 * names are weak, so that profilers may replace each of them. */
#define FORTRAN_NAME(type, other, name, args)                                                      \
    extern MPI_API type other args __attribute__((weak, alias("pmpi_" #name "_")))
#define FORTRAN_CALL(type, name, args)                                                             \
    FORTRAN_NAME(type, mpi_##name##_, name, args);                                                 \
    FORTRAN_NAME(type, mpi_##name##_f08_, name, args);                                             \
    FORTRAN_NAME(type, pmpi_##name##_f08_, name, args);                                            \
    MPI_API type pmpi_##name##_ args;                                                              \
    type pmpi_##name##_ args

/* The caller may omit ierror. In mpi_f08 it is optional, and then is NULL here. */
static inline void fortran_error(MPI_Fint *ierror, int error)
{
    if (ierror)
        *ierror = error;
}

/* ---- addresses with a special meaning: common blocks of mpif.h and the modules ---- */

/* clang-format off */
#ifndef FORTRAN_COMMONS /* MPICH has different ones (mpich/handles.h) */
#define FORTRAN_COMMONS(X) \
    X(mpi_fortran_bottom_, MPI_Fint) X(mpi_fortran_in_place_, MPI_Fint) \
    X(mpi_fortran_buffer_automatic_, MPI_Fint) X(mpi_fortran_argv_null_, char) \
    X(mpi_fortran_argvs_null_, char) X(mpi_fortran_errcodes_ignore_, MPI_Fint) \
    X(mpi_fortran_unweighted_, MPI_Fint) X(mpi_fortran_weights_empty_, MPI_Fint) \
    X(mpi_fortran_status_ignore_, MPI_Status) X(mpi_fortran_statuses_ignore_, MPI_Status)
#endif
/* clang-format on */
/* Programs have copies of these symbols.  Sizes are Fortran's, and the linker requires their
 * alignment. */
#define FORTRAN_COMMON(name, type) extern MPI_API type name __attribute__((aligned(32)));
FORTRAN_COMMONS(FORTRAN_COMMON)
#undef FORTRAN_COMMON

/* These compare addresses: a program passes the variable of a common block itself. */
void *fortran_buffer(void *buffer);
MPI_Status *fortran_status(MPI_Status *status);
MPI_Status *fortran_statuses(MPI_Status *statuses);
/* Constants of Fortran become those of C. These are MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY. */
int *fortran_weights(int *weights);

/* The functions of a generalized request are Fortran's, and its extra argument is the address of an
 * integer, which must remain valid until the request is freed. */
void fortran_grequest(MPI_Request request);

/* ---- attribute keys ---- */

/* Converts a key to C. */
static inline int fortran_keyval(int keyval)
{
#ifdef MPI_F_KEYVAL
    return MPI_F_KEYVAL(keyval);
#else
    return keyval;
#endif
}

/* ---- strings ---- */

/* Returns a C string without leading and trailing blanks; the caller frees it.  In names, leading
 * blanks are significant. */
char *fortran_text(const char *text, size_t length);
char *fortran_name(const char *text, size_t length);
/* Allocates a buffer for a C string from MPI: for `needed` characters, at least the longest of
 * MPI's. length: of Fortran's string. Never NULL; passes to fortran_fill(). */
char *fortran_room(size_t length, int needed);
/* Copies room to Fortran's string, padded with blanks, if `given`. Frees room. `given` false:
 * Fortran's variable is unchanged, e.g. after an error. */
void fortran_fill(char *text, size_t length, char *room, bool given);
/* Converts Fortran's argv, which ends with a blank string; strings are `stride` strings apart.
 * Returns a NULL-terminated array, to be freed with fortran_free().  NULL: out of memory. */
char **fortran_texts(const char *texts, size_t length, size_t stride);
/* A list of texts that ends with NULL. */
void fortran_free(char **texts);

/* ---- lists ---- */

/* Converts indices to Fortran's, from 1. n may be MPI_UNDEFINED. */
void fortran_indices(int n, MPI_Fint *indices);
/* Number of datatypes that the caller passes to MPI_Alltoallw() and similar calls; 0 with
 * MPI_IN_PLACE. */
int fortran_members(const void *sendbuf, MPI_Fint comm);
int fortran_neighbors(bool send, MPI_Fint comm);

/* Allocates C handles for n Fortran handles; the caller frees them.  Without memory the job ends,
 * because there is no handle to report the error on. */
void *fortran_list(int n, size_t size);
#define FORTRAN_LIST(Kind, Handle)                                                                 \
    static inline Handle *fortran_##Kind##_list(int n, const MPI_Fint *numbers)                    \
    {                                                                                              \
        Handle *list = fortran_list(n, sizeof *list);                                              \
        for (int i = 0; i < n; i++)                                                                \
            list[i] = PMPI_##Kind##_f2c(numbers[i]);                                               \
        return list;                                                                               \
    }                                                                                              \
    static inline void fortran_##Kind##_back(int n, MPI_Fint *numbers, Handle *list)               \
    {                                                                                              \
        for (int i = 0; i < n; i++)                                                                \
            numbers[i] = PMPI_##Kind##_c2f(list[i]);                                               \
    }
/* _list() converts before a call, _back() afterwards, for lists that the call changes. */
FORTRAN_LIST(Request, MPI_Request)
FORTRAN_LIST(Type, MPI_Datatype)
FORTRAN_LIST(Info, MPI_Info)
#undef FORTRAN_LIST
