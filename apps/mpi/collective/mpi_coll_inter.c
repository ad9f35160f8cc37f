/* mpi_coll_inter.c - collective operations of intercommunicators (mpi_coll.h).
 *
 * Both sides together form a group of hnow: the first side, followed by the other one.  What a
 * member sends to the other side, or receives from it, is an operation of that group in which its
 * own side has empty parts.  Reductions first reduce on each side to its rank 0, which then sends
 * the result to the other side.
 *
 * The semantics are those of MPI 4.1, 6.2.3. The group of both sides costs nothing before the first
 * such operation. An operation has up to three parts, which inter_begin() and inter_continue()
 * start one after the other; `parts_left` counts those that remain.
 */
#include "collective/mpi_coll.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- the group of both sides ---------------------------------------------------------------- */

/* Both sides build the same list, because `is_first` differs between them. */
static int make_both(struct mpi_comm *c)
{
    hn_tid *tids = c->is_first ? group_join(c->group, c->remote) : group_join(c->remote, c->group);
    hn_group *both = NULL;

    if (!tids)
        return HN_ENOMEM;
    int result = hn_group_new(tids, c->size + c->remote->size, c->context, &both);
    free(tids);
    c->hn = both;
    return result;
}

/* The group is made at the first operation. The lock serves two threads that use different
 * operations of one communicator. */
static int both_sides(struct mpi_comm *c)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int result = HN_OK;

    pthread_mutex_lock(&lock);
    /* Local: all members know both sides, and the context was agreed on with the communicator. */
    if (!c->hn)
        result = make_both(c);
    pthread_mutex_unlock(&lock);
    return result;
}

/* Ranks in the group of both sides: of the other side's rank 0, and of this side's. Members of
 * the first side have the lower ranks. */
static int other_side(const struct mpi_comm *c)
{
    return c->is_first ? c->size : 0;
}
/* The rank of the local side's first member in the group of both sides. */
static int own_side(const struct mpi_comm *c)
{
    return c->is_first ? 0 : c->remote->size;
}

/* ---- one operation -------------------------------------------------------------------------- */

/* Lengths and displacements of what a member sends to, or receives from, each member of both sides;
 * 0 by default.  Pointers into k->lists. */
struct shares {
    size_t *give, *give_at, *get, *get_at;
};

/* The lists belong to the operation, since hnow reads them until it ends. */
static bool make_shares(struct collective *k, struct shares *s)
{
    size_t n = (size_t)(k->c->size + k->c->remote->size);

    k->lists = calloc(4 * n, sizeof *k->lists);
    *s = (struct shares){k->lists, k->lists + n, k->lists + 2 * n, k->lists + 3 * n};
    return k->lists != NULL;
}

/* Assigns the blocks of a side to the ranks of the other side; `same`: one block for all. */
static void share_blocks(const struct collective *k, const struct coll_side *side, bool same,
                         size_t *n, size_t *at)
{
    for (int i = 0; i < k->c->remote->size; i++) {
        int rank = other_side(k->c) + i;
        size_t block = same ? 0 : (size_t)i;
        n[rank] = side->elements ? side->elements[block] : side->n;
        at[rank] = side->elements ? side->places[block] : block * side->n;
    }
}

/* An allgather between groups sends one block to every member of the other side, so it is an
 * alltoallv with equal blocks. */
static int exchange(struct collective *k, hn_request **request)
{
    struct shares s;
    bool gathers = k->kind == COLL_ALLGATHER || k->kind == COLL_ALLGATHERV;

    if (!make_shares(k, &s))
        return HN_ENOMEM;
    /* What is given to the own side has length 0, the default. */
    share_blocks(k, &k->in, gathers, s.give, s.give_at);
    share_blocks(k, &k->out, false, s.get, s.get_at);
    return COLL_BEGIN(k, request, alltoallv, k->in.data, s.give, s.give_at, k->out.data, s.get,
                      s.get_at, k->in.unit, k->c->hn);
}

/* An exchange with a type per block; this side's own members have none. An empty block needs a
 * valid type, so HN_BYTE is the default. */
