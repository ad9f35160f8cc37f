/* mpi_win_post.c - general active target synchronisation of windows: post, start, complete, wait.
 *
 * A post and a complete are requests (mpi_service.h); the target executes them after earlier
 * accesses.
 *
 * MPI 4.1, 12.5.2. `posts` counts exposure epochs at the origin, because a target may post again
 * before the origin has used the first one. Completion needs no reply: the message of a complete
 * arrives after the accesses of its epoch.
 *
 * At the target, is_awaited marks each origin of the open exposure epoch until its complete
 * arrives. At the origin, `started` marks each target of the open access epoch. Both waits look
 * for failed members after LOOK_EVERY without a change.
 */
#include "window/mpi_win_sync.h"

#include <stdlib.h>

/* Reported to the window's handler, with the class of fault tolerance (MPIX). */
static int failed(struct mpi_win *w, const char *call)
{
    return error_win(w, MPIX_ERR_PROC_FAILED, call, "a member of the window has failed");
}

/* Returns the ranks in the window of a group's members; the caller frees the array. NULL: *error
 * was reported. Groups may contain any tasks, so each member is looked up in the window's group. */
static int *ranks_of(struct mpi_win *w, MPI_Group group, int *n, const char *call, int *error)
{
    struct mpi_group *g = group_of(group);
    int *ranks = g ? calloc((size_t)g->size + 1, sizeof *ranks) : NULL;

    if (!ranks) {
        *error = error_win(w, g ? MPI_ERR_NO_MEM : MPI_ERR_GROUP, call, "not a group");
        return NULL;
    }
    *n = g->size;
    for (int i = 0; i < g->size; i++) {
        /* O(members of the window) a lookup at worst. */
        ranks[i] = group_rank_of(w->comm->group, g->tids[i]);
        if (ranks[i] != MPI_UNDEFINED)
            continue;
        *error = error_win(w, MPI_ERR_GROUP, call, "member %d of the group has no window", i);
        free(ranks);
        return NULL;
    }
    return ranks;
}

/* Notifies a member; no message is needed for this member itself. HN_OK for this member itself. */
static int notify(struct mpi_win *w, int rank, enum service_kind kind)
{
    struct service_message m = {.kind = kind, .rank = rank};

    if (rank != w->comm->rank)
        return win_send_sync(w, rank, kind, 0, 0);
    win_serve_sync(w, w->comm->group->tids[rank], &m);
    return HN_OK;
}

/* Does not wait. The fence makes the program's stores visible before any access can arrive. */
MPI_DEFINE(int, Win_post, (MPI_Group group, int assert, MPI_Win win))
{
    int error = MPI_SUCCESS, n, result = HN_OK;
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (w->sync.is_exposed)
        return win_no_epoch(w, MPI_CALL, "the epoch of the last MPI_Win_post has not ended");
    if (assert & ~(MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT))
        return error_win(w, MPI_ERR_ASSERT, MPI_CALL, "the assertion %d is not valid", assert);
    int *ranks = ranks_of(w, group, &n, MPI_CALL, &error);
    if (!ranks)
        return error;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    w->sync.is_exposed = true;
    w->sync.fenced = false;
    pthread_mutex_lock(&w->lock);
    /* All marks are set before the first post is sent: a quick origin's complete may arrive at
     * once. */
    for (int i = 0; i < n; i++)
        w->parts[ranks[i]].is_awaited = true;
    pthread_mutex_unlock(&w->lock);
    /* After a failure the remaining origins get no post; the error informs the program. */
    for (int i = 0; i < n && result == HN_OK; i++)
        result = notify(w, ranks[i], SERVICE_POST);
    free(ranks);
    return ERROR_WIN_HN(w, result, MPI_CALL);
}

/* Waits until all members have posted, so that accesses need not wait. MPI_MODE_NOCHECK is accepted
 * and has no effect. */
