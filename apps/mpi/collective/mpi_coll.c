/* mpi_coll.c - collective operations (mpi_coll.h).
 *
 * Blocking operations of an intracommunicator call hnow's blocking function directly, without a
 * request. All others run as requests, whose state machine is on_end(). An error that only this
 * member finds must not make the others wait: see refuse().
 *
 * The life of an operation: open_all() checks and prepares both sides; fill() packs; call_hn()
 * or messages do the work; empty() unpacks; close_all() frees. Blocking calls run these in one
 * function. Requests run the first ones in begin() and the last ones in on_end() and let_go().
 */
#include "collective/mpi_coll.h"

#include "communicator/mpi_topology.h"
#include "datatype/mpi_pack.h"

#include <stdlib.h>

/* ---- arguments ------------------------------------------------------------------------------ */

/* How many blocks a side has: none, one, or one for each member (neighbour). */
enum blocks { NONE, ONE, ALL };

/* What distinguishes the kinds before their data is known; read by find_sides() and the checks. */
static const struct shape {
    enum blocks in, out;
    bool rooted, reduces;
    bool in_from_root; /* true: only the root sends, and all receive; false: only the root
                          receives */
} shapes[] = {
    [COLL_BARRIER] = {NONE, NONE, false, false, false},
    [COLL_BCAST] = {NONE, ONE, true, false, true},
    [COLL_GATHER] = {ONE, ALL, true, false, false},
    [COLL_GATHERV] = {ONE, ALL, true, false, false},
    [COLL_SCATTER] = {ALL, ONE, true, false, true},
    [COLL_SCATTERV] = {ALL, ONE, true, false, true},
    [COLL_ALLGATHER] = {ONE, ALL, false, false, false},
    [COLL_ALLGATHERV] = {ONE, ALL, false, false, false},
    [COLL_ALLTOALL] = {ALL, ALL, false, false, false},
    [COLL_ALLTOALLV] = {ALL, ALL, false, false, false},
    [COLL_ALLTOALLW] = {ALL, ALL, false, false, false},
    [COLL_REDUCE] = {ONE, ONE, true, true, false},
    [COLL_ALLREDUCE] = {ONE, ONE, false, true, false},
    [COLL_REDUCE_SCATTER] = {ONE, ONE, false, true, false},
    [COLL_REDUCE_SCATTER_BLOCK] = {ALL, ONE, false, true, false},
    [COLL_SCAN] = {ONE, ONE, false, true, false},
    [COLL_EXSCAN] = {ONE, ONE, false, true, false},
    [COLL_NEIGHBOUR_GATHER] = {ONE, ALL, false, false, false},
    [COLL_NEIGHBOUR_ALL] = {ALL, ALL, false, false, false},
};

static bool is_neighbourly(const struct collective *k)
{
    return k->kind >= COLL_NEIGHBOUR_GATHER;
}

/* Determines which sides (send, receive) this member has. In a rooted operation between groups,
 * MPI_ROOT is the root itself, MPI_PROC_NULL the rest of its side; the other side passes the root's
 * rank (MPI 4.1, 6.2.3). A broadcast has one buffer only, which is the receive side here even at
 * the root. MPI_Scan() is not defined between groups (MPI 4.1, 6.11). */
