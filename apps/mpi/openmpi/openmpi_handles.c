/* openmpi_handles.c - the objects behind Open MPI's predefined handles (handles.h), and predefined
 * attribute functions. The data objects are zero except for their first word, which
 * handle_bind() sets at start. Null handles stay zero: no object is behind them, and
 * handle_object() finds none. */
#include "handles.h"

#include "mpi_call.h"

/* One definition for each line of the table. */
#define SYMBOL(Kind, name, size, fortran) MPI_API struct name##_bytes name;
MPI_PREDEFINED_OBJECTS(SYMBOL)
#undef SYMBOL

/* Filled by handle_bind(), read-only afterwards. */
struct handle_entry handle_named[HANDLES];

/* Kinds by their names in the table. */
enum {
    /* Open MPI's names on the left, hnow's on the right. */
    KIND_Comm = OBJECT_COMM,
    KIND_Datatype = OBJECT_TYPE,
    KIND_Group = OBJECT_GROUP,
    KIND_Op = OBJECT_OP,
    KIND_Request = OBJECT_REQUEST,
    KIND_Info = OBJECT_INFO,
    KIND_Errhandler = OBJECT_ERRHANDLER,
    KIND_Message = OBJECT_MESSAGE,
    KIND_Win = OBJECT_WIN,
    KIND_File = OBJECT_FILE
};

/* Fortran's numbers of predefined handles, as in Open MPI's mpif.h. The table is searched linearly:
 * Fortran calls convert each handle, but predefined ones are few. */
static const struct predefined {
    /* -1: the handle has no number in Fortran. */
    int kind, fortran;
    /* The address of the data object. */
    void *handle;
} predefined[] = {
#define ROW(Kind, name, size, fortran) {KIND_##Kind, fortran, &name},
    MPI_PREDEFINED_OBJECTS(ROW)
#undef ROW
};

enum { PREDEFINED = sizeof predefined / sizeof *predefined };

/* The kind of a predefined handle is not compared, since addresses are unique. */
int handle_number(enum object_kind kind, mpi_handle handle)
{
    /* O(predefined handles), some eighty. */
    for (int i = 0; i < PREDEFINED; i++)
        if (predefined[i].handle == handle)
            return predefined[i].fortran;
    const struct object *o = object_at(kind, handle);
    /* Above all numbers of the table. */
    return o ? HANDLE_FIRST + object_number(o) : -1;
}

/* Numbers of different kinds overlap in Fortran, hence the kind is compared here. */
mpi_handle handle_of_number(enum object_kind kind, int number)
{
    /* Fortran has no number for some objects (-1), which matches no valid one. */
    for (int i = 0; i < PREDEFINED && number < HANDLE_FIRST; i++)
        if (predefined[i].kind == (int)kind && predefined[i].fortran == number)
            return predefined[i].handle;
    /* A negative difference is no number of an object. */
    struct object *o = object_of_number(kind, number - HANDLE_FIRST);
    return o ? o->handle : NULL;
}

/* ---- predefined attribute functions --------------------------------------------------------- */

#define NO_DELETE(name, Handle)                                                                    \
    MPI_API int name(Handle handle, int keyval, void *value, void *extra)                          \
    {                                                                                              \
        (void)handle, (void)keyval, (void)value, (void)extra;                                      \
        return MPI_SUCCESS;                                                                        \
    }
/* `to` is the address of the new value, whose type depends on the program. */
#define COPY(name, Handle, copies)                                                                 \
    MPI_API int name(Handle handle, int keyval, void *extra, void *from, void *to, int *flag)      \
    {                                                                                              \
        (void)handle, (void)keyval, (void)extra;                                                   \
        if (copies)                                                                                \
            *(void **)to = from;                                                                   \
        *flag = copies;                                                                            \
        return MPI_SUCCESS;                                                                        \
    }
/* The flag decides whether the duplicate gets the value. */
#define NO_COPY(name, Handle)   COPY(name, Handle, 0)
#define DUPLICATE(name, Handle) COPY(name, Handle, 1)
/* Real functions, since their addresses are part of the interface. */
DUPLICATE(OMPI_C_MPI_COMM_DUP_FN, MPI_Comm)
NO_COPY(OMPI_C_MPI_COMM_NULL_COPY_FN, MPI_Comm)
NO_DELETE(OMPI_C_MPI_COMM_NULL_DELETE_FN, MPI_Comm)
/* MPI-1's names for communicators. */
DUPLICATE(OMPI_C_MPI_DUP_FN, MPI_Comm)
NO_COPY(OMPI_C_MPI_NULL_COPY_FN, MPI_Comm)
NO_DELETE(OMPI_C_MPI_NULL_DELETE_FN, MPI_Comm)
DUPLICATE(OMPI_C_MPI_TYPE_DUP_FN, MPI_Datatype)
NO_COPY(OMPI_C_MPI_TYPE_NULL_COPY_FN, MPI_Datatype)
NO_DELETE(OMPI_C_MPI_TYPE_NULL_DELETE_FN, MPI_Datatype)
DUPLICATE(OMPI_C_MPI_WIN_DUP_FN, MPI_Win)
NO_COPY(OMPI_C_MPI_WIN_NULL_COPY_FN, MPI_Win)
NO_DELETE(OMPI_C_MPI_WIN_NULL_DELETE_FN, MPI_Win)
