/* mpi_rma_counted.h - window access calls in both forms; mpi_counted.h includes this file. MPI
 * 4.1, 12.3; window/mpi_rma_forms.h defines them. None waits for the target: an access is
 * complete when its epoch ends, or after a flush. */

/* A call, and its variant that returns a request. */
#define MPI_DECLARE_ACCESS(Name, name, origin, target, last)                                       \
    MPI_DECLARE(int, MPI_F(Name), (origin, target, last));                                         \
    MPI_DECLARE(int, MPI_F(R##name), (origin, target, last, MPI_Request * request))
MPI_DECLARE_ACCESS(Put, put, MPI_ARGS_ORIGIN, MPI_ARGS_TARGET, MPI_Win win);
MPI_DECLARE_ACCESS(Get, get, MPI_ARGS_RESULT, MPI_ARGS_TARGET, MPI_Win win);
/* Atomic for each element, among accumulates of any members. */
MPI_DECLARE_ACCESS(Accumulate, accumulate, MPI_ARGS_ORIGIN, MPI_ARGS_TARGET, MPI_ARGS_OP_WIN);
MPI_DECLARE_ACCESS(Get_accumulate, get_accumulate, MPI_ARGS_ORIGIN_RESULT, MPI_ARGS_TARGET,
                   MPI_ARGS_OP_WIN);
#undef MPI_DECLARE_ACCESS
