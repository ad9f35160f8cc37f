/* mpi_win.c - creates and frees windows; reports their errors (mpi_win.h).
 *
 * MPI 4.1: 12.2.1 (create), 12.2.2 (allocate), 12.2.3 (shared memory), 12.2.4 (dynamic), 12.2.5
 * (free). All members must make a window or none, so each step ends with an agreement. Making costs
 * some collective operations of small messages; freeing costs a flush and a barrier.
 *
 * Every call that makes a window runs the same steps: prepare() checks and exchanges one
 * win_word a member, complete() adds memory and the last synchronisation. A member that fails a
 * step announces it with number 0, and all members fail then.
 */
#include "window/mpi_win.h"

#include "object/mpi_attribute.h"
#include "object/mpi_counts.h"
#include "object/mpi_info.h"
#include "window/mpi_rma.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- errors --------------------------------------------------------------------------------- */

/* Errors of windows go to the window's own handler, even if they concern its communicator. */
int error_win(struct mpi_win *w, int code, const char *call, const char *format, ...)
{
    char what[400], place[MPI_MAX_OBJECT_NAME + 40];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    /* The handler sees which window and rank, as communicators' errors name theirs. */
    snprintf(place, sizeof place, " on %s, rank %d", w->name[0] ? w->name : "a window",
             w->comm->rank);
    return error_at(place, w->errhandler, OBJECT_WIN, w->object.handle, code, call, what);
}

int error_no_win(MPI_Win handle, const char *call)
{
    if (!comm_world)
        return error_no_comm(MPI_COMM_NULL, call);
    if (handle == MPI_WIN_NULL)
        return error_on(NULL, MPI_ERR_WIN, call, "the window is MPI_WIN_NULL");
    return error_on(NULL, MPI_ERR_WIN, call, "%p is not a window, or it has been freed",
                    handle_shown(handle));
}

/* ---- construction --------------------------------------------------------------------------- */

/* Arguments common to all calls that make a window. */
struct win_plan {
    int flavor;
    /* Only MPI_Win_create() passes one; the other calls allocate, or have none. */
    void *base;
    MPI_Aint size, unit;
    MPI_Info info;
    MPI_Comm comm;
    const char *call;
};

/* Local; the result takes part in agree(). */
static int check(const struct win_plan *p, struct mpi_comm *c)
{
    if (p->size < 0)
        return error_on(c, MPI_ERR_SIZE, p->call, "the size %ld is negative", (long)p->size);
    if (p->unit <= 0)
        return error_on(c, MPI_ERR_DISP, p->call, "the displacement unit %ld is not positive",
                        (long)p->unit);
    if (p->flavor == MPI_WIN_FLAVOR_CREATE && !p->base && p->size > 0)
        return error_on(c, MPI_ERR_BASE, p->call, "there is no memory for %ld bytes",
                        (long)p->size);
    return info_check(c, p->info, p->call);
}

/* Exchanged by the members. Numbers of the window differ between members, as each has its own table
 * of objects. */
struct win_word {
    /* number 0: this member cannot make the window; object numbers start at 1. */
    int64_t size, unit, number;
};
enum { WIN_WORDS = sizeof(struct win_word) / sizeof(int64_t) };

/* Fills in the parts.  Returns the first member that cannot make the window, or -1. */
static int set_parts(struct mpi_win *w, const struct win_word *all, int members)
{
    for (int r = 0; r < members; r++) {
        if (all[r].number == 0)
            return r;
        w->parts[r].size = (MPI_Aint)all[r].size;
        w->parts[r].unit = (MPI_Aint)all[r].unit;
        w->parts[r].number = all[r].number;
    }
    return -1;
}

/* Called with the last reference: the handle is gone, and no request refers to the window.
 * Memory for the program was freed before, in MPI_Win_free(). Fields may be NULL if making has
 * failed. */
