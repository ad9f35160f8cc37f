/* collectives.c - the public collective operations: arguments checked, a plan found, the plan
 * executed.
 *
 * Each operation is a request (what), an execution (where the data lies), and, at some ranks, a
 * copy of the caller's contribution to where the plan expects it.
 */
#include "hnow_coll.h"

#include "error.h"
#include "execute.h"
#include "fold.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>

/* An operation on its way. */
struct call {
    struct team *team;
    struct request req;
    struct execution x;
};

/* Finds the team, and completes what is the same for all operations. Byte counts come later. */
static int begin(struct call *call, enum operation op, hn_type type, int root,
                 const hn_group *group)
{
    int64_t element = (int64_t)hn_type_size(type);
    *call = (struct call){0};
    if (!group)
        return error_set(HN_EARG, "%s: no group", operation_name(op));
    if (element == 0)
        return error_set(HN_EARG, "%s: 0x%x is not a type", operation_name(op), (unsigned)type);
    int error = team_get(group, &call->team);
    if (error)
        return error;
    call->req =
        (struct request){.op = op, .ranks = team_size(call->team), .root = root, .grain = element};
    call->x = (struct execution){.group = group, .rank = team_rank(call->team), .type = type};
    if (root < 0 || root >= call->req.ranks)
        return error_set(HN_EARG, "%s: root %d is not in the group of %d", operation_name(op), root,
                         call->req.ranks);
    return HN_OK;
}

/* Whether the request makes sense, with a text when not. */
static int check(const struct call *call)
{
    const char *what;
    int error = request_check(&call->req, &what);
    return error ? error_set(error, "%s: %s", operation_name(call->req.op), what) : HN_OK;
}

static int set_bytes(struct call *call, size_t count)
{
    if (__builtin_mul_overflow(count, call->req.grain, &call->req.bytes))
        call->req.bytes = -1;
    return check(call);
}

static int set_fold(struct call *call, hn_op op)
{
    call->x.fold = fold_of(op, call->x.type);
    if (!call->x.fold)
        return error_set(HN_ETYPE, "%s: operator %d means nothing for type 0x%x",
                         operation_name(call->req.op), (int)op, (unsigned)call->x.type);
    return HN_OK;
}

static int carry_out(struct call *call)
{
    uint8_t nothing;
    int error = team_plan(call->team, &call->req, &call->x.plan);
    if (error)
        return error_set(error, "%s: %s", operation_name(call->req.op), hn_strerror(error));
    if (!call->x.data)
        call->x.data = &nothing;
    call->x.tag = team_next_tag(call->team);
    hn_context before = hn_set_context(team_context(call->team));
    error = plan_execute(&call->x);
    hn_set_context(before);
    return error;
}

/* Puts a contribution to where the plan expects it. */
static void place(void *to, const void *from, size_t bytes)
{
    if (from != HN_IN_PLACE && from != to && bytes > 0)
        memcpy(to, from, bytes);
}

int hn_barrier(const hn_group *group)
{
    struct call call;
    int error = begin(&call, OP_BARRIER, HN_BYTE, 0, group);
    return error ? error : carry_out(&call);
}

int hn_bcast(void *data, size_t count, hn_type type, int root, const hn_group *group)
{
    struct call call;
    int error = begin(&call, OP_BCAST, type, root, group);
    if (!error)
        error = set_bytes(&call, count);
    call.x.data = data;
    return error ? error : carry_out(&call);
}

int hn_reduce(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
              const hn_group *group)
{
    struct call call;
    int error = begin(&call, OP_REDUCE, type, root, group);
    if (!error)
        error = set_bytes(&call, count);
    if (!error)
        error = set_fold(&call, op);
    if (error)
        return error;
    /* Partial results go through a buffer: out belongs to the root alone, and in is not to be
     * changed. */
    size_t bytes = (size_t)call.req.bytes;
    bool at_root = call.x.rank == root;
    uint8_t *partial = at_root ? NULL : malloc(bytes + 1);
    if (!at_root && !partial)
        return HN_ENOMEM;
    call.x.data = at_root ? out : partial;
    place(call.x.data, in == HN_IN_PLACE && !at_root ? out : in, bytes);
    error = carry_out(&call);
    free(partial);
    return error;
}

int hn_allreduce(const void *in, void *out, size_t count, hn_type type, hn_op op,
                 const hn_group *group)
{
    struct call call;
    int error = begin(&call, OP_ALLREDUCE, type, 0, group);
    if (!error)
        error = set_bytes(&call, count);
    if (!error)
        error = set_fold(&call, op);
    if (error)
        return error;
    call.x.data = out;
    place(out, in, (size_t)call.req.bytes);
    return carry_out(&call);
}

int hn_allgather(const void *in, size_t count, void *out, hn_type type, const hn_group *group)
{
    struct call call;
    int error = begin(&call, OP_ALLGATHER, type, 0, group);
    if (!error)
        error = set_bytes(&call, count);
    if (error)
        return error;
    call.x.data = out;
    call.x.stride = (size_t)call.req.bytes;
    place(call.x.data + call.x.stride * (size_t)call.x.rank, in, call.x.stride);
    return carry_out(&call);
}

int hn_allgatherv(const void *in, void *out, const size_t *counts, const size_t *displs,
                  hn_type type, const hn_group *group)
{
    struct call call;
    int error = begin(&call, OP_ALLGATHERV, type, 0, group);
    if (!error && (!counts || !displs))
        error = error_set(HN_EARG, "allgatherv: no counts or no places");
    if (error)
        return error;
    int64_t *sizes = malloc((size_t)call.req.ranks * sizeof *sizes);
    if (!sizes)
        return HN_ENOMEM;
    for (int rank = 0; rank < call.req.ranks; rank++)
        if (__builtin_mul_overflow(counts[rank], call.req.grain, &sizes[rank]))
            sizes[rank] = -1;
    call.req.sizes = sizes;
    error = check(&call);
    if (!error) {
        size_t element = (size_t)call.req.grain;
        call.x.data = out;
        call.x.displs = displs;
        place(call.x.data + displs[call.x.rank] * element, in, (size_t)sizes[call.x.rank]);
        error = carry_out(&call);
    }
    free(sizes);
    return error;
}
