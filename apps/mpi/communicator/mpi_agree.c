/* mpi_agree.c - agreement among the surviving members: MPIX_Comm_agree(), MPIX_Comm_shrink().
 *
 * hrun determines the surviving members (hn_group_shrink()), so all of them get the same list.
 * Calls on one communicator are executed in program order.  A nonblocking call runs in a separate
 * thread, since all its steps block.
 *
 * An agreement needs no message between members. Each stores its vote under a name that all can
 * compute, and reads the votes of those that hrun has found alive. Cost: some round trips to
 * hrun a member, and one more for each surviving member.
 * Two counters in the communicator order the calls: `agreements` numbers them as they begin,
 * `agreed` is the number of the call that may run now.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "message/mpi_request.h"
#include "window/mpi_service.h"

/* A member's vote: its flag, and the number of failures that it has acknowledged. */
enum { VOTE_FLAG, VOTE_ACKED, VOTE };

/* On the caller's stack or, for a nonblocking call, owned by the request. The program's result
 * pointers must stay valid until completion. */
struct agreement {
    struct mpi_comm *comm;
    /* Set by begin(); from 0 on. */
    int turn;           /* sequence number among the calls on comm */
    MPI_Comm *newcomm;  /* result of a shrink */
    int *flag;          /* result of an agreement */
    int32_t vote[VOTE]; /* the member's vote; finally the result of all */
    int unacknowledged; /* members that failed, if not all members have acknowledged them */
};

/* ---- shrinking ------------------------------------------------------------------------------ */

/* Makes a communicator of the members of `smaller`.  Returns HN_EDEAD if one of them has failed
 * meanwhile. The barrier makes all members learn whether every one has got the contexts: the
 * broadcast alone succeeds for some even if another one has failed. */
static int make_of(const hn_group *smaller, struct agreement *a)
{
    struct mpi_comm *made;
    uint32_t inner = 0;
    int n = hn_group_size(smaller);
    /* On the stack: n is at most the size of the communicator. */
    hn_tid tids[n];

    for (int i = 0; i < n; i++)
        tids[i] = hn_group_tid(smaller, i);
    /* 0, which is no context of a communicator, reports a failure to the others. The group has
     * its own context from hrun; the internal one is missing. */
    if (tids[0] == hn_mytid() && hn_context_new(&inner) != HN_OK)
        inner = 0;
    int result = hn_bcast(&inner, 1, HN_UINT32, 0, smaller);
    int met = hn_barrier(smaller);
    if (result == HN_OK)
        result = met;
    if (result == HN_OK && inner == 0)
        result = HN_ENOMEM;
    /* Local from here on, so a failure of memory concerns this member only. */
    if (result == HN_OK) {
        struct comm_contexts contexts = {hn_group_context(smaller), inner};
        result = comm_make(group_new(tids, n), &contexts, a->comm, &made);
    }
    if (result == HN_OK)
        *a->newcomm = made->object.handle;
    return result;
}

/* The members agree on the survivors and on one context; rank 0 provides the second one.  If a
 * member fails meanwhile, all start again. Each round has at least one member less, so it ends. */
static int shrink(struct agreement *a)
{
    hn_group *smaller;
    int result;

    do {
        result = hn_group_shrink(a->comm->hn, &smaller);
        if (result != HN_OK)
            return result;
        result = make_of(smaller, a);
        hn_group_free(smaller);
        /* The members that saw no failure have met in the barrier, and do not return here. */
    } while (result == HN_EDEAD);
    return result;
}

/* ---- agreement ------------------------------------------------------------------------------ */

/* Contexts and sequence number make the name unique in the job. */
static void name_of(const struct mpi_comm *c, int turn, char name[static 64])
{
    snprintf(name, 64, "mpi-agree-%lx-%lx-%d", (unsigned long)c->context, (unsigned long)c->inner,
             turn);
}

/* The vote must survive its owner, so hrun stores it, beyond the end of the task
 * (HN_NAME_STAYS). */
