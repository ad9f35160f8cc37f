/* call.c - checks the arguments of a collective operation, finds its sizes, and runs it.
 *
 * In scatterv only the root knows the counts; in gatherv and alltoallv each member knows its own.
 * Plans need all of them, so they are exchanged first, by an operation of 8 bytes a count. An error
 * that only one member can see is sent along with them, so that no member waits for one that has
 * given up. If counts disagree, the members concerned get HN_ETRUNC after the others' data have
 * been delivered.
 *
 * A call that cannot begin because its arguments are wrong is recorded, too: members that wait for
 * this one are notified (open_table.h), and the next call is the next one everywhere. If only a
 * buffer is missing, there is a plan, and members that depend on this one are notified at once
 * (execute.c).
 */
#include "wire/call.h"

#include "wire/argument_error.h"
#include "wire/operation_tag.h"
#include "wire/spread.h"

#include "runtime/internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char *name_of(const struct call *call)
{
    return kind_name(call->kind);
}

/* ---- its place -------------------------------------------------------------------------- */

/* A step of a call uses the slot of that call; its own stays unused. */
static struct slot *slot_of(struct call *call)
{
    return call->within ? call->within : &call->slot;
}

/* Kinds without a root have root 0 in their tags, so the argument is not compared. */
static int named_root(const struct call *call)
{
    return kind_rooted(call->kind) ? call->root : 0;
}

/* Takes a slot for the call, or continues the call of which it is a step. */
static void take_place(struct call *call)
{
    call->x.tag = open_table_step(group_state_table(call->state), slot_of(call), call->kind,
                                  named_root(call));
}

/* The call has ended because of its arguments. */
static void note_mistake(struct call *call, int error)
{
    open_table_mistake(group_state_table(call->state), slot_of(call), call->kind, named_root(call),
                       error);
}

void call_note_dead(struct call *call, hn_tid dead)
{
    open_table_refuse(group_state_table(call->state), slot_of(call), call->kind, named_root(call),
                      dead);
}

/* Ends a call that consists of steps.  If no step has been taken, an error is recorded for the
 * call, so that it counts at this member as well. */
int call_close(const hn_group *group, struct slot *slot, enum kind kind, int error)
{
    struct group_state *state;
    if (slot->taken || !error)
        open_table_left(slot, error);
    else if (group && !group_state_get(group, &state))
        open_table_mistake(group_state_table(state), slot, kind, 0, error);
    return error;
}

static const char too_long[] = "a count is too large: its buffer ends before";

/* ---- sizes ------------------------------------------------------------------------------ */

/* The operation that exchanges the counts of this one. */
static enum operation round_of(const struct call *call)
{
    return call->op == OP_SCATTER ? OP_BCAST : OP_ALLGATHER;
}

/* Whether counts have to be exchanged first. */
static bool has_round(const struct call *call)
{
    return call->lists.vector && call->op != OP_ALLGATHERV && call->op != OP_REDUCE_SCATTER;
}

/* Bytes of `count` elements; -1: more than 64 bits can hold. */
static int64_t bytes_of(const struct call *call, uint64_t count)
{
    int64_t bytes;
    return __builtin_mul_overflow(count, hn_type_size(call->type), &bytes) ? -1 : bytes;
}

/* Fills in the counts that this member knows, in scatterv, gatherv and alltoallv. A wrong list is
 * no error here: its counts become UINT64_MAX, so that all members learn of the mistake together.
 * HN_OK or HN_ENOMEM. */
