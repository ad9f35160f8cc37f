/* mpi_partitioned.c - partitioned messages: several threads each fill partitions (MPI 4.1, chapter
 * 4).
 *
 * A message is sent as a whole when its last partition is ready, and it arrives as a whole.
 * Partitioned requests match in the order in which they are made, not started.  So the sender's
 * request announces a number to the receiver's request, with the program's tag in a separate
 * context.  The messages then use this number as their tag in the context of MPI's internal
 * messages.
 *
 * Nothing is sent early, so this costs one message more than a persistent send, at preparation
 * only. The standard allows it: it promises no order of arrival of partitions. Wildcards are
 * invalid here.
 *
 * The state of a request: inactive; active and waiting for partitions (send) or for the number
 * (first receive); in transfer, with r->hn set; done. A send leaves the second state in the
 * thread that marks the last partition, while others may wait in request_wait().
 */
#include "object/mpi_info.h"
#include "message/mpi_message.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* Owned by one request as r->arg. The fields of a send are guarded by `lock`, from the start of the
 * request to its last partition; those of a receive change only in the thread that has taken the
 * request. `told` is the memory that the announced number is received into, so it must not move. */
struct partitions {
    pthread_mutex_t lock; /* of a send: several threads mark partitions as ready */
    /* A sender's is known from the start. A receiver's is known after its first start. */
    int number;            /* tag of the messages; 0: not known yet */
    hn_request *announced; /* of a receive: the receive of the number below */
    int32_t told;
    int count, left; /* of a send: partitions that are not ready yet */
    /* One for each partition, of a send. A receive has the array, too, but does not use it. */
    bool *ready;
};

/* Not for MPI_PROC_NULL, which has no task. */
static hn_tid peer_of(const struct mpi_request *r)
{
    return comm_peers(r->comm)->tids[r->message.peer];
}

/* A partitioned operation with MPI_PROC_NULL sends no message, and does not wait. */
static bool has_peer(const struct mpi_request *r)
{
    return r->message.peer != MPI_PROC_NULL;
}

/* Only called at the end of the job, for abandoned requests: MPI_Cancel() refuses shared
 * requests. */
static int cancel(struct mpi_request *r)
{
    if (r->hn)
        hn_cancel(r->hn);
    else /* waits for partitions */
        request_done(r, MPI_SUCCESS);
    return MPI_SUCCESS;
}

/* Nothing may refer to the number's memory: the receive of it has ended, or never began. */
static void free_partitions(struct mpi_request *r)
{
    struct partitions *p = r->arg;

    pthread_mutex_destroy(&p->lock);
    free(p->ready);
    free(p);
}

/* For a receive that is freed before it was started: its number still arrives, and must not be
 * taken for that of the next request. The rest becomes an abandoned request that receives the
 * number later. Without memory for it, the receive is cancelled. */
static void release(struct mpi_request *r)
{
    static const struct request_way number = {.cancel = cancel, .release = free_partitions};
    struct partitions *p = r->arg;
    struct mpi_request *rest = p && p->announced ? request_begin(r->comm, &number) : NULL;

    /* r gives its partitions away, so they are freed once, with `rest`. */
    if (rest) {
        rest->arg = p;
        rest->hn = p->announced;
        request_drop(rest);
        return;
    }
    /* hn_wait() ensures that hnow no longer writes into p->told. */
    if (p && p->announced) {
        hn_cancel(p->announced);
        hn_wait(p->announced, NULL);
    }
    if (p)
        free_partitions(r);
}

/* ---- sends ---------------------------------------------------------------------------------- */

/* Another thread may already wait for the request. Called with the lock held, or at a start without
 * partitions. r->hn is stored last: from then on another thread may wait for it. */
static int send_all(struct mpi_request *r)
{
    struct partitions *p = r->arg;
    hn_request *under_way;

    wire_free(&r->wire);
    if (!wire_pack(&r->wire, r->message.type, r->message.count, r->message.data))
        return HN_ENOMEM;
    int result = IN_CONTEXT(r->comm->inner, hn_isend(peer_of(r), p->number, r->wire.data,
                                                     r->wire.count, r->wire.type, &under_way));
    if (result == HN_OK)
        __atomic_store_n(&r->hn, under_way, __ATOMIC_RELEASE);
    return result;
}

/* A request without partitions sends an empty message at once, since no MPI_Pready() will
 * follow. */
static int start_send(struct mpi_request *r)
{
    struct partitions *p = r->arg;

    r->outcome = outcome_empty;
    p->left = p->count;
    /* The flags are those of the previous start. No thread may mark partitions yet. */
    for (int i = 0; i < p->count; i++)
        p->ready[i] = false;
    if (!has_peer(r))
        request_done(r, MPI_SUCCESS);
    return has_peer(r) && p->count == 0 ? send_all(r) : HN_OK;
}

/* Shared: a thread may wait while another one makes partitions ready. */
static const struct request_way sending = {.start = start_send,
                                           .release = release,
                                           .cancel = cancel,
                                           .has_steps = true,
                                           .is_shared = true};

