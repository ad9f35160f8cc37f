/* mpi_win_calls.c - error handlers, names, info objects and groups of windows. */
#include "mpi_info.h"
#include "mpi_win.h"

#include <stdio.h>

MPI_DEFINE(int, Win_create_errhandler,
           (MPI_Win_errhandler_function * function, MPI_Errhandler *errhandler))
{
    return PMPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)(void *)function,
                                       errhandler);
}

MPI_DEFINE(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler))
{
    struct mpi_win *w = win_of(win);
    struct mpi_errhandler *e = errhandler_of(errhandler), *before;

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!e)
        return error_win(w, CLASS_ERRHANDLER, MPI_CALL, "%p is not an error handler",
                         (void *)errhandler);
    object_hold(e);
    before = w->errhandler;
    w->errhandler = e;
    object_drop(before);
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler))
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!errhandler)
        return error_win(w, MPI_ERR_ARG, MPI_CALL, "no result");
    object_hold_handle(w->errhandler);
    *errhandler = w->errhandler->object.handle;
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Win_call_errhandler, (MPI_Win win, int errorcode))
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    error_win(w, errorcode, MPI_CALL, "the program has called the error handler");
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Win_set_name, (MPI_Win win, const char *name))
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!name)
        return error_win(w, MPI_ERR_ARG, MPI_CALL, "no name");
    snprintf(w->name, sizeof w->name, "%s", name);
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Win_get_name, (MPI_Win win, char *name, int *length))
{
    struct mpi_win *w = win_of(win);

    if (!w && win != MPI_WIN_NULL)
        return error_no_win(win, MPI_CALL);
    if (!name || !length)
        return w ? error_win(w, MPI_ERR_ARG, MPI_CALL, "no place for the name")
                 : error_no_win(win, MPI_CALL);
    strcpy(name, w ? w->name : "MPI_WIN_NULL");
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Win_set_info, (MPI_Win win, MPI_Info info))
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (info != MPI_INFO_NULL && !info_of(info))
        return error_win(w, MPI_ERR_INFO, MPI_CALL, "%p is not an info object", (void *)info);
    if (!info_take(&w->info, info_of(info), ""))
        return error_win(w, MPI_ERR_NO_MEM, MPI_CALL, "out of memory");
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Win_get_info, (MPI_Win win, MPI_Info *info))
{
    struct mpi_win *w = win_of(win);
    struct mpi_info *copy;

    if (!w)
        return error_no_win(win, MPI_CALL);
    copy = info ? info_copy(w->info) : NULL;
    if (!copy)
        return error_win(w, info ? MPI_ERR_NO_MEM : MPI_ERR_ARG, MPI_CALL, "no info object");
    *info = copy->object.handle;
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Win_get_group, (MPI_Win win, MPI_Group *group))
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!group)
        return error_win(w, MPI_ERR_ARG, MPI_CALL, "no place for the group");
    object_hold_handle(w->comm->group);
    *group = w->comm->group->object.handle;
    return MPI_SUCCESS;
}