static int find_sides(struct collective *k)
{
    const struct shape *shape = &shapes[k->kind];
    struct mpi_comm *c = k->c;
    bool inter = c->remote != NULL;
    int most = inter ? c->remote->size : c->size;
    bool gives = true, gets = true;

    if (inter && (k->kind == COLL_SCAN || k->kind == COLL_EXSCAN))
        return error_on(c, MPI_ERR_COMM, k->call, "not defined on an intercommunicator");
    if (shape->rooted) {
        /* Within a group only a rank is valid. */
        bool is_rank = k->root >= 0 && k->root < most;
        if (!is_rank && !(inter && (k->root == MPI_ROOT || k->root == MPI_PROC_NULL)))
            return error_on(c, MPI_ERR_ROOT, k->call, "the root %d is no rank below %d", k->root,
                            most);
        /* Between groups a root is never a rank of the own side. */
        k->at_root = inter ? k->root == MPI_ROOT : k->root == c->rank;
        /* Between groups, members of the root's own side take no part. */
        bool others = inter ? k->root >= 0 : true;
        gives = shape->in_from_root ? k->at_root : others;
        gets = shape->in_from_root ? others : k->at_root;
        /* Its only buffer is filled at the root, too. */
        if (k->kind == COLL_BCAST)
            gets = gives || gets;
    } else {
        k->at_root = true;
    }
    k->has_in = shape->in != NONE && gives;
    k->has_out = shape->out != NONE && gets;
    return MPI_SUCCESS;
}

/* MPI_Reduce_scatter(): the list of counts gives the lengths of both sides. The send side has the
 * sum of all counts. With MPI_IN_PLACE the input is in the receive buffer and so has the sum,
 * too. */
static int read_shares(struct collective *k)
{
    struct counts counts = k->out.counts;
    MPI_Count sum = 0, own = 0;

    if (!counts.at)
        return error_on(k->c, MPI_ERR_ARG, k->call, "no list of counts");
    k->elements = calloc((size_t)k->c->size, sizeof *k->elements);
    if (!k->elements)
        return error_on(k->c, MPI_ERR_NO_MEM, k->call, "out of memory");
    /* Every member has the whole list, and each one computes the same sum. */
    for (int i = 0; i < k->c->size; i++) {
        MPI_Count count = counts_get(counts, i);
        if (count < 0)
            return error_on(k->c, MPI_ERR_COUNT, k->call, "the count %lld for rank %d is negative",
                            (long long)count, i);
        sum += count;
        own = i == k->c->rank ? count : own;
        k->elements[i] = (size_t)count;
    }
    k->in.count = sum;
    k->out.count = k->in.buffer == MPI_IN_PLACE ? sum : own;
    /* From here on the sides have one length each, and hnow gets the list. */
    k->out.counts = (struct counts){0};
    return MPI_SUCCESS;
}

/* With MPI_IN_PLACE as send buffer, the data is in the receive buffer and has its length. Between
 * groups there is one block for each member of the other side; the sections of
 * MPI_Reduce_scatter_block() belong to the own side. */
static size_t count_blocks(const struct collective *k, enum blocks blocks, bool in)
{
    size_t from = 0, to = 0;

    if (blocks == ONE && k->kind == COLL_REDUCE_SCATTER_BLOCK && k->in.buffer == MPI_IN_PLACE)
        blocks = ALL;
    if (blocks == ONE)
        return 1;
    if (is_neighbourly(k)) {
        neighbour_counts(k->c, &from, &to);
        /* A member sends along its outgoing edges, and receives along the others. */
        return in ? to : from;
    }
    if (k->c->remote && k->kind != COLL_REDUCE_SCATTER_BLOCK)
        return (size_t)k->c->remote->size;
    return (size_t)k->c->size;
}

/* MPI_IN_PLACE may replace at most one buffer, and only where the operation allows it. By MPI 4.1,
 * 6.5 to 6.10: at the root of rooted operations; as receive buffer of a scatter and as send buffer
 * of the others. Between groups and in neighbourhoods it has no meaning. */
static int check_in_place(struct collective *k)
{
    bool scatters = k->kind == COLL_SCATTER || k->kind == COLL_SCATTERV;
    bool in = k->has_in && k->in.in_place, out = k->has_out && k->out.in_place;
    bool allowed = !k->c->remote && !is_neighbourly(k) &&
                   (scatters ? !in && (!out || k->at_root) : !out && (!in || k->at_root));

    if ((in || out) && !allowed)
        return error_on(k->c, MPI_ERR_BUFFER, k->call, "MPI_IN_PLACE is not allowed here");
    return MPI_SUCCESS;
}

