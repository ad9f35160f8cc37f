/* mpi_request.c - requests and their completion (mpi_request.h). Memory order: `done` is stored
 * with release after the outcome, and read with acquire before it. `taken` admits one thread at
 * a time to r->hn.
 * Requests that a program frees early (orphans) are kept in a list until they are complete. */
#include "message/mpi_request.h"

#include <pthread.h>
#include <time.h>

const struct outcome outcome_empty = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, HN_BYTE, 0, false};
const struct outcome outcome_nobody = {MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, HN_BYTE, 0, false};

/* MPI 4.1, 3.2.5: calls about a single operation leave MPI_ERROR unchanged. */
void status_put(MPI_Status *status, const struct outcome *o)
{
    if (status_ignored(status))
        return;
    status->MPI_SOURCE = o->source;
    status->MPI_TAG = o->tag;
    /* Each ABI keeps count, type and flag in other private fields. */
    handle_put_count(status, o->count, o->type, o->cancelled);
}

/* For statuses of a list, in which MPI_ERROR has a meaning (MPI 4.1, 3.7.5). */
void status_put_error(MPI_Status *status, const struct outcome *o)
{
    status_put(status, o);
    if (!status_ignored(status))
        status->MPI_ERROR = o->error;
}

/* NULL before request_setup(), or if that had no memory. */
struct mpi_request *request_sent;

/* ---- one request ---------------------------------------------------------------------------- */

/* All parts may be missing: requests of collective operations have no message. */
static void release(void *object)
{
    struct mpi_request *r = object;

    if (r->way->release)
        r->way->release(r);
    wire_free(&r->wire);
    if (r->message.type)
        object_drop(r->message.type);
    if (r->comm)
        object_drop(r->comm);
}

/* Sets each field, and none of a message: that is faster than clearing everything. */
struct mpi_request *request_begin(struct mpi_comm *c, const struct request_way *way)
{
    struct mpi_request *r = object_new_unset(OBJECT_REQUEST);

    if (!r)
        return NULL;
    r->way = way;
    r->comm = c;
    r->hn = NULL;
    r->active = true;
    r->done = r->persistent = r->taken = false;
    r->outcome = outcome_empty;
    r->arg = NULL;
    /* release() reads these two: NULL means that there is nothing to free. */
    r->message.type = NULL;
    r->wire.owned = NULL;
    if (c)
        object_hold(c);
    return r;
}

/* The last step: other threads may use the outcome as soon as `done` is set. */
void request_done(struct mpi_request *r, int error)
{
    r->outcome.error = error;
    __atomic_store_n(&r->done, true, __ATOMIC_RELEASE); /* another thread may read it */
}

/* Pairs with the store of request_done(). */
static bool is_done(const struct mpi_request *r)
{
    return __atomic_load_n(&r->done, __ATOMIC_ACQUIRE);
}

/* In a shared request several threads may wait for the same request of hnow, which allows only one.
 * The thread that sets `taken` waits, the others poll. The flag is given back at once if there is
 * no request of hnow. */
hn_request *request_take(struct mpi_request *r)
{
    if (r->way->is_shared && __atomic_exchange_n(&r->taken, true, __ATOMIC_ACQUIRE))
        return NULL;
    hn_request *hn = __atomic_load_n(&r->hn, __ATOMIC_ACQUIRE);
    if (!hn)
        request_give_back(r);
    return hn;
}

void request_give_back(struct mpi_request *r)
{
    if (r->way->is_shared)
        __atomic_store_n(&r->taken, false, __ATOMIC_RELEASE);
}

/* Advances the state machine by one step. After a revocation hnow reports its operations like those
 * of a failed member; the error class is corrected here. `next` sets r->hn again if there is a
 * further step; otherwise the operation is complete. */
void request_step(struct mpi_request *r, int result, const hn_info *info)
{
    r->hn = NULL;
    if (r->way->next)
        r->way->next(r, result, info);
    else
        r->outcome.error = error_class_hn(result);
    if (r->outcome.error == MPIX_ERR_PROC_FAILED && r->comm && comm_is_revoked(r->comm))
        r->outcome.error = MPIX_ERR_REVOKED;
    if (!r->hn)
        request_done(r, r->outcome.error);
}