/* Also for a request of another kind, such as a receive that MPI_Pready() gets. */
static int no_request(const struct mpi_request *r, const char *what, const char *call)
{
    return error_on(r ? r->comm : NULL, MPI_ERR_REQUEST, call, "not %s", what);
}

/* A request with 0 partitions has no valid index. */
static int check_partition(const struct mpi_request *r, int which, const char *call)
{
    const struct partitions *p = r->arg;

    return which >= 0 && which < p->count
               ? MPI_SUCCESS
               : error_on(r->comm, MPI_ERR_ARG, call, "the partition %d is not in 0 ... %d", which,
                          p->count - 1);
}

/* Call with the lock held. The last partition sends. A failure ends the request, so that a thread
 * that waits for it returns. HN_EARG: no such partition, or it is ready already. The caller reports
 * errors without the lock, since error handlers may call MPI. */
static int make_ready(struct mpi_request *r, int which)
{
    struct partitions *p = r->arg;

    if (which < 0 || which >= p->count || p->ready[which])
        return HN_EARG;
    p->ready[which] = true;
    /* The message leaves as a whole, with the last partition. */
    if (--p->left > 0 || !has_peer(r))
        return HN_OK;
    int result = send_all(r);
    if (result != HN_OK)
        request_done(r, error_class_hn(result));
    return result;
}

/* Marks count partitions from `first` on, or those of the list, as ready. After an error the
 * partitions before the faulty one stay ready. */
static int make_all_ready(MPI_Request request, const int *list, int first, int64_t count,
                          const char *call)
{
    struct mpi_request *r = request_of(request);
    struct partitions *p = r && r->way == &sending ? r->arg : NULL;
    int result = HN_OK, which = first;

    /* An inactive send would mark partitions of a message that does not exist. */
    if (!p || !r->active)
        return no_request(r, "a partitioned send that is active", call);
    /* Held for the whole range: a lock for each partition would cost more than the marks. */
    pthread_mutex_lock(&p->lock);
    for (int64_t i = 0; i < count && result == HN_OK; i++) {
        which = list ? list[i] : first + (int)i;
        result = make_ready(r, which);
    }
    pthread_mutex_unlock(&p->lock);
    if (result != HN_EARG)
        return ERROR_HN(r->comm, result, call);
    int error = check_partition(r, which, call);
    return error != MPI_SUCCESS
               ? error
               : error_on(r->comm, MPI_ERR_ARG, call, "the partition %d is ready already", which);
}

/* MPI 4.1, ch. 4. The partition must not change any more until the request is complete. */
MPI_DEFINE(int, Pready, (int partition, MPI_Request request))
{
    return make_all_ready(request, NULL, partition, 1, MPI_CALL);
}

/* Both ends are included. The count is computed in 64 bits: the range may have INT_MAX + 1
 * members. */
MPI_DEFINE(int, Pready_range, (int partition_low, int partition_high, MPI_Request request))
{
    if (partition_low < 0 || partition_high < partition_low)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "there is no range %d ... %d", partition_low,
                        partition_high);
    return make_all_ready(request, NULL, partition_low, (int64_t)partition_high - partition_low + 1,
                          MPI_CALL);
}

/* In the order of the list. */
MPI_DEFINE(int, Pready_list, (int length, const int array_of_partitions[], MPI_Request request))
{
    if (length < 0 || (length > 0 && !array_of_partitions))
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no list of %d partitions", length);
    return make_all_ready(request, array_of_partitions, 0, length, MPI_CALL);
}

/* ---- receives ------------------------------------------------------------------------------- */

/* The internal context `inner` separates these tags from the program's. */
static int receive_all(struct mpi_request *r)
{
    const struct partitions *p = r->arg;

    wire_free(&r->wire);
    if (!wire_room(&r->wire, r->message.type, r->message.count, r->message.data))
        return HN_ENOMEM;
    return IN_CONTEXT(r->comm->inner, hn_irecv_cut(peer_of(r), p->number, r->wire.data,
                                                   r->wire.count, r->wire.type, &r->hn));
}

/* At the first start the number may not have arrived yet; then the request of hnow for it is the
 * first step, and came() posts the receive of the data. */
static int start_receive(struct mpi_request *r)
{
    struct partitions *p = r->arg;

    r->outcome = has_peer(r) ? outcome_empty : outcome_nobody;
    if (!has_peer(r)) {
        request_done(r, MPI_SUCCESS);
        return HN_OK;
    }
    if (p->number)
        return receive_all(r);
    /* Ownership passes to the request, and came() is called when the number is known. */
    r->hn = p->announced;
    p->announced = NULL;
    return r->hn ? HN_OK : HN_ESTATE; /* the number could not be received */
}

/* The request has received the number, or the message. The status has the program's tag, not the
 * internal number. A failed step ends the request, since r->hn is NULL. */
static void came(struct mpi_request *r, int result, const hn_info *info)
{
    struct partitions *p = r->arg;

    if (result == HN_ECANCEL)
        return;
    /* The number is known, so this was the message. */
    if (p->number) {
        message_received(r, result, info);
        r->outcome.tag = r->message.tag;
        return;
    }
    /* `told` was received as HN_INT32, so byte orders do not matter. */
    if (result == HN_OK) {
        p->number = p->told;
        result = receive_all(r);
    }
    r->outcome.error = error_class_hn(result);
}