/* An empty side has no type; it gets the type of the other side.  In MPI_Alltoallv() types may also
 * differ between pairs of members, so that only bytes are the same type everywhere; that loses
 * nothing between machines of one kind. */
static void agree_on_type(const struct collective *k, struct coll_side *in, struct coll_side *out)
{
    bool bytes = k->kind == COLL_ALLTOALLV && !wire_is_mixed;

    /* The usual case. */
    if (!bytes && in->unit == out->unit)
        return;
    if (!bytes && side_bytes(out) == 0) {
        out->unit = in->unit;
    } else if (!bytes && side_bytes(in) == 0) {
        in->unit = out->unit;
        /* Both sides have data, of different types of hnow: bytes are what they have in common. */
    } else {
        side_as_bytes(in);
        side_as_bytes(out);
    }
}

static int call_hn(struct collective *k, hn_request **request);

/* Takes part without data after an argument error. Otherwise the other members would wait; so they
 * get an error, and the numbers of later operations match everywhere. The type 0 is valid nowhere,
 * so hnow reports an error to all members. */
static void refuse(struct collective *k)
{
    hn_request *none;

    k->in.unit = k->out.unit = k->use.unit = 0; /* no type */
    /* Its result is not needed: the caller reports its own error. */
    call_hn(k, k->persistent ? &none : NULL);
}

/* Checks the member's block to itself: send and receive parts must not be the same memory, must
 * have the same length, and elements of one type.  Neighbours' messages have the type of their
 * side. Only this block can be checked locally; hnow checks the others while the operation runs. */
static int check_own_block(struct collective *k)
{
    struct coll_side *in = &k->in, *out = &k->out;
    const struct shape *shape = &shapes[k->kind];
    size_t rank = (size_t)k->c->rank, gives, gets;
    /* The block for itself is at its own rank, unless a side has one block only. */
    size_t given = shape->in == ALL && !shape->reduces ? rank : 0;
    size_t got = shape->out == ALL ? rank : 0;

    if (!k->has_in || !k->has_out || in->in_place || out->in_place || is_neighbourly(k))
        return MPI_SUCCESS;
    if (!shape->reduces && !in->types)
        agree_on_type(k, in, out);
    /* A member gives itself nothing there. */
    if (k->c->remote)
        return MPI_SUCCESS;
    if (side_is_same(in, given, out, got))
        return error_on(k->c, MPI_ERR_BUFFER, k->call, "both buffers are the same");
    /* Lengths in wire format; the types may differ if the lengths agree. */
    gives = side_block_bytes(in, given);
    gets = side_block_bytes(out, got);
    if (gives == gets || shape->reduces)
        return MPI_SUCCESS;
    return error_on(k->c, gives > gets ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT, k->call,
                    "the caller gives itself %zu bytes, and expects %zu", gives, gets);
}

/* The wire may have another number of elements than the program's type, for instance bytes of a
 * struct, so the shares are converted. */
static int open_operator(struct collective *k)
{
    struct mpi_type *t = k->has_in && !k->in.in_place ? k->in.type : k->out.type;
    int error;

    /* Neither side has a type, e.g. if the only one is replaced by MPI_IN_PLACE. */
    if (!t && !(t = type_for_data(k->c, k->out.handle, k->call, &error)))
        return error;
    error = operator_begin(&k->use, k->op, t, k->c, k->call);
    if (error == MPI_SUCCESS)
        k->in.unit = k->out.unit = k->use.unit;
    for (int i = 0; k->elements && i < k->c->size; i++)
        k->elements[i] = wire_size(t, k->elements[i]) / hn_type_size(k->use.unit);
    return error;
}