/* A tenth of a millisecond: short compared to the use of generalized requests, such as file
 * access. */
void request_pause(void)
{
    nanosleep(&(struct timespec){0, 100000}, NULL);
}

/* r->active is read first: a wait for an inactive request returns at once. */
void request_wait(struct mpi_request *r)
{
    while (r->active && !is_done(r)) {
        hn_info info = {0};
        hn_request *hn = request_take(r);
        if (!hn) {
            /* Another thread waits for it, or will complete it. */
            request_pause();
            continue;
        }
        int result = hn_wait(hn, &info);
        /* The request is still taken: `next` may change r->hn without another thread seeing half
         * of it. */
        request_step(r, result, &info);
        request_give_back(r);
    }
}

/* The loop repeats, because the next step of an operation may be complete already. */
bool request_test(struct mpi_request *r)
{
    while (r->active && !is_done(r)) {
        hn_info info = {0};
        hn_request *hn = request_take(r);
        /* Another thread has it at the moment. */
        if (!hn)
            return is_done(r);
        int result = hn_test(hn, &info);
        /* hn_test(): 0 is not complete, positive is complete, negative is an error. */
        if (result != 0)
            request_step(r, result < 0 ? result : HN_OK, &info);
        request_give_back(r);
        if (result == 0)
            return false;
    }
    return true;
}

/* ---- requests freed before their completion ------------------------------------------------- */

enum { ORPHANS_FEW = 64 }; /* fewer are not checked */

/* Protects the list of orphans. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpi_request *orphans; /* linked by object.next */
static int orphan_count;
static int orphan_limit = ORPHANS_FEW; /* with more than this, complete ones are freed */

/* Call with the lock held. Frees those that are complete; at the end also cancels receives. At the
 * end the order is: cancel what can be cancelled, then wait. A receive that is not cancelled might
 * wait for a message that is never sent. The list is linked by object.next, which is otherwise only
 * used by free slots. */
static void end_orphans(bool last)
{
    struct mpi_request **at = &orphans;

    while (*at) {
        struct mpi_request *r = *at;
        if (last && !request_test(r) && r->way->cancel)
            r->way->cancel(r);
        if (last)
            request_wait(r);
        /* Without `last`, an incomplete one stays for a later call. */
        if (!request_test(r)) {
            at = (struct mpi_request **)&r->object.next;
            continue;
        }
        *at = (struct mpi_request *)r->object.next;
        orphan_count--;
        object_drop(r);
    }
}

/* MPI 4.1, 3.7.3: MPI_Request_free() does not wait. An incomplete request is kept in a list and
 * completes while other calls drive the event loop. The limit doubles with the number of incomplete
 * ones, so the cost per request is constant on average. */
void request_drop(struct mpi_request *r)
{
    /* The program's handle was the last reference, unless a window or a thread has another one. */
    if (!r->active || request_test(r)) {
        object_retire(r);
        return;
    }
    pthread_mutex_lock(&lock);
    r->object.handles = 0; /* the program's handle is gone; this list holds the reference */
    r->object.next = (struct object *)orphans;
    orphans = r;
    /* Also tests all of them, which gives them the progress that no wait gives. */
    if (++orphan_count > orphan_limit) {
        end_orphans(false);
        orphan_limit = orphan_count < ORPHANS_FEW / 2 ? ORPHANS_FEW : 2 * orphan_count;
    }
    pthread_mutex_unlock(&lock);
}

/* At MPI_Finalize(): also requests that the program has freed. */
void request_finish_all(void)
{
    pthread_mutex_lock(&lock);
    end_orphans(true);
    pthread_mutex_unlock(&lock);
}

/* Without memory `request_sent` stays NULL, and sends use requests of their own. */
void request_setup(void)
{
    static const struct request_way nothing;

    object_when_freed(OBJECT_REQUEST, release);
    request_sent = request_begin(NULL, &nothing);
    if (request_sent)
        /* `named` makes it predefined: it is not counted as a leak, and a program cannot free
         * it. */
        request_sent->done = request_sent->object.named = true;
}
