/* layout.c - where the parts of an operation lie in the caller's memory.
 *
 * Either all parts lie at equal distances or displacements from one address, or call->room.places
 * has the address of each part. Parts without an address pass through a rank, and get memory from
 * the executor. Contributions that a plan changes are copied first: to `out` if that is the
 * caller's at this rank, else to scratch memory.
 *
 * Missing buffers are detected here, where sizes are known: data of no bytes need no buffer.
 */
#include "wire/call.h"

#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

static size_t size_of(const struct call *call, int part)
{
    return (size_t)request_part_bytes(&call->req, part);
}

/* Copies a contribution to where the plan expects it. Nothing to do in place. The buffers may
 * overlap. */
static void place(void *to, const void *from, size_t bytes)
{
    if (from != HN_IN_PLACE && from != to && bytes > 0)
        memmove(to, from, bytes);
}

/* Address of rank i's elements in a buffer with (without) displacements. */
static uint8_t *at(const struct call *call, const void *buffer, const size_t *displs, int i)
{
    size_t element = hn_type_size(call->type);
    return (uint8_t *)buffer + (displs ? displs[i] * element : (size_t)call->req.bytes * (size_t)i);
}

/* Allocates places; a repeated call reuses them. */
static int new_places(struct call *call)
{
    if (!call->room.places)
        call->room.places = calloc((size_t)request_parts(&call->req), sizeof *call->room.places);
    call->x.places = call->room.places;
    return call->room.places ? HN_OK : HN_ENOMEM;
}

/* Memory that lasts as long as the call. A persistent call uses the same at each start. One byte
 * more than needed, so that a size of 0 does not yield NULL. */
static int new_scratch(struct call *call, size_t bytes)
{
    if (!call->room.scratch)
        call->room.scratch = malloc(bytes + 1);
    return call->room.scratch ? HN_OK : HN_ENOMEM;
}

/* Partial results use scratch memory: only the root has `out`, and `in` must not change. */
static int lay_reduce(struct call *call)
{
    size_t bytes = size_of(call, 0);
    /* A rank that is not the root may be asked to combine partial results, so it needs memory. */
    bool at_root = call->x.rank == call->root;
    if (!at_root && new_scratch(call, bytes))
        return HN_ENOMEM;
    call->x.data = at_root ? call->out : call->room.scratch;
    place(call->x.data, call->in == HN_IN_PLACE && !at_root ? call->out : call->in, bytes);
    return HN_OK;
}

/* Rank 0 of an exscan receives no result and need not have `out`. But it may combine for others. */
static int lay_exscan(struct call *call)
{
    bool first = call->x.rank == 0 && call->in != HN_IN_PLACE;
    if (first && new_scratch(call, size_of(call, 0)))
        return HN_ENOMEM;
    call->x.data = first ? call->room.scratch : call->out;
    place(call->x.data, call->in, size_of(call, 0));
    return HN_OK;
}

/* The own part is put where it belongs in `out`, from where it is sent. */
static int lay_allgather(struct call *call)
{
    call->x.data = call->out;
    call->x.displs = call->lists.displs;
    call->x.stride = (size_t)call->req.bytes;
    place(at(call, call->out, call->lists.displs, call->x.rank), call->in,
          size_of(call, call->x.rank));
    return HN_OK;
}

/* Whether this member's part has the length that it announced, if counts were exchanged. Otherwise
 * the operation continues with a part that only passes through, and ends with HN_ETRUNC here. */
static bool as_expected(struct call *call, int part, size_t count)
{
    if (!call->lists.vector || size_of(call, part) == count * hn_type_size(call->type))
        return true;
    call->result = HN_ETRUNC;
    return false;
}

/* The root sends from `in`. A receiver has a place for its own part; others pass through. */
static int lay_scatter(struct call *call)
{
    int rank = call->x.rank;
    if (new_places(call))
        return HN_ENOMEM;
    if (rank != call->root) {
        if (as_expected(call, rank, call->count))
            call->room.places[rank] = call->out;
        return HN_OK;
    }
    /* The const is dropped: the plan does not change parts that a scatter's root sends. */
    for (int part = 0; part < call->req.ranks; part++)
        call->room.places[part] = at(call, call->in, call->lists.displs, part);
    /* The root's own part is copied, as no message is sent for it. */
    if (call->out != HN_IN_PLACE && as_expected(call, rank, call->count))
        place(call->out, call->room.places[rank], size_of(call, rank));
    return HN_OK;
}

