/* mpi_win_sync.c - locks, flushes and fences of windows (mpi_win.h).
 *
 * The target keeps a lock: its service thread grants it in the order of the requests.
 *
 * MPI 4.1: 12.5.1 (fence), 12.5.3 (lock), 12.5.4 (flush and sync), 12.5.5 (assertions). Requests
 * and accesses of one origin arrive in order, so an unlock needs no flush before it.
 *
 * Two threads meet here: one of the program, which waits, and the service thread, which serves
 * requests of other members. The window's lock protects what both touch. It is never held while
 * a message is awaited.
 * Errors of an access are stored at the target (win_part.fault) and come back with the next
 * reply to a flush or unlock. So an access itself needs no reply.
 */
#include "window/mpi_win_sync.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* ---- completion ----------------------------------------------------------------------------- */

/* Number of recorded operations above which complete ones are dropped. */
enum { PENDING_FEW = 256 };

/* Drops complete operations.  Call with the lock held. An operation whose request the program still
 * has (handles > 1) is kept: its error belongs to the program as well. Failed ones are kept until a
 * flush reports them. */
static void prune(struct mpi_win *w)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->pending.count; i++) {
        struct mpi_request *r = w->pending.list[i];
        if (r->object.handles > 1 || !request_test(r) || r->outcome.error != MPI_SUCCESS)
            w->pending.list[kept++] = r;
        else
            object_drop(r);
    }
    w->pending.count = kept;
}

/* The list doubles only if pruning has not helped, so it stays in proportion to the operations in
 * progress. */
bool win_note(struct mpi_win *w, struct mpi_request *r)
{
    pthread_mutex_lock(&w->lock);
    /* O(count), but only when the list is full: amortised O(1) an operation. */
    if (w->pending.count == w->pending.room && w->pending.room >= PENDING_FEW)
        prune(w);
    if (w->pending.count == w->pending.room) {
        size_t room = w->pending.room ? 2 * w->pending.room : PENDING_FEW;
        struct mpi_request **more = realloc(w->pending.list, room * sizeof(void *));
        /* If memory is out, the call fails below, and the operation is taken back. */
        if (more) {
            w->pending.list = more;
            w->pending.room = room;
        }
    }
    bool ok = w->pending.count < w->pending.room;
    if (ok) {
        object_hold(r);
        w->pending.list[w->pending.count++] = r;
    }
    pthread_mutex_unlock(&w->lock);
    return ok;
}

/* Returns the first error class of all. Takes one entry at a time, and waits without the lock: the
 * service thread needs it. */
static int wait_pending(struct mpi_win *w)
{
    int error = MPI_SUCCESS;

    for (;;) {
        pthread_mutex_lock(&w->lock);
        /* The last entry first: taking it moves nothing. The order of waits does not matter. */
        struct mpi_request *r = w->pending.count ? w->pending.list[--w->pending.count] : NULL;
        pthread_mutex_unlock(&w->lock);
        if (!r)
            return error;
        request_wait(r);
        if (r->outcome.error != MPI_SUCCESS)
            error = r->outcome.error;
        object_drop(r);
    }
}

static hn_tid tid_of(const struct mpi_win *w, int rank)
{
    return w->comm->group->tids[rank];
}

/* `object` is the window's number at that member, not the number here. */
int win_send_sync(const struct mpi_win *w, int rank, enum service_kind kind, int id, int count)
{
    struct service_message m = {.kind = kind,
                                .object = w->parts[rank].number,
                                .id = id,
                                .rank = w->comm->rank,
                                .count = count};

    return service_send(tid_of(w, rank), &m);
}

/* Sends a request with a reply to all targets before waiting, so that they work concurrently.
 * ids[r] is 0 for members that are not asked. Returns an error class: that of a broken connection,
 * or the fault of a rejected access. */
