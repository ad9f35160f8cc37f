/* mpi_complete.c - MPI_Wait(), MPI_Test() and their variants for several requests.
 *
 * MPI 4.1, 3.7.3 to 3.7.6. A call looks up its requests, waits or tests, and then concludes those
 * that are complete: status, error, handle. The errors of a list are in its statuses, and the call
 * returns MPI_ERR_IN_STATUS. All lists cost O(n) for each change of one request; lists of up to
 * LIST_SMALL need no memory.
 *
 * The nine calls about lists differ in two ways: how many requests they end (all, any, some),
 * and whether they wait, test, or only look. So three functions take the second as an argument.
 * Waiting is driven by hnow: request_wait() for a single request, hn_waitany() for several.
 * Requests that another thread completes are polled, since hnow does not know them.
 */
#include "message/mpi_request.h"

#include <stdlib.h>

/* Looks up the request of a call; *r is NULL for MPI_REQUEST_NULL and for an inactive persistent
 * one. Inactive and null requests are treated alike: the call returns at once with an empty status
 * (MPI 4.1, 3.7.3). */
static int look_up(const MPI_Request *request, struct mpi_request **r, const char *call)
{
    *r = NULL;
    if (!request)
        return error_on(NULL, MPI_ERR_REQUEST, call, "no request");
    if (*request == MPI_REQUEST_NULL)
        return MPI_SUCCESS;
    *r = request_of(*request);
    if (!*r)
        return error_on(NULL, MPI_ERR_REQUEST, call,
                        "%p is not a request, or it has completed or been freed",
                        handle_shown(*request));
    /* A persistent request that was not started, or has completed. */
    if (!(*r)->active)
        *r = NULL;
    return MPI_SUCCESS;
}

/* Ensures that the status of r, which is complete, is available. Only generalized requests have
 * `ask` (MPI 4.1, 13.2): the program fills in their status. */
static void ask(struct mpi_request *r)
{
    if (r->way->ask)
        r->way->ask(r);
}

/* The same for a request that ends now.  The last error counts. MPI 4.1, 13.2: the free function of
 * a generalized request runs after the query function, once. */
static void settle(struct mpi_request *r)
{
    ask(r);
    int error = r->way->end ? r->way->end(r) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        r->outcome.error = error;
}

/* Ends r for the program: its handle becomes MPI_REQUEST_NULL, or a persistent request becomes
 * inactive.  Returns the operation's error without calling the error handler.  A request that
 * occurs twice in a list ends once. */
static int conclude(struct mpi_request *r, MPI_Request *request, MPI_Status *status,
                    bool with_error)
{
    /* The second entry of the same request in a list gets the empty status. */
    const struct outcome *o = r->active ? &r->outcome : &outcome_empty;
    int error = o->error;
    bool again = !r->active;

    /* Calls about one request must leave MPI_ERROR alone (MPI 4.1, 3.2.5). */
    if (with_error)
        status_put_error(status, o);
    else
        status_put(status, o);
    /* The shared request of completed sends is never changed, because several threads may use
     * it. */
    if (r != request_sent)
        r->active = r->done = false;
    /* The handle goes even if the entry is the second one of its request. */
    if (!r->persistent)
        *request = MPI_REQUEST_NULL;
    if (!r->persistent && !again)
        object_retire(r);
    return error;
}

/* As conclude(), for a call about one request: also calls the error handler. The communicator is
 * held over the error handler and the end of the request: it may be the last reference to it. The
 * handler runs before the request ends, and so before the status is written. */
static int conclude_one(struct mpi_request *r, MPI_Request *request, MPI_Status *status,
                        const char *call)
{
    struct mpi_comm *c = r->comm;
    int error, code;

    /* May run functions of the program, for a generalized request; their errors count as well. */
    settle(r);
    error = code = r->outcome.error;

    if (c)
        object_hold(c);
    if (error != MPI_SUCCESS)
        /* The text is that of the last error in this thread, which need not be this operation's. */
        code = error_on(c, error, call, "%s",
                        error == MPI_ERR_TRUNCATE ? "the message was longer than the buffer"
                                                  : hn_error_text());
    conclude(r, request, status, false);
    if (c)
        object_drop(c);
    return code;
}