/* Only the root has places for all parts. A part whose count is wrong passes through. */
static int lay_gather(struct call *call)
{
    int rank = call->x.rank;
    if (new_places(call))
        return HN_ENOMEM;
    if (rank != call->root) {
        call->room.places[rank] = (uint8_t *)call->in;
        return HN_OK;
    }
    for (int part = 0; part < call->req.ranks; part++)
        if (as_expected(call, part, call->lists.vector ? call->lists.counts[part] : 0))
            call->room.places[part] = at(call, call->out, call->lists.displs, part);
    if (call->room.places[rank])
        place(call->room.places[rank], call->in, size_of(call, rank));
    return HN_OK;
}

/* Whether the plan brings data of the caller back to it, as a broadcast of all data does.  It would
 * overwrite `in`, which must not change.  Only receiving steps matter. */
static bool returns_own(const struct call *call)
{
    const struct plan *plan = call->x.plan;
    int me = call->x.rank;
    for (int32_t i = plan->first[me]; i < plan->first[me + 1]; i++)
        for (int k = 0; plan->steps[i].kind != PLAN_SEND && k < plan->steps[i].count; k++)
            if (request_contributes(&call->req, me,
                                    plan->blocks[plan->lists[plan->steps[i].list + k]].part))
                return true;
    return false;
}

/* Copies the data to be sent from a buffer in which others are received, or which is the caller's.
 * HN_OK or HN_ENOMEM. */
static int lay_alltoall_copy(struct call *call, const void *from, const size_t *displs)
{
    int n = call->req.ranks;
    size_t total = 0;
    for (int to = 0; to < n; to++)
        total += size_of(call, call->x.rank * n + to);
    if (new_scratch(call, total))
        return HN_ENOMEM;
    uint8_t *next = call->room.scratch;
    for (int to = 0; to < n; to++) {
        size_t bytes = size_of(call, call->x.rank * n + to);
        place(next, at(call, from, displs, to), bytes);
        call->room.places[call->x.rank * n + to] = next;
        next += bytes;
    }
    return HN_OK;
}

/* Parts are numbered from * n + to. A part between two other ranks passes through. */
static int lay_alltoall(struct call *call)
{
    int n = call->req.ranks, me = call->x.rank;
    bool in_place = call->in == HN_IN_PLACE, copies = in_place || returns_own(call);
    const void *in = in_place ? call->out : call->in;
    const size_t *displs = in_place ? call->lists.displs : call->lists.in_displs;
    if (new_places(call) || (copies && lay_alltoall_copy(call, in, displs)))
        return HN_ENOMEM;
    for (int to = 0; to < n && !copies; to++)
        call->room.places[me * n + to] = at(call, in, displs, to);
    /* Parts that arrive are put into `out` directly. */
    for (int from = 0; from < n; from++) {
        int part = from * n + me;
        uint8_t *target = at(call, call->out, call->lists.displs, from);
        if (!as_expected(call, part, call->lists.vector ? call->lists.counts[from] : 0))
            continue;
        /* The part for itself is never sent. */
        if (from == me)
            place(target, call->room.places[part], size_of(call, part));
        else
            call->room.places[part] = target;
    }
    return HN_OK;
}

/* Everything is combined in a copy, but the own part in `out`. The plan changes all parts, and `in`
 * must stay as it is. */
static int lay_reduce_scatter(struct call *call)
{
    int me = call->x.rank, n = call->req.ranks;
    size_t total = 0;
    for (int part = 0; part < n; part++)
        total += size_of(call, part);
    if (new_places(call) || new_scratch(call, total))
        return HN_ENOMEM;
    place(call->room.scratch, call->in == HN_IN_PLACE ? call->out : call->in, total);
    uint8_t *next = call->room.scratch;
    for (int part = 0; part < n; part++) {
        call->room.places[part] = next;
        next += size_of(call, part);
    }
    place(call->out, call->room.places[me], size_of(call, me));
    call->room.places[me] = call->out;
    return HN_OK;
}

static int lay_multimulticast(struct call *call)
{
    return new_places(call) ? HN_ENOMEM : multimulticast_lay_out(call);
}

/* Sets the places of all parts that this member has in its buffers. */
static int lay_out(struct call *call)
{
    switch (call->op) {
    case OP_REDUCE:
        return lay_reduce(call);
    case OP_EXSCAN:
        return lay_exscan(call);
    case OP_ALLGATHER:
    case OP_ALLGATHERV:
        return lay_allgather(call);
    case OP_SCATTER:
        return lay_scatter(call);
    case OP_GATHER:
        return lay_gather(call);
    case OP_ALLTOALL:
        return lay_alltoall(call);
    case OP_REDUCE_SCATTER:
        return lay_reduce_scatter(call);
    case OP_MULTIMULTICAST:
        return lay_multimulticast(call);
    default: /* one part, in out */
        call->x.data = call->out;
        if (call->op != OP_BCAST && call->op != OP_BARRIER)
            place(call->out, call->in, size_of(call, 0));
        return HN_OK;
    }
}

