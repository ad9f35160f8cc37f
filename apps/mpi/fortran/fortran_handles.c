/* fortran_handles.c - operators == and /= of handles in mpi_f08, which has a type for each kind.
 *
 * mpi_KIND_eq_() and mpi_KIND_ne_() are the names in hnow's module. gfortran names procedures of
 * Open MPI's modules with __mpi_f08_types_MOD_, and programs import these names.
 *
 * Results are LOGICALs. Two handles are equal if their numbers are: each object has one number.
 */
#include "fortran/fortran.h"

/* A handle in mpi_f08 is a derived type with one INTEGER, so two of them are compared as
 * integers. */
#define COMPARE(name, alias_name, sign)                                                            \
    extern MPI_API MPI_Fint alias_name(const MPI_Fint *a, const MPI_Fint *b)                       \
        __attribute__((alias(#name)));                                                             \
    MPI_API MPI_Fint name(const MPI_Fint *a, const MPI_Fint *b);                                   \
    MPI_Fint name(const MPI_Fint *a, const MPI_Fint *b)                                            \
    {                                                                                              \
        return *a sign * b;                                                                        \
    }
/* Two functions for each kind: equal, and different. */
#define COMPARE_KIND(kind)                                                                         \
    COMPARE(mpi_##kind##_eq_, __mpi_f08_types_MOD_ompi_##kind##_op_eq, ==)                         \
    COMPARE(mpi_##kind##_ne_, __mpi_f08_types_MOD_ompi_##kind##_op_ne, !=)
/* Names of kinds are those of the types in mpi_f08. */
COMPARE_KIND(comm)
COMPARE_KIND(datatype)
COMPARE_KIND(errhandler)
COMPARE_KIND(file)
COMPARE_KIND(group)
COMPARE_KIND(info)
COMPARE_KIND(message)
COMPARE_KIND(op)
COMPARE_KIND(request)
COMPARE_KIND(session)
COMPARE_KIND(win)