static void release(void *object)
{
    struct mpi_win *w = object;

    free(w->parts);
    free(w->regions);
    free(w->pending.list);
    if (w->info)
        object_drop(w->info);
    if (w->errhandler)
        object_drop(w->errhandler);
    if (w->comm)
        object_drop(w->comm);
    pthread_mutex_destroy(&w->lock);
    pthread_mutex_destroy(&w->guard);
    pthread_mutex_destroy(&w->pending.end);
    pthread_cond_destroy(&w->changed);
}

/* Sets the hints of a window: defaults of MPI 4.1, and the program's. MPI 4.1, 12.2.7. They are
 * only stored and returned, as none changes what is done here. */
static bool hints(struct mpi_win *w, const struct mpi_info *info)
{
    static const char *const defaults[][2] = {{"no_locks", "false"},
                                              {"accumulate_ordering", "rar,raw,war,waw"},
                                              {"accumulate_ops", "same_op_no_op"},
                                              {"mpi_accumulate_granularity", "0"},
                                              {"same_size", "false"},
                                              {"same_disp_unit", "false"}};

    /* An empty one. Defaults come first, so that values of the program replace them. */
    w->info = info_copy(NULL);
    for (size_t i = 0; w->info && i < sizeof defaults / sizeof *defaults; i++)
        PMPI_Info_set(w->info->object.handle, defaults[i][0], defaults[i][1]);
    return w->info && info_take(&w->info, info, "");
}

/* Makes a window without memory, not yet visible to other members. The condition variable uses the
 * monotonic clock, so that a change of the time of day does not affect waits. */
static struct mpi_win *begin(const struct win_plan *p, struct mpi_comm *c)
{
    struct mpi_win *w = object_new(OBJECT_WIN);
    pthread_condattr_t by_clock;

    if (!w)
        return NULL;
    object_when_freed(OBJECT_WIN, release);
    pthread_mutex_init(&w->lock, NULL);
    pthread_mutex_init(&w->guard, NULL);
    pthread_mutex_init(&w->pending.end, NULL);
    pthread_condattr_init(&by_clock);
    pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &by_clock);
    pthread_condattr_destroy(&by_clock);
    w->flavor = p->flavor;
    w->model = MPI_WIN_UNIFIED;
    w->size = p->size;
    w->unit = (int)p->unit;
    w->base = p->base;
    /* The default of windows (MPI 4.1, 9.3), not the communicator's handler. */
    w->errhandler = errhandler_of(MPI_ERRORS_ARE_FATAL);
    object_hold(w->errhandler);
    w->parts = calloc((size_t)c->size, sizeof *w->parts);
    if (w->parts && hints(w, info_of(p->info)))
        return w;
    object_drop(w);
    return NULL;
}

/* Hosts are compared by the identifier of their agent. */
static bool is_one_host(const struct mpi_win *w)
{
    for (int r = 0; r < w->comm->size; r++)
        if (hn_host_tid(w->comm->group->tids[r]) != hn_host_tid(hn_mytid()))
            return false;
    return true;
}

/* Allocates the memory of a window.  If members of a host cannot share memory, each has its own.
 * Only MPI_Win_allocate() may fall back to separate memory: MPI_Win_allocate_shared() promises
 * direct access (MPI 4.1, 12.2.3). */
static int allocate(struct mpi_win *w, const char *call)
{
    int result;

    if (w->flavor == MPI_WIN_FLAVOR_SHARED && !is_one_host(w))
        return error_on(w->comm, MPI_ERR_RMA_SHARED, call,
                        "the members of the communicator run on several hosts");
    /* Contiguous by ranks, as MPI 4.1, 12.2.3 says for shared windows. Results are agreed on, so
     * either all members fall back or none. */
    result = win_memory_share(w, w->flavor == MPI_WIN_FLAVOR_SHARED);
    if (result == HN_ENOMEM && w->flavor == MPI_WIN_FLAVOR_ALLOCATE)
        result = win_memory_own(w);
    if (result == HN_ENOMEM)
        return error_on(w->comm, MPI_ERR_NO_MEM, call, "no memory for %ld bytes", (long)w->size);
    return ERROR_HN(w->comm, result, call);
}

/* Completes a new window, with an agreement of all members: an access may arrive as soon as its
 * origin gets behind that. */