/* ---- buffers that are missing ----------------------------------------------------------- */

/* Only some parts are examined: those of a rank are adjacent. */
static bool gives_bytes(const struct call *call)
{
    int first, count;
    bool any = false;
    request_contributed(&call->req, call->x.rank, &first, &count);
    for (int part = first; part < first + count && !any; part++)
        any = size_of(call, part) > 0 && request_contributes(&call->req, call->x.rank, part);
    return any;
}

/* Parts that others only want are not examined: they pass through without a buffer. */
static bool gets_bytes(const struct call *call)
{
    bool any = false;
    for (int part = 0; part < request_parts(&call->req) && !any; part++)
        any = size_of(call, part) > 0 && request_wants(&call->req, call->x.rank, part);
    return any;
}

/* Whether a root keeps its own part in place, in both buffers. HN_IN_PLACE is allowed as `in` then.
 */
static bool may_be_in_place(const struct call *call)
{
    return call->op != OP_BCAST && call->op != OP_SCATTER &&
           (call->op != OP_GATHER || call->x.rank == call->root);
}

/* HN_IN_PLACE is no buffer to send from, unless the operation allows it. */
static bool lacks_in(const struct call *call)
{
    if (call->op == OP_BCAST || (call->in && call->in != HN_IN_PLACE))
        return false;
    return !(call->in && may_be_in_place(call)) && gives_bytes(call);
}

/* In place the data are read from `out`, which then must exist to give them. */
static bool lacks_out(const struct call *call)
{
    bool kept = call->op == OP_SCATTER && call->x.rank == call->root;
    if (call->out && (kept || call->out != HN_IN_PLACE))
        return false;
    bool gives = call->op == OP_BCAST || call->in == HN_IN_PLACE;
    return gets_bytes(call) || (gives && gives_bytes(call));
}

/* Checks only whether the buffers are there. */
int call_check_buffers(const struct call *call)
{
    bool sends = call->op == OP_BCAST && call->x.rank == call->root;
    if (call->op == OP_MULTIMULTICAST)
        return multimulticast_check(&call->targets.multi);
    if (call->room.lacks) /* at members other than the root, whose counts the root does not use */
        return error_set(HN_EARG, "%s", call->room.lacks);
    if (lacks_in(call) || (sends && lacks_out(call)))
        return error_set(HN_EARG, "no buffer to send from");
    if (lacks_out(call))
        return error_set(HN_EARG, "no buffer to receive into");
    return HN_OK;
}

/* Marks the parts that have data, as far as this member knows. 1 byte each is enough for
 * call_check_buffers(), which only distinguishes 0. take_counts() replaces the sizes afterwards. */
static void expect(struct call *call)
{
    int n = call->req.ranks, me = call->x.rank;
    bool pairs = call->op == OP_ALLTOALL, at_root = me == call->root;
    bool gives = call->op == OP_GATHER && !(at_root && call->in == HN_IN_PLACE);
    for (int i = 0; i < n && (pairs || at_root); i++)
        call->room.sizes[pairs ? i * n + me : i] = call->lists.counts[i] > 0;
    for (int i = 0; i < n && pairs; i++)
        call->room.sizes[me * n + i] = call->lists.in_counts[i] > 0;
    if (!pairs && (gives || !at_root))
        call->room.sizes[me] = call->count > 0;
}

int call_check_own(struct call *call)
{
    if (call->op == OP_MULTIMULTICAST)
        return multimulticast_check(&call->targets.multi);
    if (call->room.lacks)
        return error_set(HN_EARG, "%s", call->room.lacks);
    expect(call);
    return call_check_buffers(call);
}

/* Not NULL, so that addresses can be computed; no byte is read or written there. */
void call_lay_nowhere(struct call *call)
{
    static uint8_t nowhere;
    call->x.data = &nowhere;
}

/* Also called when buffers are missing: the executor then notifies the other members. */
int call_lay_out(struct call *call)
{
    int error = call_check_buffers(call);
    if (!error && (widen_in(call) || lay_out(call)))
        error = HN_ENOMEM;
    if (!call->x.data)
        call_lay_nowhere(call);
    return error;
}
