/* execute.c - the executor: a plan's steps over hn_isend() and hn_recv().
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
 * Failures: the first failing message ends the operation; nothing is posted ahead, so no receive
 * stays behind.
 */
#include "execute.h"

#include "trace.h"
#include "waits.h"

#include <stdlib.h>
#include <string.h>

struct sending {
    hn_request *request;
    const struct plan_step *step;
    void *packed;
    bool fragile;
};

struct executor {
    const struct execution *x;
    size_t element;
    int32_t *changed; /* [block] last step that changes it; 0: none */
    struct sending *sendings;
    size_t sending_count;
    size_t fragile_from; /* all fragile sends that are not done stand from here on */
    uint8_t *spare;
    size_t spare_size;
    uint8_t *passing; /* parts that pass through */
};

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
    int error = hn_isend(e->x->tids[step->peer], e->x->tag, data, bytes / e->element, e->x->type,
                         &s->request);
    if (error) {
        free(s->packed);
        return error;
    }
    e->sending_count++;
    return HN_OK;
}

static int end_send(struct sending *s)
{
    int error = HN_OK;
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
            error = end_send(s);
            s->fragile = false;
        }
        if (!s->fragile && i == e->fragile_from)
            e->fragile_from++;
    }
    return error;
}

/* ---- receiving ---------------------------------------------------------------------------------
 */

static int do_recv(struct executor *e, const struct plan_step *step)
{
    size_t bytes = (size_t)plan_step_bytes(e->x->plan, step);
    hn_tid from = e->x->tids[step->peer];
    int error = before_change(e, step);
    if (error)
        return error;
    if (in_one_piece(e, step)) {
        void *data = step->count ? address(e, block_at(e, step, 0)) : NULL;
        return hn_recv(from, e->x->tag, data, bytes / e->element, e->x->type, NULL);
    }
    uint8_t *buffer = spare(e, bytes + 1);
    if (!buffer)
        return HN_ENOMEM;
    error = hn_recv(from, e->x->tag, buffer, bytes / e->element, e->x->type, NULL);
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
    int error =
        hn_recv(e->x->tids[step->peer], e->x->tag, buffer, bytes / e->element, e->x->type, NULL);
    if (!error)
        error = before_change(e, step);
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

static bool prepare(struct executor *e)
{
    const struct plan *plan = e->x->plan;
    int32_t first = plan->first[e->x->rank], end = plan->first[e->x->rank + 1];
    e->element = hn_type_size(e->x->type);
    e->sendings = calloc((size_t)(end - first) + 1, sizeof *e->sendings);
    e->changed = calloc((size_t)plan->block_count + 1, sizeof *e->changed);
    if (!e->sendings || !e->changed)
        return false;
    if (e->x->places && !place_passing(e))
        return false;
    for (int32_t at = first; at < end; at++)
        for (int i = 0; plan->steps[at].kind != PLAN_SEND && i < plan->steps[at].count; i++)
            e->changed[block_at(e, &plan->steps[at], i)] = at;
    return true;
}

static int run(struct executor *e)
{
    const struct plan *plan = e->x->plan;
    int error = HN_OK;
    int32_t first = plan->first[e->x->rank];
    for (int32_t at = first; at < plan->first[e->x->rank + 1] && !error; at++) {
        wait_reason()->step = (unsigned)(at - first);
        const struct plan_step *step = &plan->steps[at];
        trace_step(at - first);
        if (step->kind == PLAN_SEND)
            error = do_send(e, step);
        else if (step->kind == PLAN_RECV)
            error = do_recv(e, step);
        else
            error = do_fold(e, step);
    }
    return error;
}

int plan_execute(const struct execution *execution)
{
    struct executor e = {.x = execution};
    int error = prepare(&e) ? run(&e) : HN_ENOMEM;
    /* After an error, too: a send ends when its receiver has the message, or has ended. */
    for (size_t i = 0; i < e.sending_count; i++) {
        int failed = end_send(&e.sendings[i]);
        error = error ? error : failed;
    }
    free(e.sendings);
    free(e.changed);
    free(e.spare);
    free(e.passing);
    return error;
}