static int complete(struct mpi_win *w, const struct win_plan *p)
{
    if (p->flavor == MPI_WIN_FLAVOR_ALLOCATE || p->flavor == MPI_WIN_FLAVOR_SHARED)
        return allocate(w, p->call);
    win_set_own(w);
    return ERROR_HN(w->comm, hn_barrier(w->comm->hn), p->call);
}

/* Makes what a member needs for the window: a communicator, the thread, the parts.  A member that
 * fails still takes part, so that the others do not wait in vain. */
static int prepare(struct mpi_win **w, const struct win_plan *p, struct mpi_comm *c)
{
    struct mpi_comm *own;
    struct win_word word = {0}, *all = malloc((size_t)c->size * sizeof *all);
    int error = check(p, c), first = -1;

    *w = begin(p, c);
    /* Collective: called even if begin() has failed. */
    int serves = comm_copy(c, &own);
    if (*w)
        (*w)->comm = own;
    else if (own)
        object_drop(own);
    if (serves == HN_OK)
        serves = *w && all ? service_begin() : HN_ENOMEM;
    if (error == MPI_SUCCESS && serves == HN_OK)
        word = (struct win_word){(*w)->size, (*w)->unit, object_number(*w)};
    /* Through the program's communicator, because its copy may be missing here. */
    int result = hn_allgather(&word, WIN_WORDS, all, HN_INT64, c->hn);
    if (result == HN_OK && word.number)
        first = set_parts(*w, all, c->size);
    /* Errors are reported last, and one at most. A handler may end the task, and the exchange is
     * over. */
    free(all);
    if (error == MPI_SUCCESS && serves == HN_ENOMEM)
        error = error_on(c, MPI_ERR_NO_MEM, p->call, "no memory for the window");
    else if (error == MPI_SUCCESS && (serves != HN_OK || result != HN_OK))
        error = error_hn(c, serves != HN_OK ? serves : result, p->call);
    else if (error == MPI_SUCCESS && first >= 0)
        error = error_on(c, MPI_ERR_OTHER, p->call, "rank %d cannot make the window", first);
    return error;
}

/* The common part of all calls. Errors that appear before prepare() are local: MPI leaves a
 * collective call with wrong handles undefined. *win is set only on success. */
static int make(const struct win_plan *p, MPI_Win *win)
{
    struct mpi_comm *c = comm_of(p->comm);
    struct mpi_win *w;
    int error;

    if (!c)
        return error_no_comm(p->comm, p->call);
    if (c->remote)
        return error_on(c, MPI_ERR_COMM, p->call, "it is an intercommunicator");
    if (!win)
        return error_on(c, MPI_ERR_ARG, p->call, "there is no place for the window");
    error = prepare(&w, p, c);
    /* complete() may fail after the memory is mapped. release() does not free memory. */
    if (error == MPI_SUCCESS && (error = complete(w, p)) != MPI_SUCCESS)
        win_memory_free(w);
    if (error == MPI_SUCCESS)
        *win = w->object.handle;
    else if (w)
        object_drop(w);
    return error;
}

#define CREATE_CALL(name, Unit)                                                                    \
    MPI_DEFINE(                                                                                    \
        int, name,                                                                                 \
        (void *base, MPI_Aint size, Unit disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win))   \
    {                                                                                              \
        return make(&(struct win_plan){MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info, comm,   \
                                       MPI_CALL},                                                  \
                    win);                                                                          \
    }
/* The forms differ in the type of the displacement unit alone. */
CREATE_CALL(Win_create, int)
CREATE_CALL(Win_create_c, MPI_Aint)

/* For windows whose memory is a result of the call. `base` is a void * in the standard's interface,
 * but it is the address of a pointer. */
static int make_allocated(int flavor, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm,
                          void *base, MPI_Win *win, const char *call)
{
    int error = base ? make(&(struct win_plan){flavor, NULL, size, unit, info, comm, call}, win)
                     : error_on(comm_of(comm), MPI_ERR_ARG, call, "no place for the address");

    if (error == MPI_SUCCESS)
        *(void **)base = win_of(*win)->base;
    return error;
}

