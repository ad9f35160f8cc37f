/* compose.c - combines the plans of two stages into one (compose.h).
 *
 * The stages cut the data differently; composed_stage.c maps their blocks. Then both stages are
 * simulated together. Every rank has a list of steps of each stage, and executes the one of the two
 * next steps that can begin first. A step of the second list waits until
 *
 *     - all steps of the first list that use one of its blocks are done, and
 *     - everything that the first list sends to (receives from) the same peer has been sent
 *       (received), since messages between two ranks are matched in order.
 *
 * So the first list never waits for the second. If neither plan has a deadlock, this one has none,
 * provided that sends do not wait. If they wait for their receivers, it may have one, and a rank
 * busy with the second list may delay the first. Then every rank executes the whole first list, and
 * then the second.
 *
 * The steps are then traversed twice: forward to find the blocks that a sender holds, and backward
 * to find those that some rank still needs. Other blocks are not sent. So a gather is an allgather
 * whose result only the root keeps, or a reduction to which every rank contributes only its own
 * part.
 *
 * A multicast is one step here. It is executed when all its sends can begin, and a receiver that
 * needs a part of it gets all of it. If receivers combine it, they may need different parts; then
 * it is split into messages.
 */
#include "planners/compose.h"

#include "model/simulate.h"
#include "planners/composed_stage.h"

#include "model/heap.h"
#include "model/array_grow.h"
#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* ---- multicasts ------------------------------------------------------------------------- */

/* Whether the next step of the rank is joined to this one. */
static bool is_followed(const struct plan *plan, int rank, int32_t at)
{
    return at + 1 < plan->first[rank + 1] && plan->steps[at + 1].joined;
}

/* Whether the message of a receiving step is a multicast. */
static bool is_multicast(const struct plan *plan, int32_t recv)
{
    int32_t send = plan->steps[recv].match;
    return plan->steps[send].joined || is_followed(plan, plan->steps[recv].peer, send);
}

/* ---- simulating both stages ------------------------------------------------------------- */

/* One stage during the joint simulation. Its plan belongs to the caller and is only read; the
 * arrays have the order of plan->steps. list[] and count[] start as the blocks of the stage and are
 * shortened by the two traversals. A count of -1 means that the message has been removed. */
struct stage {
    const struct plan *plan;
    struct extent *extents; /* of its blocks in the whole plan */
    int32_t *at;            /* [rank]: its next step */
    int32_t *after;         /* [step]: position that its rank must have reached in the first list */
    int32_t *list;          /* [step]: its blocks in the whole plan */
    int32_t *count;         /* [step]: length of that list */
    hn_time *arrived;       /* [step]: arrival, for receives; -1: not sent yet */
    struct arena arena;     /* of the arrays */
};

/* An entry of the queue of ranks. Several entries of one rank may be queued; outdated ones are
 * recognized when they are taken out. */
struct event {
    hn_time time;
    int rank;
};

/* An executed step of a stage. The log of these defines the order of steps of the composed plan.
 * `kind` is known only after restrict_to_held(), which decides between a fold and a receive. */
struct executed {
    int32_t rank, stage, at;
    enum plan_kind kind;
};

/* The work of one join(). The plan under construction belongs to it until join() returns.
 *
 * Invariant of the simulation: a rank that has a step which can begin has an entry in the queue for
 * the time of that step. So the simulation ends only when no rank can continue. */
struct composition {
    const struct request *req;
    const struct model *model;
    struct plan *plan;
    struct stage stage[STAGES];
    int stages;
    bool overlap;
    struct executed *log;
    int32_t executed;
    hn_time *free;       /* [rank] */
    struct event *queue; /* a heap (heap.h): times at which ranks may continue */
    size_t queued, room;
    struct arena arena; /* of log and free */
};

/* Equal times are taken in the order of ranks, so all members of a group compute the same plan. */
static bool is_before(const struct composition *c, struct event a, struct event b)
{
    (void)c;
    return a.time < b.time || (a.time == b.time && a.rank < b.rank);
}