static int ask_all(struct mpi_win *w, const int *ids, enum service_kind kind)
{
    int worst = HN_OK, fault = MPI_SUCCESS, result;

    for (int r = 0; r < w->comm->size; r++)
        if (ids[r] && (result = win_send_sync(w, r, kind, ids[r], 0)) != HN_OK)
            worst = result;
    /* The total time is that of the slowest target. After a broken connection the other replies
     * stay unread; their ids are not used again soon. */
    for (int r = 0; r < w->comm->size && worst == HN_OK; r++) {
        int64_t word = MPI_SUCCESS;
        if (ids[r] && (result = service_await_word(tid_of(w, r), ids[r], &word, -1)) != HN_OK)
            worst = result;
        /* The target has executed everything, but refused an access. */
        if (word != MPI_SUCCESS)
            fault = (int)word;
    }
    return worst != HN_OK ? error_class_hn(worst) : fault;
}

/* Flushes those members to which requests are in progress. `touched` is cleared before the request
 * is sent: an access of another thread after that belongs to the next flush. */
static int flush(struct mpi_win *w, int rank)
{
    int *ids = calloc((size_t)w->comm->size, sizeof *ids), error;

    if (!ids)
        return MPI_ERR_NO_MEM;
    for (int r = 0; r < w->comm->size; r++)
        /* Members without accesses since the last flush cost nothing. */
        if (w->parts[r].touched && (rank == MPI_UNDEFINED || rank == r)) {
            w->parts[r].touched = false;
            ids[r] = service_id();
        }
    error = ask_all(w, ids, SERVICE_FLUSH);
    free(ids);
    return error;
}

/* Returns MPI_SUCCESS, or the first error class; *what describes it. remote: also waits for the
 * targets. */
int win_finish(struct mpi_win *w, int rank, bool remote, const char **what)
{
    pthread_mutex_lock(&w->pending.end);
    /* Local completion of all targets, even if only one is asked for: the list is not by target. */
    int error = wait_pending(w);

    /* Direct accesses are ordinary stores, complete after the fence. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* stores to shared memory are complete, too */
    if (remote) {
        int refused = flush(w, rank);
        error = error == MPI_SUCCESS ? refused : error;
    }
    pthread_mutex_unlock(&w->pending.end);
    *what = error == MPI_ERR_RMA_RANGE ? "an operation concerned memory that is not attached"
                                       : "an operation of this epoch has failed";
    return error;
}

/* The error class becomes a code of the window's handler, which may not return. */
int win_complete(struct mpi_win *w, int rank, bool remote, const char *call)
{
    const char *what;
    int error = win_finish(w, rank, remote, &what);

    return error == MPI_SUCCESS ? error : error_win(w, error, call, "%s", what);
}

/* ---- locks, at the target ------------------------------------------------------------------- */

/* Shared locks exclude exclusive ones and vice versa (MPI 4.1, 12.5.3). */
static bool is_free(const struct mpi_win *w, int type)
{
    return w->sync.exclusive_locks == 0 && (type == MPI_LOCK_SHARED || w->sync.shared_locks == 0);
}

/* Grants the lock to the first waiters that can have it.  Call with the lock held. FIFO: a shared
 * request behind a waiting exclusive one waits as well, so that writers do not starve. */
static void grant(struct mpi_win *w)
{
    while (w->sync.waiters && is_free(w, w->sync.waiters->type)) {
        struct win_waiter *first = w->sync.waiters;
        if (first->type == MPI_LOCK_SHARED)
            w->sync.shared_locks++;
        else
            w->sync.exclusive_locks++;
        w->parts[first->rank].holds = first->type;
        /* A waiter elsewhere gets a message, the own one a flag. */
        if (first->id)
            service_reply_word(tid_of(w, first->rank), first->id, MPI_SUCCESS);
        else
            w->sync.own_granted = true;
        w->sync.waiters = first->next;
        free(first);
    }
    /* Also when nothing was granted: threads of this task wait for other changes as well. */
    pthread_cond_broadcast(&w->changed);
}

/* id 0 marks this member itself, which waits at the condition variable instead of for a message. */
static bool enqueue(struct mpi_win *w, int rank, int id, int type)
{
    struct win_waiter *new = malloc(sizeof *new), **at = &w->sync.waiters;

    if (!new)
        return false;
    *new = (struct win_waiter){NULL, rank, id, type};
    /* O(waiters), normally at most one for each member. */
    while (*at)
        at = &(*at)->next;
    *at = new;
    grant(w);
    return true;
}

