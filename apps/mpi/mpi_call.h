/* mpi_call.h - defines a function of MPI: PMPI_X, and MPI_X as a weak alias that profilers may
 * replace. Every public function is defined with one of these macros. The library is built with
 * hidden visibility, so nothing else can be seen by programs. */
#ifndef MPI_CALL_H
#define MPI_CALL_H

#include "handles.h"

/* Defines NAME_of(handle), which returns the object, or NULL if it is none of that kind. */
#define OBJECT_OF(name, Handle, kind)                                                              \
    static inline struct mpi_##name *name##_of(Handle handle)                                      \
    {                                                                                              \
        return handle_object(kind, handle);                                                        \
    }

/* Seen by programs; all other symbols of the library are hidden. */
#define MPI_API __attribute__((visibility("default")))
/* The profiling interface of MPI 4.1, 15.2: a tool defines MPI_X itself and calls PMPI_X. Library
 * code calls PMPI_X only, so that a tool sees each call of the program once. The second macro
 * exists because an argument of # is not expanded: `name` may itself be a macro. */
#define MPI_DEFINE_BOTH(type, name, args)                                                          \
    extern MPI_API type MPI_##name args __attribute__((weak, alias("PMPI_" #name)));               \
    MPI_API type PMPI_##name args
#define MPI_DEFINE(type, name, args) MPI_DEFINE_BOTH(type, name, args)

/* Functions that are not yet standard: MPIX_X and PMPIX_X. */
#define MPIX_DEFINE(type, name, args)                                                              \
    extern MPI_API type MPIX_##name args __attribute__((weak, alias("PMPIX_" #name)));             \
    MPI_API type PMPIX_##name args

/* Another name of a function that is defined in the same file. */
#define MPI_ALSO(type, name, same, args)                                                           \
    extern MPI_API type MPI_##name args __attribute__((weak, alias("PMPI_" #same)));               \
    extern MPI_API type PMPI_##name args __attribute__((alias("PMPI_" #same)))

/* MPIX names that Open MPI 4 uses for functions that became standard later. */
#define MPIX_ALSO_BOTH(type, name, args)                                                           \
    extern MPI_API type MPIX_##name args __attribute__((weak, alias("PMPI_" #name)));              \
    extern MPI_API type PMPIX_##name args __attribute__((weak, alias("PMPI_" #name)))
#define MPIX_ALSO(type, name, args) MPIX_ALSO_BOTH(type, name, args)

/* The name of the MPI function that contains this. It skips the P of PMPI_X, so that errors show
 * the name that the program has written. */
#define MPI_CALL (__func__ + 1)

#endif
