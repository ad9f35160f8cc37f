/* call.c - checks the arguments of a collective operation, finds its sizes, runs it.
 *
 * In scatterv only the root knows the counts, in gatherv and alltoallv each member its own. Plans
 * need all of them, so these are sent round first, by an operation of 8 bytes a count. An error
 * that only one member can see is sent round with them, so that nobody waits for a member that has
 * given up; counts that do not agree end in HN_ETRUNC where they do not, after the data of the
 * others has gone its way.
 */
#include "call.h"

#include "error.h"
#include "trace.h"
#include "waits.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct call *call)
{
    return operation_name(call->op);
}

/* ---- sizes -------------------------------------------------------------------------------------
 */

static int64_t bytes_of(const struct call *call, uint64_t count)
{
    int64_t bytes;
    return __builtin_mul_overflow(count, hn_type_size(call->type), &bytes) ? -1 : bytes;
}

/* Sends counts round: `own` of them from everybody to all, or n from the root to all. */
static int share_counts(const struct call *call, const size_t *own, size_t each, uint64_t *all)
{
    size_t n = (size_t)call->req.ranks, rank = (size_t)call->x.rank;
    bool from_root = call->op == OP_SCATTER;
    uint64_t *mine = from_root ? all : all + rank * each;
    for (size_t i = 0; i < (from_root ? n : each); i++)
        mine[i] = own ? own[i] : UINT64_MAX;
    if (from_root)
        return hn_bcast(all, n, HN_UINT64, call->root, call->group);
    return hn_allgather(HN_IN_PLACE, each, all, HN_UINT64, call->group);
}

/* The sizes of all parts of scatterv, gatherv and alltoallv. */
static int find_shared_sizes(struct call *call)
{
    size_t n = (size_t)call->req.ranks;
    bool pairs = call->op == OP_ALLTOALL, at_root = call->x.rank == call->root;
    const size_t *own = call->op == OP_SCATTER ? call->counts
                        : pairs                ? call->in_counts
                                               : &call->count;
    if (call->op == OP_GATHER && at_root && call->in == HN_IN_PLACE && call->counts)
        own = &call->counts[call->x.rank];
    bool lacks_places = pairs ? !call->in_displs || !call->counts || !call->displs
                              : at_root && (!call->counts || !call->displs);
    uint64_t *all = malloc((pairs ? n * n : n) * sizeof *all);
    if (!all)
        return HN_ENOMEM;
    int error = share_counts(call, lacks_places ? NULL : own, pairs ? n : 1, all);
    for (size_t i = 0; i < (pairs ? n * n : n); i++)
        call->sizes[i] = bytes_of(call, all[i]);
    free(all);
    return error;
}

static int find_sizes(struct call *call)
{
    if (call->op == OP_BARRIER)
        return HN_OK;
    if (!call->vector) {
        call->req.bytes = bytes_of(call, call->count);
        return HN_OK;
    }
    call->sizes = calloc((size_t)request_parts(&call->req), sizeof *call->sizes);
    if (!call->sizes)
        return HN_ENOMEM;
    call->req.sizes = call->sizes;
    if (call->op != OP_ALLGATHERV && call->op != OP_REDUCE_SCATTER)
        return find_shared_sizes(call);
    if (!call->counts || (!call->displs && call->op == OP_ALLGATHERV))
        return error_set(HN_EARG, "%s: no counts or no places", name_of(call));
    for (int rank = 0; rank < call->req.ranks; rank++)
        call->sizes[rank] = bytes_of(call, call->counts[rank]);
    return HN_OK;
}

/* ---- the call ----------------------------------------------------------------------------------
 */

/* A member of the group has failed. */
static int name_the_dead(const struct call *call, hn_tid dead)
{
    const char *host = hn_host_of(dead);
    return error_set(HN_EDEAD, "%s: task %d on host %s, a member of the group, has ended",
                     name_of(call), dead, host ? host : "?");
}

static int find_team(struct call *call)
{
    if (!call->group)
        return error_set(HN_EARG, "%s: no group", name_of(call));
    hn_tid dead = hn_group_dead(call->group);
    if (dead)
        return dead < 0 ? (int)dead : name_the_dead(call, dead);
    int n = hn_group_size(call->group), error;
    if (call->root < 0 || call->root >= n)
        return error_set(HN_EARG, "%s: root %d is not in the group of %d", name_of(call),
                         call->root, n);
    if (!call->to) {
        error = team_get(call->group, &call->team);
    } else {
        error = team_get_some(call->group, call->root, call->to, call->to_count, &call->team);
        call->root = 0;
    }
    return error;
}

static int find_fold(struct call *call)
{
    if (!request_combines(&call->req) || call->op == OP_BARRIER)
        return HN_OK;
    if (fold_find(call->rule, call->type, &call->fold))
        return error_set(HN_ETYPE, "%s: operator %d means nothing for type 0x%x", name_of(call),
                         (int)call->rule, (unsigned)call->type);
    call->x.fold = &call->fold;
    call->req.ordered = call->fold.ordered;
    call->req.steady = call->fold.rounds;
    if (__builtin_mul_overflow(call->req.grain, call->fold.width, &call->req.grain))
        return error_set(HN_EARG, "%s: the operator's operands are too large", name_of(call));
    return HN_OK;
}

int call_prepare(struct call *call)
{
    const char *what;
    if (hn_type_size(call->type) == 0)
        return error_set(HN_EARG, "%s: 0x%x is not a type", name_of(call), (unsigned)call->type);
    int error = find_team(call);
    if (error)
        return error;
    call->req = (struct request){.op = call->op,
                                 .ranks = team_size(call->team),
                                 .root = operation_rooted(call->op) ? call->root : 0,
                                 .grain = (int64_t)hn_type_size(call->type)};
    call->x = (struct execution){
        .tids = team_tids(call->team), .rank = team_rank(call->team), .type = call->type};
    error = find_fold(call);
    if (!error)
        error = find_sizes(call);
    if (error)
        return error;
    if (request_check(&call->req, &what))
        return error_set(HN_EARG, "%s: %s", name_of(call), what);
    error = team_plan(call->team, &call->req, &call->x.plan);
    if (!error)
        error = call_lay_out(call);
    if (error)
        return error_set(error, "%s: %s", name_of(call), hn_strerror(error));
    call->x.tag = team_next_tag(call->team);
    return HN_OK;
}

int call_execute(struct call *call)
{
    uint8_t nothing;
    if (!call->x.data)
        call->x.data = &nothing;
    hn_context before = hn_set_context(team_context(call->team));
    struct trace_span outer = trace_enter(name_of(call), call->x.plan->name);
    struct wait_reason *reason = wait_reason();
    reason->operation = name_of(call);
    reason->number = team_number_of(call->team, call->x.tag);
    uint64_t begun = team_now();
    int error = plan_execute(&call->x);
    if (!error)
        team_note(call->team, call->x.plan, begun);
    reason->operation = NULL;
    trace_leave(&outer);
    hn_set_context(before);
    hn_tid dead = error == HN_EDEAD ? hn_group_dead(call->group) : 0;
    if (dead > 0)
        error = name_the_dead(call, dead);
    if (!error && call->result)
        error =
            error_set(call->result, "%s: the counts of the members do not agree", name_of(call));
    return error;
}

void call_end(struct call *call)
{
    free(call->sizes);
    free(call->scratch);
    free(call->places);
}

int call_run(struct call *call)
{
    int error = call_prepare(call);
    if (!error)
        error = call_execute(call);
    call_end(call);
    return error;
}