/* Also for a member without a lock: nothing changes then. */
static void give_back(struct mpi_win *w, int rank)
{
    if (w->parts[rank].holds == MPI_LOCK_SHARED)
        w->sync.shared_locks--;
    else if (w->parts[rank].holds)
        w->sync.exclusive_locks--;
    w->parts[rank].holds = 0;
    grant(w);
}

/* ---- failures of members -------------------------------------------------------------------- */

enum { LOOK_EVERY = 100 }; /* milliseconds between two checks of a waiting member */

bool win_has_ended(const struct mpi_win *w, int rank)
{
    hn_task_info info;

    return hn_task_status(tid_of(w, rank), &info) == HN_OK && info.state == HN_ENDED;
}

/* Returns true if a member has failed.  Releases locks that such members hold here.  Call with the
 * lock held. Each holder is asked about with a round trip, but only after hnow has reported any
 * failure. */
static bool look_at_failures(struct mpi_win *w)
{
    if (hn_group_dead(w->comm->hn) <= 0) /* reads memory; hrun is asked only after a failure */
        return false;
    /* A failed waiter is not removed. When its turn comes, it is granted the lock, and the next
     * look takes the lock back. */
    for (int r = 0; r < w->comm->size; r++)
        if (w->parts[r].holds && win_has_ended(w, r))
            give_back(w, r);
    return true;
}

/* Spurious wake-ups are harmless, as callers test their condition again. */
bool win_await_change(struct mpi_win *w)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_EVERY * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(&w->changed, &w->lock, &until) != ETIMEDOUT ||
           !look_at_failures(w);
}

/* Runs in the service thread, or in the calling thread for this member itself. A flush or unlock is
 * answered here, after all earlier accesses of that member, with the first error among them. */
