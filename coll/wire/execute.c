/* execute.c - the executor: the steps of a plan over hn_isend() and hn_recv(), or hn_irecv() where
 * it must not block.
 *
 * A SEND passes the blocks to hn_isend() in place (or a packed copy, if they are scattered) and
 * continues. A RECV receives into the blocks; a FOLD receives into a spare buffer and combines. At
 * the end the executor waits for all sends.
 *
 * A send may still be in progress when a later step changes one of its blocks (rings and doubling
 * do that). Such sends are "fragile": they are found in advance, and waited for before the change.
 * That wait ends, because a send is done as soon as the receiver's library has the message,
 * whatever the receiver itself waits for.
 *
 * A multicast (joined sends, plan.h) is sent as a copy at its first send. Receivers that datagrams
 * do not reach get an ordinary message at their own step.
 *
 * A message of a member to itself (plan.h) is a packed copy.
 *
 * Receives are posted some steps ahead, as soon as their memory is free. Then an early message goes
 * straight to its place instead of into memory of the runtime first.
 *
 * An executor that does not block may stop in the middle of a step, and begins the step again
 * later. Its state has what the step has already done: the posted receive, or the message in the
 * spare buffer.
 *
 * Failures: the first message that fails ends the operation. Receives posted ahead are cancelled,
 * so that none remains. No member waits for what this one has not sent: the receivers of the
 * remaining steps get a termination notice, also that of a send that has failed, now or later. If
 * there is no memory to begin with, all receivers get one. If a member is gone, the notice names
 * it, so that the group is broken for all members alike.
 */
#include "wire/execute.h"

#include "wire/compress.h"
#include "wire/open_table.h"
#include "wire/executor_receive.h"

#include "runtime/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The address of a block. Parts lie at equal distances, at displacements, or each at its own place.
 */
static uint8_t *address(const struct executor *e, int block)
{
    const struct plan_block *b = &e->x->plan->blocks[block];
    size_t part = (size_t)b->part;
    if (e->x->places)
        return e->x->places[part] + b->offset;
    size_t base = e->x->displs ? e->x->displs[part] * e->element : e->x->stride * part;
    return e->x->data + base + b->offset;
}

/* Bytes of a part, from its last block: blocks of a part are adjacent and in order. */
static size_t part_bytes(const struct plan *plan, int part)
{
    const struct plan_block *last = &plan->blocks[plan->part_first[part + 1] - 1];
    return (size_t)(last->offset + last->bytes);
}

static int block_at(const struct executor *e, const struct plan_step *step, int i)
{
    return e->x->plan->lists[step->list + i];
}

static size_t block_bytes(const struct executor *e, int block)
{
    return (size_t)e->x->plan->blocks[block].bytes;
}

/* Whether the blocks of a step are adjacent in memory. */
static bool in_one_piece(const struct executor *e, const struct plan_step *step)
{
    for (int i = 1; i < step->count; i++) {
        int before = block_at(e, step, i - 1);
        if (address(e, block_at(e, step, i)) != address(e, before) + block_bytes(e, before))
            return false;
    }
    return true;
}

static void *first_address(const struct executor *e, const struct plan_step *step)
{
    return step->count ? address(e, block_at(e, step, 0)) : NULL;
}

/* Whether the message of a step goes straight to its blocks, not to the spare buffer. A fold needs
 * both operands, and scattered blocks must be distributed afterwards. */
static bool goes_direct(const struct executor *e, const struct plan_step *step)
{
    return step->kind == PLAN_RECV && in_one_piece(e, step);
}

/* Copies between the blocks of a step and a contiguous buffer. */
static void pack(const struct executor *e, const struct plan_step *step, uint8_t *bytes, bool out)
{
    for (int i = 0; i < step->count; i++) {
        int block = block_at(e, step, i);
        size_t size = block_bytes(e, block);
        if (size > 0)
            memcpy(out ? address(e, block) : bytes, out ? bytes : address(e, block), size);
        bytes += size;
    }
}

/* A buffer that is valid until the next call. It only grows, up to the largest message of a step.
 * NULL: out of memory; the old buffer remains. */
static uint8_t *spare(struct executor *e, size_t size)
{
    if (size > e->spare_size) {
        uint8_t *grown = realloc(e->spare, size);
        if (!grown)
            return NULL;
        e->spare = grown;
        e->spare_size = size;
    }
    return e->spare;
}

