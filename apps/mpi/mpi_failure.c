/* mpi_failure.c - failures of processes (mpi_failure.h).
 *
 * hnow notifies every member of the end of another, and ends operations of its groups (hnow.h).  A
 * revocation is a message to all members.  One of hnow's handlers receives it, breaks the group and
 * the contexts, and forwards it, so that it reaches all even if the first sender fails meanwhile.
 */
#include "mpi_failure.h"

#include <stdio.h>
#include <stdlib.h>

enum { REVOKE_TAG = 1 };
enum { AWAIT_CHECK = 100 }; /* milliseconds between two looks at failures */

/* ---- revoking ------------------------------------------------------------------------------- */

static void send_revocation(const struct mpi_group *g, hn_context about)
{
    hn_context before = hn_set_context(CONTEXT_REVOKED);

    for (int i = 0; i < g->size; i++)
        if (i != g->rank)
            hn_send(g->tids[i], REVOKE_TAG, &about, 1, HN_UINT32);
    hn_set_context(before);
}

static void break_contexts(struct mpi_comm *c)
{
    if (c->hn)
        hn_group_break(c->hn);
    hn_context_break(c->context);
    for (hn_context i = 0; i < 3; i++)
        hn_context_break(c->inner + i);
}

static void revoke(struct mpi_comm *c)
{
    if (__atomic_exchange_n(&c->revoked, true, __ATOMIC_ACQ_REL))
        return;
    break_contexts(c);
    if (c->local) {
        __atomic_store_n(&c->local->revoked, true, __ATOMIC_RELEASE);
        break_contexts(c->local);
    }
    send_revocation(c->group, c->context);
    if (c->remote)
        send_revocation(c->remote, c->context);
}

static hn_context wanted;
static struct mpi_comm *found;
static void look_at(void *object)
{
    struct mpi_comm *c = object;

    if (c->context == wanted)
        found = c;
}

/* hnow calls one handler at a time. */
static void on_revocation(const hn_info *info, hn_buffer *message, void *data)
{
    hn_context about;

    (void)info;
    (void)data;
    if (hn_unpack(message, &about, 1, HN_UINT32, 1) != HN_OK)
        return;
    wanted = about;
    found = NULL;
    object_for_each(OBJECT_COMM, look_at);
    if (found)
        revoke(found);
}

void failure_watch(void)
{
    static bool watches;

    if (watches)
        return;
    watches = true;
    hn_context before = hn_set_context(CONTEXT_REVOKED);
    hn_handler_add(HN_ANY, REVOKE_TAG, on_revocation, NULL);
    hn_set_context(before);
}

MPIX_DEFINE(int, Comm_revoke, (MPI_Comm comm))
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    failure_watch();
    revoke(c);
    return MPI_SUCCESS;
}

MPIX_DEFINE(int, Comm_is_revoked, (MPI_Comm comm, int *flag))
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!flag)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    hn_iprobe(HN_ANY, REVOKE_TAG, NULL); /* handlers of messages that have arrived run */
    *flag = comm_is_revoked(c);
    return MPI_SUCCESS;
}

/* ---- who has failed ------------------------------------------------------------------------- */

static bool runs(const hn_task_info *tasks, int n, hn_tid tid)
{
    for (int i = 0; i < n; i++)
        if (tasks[i].tid == tid)
            return true;
    return false;
}

/* The members (of an intercommunicator: of both sides) that have ended, as a list to be freed. */
static int find_failed(const struct mpi_comm *c, hn_tid **failed, int *count)
{
    hn_task_info *tasks;
    int n, most = c->size + (c->remote ? c->remote->size : 0);
    int result = hn_tasks(&tasks, &n);

    if (result != HN_OK)
        return result;
    *count = 0;
    *failed = malloc(((size_t)most + 1) * sizeof **failed);
    for (int i = 0; *failed && i < most; i++) {
        hn_tid tid = i < c->size ? c->group->tids[i] : c->remote->tids[i - c->size];
        if (!runs(tasks, n, tid))
            (*failed)[(*count)++] = tid;
    }
    free(tasks);
    return *failed ? HN_OK : HN_ENOMEM;
}

