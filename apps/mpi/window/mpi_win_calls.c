/* mpi_win_calls.c - error handlers, names, info objects and groups of windows.
 *
 * MPI 4.1: 9.3.2 (error handlers), 7.8 (names), 12.2.7 (info), 12.2.6 (group).
 *
 * All of them are local and cheap. Three families of calls are equal for communicators, files
 * and windows; macros in object/ define them, and the functions below adapt windows to these.
 */
#include "object/mpi_errhandler.h"
#include "object/mpi_named.h"
#include "window/mpi_win.h"

/* NULL for an invalid handle, which the macro reports. */
static struct mpi_errhandler **place_of(MPI_Win win)
{
    struct mpi_win *w = win_of(win);

    return w ? &w->errhandler : NULL;
}

/* The macros call it only with a valid window. */
static int fault(MPI_Win win, int code, const char *call, const char *what)
{
    return error_win(win_of(win), code, call, "%s", what);
}

/* MPI_Win_create_errhandler(), set, get and call. */
ERRHANDLER_CALLS(Win, OBJECT_WIN, place_of, error_no_win, fault, errhandler_put)

NAME_CALLS(Win, MPI_Win, win_of, error_no_win, error_win, MPI_WIN_NULL)
INFO_CALLS(Win, win_of, error_no_win, error_win, "")

/* The window's own group: groups are immutable, so the program may share it. */
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
