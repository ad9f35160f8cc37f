/* mpi_win.h - windows: memory that other members read and modify.
 *
 * Memory that is mapped in this process is accessed directly: its own, and that of windows that MPI
 * has allocated on the same host.  All other accesses are requests to the target's thread
 * (mpi_service.h), which executes them in order.  A flush is one more request; its reply confirms
 * that the earlier ones are complete.
 *
 * Chapter 12 of MPI 4.1. The memory model is the unified one (12.4): public and private copies are
 * the same memory. Requests from one origin to one target are executed in the order of sending,
 * which gives the ordering of accumulates that 12.7.2 demands. Other threads than the service
 * thread never touch a window on behalf of another member.
 */
#pragma once

#include "object/mpi_attribute.h"
#include "message/mpi_request.h"
#include "window/mpi_service.h"

#include <pthread.h>

/* A member, as seen by this one. One for each rank, also for this member itself. `size`, `unit`,
 * `number` and `direct` are constant after the window is made. `touched`, `locked`, `started`,
 * `lock_type` describe this member as origin; `is_awaited`, `holds`, `posts`, `fault` are written
 * by the service thread on behalf of that member. */
struct win_part {
    MPI_Aint size, unit;    /* in bytes; of displacements */
    int64_t number;         /* the window's number at that member */
    char *direct;           /* its memory in this process, or NULL */
    pthread_mutex_t *guard; /* protects accumulates to direct memory */
    bool touched;           /* requests were sent since the last flush */
    bool locked, started;   /* an access epoch for it is open */
    bool is_awaited;        /* MPI_Win_wait() waits for its MPI_Win_complete() */
    int lock_type;          /* of the lock held at it; 0: none, also with MPI_MODE_NOCHECK */
    int holds;              /* type of the lock that it holds here, or 0 */
    int posts;              /* exposure epochs for this member that it has not used yet */
    int fault; /* error class of a rejected request of that member; reported with a flush */
};

/* A lock request that waits. */
struct win_waiter {
    struct win_waiter *next;
    int rank, id; /* id: of the request; 0: this member itself */
    /* MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE. */
    int type;
};

/* Memory attached to a dynamic window (MPI 4.1, 12.2.4). Owned by the program. */
struct win_region {
    char *base;
    MPI_Aint size;
};

/* Predefined attributes of a window: C reads addresses of integers. MPI 4.1, 12.2.6. Set once. */
struct win_own {
    struct attribute_value base, size, unit, flavor, model;
};

/* State of epochs at this member, as origin and as target. `fenced`, `locked_all`, `is_started` and
 * `locked` are this member's access epochs; the rest concerns it as target. At most one kind of
 * access epoch is open at a time. */
struct win_sync {
    bool fenced, locked_all, all_checked; /* all_checked: without MPI_MODE_NOCHECK */
    bool is_started;
    int locked; /* locks held */
    bool is_exposed;
    int shared_locks, exclusive_locks; /* held at this member */
    /* The service thread has granted the lock for which this member waits; see lock_own(). */
    bool own_granted;
    /* First come, first served. Owned by the window. */
    struct win_waiter *waiters;
};

/* Operations started here. Each entry is one reference. Without `end`, two flushes would share the
 * operations, and each might return before the other one's are complete. */
struct win_pending {
    struct mpi_request **list;
    size_t count, room;
    pthread_mutex_t end; /* held while a thread waits for them, so that others wait for it */
};

/* Freed after MPI_Win_free() and the last operation. `comm` is a duplicate, so collective calls on
 * the window do not mix with the program's. */
struct mpi_win {
    struct object object;
    struct mpi_comm *comm; /* a duplicate of the program's communicator */
    /* One for each rank of comm. The array is owned, memory in it is not. */
    struct win_part *parts;
    /* This member's own memory, its size in bytes and its unit of displacements. */
    void *base;
    MPI_Aint size;
    int unit, flavor, model;
    void *memory; /* allocated: shared by the members of a host, or this one's own */
    /* memory_mapped > 0: munmap() frees it; 0: free() does. */
    size_t memory_bytes, memory_mapped;

    pthread_mutex_t lock; /* protects all fields below, and parts */
    pthread_cond_t changed;
    pthread_mutex_t guard; /* protects accumulates to memory that no other process has */
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
/* Report errors of a call on a window, and of an invalid handle; as error_on(). */
int error_win(struct mpi_win *w, int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Returns the error, if the handler returns. */
int error_no_win(MPI_Win handle, const char *call);
#define ERROR_WIN_HN(w, result, call)                                                              \
    ((result) < 0 ? error_win(w, error_class_hn(result), call, "%s", hn_error_text()) : MPI_SUCCESS)

/* Fills in this member's own part and the predefined attributes: then it can be a target. */
void win_set_own(struct mpi_win *w);
/* Allocates memory for the members of each host, and fills in the parts that become direct, and
 * this member's own.  Collective: when it returns, all members can be targets.  Returns HN_OK, or
 * the same error at all members. */
int win_memory_share(struct mpi_win *w, bool contiguous);
/* The same with separate memory for each member. */
int win_memory_own(struct mpi_win *w);
/* Local; every member must have finished its accesses. */
void win_memory_free(struct mpi_win *w);

/* Waits for all operations started here and, with `remote`, until targets have executed those to
 * `rank` (MPI_UNDEFINED: to all).  Returns an error class with an explanation in *what. Blocks.
 * With `remote` it costs a round trip to each target that was accessed since the last flush. */
int win_finish(struct mpi_win *w, int rank, bool remote, const char **what);
/* The same, but reports the error for a call. */
int win_complete(struct mpi_win *w, int rank, bool remote, const char *call);
/* Records an operation that win_finish() must wait for; holds a reference.  Returns false if out of
 * memory. Only operations that have not completed in their call are noted. */
bool win_note(struct mpi_win *w, struct mpi_request *r);

/* Serves synchronisation requests in the service thread. */
void win_serve_sync(struct mpi_win *w, hn_tid from, const struct service_message *m);
/* True if memory is inside regions of a dynamic window, which may adjoin.  Call with its lock
 * held. */
bool win_has_region(const struct mpi_win *w, const char *at, MPI_Aint size);
