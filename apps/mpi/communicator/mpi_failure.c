/* mpi_failure.c - failures of processes (mpi_failure.h).
 *
 * hnow notifies every member of the end of another one, and aborts operations of its groups
 * (hnow.h).  A revocation is a message to all members.  A handler of hnow receives it, marks the
 * group and the contexts as broken, and forwards the message, so that it reaches all members even
 * if the first sender fails meanwhile.
 *
 * Two kinds of knowledge: hnow's count of dead members, read from memory at no cost, and hrun's
 * list of tasks, which needs a round trip. The second is asked only if the first is not 0,
 * except in calls of the program about failures.
 */
#include "communicator/mpi_failure.h"

#include <stdlib.h>

enum { REVOKE_TAG = 1 };
enum { AWAIT_CHECK = 100 }; /* milliseconds between two checks for failures */

/* ---- revoking ------------------------------------------------------------------------------- */

/* Every member that learns of it sends to all others, O(n * n) messages in total. So a revocation
 * survives the failure of any senders but all. */
static void send_revocation(const struct mpi_group *g, hn_context about)
{
    hn_context before = hn_set_context(CONTEXT_REVOKED);

    for (int i = 0; i < g->size; i++)
        /* Sends to members that have failed return an error, which does not matter here. */
        if (i != g->rank)
            hn_send(g->tids[i], REVOKE_TAG, &about, 1, HN_UINT32);
    hn_set_context(before);
}

/* All four contexts: operations that wait in any of them return HN_EDEAD. Messages that have
 * arrived before are no longer received. */
static void break_contexts(struct mpi_comm *c)
{
    /* Collective operations in progress end with HN_EDEAD as well. */
    if (c->hn)
        hn_group_break(c->hn);
    hn_context_break(c->context);
    for (hn_context i = 0; i < 3; i++)
        hn_context_break(c->inner + i);
}

/* The exchange makes it run once, whether the program or a handler begins. */
static void revoke(struct mpi_comm *c)
{
    if (__atomic_exchange_n(&c->revoked, true, __ATOMIC_ACQ_REL))
        return;
    break_contexts(c);
    /* The local side is used by collective operations between groups. */
    if (c->local) {
        __atomic_store_n(&c->local->revoked, true, __ATOMIC_RELEASE);
        break_contexts(c->local);
    }
    /* After the break: this task is already safe if a send blocks. */
    send_revocation(c->group, c->context);
    if (c->remote)
        send_revocation(c->remote, c->context);
}

/* Arguments of look_at(), which object_for_each() cannot pass. */
static hn_context wanted;
static struct mpi_comm *found;
/* For object_for_each(), which has no argument of the caller. */
static void look_at(void *object)
{
    struct mpi_comm *c = object;

    if (c->context == wanted)
        found = c;
}

/* hnow never runs two handlers at the same time. A context that is unknown here belongs to a
 * communicator that was freed, or that is not complete yet. */
static void on_revocation(const hn_info *info, hn_buffer *message, void *data)
{
    hn_context about;

    (void)info;
    (void)data;
    if (hn_unpack(message, &about, 1, HN_UINT32, 1) != HN_OK)
        return;
    wanted = about;
    found = NULL;
    /* O(communicators), once for each message. */
    object_for_each(OBJECT_COMM, look_at);
    if (found)
        revoke(found);
}

/* The handler runs in any later call of hnow that waits or probes. */
void failure_watch(void)
{
    static bool watches;

    if (watches)
        return;
    watches = true;
    hn_context before = hn_set_context(CONTEXT_REVOKED);
    /* Handlers belong to a context: the one that is set when they are added. */
    hn_handler_add(HN_ANY, REVOKE_TAG, on_revocation, NULL);
    hn_set_context(before);
}

/* Not collective: one member is enough. Returns when the messages are sent. */
MPIX_DEFINE(int, Comm_revoke, (MPI_Comm comm))
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    failure_watch();
    revoke(c);
    return MPI_SUCCESS;
}

/* Local: reports what has arrived here, not what other members know. Does not block. */
MPIX_DEFINE(int, Comm_is_revoked, (MPI_Comm comm, int *flag))
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!flag)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    hn_iprobe(HN_ANY, REVOKE_TAG, NULL); /* runs the handlers of messages that have arrived */
    *flag = comm_is_revoked(c);
    return MPI_SUCCESS;
}

/* ---- failed members ------------------------------------------------------------------------- */

