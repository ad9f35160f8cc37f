/* mpi_message.c - sends and receives of all kinds (mpi_message.h).
 *
 * A message of equal, contiguous basic elements is sent from and received into the program's
 * buffer; all others are packed and unpacked here. hnow matches messages: the context is the
 * communicator's.  Receives use hn_recv_cut(), which accepts any length and type, as MPI requires.
 *
 * The path of a message: message_parse() turns handles into objects; wire_pack() or wire_room()
 * finds the data's place in wire format; one call of hnow carries it. A receive ends in
 * received(), for blocking and nonblocking calls alike.
 * A nonblocking operation keeps its arguments in the request (message_plan). Persistent requests
 * use them again at each start.
 */
#include "message/mpi_message.h"

#include "communicator/mpi_failure.h"

/* ---- arguments ------------------------------------------------------------------------------ */

/* Ranks refer to the remote group of an intercommunicator. Every tag up to INT_MAX is valid
 * (MPI_TAG_UB). */
static int check_peer(const struct message_call *m, bool receiving, const char *call)
{
    const struct message_plan *p = &m->plan;
    int size = comm_peers(m->c)->size;

    /* Special values are outside 0 ... size - 1 in every ABI. */
    if ((p->peer < 0 || p->peer >= size) && p->peer != MPI_PROC_NULL &&
        !(receiving && p->peer == MPI_ANY_SOURCE))
        return error_on(m->c, MPI_ERR_RANK, call, "the rank %d is not in 0 ... %d", p->peer,
                        size - 1);
    if (p->tag < 0 && !(receiving && p->tag == MPI_ANY_TAG))
        return error_on(m->c, MPI_ERR_TAG, call, "the tag %d is negative", p->tag);
    return MPI_SUCCESS;
}

/* MPI_IN_PLACE is an address that only collective operations accept. */
int message_check_data(struct mpi_comm *c, const void *data, MPI_Count count,
                       const struct mpi_type *t, const char *call)
{
    if (count == 0 || (data != MPI_IN_PLACE && (data || !t->object.named)))
        return MPI_SUCCESS;
    return error_on(c, MPI_ERR_BUFFER, call, "there is no buffer for %lld elements",
                    (long long)count);
}

/* Checks all arguments of a message. Returns MPI_SUCCESS, or an error that has been reported. */
int message_parse(struct message_call *m, const void *data, MPI_Count count, MPI_Datatype type,
                  int peer, int tag, MPI_Comm comm, bool receiving, const char *call)
{
    /* An empty message may have no type: MPICH accepts that, and programs rely on it. */
    MPI_Datatype used = count == 0 && type == MPI_DATATYPE_NULL ? MPI_BYTE : type;
    int error = MPI_SUCCESS;

    m->c = comm_of(comm);
    if (!m->c)
        return error_no_comm(comm, call);
    /* MPIX: every call on a revoked communicator fails, also before other errors. */
    if (comm_is_revoked(m->c))
        return error_revoked(m->c, call);
    /* MPI 4.1, 3.11: a message to or from MPI_PROC_NULL completes at once and touches no buffer. */
    if (peer == MPI_PROC_NULL) { /* nothing but the tag is checked */
        m->plan = (struct message_plan){.type = type_of(MPI_BYTE), .peer = peer, .tag = tag};
        return check_peer(m, receiving, call);
    }
    if (count < 0)
        return error_on(m->c, MPI_ERR_COUNT, call, "the count %lld is negative", (long long)count);
    m->plan = (struct message_plan){.data = (void *)data,
                                    .count = (size_t)count,
                                    .type = type_for_data(m->c, used, call, &error),
                                    .peer = peer,
                                    .tag = tag};
    if (!m->plan.type)
        return error;
    /* Data first, then rank and tag: only the first error is reported. */
    error = message_check_data(m->c, data, count, m->plan.type, call);
    return error == MPI_SUCCESS ? check_peer(m, receiving, call) : error;
}

/* With a single possible sender, a receive from any source ends when that one has failed. */
hn_tid message_peer(const struct message_call *m)
{
    const struct mpi_group *peers = comm_peers(m->c);

    if (m->plan.peer != MPI_ANY_SOURCE)
        return peers->tids[m->plan.peer];
    return peers->size == 1 ? peers->tids[0] : HN_ANY;
}

int message_tag(const struct message_call *m)
{
    return m->plan.tag == MPI_ANY_TAG ? HN_ANY : m->plan.tag;
}