/* The first `most` of them as a group. */
static int give_failed(MPI_Comm comm, int most, MPI_Group *group, const char *call)
{
    struct mpi_comm *c = comm_of(comm);
    hn_tid *failed;
    int n, result;

    if (!c)
        return error_no_comm(comm, call);
    if (!group)
        return error_on(c, MPI_ERR_ARG, call, "no place for the group");
    result = find_failed(c, &failed, &n);
    if (result != HN_OK)
        return error_hn(c, result, call);
    struct mpi_group *g = group_new(failed, most < 0 || n < most ? n : most);
    free(failed);
    if (!g)
        return error_on(c, MPI_ERR_NO_MEM, call, "out of memory");
    *group = g->object.handle;
    return MPI_SUCCESS;
}

static int acknowledge(MPI_Comm comm, int most, int *acked, const char *call)
{
    struct mpi_comm *c = comm_of(comm);
    hn_tid *failed;
    int n, result;

    if (!c)
        return error_no_comm(comm, call);
    result = find_failed(c, &failed, &n);
    if (result != HN_OK)
        return error_hn(c, result, call);
    free(failed);
    if (most >= 0 && most < n)
        n = most;
    if (n > c->acked)
        c->acked = n;
    if (acked)
        *acked = c->acked;
    return MPI_SUCCESS;
}

MPIX_DEFINE(int, Comm_failure_ack, (MPI_Comm comm))
{
    return acknowledge(comm, -1, NULL, MPI_CALL);
}

MPIX_DEFINE(int, Comm_ack_failed, (MPI_Comm comm, int count, int *acked))
{
    return acknowledge(comm, count, acked, MPI_CALL);
}

MPIX_DEFINE(int, Comm_failure_get_acked, (MPI_Comm comm, MPI_Group *failed))
{
    struct mpi_comm *c = comm_of(comm);

    return give_failed(comm, c ? c->acked : 0, failed, MPI_CALL);
}

MPIX_DEFINE(int, Comm_get_failed, (MPI_Comm comm, MPI_Group *failed))
{
    return give_failed(comm, -1, failed, MPI_CALL);
}

/* A failed member that was not acknowledged.  hn_group_dead() is a look at memory; hrun is asked
 * only once there is one. */
static int unacknowledged(const struct mpi_comm *c)
{
    hn_tid *failed;
    int n, result;

    if (!c->hn || hn_group_dead(c->hn) <= 0)
        return HN_OK;
    result = find_failed(c, &failed, &n);
    if (result == HN_OK)
        free(failed);
    return result == HN_OK && n > c->acked ? HN_EDEAD : result;
}

int failure_await(struct mpi_comm *c, int tag)
{
    hn_info info;
    int result = HN_OK;

    if (c->errhandler->does == ERRORS_FATAL || c->size == 1)
        return HN_OK;
    for (;;) {
        result = hn_probe_timeout(HN_ANY, tag, AWAIT_CHECK, &info);
        if (result != HN_ETIMEOUT)
            return result;
        if (comm_is_revoked(c) || unacknowledged(c) == HN_EDEAD)
            return HN_EDEAD;
    }
}

/* ---- shrinking ------------------------------------------------------------------------------ */

