/* mpi_comm.c - communicators: their parts, and the calls about one of them (mpi_comm.h).
 * mpi_comm_new.c and mpi_intercomm.c make new ones. Making is divided: begin() allocates,
 * comm_complete() adds contexts and the group of hnow. Nonblocking duplication needs the two
 * apart. The other functions here concern communicators that exist; all of their calls are
 * local. */
#include "communicator/mpi_comm.h"

#include "object/mpi_attribute.h"
#include "object/mpi_named.h"
#include "process/mpi_spawn.h"
#include "communicator/mpi_topology.h"

#include <stdio.h>
#include <strings.h>

struct mpi_comm *comm_world, *comm_self;
const char *const comm_psets[COMM_PSETS] = {"mpi://WORLD", "mpi://SELF"};

/* Process sets of MPI 4.1, 11.3.2. Names are URIs and are compared without case. */
const struct mpi_group *comm_pset(const char *name)
{
    const struct mpi_comm *comms[COMM_PSETS] = {comm_world, comm_self};

    /* Before MPI_Init() there is no set. */
    for (int i = 0; name && i < COMM_PSETS; i++)
        if (comms[i] && strcasecmp(name, comm_psets[i]) == 0)
            return comms[i]->group;
    return NULL;
}

/* Used by MPI_Comm_spawn(), MPI_Comm_accept() and MPI_Comm_connect(). */
int comm_check_root(struct mpi_comm *c, MPI_Comm comm, int root, const MPI_Comm *result,
                    const char *call)
{
    if (!c)
        return error_no_comm(comm, call);
    if (c->remote)
        return error_on(c, MPI_ERR_COMM, call, "an intercommunicator");
    /* The root is checked by all members, although only the root's other arguments count. */
    if (root < 0 || root >= c->size)
        return error_on(c, MPI_ERR_ROOT, call, "the root %d is not in 0 ... %d", root, c->size - 1);
    if (!result)
        return error_on(c, MPI_ERR_ARG, call, "there is no place for the communicator");
    return MPI_SUCCESS;
}

/* The group of MPI_COMM_WORLD belongs to hnow. Attributes were deleted by the call that frees,
 * because their functions need the handle. */
static void release(void *object)
{
    struct mpi_comm *c = object;

    if (c->hn != hn_world())
        hn_group_free((hn_group *)c->hn);
    /* Fields may be NULL after a failure in begin() or comm_incomplete(). */
    if (c->group)
        object_drop(c->group);
    if (c->remote)
        object_drop(c->remote);
    if (c->local)
        object_drop(c->local);
    if (c->errhandler)
        object_drop(c->errhandler);
    if (c->info)
        object_drop(c->info);
    topology_drop(c->topology);
}

/* Makes a communicator of a group, whose reference it takes; NULL: out of memory. The first
 * communicators have no `like` and start with MPI_ERRORS_ARE_FATAL, the default of MPI 4.1, 9.3. */
static struct mpi_comm *begin(struct mpi_group *group, const struct comm_contexts *contexts,
                              const struct mpi_comm *like)
{
    struct mpi_comm *c = group ? object_new(OBJECT_COMM) : NULL;

    if (!c) {
        if (group)
            object_drop(group);
        return NULL;
    }
    c->group = group;
    c->rank = group->rank;
    c->size = group->size;
    /* One context for two purposes: the program's messages, and hnow's collective operations. */
    c->context = contexts->group;
    c->inner = contexts->inner;
    c->errhandler = like ? like->errhandler : error_initial;
    object_hold(c->errhandler);
    /* Inherited by all that are made of it. */
    c->in_session = like && like->in_session;
    return c;
}

/* Recursive: the local side of an intercommunicator is duplicated as well. The result has no
 * contexts and no group of hnow, hence no message can use it. */
struct mpi_comm *comm_incomplete(const struct mpi_comm *like)
{
    struct mpi_comm *c;

    object_hold(like->group);
    c = begin(like->group, &(struct comm_contexts){0, 0}, like);
    /* Within a group, this is all. */
    if (!c || !like->remote)
        return c;
    object_hold(like->remote);
    c->remote = like->remote;
    c->is_first = like->is_first;
    c->local = comm_incomplete(like->local);
    if (c->local)
        return c;
    object_drop(c);
    return NULL;
}

/* An intercommunicator has no group of hnow yet: it is made at the first collective operation.
 * Local. */
int comm_complete(struct mpi_comm *c, const struct comm_contexts *contexts)
{
    hn_group *hn = NULL;

    c->context = contexts->group;
    c->inner = contexts->inner;
    /* mpi_coll_inter.c makes the group of both sides when an operation needs it. */
    if (c->remote)
        return HN_OK;
    int result = hn_group_new(c->group->tids, c->size, contexts->group, &hn);
    c->hn = hn;
    return result;
}

/* The group's reference passes to the communicator. `like` gives the error handler and whether
 * it is of a session. */