HEAP(heap, struct event, const struct composition *, is_before);

static void push(struct composition *c, struct event event)
{
    if (!ARRAY_GROW(c->queue, c->queued, c->room, 64)) {
        plan_fail(c->plan, HN_ENOMEM);
        return;
    }
    heap_add(c, c->queue, c->queued++, event);
}

/* Time at which the next step of a rank's list can begin; INT64_MAX: it waits for another step. */
static hn_time begin_of(const struct composition *c, const struct stage *s, int rank)
{
    int32_t at = s->at[rank];
    if (at >= s->plan->first[rank + 1] || s->after[at] > c->stage[0].at[rank])
        return INT64_MAX;
    if (s->plan->steps[at].kind == PLAN_SEND)
        return c->free[rank];
    if (s->arrived[at] < 0)
        return INT64_MAX;
    return s->arrived[at] > c->free[rank] ? s->arrived[at] : c->free[rank];
}

/* The earliest begin among the next steps of both lists, and the stage that has it. Among equals
 * the first stage wins, since its steps must never wait for the second one. */
static hn_time soonest(const struct composition *c, int rank, int *stage)
{
    hn_time begin = INT64_MAX;
    *stage = 0;
    for (int i = 0; i < c->stages; i++) {
        hn_time own = begin_of(c, &c->stage[i], rank);
        *stage = own < begin ? i : *stage;
        begin = own < begin ? own : begin;
    }
    return begin;
}

/* Queues a rank for the time at which it can continue. A rank that waits for an arrival is not
 * queued here; the step that sends the message wakes it. */
static void wake(struct composition *c, int rank)
{
    int stage;
    hn_time begin = soonest(c, rank, &stage);
    if (begin < INT64_MAX)
        push(c, (struct event){begin, rank});
}

/* Saturates below INT64_MAX, which means never. */
static hn_time plus(hn_time a, hn_time b)
{
    return b < INT64_MAX - a ? a + b : INT64_MAX - 1;
}

/* Executes one step: the rank is occupied for S or R, and a send determines the arrival at its
 * peer. Media are not shared in this simulation, since only the order of steps is taken from it. */
static void do_step(struct composition *c, int which, int rank, hn_time now)
{
    struct stage *s = &c->stage[which];
    int32_t at = s->at[rank]++;
    const struct plan_step *step = &s->plan->steps[at];
    bool sends = step->kind == PLAN_SEND;
    int from = sends ? rank : step->peer, to = sends ? step->peer : rank;
    struct cost cost = model_cost(c->model, from, to, plan_step_bytes(s->plan, step));
    /* The kind is provisional; restrict_to_held() replaces it. */
    c->log[c->executed++] = (struct executed){rank, which, at, PLAN_SEND};
    /* A joined send costs its sender nothing: the multicast was paid with the first one. */
    c->free[rank] = plus(now, step->joined ? 0 : sends ? cost.send : cost.recv);
    if (sends) {
        s->arrived[step->match] = plus(c->free[rank], cost.travel);
        wake(c, to);
    }
}

/* Executes a step, and all sends joined to it. */
static void do_steps(struct composition *c, int which, int rank, hn_time now)
{
    struct stage *s = &c->stage[which];
    int32_t at = s->at[rank];
    do_step(c, which, rank, now);
    for (; is_followed(s->plan, rank, at); at++)
        do_step(c, which, rank, c->free[rank]);
    wake(c, rank);
}

static void simulate_stages(struct composition *c)
{
    /* Ranks whose first step is a receive have no entry yet. The sender of the message adds it. */
    for (int rank = 0; rank < c->plan->ranks; rank++)
        wake(c, rank);
    while (c->queued > 0) {
        struct event event = heap_take(c, c->queue, c->queued--);
        int stage;
        hn_time begin = soonest(c, event.rank, &stage);
        /* Otherwise the entry is outdated: the step has been executed or queued for a later time.
         */
        if (begin == event.time)
            do_steps(c, stage, event.rank, begin);
    }
}

