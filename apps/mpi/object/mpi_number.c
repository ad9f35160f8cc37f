/* mpi_number.c - Fortran's handles and statuses, which are integers.
 *
 * Handles are converted by MPI 4.1, 19.3.4, statuses by 19.3.5. The calls ..._toint() and
 * ..._fromint() are new in MPI 5.0 and use the same numbers. An invalid handle is not reported: it
 * converts to a number that is invalid, too.
 *
 * The conversions themselves depend on the ABI: handle_number() and handle_of_number() of
 * handles.h. None of these calls can fail, and none needs MPI_Init().
 */
#include "object/mpi_error.h"

#define NUMBER_CALLS(Name, Handle, kind)                                                           \
    MPI_DEFINE(MPI_Fint, Name##_c2f, (Handle handle))                                              \
    {                                                                                              \
        return handle_number(kind, HANDLE_AS(mpi_handle, handle));                                 \
    }                                                                                              \
    MPI_DEFINE(Handle, Name##_f2c, (MPI_Fint handle))                                              \
    {                                                                                              \
        return HANDLE_AS(Handle, handle_of_number(kind, handle));                                  \
    }                                                                                              \
    MPI_DEFINE(int, Name##_toint, (Handle handle))                                                 \
    {                                                                                              \
        return handle_number(kind, HANDLE_AS(mpi_handle, handle));                                 \
    }                                                                                              \
    MPI_DEFINE(Handle, Name##_fromint, (int handle))                                               \
    {                                                                                              \
        return HANDLE_AS(Handle, handle_of_number(kind, handle));                                  \
    }

/* Every kind of handle that Fortran has. */
NUMBER_CALLS(Comm, MPI_Comm, OBJECT_COMM)
NUMBER_CALLS(Type, MPI_Datatype, OBJECT_TYPE)
NUMBER_CALLS(Group, MPI_Group, OBJECT_GROUP)
NUMBER_CALLS(Op, MPI_Op, OBJECT_OP)
NUMBER_CALLS(Request, MPI_Request, OBJECT_REQUEST)
NUMBER_CALLS(Info, MPI_Info, OBJECT_INFO)
NUMBER_CALLS(Errhandler, MPI_Errhandler, OBJECT_ERRHANDLER)
NUMBER_CALLS(Message, MPI_Message, OBJECT_MESSAGE)
NUMBER_CALLS(Win, MPI_Win, OBJECT_WIN)
NUMBER_CALLS(File, MPI_File, OBJECT_FILE)
NUMBER_CALLS(Session, MPI_Session, OBJECT_SESSION)

/* The fields of a status are the same everywhere, in the same order. */
#define STATUS_CALL(name, From, To)                                                                \
    MPI_DEFINE(int, Status_##name, (const From *from, To *to))                                     \
    {                                                                                              \
        if (!from || (const void *)from == (const void *)MPI_STATUS_IGNORE || !to)                 \
            return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no status");                             \
        memcpy(to, from, sizeof(MPI_Status));                                                      \
        return MPI_SUCCESS;                                                                        \
    }

/* Six directions between C, Fortran's arrays of integers, and the type of mpi_f08. */
STATUS_CALL(c2f, MPI_Status, MPI_Fint)
STATUS_CALL(f2c, MPI_Fint, MPI_Status)
STATUS_CALL(c2f08, MPI_Status, MPI_F08_status)
STATUS_CALL(f082c, MPI_F08_status, MPI_Status)
STATUS_CALL(f2f08, MPI_Fint, MPI_F08_status)
STATUS_CALL(f082f, MPI_F08_status, MPI_Fint)