/* ---- sending ---------------------------------------------------------------------------- */

/* Whether a step after this one changes one of its blocks. changed[] has the last step that does so
 * for each block, which is enough. */
static bool is_fragile(const struct executor *e, const struct plan_step *step)
{
    int32_t at = (int32_t)(step - e->x->plan->steps);
    for (int i = 0; i < step->count; i++)
        if (e->changed[block_at(e, step, i)] > at)
            return true;
    return false;
}

/* The index of a step among the rank's own: its number in a trace. */
static int number_of(const struct executor *e, const struct plan_step *step)
{
    const struct plan *plan = e->x->plan;
    return (int)(step - plan->steps) - plan->first[e->x->rank];
}

/* The deflated message of a step; NULL: send it as it is. */
static uint8_t *deflated(const struct execution *x, const struct plan_step *step, const void *data,
                         size_t bytes, size_t *length)
{
    struct compress *c = x->type == HN_PACKED ? NULL : x->compress;
    /* The position decides between routes of the model: later sends of a run wait for earlier ones.
     */
    int position = plan_step_position(x->plan, x->rank, step);
    uint8_t *small =
        compress_message(c, x->model, x->rank, step->peer, position, data, bytes, x->type, length);
    if (small)
        execution_note_deflated(x);
    return small;
}

/* Posts a message as it is, or deflated. A deflated copy replaces the packed one, and is never
 * fragile, since no step changes it. */
static int post_send(const struct executor *e, struct sending *s, void *data, size_t bytes)
{
    const struct execution *x = e->x;
    hn_tid to = x->tids[s->step->peer];
    size_t length;
    uint8_t *small = deflated(x, s->step, data, bytes, &length);
    if (!small)
        return hn_isend(to, x->tag, data, bytes / e->element, x->type, &s->request);
    free(s->packed);
    s->packed = small;
    s->fragile = false;
    return hn_isend(to, x->tag, small, length, HN_PACKED, &s->request);
}

/* Number of sends in the multicast that begins with this one; 1: it is no multicast. */
static int joined_to(const struct executor *e, const struct plan_step *step)
{
    const struct plan_step *end = &e->x->plan->steps[e->x->plan->first[e->x->rank + 1]];
    int n = 1;
    while (!step->joined && step + n < end && step[n].joined)
        n++;
    return n;
}

/* Sends the multicast, deflated if the first one's route asks for it, and marks the receivers
 * reached. cast_send() copies the data, so they may change afterwards. */
static void multicast_out(struct executor *e, const struct plan_step *step, int n, void *data,
                          size_t bytes)
{
    const struct execution *x = e->x;
    size_t length;
    uint8_t *small = deflated(x, step, data, bytes, &length);
    for (int i = 0; i < n; i++)
        e->group[i] = x->tids[step[i].peer];
    cast_send(e->group, n, x->tag, small ? small : data, small ? length : bytes / e->element,
              small ? HN_PACKED : x->type, &e->gone[number_of(e, step)]);
    free(small);
}

/* The first send of a multicast. */
static int do_multicast(struct executor *e, const struct plan_step *step, int n)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    /* One byte more: malloc(0) may return NULL. */
    uint8_t *packed = in_one_piece(e, step) ? NULL : malloc(bytes + 1);
    if (!in_one_piece(e, step) && !packed)
        return HN_ENOMEM;
    if (packed)
        pack(e, step, packed, false);
    multicast_out(e, step, n, packed ? packed : first_address(e, step), bytes);
    free(packed);
    return HN_OK;
}

/* Begins a send; end_send() ends it. A send that is part of a multicast is skipped if the datagrams
 * reach its receiver, and else sent as a message of its own. */
static int do_send(struct executor *e, const struct plan_step *step)
{
    int many = joined_to(e, step), failed = many > 1 ? do_multicast(e, step, many) : HN_OK;
    if (failed || e->gone[number_of(e, step)])
        return failed;
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    struct sending *s = &e->sendings[e->sending_count];
    *s = (struct sending){.step = step};
    void *data = first_address(e, step);
    /* A message to itself keeps the present value, until the matching receive. */
    bool kept = step->peer == e->x->rank;
    if (kept || !in_one_piece(e, step)) {
        data = s->packed = malloc(bytes + 1);
        if (!data)
            return HN_ENOMEM;
        pack(e, step, data, false);
    } else {
        s->fragile = is_fragile(e, step);
    }
    int error = kept ? HN_OK : post_send(e, s, data, bytes);
    if (error)
        free(s->packed);
    /* A failed send has no entry. Its receiver gets a termination notice for the step, as e->at has
     * not advanced. */
    e->sending_count += !error;
    return error;
}

