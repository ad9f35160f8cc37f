/* fortran_functions.c - callback functions of Fortran programs: operators, attributes, error
 * handlers, generalized requests.
 *
 * An object records that its functions are Fortran's, and MPI passes arguments accordingly.
 *
 * Objects are made by the C functions, whose type of callback does not matter: it is stored as
 * an address. Right afterwards a flag or a language is set in the object. No other task or
 * thread can use it before its number is returned.
 */
#include "fortran/fortran.h"

#include "object/mpi_attribute.h"
#include "object/mpi_errhandler.h"
#include "collective/mpi_operator.h"
#include "message/mpi_request.h"

/* ---- operators ------------------------------------------------------------------------------ */

/* The flag is set after the creation, when no other thread can know the operator.  The function
 * gets its arguments by reference in both languages. */
#define OP_CREATE(form, Form)                                                                      \
    FORTRAN_CALL(void, op_create##form,                                                            \
                 (void *function, MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror))              \
    {                                                                                              \
        MPI_Op made = MPI_OP_NULL;                                                                 \
        int error = PMPI_Op_create##Form((MPI_User_function##Form *)function, *commute, &made);    \
                                                                                                   \
        if (error == MPI_SUCCESS)                                                                  \
            op_of(made)->fortran = true;                                                           \
        *op = PMPI_Op_c2f(made);                                                                   \
        fortran_error(ierror, error);                                                              \
    }
OP_CREATE(, )
OP_CREATE(_c, _c)

/* ---- attributes ----------------------------------------------------------------------------- */

#define KEYVAL(kind, Kind)                                                                         \
    FORTRAN_CALL(void, kind##_create_keyval,                                                       \
                 (void *copy, void *discard, MPI_Fint *keyval, MPI_Aint *extra, MPI_Fint *ierror)) \
    {                                                                                              \
        int error = PMPI_##Kind##_create_keyval((MPI_##Kind##_copy_attr_function *)copy,           \
                                                (MPI_##Kind##_delete_attr_function *)discard,      \
                                                keyval, (void *)*extra);                           \
        if (error == MPI_SUCCESS)                                                                  \
            attribute_key_at(*keyval)->language = LANGUAGE_FORTRAN;                                \
        fortran_error(ierror, error);                                                              \
    }
/* Values have the size of an address here (MPI 4.1, 19.3.7); attribute_integer() converts those
 * that C has set. */