/* Reported to the program instead of ending the job: large packed messages may be retried in
 * parts. */
static int no_memory(const struct message_call *m, const char *call)
{
    return error_on(m->c, MPI_ERR_NO_MEM, call, "no memory to pack %zu elements of %lld bytes",
                    m->plan.count, (long long)m->plan.type->size);
}

/* The source becomes a rank of the communicator. */
struct outcome message_outcome(const struct mpi_comm *c, const hn_info *info)
{
    return (struct outcome){.source = group_rank_of(comm_peers(c), info->from),
                            .tag = info->tag,
                            .error = MPI_SUCCESS,
                            .type = info->type,
                            .count = info->count};
}

/* ---- blocking ------------------------------------------------------------------------------- */

/* A synchronous send completes only after a matching receive has been started; hnow acknowledges
 * when that receive has the message. This wait comes first, because it takes longer. Both requests
 * are always waited for: `data` must not be in use when the caller frees it. */
static int send_synchronously(const struct message_call *m, const struct wire *w)
{
    hn_request *sent, *taken;
    int result = hn_issend(message_peer(m), m->plan.tag, w->data, w->count, w->type, &sent, &taken);

    if (result != HN_OK)
        return result;
    /* A receiver that fails ends this wait with an error; then `sent` ends as well. */
    result = hn_wait(taken, NULL);
    int other = hn_wait(sent, NULL);
    return result != HN_OK ? result : other;
}

