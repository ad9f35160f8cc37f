/* mpi_errhandler.c - error handlers of communicators: the program's calls (mpi_error.h). */
#include "mpi_comm.h"
#include "mpi_error.h"
#include "mpi_failure.h"

MPI_DEFINE(int, Comm_create_errhandler,
           (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler))
{
    struct mpi_errhandler *e;

    if (!function || !errhandler)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no function, or no result");
    e = object_new(OBJECT_ERRHANDLER);
    if (!e)
        return error_on(NULL, MPI_ERR_NO_MEM, MPI_CALL, "too many error handlers");
    e->does = ERRORS_CALL;
    e->function = function;
    *errhandler = e->object.handle;
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler))
{
    struct mpi_comm *c = comm_of(comm);
    struct mpi_errhandler *e = errhandler_of(errhandler), *before;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!e)
        return error_on(c, CLASS_ERRHANDLER, MPI_CALL, "%p is not an error handler",
                        (void *)errhandler);
    if (e->does != ERRORS_FATAL)
        failure_watch();
    object_hold(e);
    before = c->errhandler;
    c->errhandler = e;
    object_drop(before);
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler))
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!errhandler)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "no result");
    object_hold_handle(c->errhandler);
    *errhandler = c->errhandler->object.handle;
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Comm_call_errhandler, (MPI_Comm comm, int errorcode))
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    error_call(c, errorcode, MPI_CALL, "the program has called the error handler");
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Errhandler_free, (MPI_Errhandler * errhandler))
{
    struct mpi_errhandler *e = errhandler ? errhandler_of(*errhandler) : NULL;

    if (!e)
        return error_on(NULL, CLASS_ERRHANDLER, MPI_CALL, "not an error handler");
    object_retire(e);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Errhandler_create,
           (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return PMPI_Comm_create_errhandler(function, errhandler);
}

MPI_DEFINE(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler errhandler))
{
    return PMPI_Comm_set_errhandler(comm, errhandler);
}

MPI_DEFINE(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler *errhandler))
{
    return PMPI_Comm_get_errhandler(comm, errhandler);
}