static const struct request_way receiving = {.next = came,
                                             .start = start_receive,
                                             .release = release,
                                             .cancel = cancel,
                                             .has_steps = true,
                                             .is_shared = true};

/* The whole message arrives at once, so the flag is the same for all partitions. */
MPI_DEFINE(int, Parrived, (MPI_Request request, int partition, int *flag))
{
    struct mpi_request *r = request_of(request);
    struct partitions *p = r && r->way == &receiving ? r->arg : NULL;

    if (!flag || (!p && request != MPI_REQUEST_NULL))
        return flag ? no_request(r, "a partitioned receive", MPI_CALL)
                    : error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    int error = p ? check_partition(r, partition, MPI_CALL) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        return error;
    *flag = !p || request_test(r); /* also true if nothing is in progress */
    return MPI_SUCCESS;
}

/* ---- construction --------------------------------------------------------------------------- */

/* Returns a number that this task uses for no other request's messages. Thread-safe. With
 * compare-and-exchange the counter never passes INT_MAX, so numbers are not used twice; 0 means
 * that all are used up. */
static int new_number(void)
{
    static int numbers = COMM_TAG_PARTITIONED; /* INT_MAX: all numbers are used */
    int number = __atomic_load_n(&numbers, __ATOMIC_RELAXED);

    while (number < INT_MAX && !__atomic_compare_exchange_n(&numbers, &number, number + 1, true,
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return number < INT_MAX ? number : 0;
}

/* Matches the two sides.  Returns HN_OK or an error. The sender's hn_send() does not wait for the
 * receiver, so preparing is local as the standard demands (MPI 4.1, 4.2.1). */
static int announce(struct mpi_request *r)
{
    struct partitions *p = r->arg;
    bool sends = r->way == &sending;

    if (!has_peer(r))
        return HN_OK;
    /* A receiver's number is 0 until its first step has completed. */
    p->told = p->number = sends ? new_number() : 0;
    if (sends && !p->number)
        return HN_ENOMEM;
    return IN_CONTEXT(
        r->comm->inner + 2, /* the context of numbers */
        sends ? hn_send(peer_of(r), r->message.tag, &p->told, 1, HN_INT32)
              : hn_irecv(peer_of(r), r->message.tag, &p->told, 1, HN_INT32, &p->announced));
}

/* NULL: out of memory. The + 1 keeps 0 partitions apart from an allocation that fails. */
static struct partitions *new_partitions(int count)
{
    struct partitions *p = calloc(1, sizeof *p);

    if (!p || !(p->ready = calloc((size_t)count + 1, sizeof *p->ready))) {
        free(p);
        return NULL;
    }
    p->count = count;
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

/* On failure the request is dropped and *request is MPI_REQUEST_NULL. The total of all partitions
 * must fit into MPI_Count. */
static int prepare(const void *buf, int partitions, MPI_Count count, MPI_Datatype type, int peer,
                   int tag, MPI_Comm comm, MPI_Info info, const struct request_way *way,
                   MPI_Request *request, const char *call)
{
    struct message_call m;
    struct mpi_request *r;
    MPI_Count all = 0;
    bool fits = partitions >= 0 && !__builtin_mul_overflow(count, partitions, &all);
    /* receiving is false on both sides, since partitioned calls have no wildcards (MPI 4.1,
     * 4.2.1). */
    int error = message_parse(&m, buf, fits ? all : count, type, peer, tag, comm, false, call);

    if (error == MPI_SUCCESS && !fits)
        error =
            error_on(m.c, partitions < 0 ? MPI_ERR_ARG : MPI_ERR_COUNT, call,
                     "there are no %d partitions of %lld elements", partitions, (long long)count);
    if (error == MPI_SUCCESS)
        error = info_check(m.c, info, call);
    if (error == MPI_SUCCESS)
        error = message_prepare(&m, 0, way, request, call);
    if (error != MPI_SUCCESS)
        return error;
    r = request_of(*request);
    /* Which partitions are ready. */
    r->arg = new_partitions(partitions);
    int result = r->arg ? announce(r) : HN_ENOMEM;
    if (result == HN_OK)
        return MPI_SUCCESS;
    /* The request is inactive, so it is freed at once. release() accepts a missing r->arg. */
    request_drop(r);
    *request = MPI_REQUEST_NULL;
    return error_hn(m.c, result, call);
}

/* MPI 4.1, 4.2.1. `count` elements in each partition. */
MPI_DEFINE(int, Psend_init,
           (const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest,
            int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request))
{
    return prepare(buf, partitions, count, datatype, dest, tag, comm, info, &sending, request,
                   MPI_CALL);
}

/* MPI 4.1, 4.2.1. The sender may have another number of partitions. */
MPI_DEFINE(int, Precv_init,
           (void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
{
    return prepare(buf, partitions, count, datatype, source, tag, comm, info, &receiving, request,
                   MPI_CALL);
}
