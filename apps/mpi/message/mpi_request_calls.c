/* mpi_request_calls.c - nonblocking calls about one request or status.
 *
 * MPI_Start() is MPI 4.1, 3.9; MPI_Cancel() 3.8.4; generalized requests 13.2; access to statuses
 * 3.2.5 and 13.3.
 *
 * A generalized request is completed by the program. So two events can end it, in either order
 * and in different threads: the completion and the loss of the handle. The state in struct
 * general decides which of the two frees it.
 */
#include "message/mpi_request.h"

#include <stdlib.h>

static int no_request(const MPI_Request *request, const char *call)
{
    if (request && *request == MPI_REQUEST_NULL)
        return error_on(NULL, MPI_ERR_REQUEST, call, "the request is MPI_REQUEST_NULL");
    return error_on(NULL, MPI_ERR_REQUEST, call,
                    "not a request, or it has completed or been freed");
}

/* The request is active before `start` runs, because a start may complete it at once. On failure it
 * is inactive again and can be started once more. */
MPI_DEFINE(int, Start, (MPI_Request * request))
{
    struct mpi_request *r = request ? request_of(*request) : NULL;
    int result;

    if (!r || !r->persistent)
        return no_request(request, MPI_CALL);
    if (r->active)
        return error_on(r->comm, MPI_ERR_REQUEST, MPI_CALL, "the request is active");
    /* A wait in another thread may begin now; `done` is cleared before the operation starts. */
    r->active = true;
    r->done = false;
    result = r->way->start(r);
    if (result == HN_OK)
        return MPI_SUCCESS;
    /* The program may start it again. */
    r->active = false;
    return error_hn(r->comm, result, MPI_CALL);
}

/* The requests before a faulty one stay started. */
MPI_DEFINE(int, Startall, (int count, MPI_Request requests[]))
{
    int error = MPI_SUCCESS;

    if (count < 0 || (count > 0 && !requests))
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no list of %d requests", count);
    for (int i = 0; i < count && error == MPI_SUCCESS; i++)
        error = PMPI_Start(&requests[i]);
    return error;
}

/* Local and without effect on a completed request. Shared requests (partitioned messages, windows)
 * cannot be cancelled while they are active. */
MPI_DEFINE(int, Cancel, (MPI_Request * request))
{
    struct mpi_request *r = request ? request_of(*request) : NULL;

    if (!r)
        return no_request(request, MPI_CALL);
    if (r->active && r->way->is_shared)
        return error_on(r->comm, MPI_ERR_REQUEST, MPI_CALL, "such a request cannot be cancelled");
    /* Kinds without `cancel` ignore the call: MPI 4.1, 3.8.4 allows an operation to complete
     * instead. */
    return r->active && r->way->cancel ? r->way->cancel(r) : MPI_SUCCESS;
}

/* ---- generalized requests: a thread of the program completes them --------------------------- */

/* Owned by the request as r->arg. `extra` and the functions belong to the program. */
struct general {
    struct request_functions functions;
    /* GENERAL_...; changed with atomic exchanges only. */
    int state;
    bool over; /* the program's function to free it has been called */
};

/* ENDED: MPI_Grequest_complete() was called; FREED: MPI_Request_free() was called first. */
enum { GENERAL_OPEN, GENERAL_ENDED, GENERAL_FREED };

/* Changes the state and returns the previous one.  MPI_Grequest_complete() and MPI_Request_free()
 * may run concurrently; the later one releases the request. */
static int change_state(const struct mpi_request *r, int state)
{
    return __atomic_exchange_n(&((struct general *)r->arg)->state, state, __ATOMIC_ACQ_REL);
}

/* Not atomic: a program must not end a request in two threads. */
static int end_general(struct mpi_request *r)
{
    struct general *g = r->arg;

    if (g->over)
        return MPI_SUCCESS;
    g->over = true;
    return g->functions.release(g->functions.extra);
}

/* Also reached if the request never was waited for; then the free function runs here and its error
 * is lost. */
static void release_general(struct mpi_request *r)
{
    end_general(r);
    free(r->arg);
}

/* Frees a request that the program has both completed and freed.  Returns its function's error. */
static int retire_general(struct mpi_request *r, const char *call)
{
    /* Before the object goes, as the function's argument may refer to it. */
    int error = end_general(r);

    object_retire(r);
    return error == MPI_SUCCESS ? error : error_on(NULL, error, call, "free_fn has failed");
}

/* The program's function learns whether the request is complete already; then it must do
 * nothing. */
static int cancel_general(struct mpi_request *r)
{
    struct general *g = r->arg;

    return g->functions.cancel(g->functions.extra, r->done);
}

/* Asks the program for the status of a generalized request that it has completed. The query
 * function may be called repeatedly, by MPI_Request_get_status() and then by a wait. Its status
 * starts as the empty one, so that fields it leaves out are defined. */