MPIX_DEFINE(int, Comm_shrink, (MPI_Comm comm, MPI_Comm *newcomm))
{
    struct mpi_comm *c = comm_of(comm), *made;
    struct comm_contexts contexts;
    hn_group *smaller;
    int result;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!newcomm)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "there is no place for the communicator");
    if (c->remote)
        return error_on(c, MPI_ERR_COMM, MPI_CALL, "an intercommunicator");
    /* The members agree who lives, and on one context; the other is rank 0's.  If one fails in
     * between, all begin again. */
    do {
        result = hn_group_shrink(c->hn, &smaller);
        if (result != HN_OK)
            return error_hn(NULL, result, MPI_CALL);
        uint32_t inner = 0;
        int n = hn_group_size(smaller);
        hn_tid tids[n];
        for (int i = 0; i < n; i++)
            tids[i] = hn_group_tid(smaller, i);
        if (tids[0] == hn_mytid())
            hn_context_new(&inner);
        result = hn_bcast(&inner, 1, HN_UINT32, 0, smaller);
        int met = hn_barrier(smaller);
        if (result == HN_OK && met == HN_OK) {
            contexts = (struct comm_contexts){hn_group_context(smaller), inner};
            result = comm_make(group_new(tids, n), &contexts, c, &made);
        } else if (result == HN_OK) {
            result = met;
        }
        hn_group_free(smaller);
    } while (result == HN_EDEAD);
    if (result != HN_OK)
        return error_hn(NULL, result, MPI_CALL);
    *newcomm = made->object.handle;
    return MPI_SUCCESS;
}

/* ---- agreement ------------------------------------------------------------------------------ */

/* A member's vote in an agreement: its flag, and how many failures it has acknowledged. */
enum { VOTE_FLAG, VOTE_ACKED, VOTE };

static void name_of(const struct mpi_comm *c, int turn, char name[static 64])
{
    snprintf(name, 64, "mpi-agree-%lx-%lx-%d", (unsigned long)c->context, (unsigned long)c->inner,
             turn);
}

static int put_vote(const struct mpi_comm *c, const char *name, const int32_t *vote)
{
    hn_buffer *b = hn_buffer_new();
    int result = b ? hn_pack(b, vote, VOTE, HN_INT32, 1) : HN_ENOMEM;

    if (result == HN_OK)
        result = hn_name_put(name, (int)c->rank, HN_NAME_STAYS, b);
    hn_buffer_free(b);
    return result < 0 ? result : HN_OK;
}

static int get_vote(const char *name, int rank, int32_t *vote)
{
    hn_buffer *b = hn_buffer_new();
    int result = b ? hn_name_get(name, rank, 0, 0, b, NULL) : HN_ENOMEM;

    if (result >= 0)
        result = hn_unpack(b, vote, VOTE, HN_INT32, 1);
    hn_buffer_free(b);
    return result < 0 ? result : HN_OK;
}

/* All votes are in the name service before hrun names the living members, so each reads the same.
 */
static int gather(const struct mpi_comm *c, const hn_group *living, const char *name, int32_t *all)
{
    for (int i = 0, rank = 0; i < hn_group_size(living); i++, rank++) {
        int32_t vote[VOTE];
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

MPIX_DEFINE(int, Comm_agree, (MPI_Comm comm, int *flag))
{
    struct mpi_comm *c = comm_of(comm);
    hn_group *living;
    char name[64];

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!flag)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    if (c->remote)
        return error_on(c, MPI_ERR_COMM, MPI_CALL, "an intercommunicator");
    int turn = c->agreements++;
    int32_t vote[VOTE] = {[VOTE_FLAG] = *flag, [VOTE_ACKED] = c->acked};
    name_of(c, turn, name);
    int result = put_vote(c, name, vote);
    if (result == HN_OK)
        result = hn_group_shrink(c->hn, &living);
    if (result != HN_OK)
        return error_hn(c, result, MPI_CALL);
    result = gather(c, living, name, vote);
    int failed = c->size - hn_group_size(living);
    hn_group_free(living);
    if (turn > 0) { /* all have read the votes of the turn before */
        name_of(c, turn - 1, name);
        hn_name_delete(name, c->rank);
    }
    if (result != HN_OK)
        return error_hn(c, result, MPI_CALL);
    *flag = vote[VOTE_FLAG];
    if (failed > vote[VOTE_ACKED])
        return error_on(c, MPIX_ERR_PROC_FAILED, MPI_CALL,
                        "%d members have failed, which not all members have acknowledged", failed);
    return MPI_SUCCESS;
}
