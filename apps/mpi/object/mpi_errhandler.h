/* mpi_errhandler.h - defines the calls that set, get and call the error handler of a kind of
 * object. Only the place of the handler differs between kinds of objects. A macro instead of
 * functions with a kind as argument keeps the types of handles, which the ABI's headers
 * prescribe. */
#pragma once

#include "object/mpi_error.h"

/* Makes an error handler for objects of a kind, on which the function's first argument depends.
 * *errhandler is written only on success. Returns MPI_SUCCESS, or an error that was reported. */
int errhandler_new(enum object_kind of, void (*function)(void), MPI_Errhandler *errhandler,
                   const char *call);
/* Replaces the handler at *place, which holds a reference to it. */
void errhandler_put(struct mpi_errhandler **place, struct mpi_errhandler *e);

/* True while the program itself calls a handler, with MPI_Comm_call_errhandler() or its like. */
extern _Thread_local bool errhandler_asked;

/* Defines MPI_Kind_..._errhandler() for the handles of one kind `of`:
 *
 *     struct mpi_errhandler **place_of(handle)     where the handler is stored; NULL: invalid
 *     int none(handle, call)                       reports an invalid handle
 *     int fault(handle, code, call, text)          reports an error on a valid one
 *     void put(place, handler)                     errhandler_put(), or a function that does more
 */
#define ERRHANDLER_CALLS(Kind, of, place_of, none, fault, put)                                     \
    MPI_DEFINE(int, Kind##_create_errhandler,                                                      \
               (MPI_##Kind##_errhandler_function * function, MPI_Errhandler * errhandler))         \
    {                                                                                              \
        return errhandler_new(of, (void (*)(void))function, errhandler, MPI_CALL);                 \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_set_errhandler, (MPI_##Kind object, MPI_Errhandler errhandler))         \
    {                                                                                              \
        struct mpi_errhandler **place = place_of(object), *e = errhandler_for(of, errhandler);     \
                                                                                                   \
        if (!place)                                                                                \
            return none(object, MPI_CALL);                                                         \
        if (!e)                                                                                    \
            return fault(object, CLASS_ERRHANDLER, MPI_CALL, "not an error handler of a " #Kind);  \
        put(place, e);                                                                             \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_get_errhandler, (MPI_##Kind object, MPI_Errhandler * errhandler))       \
    {                                                                                              \
        struct mpi_errhandler **place = place_of(object);                                          \
                                                                                                   \
        if (!place)                                                                                \
            return none(object, MPI_CALL);                                                         \
        if (!errhandler)                                                                           \
            return fault(object, MPI_ERR_ARG, MPI_CALL, "no result");                              \
        object_hold_handle(*place);                                                                \
        *errhandler = (*place)->object.handle;                                                     \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_call_errhandler, (MPI_##Kind object, int code))                         \
    {                                                                                              \
        if (!place_of(object))                                                                     \
            return none(object, MPI_CALL);                                                         \
        errhandler_asked = true;                                                                   \
        fault(object, code, MPI_CALL, "the program has called the error handler");                 \
        errhandler_asked = false;                                                                  \
        return MPI_SUCCESS;                                                                        \
    }