static int own_counts(struct call *call)
{
    size_t n = (size_t)call->req.ranks;
    bool pairs = call->op == OP_ALLTOALL, at_root = call->x.rank == call->root;
    const size_t *own = pairs                   ? call->lists.in_counts
                        : call->op == OP_GATHER ? &call->count
                        : at_root               ? call->lists.counts
                                                : NULL; /* they are the root's */
    /* In place the root's own count is in its list. */
    if (call->op == OP_GATHER && at_root && call->in == HN_IN_PLACE && call->lists.counts)
        own = &call->lists.counts[call->x.rank];
    bool lacks_places = pairs ? !call->lists.in_displs || !call->lists.counts || !call->lists.displs
                              : at_root && (!call->lists.counts || !call->lists.displs);
    call->room.lacks = lacks_places || (pairs && !own) ? "no counts or no places"
                       : !spread_fits(call)            ? too_long
                                                       : NULL;
    size_t count = call->op == OP_GATHER ? 1 : n;
    call->room.shared = malloc((pairs ? n * n : n) * sizeof *call->room.shared);
    if (!call->room.shared)
        return HN_ENOMEM;
    /* The exchange is in place: this member's numbers are where the others expect them. In scatterv
     * the root's list begins at 0. */
    uint64_t *mine =
        call->room.shared + (call->op == OP_SCATTER ? 0 : (size_t)call->x.rank * count);
    for (size_t i = 0; i < count; i++)
        mine[i] = call->room.lacks || !own ? UINT64_MAX : own[i];
    return HN_OK;
}

/* The operation that exchanges the counts: from the root to all, or from every rank to all. It uses
 * call->room.shared in place, so the call must stay where it is. */
struct call call_round(struct call *call)
{
    bool from_root = call->op == OP_SCATTER;
    size_t n = (size_t)call->req.ranks;
    return (struct call){.op = round_of(call),
                         .kind = call->kind - 1, /* the preceding step */
                         .within = &call->slot,
                         .group = call->group,
                         .in = HN_IN_PLACE,
                         .out = call->room.shared,
                         .count = call->op == OP_MULTIMULTICAST          ? MULTIMULTICAST_DIGEST
                                  : from_root || call->op == OP_ALLTOALL ? n
                                                                         : 1,
                         .type = HN_UINT64,
                         .root = call->root};
}

/* The rank whose counts determine the length of a part. */
static int origin_of(const struct call *call, int part)
{
    return call->op == OP_SCATTER    ? call->root
           : call->op == OP_ALLTOALL ? part / call->req.ranks
                                     : part;
}

/* Sets the error for wrong counts. All members find the same rank, since they examine the same
 * numbers in the same order. */
static int bad_counts(const struct call *call, int origin)
{
    hn_tid tid = call->x.tids[origin];
    if (origin != call->x.rank)
        return error_set(HN_EARG, "%s: task %d on host %s has ended it with an error: %s",
                         name_of(call), tid, tids_host(tid), hn_strerror(HN_EARG));
    return error_set(HN_EARG, "%s: %s", name_of(call),
                     call->room.lacks ? call->room.lacks : "a count is too large");
}

/* Reads the exchanged counts. HN_EARG at all members if one of them is wrong. */
static int take_counts(struct call *call)
{
    if (call->op == OP_MULTIMULTICAST)
        return multimulticast_agree(call);
    for (int part = 0; part < request_parts(&call->req); part++) {
        call->room.sizes[part] = bytes_of(call, call->room.shared[part]);
        if (call->room.sizes[part] < 0)
            return bad_counts(call, origin_of(call, part));
    }
    return HN_OK;
}

/* Determines the sizes of all parts, or prepares the exchange of counts (call->room.shared). HN_OK
 * or an error with its text. */
static int find_sizes(struct call *call)
{
    if (call->op == OP_BARRIER)
        return HN_OK;
    if (call->op == OP_MULTIMULTICAST)
        return multimulticast_open(call);
    /* All parts have one size. */
    if (!call->lists.vector) {
        call->req.bytes = bytes_of(call, call->count);
        return HN_OK;
    }
    call->room.sizes = calloc((size_t)request_parts(&call->req), sizeof *call->room.sizes);
    if (!call->room.sizes)
        return HN_ENOMEM;
    call->req.sizes = call->room.sizes;
    if (has_round(call))
        return own_counts(call);
    if (!call->lists.counts || (!call->lists.displs && call->op == OP_ALLGATHERV))
        return error_set(HN_EARG, "%s: no counts or no places", name_of(call));
    for (int rank = 0; rank < call->req.ranks; rank++)
        call->room.sizes[rank] = bytes_of(call, call->lists.counts[rank]);
    return HN_OK;
}

/* ---- the call --------------------------------------------------------------------------- */

int call_name_dead(const char *operation, hn_tid dead)
{
    return error_set(HN_EDEAD, "%s: task %d on host %s, a member of the group, has ended",
                     operation, dead, tids_host(dead));
}