/* A buffered send needs an attached buffer, unless it sends nothing. */
static int check_buffer(const struct message_call *m, int mode, const char *call)
{
    if (mode != SEND_BUFFERED || m->plan.peer == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return buffer_check(m->c, m->plan.count * (size_t)m->plan.type->size, call);
}

/* A standard send of hnow copies what it cannot write at once, so it returns without the
 * receiver. */
int message_send(const struct message_call *m, int mode, const char *call)
{
    struct wire w;
    int result = check_buffer(m, mode, call);

    if (result != MPI_SUCCESS || m->plan.peer == MPI_PROC_NULL)
        return result;
    /* Contiguous data of a portable type is not copied here. */
    if (!wire_pack(&w, m->plan.type, m->plan.count, m->plan.data))
        return no_memory(m, call);
    result = IN_CONTEXT(m->c->context,
                        mode == SEND_SYNCHRONOUS
                            ? send_synchronously(m, &w)
                            : hn_send(message_peer(m), m->plan.tag, w.data, w.count, w.type));
    /* The send has copied what it could not write. */
    wire_free(&w);
    return ERROR_HN(m->c, result, call);
}

/* Fills in the outcome of a receive, also of a failed one; *result includes that of unpacking.  In
 * most receives the source is known: the one that was requested. A truncated message fills the
 * buffer and reports the room as its length. After any other error source, tag and count keep their
 * initial values. */
static void received(const struct mpi_comm *c, const struct message_plan *p, struct wire *w,
                     int *result, const hn_info *info, struct outcome *o)
{
    if (*result == HN_OK || *result == HN_ETRUNC) {
        o->source = p->peer == MPI_ANY_SOURCE ? group_rank_of(comm_peers(c), info->from) : p->peer;
        o->tag = info->tag;
        /* After a truncation the status counts what was stored and not what was sent. */
        o->type = *result == HN_OK ? info->type : w->type;
        o->count = *result == HN_OK ? info->count : w->count;
        int unpacked = wire_unpack(w, p->type, p->count, p->data, o->count, o->type);
        *result = *result == HN_OK ? unpacked : *result;
    }
    /* The class of both: of the transfer or, if that was complete, of the conversion. */
    o->error = error_class_hn(*result);
}

/* For MPI_ANY_SOURCE, failure_await() first waits until a message is available, and returns an
 * error if a member fails meanwhile. A receive from one task is ended by hnow itself when that task
 * ends. */
int message_receive(const struct message_call *m, MPI_Status *status, const char *call)
{
    struct outcome o = outcome_empty;
    hn_info info = {0};
    hn_context before;
    struct wire w;
    int result;

    if (m->plan.peer == MPI_PROC_NULL) {
        status_put(status, &outcome_nobody);
        return MPI_SUCCESS;
    }
    if (!wire_room(&w, m->plan.type, m->plan.count, m->plan.data))
        return no_memory(m, call);
    /* Both calls of hnow below use it; a probe and a receive in different contexts would not
     * meet. */
    before = hn_set_context(m->c->context);
    result = m->plan.peer == MPI_ANY_SOURCE ? failure_await(m->c, message_tag(m)) : HN_OK;
    if (result == HN_OK)
        result = hn_recv_cut(message_peer(m), message_tag(m), w.data, w.count, w.type, &info);
    hn_set_context(before);
    /* Context and receive are finished before the error handler runs, since it may call MPI. */
    received(m->c, &m->plan, &w, &result, &info, &o);
    status_put(status, &o);
    wire_free(&w);
    return ERROR_HN(m->c, result, call);
}

/* ---- nonblocking ---------------------------------------------------------------------------- */

static int start_send(struct mpi_request *r);
static int start_receive(struct mpi_request *r);

/* A synchronous send has two requests of hnow: one for the receiver's acknowledgement, then one for
 * the buffer. The second call, for the buffer, finds r->arg NULL and thereby ends the operation. An
 * error of the first request is kept. Packed data of a persistent request stays allocated until the
 * next start. */
static void sent(struct mpi_request *r, int result, const hn_info *info)
{
    (void)info;
    /* A standard send has arg NULL, so its first call ends it. */
    r->hn = r->arg;
    r->arg = NULL;
    if (r->outcome.error == MPI_SUCCESS)
        r->outcome.error = error_class_hn(result);
    if (!r->hn && !r->persistent)
        wire_free(&r->wire);
}

void message_received(struct mpi_request *r, int result, const hn_info *info)
{
    received(r->comm, &r->message, &r->wire, &result, info, &r->outcome);
}

/* A cancelled receive has completed with the flag that MPI_Test_cancelled() reads, and without an
 * error. */
static void came(struct mpi_request *r, int result, const hn_info *info)
{
    if (result == HN_ECANCEL)
        r->outcome.cancelled = true;
    else
        message_received(r, result, info);
}

/* The request still has to be completed by a wait or test (MPI 4.1, 3.8.4). If the message has
 * arrived already, hn_cancel() has no effect. Sends have no `cancel`, so MPI_Cancel() does nothing
 * on them: cancelling sends is deprecated since MPI 4.0. */
static int cancel_receive(struct mpi_request *r)
{
    if (r->hn)
        hn_cancel(r->hn);
    return MPI_SUCCESS;
}

/* Sends, also persistent ones. */
static const struct request_way sending = {.next = sent, .start = start_send};
/* Receives, also persistent ones; these can be cancelled. */
static const struct request_way receiving = {
    .next = came, .start = start_receive, .cancel = cancel_receive};

/* The arguments of a request as a call, for the functions that both use. */
static struct message_call call_of(const struct mpi_request *r)
{
    return (struct message_call){r->comm, r->message};
}

/* Starts the send of a new or a persistent request. A persistent request is packed anew at each
 * start, because the program may have changed the buffer. */
static int start_send(struct mpi_request *r)
{
    struct message_call m = call_of(r);
    hn_request *taken = NULL;
    int result;

    r->outcome = outcome_empty;
    if (m.plan.peer == MPI_PROC_NULL) {
        request_done(r, MPI_SUCCESS);
        return HN_OK;
    }
    /* That of the previous start. */
    wire_free(&r->wire);
    if (!wire_pack(&r->wire, m.plan.type, m.plan.count, m.plan.data))
        return HN_ENOMEM;
    result =
        IN_CONTEXT(r->comm->context, m.plan.mode == SEND_SYNCHRONOUS
                                         ? hn_issend(message_peer(&m), m.plan.tag, r->wire.data,
                                                     r->wire.count, r->wire.type, &r->hn, &taken)
                                         : hn_isend(message_peer(&m), m.plan.tag, r->wire.data,
                                                    r->wire.count, r->wire.type, &r->hn));
    /* The acknowledgement is awaited first; sent() then continues with the buffer's request. */
    if (taken) {
        r->arg = r->hn;
        r->hn = taken;
    }
    return result;
}

/* The room from an earlier start is freed first: its size may be the same, but its contents belong
 * to the completed message. */
static int start_receive(struct mpi_request *r)
{
    struct message_call m = call_of(r);

    r->outcome = outcome_empty;
    if (m.plan.peer == MPI_PROC_NULL) {
        r->outcome = outcome_nobody;
        request_done(r, MPI_SUCCESS);
        return HN_OK;
    }
    wire_free(&r->wire);
    if (!wire_room(&r->wire, m.plan.type, m.plan.count, m.plan.data))
        return HN_ENOMEM;
    /* The buffer's room is fixed now; a longer message is cut to it, with MPI_ERR_TRUNCATE. */
    return IN_CONTEXT(r->comm->context,
                      hn_irecv_cut(message_peer(&m), message_tag(&m), r->wire.data, r->wire.count,
                                   r->wire.type, &r->hn));
}

/* Makes a request for a message without starting it. The request holds the datatype, which the
 * program may free before completion (MPI 4.1, 5.1.9). */
static struct mpi_request *prepare(const struct message_call *m, int mode,
                                   const struct request_way *way)
{
    struct mpi_request *r = request_begin(m->c, way);

    if (!r)
        return NULL;
    r->message = m->plan;
    r->message.mode = mode;
    object_hold(m->plan.type);
    return r;
}

/* Makes and starts a request.  On failure returns NULL, and *error is the code of error_on(). */
static struct mpi_request *begin(const struct message_call *m, int mode,
                                 const struct request_way *way, const char *call, int *error)
{
    struct mpi_request *r = prepare(m, mode, way);
    int result = r ? way->start(r) : HN_ENOMEM;

    *error = MPI_SUCCESS;
    if (result == HN_OK)
        return r;
    /* Never returned to the program, so it is freed instead of completed. */
    if (r)
        object_drop(r);
    *error = error_hn(m->c, result, call);
    return NULL;
}

/* Only for a null pointer of the program; the C interface gives no other way to omit it. */
static int no_place(const struct message_call *m, const char *call)
{
    return error_on(m->c, MPI_ERR_REQUEST, call, "there is no place for the request");
}

/* Messages up to this many bytes are copied by hn_send() at once.  Even if all requests of a
 * program are such sends (SLOTS_MOST), hnow can keep copies of them, so the call does not block.
 * Such sends share one complete request, which saves making one. */
enum { SENT_AT_ONCE = 256 };

/* A short message leaves at once. Its request is shared by all such sends, and complete. */
int message_start_send(const struct message_call *m, int mode, MPI_Request *request,
                       const char *call)
{
    size_t size = (size_t)m->plan.type->size;
    struct mpi_request *r;
    int error;

    if (!request)
        return no_place(m, call);
    /* Count and size are compared separately first, so that their product cannot overflow. */
    if ((mode == SEND_STANDARD || mode == SEND_READY) && request_sent && size <= SENT_AT_ONCE &&
        m->plan.count <= SENT_AT_ONCE && m->plan.count * size <= SENT_AT_ONCE) {
        error = message_send(m, mode, call);
        if (error == MPI_SUCCESS)
            *request = request_sent->object.handle;
        return error;
    }
    /* A request is needed: longer data stays in the program's buffer until hnow has written it. */
    error = check_buffer(m, mode, call);
    if (error == MPI_SUCCESS && (r = begin(m, mode, &sending, call, &error)))
        *request = r->object.handle;
    return error;
}

/* NULL: *error has been reported. */
struct mpi_request *message_post(const struct message_call *m, const char *call, int *error)
{
    return begin(m, 0, &receiving, call, error);
}

int message_start_receive(const struct message_call *m, MPI_Request *request, const char *call)
{
    struct mpi_request *r;
    int error;

    if (!request)
        return no_place(m, call);
    if ((r = begin(m, 0, &receiving, call, &error)))
        *request = r->object.handle;
    return error;
}

/* MPI 4.1, 3.9. The request is made, but inactive: a wait returns at once, and only MPI_Start()
 * activates it. */
int message_prepare(const struct message_call *m, int mode, const struct request_way *way,
                    MPI_Request *request, const char *call)
{
    struct mpi_request *r;

    if (!request)
        return no_place(m, call);
    r = prepare(m, mode, way);
    if (!r)
        return error_on(m->c, MPI_ERR_NO_MEM, call, "no memory for the request");
    /* Nothing is allocated for the data yet; each start packs it or makes room. */
    r->active = false;
    r->persistent = true;
    *request = r->object.handle;
    return MPI_SUCCESS;
}

/* Buffered ones are not checked against the attached buffer, neither here nor at a start. */
int message_prepare_send(const struct message_call *m, int mode, MPI_Request *request,
                         const char *call)
{
    return message_prepare(m, mode, &sending, request, call);
}

int message_prepare_receive(const struct message_call *m, MPI_Request *request, const char *call)
{
    return message_prepare(m, 0, &receiving, request, call);
}
