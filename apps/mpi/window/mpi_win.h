/* mpi_win.h - windows: memory that other members read and change.
 *
 * Memory that is in this process, too (its own, and that of windows that MPI has allocated on the
 * same host) is accessed directly.  All other accesses are requests to the target's thread
 * (mpi_service.h), which carries them out in the order in which they were sent.  A flush is one
 * more request, whose reply says that those before it are done.
 */
#pragma once

#include "object/mpi_attribute.h"
#include "message/mpi_request.h"
#include "window/mpi_service.h"

#include <pthread.h>

/* A member, as this one sees it. */
struct win_part {
    MPI_Aint size, unit;    /* bytes; of a displacement */
    int64_t number;         /* the window's at that member */
    char *direct;           /* its memory in this process, or NULL */
    pthread_mutex_t *guard; /* of accumulates to it, if it is direct */
    bool touched;           /* requests were sent that no flush has followed */
    bool locked, started;   /* an access epoch is open for it */
    bool is_awaited;        /* MPI_Win_wait() waits for its MPI_Win_complete() */
    int lock_type;          /* of the lock held at it; 0: none, as with MPI_MODE_NOCHECK */
    int holds;              /* the type of the lock that it holds here, or 0 */
    int posts;              /* exposure epochs for this member that it has not used yet */
    int fault; /* error class of a request of that member that was refused; told with a flush */
};

/* A lock that a member waits for. */
struct win_waiter {
    struct win_waiter *next;
    int rank, id; /* id: of the request; 0: this member itself */
    int type;
};

struct win_region {
    char *base;
    MPI_Aint size;
};

/* The attributes that a window has from the beginning: C sees addresses of integers. */
struct win_own {
    struct attribute_value base, size, unit, flavor, model;
};

/* How far its epochs are, at this member: as origin and as target. */
struct win_sync {
    bool fenced, locked_all, all_checked; /* all_checked: without MPI_MODE_NOCHECK */
    bool is_started;
    int locked; /* locks held */
    bool is_exposed;
    int shared_locks, exclusive_locks; /* held at this member */
    bool own_granted;
    struct win_waiter *waiters;
};

/* Operations that were started here. */
struct win_pending {
    struct mpi_request **list;
    size_t count, room;
};

struct mpi_win {
    struct object object;
    struct mpi_comm *comm; /* a communicator of its own */
    struct win_part *parts;
    void *base;
    MPI_Aint size;
    int unit, flavor, model;
    void *memory; /* allocated: shared by the members of a host, or this one's own */
    size_t memory_bytes, memory_mapped;

    pthread_mutex_t lock; /* of all that follows, and of parts */
    pthread_cond_t changed;
    pthread_mutex_t guard; /* of accumulates to memory that no other process has */
    struct win_sync sync;
    struct win_region *regions; /* of a dynamic window */
    size_t region_count;
    struct win_pending pending;

    struct mpi_errhandler *errhandler;
    struct win_own own;
    struct mpi_attribute *attributes;
    struct mpi_info *info;
    char name[MPI_MAX_OBJECT_NAME];
};

OBJECT_OF(win, MPI_Win, OBJECT_WIN)
/* The errors of a call on a window, and with a handle that is none: as error_on(). */
int error_win(struct mpi_win *w, int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int error_no_win(MPI_Win handle, const char *call);
#define ERROR_WIN_HN(w, result, call)                                                              \
    ((result) < 0 ? error_win(w, error_class_hn(result), call, "%s", hn_error_text()) : MPI_SUCCESS)

/* Memory for the members of each host; fills the parts that become direct.  Collective: HN_OK or
 * an error. */
int win_memory_share(struct mpi_win *w, bool contiguous);
/* Memory of each member's own.  Collective: HN_OK, or the same error at all members. */
int win_memory_own(struct mpi_win *w);
void win_memory_free(struct mpi_win *w);

/* Waits for all operations that were started here, and, with `remote`, until targets have carried
 * out those to `rank` (MPI_UNDEFINED: to all).  Returns an error class; *what says more. */
int win_finish(struct mpi_win *w, int rank, bool remote, const char **what);
/* The same as an error of a call. */
int win_complete(struct mpi_win *w, int rank, bool remote, const char *call);
/* Notes an operation that win_finish() is to wait for, with a reference of its own. */
bool win_note(struct mpi_win *w, struct mpi_request *r);

/* Requests of synchronization, in the service thread. */
void win_serve_sync(struct mpi_win *w, hn_tid from, const struct service_message *m);
/* Whether memory is in regions of a dynamic window, which may adjoin; with its lock. */
bool win_has_region(const struct mpi_win *w, const char *at, MPI_Aint size);
