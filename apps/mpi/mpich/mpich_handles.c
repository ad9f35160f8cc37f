/* mpich_handles.c - MPICH's predefined handles (handles.h), and data and functions that programs
 * refer to by name.
 *
 * MPICH's handles are ints, whose values its header fixes; only what is known by name needs
 * memory here.
 */
#include "handles.h"

#include "fortran/fortran.h"

struct handle_entry handle_named[HANDLES];

/* Unique addresses. Programs compare the values of MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY, so any two
 * different addresses serve. */
static int unweighted, weights_empty;
extern MPI_API int *const MPI_UNWEIGHTED, *const MPI_WEIGHTS_EMPTY;
int *const MPI_UNWEIGHTED = &unweighted, *const MPI_WEIGHTS_EMPTY = &weights_empty;
/* No address of an object: -1. */
extern MPI_API MPI_T_pvar_handle const MPI_T_PVAR_ALL_HANDLES;
MPI_T_pvar_handle const MPI_T_PVAR_ALL_HANDLES = (MPI_T_pvar_handle)-1;

/* For C programs that convert statuses of Fortran. */
extern MPI_API MPI_Fint *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;
MPI_Fint *MPI_F_STATUS_IGNORE = (MPI_Fint *)&mpi_fortran_status_ignore_,
         *MPI_F_STATUSES_IGNORE = (MPI_Fint *)&mpi_fortran_statuses_ignore_;

/* The copy function of MPI_COMM_DUP_FN in MPICH's header, called like a function of the program. */
MPI_API int MPIR_Dup_fn(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *flag)
{
    (void)comm, (void)keyval, (void)extra;
    *(void **)to = from;
    *flag = 1;
    return MPI_SUCCESS;
}
