/* mpi_intercomm.c - makes intercommunicators from two communicators, and merges them.
 *
 * MPI 4.1, 7.6.2. Two leaders exchange the members of their sides through a communicator that both
 * are in, then each broadcasts to its side. Both sides propose contexts, and the smaller number
 * wins, so the sides need no further message to choose.
 *
 * A side is any communicator; the new intercommunicator holds a copy of it for collective
 * operations among its own members. Spawning and ports use comm_join() as well, with leaders
 * that share no communicator.
 */
#include "communicator/mpi_comm.h"

#include <stdlib.h>

/* Exchanged by the leaders of two groups, and then broadcast to their own members. Sent as words of
 * HN_UINT32, so that byte order is converted. */
struct introduction {
    /* Members of that side. */
    uint32_t size;
    uint32_t failed; /* a code of hnow, negated */
    struct comm_contexts contexts;
};
enum { INTRODUCTION_WORDS = sizeof(struct introduction) / sizeof(uint32_t) };

/* A leader exchanges its introduction and member list for those of the other leader. Both leaders
 * send before they receive. That cannot block, because sends of hnow are buffered. */
static int meet(const struct mpi_comm *local, const struct comm_leader *other,
                struct introduction *own, struct introduction *theirs, hn_tid **tids)
{
    hn_tid to = other->tid;
    int tag = other->tag;
    hn_context before = hn_set_context(other->context);
    int result = hn_send(to, tag, own, INTRODUCTION_WORDS, HN_UINT32);

    if (result == HN_OK)
        result = hn_send(to, tag, local->group->tids, (size_t)local->size, HN_INT32);
    if (result == HN_OK)
        result = hn_recv(to, tag, theirs, INTRODUCTION_WORDS, HN_UINT32, NULL);
    /* The list has the length that the introduction has announced. */
    if (result == HN_OK) {
        *tids = malloc(((size_t)theirs->size + 1) * sizeof **tids);
        result = *tids ? hn_recv(to, tag, *tids, theirs->size, HN_INT32, NULL) : HN_ENOMEM;
    }
    hn_set_context(before);
    return result;
}

/* Provides the other group and the contexts to all members; *first: the contexts are from this
 * side. The members of a side learn their leader's error in the first broadcast, and all return it.
 * The member list follows only after success, because its length is in the first message. */
static int introduce(struct mpi_comm *local, int leader, const struct comm_leader *other,
                     struct mpi_group **remote, bool *first, struct comm_contexts *contexts)
{
    struct introduction words[2] = {{.size = (uint32_t)local->size}};
    hn_tid *tids = NULL;
    int result = HN_OK, told;

    /* Only the leader communicates with the other side; the others wait in the broadcast. */
    if (local->rank == leader) {
        result = other->failed;
        if (result == HN_OK)
            result = comm_new_contexts(&words[0].contexts);
        if (result == HN_OK)
            result = meet(local, other, &words[0], &words[1], &tids);
        /* Errors are negative, and travel as positive numbers. */
        words[0].failed = (uint32_t)-result;
    }
    /* Both sides' words, so that all can compare them. */
    told = hn_bcast(words, 2 * INTRODUCTION_WORDS, HN_UINT32, leader, local->hn);
    result = told == HN_OK ? -(int)words[0].failed : told;
    /* The leader has the list already. */
    if (result == HN_OK && !tids)
        tids = malloc(((size_t)words[1].size + 1) * sizeof *tids);
    if (result == HN_OK)
        result = hn_bcast(tids, words[1].size, HN_INT32, leader, local->hn);
    if (result == HN_OK) {
        /* Numbers of contexts are unique in the job, so both sides decide alike. */
        *first = words[0].contexts.group < words[1].contexts.group;
        *contexts = words[*first ? 0 : 1].contexts;
        *remote = group_new(tids, (int)words[1].size);
    }
    free(tids);
    return result;
}

/* The new intercommunicator gets a copy of the local communicator, since the program may free its
 * own. */
int comm_join(struct mpi_comm *local, int leader, const struct comm_leader *other,
              struct mpi_comm **made)
{
    struct mpi_group *remote = NULL;
    struct comm_contexts contexts;
    struct mpi_comm *copy;
    bool first;
    int result = introduce(local, leader, other, &remote, &first, &contexts);

    *made = NULL;
    if (result == HN_OK)
        /* Collective on this side only. */
        result = comm_copy(local, &copy);
    if (result == HN_OK)
        return comm_make_inter(copy, remote, first, &contexts, local, made);
    /* comm_make_inter() was not reached, so its references are still here. */
    if (remote)
        object_drop(remote);
    return result;
}