/* ---- what is needed --------------------------------------------------------------------- */

/* Gives both ends of a message a shorter list of blocks. */
static void shorten(struct composition *c, struct stage *s, int32_t at, const int *blocks,
                    int count)
{
    int32_t match = s->plan->steps[at].match;
    if (count == s->count[at])
        /* Without a change both ends keep the list that they share with other steps. */
        return;
    s->list[at] = s->list[match] = plan_list(c->plan, blocks, count);
    /* A message that becomes empty is marked, not removed, so that positions in the stage stay
     * valid. */
    s->count[at] = s->count[match] = count > 0 ? count : -1;
}

/* Removes the blocks that the sender does not hold. */
static void restrict_send(struct composition *c, struct stage *s, int32_t at, const bool *held,
                          int *scratch)
{
    int32_t match = s->plan->steps[at].match;
    int count = 0;
    /* A joined send has the blocks of the send before it, whose list has been restricted already.
     */
    if (s->plan->steps[at].joined) {
        s->list[at] = s->list[match] = s->list[at - 1];
        s->count[at] = s->count[match] = s->count[at - 1];
        return;
    }
    for (int i = 0; i < s->count[at]; i++) {
        int32_t block = c->plan->lists[s->list[at] + i];
        if (held[block])
            scratch[count++] = block;
    }
    shorten(c, s, at, scratch, count);
}

/* Traverses the steps forward. A fold into a value without contributions becomes a receive, since
 * two values that are combined never have a contributor in common. */
static void restrict_to_held(struct composition *c, bool *held, int *scratch)
{
    size_t blocks = (size_t)c->plan->block_count;
    for (int32_t i = 0; i < c->executed; i++) {
        struct executed *p = &c->log[i];
        struct stage *s = &c->stage[p->stage];
        bool *own = held + (size_t)p->rank * blocks;
        p->kind = s->plan->steps[p->at].kind;
        if (p->kind == PLAN_SEND) {
            restrict_send(c, s, p->at, own, scratch);
            continue;
        }
        /* An operation that only moves data never folds: a stage that combines was used to move it.
         */
        if (!request_combines(c->req))
            p->kind = PLAN_RECV;
        for (int k = 0; k < s->count[p->at]; k++)
            own[c->plan->lists[s->list[p->at] + k]] = true;
    }
}

/* Keeps the blocks of a receiving step that are needed after it, and records what is needed
 * before. */
static void prune_receive(struct composition *c, struct stage *s, const struct executed *executed,
                          bool *needed, int *scratch)
{
    const int32_t *list = &c->plan->lists[s->list[executed->at]];
    int count = 0, all = s->count[executed->at];
    for (int i = 0; i < s->count[executed->at]; i++) {
        if (!needed[list[i]])
            /* The value after the step is not used. Before the step nothing is needed because of
             * this block. */
            continue;
        scratch[count++] = list[i];
        /* A fold uses the old value too, so the block stays needed before it. A receive overwrites
         * it. */
        needed[list[i]] = executed->kind != PLAN_RECV;
    }
    /* Other receivers of the multicast may need its other blocks, so all of it arrives here. What
     * it overwrites is not needed before. */
    if (count > 0 && executed->kind == PLAN_RECV && is_multicast(s->plan, executed->at)) {
        for (int i = 0; i < all; i++)
            needed[list[i]] = false;
        return;
    }
    shorten(c, s, executed->at, scratch, count);
}

static void prune_send(const struct composition *c, const struct stage *s, int32_t at, bool *needed)
{
    for (int i = 0; i < s->count[at]; i++)
        needed[c->plan->lists[s->list[at] + i]] = true;
}

/* Traverses the steps backward and removes the blocks that no rank needs. */
static void restrict_to_needed(struct composition *c, bool *needed, int *scratch)
{
    size_t blocks = (size_t)c->plan->block_count;
    for (int32_t i = c->executed - 1; i >= 0; i--) {
        const struct executed *p = &c->log[i];
        struct stage *s = &c->stage[p->stage];
        bool *own = needed + (size_t)p->rank * blocks;
        if (p->kind == PLAN_SEND)
            prune_send(c, s, p->at, own);
        else
            prune_receive(c, s, p, own, scratch);
    }
}