static int check_root(const struct call *call)
{
    int n = hn_group_size(call->group);
    return call->root >= 0 && call->root < n
               ? HN_OK
               : error_set(HN_EARG, "%s: root %d is not in the group of %d", name_of(call),
                           call->root, n);
}

/* A member is gone. The call takes its slot all the same, so that members that wait for this one in
 * it are notified. Returns HN_EDEAD. */
static int refuse_dead(struct call *call, hn_tid dead)
{
    if (call->targets.to)
        group_state_note_unmatched(call->group, call->root, call->targets.to,
                                   call->targets.to_count, call->persistent, HN_EDEAD, dead);
    else if (!group_state_get(call->group, &call->state))
        call_note_dead(call, dead);
    return call_name_dead(name_of(call), dead);
}

/* Finds the state of the group, or of the list of a multicast. After success the root of a
 * multicast is rank 0 of its subset. Without a state the error is recorded for the list that was
 * meant. */
static int find_group_state(struct call *call)
{
    if (!call->group)
        return error_set(HN_EARG, "%s: no group", name_of(call));
    /* A member known to be gone: no operation of the group can end any more. */
    hn_tid dead = hn_group_dead(call->group);
    if (dead)
        return dead < 0 ? (int)dead : refuse_dead(call, dead);
    if (!call->targets.to)
        return group_state_get(call->group, &call->state);
    int error = check_root(call);
    if (!error)
        error = group_state_get_some(call->group, call->root, call->targets.to,
                                     call->targets.to_count, &call->subset, &call->state);
    if (error)
        group_state_note_unmatched(call->group, call->root, call->targets.to,
                                   call->targets.to_count, call->persistent, error, 0);
    call->root = 0;
    return error;
}

/* Distinguishes an unknown operator from one that the type does not have. */
static int call_no_operator(const struct call *call)
{
    const char *rule = fold_name(call->rule);
    if (!rule)
        return error_set(HN_ETYPE, "%s: %d is no operator", name_of(call), (int)call->rule);
    return error_set(HN_ETYPE, "%s: operator %s means nothing for %s", name_of(call), rule,
                     type_name(call->type));
}

/* Finds the operator. It also determines the grain: operands of several elements are never cut. */
static int find_fold(struct call *call)
{
    if (!request_combines(&call->req) || call->op == OP_BARRIER)
        return HN_OK;
    if (fold_find(call->rule, call->type, &call->fold))
        return call_no_operator(call);
    if (call->widened.type && fold_narrow(&call->fold, call->widened.type))
        return error_set(HN_EARG, "%s: operands of more than %d longs, where a long has 4 bytes",
                         name_of(call), (int)FOLD_NARROW);
    call->x.fold = &call->fold;
    call->req.ordered = call->fold.ordered;
    if (__builtin_mul_overflow(call->req.grain, call->fold.width, &call->req.grain))
        return error_set(HN_EARG, "%s: the operator's operands are too large", name_of(call));
    return HN_OK;
}

/* Sets up the request from the arguments. */
static int describe(struct call *call)
{
    int error = check_root(call);
    if (error)
        return error;
    if (hn_type_size(call->type) == 0)
        return error_set(HN_EARG, "%s: 0x%x is not a type", name_of(call), (unsigned)call->type);
    /* From here on the type may be a wider one, as transferred. */
    widen_open(call);
    call->req = (struct request){.op = call->op,
                                 .ranks = group_state_size(call->state),
                                 .root = operation_rooted(call->op) ? call->root : 0,
                                 .grain = (int64_t)hn_type_size(call->type)};
    call->x = (struct execution){.tids = group_state_tids(call->state),
                                 .rank = group_state_rank(call->state),
                                 .type = call->type,
                                 .table = group_state_table(call->state),
                                 .compress = group_state_compress(call->state),
                                 .was_deflated = &call->planning.deflated,
                                 .model = group_state_stated(call->state)};
    error = find_fold(call);
    if (!error)
        error = find_sizes(call);
    /* If counts are exchanged, own_counts() has checked the buffers, whose error is exchanged, too.
     */
    bool fits = error || call->room.shared || spread_fits(call);
    return fits ? error : error_set(HN_EARG, "%s: %s", name_of(call), too_long);
}

