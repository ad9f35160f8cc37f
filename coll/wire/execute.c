/* execute.c - the executor: a plan's steps over hn_isend() and hn_recv(), or hn_irecv() where it
 * must not wait.
 *
 * Happy path of a step: SEND hands the blocks to hn_isend() where they lie (or a packed copy, when
 * they are scattered) and goes on; RECV takes the message to where its blocks lie; FOLD takes it to
 * a spare buffer and combines. At the end all sends are waited for.
 *
 * A send may still be under way when a later step changes one of its blocks (ring and doubling do
 * that). Such sends are "fragile": they are known from a look at the list beforehand, and are
 * waited for before the change. That wait ends, because a send is done as soon as the receiver's
 * library has it, whatever the receiver itself waits for.
 *
 * An executor that does not wait is left in the middle of a step, and begins it again: what the
 * step has done already (the receive that is posted, the message that is in the spare buffer) it
 * finds in the executor.
 *
 * Failures: the first failing message ends the operation; nothing is posted ahead, so no receive
 * stays behind.
 */
#include "execute.h"

#include "compress.h"

#include "trace.h"
#include "waits.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *address(const struct executor *e, int block)
{
    const struct plan_block *b = &e->x->plan->blocks[block];
    size_t part = (size_t)b->part;
    if (e->x->places)
        return e->x->places[part] + b->offset;
    size_t base = e->x->displs ? e->x->displs[part] * e->element : e->x->stride * part;
    return e->x->data + base + b->offset;
}

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

/* Whether the blocks of a step lie one behind the other in memory. */
static bool in_one_piece(const struct executor *e, const struct plan_step *step)
{
    for (int i = 1; i < step->count; i++) {
        int before = block_at(e, step, i - 1);
        if (address(e, block_at(e, step, i)) != address(e, before) + block_bytes(e, before))
            return false;
    }
    return true;
}

/* Copies between the blocks of a step and one run of bytes. */
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

/* A buffer that lives until the next call. */
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

/* ---- sending -----------------------------------------------------------------------------------
 */

static bool is_fragile(const struct executor *e, const struct plan_step *step)
{
    int32_t at = (int32_t)(step - e->x->plan->steps);
    for (int i = 0; i < step->count; i++)
        if (e->changed[block_at(e, step, i)] > at)
            return true;
    return false;
}

/* Posts a message as it is, or deflated. */
static int post_send(const struct executor *e, struct sending *s, void *data, size_t bytes)
{
    const struct execution *x = e->x;
    hn_tid to = x->tids[s->step->peer];
    size_t length;
    uint8_t *small = compress_message(x->type == HN_PACKED ? NULL : x->compress, x->model, x->rank,
                                      s->step->peer, data, bytes, &length);
    if (!small)
        return hn_isend(to, x->tag, data, bytes / e->element, x->type, &s->request);
    free(s->packed);
    s->packed = small;
    s->fragile = false;
    return hn_isend(to, x->tag, small, length, HN_PACKED, &s->request);
}

static int do_send(struct executor *e, const struct plan_step *step)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    struct sending *s = &e->sendings[e->sending_count];
    *s = (struct sending){.step = step};
    void *data = step->count ? address(e, block_at(e, step, 0)) : NULL;
    if (!in_one_piece(e, step)) {
        data = s->packed = malloc(bytes + 1);
        if (!data)
            return HN_ENOMEM;
        pack(e, step, data, false);
    } else {
        s->fragile = is_fragile(e, step);
    }
    int error = post_send(e, s, data, bytes);
    if (error) {
        free(s->packed);
        return error;
    }
    e->sending_count++;
    return HN_OK;
}

/* Sees to it that a message is done. */
static int await(struct executor *e, hn_request *request)
{
    if (e->waits || request_settled(request))
        return HN_OK;
    e->awaits = request;
    return EXECUTOR_WAITS;
}

static int end_send(struct executor *e, struct sending *s)
{
    int error = s->request ? await(e, s->request) : HN_OK;
    if (error)
        return error;
    if (s->request)
        error = hn_wait(s->request, NULL);
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
        if (!s->fragile && i == e->fragile_from)
            e->fragile_from++;
    }
    return error;
}

/* ---- receiving ---------------------------------------------------------------------------------
 */

/* One message, as hn_recv(); in pieces when the executor does not wait. */
static int receive(struct executor *e, hn_tid from, void *data, size_t count, hn_type type,
                   hn_info *info)
{
    int error = HN_OK;
    if (e->waits)
        return hn_recv(from, e->x->tag, data, count, type, info);
    if (!e->message)
        error = hn_irecv(from, e->x->tag, data, count, type, &e->message);
    if (!error)
        error = await(e, e->message);
    if (error)
        return error;
    error = hn_wait(e->message, info);
    e->message = NULL;
    return error;
}

/* A message that has come is deflated: it is still there, or (bytes) stands in data already. */
static int note_deflated(struct executor *e, const hn_info *info, const void *data, size_t bytes,
                         bool taken)
{
    if (info->count > bytes)
        return HN_EPROTO;
    e->deflated = malloc(info->count + 1);
    if (!e->deflated)
        return HN_ENOMEM;
    e->deflated_length = info->count;
    e->deflated_taken = taken;
    if (taken)
        memcpy(e->deflated, data, info->count);
    return HN_OK;
}