int comm_make(struct mpi_group *group, const struct comm_contexts *contexts,
              const struct mpi_comm *like, struct mpi_comm **made)
{
    struct mpi_comm *c = begin(group, contexts, like);
    int result = c ? comm_complete(c, contexts) : HN_ENOMEM;

    *made = result == HN_OK ? c : NULL;
    if (c && !*made)
        object_drop(c);
    return result;
}

/* Fails only without memory, also if `remote` could not be made. */
int comm_make_inter(struct mpi_comm *local, struct mpi_group *remote, bool is_first,
                    const struct comm_contexts *contexts, const struct mpi_comm *like,
                    struct mpi_comm **made)
{
    struct mpi_comm *c;

    object_hold(local->group);
    /* Before any error exit, so that each reference is dropped in one place. */
    c = begin(local->group, contexts, like);
    *made = c;
    if (!c || !remote) {
        object_drop(local);
        if (remote)
            object_drop(remote);
        if (c)
            object_drop(c);
        *made = NULL;
        return HN_ENOMEM;
    }
    c->local = local;
    c->remote = remote;
    c->is_first = is_first;
    return HN_OK;
}

/* ---- predefined communicators --------------------------------------------------------------- */

/* Makes c a predefined object with its fixed handle; passes NULL through. */
static struct mpi_comm *own(struct mpi_comm *c, const char *name, MPI_Comm handle)
{
    if (!c)
        return NULL;
    c->object.named = true;
    snprintf(c->name, sizeof c->name, "%s", name);
    /* The handle of the ABI's header, instead of the one of handle_new(). */
    handle_bind(c, handle);
    return c;
}

/* MPI_COMM_WORLD: the tasks started by hrun, or by one call of MPI_Comm_spawn(). Spawned tasks have
 * a world of their own, whose contexts their parents have chosen. Tasks of hrun share fixed
 * contexts, which need no agreement. */
static int world_setup(const struct spawned *spawned)
{
    const hn_tid *tids = spawned ? spawned->world : NULL;
    struct comm_contexts contexts = {CONTEXT_WORLD, CONTEXT_WORLD_INNER};
    int n = spawned ? spawned->size : hn_siblings(&tids);

    /* An error of hnow. */
    if (n < 0)
        return n;
    if (spawned)
        contexts = spawned->contexts;
    comm_world = own(begin(group_new(tids, n), &contexts, NULL), "MPI_COMM_WORLD", MPI_COMM_WORLD);
    if (!comm_world)
        return HN_ENOMEM;
    if (spawned)
        return comm_complete(comm_world, &contexts);
    /* The same group as hnow's, so no new one is made. */
    comm_world->hn = hn_world();
    return HN_OK;
}

/* The contexts of MPI_COMM_SELF: one is new for its collective operations, the other one is shared
 * with MPI_COMM_WORLD. */
int comm_setup(const struct spawned *spawned)
{
    hn_tid self = hn_mytid();
    struct comm_contexts contexts;
    int result;

    object_when_freed(OBJECT_COMM, release);
    result = world_setup(spawned);
    if (result == HN_OK)
        result = hn_context_new(&contexts.group);
    contexts.inner = CONTEXT_WORLD_INNER; /* no other task receives a task's messages to itself */
    if (result == HN_OK)
        result = comm_make(group_new(&self, 1), &contexts, NULL, &comm_self);
    if (result == HN_OK)
        own(comm_self, "MPI_COMM_SELF", MPI_COMM_SELF);
    /* Also after an error: whatever exists receives errors from now on. */
    error_communicators(comm_world, comm_self);
    return result;
}

/* MPI 4.1, 11.2.4: delete functions of MPI_COMM_SELF run first, while all of MPI still works. */
void comm_end(void)
{
    /* Errors of delete functions are ignored: nothing could be done about them. */
    attribute_delete_all(comm_self->object.handle, &comm_self->attributes);
    attribute_delete_all(comm_world->object.handle, &comm_world->attributes);
}

/* ---- internal messages ---------------------------------------------------------------------- */

/* Messages of the library, which no receive of the program can match. */
int comm_send_inner(const struct mpi_comm *c, int rank, int tag, const void *data, size_t count,
                    hn_type type)
{
    return IN_CONTEXT(c->inner, hn_send(comm_peers(c)->tids[rank], tag, data, count, type));
}