/* Removes blocks that are not held or not needed; messages without blocks get the count -1. false:
 * out of memory. */
static bool prune(struct composition *c)
{
    size_t blocks = (size_t)c->plan->block_count, all = (size_t)c->plan->ranks * blocks;
    bool *flags = malloc(all * sizeof *flags);
    int *scratch = malloc(blocks * sizeof *scratch);
    /* The flags hold first what each rank has, then what it needs: n * blocks flags, used twice. */
    bool ok = flags && scratch;
    for (size_t i = 0; ok && i < all; i++)
        flags[i] = request_contributes(c->req, (int)(i / blocks), c->plan->blocks[i % blocks].part);
    if (ok)
        restrict_to_held(c, flags, scratch);
    for (size_t i = 0; ok && i < all; i++)
        flags[i] = request_wants(c->req, (int)(i / blocks), c->plan->blocks[i % blocks].part);
    if (ok)
        restrict_to_needed(c, flags, scratch);
    free(flags);
    free(scratch);
    return ok;
}

/* Writes the steps of the plan. Sends stay joined if the send before them remains and has the same
 * blocks. */
static void write_steps(struct composition *c)
{
    int32_t list = 0, count = -1; /* of the send before, in the same multicast */
    for (int32_t i = 0; i < c->executed; i++) {
        const struct executed *p = &c->log[i];
        const struct stage *s = &c->stage[p->stage];
        const struct plan_step *step = &s->plan->steps[p->at];
        if (!step->joined)
            count = -1;
        /* A message without blocks is left out. The next joined send then starts a multicast of its
         * own. */
        if (s->count[p->at] < 0)
            continue;
        plan_step(c->plan, p->rank, p->kind, step->peer, s->list[p->at], s->count[p->at]);
        if (count == s->count[p->at] && list == s->list[p->at])
            plan_join(c->plan);
        list = s->list[p->at];
        count = p->kind == PLAN_SEND ? s->count[p->at] : -1;
    }
}

/* ---- making ready ----------------------------------------------------------------------- */

/* Lists the blocks of the whole plan in a step, each once. The receiver and joined sends share the
 * sender's list. `seen` is the last step that listed a block. */
static void list_blocks(struct composition *c, struct stage *s, int32_t at, int *scratch,
                        int32_t *seen)
{
    const struct plan_step *step = &s->plan->steps[at];
    const int32_t *own = &s->plan->lists[step->list];
    int count = 0;
    bool run = true;
    /* A joined send has the same blocks as the one before it, in the stage and so here. */
    if (step->joined) {
        s->count[at] = s->count[step->match] = s->count[at - 1];
        s->list[at] = s->list[step->match] = s->list[at - 1];
        return;
    }
    for (int i = 0; i < step->count; i++)
        for (int b = s->extents[own[i]].first; b < s->extents[own[i]].end; b++) {
            /* A block can occur twice when two blocks of the stage map to the same one of the whole
             * plan. */
            if (seen[b] == at)
                continue;
            seen[b] = at;
            /* Consecutive numbers need no list of their own: lists[] begins with 0, 1, ...,
             * block_count - 1. */
            run = run && (count == 0 || b == scratch[count - 1] + 1);
            scratch[count++] = b;
        }
    s->count[at] = s->count[step->match] = count;
    s->list[at] = s->list[step->match] =
        run && count > 0 ? scratch[0] : plan_list(c->plan, scratch, count);
}

/* The position that a rank must have reached in the first list before it can execute a step of the
 * second one. last[block], to[peer] and from[peer] are positions in the first list; 0: none. */