static int exchange_types(struct collective *k, hn_request **request)
{
    struct shares s;
    size_t n = (size_t)(k->c->size + k->c->remote->size);

    k->types = malloc(2 * n * sizeof *k->types);
    if (!k->types || !make_shares(k, &s))
        return HN_ENOMEM;
    share_blocks(k, &k->in, false, s.give, s.give_at);
    share_blocks(k, &k->out, false, s.get, s.get_at);
    for (size_t i = 0; i < 2 * n; i++)
        k->types[i] = HN_BYTE;
    memcpy(k->types + other_side(k->c), k->in.units, k->in.blocks * sizeof *k->types);
    memcpy(k->types + n + other_side(k->c), k->out.units, k->out.blocks * sizeof *k->types);
    return COLL_BEGIN(k, request, alltoallw, k->in.data, s.give, s.give_at, k->types, k->out.data,
                      s.get, s.get_at, k->types + n, k->c->hn);
}

/* Members of the root's side other than the root take no part; hn_bcast_to() needs no call of
 * theirs. */
static int broadcast(struct collective *k, hn_request **request)
{
    struct mpi_comm *c = k->c;
    int receivers = k->at_root ? c->remote->size : c->size;
    int first = k->at_root ? other_side(c) : own_side(c);
    int root = k->at_root ? own_side(c) + c->rank : other_side(c) + k->root;

    if (k->root == MPI_PROC_NULL)
        return HN_OK;
    int *to = malloc((size_t)receivers * sizeof *to); /* hnow copies it */
    if (!to)
        return HN_ENOMEM;
    for (int i = 0; i < receivers; i++)
        to[i] = first + i;
    int result = COLL_BEGIN(k, request, bcast_to, k->out.data, k->out.n, k->out.unit, root, to,
                            receivers, c->hn);
    free(to);
    return result;
}

/* Data to or from a root travels in point-to-point messages, because the other members of the
 * root's side do not know its sizes. */
static int to_or_from_root(struct collective *k)
{
    const struct mpi_group *remote = k->c->remote;
    bool gathers = k->kind == COLL_GATHER || k->kind == COLL_GATHERV;
    struct coll_side *all = gathers ? &k->out : &k->in, *one = gathers ? &k->in : &k->out;
    int result = HN_OK;

    if (!coll_post_room(k, (size_t)remote->size))
        return HN_ENOMEM;
    /* The root exchanges one message with each member of the other side. */
    for (int i = 0; k->at_root && i < remote->size && result == HN_OK; i++) {
        size_t n = all->elements ? all->elements[i] : all->n;
        size_t at = all->elements ? all->places[i] : (size_t)i * all->n;
        result = coll_post(k, !gathers, remote->tids[i], 0,
                           all->data + at * hn_type_size(all->unit), n, all->unit);
    }
    /* This member is on the other side, and has one block. */
    if (k->root >= 0)
        result = coll_post(k, gathers, remote->tids[k->root], 0, one->data, one->n, one->unit);
    return result;
}

/* ---- reductions ----------------------------------------------------------------------------- */

/* These two kinds have a third part. */
static bool scatters(const struct collective *k)
{
    return k->kind == COLL_REDUCE_SCATTER || k->kind == COLL_REDUCE_SCATTER_BLOCK;
}

/* Elements of a side's result. */
static size_t result_length(const struct collective *k)
{
    return k->in.n * k->in.blocks;
}

/* First part: each sending side reduces to its rank 0. In MPI_Reduce() only the side away from the
 * root has data. The + 1 avoids an allocation of 0 bytes. */
static int reduce_side(struct collective *k, hn_request **request)
{
    if (!k->has_in)
        return HN_OK;
    size_t bytes = result_length(k) * hn_type_size(k->use.unit);
    k->between = malloc(2 * bytes + 1); /* result of this side, then of the other one */
    if (!k->between)
        return HN_ENOMEM;
    /* Within the local group: members of the other side do the same among themselves. */
    return COLL_BEGIN(k, request, reduce, k->in.data, k->between, result_length(k), k->use.unit,
                      k->use.hn, 0, k->c->local->hn);
}

/* The second half of `between`; used at rank 0 only. */
static char *other_result(const struct collective *k)
{
    return (char *)k->between + result_length(k) * hn_type_size(k->use.unit);
}

/* Second part: the sides exchange results, from rank 0 to all members, to rank 0, or to the
 * root. Only one message crosses for each receiver. Members that get nothing have posted nothing,
 * and their part ends at once. */