static int put_vote(const struct mpi_comm *c, const char *name, const int32_t *vote)
{
    hn_buffer *b = hn_buffer_new();
    int result = b ? hn_pack(b, vote, VOTE, HN_INT32, 1) : HN_ENOMEM;

    if (result == HN_OK)
        result = hn_name_put(name, (int)c->rank, HN_NAME_STAYS, b);
    /* hn_name_put() returns the index, which is no error. */
    hn_buffer_free(b);
    return result < 0 ? result : HN_OK;
}

/* The entry is not removed: others may still read it. */
static int get_vote(const char *name, int rank, int32_t *vote)
{
    hn_buffer *b = hn_buffer_new();
    int result = b ? hn_name_get(name, rank, 0, 0, b, NULL) : HN_ENOMEM;

    if (result >= 0)
        result = hn_unpack(b, vote, VOTE, HN_INT32, 1);
    hn_buffer_free(b);
    return result < 0 ? result : HN_OK;
}

/* All votes are in the name service before hrun determines the survivors, so all members read the
 * same votes. Members of `living` are in order of ranks, so one pass finds each one's rank. The
 * flags are combined by AND, the acknowledgements by the minimum. */
static int gather(const struct mpi_comm *c, const hn_group *living, const char *name, int32_t *all)
{
    for (int i = 0, rank = 0; i < hn_group_size(living); i++, rank++) {
        int32_t vote[VOTE];
        /* Skips the members that have failed; their votes do not count. */
        while (rank < c->size && c->group->tids[rank] != hn_group_tid(living, i))
            rank++;
        int result = get_vote(name, rank, vote);
        if (result != HN_OK)
            return result;
        all[VOTE_FLAG] &= vote[VOTE_FLAG];
        if (vote[VOTE_ACKED] < all[VOTE_ACKED])
            all[VOTE_ACKED] = vote[VOTE_ACKED];
    }
    return HN_OK;
}

/* If any surviving member has not acknowledged all failures, all get the error
 * MPIX_ERR_PROC_FAILED; the flag is valid nevertheless, as ULFM demands. */