/* A message from or to this rank has failed: records whether a member is gone. */
static void note_end(const struct executor *e, int peer, int error)
{
    if (error == HN_EDEAD && e->x->table)
        open_table_met_end(e->x->table, e->x->tag, e->x->tids[peer]);
}

/* Ends a send. EXECUTOR_WAITS: not done yet. The packed copy is freed with it; `failed` remains for
 * notify_receiver(). */
static int end_send(struct executor *e, struct sending *s)
{
    int error = s->request ? executor_await(e, s->request) : HN_OK;
    if (error)
        return error;
    if (s->request) {
        /* Waiting for the send is charged to its own step in a trace. */
        trace_step(number_of(e, s->step));
        error = hn_wait(s->request, NULL);
        s->failed = error;
        note_end(e, s->step->peer, error);
    }
    free(s->packed);
    s->request = NULL;
    s->packed = NULL;
    return error;
}

static bool share_a_block(const struct executor *e, const struct plan_step *a,
                          const struct plan_step *b)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            if (block_at(e, a, i) == block_at(e, b, k))
                return true;
    return false;
}

/* Waits for the sends of blocks that this step is about to change. */
static int before_change(struct executor *e, const struct plan_step *step)
{
    int error = HN_OK;
    for (size_t i = e->fragile_from; i < e->sending_count && !error; i++) {
        struct sending *s = &e->sendings[i];
        if (s->fragile && share_a_block(e, s->step, step)) {
            error = end_send(e, s);
            s->fragile = error == EXECUTOR_WAITS;
        }
        /* Sends at the beginning of the list that are no longer fragile are not examined again. */
        if (!s->fragile && i == e->fragile_from)
            e->fragile_from++;
    }
    return error;
}

/* ---- receiving -------------------------------------------------------------------------- */

/* A step may be repeated after EXECUTOR_WAITS; the spare buffer is the same then. */
static int do_recv(struct executor *e, const struct plan_step *step)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    /* A receive posted ahead may already have replaced the blocks. post_ahead() made sure that no
     * send of them was in progress. */
    bool direct = goes_direct(e, step);
    int error = direct && *executor_posted(e, e->at) ? HN_OK : before_change(e, step);
    if (error)
        return error;
    trace_step(number_of(e, step)); /* before_change() waits for sends of other steps */
    if (direct)
        return executor_receive(e, step, first_address(e, step), bytes);
    uint8_t *buffer = spare(e, bytes + 1);
    if (!buffer)
        return HN_ENOMEM;
    error = executor_receive(e, step, buffer, bytes);
    if (!error)
        pack(e, step, buffer, true);
    return error;
}

/* Receives first and waits for fragile sends afterwards: the message can arrive meanwhile.
 * `received` remembers that it has arrived if the step is repeated. */
static int do_fold(struct executor *e, const struct plan_step *step)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    uint8_t *buffer = spare(e, bytes + 1);
    if (!buffer)
        return HN_ENOMEM;
    int error = e->received ? HN_OK : executor_receive(e, step, buffer, bytes);
    e->received = !error;
    if (!error)
        error = before_change(e, step);
    e->received &= error == EXECUTOR_WAITS;
    /* A barrier has steps that fold, and nothing to combine. */
    for (int i = 0; i < step->count && !error && e->x->fold; i++) {
        int block = block_at(e, step, i);
        size_t size = block_bytes(e, block);
        fold_apply(e->x->fold, address(e, block), buffer, size / e->element,
                   step->kind == PLAN_FOLD_LEFT);
        buffer += size;
    }
    return error;
}

/* ---- receiving ahead -------------------------------------------------------------------- */

/* Computes, for each receive, the first step before which it may be posted: after the last step
 * that uses its blocks (or the spare buffer), and after the previous receive from the same peer,
 * which would otherwise take its message. positions are steps + 1, so that 0 means never. */