/* Opens both sides and the operator. Returns MPI_SUCCESS, or the code of error_on(). */
static int open_sides(struct collective *k)
{
    const struct shape *shape = &shapes[k->kind];
    size_t from, to;
    int error;

    k->c = comm_of(k->comm);
    if (!k->c)
        return error_no_comm(k->comm, k->call);
    if (comm_is_revoked(k->c))
        return error_revoked(k->c, k->call);
    if (is_neighbourly(k) && !neighbour_counts(k->c, &from, &to))
        return error_on(k->c, MPI_ERR_TOPOLOGY, k->call, "the communicator has no topology");
    /* The order is fixed: sides before counts, counts before buffers, buffers before checks that
     * compare both. */
    error = find_sides(k);
    if (error == MPI_SUCCESS && k->kind == COLL_REDUCE_SCATTER)
        error = read_shares(k);
    if (error == MPI_SUCCESS && k->has_in)
        error = side_open(&k->in, count_blocks(k, shape->in, true), k->c, k->call);
    if (error == MPI_SUCCESS && k->has_out)
        error = side_open(&k->out, count_blocks(k, shape->out, false), k->c, k->call);
    if (error == MPI_SUCCESS)
        error = check_in_place(k);
    if (error == MPI_SUCCESS)
        error = check_own_block(k);
    if (error == MPI_SUCCESS && shape->reduces && (k->has_in || k->has_out))
        error = open_operator(k);
    return error;
}

/* close_all() is needed in any case. After an error the others must not wait for this member. */
static int open_all(struct collective *k)
{
    int error = open_sides(k);

    if (error != MPI_SUCCESS && k->c && !k->c->remote && !is_neighbourly(k))
        refuse(k);
    return error;
}

/* All pointers may be NULL. References to types are not dropped here, because a blocking call holds
 * none. */
static void close_all(struct collective *k)
{
    /* Also after a failure in the middle of open_all(): unopened parts are zero. */
    side_close(&k->in);
    side_close(&k->out);
    operator_end(&k->use);
    free(k->elements);
    free(k->posted);
    free(k->between);
    free(k->lists);
    free(k->types);
}

/* ---- execution ------------------------------------------------------------------------------ */