/* MPI_ERROR of an empty status is set, so that programs that read it find MPI_SUCCESS. */
MPI_DEFINE(int, Wait, (MPI_Request * request, MPI_Status *status))
{
    struct mpi_request *r;
    int error = look_up(request, &r, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (!r) {
        status_put_error(status, &outcome_empty);
        return MPI_SUCCESS;
    }
    /* Other threads may wait at the same time for other requests; one of them drives the loop. */
    request_wait(r);
    return conclude_one(r, request, status, MPI_CALL);
}

/* MPI 4.1, 3.7.3. An inactive request is complete, with an empty status. */
MPI_DEFINE(int, Test, (MPI_Request * request, int *flag, MPI_Status *status))
{
    struct mpi_request *r;
    int error = look_up(request, &r, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (!flag)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    /* request_test() drives the event loop once, so a loop of tests makes progress. */
    *flag = !r || request_test(r);
    if (!r)
        status_put_error(status, &outcome_empty);
    return r && *flag ? conclude_one(r, request, status, MPI_CALL) : MPI_SUCCESS;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* The list of a call: active requests, NULL in place of others.  LIST_SMALL: longest list without
 * an allocation. */
enum { LIST_SMALL = 32 };
/* On the stack of one call. r[i] is not referenced: the program must not free a request during the
 * call. */
struct list {
    int n, active;
    bool has_steps; /* one of them may wait for more than one request of hnow */
    /* Point to `few` and `few_hn`, or to memory from malloc(). Both have n entries. */
    struct mpi_request **r;
    hn_request **hn;
    struct mpi_request *few[LIST_SMALL];
    hn_request *few_hn[LIST_SMALL];
};

/* Not to be called after list_begin() has failed. */
static void list_free(struct list *l)
{
    if (l->r != l->few) {
        free(l->r);
        free(l->hn);
    }
}

/* has_places: the result arguments are valid. `has_steps` is also set for requests without a
 * request of hnow that are not done, since other threads complete those. After an error the list is
 * freed, and the caller must not do it. */
static int list_begin(struct list *l, int n, const MPI_Request *requests, bool has_places,
                      const char *call)
{
    int error = MPI_SUCCESS;

    if (!has_places)
        return error_on(NULL, MPI_ERR_ARG, call, "no place for a result");
    if (n < 0 || (n > 0 && !requests))
        return error_on(NULL, MPI_ERR_ARG, call, "no list of %d requests", n);
    l->n = n;
    l->active = 0;
    l->has_steps = false;
    /* Both arrays change together, so list_free() asks for one of them only. */
    l->r = n <= LIST_SMALL ? l->few : malloc((size_t)n * sizeof(*l->r));
    l->hn = n <= LIST_SMALL ? l->few_hn : malloc((size_t)n * sizeof(*l->hn));
    if (!l->r || !l->hn)
        error = error_on(NULL, MPI_ERR_NO_MEM, call, "no memory for %d requests", n);
    for (int i = 0; i < n && error == MPI_SUCCESS; i++) {
        /* NULL without an error: an inactive request, or MPI_REQUEST_NULL. */
        error = look_up(&requests[i], &l->r[i], call);
        if (l->r[i]) {
            l->active++;
            l->has_steps |= l->r[i]->way->has_steps || (!l->r[i]->hn && !l->r[i]->done);
        }
    }
    if (error != MPI_SUCCESS)
        list_free(l);
    return error;
}

/* Tests all of them. Returns the number of complete ones. Testing all gives each request its
 * progress, even if the first one is never completed. */
static int list_test(struct list *l)
{
    int done = 0;

    for (int i = 0; i < l->n; i++)
        done += l->r[i] && request_test(l->r[i]);
    return done;
}

/* Waits until one of the incomplete requests changes.  If another thread ends or starts one of
 * them, hnow cannot wait for all of them; then the list is polled. */
static void list_wait(struct list *l)
{
    hn_info info = {0};
    int index = -1, result = HN_OK, done = 0;
    bool polled = false;

    /* Takes all requests of hnow that can be taken. A pending one without makes the list polled. */
    for (int i = 0; i < l->n; i++) {
        struct mpi_request *r = l->r[i];
        bool pending = r && !r->done;
        l->hn[i] = pending ? request_take(r) : NULL;
        polled = polled || (pending && !l->hn[i]);
        done += r && r->done;
    }
    /* hn_waitany() ignores NULL entries; it blocks until one of the others completes. */
    if (!polled)
        result = hn_waitany(l->hn, l->n, &index, &info);
    /* The step may post the next request of hnow, e.g. the data after its announcement. */
    if (index >= 0)
        request_step(l->r[index], result, &info);
    /* The one at `index` is given back although its request of hnow is gone by now. */
    for (int i = 0; i < l->n; i++)
        if (l->hn[i] || i == index)
            request_give_back(l->r[i]);
    /* A pause only if this call changed nothing, neither in hn_waitany() nor by the tests. */
    if (index < 0 && (!polled || list_test(l) == done))
        request_pause();
}

/* Returns the index of the first complete request, or -1. */
static int list_done(struct list *l)
{
    for (int i = 0; i < l->n; i++)
        if (l->r[i] && l->r[i]->done)
            return i;
    return -1;
}

/* Requests of a single step are awaited one after the other, which is cheapest. If one has several
 * steps, all must progress together: a step of one may be what another one, here or elsewhere,
 * waits for. */
static void list_wait_all(struct list *l)
{
    /* All are done by now, or each has one step: the waits cannot block each other. */
    for (int i = 0; i < l->n; i++)
        while (l->has_steps && l->r[i] && !l->r[i]->done)
            list_wait(l);
    for (int i = 0; i < l->n; i++)
        if (l->r[i])
            request_wait(l->r[i]);
}

/* Ends all requests, which are complete.  Statuses receive the errors, if any. All requests are
 * settled first, because the statuses contain MPI_ERROR only if any one has failed (MPI 4.1,
 * 3.7.5). The handler is that of the first failed request's communicator, and is called once. */
static int list_conclude(struct list *l, MPI_Request *requests, MPI_Status *statuses,
                         const char *call)
{
    struct mpi_comm *c = NULL;
    bool failed = false;

    /* `failed` is known only after all are settled, and decides whether MPI_ERROR is written. */
    for (int i = 0; i < l->n; i++) {
        if (l->r[i])
            settle(l->r[i]);
        if (l->r[i] && l->r[i]->outcome.error != MPI_SUCCESS && !failed) {
            failed = true;
            c = l->r[i]->comm;
        }
    }
    /* The requests, which hold the communicator, may be freed below. */
    if (c)
        object_hold(c);
    for (int i = 0; i < l->n; i++) {
        MPI_Status *status = status_ignored(statuses) ? MPI_STATUS_IGNORE : &statuses[i];
        if (l->r[i])
            conclude(l->r[i], &requests[i], status, failed);
        else if (failed)
            status_put_error(status, &outcome_empty);
        else
            status_put(status, &outcome_empty);
    }
    /* Programs compare the result with MPI_ERR_IN_STATUS (MPI 4.1, 3.7.5): see the return below. */
    if (failed)
        error_on(c, MPI_ERR_IN_STATUS, call, "an operation has failed: %s", hn_error_text());
    if (c)
        object_drop(c);
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

/* Stores the status of a complete request, which continues; NULL: of an inactive one. */
static void show(struct mpi_request *r, MPI_Status *status)
{
    if (r)
        ask(r);
    status_put_error(status, r ? &r->outcome : &outcome_empty);
}

/* Ends all complete requests. The statuses are dense: entry n belongs to indices[n]. Their
 * MPI_ERROR is always set. `outcount` is MPI_UNDEFINED if no request of the list was active. */
static int end_some(struct list *l, MPI_Request *requests, int *outcount, int *indices,
                    MPI_Status *statuses, bool looks, const char *call)
{
    struct mpi_comm *c = NULL;
    bool failed = false;
    int n = 0;

    for (int i = 0; i < l->n; i++) {
        struct mpi_request *r = l->r[i];
        MPI_Status *status = status_ignored(statuses) ? MPI_STATUS_IGNORE : &statuses[n];
        if (!r || !r->done)
            continue;
        indices[n++] = i;
        if (looks) {
            show(r, status);
            continue;
        }
        settle(r);
        if (r->outcome.error != MPI_SUCCESS && !failed) {
            failed = true;
            c = r->comm;
            if (c)
                object_hold(c);
        }
        /* Always with MPI_ERROR: which ones have failed is not known before the last of them. */
        conclude(r, &requests[i], status, true);
    }
    /* 0 is possible in MPI_Testsome() only. */
    *outcount = l->active > 0 ? n : MPI_UNDEFINED;
    if (failed)
        error_on(c, MPI_ERR_IN_STATUS, call, "an operation has failed: %s", hn_error_text());
    if (c)
        object_drop(c);
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

/* ---- calls about a list: they wait, test, or only look -------------------------------------- */

enum manner { WAIT, TEST, LOOK };

/* Waitall, Testall, Request_get_status_all. `requests` is const for the last one only, so the
 * cast gives the others what they have passed. MPI 4.1, 3.7.5. */
static int all(int count, const MPI_Request *requests, int *flag, MPI_Status *statuses,
               enum manner manner, const char *call)
{
    struct list l;
    int error = list_begin(&l, count, requests, flag, call);

    if (error != MPI_SUCCESS)
        return error;
    if (manner == WAIT)
        list_wait_all(&l);
    /* A test ends all requests or none: with one incomplete, the others stay as they are. */
    *flag = manner == WAIT || list_test(&l) == l.active;
    if (*flag && manner != LOOK)
        error = list_conclude(&l, (MPI_Request *)requests, statuses, call);
    for (int i = 0; *flag && manner == LOOK && !status_ignored(statuses) && i < count; i++)
        show(l.r[i], &statuses[i]);
    list_free(&l);
    return error;
}

/* Waitany, Testany, Request_get_status_any. The first complete request in the order of the list
 * is taken, so an early one can starve later ones. The standard does not demand fairness here. */
static int any(int count, const MPI_Request *requests, int *index, int *flag, MPI_Status *status,
               enum manner manner, const char *call)
{
    struct list l;
    int error = list_begin(&l, count, requests, index && flag, call), done;

    if (error != MPI_SUCCESS)
        return error;
    if (manner != WAIT)
        list_test(&l);
    while ((done = list_done(&l)) < 0 && manner == WAIT && l.active > 0)
        list_wait(&l);
    /* Without active requests the call is complete, with an empty status and MPI_UNDEFINED. */
    *flag = done >= 0 || l.active == 0;
    *index = done < 0 ? MPI_UNDEFINED : done;
    if (done >= 0 && manner != LOOK)
        error = conclude_one(l.r[done], (MPI_Request *)&requests[done], status, call);
    else if (*flag)
        show(done < 0 ? NULL : l.r[done], status);
    list_free(&l);
    return error;
}

/* Waitsome, Testsome, Request_get_status_some: as many as are complete, so none can starve. */
static int some(int count, const MPI_Request *requests, int *outcount, int *indices,
                MPI_Status *statuses, enum manner manner, const char *call)
{
    struct list l;
    int error = list_begin(&l, count, requests, outcount && (indices || count == 0), call);

    if (error != MPI_SUCCESS)
        return error;
    while (list_test(&l) == 0 && manner == WAIT && l.active > 0)
        list_wait(&l);
    error =
        end_some(&l, (MPI_Request *)requests, outcount, indices, statuses, manner == LOOK, call);
    list_free(&l);
    return error;
}

MPI_DEFINE(int, Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]))
{
    return all(count, requests, &(int){0}, statuses, WAIT, MPI_CALL);
}

MPI_DEFINE(int, Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]))
{
    return all(count, requests, flag, statuses, TEST, MPI_CALL);
}

/* MPI 4.1, 3.7.6, as the next two. Requests are neither freed nor made inactive. */
MPI_DEFINE(int, Request_get_status_all,
           (int count, const MPI_Request requests[], int *flag, MPI_Status statuses[]))
{
    return all(count, requests, flag, statuses, LOOK, MPI_CALL);
}

MPI_DEFINE(int, Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status))
{
    return any(count, requests, index, &(int){0}, status, WAIT, MPI_CALL);
}

MPI_DEFINE(int, Testany,
           (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status))
{
    return any(count, requests, index, flag, status, TEST, MPI_CALL);
}

MPI_DEFINE(int, Request_get_status_any,
           (int count, const MPI_Request requests[], int *index, int *flag, MPI_Status *status))
{
    return any(count, requests, index, flag, status, LOOK, MPI_CALL);
}

MPI_DEFINE(int, Waitsome,
           (int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]))
{
    return some(count, requests, outcount, indices, statuses, WAIT, MPI_CALL);
}

MPI_DEFINE(int, Testsome,
           (int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]))
{
    return some(count, requests, outcount, indices, statuses, TEST, MPI_CALL);
}

MPI_DEFINE(int, Request_get_status_some,
           (int count, const MPI_Request requests[], int *outcount, int indices[],
            MPI_Status statuses[]))
{
    return some(count, requests, outcount, indices, statuses, LOOK, MPI_CALL);
}

MPI_DEFINE(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status *status))
{
    struct mpi_request *r;
    int error = look_up(&request, &r, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (!flag)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    *flag = !r || request_test(r);
    if (*flag)
        show(r, status);
    return MPI_SUCCESS;
}