static bool look_ahead(struct executor *e, int32_t first, int32_t end)
{
    const struct plan *plan = e->x->plan;
    int32_t *used = calloc((size_t)plan->block_count + 1, sizeof *used);           /* 0: never */
    int32_t *last_receive = calloc((size_t)plan->ranks + 1, sizeof *last_receive); /* [peer] */
    int32_t spare_used = 0;
    for (int32_t at = first; used && last_receive && at < end; at++) {
        const struct plan_step *step = &plan->steps[at];
        bool direct = goes_direct(e, step);
        int32_t early = 0;
        for (int i = 0; i < step->count; i++) {
            int32_t *last = &used[block_at(e, step, i)];
            early = direct && *last > early ? *last : early;
            *last = at + 1;
        }
        if (step->kind == PLAN_SEND)
            continue;
        early = !direct && spare_used > early ? spare_used : early;
        spare_used = direct ? spare_used : at + 1;
        /* A receive that uses the spare buffer also waits for the last step that used it. */
        e->early[at - first] = last_receive[step->peer] > early ? last_receive[step->peer] : early;
        last_receive[step->peer] = at + 1;
    }
    bool done = used && last_receive;
    free(used);
    free(last_receive);
    return done;
}

/* Whether a send of one of the step's blocks is still in progress. Such a receive is not posted,
 * since it would overwrite data that are being sent. */
static bool is_being_sent(const struct executor *e, const struct plan_step *step)
{
    for (size_t i = e->fragile_from; i < e->sending_count; i++) {
        const struct sending *s = &e->sendings[i];
        if (s->fragile && s->request && !s->request->done && share_a_block(e, s->step, step))
            return true;
    }
    return false;
}

static int post_one(struct executor *e, const struct plan_step *step, int32_t at)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    void *data = goes_direct(e, step) ? first_address(e, step) : spare(e, bytes + 1);
    /* Without blocks there is no address, and none is needed. */
    if (!data && bytes > 0)
        return HN_ENOMEM;
    return hn_irecv(e->x->tids[step->peer], e->x->tag, data, bytes / e->element, e->x->type,
                    executor_posted(e, at));
}

/* Bytes: shorter messages are copied anyway. */
enum { AHEAD_LEAST = 4096 };

/* Posts the receives after the next step whose memory is free, in the order of the plan. */
static int post_ahead(struct executor *e, int32_t first, int32_t end)
{
    int error = HN_OK;
    e->ahead = e->ahead > e->at ? e->ahead : e->at + 1;
    /* Only a limited number, since each one occupies an entry of posted[]. Messages below
     * AHEAD_LEAST are not worth it. */
    for (; e->ahead < end && e->ahead < e->at + EXECUTOR_AHEAD && !error; e->ahead++) {
        const struct plan_step *step = &e->x->plan->steps[e->ahead];
        if (step->kind == PLAN_SEND || step->peer == e->x->rank ||
            plan_step_bytes(e->x->plan, step) < AHEAD_LEAST)
            continue;
        /* Receives are posted in the order of the plan: two of the same peer must not be exchanged.
         */
        if (e->early[e->ahead - first] > e->at || (goes_direct(e, step) && is_being_sent(e, step)))
            break;
        error = post_one(e, step, e->ahead);
    }
    return error;
}

/* After an error: cancels posted receives. Waits for a message that is arriving, since it is being
 * written to the caller's memory. EXECUTOR_WAITS: call again when e->awaits is done. */
static int take_back(struct executor *e)
{
    for (int i = 0; i < EXECUTOR_AHEAD; i++) {
        if (!e->posted[i])
            continue;
        hn_cancel(e->posted[i]);
        if (executor_await(e, e->posted[i]))
            return EXECUTOR_WAITS;
        hn_wait(e->posted[i], NULL);
        e->posted[i] = NULL;
    }
    return HN_OK;
}

/* ---- all steps -------------------------------------------------------------------------- */

/* Allocates memory for the parts that pass through, in the order of arrival, so that parts that
 * travel together are adjacent. Then they are sent and received without a copy. false: no memory.
 */
static bool place_passing(struct executor *e)
{
    const struct plan *plan = e->x->plan;
    uint8_t **places = e->x->places, mark;
    size_t total = 0;
    e->passing.parts = malloc(((size_t)plan->block_count + 1) * sizeof *e->passing.parts);
    if (!e->passing.parts)
        return false;
    for (int32_t at = plan->first[e->x->rank]; at < plan->first[e->x->rank + 1]; at++)
        for (int i = 0; i < plan->steps[at].count; i++) {
            int32_t part = plan->blocks[block_at(e, &plan->steps[at], i)].part;
            if (!places[part]) {
                /* Not NULL from now on, so that each part is counted once. */
                places[part] = &mark;
                e->passing.parts[e->passing.count++] = part;
                total += part_bytes(plan, part);
            }
        }
    e->passing.room = malloc(total + 1);
    uint8_t *next = e->passing.room;
    for (size_t i = 0; i < e->passing.count && next; i++) {
        places[e->passing.parts[i]] = next;
        next += part_bytes(plan, e->passing.parts[i]);
    }
    return e->passing.room;
}