static int32_t wait_of(const struct composition *c, int32_t at, const int32_t *last,
                       const int32_t *to, const int32_t *from)
{
    const struct stage *s = &c->stage[1];
    const struct plan_step *step = &s->plan->steps[at];
    int32_t wait = step->kind == PLAN_SEND ? to[step->peer] : from[step->peer];
    for (int i = 0; i < s->count[at]; i++) {
        int32_t block = c->plan->lists[s->list[at] + i];
        wait = last[block] > wait ? last[block] : wait;
    }
    return wait;
}
/* Fills after[] of the second list for one rank. Positions are indices in the first plan's steps,
 * so 0 is before all of them. last, to and from are workspace. */

/* Fills after[] of the second list for one rank. Positions are indices in the first plan's steps,
 * so 0 is before all of them. last, to and from are workspace for the rank. */
static void find_waits(struct composition *c, int rank, int32_t *last, int32_t *to, int32_t *from)
{
    const struct stage *a = &c->stage[0], *b = &c->stage[1];
    memset(last, 0, (size_t)c->plan->block_count * sizeof *last);
    memset(to, 0, (size_t)c->plan->ranks * sizeof *to);
    memset(from, 0, (size_t)c->plan->ranks * sizeof *from);
    /* Later steps overwrite earlier ones, so the last use of a block or peer remains. */
    for (int32_t at = a->plan->first[rank]; at < a->plan->first[rank + 1]; at++) {
        const struct plan_step *step = &a->plan->steps[at];
        (step->kind == PLAN_SEND ? to : from)[step->peer] = at + 1;
        for (int i = 0; i < a->count[at]; i++)
            last[c->plan->lists[a->list[at] + i]] = at + 1;
    }
    for (int32_t at = b->plan->first[rank]; at < b->plan->first[rank + 1]; at++)
        /* Without overlap every step of the second list waits for the end of the first one. */
        b->after[at] = c->overlap ? wait_of(c, at, last, to, from) : a->plan->first[rank + 1];
    for (int32_t at = b->plan->first[rank + 1] - 2; at >= b->plan->first[rank]; at--)
        if (b->plan->steps[at + 1].joined && b->after[at] < b->after[at + 1])
            b->after[at] = b->after[at + 1]; /* a multicast waits until all its sends can begin */
}

/* Maps the steps of a stage to blocks of the whole plan. Only sends are visited: each one sets the
 * list of its receiver, too. false: out of memory. */
static bool list_all_blocks(struct composition *c, struct stage *s)
{
    size_t blocks = (size_t)c->plan->block_count;
    int *scratch = malloc(blocks * sizeof *scratch);
    int32_t *seen = malloc(blocks * sizeof *seen);
    bool ok = scratch && seen;
    for (size_t i = 0; ok && i < blocks; i++)
        seen[i] = -1;
    for (int32_t at = 0; ok && at < s->plan->first[s->plan->ranks]; at++)
        if (s->plan->steps[at].kind == PLAN_SEND)
            list_blocks(c, s, at, scratch, seen);
    free(scratch);
    free(seen);
    return ok;
}

/* Allocates the arrays of a stage and maps its steps to blocks of the whole plan. false: out of
 * memory; the caller calls end_stage() in either case. */
static bool begin_stage(struct composition *c, struct stage *s, const struct plan *plan)
{
    size_t ranks = (size_t)plan->ranks, steps = (size_t)plan->first[ranks] + 1;
    *s = (struct stage){.plan = plan, .extents = stage_extents(c->plan, plan)};
    s->at = arena_array(&s->arena, ranks, sizeof *s->at);
    ARENA_ARRAYS(&s->arena, steps, s->after, s->list, s->count, s->arrived);
    if (!s->extents || s->arena.failed)
        return false;
    /* Every rank begins with its first step. */
    memcpy(s->at, plan->first, ranks * sizeof *s->at);
    for (size_t at = 0; at < steps; at++)
        s->arrived[at] = -1;
    return list_all_blocks(c, s);
}

static void end_stage(struct stage *s)
{
    free(s->extents);
    arena_free(&s->arena);
}

/* Allocates everything of the composition for its stages. `steps` begins with 1, so that the log of
 * a plan without steps is not an empty allocation. */
