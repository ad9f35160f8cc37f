/* mpi_win_calls.c - error handlers, names, info objects and groups of windows. */
#include "mpi_errhandler.h"
#include "mpi_info.h"
#include "mpi_win.h"

#include <stdio.h>

static struct mpi_errhandler **place_of(MPI_Win win)
{
    struct mpi_win *w = win_of(win);

    return w ? &w->errhandler : NULL;
}

static int fault(MPI_Win win, int code, const char *call, const char *what)
{
    return error_win(win_of(win), code, call, "%s", what);
}

ERRHANDLER_CALLS(Win, place_of, error_no_win, fault, errhandler_put)

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
        return error_win(w, MPI_ERR_INFO, MPI_CALL, "%p is not an info object", handle_shown(info));
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