static int agree(struct agreement *a)
{
    struct mpi_comm *c = a->comm;
    hn_group *living;
    char name[64];

    name_of(c, a->turn, name);
    /* Stored before the group shrinks: then the votes of all survivors are there. */
    int result = put_vote(c, name, a->vote);
    if (result == HN_OK)
        result = hn_group_shrink(c->hn, &living);
    if (result != HN_OK)
        return result;
    /* a->vote begins as this member's own vote and ends as the result of all. */
    result = gather(c, living, name, a->vote);
    /* The members that agree have seen the same failures: they share `living`. */
    int failed = c->size - hn_group_size(living);
    hn_group_free(living);
    if (result != HN_OK)
        return result;
    *a->flag = a->vote[VOTE_FLAG];
    a->unacknowledged = failed > a->vote[VOTE_ACKED] ? failed : 0;
    return HN_OK;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Local, before anything is sent. Intercommunicators are not supported. */
static int check(struct agreement *a, MPI_Comm comm, const char *call)
{
    a->comm = comm_of(comm);
    if (!a->comm)
        return error_no_comm(comm, call);
    if (!a->newcomm && !a->flag)
        return error_on(a->comm, MPI_ERR_ARG, call, "no place for the result");
    if (a->comm->remote)
        return error_on(a->comm, MPI_ERR_COMM, call, "an intercommunicator");
    return MPI_SUCCESS;
}

/* Runs inside the call.  Nothing may fail afterwards, because other members wait for this sequence
 * number. */
static void begin(struct agreement *a)
{
    if (a->flag) {
        a->vote[VOTE_FLAG] = *a->flag;
        a->vote[VOTE_ACKED] = a->comm->acked;
    }
    /* From now on later calls on this communicator wait for this one. */
    a->turn = __atomic_fetch_add(&a->comm->agreements, 1, __ATOMIC_RELAXED);
}

/* Waits for its turn first: calls may run in several threads, and all members must execute them in
 * the same order. */
static int carry_out(struct agreement *a)
{
    struct mpi_comm *c = a->comm;
    char name[64];

    while (__atomic_load_n(&c->agreed, __ATOMIC_ACQUIRE) != a->turn)
        request_pause();
    int result = a->newcomm ? shrink(a) : agree(a);
    /* This member has completed the present call, for which all living members had to enter it. */
    if (a->turn > 0) { /* all members have read the votes of the previous call, if any */
        name_of(c, a->turn - 1, name);
        hn_name_delete(name, c->rank);
    }
    /* Also after an error, or all later calls would wait for ever. */
    __atomic_store_n(&c->agreed, a->turn + 1, __ATOMIC_RELEASE);
    return result;
}

/* A shrink is called when the communicator is broken, so its errors go to no communicator. */
static int call_now(struct agreement *a, MPI_Comm comm, const char *call)
{
    int result = check(a, comm, call);

    if (result != MPI_SUCCESS)
        return result;
    /* The arguments are valid: from here on the members count on this one. */
    begin(a);
    result = carry_out(a);
    if (result != HN_OK)
        return error_hn(a->newcomm ? NULL : a->comm, result, call);
    if (a->unacknowledged > 0)
        return error_on(a->comm, MPIX_ERR_PROC_FAILED, call,
                        "%d members have failed, which not all members have acknowledged",
                        a->unacknowledged);
    return MPI_SUCCESS;
}

/* In a thread of its own. The request has no request of hnow, so waits for it poll. */
static void *carry_out_request(void *data)
{
    struct mpi_request *r = data;
    struct agreement *a = r->arg;
    int result = carry_out(a);

    /* The same class as that of the blocking call. */
    if (result == HN_OK && a->unacknowledged > 0)
        result = HN_EDEAD;
    request_done(r, error_class_hn(result)); /* r may be freed from here on */
    return NULL;
}

/* The agreement is a copy of the request's own. */
static void release(struct mpi_request *r)
{
    free(r->arg);
}

/* A thread completes such a request; it has no steps of hnow. */
static const struct request_way agreement_way = {.release = release};

/* If no thread can be started, the call blocks instead of failing: other members count on this
 * one. */
static int call_later(struct agreement *a, MPI_Comm comm, MPI_Request *request, const char *call)
{
    struct mpi_request *r;
    int result = check(a, comm, call);

    if (result != MPI_SUCCESS)
        return result;
    if (!request)
        return error_on(a->comm, MPI_ERR_REQUEST, call, "no place for the request");
    r = request_begin(a->comm, &agreement_way);
    if (r)
        r->arg = malloc(sizeof *a);
    if (!r || !r->arg) {
        if (r)
            object_retire(r);
        return error_on(a->comm, MPI_ERR_NO_MEM, call, "out of memory");
    }
    /* Takes this call's turn now, so that calls keep their order. */
    begin(a);
    /* `a` is on the caller's stack. */
    *(struct agreement *)r->arg = *a;
    *request = r->object.handle;
    if (service_thread(carry_out_request, r) != HN_OK)
        carry_out_request(r);
    return MPI_SUCCESS;
}

/* Blocks. The new communicator has the members that are alive, in the order of ranks. */
MPIX_DEFINE(int, Comm_shrink, (MPI_Comm comm, MPI_Comm *newcomm))
{
    return call_now(&(struct agreement){.newcomm = newcomm}, comm, MPI_CALL);
}

/* Blocks. The flag becomes the bitwise AND of all members' flags. Works on a revoked
 * communicator. */
MPIX_DEFINE(int, Comm_agree, (MPI_Comm comm, int *flag))
{
    return call_now(&(struct agreement){.flag = flag}, comm, MPI_CALL);
}

/* *newcomm is set when the request completes. */
MPIX_DEFINE(int, Comm_ishrink, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request))
{
    return call_later(&(struct agreement){.newcomm = newcomm}, comm, request, MPI_CALL);
}

/* The flag must stay valid until the request completes. */
MPIX_DEFINE(int, Comm_iagree, (MPI_Comm comm, int *flag, MPI_Request *request))
{
    return call_later(&(struct agreement){.flag = flag}, comm, request, MPI_CALL);
}