static bool make_ready(struct composition *c, const struct plan *const *stages)
{
    size_t ranks = (size_t)c->plan->ranks, blocks = (size_t)c->plan->block_count, steps = 1;
    int32_t *last = malloc((blocks + 2 * ranks) * sizeof *last);
    c->free = arena_array(&c->arena, ranks, sizeof *c->free);
    for (int i = 0; i < c->stages; i++)
        steps += (size_t)stages[i]->first[ranks];
    c->log = arena_array(&c->arena, steps, sizeof *c->log);
    bool ok = last && !c->arena.failed;
    for (int i = 0; i < c->stages; i++)
        ok = ok && begin_stage(c, &c->stage[i], stages[i]);
    /* Only the second list waits for the first; with one stage there is nothing to wait for. */
    for (int rank = 0; ok && c->stages > 1 && rank < c->plan->ranks; rank++)
        find_waits(c, rank, last, last + blocks, last + blocks + ranks);
    free(last);
    return ok;
}

/* Makes the plan. Without overlap every rank executes all of the first list before the second. */
static int join(struct composition *c, const struct plan *const *stages)
{
    if (!(c->plan = plan_new(c->req->ranks)))
        return HN_ENOMEM;
    int error = stage_cut(c->req, stages, c->stages, c->plan);
    /* Without blocks there is nothing to send, and the plan has no steps. */
    if (!error && c->plan->block_count > 0) {
        bool ok = make_ready(c, stages);
        if (ok) {
            simulate_stages(c);
            ok = prune(c);
            write_steps(c);
        }
        error = ok ? HN_OK : HN_ENOMEM;
    }
    for (int i = 0; i < c->stages; i++)
        end_stage(&c->stage[i]);
    arena_free(&c->arena);
    free(c->queue);
    return error ? error : plan_finish(c->plan);
}

/* Computes the makespan of a plan; INT64_MAX if it has a deadlock because sends wait for their
 * receivers. HN_OK or an error of the simulation. */
static int judge(const struct plan *plan, const struct model *model, hn_time limit, hn_time *time)
{
    struct model blocking = *model;
    struct timing timing;
    blocking.port = PORT_BLOCKING;
    int error = plan_simulate(plan, &blocking, &timing);
    /* A deadlock is an error of the plan, but not of this function: the caller drops the variant.
     */
    *time = INT64_MAX;
    timing_free(&timing);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    /* The makespan in the given model decides; the blocking run above only excludes deadlocks. */
    error = plan_simulate_within(plan, model, limit, NULL, &timing);
    *time = timing.makespan;
    timing_free(&timing);
    return error;
}

/* Makes the plan with overlap, unless that is slower than without. */
static int join_better(const struct composition *begin, const struct plan *const *stages,
                       struct plan **plan)
{
    struct composition both = *begin, other = *begin;
    hn_time apart, together;
    /* `other` executes the stages one after the other. It is always possible, so it comes first. */
    other.overlap = false;
    both.overlap = true;
    int error = join(&other, stages);
    *plan = other.plan;
    if (!error)
        error = judge(other.plan, begin->model, INT64_MAX, &apart);
    if (error)
        return error;
    error = join(&both, stages);
    if (!error)
        /* Beyond the makespan of the other variant the simulation may stop. */
        error = judge(both.plan, begin->model, apart, &together);
    bool better = !error && together <= apart;
    plan_free(better ? other.plan : both.plan);
    *plan = better ? both.plan : other.plan;
    return error;
}

/* The arguments must be finished plans for the requests of the stages of the same composed choice.
 */
int compose(const struct request *req, const struct model *model, const struct plan *first,
            const struct plan *second, struct plan **plan)
{
    const struct plan *stages[STAGES] = {first, second};
    struct composition begin = {.req = req, .model = model, .stages = second ? 2 : 1};
    int error;
    if (second) {
        error = join_better(&begin, stages, plan);
    } else {
        error = join(&begin, stages);
        *plan = begin.plan;
    }
    if (error) {
        plan_free(*plan);
        *plan = NULL;
    }
    return error;
}