/* Calls the blocking form or, with a request, the nonblocking or persistent one. */
#define CALL_HN(name, ...)                                                                         \
    (!request ? hn_##name(__VA_ARGS__) : COLL_BEGIN(k, request, name, __VA_ARGS__))

/* `given` is the side whose count and type describe a block: with MPI_IN_PLACE, or without a send
 * side, the other one. */
static int call_hn(struct collective *k, hn_request **request)
{
    struct coll_side *in = &k->in, *out = &k->out;
    const hn_group *group = k->c->hn;
    bool in_place = k->has_in && in->in_place;
    void *from = in_place ? HN_IN_PLACE : in->data;
    void *to = k->has_out && out->in_place ? HN_IN_PLACE : out->data;
    /* hnow has one count and type for both sides. */
    const struct coll_side *given = in_place || !k->has_in ? out : in;
    size_t n = given->n;
    hn_type type = given->unit;

    switch (k->kind) {
    case COLL_BARRIER:
        return CALL_HN(barrier, group);
    /* The root's data is in `out`, too. */
    case COLL_BCAST:
        return CALL_HN(bcast, out->data, out->n, out->unit, k->root, group);
    case COLL_GATHER:
        return CALL_HN(gather, from, n, to, type, k->root, group);
    case COLL_GATHERV:
        return CALL_HN(gatherv, from, n, to, out->elements, out->places, type, k->root, group);
    /* With MPI_IN_PLACE the root's block stays where it is, and only `in` knows the length. */
    case COLL_SCATTER:
        return CALL_HN(scatter, from, out->in_place ? in->n : out->n, to,
                       out->in_place ? in->unit : out->unit, k->root, group);
    case COLL_SCATTERV:
        return CALL_HN(scatterv, from, in->elements, in->places, to, out->n,
                       out->in_place ? in->unit : out->unit, k->root, group);
    case COLL_ALLGATHER:
        return CALL_HN(allgather, from, n, to, type, group);
    case COLL_ALLGATHERV:
        return CALL_HN(allgatherv, from, to, out->elements, out->places, type, group);
    case COLL_ALLTOALL:
        return CALL_HN(alltoall, from, n, to, type, group);
    case COLL_ALLTOALLV:
        return CALL_HN(alltoallv, from, in->elements, in->places, to, out->elements, out->places,
                       type, group);
    case COLL_ALLTOALLW:
        return CALL_HN(alltoallw, from, in->elements, in->places, in->units, to, out->elements,
                       out->places, out->units, group);
    /* From here on the operator's type counts, which may differ from that of the sides. */
    case COLL_REDUCE:
        return CALL_HN(reduce, from, to, n, k->use.unit, k->use.hn, k->root, group);
    case COLL_ALLREDUCE:
        return CALL_HN(allreduce, from, to, n, k->use.unit, k->use.hn, group);
    case COLL_REDUCE_SCATTER:
        return CALL_HN(reduce_scatter, from, to, k->elements, k->use.unit, k->use.hn, group);
    case COLL_REDUCE_SCATTER_BLOCK:
        return CALL_HN(reduce_scatter_block, from, to, n, k->use.unit, k->use.hn, group);
    case COLL_SCAN:
        return CALL_HN(scan, from, to, n, k->use.unit, k->use.hn, group);
    case COLL_EXSCAN:
        return CALL_HN(exscan, from, to, n, k->use.unit, k->use.hn, group);
    default:
        return HN_EARG;
    }
}

/* Packs the send data, and also existing receive data if the operation may leave it unchanged.
 * Existing receive data matters for MPI_IN_PLACE, for MPI_Exscan() at rank 0, and for absent
 * neighbours: their blocks stay unchanged. */
static int fill(struct collective *k)
{
    int result = k->has_in && !k->in.in_place ? side_fill(&k->in) : HN_OK;

    if (result == HN_OK && k->has_out && !k->out.in_place &&
        ((k->has_in && k->in.in_place) || (k->kind == COLL_BCAST && k->at_root) ||
         k->kind == COLL_EXSCAN || is_neighbourly(k)))
        result = side_fill(&k->out);
    return result;
}

/* The root of a broadcast has sent its buffer and receives nothing. */
static int empty(struct collective *k)
{
    bool gets = k->has_out && !k->out.in_place && !(k->kind == COLL_BCAST && k->at_root);

    return gets ? side_empty(&k->out) : HN_OK;
}

/* For operations that have no blocking function of hnow. */
static int start_and_wait(const struct collective *k)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int error = coll_start(k, &request);

    if (error != MPI_SUCCESS)
        return error;
    struct mpi_request *r = request_of(request);
    /* Drives the event loop like any wait of the program. */
    request_wait(r);
    if (r->outcome.error != MPI_SUCCESS)
        error = error_on(r->comm, r->outcome.error, k->call, "%s", hn_error_text());
    /* The program has not seen this request. */
    object_retire(r);
    return error;
}

/* Blocking operations on one group need no request. */
int coll_call(struct collective *k)
{
    struct mpi_comm *c = comm_of(k->comm);
    int error;

    if (is_neighbourly(k) || (c && c->remote))
        return start_and_wait(k);
    error = open_all(k);
    if (error == MPI_SUCCESS) {
        int result = fill(k);
        if (result == HN_OK)
            result = call_hn(k, NULL);
        if (result == HN_OK)
            result = empty(k);
        error = ERROR_HN(c, result, k->call);
    }
    close_all(k);
    return error;
}

/* ---- messages ------------------------------------------------------------------------------- */

bool coll_post_room(struct collective *k, size_t n)
{
    free(k->posted);
    k->posted = calloc(n + 1, sizeof *k->posted);
    k->posted_count = k->posted_done = 0;
    return k->posted != NULL;
}

/* An operation has one tag or, in a mesh, one for each direction. The range of tags is divided by
 * the number of directions and then used cyclically. Two operations would share a tag only if so
 * many calls were in progress together. */