/* MPI 4.1, 7.6.2. The peer communicator and the remote leader's rank count at the leaders only. */
MPI_DEFINE(int, Intercomm_create,
           (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
            MPI_Comm *newcomm))
{
    struct mpi_comm *c = comm_of(local), *p = comm_of(peer), *made;
    struct comm_leader other = {.tag = tag};
    int result;

    if (!c)
        return error_no_comm(local, MPI_CALL);
    if (c->remote)
        return error_on(c, MPI_ERR_COMM, MPI_CALL,
                        "the local communicator is an intercommunicator");
    if (local_leader < 0 || local_leader >= c->size)
        return error_on(c, MPI_ERR_RANK, MPI_CALL, "the leader %d is not in 0 ... %d", local_leader,
                        c->size - 1);
    if (!newcomm)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "there is no place for the communicator");
    if (tag < 0)
        return error_on(c, MPI_ERR_TAG, MPI_CALL, "the tag %d is negative", tag);
    bool leads = c->rank == local_leader; /* other members' arguments are not significant */
    if (leads && p && remote_leader >= 0 && remote_leader < comm_peers(p)->size)
        other.tid = comm_peers(p)->tids[remote_leader];
    if (leads && (other.tid == 0 || other.tid == hn_mytid()))
        other.failed = HN_EARG; /* the other members get an error, too */
    else if (leads)
        /* The program's tag is used in this context, so it cannot meet the library's own tags. */
        other.context = p->inner + 1;
    /* The leader takes part even with invalid arguments, or its members would wait for ever. Its
     * own error is reported afterwards. */
    result = comm_join(c, local_leader, &other, &made);
    /* The leader's own mistake, in the order in which its arguments are checked. */
    if (leads && !p)
        return error_no_comm(peer, MPI_CALL);
    if (other.failed)
        return error_on(c, MPI_ERR_RANK, MPI_CALL, "the remote leader %d is not another rank",
                        remote_leader);
    if (result != HN_OK)
        return error_hn(c, result, MPI_CALL);
    *newcomm = made->object.handle;
    return MPI_SUCCESS;
}

/* Decides which side comes first: the one that passed `high` 0. If both passed the same, the order
 * of the intercommunicator counts. words[0] is this side's choice, words[1] that of the other side.
 * Each rank 0 broadcasts both to its side. */
static int agree_order(struct mpi_comm *c, int high, bool *first)
{
    int32_t words[2] = {high != 0, 0};
    int result = HN_OK;

    /* Both ranks 0 send before they receive, which does not block. */
    if (c->rank == 0) {
        result = comm_send_inner(c, 0, COMM_TAG_AGREE, words, 1, HN_INT32);
        if (result == HN_OK)
            result = comm_recv_inner(c, 0, COMM_TAG_AGREE, words + 1, 1, HN_INT32);
    }
    /* Collective on the local side, also after a failure of the exchange: the negative error is in
     * place of a choice. */
    if (result != HN_OK)
        words[0] = result;
    result = hn_bcast(words, 2, HN_INT32, 0, c->local->hn);
    /* Both sides get opposite answers. */
    *first = words[0] == words[1] ? c->is_first : words[0] == 0;
    return result == HN_OK && words[0] < 0 ? words[0] : result;
}

/* Each member computes the same order from `first`, without sending the member list again. */
MPI_DEFINE(int, Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *newcomm))
{
    struct mpi_comm *c = comm_of(comm), *made;
    struct comm_contexts contexts;
    bool first;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!c->remote)
        return error_on(c, MPI_ERR_COMM, MPI_CALL, "not an intercommunicator");
    if (!newcomm)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "there is no place for the communicator");
    int result = agree_order(c, high, &first);
    if (result == HN_OK)
        /* One new communicator for both sides needs one pair of contexts. */
        result = comm_agree(c, &contexts);
    /* Ranks follow this order. */
    hn_tid *tids = first ? group_join(c->group, c->remote) : group_join(c->remote, c->group);
    if (result == HN_OK)
        result = tids ? comm_make(group_new(tids, c->size + c->remote->size), &contexts, c, &made)
                      : HN_ENOMEM;
    free(tids);
    if (result != HN_OK)
        return error_hn(c, result, MPI_CALL);
    *newcomm = made->object.handle;
    return MPI_SUCCESS;
}