/* Frees it, since another plan needs another arrangement. */
static void displace_passing(struct executor *e)
{
    for (size_t i = 0; i < e->passing.count; i++)
        e->x->places[e->passing.parts[i]] = NULL;
    free(e->passing.parts);
    free(e->passing.room);
}

/* Keeps the first error with its text; cleaning up may cause others. The first one is the cause,
 * and what the program is told. */
static void note_error(struct executor *e, int error)
{
    if (e->error || !error)
        return;
    e->error = error;
    if (error == HN_ENOMEM && !e->blamed)
        error_set(error, "out of memory");
    snprintf(e->text, sizeof e->text, "%s", hn_error_text());
}

/* Allocates memory for the steps from `first` to `end`, but not for their sends. false: no memory;
 * what has been allocated is freed by executor_free(). */
static bool make_room(struct executor *e, int32_t first, int32_t end)
{
    const struct plan *plan = e->x->plan;
    /* [block]: the later steps overwrite earlier ones in the loop below. */
    e->changed = calloc((size_t)plan->block_count + 1, sizeof *e->changed);
    e->early = calloc((size_t)(end - first) + 1, sizeof *e->early);
    e->gone = calloc((size_t)(end - first) + 1, sizeof *e->gone);
    e->group = malloc((size_t)plan->ranks * sizeof *e->group);
    if (!e->changed || !e->early || !e->gone || !e->group)
        return false;
    if (e->x->places && !place_passing(e))
        return false;
    for (int32_t at = first; at < end; at++)
        for (int i = 0; plan->steps[at].kind != PLAN_SEND && i < plan->steps[at].count; i++)
            e->changed[block_at(e, &plan->steps[at], i)] = at;
    return look_ahead(e, first, end);
}

int executor_begin(struct executor *e, const struct execution *execution)
{
    const struct plan *plan = execution->plan;
    int32_t first = plan->first[execution->rank], end = plan->first[execution->rank + 1];
    *e = (struct executor){.x = execution, .at = first};
    note_error(e, execution->mistake);
    e->element = hn_type_size(e->x->type);
    e->sendings = calloc((size_t)(end - first) + 1, sizeof *e->sendings);
    if (!e->sendings) /* no memory even for termination notices: other members have to ask */
        return HN_ENOMEM;
    /* Other memory is missing: execution ends at once, and executor_continue() notifies the
     * receivers. */
    if (!make_room(e, first, end))
        note_error(e, HN_ENOMEM);
    return HN_OK;
}

/* Executes steps until one fails or would block. e->at is the step to begin or to repeat. HN_OK:
 * all have been executed, but sends may be in progress. */
static int run(struct executor *e)
{
    const struct plan *plan = e->x->plan;
    int error = HN_OK;
    int32_t first = plan->first[e->x->rank], end = plan->first[e->x->rank + 1];
    while (e->at < end && !error) {
        /* For `hrun`'s report of waiting tasks. */
        wait_reason()->step = (unsigned)(e->at - first);
        const struct plan_step *step = &plan->steps[e->at];
        trace_step(e->at - first);
        error = post_ahead(e, first, end);
        if (error)
            break;
        if (step->kind == PLAN_SEND)
            error = do_send(e, step);
        else if (step->kind == PLAN_RECV)
            error = do_recv(e, step);
        else
            error = do_fold(e, step);
        note_end(e, step->peer, error);
        e->at += !error;
    }
    return error;
}

/* Sends the notice in place of a message, with the same tag, so the receiver takes it as that. */
static int send_termination(const struct executor *e, const struct plan_step *step,
                            hn_request **request)
{
    return hn_isend(e->x->tids[step->peer], e->x->tag, e->termination, TERMINATION_SIZE,
                    termination_type(e->x->type), request);
}

/* The member that is gone and because of which the operation ends; 0: none. */
static hn_tid dead_member(const struct executor *e)
{
    return e->x->table ? open_table_dead(e->x->table, e->x->tag) : 0;
}