static void ask_general(struct mpi_request *r)
{
    struct general *g = r->arg;
    MPI_Status status = {0};
    int type, cancelled;

    status_put_error(&status, &outcome_empty);
    /* The query's result is the error of the operation (MPI 4.1, 13.2). */
    r->outcome.error = g->functions.query(g->functions.extra, &status);
    r->outcome.source = status.MPI_SOURCE;
    r->outcome.tag = status.MPI_TAG;
    r->outcome.count = handle_count(&status, &type, &cancelled);
    r->outcome.type = type;
    r->outcome.cancelled = cancelled;
}

/* Generalized requests (MPI 4.1, 13.2). */
static const struct request_way general = {.release = release_general,
                                           .ask = ask_general,
                                           .end = end_general,
                                           .cancel = cancel_general,
                                           .has_steps = true};

/* The request has no request of hnow: waits poll its flag, with pauses of request_pause(). */
MPI_DEFINE(int, Grequest_start,
           (MPI_Grequest_query_function * query, MPI_Grequest_free_function *release,
            MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request))
{
    if (!query || !release || !cancel || !request)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no function, or no place for the request");
    struct general *g = malloc(sizeof *g);
    struct mpi_request *r = g ? request_begin(NULL, &general) : NULL;
    if (!r) {
        free(g);
        return error_on(NULL, MPI_ERR_NO_MEM, MPI_CALL, "no memory for the request");
    }
    /* The functions must stay valid until the free function has run. */
    *g = (struct general){{query, release, cancel, extra}, GENERAL_OPEN, false};
    r->arg = g;
    *request = r->object.handle;
    return MPI_SUCCESS;
}

/* NULL: it is no generalized request (MPI 4.1, 13.2). */
struct request_functions *request_functions(MPI_Request request)
{
    struct mpi_request *r = request_of(request);

    return r && r->way == &general ? &((struct general *)r->arg)->functions : NULL;
}

/* May run in any thread, also inside a handler. Only the flag is set; the thread that waits ends
 * the request. */
MPI_DEFINE(int, Grequest_complete, (MPI_Request request))
{
    struct mpi_request *r = request_of(request);

    if (!r || r->way != &general)
        return no_request(&request, MPI_CALL);
    if (change_state(r, GENERAL_ENDED) == GENERAL_FREED)
        return retire_general(r, MPI_CALL);
    /* The outcome is not filled in here: ask_general() does so in the thread that needs it. */
    __atomic_store_n(&r->done, true, __ATOMIC_RELEASE);
    return MPI_SUCCESS;
}

/* The program still needs the handle of a generalized request, in order to complete it. So the
 * object is kept, although the program's variable becomes MPI_REQUEST_NULL; a copy of the handle
 * stays valid. */
MPI_DEFINE(int, Request_free, (MPI_Request * request))
{
    struct mpi_request *r = request ? request_of(*request) : NULL;

    if (!r)
        return no_request(request, MPI_CALL);
    *request = MPI_REQUEST_NULL;
    /* Other kinds end in the background if they are incomplete. */
    if (r->way != &general)
        request_drop(r);
    else if (change_state(r, GENERAL_FREED) == GENERAL_ENDED)
        return retire_general(r, MPI_CALL);
    return MPI_SUCCESS;
}

/* ---- statuses ------------------------------------------------------------------------------- */

static int no_status(const char *call)
{
    return error_on(NULL, MPI_ERR_ARG, call, "there is no status, or no place for the answer");
}

/* MPI 4.1, 3.8.4. */
MPI_DEFINE(int, Test_cancelled, (const MPI_Status *status, int *flag))
{
    int type;

    if (status_ignored(status) || !flag)
        return no_status(MPI_CALL);
    handle_count(status, &type, flag);
    return MPI_SUCCESS;
}

/* The count shares its fields with the flag in some ABIs, so it is read and stored again. */
MPI_DEFINE(int, Status_set_cancelled, (MPI_Status * status, int flag))
{
    int type, before;
    uint64_t count;

    if (status_ignored(status))
        return no_status(MPI_CALL);
    count = handle_count(status, &type, &before);
    handle_put_count(status, count, type, flag != 0);
    return MPI_SUCCESS;
}

#define STATUS_FIELD(name, field)                                                                  \
    MPI_DEFINE(int, Status_get_##name, (const MPI_Status *status, int *name))                      \
    {                                                                                              \
        if (status_ignored(status) || !name)                                                       \
            return no_status(MPI_CALL);                                                            \
        *name = status->field;                                                                     \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    MPI_DEFINE(int, Status_set_##name, (MPI_Status * status, int name))                            \
    {                                                                                              \
        if (status_ignored(status))                                                                \
            return no_status(MPI_CALL);                                                            \
        status->field = name;                                                                      \
        return MPI_SUCCESS;                                                                        \
    }

/* MPI 4.1, 3.2.5: for languages that cannot read the fields. */
STATUS_FIELD(source, MPI_SOURCE)
STATUS_FIELD(tag, MPI_TAG)
STATUS_FIELD(error, MPI_ERROR)