#define ALLOCATE_CALL(name, flavor, Unit)                                                          \
    MPI_DEFINE(int, name,                                                                          \
               (MPI_Aint size, Unit disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,        \
                MPI_Win *win))                                                                     \
    {                                                                                              \
        return make_allocated(flavor, size, disp_unit, info, comm, baseptr, win, MPI_CALL);        \
    }
ALLOCATE_CALL(Win_allocate, MPI_WIN_FLAVOR_ALLOCATE, int)
ALLOCATE_CALL(Win_allocate_c, MPI_WIN_FLAVOR_ALLOCATE, MPI_Aint)
ALLOCATE_CALL(Win_allocate_shared, MPI_WIN_FLAVOR_SHARED, int)
ALLOCATE_CALL(Win_allocate_shared_c, MPI_WIN_FLAVOR_SHARED, MPI_Aint)

/* The unit of displacements is 1: they are addresses at the target (MPI 4.1, 12.2.4). */
MPI_DEFINE(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win))
{
    return make(&(struct win_plan){MPI_WIN_FLAVOR_DYNAMIC, NULL, 0, 1, info, comm, MPI_CALL}, win);
}

/* ---- freeing -------------------------------------------------------------------------------- */

/* When all members have called, no request for the window is in progress. Epochs that are open are
 * errors (MPI 4.1, 12.2.5). The flush comes before the barrier: after it, every member has executed
 * what this one sent. */