/* Linear, since hrun's list is in no particular order. Only used after a failure. */
static bool runs(const hn_task_info *tasks, int n, hn_tid tid)
{
    /* The list contains only tasks that have not ended. */
    for (int i = 0; i < n; i++)
        if (tasks[i].tid == tid)
            return true;
    return false;
}

/* Finds the members (of both sides) that have ended; the caller frees the list. Asks hrun, so it
 * blocks for a round trip. O(members * tasks). */
static int find_failed(const struct mpi_comm *c, hn_tid **failed, int *count)
{
    hn_task_info *tasks;
    int n, most = c->size + (c->remote ? c->remote->size : 0);
    int result = hn_tasks(&tasks, &n);

    if (result != HN_OK)
        return result;
    *count = 0;
    *failed = malloc(((size_t)most + 1) * sizeof **failed);
    /* A task that ended normally counts as failed, too: it cannot take part any more. */
    for (int i = 0; *failed && i < most; i++) {
        hn_tid tid = i < c->size ? c->group->tids[i] : c->remote->tids[i - c->size];
        if (!runs(tasks, n, tid))
            (*failed)[(*count)++] = tid;
    }
    free(tasks);
    return *failed ? HN_OK : HN_ENOMEM;
}

/* Makes a group of the first `most` of them. */
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
    /* most < 0: all of them. */
    struct mpi_group *g = group_new(failed, most < 0 || n < most ? n : most);
    free(failed);
    if (!g)
        return error_on(c, MPI_ERR_NO_MEM, call, "out of memory");
    *group = g->object.handle;
    return MPI_SUCCESS;
}

/* Failures are counted in order of ranks, the local side first. The number never decreases. */
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
    /* Only their number is kept: MPIX_Comm_failure_get_acked() computes the members again. */
    free(failed);
    if (most >= 0 && most < n)
        n = most;
    /* A smaller number would take back an acknowledgement. */
    if (n > c->acked)
        c->acked = n;
    if (acked)
        *acked = c->acked;
    return MPI_SUCCESS;
}

/* Acknowledges all failures that are known now. */
MPIX_DEFINE(int, Comm_failure_ack, (MPI_Comm comm))
{
    return acknowledge(comm, -1, NULL, MPI_CALL);
}

/* Acknowledges at most `count` of them; *acked is the total. */
MPIX_DEFINE(int, Comm_ack_failed, (MPI_Comm comm, int count, int *acked))
{
    return acknowledge(comm, count, acked, MPI_CALL);
}

/* The count refers to the order of ranks: a failure of a lower rank since then changes which
 * members are listed. */
MPIX_DEFINE(int, Comm_failure_get_acked, (MPI_Comm comm, MPI_Group *failed))
{
    struct mpi_comm *c = comm_of(comm);

    return give_failed(comm, c ? c->acked : 0, failed, MPI_CALL);
}

/* The group of all members that are known to have failed. */
MPIX_DEFINE(int, Comm_get_failed, (MPI_Comm comm, MPI_Group *failed))
{
    return give_failed(comm, -1, failed, MPI_CALL);
}

/* Returns a failed member that was not acknowledged. hn_group_dead() only reads memory; hrun is
 * asked only if there is one. */
static int unacknowledged(const struct mpi_comm *c)
{
    hn_tid *failed;
    int n, result;

    /* An intercommunicator has no group before its first collective operation, so hrun is asked
     * each time. */
    if (c->hn && hn_group_dead(c->hn) <= 0)
        return HN_OK;
    result = find_failed(c, &failed, &n);
    if (result == HN_OK)
        free(failed);
    return result == HN_OK && n > c->acked ? HN_EDEAD : result;
}

/* For receives from any source. Communicators whose errors end the job need no check. */
int failure_await(struct mpi_comm *c, int tag)
{
    hn_info info;
    int result = HN_OK;

    if (c->errhandler->does == ERRORS_FATAL || comm_peers(c)->size == 1)
        return HN_OK;
    /* The end of a member does not end a probe of any source, hence the checks at intervals. */
    for (;;) {
        result = hn_probe_timeout(HN_ANY, tag, AWAIT_CHECK, &info);
        if (result != HN_ETIMEOUT)
            return result;
        /* HN_EDEAD in both cases; error_hn() distinguishes them by the flag. */
        if (comm_is_revoked(c) || unacknowledged(c) == HN_EDEAD)
            return HN_EDEAD;
    }
}