#define VALUES(kind, Kind)                                                                         \
    FORTRAN_CALL(void, kind##_set_attr,                                                            \
                 (MPI_Fint * handle, MPI_Fint * keyval, MPI_Aint * value, MPI_Fint * ierror))      \
    {                                                                                              \
        struct attribute_value v = {LANGUAGE_FORTRAN, {.address = *value}};                        \
        fortran_error(ierror, attribute_put_##Kind(PMPI_##Kind##_f2c(*handle), *keyval, v,         \
                                                   "MPI_" #Kind "_set_attr"));                     \
    }                                                                                              \
    FORTRAN_CALL(void, kind##_get_attr,                                                            \
                 (MPI_Fint * handle, MPI_Fint * keyval, MPI_Aint * value, MPI_Fint * flag,         \
                  MPI_Fint * ierror))                                                              \
    {                                                                                              \
        struct attribute_value *found = NULL;                                                      \
        int error = attribute_get_##Kind(PMPI_##Kind##_f2c(*handle), fortran_keyval(*keyval),      \
                                         &found, "MPI_" #Kind "_get_attr");                        \
        *flag = found != NULL;                                                                     \
        if (found)                                                                                 \
            *value = attribute_integer(found);                                                     \
        fortran_error(ierror, error);                                                              \
    }
/* For each kind of object: the key, and its values. */
KEYVAL(comm, Comm)
VALUES(comm, Comm)
KEYVAL(type, Type)
VALUES(type, Type)
KEYVAL(win, Win)
VALUES(win, Win)

/* ---- attributes of MPI-1: INTEGERs ---------------------------------------------------------- */

/* The extra state is an INTEGER, stored in place of an address. */
FORTRAN_CALL(void, keyval_create,
             (void *copy, void *discard, MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *ierror))
{
    /* The functions are Fortran's; they are only stored here. */
    int error = PMPI_Comm_create_keyval((MPI_Copy_function *)copy, (MPI_Delete_function *)discard,
                                        keyval, (void *)(MPI_Aint)*extra);

    if (error == MPI_SUCCESS)
        attribute_key_at(*keyval)->language = LANGUAGE_MPI1;
    fortran_error(ierror, error);
}

/* The value is an INTEGER; C gets the address of a copy. */
FORTRAN_CALL(void, attr_put, (MPI_Fint * comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *ierror))
{
    struct attribute_value v = {LANGUAGE_MPI1, {.integer = *value}};

    fortran_error(ierror, attribute_put_Comm(PMPI_Comm_f2c(*comm), *keyval, v, "MPI_Attr_put"));
}

/* A value of C is cut to an INTEGER, as MPI-1 did. */
FORTRAN_CALL(void, attr_get,
             (MPI_Fint * comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror))
{
    struct attribute_value *found = NULL;
    int error =
        attribute_get_Comm(PMPI_Comm_f2c(*comm), fortran_keyval(*keyval), &found, "MPI_Attr_get");

    /* .FALSE. also after an error, as gfortran's LOGICAL is 0 or 1. */
    *flag = found != NULL;
    if (found)
        *value = (MPI_Fint)attribute_integer(found);
    fortran_error(ierror, error);
}

/* Predefined functions of programs are procedures, in Open MPI's modules of mpi_f08 with another
 * name. */
#define PREDEFINED(name, args)                                                                     \
    extern MPI_API void __mpi_f08_callbacks_MOD_##name args __attribute__((alias(#name "_")));     \
    MPI_API void name##_ args;                                                                     \
    void name##_ args
/* The value of an attribute is an INTEGER in MPI-1. */
#define NULL_COPY(name)                                                                            \
    PREDEFINED(name, (void *handle, void *keyval, void *extra, void *in, void *out,                \
                      MPI_Fint *flag, MPI_Fint *ierror))                                           \
    {                                                                                              \
        (void)handle, (void)keyval, (void)extra, (void)in, (void)out;                              \
        *flag = 0;                                                                                 \
        *ierror = MPI_SUCCESS;                                                                     \
    }
/* The type is that of a value: INTEGER in MPI-1, an address otherwise. */
#define DUPLICATE(name, type)                                                                      \
    PREDEFINED(name, (void *handle, void *keyval, void *extra, type *in, type *out,                \
                      MPI_Fint *flag, MPI_Fint *ierror))                                           \
    {                                                                                              \
        (void)handle, (void)keyval, (void)extra;                                                   \
        *out = *in;                                                                                \
        *flag = 1;                                                                                 \
        *ierror = MPI_SUCCESS;                                                                     \
    }
#define NULL_DELETE(name)                                                                          \
    PREDEFINED(name, (void *handle, void *keyval, void *value, void *extra, MPI_Fint *ierror))     \
    {                                                                                              \
        (void)handle, (void)keyval, (void)value, (void)extra;                                      \
        *ierror = MPI_SUCCESS;                                                                     \
    }
NULL_COPY(mpi_null_copy_fn)
DUPLICATE(mpi_dup_fn, MPI_Fint)
NULL_DELETE(mpi_null_delete_fn)
#define OWN_FUNCTIONS(kind)                                                                        \
    NULL_COPY(mpi_##kind##_null_copy_fn)                                                           \
    DUPLICATE(mpi_##kind##_dup_fn, MPI_Aint)                                                       \
    NULL_DELETE(mpi_##kind##_null_delete_fn)
OWN_FUNCTIONS(comm)
OWN_FUNCTIONS(type)
OWN_FUNCTIONS(win)

/* ---- error handlers ------------------------------------------------------------------------- */

#define CREATE_ERRHANDLER(name, of)                                                                \
    FORTRAN_CALL(void, name, (void *function, MPI_Fint *errhandler, MPI_Fint *ierror))             \
    {                                                                                              \
        MPI_Errhandler made = MPI_ERRHANDLER_NULL;                                                 \
        int error = errhandler_new(of, (void (*)(void))function, &made, "MPI_" #name);             \
                                                                                                   \
        if (error == MPI_SUCCESS)                                                                  \
            errhandler_of(made)->fortran = true;                                                   \
        *errhandler = PMPI_Errhandler_c2f(made);                                                   \
        fortran_error(ierror, error);                                                              \
    }
/* The function gets the object's number instead of a handle (call_handler_of()). */
CREATE_ERRHANDLER(comm_create_errhandler, OBJECT_COMM)
CREATE_ERRHANDLER(win_create_errhandler, OBJECT_WIN)
CREATE_ERRHANDLER(file_create_errhandler, OBJECT_FILE)
CREATE_ERRHANDLER(session_create_errhandler, OBJECT_SESSION)
/* MPI-1's name. */
CREATE_ERRHANDLER(errhandler_create, OBJECT_COMM)

/* ---- generalized requests ------------------------------------------------------------------- */

/* A generalized request of Fortran: its functions, and the program's variable with the extra state.
 * As in MPICH and Open MPI, the variable itself is passed, so that its functions may change it. */
struct grequest {
    void (*query)(MPI_Aint *extra, MPI_Status *status, MPI_Fint *ierror);
    void (*release)(MPI_Aint *extra, MPI_Fint *ierror);
    void (*cancel)(MPI_Aint *extra, MPI_Fint *complete, MPI_Fint *ierror);
    MPI_Aint *extra;
};

/* The three below have C's form and call Fortran's functions with references. */
static int query(void *data, MPI_Status *status)
{
    struct grequest *g = data;
    MPI_Fint error = MPI_SUCCESS;

    g->query(g->extra, status, &error);
    return error;
}

/* The last call for a request: the copy is freed with it. */
static int release(void *data)
{
    struct grequest *g = data;
    MPI_Fint error = MPI_SUCCESS;

    g->release(g->extra, &error);
    free(g);
    return error;
}

/* `complete` is a LOGICAL for Fortran: 0 or 1 in an int. */
static int cancel(void *data, int complete)
{
    struct grequest *g = data;
    MPI_Fint error = MPI_SUCCESS;

    g->cancel(g->extra, &complete, &error);
    return error;
}

/* Replaces the functions of a request by ones that call Fortran's. */
void fortran_grequest(MPI_Request request)
{
    struct request_functions *f = request_functions(request);
    struct grequest *g = fortran_list(1, sizeof *g);

    /* The casts go through a function without arguments, so that compilers accept them. */
    g->query = (void (*)(MPI_Aint *, MPI_Status *, MPI_Fint *))(void (*)(void))f->query;
    g->release = (void (*)(MPI_Aint *, MPI_Fint *))(void (*)(void))f->release;
    g->cancel = (void (*)(MPI_Aint *, MPI_Fint *, MPI_Fint *))(void (*)(void))f->cancel;
    g->extra = f->extra;
    *f = (struct request_functions){query, release, cancel, g};
}

FORTRAN_CALL(void, grequest_start,
             (MPI_Grequest_query_function * query_function,
              MPI_Grequest_free_function *free_function,
              MPI_Grequest_cancel_function *cancel_function, MPI_Aint *extra, MPI_Fint *request,
              MPI_Fint *ierror))
{
    MPI_Request made = MPI_REQUEST_NULL;
    /* Fortran's functions are stored, and replaced before any of them can be called. */
    int error = PMPI_Grequest_start(query_function, free_function, cancel_function, extra, &made);

    if (error == MPI_SUCCESS)
        fortran_grequest(made);
    *request = PMPI_Request_c2f(made);
    fortran_error(ierror, error);
}

/* ---- data representations ------------------------------------------------------------------- */

/* Always an error, as in C, so the functions are never called. */
#define REGISTER_DATAREP(form, Form)                                                               \
    FORTRAN_CALL(void, register_datarep##form,                                                     \
                 (char *name, void *read, void *write, void *extent, MPI_Aint *extra,              \
                  MPI_Fint *ierror, size_t length))                                                \
    {                                                                                              \
        (void)read, (void)write, (void)extent, (void)extra;                                        \
        char *name_c = fortran_text(name, length);                                                 \
        fortran_error(ierror, PMPI_Register_datarep##Form(name_c, NULL, NULL, NULL, NULL));        \
        free(name_c);                                                                              \
    }                                                                                              \
    /* Only its address is used. */                                                                \
    NULL_DELETE(mpi_conversion_fn_null##form)
REGISTER_DATAREP(, )
REGISTER_DATAREP(_c, _c)