/* Blocks. Exactly `count` elements are expected; a longer message is an error of the library. */
int comm_recv_inner(const struct mpi_comm *c, int rank, int tag, void *data, size_t count,
                    hn_type type)
{
    return IN_CONTEXT(c->inner, hn_recv(comm_peers(c)->tids[rank], tag, data, count, type, NULL));
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* An invalid handle is reported rather than a missing result. */
struct mpi_comm *comm_given(MPI_Comm comm, const void *result, const char *call, int *error)
{
    struct mpi_comm *c = comm_of(comm);

    if (c && result)
        return c;
    *error =
        c ? error_on(c, MPI_ERR_ARG, call, "no place for the result") : error_no_comm(comm, call);
    return NULL;
}

/* MPI 4.1, 7.4.1. Between groups, that of the local group. */
MPI_DEFINE(int, Comm_size, (MPI_Comm comm, int *size))
{
    int error;
    struct mpi_comm *c = comm_given(comm, size, MPI_CALL, &error);

    if (!c)
        return error;
    *size = c->size;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.4.1. Between groups, the rank in the local group. */
MPI_DEFINE(int, Comm_rank, (MPI_Comm comm, int *rank))
{
    int error;
    struct mpi_comm *c = comm_given(comm, rank, MPI_CALL, &error);

    if (!c)
        return error;
    *rank = c->rank;
    return MPI_SUCCESS;
}

/* A new group, because the program frees it independently of the communicator. */
static int group_result(struct mpi_comm *c, const struct mpi_group *of, MPI_Group *group,
                        const char *call)
{
    struct mpi_group *g = group_new(of->tids, of->size);

    if (!g)
        return error_on(c, MPI_ERR_NO_MEM, call, "out of memory");
    *group = g->object.handle;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.3.2. Of an intercommunicator, the local group. */
MPI_DEFINE(int, Comm_group, (MPI_Comm comm, MPI_Group *group))
{
    int error;
    struct mpi_comm *c = comm_given(comm, group, MPI_CALL, &error);

    return c ? group_result(c, c->group, group, MPI_CALL) : error;
}

/* MPI 4.1, 7.6.1. */
MPI_DEFINE(int, Comm_test_inter, (MPI_Comm comm, int *flag))
{
    int error;
    struct mpi_comm *c = comm_given(comm, flag, MPI_CALL, &error);

    if (!c)
        return error;
    *flag = c->remote != NULL;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.6.1. An error within a group. */
MPI_DEFINE(int, Comm_remote_size, (MPI_Comm comm, int *size))
{
    int error;
    struct mpi_comm *c = comm_given(comm, size, MPI_CALL, &error);

    if (!c)
        return error;
    if (!c->remote)
        return error_on(c, MPI_ERR_COMM, MPI_CALL, "not an intercommunicator");
    *size = c->remote->size;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.6.1. Ranks of messages refer to this group. */
MPI_DEFINE(int, Comm_remote_group, (MPI_Comm comm, MPI_Group *group))
{
    int error;
    struct mpi_comm *c = comm_given(comm, group, MPI_CALL, &error);

    if (!c)
        return error;
    if (!c->remote)
        return error_on(c, MPI_ERR_COMM, MPI_CALL, "not an intercommunicator");
    return group_result(c, c->remote, group, MPI_CALL);
}

/* MPI 4.1, 7.4.1. Congruent: the same groups with different contexts. Similar: the same members in
 * another order. Both sides of an intercommunicator must agree. */
MPI_DEFINE(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result))
{
    int error, local, remote;
    struct mpi_comm *a = comm_given(comm1, result, MPI_CALL, &error);
    struct mpi_comm *b = a ? comm_given(comm2, result, MPI_CALL, &error) : NULL;

    if (!b)
        return error;
    /* O(members) by hashing. */
    local = group_compare(a->group, b->group);
    remote = a->remote && b->remote ? group_compare(a->remote, b->remote) : MPI_IDENT;
    if (a == b)
        *result = MPI_IDENT;
    else if (!a->remote != !b->remote || local == MPI_UNEQUAL || remote == MPI_UNEQUAL)
        *result = MPI_UNEQUAL;
    else
        *result = local == MPI_IDENT && remote == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
    return MPI_SUCCESS;
}

NAME_CALLS(Comm, MPI_Comm, comm_of, error_no_comm, error_on, MPI_COMM_NULL)
INFO_CALLS(Comm, comm_of, error_no_comm, error_on, COMM_HINTS)

/* Collective in the standard, but nothing has to be agreed here, so it does not block. Pending
 * operations hold the communicator. */
static int give_up(MPI_Comm *comm, const char *call)
{
    struct mpi_comm *c = comm ? comm_of(*comm) : NULL;
    int error;

    if (!c)
        return error_no_comm(comm ? *comm : MPI_COMM_NULL, call);
    if (c->object.named)
        return error_on(c, MPI_ERR_COMM, call, "%s cannot be freed", c->name);
    /* A delete function that fails keeps the communicator valid. */
    error = attribute_delete_all(c->object.handle, &c->attributes);
    if (error != MPI_SUCCESS)
        return error_on(c, error, call, "an attribute's delete function has failed");
    object_retire(c);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.4.3. Pending operations still complete. */
MPI_DEFINE(int, Comm_free, (MPI_Comm * comm))
{
    return give_up(comm, MPI_CALL);
}

/* Tasks of one job are always connected, so pending messages still arrive. */
MPI_DEFINE(int, Comm_disconnect, (MPI_Comm * comm))
{
    return give_up(comm, MPI_CALL);
}