/* The text is saved, since finding the group state may set another one. */
int call_refuse(struct call *call, int error)
{
    char text[256];
    call->slot.persistent = call->persistent;
    snprintf(text, sizeof text, "%s", hn_error_text());
    if (!find_group_state(call)) {
        note_mistake(call, error);
        group_state_drop(call->state, call->subset);
    }
    return error_set(error, "%s: %s", name_of(call), text);
}

int call_open(struct call *call)
{
    call->slot.persistent = call->persistent;
    int error = find_group_state(call);
    if (error)
        return error;
    error = describe(call);
    if (error) {
        note_mistake(call, error);
        return error;
    }
    if (!call->room.shared) /* else the exchange is its first step */
        take_place(call);
    /* Joined before the sizes are known, so that operations are planned in the order of their
     * calls. */
    sequence_join(group_state_sequence(call->state, &call->req), &call->planning.entry);
    return HN_OK;
}

/* Makes the plan; called in the call's turn. */
static void make_plan(struct sequence_entry *entry)
{
    struct call *call = list_entry(entry, struct call, planning.entry);
    /* A rounded sum keeps its plan unless adaptation includes sums. All members decide that alike,
     * as the state changes in turns only. */
    call->req.steady = call->fold.rounds && group_state_is_steady(call->state, &call->req);
    call->planning.result =
        group_state_plan(call->state, &call->req, &call->x.plan,
                         /* Persistent operations follow the network by themselves; multicasts to
                            lists do not follow it. */
                         call->persistent || call->targets.to ? NULL : &call->planning.pending);
    if (!call->planning.result)
        call->x.tag = open_table_planned(slot_of(call), call->x.plan->mark, call->x.plan->name);
    if (!call->planning.result && call->persistent && !call->targets.to)
        call->planning.own_decision = group_state_decision(call->state, &call->req);
    /* Later operations of this order wait until the decision has been agreed. */
    if (call->planning.pending)
        sequence_close(group_state_sequence(call->state, &call->req));
}

/* The error of planning, which took place in another thread perhaps, gets its text here. */
static int end_planning(const struct call *call)
{
    int error = call->planning.result;
    return error ? error_set(error, "%s: %s", name_of(call), hn_strerror(error)) : HN_OK;
}

int call_plan(struct call *call)
{
    const char *what;
    /* The exchange was the first step of the slot; this is its last one. */
    if (call->room.shared) {
        take_place(call);
        int error = take_counts(call);
        if (error)
            return error;
    }
    if (request_check(&call->req, &what))
        return error_set(HN_EARG, "%s: %s", name_of(call), what);
    call->planning.entry.plan = make_plan;
    if (!sequence_ready(group_state_sequence(call->state, &call->req), &call->planning.entry))
        return EXECUTOR_WAITS;
    return end_planning(call);
}

/* Blocks until it is the call's turn, in which it is planned. */
int call_pass(struct call *call)
{
    sequence_pass(&call->planning.entry);
    return end_planning(call);
}

/* Without an agreement the decision is dropped.  In both cases the next operations may be planned.
 */
void call_agreed(struct call *call, const struct agreement *agreement)
{
    if (agreement)
        group_state_agreed(call->state, &call->req, agreement);
    call->planning.pending = NULL;
    sequence_open(group_state_sequence(call->state, &call->req));
}

/* Messages of the calling thread get the group's context until call_leave(), also those of the
 * executor. */
struct call_span call_enter(const struct call *call)
{
    struct call_span span = {hn_set_context(group_state_context(call->state)),
                             trace_enter(operation_name(call->op), call->x.plan->name)};
    return span;
}

void call_leave(const struct call_span *span)
{
    trace_leave(&span->outer);
    hn_set_context(span->before);
}

/* Explains an error in the words of this operation. A death is noted for the whole group, so later
 * calls fail at once. */
