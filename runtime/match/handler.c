/* handler.c - calls the program's handlers of messages (rules: handler.h).
 *
 * Handlers run one at a time, within calls of the program, before these wait or return.  The lock
 * is released meanwhile, so a handler may call any function.  Messages for handlers stay in the
 * matcher meanwhile.  They are passed on in the order of their arrival.
 */
#include "match/handler.h"

#include "match/buffer.h"
#include "base/error.h"
#include "job/task.h"
#include "job/tid_check.h"
#include "job/trace.h"

#include <stdlib.h>

/* ---- calling ------------------------------------------------------------------------------ */

/* Converts a message to a buffer: the packed data, or its elements as one piece. */
static int open_message(const struct inbound *in, hn_buffer **message)
{
    *message = hn_buffer_new();
    if (!*message)
        return HN_ENOMEM;
    if (in->info.type == HN_PACKED)
        return buffer_set(*message, in->data, in->total);
    return buffer_set_piece(*message, in->data, in->info.count, in->info.type, in->big_endian);
}

/* Runs the handler.  Releases the lock meanwhile.  The message is dropped from the matcher before,
 * so `in` is invalid from then on; `message` has a copy of its data. */
static void call(struct task *t, const struct inbound *in, hn_buffer *message)
{
    const struct handler *h = (const struct handler *)in->handler;
    hn_handler *function = h->function; /* the function may remove its own handler */
    void *data = h->data;
    hn_info info = in->info;
    uint64_t begun = trace_begin(t), number = in->number;
    hn_context before = hn_set_context(in->context);

    match_drop(&t->match, (struct inbound *)in);
    peer_resume(t);
    t->handlers.handling = true;
    t->handlers.asked_before = t->handlers.asked;
    engine_step_out(&t->engine);
    function(&info, message, data);
    trace_message(t, begun, TRACE_HANDLER, info.from, &info, number);
    engine_enter(&t->engine);
    t->handlers.handling = false;
    peer_resume(t);
    hn_set_context(before);
}

/* Malformed messages are dropped.  Without memory, the rest is tried again later. */
static bool serve(void *arg)
{
    struct task *t = arg;
    struct inbound *in;
    bool any = false;

    /* The lock was released in call(), so everything is looked up again. */
    while (!t->handlers.handling && !t->quitting && (in = match_first_handled(&t->match))) {
        hn_buffer *message;
        int result = open_message(in, &message);

        if (result == HN_OK)
            call(t, in, message);
        else if (result != HN_ENOMEM)
            match_drop(&t->match, in);
        hn_buffer_free(message);
        if (result == HN_ENOMEM)
            break;
        any = true;
    }
    return any;
}

/* ---- adding and removing ------------------------------------------------------------------ */

/* The engine's hook is set with the first handler, so programs without one pay nothing.  Ids count
 * up and are never reused. */
int hn_handler_add(hn_tid from, int tag, hn_handler *function, void *data)
{
    struct task *t = task_get();
    struct handler *h;
    int id, result;

    if (!t)
        return HN_ESTATE;
    if (!function || (tag < 0 && tag != HN_ANY))
        return error_set(HN_EARG, "no function, or no such tag");
    if (from != HN_ANY && (result = tids_source(t, from)) != HN_OK)
        return result;
    h = calloc(1, sizeof *h);
    if (!h)
        return error_set(HN_ENOMEM, "out of memory");
    h->function = function;
    h->data = data;
    h->wants.from = from;
    h->wants.tag = tag;
    /* There is no call that only reads the thread's context, so it is exchanged and restored. */
    h->wants.context = hn_set_context(0);
    hn_set_context(h->wants.context);
    engine_enter(&t->engine);
    id = h->id = t->handlers.handler_count++;
    t->engine.hooks.serve = serve;
    t->engine.hooks.serve_arg = t;
    match_add_handler(&t->match, &h->wants);
    engine_leave(&t->engine, false);
    return id;
}

/* Handlers that only drop messages (failure.c) cannot be removed by the program. */
static struct handler *find(struct task *t, int id)
{
    list_for_each (n, &t->match.handlers) {
        struct handler *h = (struct handler *)list_entry(n, struct match_handler, node);
        if (h->id == id && !h->wants.drops)
            return h;
    }
    return NULL;
}

/* A function that is running continues to its end.  Its struct is freed here, which is why call()
 * has copied what it needs. */
int hn_handler_remove(int handler)
{
    struct task *t = task_get();

    if (!t)
        return HN_ESTATE;
    engine_enter(&t->engine);
    struct handler *h = find(t, handler);
    if (h)
        match_remove_handler(&t->match, &h->wants);
    engine_leave(&t->engine, false);
    if (!h)
        return error_set(HN_EARG, "there is no handler %d", handler);
    free(h);
    return HN_OK;
}

void handlers_clear(struct task *t)
{
    list_for_each_safe (n, &t->match.handlers) {
        struct match_handler *h = list_entry(n, struct match_handler, node);
        list_remove(&h->node);
        free((struct handler *)h);
    }
}