static int swap_results(struct collective *k)
{
    const struct mpi_comm *c = k->c;
    const struct mpi_group *remote = c->remote;
    bool to_all = k->kind == COLL_ALLREDUCE, gives = k->has_in && c->rank == 0;
    int only = k->kind == COLL_REDUCE ? k->root : 0, result = HN_OK;
    hn_type type = k->use.unit;

    if (!coll_post_room(k, (size_t)remote->size + 1))
        return HN_ENOMEM;
    /* Rank 0 keeps it for the third part. */
    if (scatters(k) && c->rank == 0)
        result = coll_post(k, false, remote->tids[0], 0, other_result(k), result_length(k), type);
    else if (!scatters(k) && k->has_out)
        result = coll_post(k, false, remote->tids[0], 0, k->out.data, k->out.n, type);
    /* With MPI_Reduce() the only receiver is the root; k->root is its rank here. */
    for (int i = 0; gives && i < remote->size && result == HN_OK; i++)
        if (to_all || i == only)
            result = coll_post(k, true, remote->tids[i], 0, k->between, result_length(k), type);
    return result;
}

/* Third part: rank 0 scatters the result received from the other side. Members other than rank 0
 * have no result of the other side; hn_scatterv() reads lists and data at its root only. */
static int scatter_result(struct collective *k, hn_request **request)
{
    struct shares s;
    size_t at = 0;

    if (!make_shares(k, &s))
        return HN_ENOMEM;
    for (int i = 0; i < k->c->size; i++) {
        s.give[i] = k->elements ? k->elements[i] : k->out.n;
        s.give_at[i] = at;
        at += s.give[i];
    }
    return COLL_BEGIN(k, request, scatterv, other_result(k), s.give, s.give_at, k->out.data,
                      k->out.n, k->use.unit, 0, k->c->local->hn);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* The parts that are operations of hnow; of most kinds there is only the first one. */
enum part { FIRST, LAST };

/* Gathers and scatters with a root, whose parts are messages. */
static bool is_rooted_list(const struct collective *k)
{
    return k->kind >= COLL_GATHER && k->kind <= COLL_SCATTERV;
}

/* Starts a part, or makes its persistent request; *request stays NULL if there is nothing to do.
 * Rooted gathers and scatters are messages, which have no persistent request; they are posted at
 * each start. */
static int make_part(struct collective *k, enum part part, hn_request **request)
{
    if (is_rooted_list(k))
        return HN_OK;
    /* The last part exists only if the result is scattered within this side. */
    if (part == LAST)
        return scatters(k) ? scatter_result(k, request) : HN_OK;
    switch (k->kind) {
    case COLL_BARRIER:
        return COLL_BEGIN(k, request, barrier, k->c->hn);
    case COLL_BCAST:
        return broadcast(k, request);
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
        return exchange(k, request);
    case COLL_ALLTOALLW:
        return exchange_types(k, request);
    default:
        return reduce_side(k, request);
    }
}

/* A persistent request exists only for parts that have something to do. */
static int start_part(struct collective *k, enum part part, struct mpi_request *r)
{
    if (!k->persistent)
        return make_part(k, part, &r->hn);
    r->hn = k->kept[part];
    return r->hn ? hn_start(r->hn) : HN_OK;
}

/* The first call of a reduction swaps, the second one scatters. A member without messages in the
 * swap proceeds with the scatter at once. */
int inter_continue(struct collective *k, struct mpi_request *r)
{
    bool swaps = k->parts_left-- == (scatters(k) ? 2 : 1);
    int result = swaps ? swap_results(k) : start_part(k, LAST, r);

    if (result == HN_OK && swaps && k->posted_count == 0 && k->parts_left > 0)
        return inter_continue(k, r);
    return result;
}

/* Parts run one after the other; on_end() starts the next one. */
int inter_begin(struct collective *k, struct mpi_request *r)
{
    int result = both_sides(k->c);

    if (result == HN_OK && is_rooted_list(k))
        return to_or_from_root(k);
    if (result == HN_OK)
        result = start_part(k, FIRST, r);
    /* Swap and scatter, only the swap, or neither. */
    k->parts_left = scatters(k) ? 2 : k->kind == COLL_REDUCE || k->kind == COLL_ALLREDUCE;
    return result == HN_OK && !r->hn && k->parts_left > 0 ? inter_continue(k, r) : result;
}

/* Both parts that are operations of hnow are made in the same order at all members. */
int inter_keep(struct collective *k)
{
    int result = both_sides(k->c);

    for (enum part part = FIRST; part <= LAST && result == HN_OK; part++)
        result = make_part(k, part, &k->kept[part]);
    return result;
}
