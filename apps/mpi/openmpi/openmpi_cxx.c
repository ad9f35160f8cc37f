/* openmpi_cxx.c - what Open MPI's C++ library requires of libmpi.so.40 besides MPI's functions.
 *
 * Open MPI's mpicxx links every program with libmpi_cxx.so.40, whose classes call MPI's functions.
 * That library also refers to these internal names.  It passes its own functions, with C arguments,
 * that call the program's C++ functions.  For error handlers it writes into an internal object of
 * Open MPI, which does not exist here; these functions report that.  The data symbols are empty
 * tables.
 *
 * Missing symbols would prevent the program from starting, even if it calls none of them. That
 * is why functions without a sensible implementation exist here.
 */
#include "object/mpi_error.h"
#include "collective/mpi_operator.h"

/* ---- operators ------------------------------------------------------------------------------ */

/* The operator was created with a function of the library, which takes the program's function after
 * the usual arguments. */
typedef void cxx_function(void *in, void *inout, int *n, MPI_Datatype *type,
                          void (*function)(void));

/* Of type op_caller. The C++ function is `behind`, the library's one is `function`. */
static void call(const struct mpi_op *op, void *in, void *inout, int n, MPI_Datatype type)
{
    ((cxx_function *)(void *)op->function)(in, inout, &n, &type, op->behind);
}

/* Called right after MPI_Op_create(), with a valid operator. */
MPI_API void ompi_op_set_cxx_callback(MPI_Op op, MPI_User_function *function);
void ompi_op_set_cxx_callback(MPI_Op op, MPI_User_function *function)
{
    op_of(op)->caller = call;
    op_of(op)->behind = (void (*)(void))function;
}

/* ---- attributes ----------------------------------------------------------------------------- */

/* Values of Open MPI's ompi_attribute_type_t. */
enum { KEYVAL_COMM = 1, KEYVAL_TYPE = 2, KEYVAL_WIN = 3 };

/* The last two arguments concern Open MPI's own objects and have no meaning here. */
MPI_API int ompi_attr_create_keyval(int kind, void *copy, void *discard, int *keyval, void *extra,
                                    int flags, void *kept);
int ompi_attr_create_keyval(int kind, void *copy, void *discard, int *keyval, void *extra,
                            int flags, void *kept)
{
    (void)flags;
    (void)kept;
    /* copy and discard are functions of the library with C arguments, so they need no caller. */
    switch (kind) {
    case KEYVAL_COMM:
        return PMPI_Comm_create_keyval(copy, discard, keyval, extra);
    case KEYVAL_WIN:
        return PMPI_Win_create_keyval(copy, discard, keyval, extra);
    case KEYVAL_TYPE:
        return PMPI_Type_create_keyval(copy, discard, keyval, extra);
    default:
        return error_on(NULL, MPI_ERR_ARG, "MPI::Create_keyval", "%d is no kind of object", kind);
    }
}

/* ---- error handlers ------------------------------------------------------------------------- */

#define INTERNAL_FUNCTION(name, what)                                                              \
    MPI_API int name(void);                                                                        \
    int name(void)                                                                                 \
    {                                                                                              \
        return error_on(NULL, MPI_ERR_UNSUPPORTED_OPERATION, what,                                 \
                        "hnow does not have this function");                                       \
    }
/* Declared without arguments: what the library passes is not read. C++ programs cannot create
 * error handlers with this library; they get an error. */
INTERNAL_FUNCTION(ompi_errhandler_create, "MPI::Comm::Create_errhandler")
INTERNAL_FUNCTION(ompi_errhandler_invoke, "MPI::Comm::Call_errhandler")

/* Data symbols: a program that is linked with the library may copy them. */
extern MPI_API int ompi_errcode_intern_lastused;
int ompi_errcode_intern_lastused; /* no entries */
/* Sizes as in Open MPI's library; only copies of them may be read. */
extern MPI_API void *ompi_errcodes_intern[15], *ompi_registered_datareps[8];
void *ompi_errcodes_intern[15], *ompi_registered_datareps[8];