/* Whether receivers can be notified: if a member is gone, it must be known which. Without that they
 * find out for themselves. */
static bool can_notify(const struct executor *e)
{
    return dead_member(e) || e->error != HN_EDEAD;
}

/* Writes the termination notice: the task that made the mistake or is gone, if known, and the
 * error. The notice must remain unchanged until it has been sent, so there is one buffer. */
static void write_termination(struct executor *e)
{
    hn_tid dead = dead_member(e), why = dead ? dead : e->blamed;
    if (!why && e->x->table)
        why = open_table_blamed(e->x->table, e->x->tag);
    termination_put(e->termination, why ? why : e->x->tids[e->x->rank], dead ? HN_EDEAD : e->error);
}

/* After an error of the caller or its data: sends termination notices to all that would have
 * received something. So they do not wait forever for a result that they cannot get. */
static void give_up(struct executor *e)
{
    const struct plan *plan = e->x->plan;
    if (!can_notify(e))
        return;
    write_termination(e);
    for (; e->at < plan->first[e->x->rank + 1]; e->at++) {
        const struct plan_step *step = &plan->steps[e->at];
        struct sending *s = &e->sendings[e->sending_count];
        /* Receivers that a multicast has reached have their message. */
        bool gone = e->gone && e->gone[number_of(e, step)];
        if (step->kind != PLAN_SEND || step->peer == e->x->rank || gone)
            continue;
        *s = (struct sending){.step = step};
        /* If this fails, the receiver asks after a while (open_table.h). */
        if (!send_termination(e, step, &s->request))
            e->sending_count++;
    }
}

/* Notifies the receiver of a failed send, once. false: it gets nothing. The notice uses the entry
 * of the failed send, so end_sends() waits for it, too. */
static bool notify_receiver(struct executor *e, struct sending *s)
{
    if (!s->failed || s->notified || !can_notify(e))
        return false;
    s->notified = true;
    write_termination(e);
    return send_termination(e, s->step, &s->request) == HN_OK;
}

/* Waits for all sends, also after an error. A send ends when its receiver has the message, or has
 * ended. */
static int end_sends(struct executor *e)
{
    while (e->ended < e->sending_count) {
        struct sending *s = &e->sendings[e->ended];
        int failed = end_send(e, s);
        if (failed == EXECUTOR_WAITS)
            return failed;
        note_error(e, failed);
        if (!notify_receiver(e, s))
            e->ended++;
    }
    return HN_OK;
}

/* The order matters: posted receives are cancelled before the caller's memory may be reused.
 * Notices go out before waiting for sends, whose receivers may wait for this member. */
int executor_continue(struct executor *e)
{
    int error = e->error ? HN_OK : run(e);
    if (error == EXECUTOR_WAITS)
        return error;
    note_error(e, error);
    if (e->error && take_back(e))
        return EXECUTOR_WAITS;
    if (e->error)
        give_up(e);
    if (end_sends(e))
        return EXECUTOR_WAITS;
    if (e->error)
        error_set(e->error, "%s", e->text);
    return e->error;
}

void executor_rewind(struct executor *e)
{
    e->at = e->x->plan->first[e->x->rank];
    e->ahead = e->at;
    e->sending_count = e->fragile_from = e->ended = 0;
    /* No step has been sent by a multicast yet. */
    memset(e->gone, 0, (size_t)(e->x->plan->first[e->x->rank + 1] - e->at));
    e->error = HN_OK;
    e->blamed = 0;
    note_error(e, e->x->mistake);
}

void executor_free(struct executor *e)
{
    /* Receives that are still posted here belong to a task that has left its job. */
    for (int i = 0; i < EXECUTOR_AHEAD; i++)
        free(e->posted[i]);
    for (size_t i = e->ended; i < e->sending_count; i++) { /* for a task that has left its job */
        free(e->sendings[i].request);
        free(e->sendings[i].packed);
    }
    free(e->sendings);
    free(e->changed);
    free(e->early);
    free(e->gone);
    free(e->group);
    free(e->spare);
    displace_passing(e);
    free(e->deflated.message);
}

int plan_execute(const struct execution *execution)
{
    struct executor e;
    int error = executor_begin(&e, execution);
    e.waits = true;
    if (!error)
        error = executor_continue(&e);
    executor_free(&e);
    return error;
}