void win_serve_sync(struct mpi_win *w, hn_tid from, const struct service_message *m)
{
    struct win_part *p = &w->parts[m->rank];

    pthread_mutex_lock(&w->lock);
    switch (m->kind) {
    case SERVICE_LOCK:
        /* The reply to a granted lock is sent by grant(), perhaps much later. */
        if (!enqueue(w, (int)m->rank, (int)m->id, (int)m->count))
            service_reply_word(from, (int)m->id, MPI_ERR_NO_MEM);
        break;
    case SERVICE_UNLOCK:
        give_back(w, (int)m->rank);
        break;
    case SERVICE_LOOK:
        look_at_failures(w);
        break;
    case SERVICE_POST:
        p->posts++;
        break;
    case SERVICE_COMPLETE:
        p->is_awaited = false;
        break;
    default:
        break;
    }
    /* Each fault is reported once: by the first reply after it. */
    if (m->kind == SERVICE_FLUSH || m->kind == SERVICE_UNLOCK) {
        service_reply_word(from, (int)m->id, p->fault);
        p->fault = MPI_SUCCESS;
    }
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

/* ---- locks, at the origin ------------------------------------------------------------------- */

/* This member queues like any other, so it cannot overtake. */
static int lock_own(struct mpi_win *w, int type)
{
    pthread_mutex_lock(&w->lock);
    w->sync.own_granted = false;
    bool ok = enqueue(w, w->comm->rank, 0, type);
    /* Also sees to failed holders: win_await_change() releases what they held. */
    while (ok && !w->sync.own_granted)
        win_await_change(w);
    pthread_mutex_unlock(&w->lock);
    return ok ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* No reply: direct accesses of this member are complete already. */
static void unlock_own(struct mpi_win *w)
{
    pthread_mutex_lock(&w->lock);
    give_back(w, w->comm->rank);
    pthread_mutex_unlock(&w->lock);
}

/* Waits for a reply and returns its error class.  Polling makes the target release the locks of
 * failed members. The target itself does not notice that a holder has failed, unless it is asked to
 * look. */
static int await_reply(struct mpi_win *w, int rank, int id)
{
    int64_t word = MPI_SUCCESS;
    int result;

    while ((result = service_await_word(tid_of(w, rank), id, &word, LOOK_EVERY)) == HN_ETIMEOUT)
        /* Reads memory, so a healthy group costs no message while it waits. */
        if (hn_group_dead(w->comm->hn) > 0)
            win_send_sync(w, rank, SERVICE_LOOK, 0, 0);
    return result != HN_OK ? error_class_hn(result) : (int)word;
}

/* A round trip. */
static int ask(struct mpi_win *w, int rank, enum service_kind kind, int type)
{
    int id = service_id(), result = win_send_sync(w, rank, kind, id, type);

    return result != HN_OK ? error_class_hn(result) : await_reply(w, rank, id);
}

/* The own part needs no message. */
static int lock_one(struct mpi_win *w, int rank, int type)
{
    return rank == w->comm->rank ? lock_own(w, type) : ask(w, rank, SERVICE_LOCK, type);
}

/* Returns the fault of a rejected access, which the target's reply carries. */
static int unlock_one(struct mpi_win *w, int rank, int type)
{
    if (rank != w->comm->rank)
        return ask(w, rank, SERVICE_UNLOCK, type);
    unlock_own(w);
    return MPI_SUCCESS;
}

/* NULL: *error was reported. */
static struct win_part *given_part(MPI_Win win, int rank, struct mpi_win **w, const char *call,
                                   int *error)
{
    *w = win_of(win);
    if (*w && rank >= 0 && rank < (*w)->comm->size)
        return &(*w)->parts[rank];
    *error = *w ? error_win(*w, MPI_ERR_RANK, call, "the rank %d is not in 0 ... %d", rank,
                            (*w)->comm->size - 1)
                : error_no_win(win, call);
    return NULL;
}

int win_no_epoch(struct mpi_win *w, const char *call, const char *what)
{
    return error_win(w, MPI_ERR_RMA_SYNC, call, "%s", what);
}

/* Epochs of different kinds must not overlap (MPI 4.1, 12.5). */
int win_check_free(struct mpi_win *w, const char *call)
{
    if (w->sync.locked_all || w->sync.locked > 0)
        return win_no_epoch(w, call, "locks are held");
    if (w->sync.is_started)
        return win_no_epoch(w, call, "an epoch of MPI_Win_start has not ended");
    return MPI_SUCCESS;
}

/* Waits for the lock at once, although MPI 4.1, 12.5.3 would allow to delay it to the first access.
 * With MPI_MODE_NOCHECK no message is sent. */
MPI_DEFINE(int, Win_lock, (int lock_type, int rank, int assert, MPI_Win win))
{
    struct mpi_win *w;
    int error = MPI_SUCCESS;

    if (rank == MPI_PROC_NULL && win_of(win))
        return MPI_SUCCESS;
    struct win_part *p = given_part(win, rank, &w, MPI_CALL, &error);
    if (!p)
        return error;
    if (lock_type != MPI_LOCK_SHARED && lock_type != MPI_LOCK_EXCLUSIVE)
        return error_win(w, MPI_ERR_LOCKTYPE, MPI_CALL, "%d is not a lock type", lock_type);
    if (assert & ~MPI_MODE_NOCHECK)
        return error_win(w, MPI_ERR_ASSERT, MPI_CALL, "the assertion %d is not valid", assert);
    /* Locks of several ranks may be open at once, but two of the same rank may not. */
    if (p->locked || w->sync.locked_all || w->sync.is_started)
        return win_no_epoch(w, MPI_CALL, "an epoch for this rank is open");
    if (!(assert &MPI_MODE_NOCHECK))
        error = lock_one(w, rank, lock_type);
    if (error != MPI_SUCCESS)
        return error_win(w, error, MPI_CALL, "no lock from rank %d", rank);
    /* 0 makes MPI_Win_unlock() flush instead of releasing. */
    p->lock_type = assert &MPI_MODE_NOCHECK ? 0 : lock_type;
    p->locked = true;
    w->sync.fenced = false;
    w->sync.locked++;
    return MPI_SUCCESS;
}

/* The epoch ends in any case, also after an error. */
MPI_DEFINE(int, Win_unlock, (int rank, MPI_Win win))
{
    struct mpi_win *w;
    int error = MPI_SUCCESS, released = MPI_SUCCESS;

    if (rank == MPI_PROC_NULL && win_of(win))
        return MPI_SUCCESS;
    struct win_part *p = given_part(win, rank, &w, MPI_CALL, &error);
    if (!p)
        return error;
    if (!p->locked)
        return win_no_epoch(w, MPI_CALL, "no lock is held");
    /* The release of a lock is executed, and answered, after all accesses, like a flush. */
    error = win_complete(w, rank, p->lock_type == 0, MPI_CALL);
    if (p->lock_type)
        released = unlock_one(w, rank, p->lock_type);
    /* The unlock's reply or the flush has confirmed all accesses, so none is in progress. */
    p->locked = p->touched = false;
    w->sync.locked--;
    if (error == MPI_SUCCESS && released != MPI_SUCCESS)
        error = error_win(w, released, MPI_CALL, "an operation on rank %d was refused", rank);
    return error;
}

static void keep_first(int *error, int next)
{
    *error = *error == MPI_SUCCESS ? next : *error;
}

/* Obtains shared locks of all members or none, which grant them concurrently. Also releases them,
 * with SERVICE_UNLOCK. All requests are sent before the first reply is awaited: one round trip in
 * total. Returns the first error. */
static int lock_members(struct mpi_win *w, enum service_kind kind)
{
    int error = MPI_SUCCESS, n = w->comm->size, *ids = calloc((size_t)n, sizeof *ids), granted;

    if (!ids)
        return MPI_ERR_NO_MEM;
    /* Other members may do the same at this time. Shared locks do not exclude each other, so
     * this cannot deadlock among them; an exclusive holder delays it. */
    for (int r = 0; r < n; r++)
        if (r != w->comm->rank) {
            ids[r] = service_id();
            int result = win_send_sync(w, r, kind, ids[r], MPI_LOCK_SHARED);
            keep_first(&error, result == HN_OK ? MPI_SUCCESS : error_class_hn(result));
            ids[r] = result == HN_OK ? ids[r] : 0;
        }
    if (kind == SERVICE_UNLOCK)
        unlock_own(w);
    else
        keep_first(&error, lock_own(w, MPI_LOCK_SHARED));
    for (int r = 0; r < n; r++)
        if (ids[r] && (granted = await_reply(w, r, ids[r])) != MPI_SUCCESS) {
            keep_first(&error, granted);
            ids[r] = 0;
        }
    /* Nothing happens to the own part if it was not granted. */
    for (int r = 0; r < n && kind == SERVICE_LOCK && error != MPI_SUCCESS; r++)
        if (ids[r] || r == w->comm->rank)
            unlock_one(w, r, MPI_LOCK_SHARED);
    free(ids);
    return error;
}

/* A fence epoch that is open ends implicitly. */
MPI_DEFINE(int, Win_lock_all, (int assert, MPI_Win win))
{
    int error = MPI_SUCCESS;
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (assert & ~MPI_MODE_NOCHECK)
        return error_win(w, MPI_ERR_ASSERT, MPI_CALL, "the assertion %d is not valid", assert);
    error = win_check_free(w, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    /* Remembered for MPI_Win_unlock_all(), which has no assertion of its own. */
    w->sync.all_checked = !(assert &MPI_MODE_NOCHECK);
    if (w->sync.all_checked)
        error = lock_members(w, SERVICE_LOCK);
    if (error != MPI_SUCCESS)
        return error_win(w, error, MPI_CALL, "a member has not granted its lock");
    w->sync.locked_all = true;
    w->sync.fenced = false;
    return MPI_SUCCESS;
}

/* The flush is needed only without locks; with them, the unlocks confirm the accesses as well. */
MPI_DEFINE(int, Win_unlock_all, (MPI_Win win))
{
    int error = MPI_SUCCESS, released = MPI_SUCCESS;
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (!w->sync.locked_all)
        return win_no_epoch(w, MPI_CALL, "MPI_Win_lock_all was not called");
    error = win_complete(w, MPI_UNDEFINED, !w->sync.all_checked, MPI_CALL);
    /* With MPI_MODE_NOCHECK no lock was taken. */
    if (w->sync.all_checked)
        released = lock_members(w, SERVICE_UNLOCK);
    /* As in MPI_Win_unlock(), no access is in progress now. */
    for (int r = 0; r < w->comm->size && released == MPI_SUCCESS; r++)
        w->parts[r].touched = false;
    w->sync.locked_all = false;
    if (error == MPI_SUCCESS && released != MPI_SUCCESS)
        error = error_win(w, released, MPI_CALL, "an operation was refused");
    return error;
}

/* ---- flushes -------------------------------------------------------------------------------- */

/* Only in passive target epochs (MPI 4.1, 12.5.4). */
static int flush_one(MPI_Win win, int rank, bool remote, const char *call)
{
    struct mpi_win *w;
    int error = MPI_SUCCESS;

    if (rank == MPI_PROC_NULL && win_of(win))
        return MPI_SUCCESS;
    struct win_part *p = given_part(win, rank, &w, call, &error);
    if (!p)
        return error;
    if (!p->locked && !w->sync.locked_all)
        return win_no_epoch(w, call, "no lock is held");
    return win_complete(w, rank, remote, call);
}

/* Only within an epoch of locks. */
static int flush_every(MPI_Win win, bool remote, const char *call)
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, call);
    if (w->sync.locked == 0 && !w->sync.locked_all)
        return win_no_epoch(w, call, "no lock is held");
    return win_complete(w, MPI_UNDEFINED, remote, call);
}

/* MPI 4.1, 12.5.4, as the next three. Blocks until the target has executed all operations. */
MPI_DEFINE(int, Win_flush, (int rank, MPI_Win win))
{
    return flush_one(win, rank, true, MPI_CALL);
}

/* The origin's buffers may be used again; the target may still be at work. */
MPI_DEFINE(int, Win_flush_local, (int rank, MPI_Win win))
{
    return flush_one(win, rank, false, MPI_CALL);
}

/* All targets work at the same time: one round trip to the slowest. */
MPI_DEFINE(int, Win_flush_all, (MPI_Win win))
{
    return flush_every(win, true, MPI_CALL);
}

/* Waits for long puts that are sent from the program's buffers, and for gets. */
MPI_DEFINE(int, Win_flush_local_all, (MPI_Win win))
{
    return flush_every(win, false, MPI_CALL);
}

/* In the unified model a fence of memory is all that it needs. */
MPI_DEFINE(int, Win_sync, (MPI_Win win))
{
    if (!win_of(win))
        return error_no_win(win, MPI_CALL);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return MPI_SUCCESS;
}

/* ---- fences --------------------------------------------------------------------------------- */

/* The first fence is a barrier, too: no access may arrive before its target has called it.
 * Assertions only save time in the standard; here MPI_MODE_NOSUCCEED alone has an effect, on the
 * check of later accesses. */
MPI_DEFINE(int, Win_fence, (int assert, MPI_Win win))
{
    int error = MPI_SUCCESS;
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, MPI_CALL);
    if (assert & ~(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED))
        return error_win(w, MPI_ERR_ASSERT, MPI_CALL, "the assertion %d is not valid", assert);
    error = win_check_free(w, MPI_CALL);
    /* Fence epochs make this member a target as well, so an exposure must have ended. */
    if (error == MPI_SUCCESS && w->sync.is_exposed)
        error = win_no_epoch(w, MPI_CALL, "an epoch of MPI_Win_post has not ended");
    if (error != MPI_SUCCESS)
        return error;
    /* Without accesses since the last fence no message is sent: then the barrier is the whole
     * cost. */
    int refused = win_complete(w, MPI_UNDEFINED, true, MPI_CALL);
    /* The flush has confirmed this member's accesses, the barrier those of all others. They wait in
     * it even if an access was refused. */
    error = ERROR_WIN_HN(w, hn_barrier(w->comm->hn), MPI_CALL);
    /* Loads after the fence must see what others have stored in shared memory. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    w->sync.fenced = !(assert &MPI_MODE_NOSUCCEED);
    return error == MPI_SUCCESS ? refused : error;
}