MPI_DEFINE(int, Win_start, (MPI_Group group, int assert, MPI_Win win))
{
    int error = MPI_SUCCESS, n;
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    error = win_check_free(w, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    if (assert & ~MPI_MODE_NOCHECK)
        return error_win(w, MPI_ERR_ASSERT, MPI_CALL, "the assertion %d is not valid", assert);
    int *ranks = ranks_of(w, group, &n, MPI_CALL, &error);
    if (!ranks)
        return error;
    bool posted = true;
    pthread_mutex_lock(&w->lock);
    /* The wait releases the lock, and posts of later members arrive meanwhile. Thus the order of
     * the loop does not add up the waiting times. */
    for (int i = 0; i < n; i++)
        while (w->parts[ranks[i]].posts == 0 && posted)
            posted = win_await_change(w) || !win_has_ended(w, ranks[i]);
    /* Posts are consumed only when all are there: a failed start uses up none. */
    for (int i = 0; i < n && posted; i++) {
        w->parts[ranks[i]].posts--;
        w->parts[ranks[i]].started = true;
    }
    w->sync.is_started = posted;
    w->sync.fenced = false;
    pthread_mutex_unlock(&w->lock);
    free(ranks);
    return posted ? MPI_SUCCESS : failed(w, MPI_CALL);
}

/* Local completion suffices: buffers are reusable at the origin, and the target's wait covers the
 * rest (MPI 4.1, 12.5.2). */
MPI_DEFINE(int, Win_complete, (MPI_Win win))
{
    int error = MPI_SUCCESS, result = HN_OK;
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!w->sync.is_started)
        return win_no_epoch(w, MPI_CALL, "MPI_Win_start was not called");
    /* Buffers first. The epoch ends in any case, with the error reported afterwards. */
    error = win_complete(w, MPI_UNDEFINED, false, MPI_CALL);
    for (int r = 0; r < w->comm->size; r++)
        if (w->parts[r].started) {
            /* Follows the accesses, as messages between two tasks keep their order. */
            int sent = notify(w, r, SERVICE_COMPLETE);
            result = sent != HN_OK ? sent : result;
            w->parts[r].started = w->parts[r].touched = false;
        }
    w->sync.is_started = false;
    return error == MPI_SUCCESS ? ERROR_WIN_HN(w, result, MPI_CALL) : error;
}

/* Ends the exposure epoch if all members have completed. look: also if one of the others has
 * failed, because it will never complete. Call with the lock held. Returns true if the epoch has
 * ended, also because of a failure. */
static bool end_exposure(struct mpi_win *w, bool look, bool *has_failed)
{
    bool is_awaited = false;

    *has_failed = false;
    look = look && hn_group_dead(w->comm->hn) > 0; /* only then is hrun asked */
    for (int r = 0; r < w->comm->size && !*has_failed; r++)
        if (w->parts[r].is_awaited) {
            is_awaited = true;
            *has_failed = look && win_has_ended(w, r);
        }
    if (is_awaited && !*has_failed)
        return false;
    /* After a failure the epoch ends for all origins; a late complete then changes nothing. */
    for (int r = 0; r < w->comm->size; r++)
        w->parts[r].is_awaited = false;
    w->sync.is_exposed = false;
    return true;
}

/* Sleeps until the service thread has executed all completes; failures are looked for only after a
 * wait without a change. */
MPI_DEFINE(int, Win_wait, (MPI_Win win))
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!w->sync.is_exposed)
        return win_no_epoch(w, MPI_CALL, "MPI_Win_post was not called");
    bool look = false, has_failed;
    pthread_mutex_lock(&w->lock);
    while (!end_exposure(w, look, &has_failed))
        /* false: the time was up without a change. */
        look = !win_await_change(w);
    pthread_mutex_unlock(&w->lock);
    return has_failed ? failed(w, MPI_CALL) : MPI_SUCCESS;
}

/* *flag true ends the epoch like MPI_Win_wait(). */
MPI_DEFINE(int, Win_test, (MPI_Win win, int *flag))
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!flag)
        return error_win(w, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    if (!w->sync.is_exposed)
        return win_no_epoch(w, MPI_CALL, "MPI_Win_post was not called");
    bool has_failed;
    pthread_mutex_lock(&w->lock);
    *flag = end_exposure(w, true, &has_failed);
    pthread_mutex_unlock(&w->lock);
    return has_failed ? failed(w, MPI_CALL) : MPI_SUCCESS;
}