/* The message of a step, to where it is wanted. */
static int take(struct executor *e, const struct plan_step *step, void *data, size_t bytes)
{
    hn_tid from = e->x->tids[step->peer];
    hn_info info = {0};
    int error = HN_OK;
    if (!e->deflated) {
        error = receive(e, from, data, bytes / e->element, e->x->type, &info);
        if (!compress_is_deflated(&info, e->x->type) || (error && error != HN_ETYPE))
            return error;
        error = note_deflated(e, &info, data, bytes, !error);
    }
    if (!error && !e->deflated_taken)
        error = receive(e, from, e->deflated, e->deflated_length, HN_PACKED, NULL);
    if (!error)
        error = compress_inflate(e->deflated, e->deflated_length, data, bytes, e->x->type);
    if (error == EXECUTOR_WAITS)
        return error;
    free(e->deflated);
    e->deflated = NULL;
    return error;
}

static int do_recv(struct executor *e, const struct plan_step *step)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    int error = e->message ? HN_OK : before_change(e, step);
    if (error)
        return error;
    if (in_one_piece(e, step)) {
        void *data = step->count ? address(e, block_at(e, step, 0)) : NULL;
        return take(e, step, data, bytes);
    }
    uint8_t *buffer = spare(e, bytes + 1);
    if (!buffer)
        return HN_ENOMEM;
    error = take(e, step, buffer, bytes);
    if (!error)
        pack(e, step, buffer, true);
    return error;
}

static int do_fold(struct executor *e, const struct plan_step *step)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    uint8_t *buffer = spare(e, bytes + 1);
    if (!buffer)
        return HN_ENOMEM;
    int error = e->received ? HN_OK : take(e, step, buffer, bytes);
    e->received = !error;
    if (!error)
        error = before_change(e, step);
    e->received &= error == EXECUTOR_WAITS;
    for (int i = 0; i < step->count && !error && e->x->fold; i++) {
        int block = block_at(e, step, i);
        size_t size = block_bytes(e, block);
        fold_apply(e->x->fold, address(e, block), buffer, size / e->element,
                   step->kind == PLAN_FOLD_LEFT);
        buffer += size;
    }
    return error;
}

/* ---- all steps ---------------------------------------------------------------------------------
 */

/* Gives the parts that pass through a place, in the order in which they come, so that those which
 * travel together lie together. */
static bool place_passing(struct executor *e)
{
    const struct plan *plan = e->x->plan;
    uint8_t **places = e->x->places, mark;
    int32_t *parts = malloc(((size_t)plan->block_count + 1) * sizeof *parts);
    size_t total = 0, count = 0;
    for (int32_t at = plan->first[e->x->rank]; parts && at < plan->first[e->x->rank + 1]; at++)
        for (int i = 0; i < plan->steps[at].count; i++) {
            int32_t part = plan->blocks[block_at(e, &plan->steps[at], i)].part;
            if (!places[part]) {
                places[part] = &mark;
                parts[count++] = part;
                total += part_bytes(plan, part);
            }
        }
    e->passing = parts ? malloc(total + 1) : NULL;
    uint8_t *next = e->passing;
    for (size_t i = 0; i < count && next; i++) {
        places[parts[i]] = next;
        next += part_bytes(plan, parts[i]);
    }
    free(parts);
    return e->passing;
}

int executor_begin(struct executor *e, const struct execution *execution)
{
    const struct plan *plan = execution->plan;
    int32_t first = plan->first[execution->rank], end = plan->first[execution->rank + 1];
    *e = (struct executor){.x = execution, .at = first};
    e->element = hn_type_size(e->x->type);
    e->sendings = calloc((size_t)(end - first) + 1, sizeof *e->sendings);
    e->changed = calloc((size_t)plan->block_count + 1, sizeof *e->changed);
    if (!e->sendings || !e->changed)
        return HN_ENOMEM;
    if (e->x->places && !place_passing(e))
        return HN_ENOMEM;
    for (int32_t at = first; at < end; at++)
        for (int i = 0; plan->steps[at].kind != PLAN_SEND && i < plan->steps[at].count; i++)
            e->changed[block_at(e, &plan->steps[at], i)] = at;
    return HN_OK;
}

static int run(struct executor *e)
{
    const struct plan *plan = e->x->plan;
    int error = HN_OK;
    int32_t first = plan->first[e->x->rank], end = plan->first[e->x->rank + 1];
    while (e->at < end && !error) {
        wait_reason()->step = (unsigned)(e->at - first);
        const struct plan_step *step = &plan->steps[e->at];
        trace_step(e->at - first);
        if (step->kind == PLAN_SEND)
            error = do_send(e, step);
        else if (step->kind == PLAN_RECV)
            error = do_recv(e, step);
        else
            error = do_fold(e, step);
        e->at += error != EXECUTOR_WAITS;
    }
    return error;
}

int executor_go_on(struct executor *e)
{
    int error = e->error ? HN_OK : run(e);
    if (error == EXECUTOR_WAITS)
        return error;
    e->error = e->error ? e->error : error;
    /* After an error, too: a send ends when its receiver has the message, or has ended. */
    for (; e->ended < e->sending_count; e->ended++) {
        int failed = end_send(e, &e->sendings[e->ended]);
        if (failed == EXECUTOR_WAITS)
            return failed;
        e->error = e->error ? e->error : failed;
    }
    return e->error;
}

void executor_rewind(struct executor *e)
{
    e->at = e->x->plan->first[e->x->rank];
    e->sending_count = e->fragile_from = e->ended = 0;
    e->error = HN_OK;
}

void executor_free(struct executor *e)
{
    free(e->message);
    for (size_t i = e->ended; i < e->sending_count; i++) { /* of a task that has left its job */
        free(e->sendings[i].request);
        free(e->sendings[i].packed);
    }
    free(e->sendings);
    free(e->changed);
    free(e->spare);
    free(e->passing);
    free(e->deflated);
}

int plan_execute(const struct execution *execution)
{
    struct executor e;
    int error = executor_begin(&e, execution);
    e.waits = true;
    if (!error)
        error = executor_go_on(&e);
    executor_free(&e);
    return error;
}
