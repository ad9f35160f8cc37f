/* mpi_named.h - defines the calls about the name and the info object of a communicator, type,
 * window or file.
 *
 *     object_of(handle)                    the object, or NULL
 *     int none(handle, call)               reports an invalid handle
 *     int fault(object, code, call, ...)   reports an error on an object
 *
 * Names: MPI 4.1, 7.8. A name that is too long is truncated; an object has the empty name at first.
 * The null handle of a datatype, window or communicator has its own name, such as MPI_COMM_NULL.
 * Info: MPI 4.1, 7.4.4, 12.2.7 and 14.2.8. Hints are copied, so a program may free its info object
 * at once. An object returns the hints that it keeps in a new info object, which the program
 * frees.
 */
#pragma once

#include "object/mpi_info.h"

#include <stdio.h>
#include <string.h>

#define NAME_CALLS(Kind, Handle, object_of, none, fault, null)                                     \
    MPI_DEFINE(int, Kind##_set_name, (Handle handle, const char *name))                            \
    {                                                                                              \
        __auto_type o = object_of(handle);                                                         \
        if (!o)                                                                                    \
            return none(handle, MPI_CALL);                                                         \
        if (!name)                                                                                 \
            return fault(o, MPI_ERR_ARG, MPI_CALL, "no name");                                     \
        snprintf(o->name, sizeof o->name, "%s", name);                                             \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_get_name, (Handle handle, char *name, int *length))                     \
    {                                                                                              \
        __auto_type o = object_of(handle);                                                         \
        if (!o && handle != null)                                                                  \
            return none(handle, MPI_CALL);                                                         \
        if (!name || !length)                                                                      \
            return o ? fault(o, MPI_ERR_ARG, MPI_CALL, "no place for the name")                    \
                     : error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for the name");             \
        strcpy(name, o ? o->name : #null);                                                         \
        *length = (int)strlen(name);                                                               \
        return MPI_SUCCESS;                                                                        \
    }

/* `hints` is the prefix of the info keys that the object keeps; the empty one keeps all. Setting
 * adds keys or replaces their values, and never removes one. What an object returns are its
 * hints and not the program's other keys. */
#define INFO_CALLS(Kind, object_of, none, fault, hints)                                            \
    MPI_DEFINE(int, Kind##_set_info, (MPI_##Kind handle, MPI_Info info))                           \
    {                                                                                              \
        __auto_type o = object_of(handle);                                                         \
        if (!o)                                                                                    \
            return none(handle, MPI_CALL);                                                         \
        if (info != MPI_INFO_NULL && !info_of(info))                                               \
            return fault(o, MPI_ERR_INFO, MPI_CALL, "%p is not an info object",                    \
                         handle_shown(info));                                                      \
        if (!info_take(&o->info, info_of(info), hints))                                            \
            return fault(o, MPI_ERR_NO_MEM, MPI_CALL, "out of memory");                            \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_get_info, (MPI_##Kind handle, MPI_Info * info))                         \
    {                                                                                              \
        __auto_type o = object_of(handle);                                                         \
        if (!o)                                                                                    \
            return none(handle, MPI_CALL);                                                         \
        struct mpi_info *copy = info ? info_shown(o->info) : NULL;                                 \
        if (!copy)                                                                                 \
            return fault(o, info ? MPI_ERR_NO_MEM : MPI_ERR_ARG, MPI_CALL, "no info object");      \
        *info = copy->object.handle;                                                               \
        return MPI_SUCCESS;                                                                        \
    }
