/* mpich_cxx.c - what MPICH's C++ library requires of libmpich.so.12 besides MPI's functions.
 *
 * MPICH's mpicxx links every program with libmpichcxx.so.12, whose classes call MPI's functions.
 * That library creates operators, keys and error handlers with the program's C++ functions, and
 * passes its own functions that call them.
 */
#include "object/mpi_attribute.h"
#include "object/mpi_errhandler.h"
#include "collective/mpi_operator.h"

/* The library's function; the program's C++ function is its last argument. */
typedef void cxx_function(const void *in, void *inout, int n, MPI_Datatype type,
                          MPI_User_function *function);

/* Of type op_caller: `behind` is the library's function, `function` the program's. */
static void call(const struct mpi_op *op, void *in, void *inout, int n, MPI_Datatype type)
{
    ((cxx_function *)op->behind)(in, inout, n, type, op->function);
}

/* Called right after MPI_Op_create(), so the operator is not in use yet. */
MPI_API void MPII_Op_set_cxx(MPI_Op op, void (*caller)(void));
void MPII_Op_set_cxx(MPI_Op op, void (*caller)(void))
{
    struct mpi_op *o = op_of(op);

    if (!o)
        return;
    o->caller = call;
    o->behind = caller;
}

/* The function registered last serves the handlers of all objects. */
static error_caller *call_errhandler;

/* When a function returns an error, the library calls the handler again, as if the program did: a
 * first such call with the code of the thread's last error is left out. */
static void call_once(enum error_kind kind, void *handle, int *code,
                      MPI_Comm_errhandler_function *function)
{
    static _Thread_local int called = MPI_SUCCESS;

    if (!errhandler_asked || called != *code)
        call_errhandler(kind, handle, code, function);
    called = errhandler_asked ? MPI_SUCCESS : *code;
}

/* Called right after the handler was made, with the library's function that calls it. */
MPI_API void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, error_caller *caller);
void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, error_caller *caller)
{
    struct mpi_errhandler *e = errhandler_of(errhandler);

    call_errhandler = caller;
    if (e)
        e->caller = call_once;
}

/* The library's functions convert handles to C++ objects before they call the program's. Called
 * right after the key was made. */
MPI_API void MPII_Keyval_set_proxy(int keyval, copy_caller *copy, delete_caller *discard);
void MPII_Keyval_set_proxy(int keyval, copy_caller *copy, delete_caller *discard)
{
    struct mpi_keyval *k = attribute_key_at(keyval);

    if (!k)
        return;
    k->copy_caller = copy;
    k->delete_caller = discard;
}
