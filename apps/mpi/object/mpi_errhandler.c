/* mpi_errhandler.c - the calls about error handlers, and those of communicators (mpi_error.h).
 *
 * Each object refers to one handler; setting replaces the reference. Reporting itself is the
 * business of mpi_error.c. Windows and files define their calls with the same macro.
 */
#include "object/mpi_errhandler.h"

#include "communicator/mpi_comm.h"
#include "communicator/mpi_failure.h"

_Thread_local bool errhandler_asked;

/* The function's type depends on the kind of object; all are called as
 * MPI_Comm_errhandler_function, with the address of a handle and of a code (MPI 4.1, 9.3). */
int errhandler_new(enum object_kind of, void (*function)(void), MPI_Errhandler *errhandler,
                   const char *call)
{
    struct mpi_errhandler *e;

    if (!function || !errhandler)
        return error_on(NULL, MPI_ERR_ARG, call, "no function, or no result");
    e = object_new(OBJECT_ERRHANDLER);
    if (!e)
        return error_on(NULL, MPI_ERR_NO_MEM, call, "too many error handlers");
    e->does = ERRORS_CALL;
    e->of = of;
    /* Only its representation is kept; call_handler_of() passes arguments of the right types. */
    e->function = (MPI_Comm_errhandler_function *)function;
    *errhandler = e->object.handle;
    return MPI_SUCCESS;
}

/* The new reference is taken before the old one is dropped: both may be the same handler. */
void errhandler_put(struct mpi_errhandler **place, struct mpi_errhandler *e)
{
    struct mpi_errhandler *before = *place;

    object_hold(e);
    *place = e;
    object_drop(before);
}

/* Of a communicator that may be revoked: its handler can still be set and read. */
static struct mpi_errhandler **place_of(MPI_Comm comm)
{
    struct mpi_comm *c = comm_of(comm);

    return c ? &c->errhandler : NULL;
}

/* With the communicator's own handler, unlike error_on(), which may choose another one. */
static int fault(MPI_Comm comm, int code, const char *call, const char *what)
{
    return error_call(comm_of(comm), code, call, what);
}

/* A task whose errors are not fatal may need to learn about revocations by other members. */
static void put(struct mpi_errhandler **place, struct mpi_errhandler *e)
{
    if (e->does != ERRORS_FATAL)
        failure_watch();
    errhandler_put(place, e);
}

ERRHANDLER_CALLS(Comm, OBJECT_COMM, place_of, error_no_comm, fault, put)

/* MPI 4.1, 9.3.5: objects that use the handler keep it; only this handle becomes invalid.
 * Predefined handlers are accepted, and stay. */
MPI_DEFINE(int, Errhandler_free, (MPI_Errhandler * errhandler))
{
    struct mpi_errhandler *e = errhandler ? errhandler_of(*errhandler) : NULL;

    if (!e)
        return error_on(NULL, CLASS_ERRHANDLER, MPI_CALL, "not an error handler");
    object_retire(e);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

/* MPI-1's names */
MPI_ALSO(int, Errhandler_create, Comm_create_errhandler,
         (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler));
MPI_ALSO(int, Errhandler_set, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler));
MPI_ALSO(int, Errhandler_get, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler));
