/* fortran.h - functions of MPI that Fortran calls: how they are defined, and how their arguments
 * become those of C.  bindings.py makes most of them; fortran_*.c have the others.
 */
#pragma once

#include "mpi_call.h"

#include <stdlib.h>

/* One function for mpif.h and the module mpi (mpi_X_) and for mpi_f08 (mpi_X_f08_).  Profilers may
 * replace each of them. */
#define FORTRAN_NAME(type, other, name, args)                                                      \
    extern MPI_API type other args __attribute__((weak, alias("pmpi_" #name "_")))
#define FORTRAN_CALL_BOTH(type, name, args)                                                        \
    FORTRAN_NAME(type, mpi_##name##_, name, args);                                                 \
    FORTRAN_NAME(type, mpi_##name##_f08_, name, args);                                             \
    FORTRAN_NAME(type, pmpi_##name##_f08_, name, args);                                            \
    MPI_API type pmpi_##name##_ args;                                                              \
    type pmpi_##name##_ args
#define FORTRAN_CALL(type, name, args) FORTRAN_CALL_BOTH(type, name, args)

/* The caller may leave out ierror. */
static inline void fortran_error(MPI_Fint *ierror, int error)
{
    if (ierror)
        *ierror = error;
}

/* ---- addresses that have a meaning: common blocks of mpif.h and the modules ---- */

/* clang-format off */
#ifndef FORTRAN_COMMONS /* MPICH has others (mpich/handles.h) */
#define FORTRAN_COMMONS(X) \
    X(mpi_fortran_bottom_, MPI_Fint) X(mpi_fortran_in_place_, MPI_Fint) \
    X(mpi_fortran_buffer_automatic_, MPI_Fint) X(mpi_fortran_argv_null_, char) \
    X(mpi_fortran_argvs_null_, char) X(mpi_fortran_errcodes_ignore_, MPI_Fint) \
    X(mpi_fortran_unweighted_, MPI_Fint) X(mpi_fortran_weights_empty_, MPI_Fint) \
    X(mpi_fortran_status_ignore_, MPI_Status) X(mpi_fortran_statuses_ignore_, MPI_Status)
#endif
/* clang-format on */
/* Programs have copies: sizes are those of Fortran, and the linker wants their alignment. */
#define FORTRAN_COMMON(name, type) extern MPI_API type name __attribute__((aligned(32)));
FORTRAN_COMMONS(FORTRAN_COMMON)
#undef FORTRAN_COMMON

void *fortran_buffer(void *buffer);
MPI_Status *fortran_status(MPI_Status *status);
MPI_Status *fortran_statuses(MPI_Status *statuses);
int *fortran_weights(int *weights);

/* ---- keys ---- */

/* A key as C has it. */
static inline int fortran_keyval(int keyval)
{
#ifdef MPI_F_KEYVAL
    return MPI_F_KEYVAL(keyval);
#else
    return keyval;
#endif
}

/* ---- strings ---- */

/* A string without blanks at its ends, as C has it, to be freed. */
char *fortran_text(const char *text, size_t length);
/* Memory for a string that C gives: for any of MPI's, and for so many characters. */
char *fortran_room(size_t length, int needed);
/* Fills Fortran's string with it and blanks, if it was given; frees it. */
void fortran_fill(char *text, size_t length, char *room, bool given);
/* argv of Fortran, which ends with a blank string: the i-th of n strings that are stride strings
 * apart, and a null pointer behind them.  NULL: out of memory.  To be freed with fortran_free(). */
char **fortran_texts(const char *texts, size_t length, size_t stride);
void fortran_free(char **texts);

/* ---- lists ---- */

/* Indices from 1 on.  n may be MPI_UNDEFINED. */
void fortran_indices(int n, MPI_Fint *indices);
/* How many datatypes MPI_Alltoallw() and its like get from the caller; 0 with MPI_IN_PLACE. */
int fortran_members(const void *sendbuf, MPI_Fint comm);
int fortran_neighbors(bool send, MPI_Fint comm);

/* Handles of C for n handles of Fortran, to be freed.  Without memory the job ends: MPI has no
 * handle for it. */
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
FORTRAN_LIST(Request, MPI_Request)
FORTRAN_LIST(Type, MPI_Datatype)
FORTRAN_LIST(Info, MPI_Info)
#undef FORTRAN_LIST