static int tag_of(const struct collective *k, int direction)
{
    const struct mpi_topology *t = k->c->topology;
    unsigned n = t && t->kind == MPI_CART ? (unsigned)t->from_count : 1;

    /* The unsigned number wraps around, which is harmless: see above. */
    return COMM_TAG_COLLECTIVE + (int)(k->turn % (COMM_TAGS_COLLECTIVE / n) * n) + direction;
}

/* A type that differs from the sender's is no error, as in messages of the program. A request that
 * could not be made is not counted. */
int coll_post(struct collective *k, bool sends, hn_tid task, int direction, void *data, size_t n,
              hn_type type)
{
    hn_request **request = &k->posted[k->posted_count];
    int tag = tag_of(k, direction);
    int result = IN_CONTEXT(k->c->inner, sends ? hn_isend(task, tag, data, n, type, request)
                                               : hn_irecv_cut(task, tag, data, n, type, request));

    k->posted_count += result == HN_OK;
    return result;
}

/* The next posted message becomes what r waits for, unless it waits for something else. All posted
 * messages progress at the same time; they are only awaited one after the other. */
static void next_posted(struct collective *k, struct mpi_request *r)
{
    if (!r->hn && k->posted_done < k->posted_count)
        r->hn = k->posted[k->posted_done++];
}

/* Ends what was posted before an error, because hnow uses the buffers until then. Sends are not
 * cancelled by hn_cancel(); then hn_wait() waits until their data is written. */