int call_outcome(const struct call *call, int error)
{
    if (error == HN_EARG)
        error = open_table_explain(group_state_table(call->state), call->x.tag);
    hn_tid dead = 0;
    if (error == HN_EDEAD)
        dead =
            failure_met(call->group, open_table_dead(group_state_table(call->state), call->x.tag));
    if (dead > 0)
        error = call_name_dead(name_of(call), dead);
    else if (error == HN_ETRUNC || error == HN_ETYPE || error == HN_EARG || error == HN_EDEAD ||
             error == HN_ENOMEM)
        error = argument_error_name(call->kind, error);
    if (!error && call->result)
        error =
            error_set(call->result, "%s: the counts of the members do not agree", name_of(call));
    return error;
}

int call_executed(const struct call *call, int error)
{
    /* The result is written back only if the operation succeeded. */
    int widened = error ? HN_OK : widen_out(call);
    error = call_outcome(call, error);
    return error ? error : widened;
}

/* After a death the other members cannot agree either. */
bool call_still_agrees(int outcome)
{
    return outcome != HN_EDEAD;
}

static int call_execute(struct call *call)
{
    struct call_span span = call_enter(call);
    /* What hrun shows about a task that waits. */
    struct wait_reason *reason = wait_reason();
    reason->operation = name_of(call);
    reason->number = operation_tag_number(call->x.tag);
    call->planning.begun = group_state_now();
    int error = plan_execute(&call->x);
    if (!error)
        group_state_note(call->state, &call->req, call->x.plan, call->planning.begun,
                         call->planning.deflated);
    reason->operation = NULL;
    call_leave(&span);
    return call_executed(call, error);
}

/* Agrees with all other members on what the operation has left open (adapt.h). Runs after a failed
 * operation, too: the other members may have succeeded, and wait for this one. */
static int call_agree(struct call *call)
{
    struct agreement agreement =
        group_state_agreement(call->state, &call->req, call->planning.pending, call->x.tag);
    hn_context before = hn_set_context(group_state_context(call->state));
    agreement.waits = true;
    int error = agreement_continue(&agreement);
    hn_set_context(before);
    call_agreed(call, &agreement);
    agreement_free(&agreement);
    return call_outcome(call, error);
}

/* The agreement is impossible now. The next operations may be planned all the same. */
void call_give_up(struct call *call)
{
    if (call->planning.pending)
        call_agreed(call, NULL);
    if (call->planning.entry.queued)
        sequence_leave(group_state_sequence(call->state, &call->req), &call->planning.entry);
}

void call_left(struct call *call)
{
    open_table_left(&call->slot, call->outcome);
}

/* Releases everything, after each of the states in which a call can end. NULLs and zeros are
 * skipped by the functions called. */
void call_end(struct call *call)
{
    /* A persistent operation that is freed ends its slot, so that members do not wait for it. */
    if (call->persistent && !call->outcome)
        call->outcome = OPEN_TABLE_GIVEN_UP;
    call_left(call);
    call_give_up(call);
    plan_free(call->x.plan);
    widen_end(call);
    free(call->room.shared);
    free(call->room.sizes);
    free(call->room.scratch);
    free(call->room.places);
    multimulticast_end(&call->targets.multi);
    free(call->planning.own_decision);
    group_state_drop(call->state, call->subset);
    call->subset = NULL;
}

/* Blocking calls end here. The steps are those of collective_request.c, without an activity. */
int call_run(struct call *call)
{
    int error = call_open(call);
    if (!error && call->room.shared) {
        struct call round = call_round(call);
        /* The exchange is a complete call of its own: a step in the same slot. */
        error = call_run(&round);
    }
    if (!error)
        error = call_plan(call);
    if (error == EXECUTOR_WAITS)
        error = call_pass(call);
    if (!error) {
        call->x.mistake = call_lay_out(call);
        error = call_execute(call);
    }
    /* An error of this member only must not keep the others from agreeing. */
    if (call->planning.pending && call_still_agrees(error)) {
        int agreed = call_agree(call);
        error = error ? error : agreed;
    }
    call->outcome = error;
    call_end(call);
    return error;
}

/* A call as a step of `slot`, blocking. The slot is taken by the first step. */
int call_step(const hn_group *group, struct slot *slot, enum kind kind, enum operation op,
              const void *in, void *out, size_t count, hn_type type)
{
    struct call call = {.op = op,
                        .kind = kind,
                        .within = slot,
                        .group = group,
                        .in = in,
                        .out = out,
                        .count = count,
                        .type = type};
    return call_run(&call);
}