MPI_DEFINE(int, Win_free, (MPI_Win * win))
{
    struct mpi_win *w = win ? win_of(*win) : NULL;
    int error;

    if (!w)
        return error_no_win(win ? *win : MPI_WIN_NULL, MPI_CALL);
    if (w->sync.locked > 0 || w->sync.locked_all || w->sync.is_started || w->sync.is_exposed)
        return error_win(w, MPI_ERR_RMA_SYNC, MPI_CALL, "an epoch on the window has not ended");
    /* First: delete functions may still use the window and may refuse. */
    error = attribute_delete_all(w->object.handle, &w->attributes);
    if (error != MPI_SUCCESS)
        return error_win(w, error, MPI_CALL, "an attribute's delete function has failed");
    /* A refused access is reported, but the window is freed, as the others free it. */
    error = win_complete(w, MPI_UNDEFINED, true, MPI_CALL);
    int met = ERROR_WIN_HN(w, hn_barrier(w->comm->hn), MPI_CALL);
    if (met != MPI_SUCCESS)
        return met;
    /* No member can have a request in progress for it now. */
    win_memory_free(w);
    /* Requests that the program has not yet waited for keep the object alive. */
    object_retire(w);
    *win = MPI_WIN_NULL;
    return error;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* O(regions * regions) at most: after each region the search begins again, because the next one may
 * be anywhere in the list. */
bool win_has_region(const struct mpi_win *w, const char *at, MPI_Aint size)
{
    if (size < 0)
        return false;
    for (size_t i = 0; i < w->region_count && size > 0;) {
        /* An access may cross regions that adjoin, so each region can cover a part of it. */
        const struct win_region *r = &w->regions[i++];
        MPI_Aint left = r->size - (at - r->base);
        if (at >= r->base && left > 0) { /* the rest is where it ends */
            at += left;
            size -= left < size ? left : size;
            i = 0;
        }
    }
    return size == 0;
}

/* Half-open intervals: adjoining regions do not overlap. */
static bool overlaps(const struct mpi_win *w, const char *base, MPI_Aint size)
{
    for (size_t i = 0; i < w->region_count; i++)
        if (base < w->regions[i].base + w->regions[i].size && w->regions[i].base < base + size)
            return true;
    return false;
}

/* Returns MPI_SUCCESS or an error class; call with the window's lock held. Empty regions are
 * allowed, and never overlap. */
static int attach(struct mpi_win *w, void *base, MPI_Aint size)
{
    struct win_region *more;

    if (size > 0 && overlaps(w, base, size))
        return MPI_ERR_RMA_ATTACH;
    more = realloc(w->regions, (w->region_count + 1) * sizeof *more);
    if (!more)
        return MPI_ERR_NO_MEM;
    w->regions = more;
    w->regions[w->region_count++] = (struct win_region){base, size};
    return MPI_SUCCESS;
}

/* NULL: *error has been reported. */
static struct mpi_win *dynamic(MPI_Win win, const char *call, int *error)
{
    struct mpi_win *w = win_of(win);

    if (!w)
        *error = error_no_win(win, call);
    else if (w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        *error = error_win(w, MPI_ERR_RMA_FLAVOR, call, "the window is not a dynamic one");
    else
        return w;
    return NULL;
}

/* Local: other members learn addresses from the program's own messages. */
MPI_DEFINE(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size))
{
    int error;
    struct mpi_win *w = dynamic(win, MPI_CALL, &error);

    if (!w)
        return error;
    if (size < 0 || (!base && size > 0))
        return error_win(w, MPI_ERR_ARG, MPI_CALL, "%ld bytes at %p", (long)size, base);
    /* The service thread reads the regions. */
    pthread_mutex_lock(&w->lock);
    error = attach(w, base, size);
    pthread_mutex_unlock(&w->lock);
    return error == MPI_SUCCESS
               ? error
               : error_win(w, error, MPI_CALL, "%ld bytes at %p: %s", (long)size, base,
                           error == MPI_ERR_NO_MEM ? "out of memory"
                                                   : "some of them are attached already");
}

/* The last region takes the place of the removed one; the order does not matter. The program must
 * not detach memory that is being accessed. */
MPI_DEFINE(int, Win_detach, (MPI_Win win, const void *base))
{
    int error;
    struct mpi_win *w = dynamic(win, MPI_CALL, &error);

    if (!w)
        return error;
    pthread_mutex_lock(&w->lock);
    size_t i = 0;
    while (i < w->region_count && w->regions[i].base != base)
        i++;
    bool found = i < w->region_count;
    if (found)
        w->regions[i] = w->regions[--w->region_count];
    pthread_mutex_unlock(&w->lock);
    return found ? MPI_SUCCESS
                 : error_win(w, MPI_ERR_BASE, MPI_CALL, "no memory is attached at %p", base);
}

/* MPI_PROC_NULL: the first member with memory.  Memory that this process cannot access does not
 * count. The size 0 and NULL for members on other hosts, which MPI 4.1, 12.2.3 allows for windows
 * that are not shared. */
static int query(MPI_Win win, int rank, MPI_Aint *size, struct counts unit, void *base,
                 const char *call)
{
    struct mpi_win *w = win_of(win);

    if (!w)
        return error_no_win(win, call);
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return error_win(w, MPI_ERR_RMA_FLAVOR, call, "the window is dynamic");
    if (rank != MPI_PROC_NULL && (rank < 0 || rank >= w->comm->size))
        return error_win(w, MPI_ERR_RANK, call, "the rank %d is not in 0 ... %d", rank,
                         w->comm->size - 1);
    if (!size || !base)
        return error_win(w, MPI_ERR_ARG, call, "there is no place for the result");
    /* Without any memory this ends at the last rank, whose size is 0. */
    if (rank == MPI_PROC_NULL) {
        for (rank = 0; rank < w->comm->size - 1 && w->parts[rank].size == 0;)
            rank++;
    }
    /* Sizes of members elsewhere are known, but without an address they must be shown as 0. */
    const struct win_part *part = &w->parts[rank];
    *size = part->direct ? part->size : 0;
    if (unit.at)
        counts_put(unit, part->direct ? part->unit : 0);
    *(void **)base = *size > 0 ? part->direct : NULL;
    return MPI_SUCCESS;
}

/* MPI 4.1, 12.2.3. */
MPI_DEFINE(int, Win_shared_query_c,
           (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr))
{
    return query(win, rank, size, COUNTS(disp_unit), baseptr, MPI_CALL);
}

MPI_DEFINE(int, Win_shared_query,
           (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr))
{
    return query(win, rank, size, COUNTS(disp_unit), baseptr, MPI_CALL);
}