static void end_posted(struct collective *k)
{
    for (; k->posted_done < k->posted_count; k->posted_done++) {
        hn_cancel(k->posted[k->posted_done]);
        hn_wait(k->posted[k->posted_done], NULL);
    }
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Called for each request of hnow that has ended. It awaits the remaining messages first, then
 * starts the next part between groups, and at the very end unpacks. After an error no further part
 * begins, but posted messages are still awaited. */
static void on_end(struct mpi_request *r, int result, const hn_info *info)
{
    struct collective *k = r->arg;
    (void)info;

    /* The first error is kept. */
    if (result != HN_OK && r->outcome.error == MPI_SUCCESS)
        r->outcome.error = error_class_hn(result);
    /* Messages of rooted gathers and of neighbours: one request of hnow at a time is r->hn. */
    next_posted(k, r);
    if (!r->hn && result == HN_OK && k->parts_left > 0) {
        result = inter_continue(k, r);
        if (result == HN_OK)
            next_posted(k, r);
        else
            end_posted(k);
        if (result != HN_OK)
            r->outcome.error = error_class_hn(result);
    }
    if (!r->hn && r->outcome.error == MPI_SUCCESS)
        r->outcome.error = error_class_hn(empty(k));
}

/* `hold` is object_hold or object_drop. */
static void hold_types(struct coll_side *s, void (*hold)(void *object))
{
    if (s->type)
        hold(s->type);
    for (size_t i = 0; s->types && i < s->blocks; i++)
        hold(s->types[i]);
}

/* Runs when the request is freed: persistent requests of hnow are freed before the buffers that
 * they use. */
static void let_go(struct mpi_request *r)
{
    struct collective *k = r->arg;

    for (int i = 0; i < 2; i++)
        if (k->kept[i])
            hn_request_free(k->kept[i]);
    hold_types(&k->in, object_drop);
    hold_types(&k->out, object_drop);
    if (k->use.op)
        object_drop(k->use.op);
    close_all(k);
    free(k);
}

/* All members create persistent requests in the same order; they may start them in any order.
 * Numbers of operations are given out when the requests are made, so the order of starts does not
 * matter. */
static int start_hn(struct collective *k, hn_request **request)
{
    if (!k->persistent)
        return call_hn(k, request);
    *request = k->kept[0];
    return hn_start(k->kept[0]);
}

/* Also the start of a persistent operation, hence everything is reset. An operation without any
 * request of hnow, such as that of a member without neighbours, is complete at once. */
static int begin(struct mpi_request *r)
{
    struct collective *k = r->arg;
    /* Packs anew at each start: the program has changed its data since the last one. */
    int result = fill(k);

    r->active = true;
    r->done = false;
    r->outcome = outcome_empty;
    k->posted_count = k->posted_done = 0;
    k->parts_left = 0;
    if (result != HN_OK)
        return result;
    if (is_neighbourly(k))
        result = neighbour_begin(k);
    else if (k->c->remote)
        result = inter_begin(k, r);
    else
        result = start_hn(k, &r->hn);
    /* Messages that are posted already must end before the buffers are freed. */
    if (result != HN_OK)
        end_posted(k);
    else
        next_posted(k, r);
    if (result == HN_OK && !r->hn) {
        result = empty(k);
        request_done(r, error_class_hn(result));
    }
    return result;
}

/* Nonblocking operations. */
static const struct request_way once = {.next = on_end, .release = let_go, .has_steps = true};
/* Persistent operations, which also have a start. */
static const struct request_way again = {
    .next = on_end, .start = begin, .release = let_go, .has_steps = true};

/* Makes an open operation and its request. On failure returns NULL and sets *error. `turn` counts
 * calls of this communicator in program order, which is equal in all members. */
static struct mpi_request *make(const struct collective *given, const struct request_way *way,
                                MPI_Request *request, int *error)
{
    struct mpi_comm *c = comm_of(given->comm);
    struct collective *k = malloc(sizeof *k);
    struct mpi_request *r = NULL;
    unsigned turn = c ? c->turns++ : 0; /* also of a call that fails, as it may not at others */

    if (!k) {
        *error = error_on(c, MPI_ERR_NO_MEM, given->call, "out of memory");
        return NULL;
    }
    *k = *given;
    /* The copy on the heap is what hnow and the operator refer to until the end. */
    k->turn = turn;
    k->persistent = way == &again;
    *error = open_all(k);
    if (*error == MPI_SUCCESS && !request)
        *error = error_on(k->c, MPI_ERR_ARG, k->call, "no place for the request");
    if (*error == MPI_SUCCESS && !(r = request_begin(k->c, way)))
        *error = error_on(k->c, MPI_ERR_NO_MEM, k->call, "too many requests");
    if (!r) {
        close_all(k);
        free(k);
        return NULL;
    }
    /* From here on let_go() frees everything, with the last reference to the request. */
    r->arg = k;
    hold_types(&k->in, object_hold);
    hold_types(&k->out, object_hold);
    if (k->use.op)
        object_hold(k->use.op);
    return r;
}

/* *request is set only after success. */
int coll_start(const struct collective *given, MPI_Request *request)
{
    int error, result;
    struct mpi_request *r = make(given, &once, request, &error);

    if (!r)
        return error;
    result = begin(r);
    if (result != HN_OK) {
        error = error_hn(r->comm, result, given->call);
        /* The program has no handle yet. */
        object_retire(r);
        return error;
    }
    *request = r->object.handle;
    return MPI_SUCCESS;
}

/* Makes the persistent requests of hnow that each start reuses. Members without neighbours or with
 * messages only keep nothing; they post messages at each start. */
static int keep(struct collective *k)
{
    int result = HN_OK;

    if (k->c->remote)
        result = inter_keep(k);
    else if (!is_neighbourly(k))
        result = call_hn(k, &k->kept[0]);
    return ERROR_HN(k->c, result, k->call);
}

/* MPI 4.1, 6.13 and 8.8. Collective, but a start of the request is local. */
int coll_prepare(const struct collective *given, MPI_Request *request)
{
    int error;
    struct mpi_request *r = make(given, &again, request, &error);

    if (!r)
        return error;
    r->active = false;
    r->persistent = true;
    error = keep(r->arg);
    if (error != MPI_SUCCESS) {
        object_retire(r);
        return error;
    }
    *request = r->object.handle;
    return MPI_SUCCESS;
}
