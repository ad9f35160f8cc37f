/* pvm_handler.c - message handlers: pvm_addmhf(), pvm_delmhf().
 *
 * A handler of hnow belongs to one context.  A PVM handler for all contexts (-1) becomes one
 * handler of hnow for each context that the task knows, including later ones.  While a handler
 * runs, the message is the current receive buffer, and there is no send buffer; the program's
 * current buffers are restored when it returns.
 *
 * Handlers run under the library's lock, so one at a time. A call that waits releases the lock;
 * then they run. A handler may call the library, because the lock is recursive.
 */
#include "vm.h"

#include <stdlib.h>

/* A handler of the program. id is its number; from, tag, context: -1 is any. */
struct mhf {
    int id;
    int from, tag, context;
    int (*function)(int buffer);
    int *hnows; /* handlers of hnow */
    int n;
    struct mhf *next;
};

/* Newest first. */
static struct mhf *handlers;
static int last_id = -1;

/* The function's result has no meaning. It may free the message, or its own handler. */
static void call(const struct mhf *h, int id)
{
    const struct vm_buffer *message = vm_buffer(id);
    int send = vm_set_send(0), receive = vm_set_receive(id);

    /* `h` must not be used from here on: the function may have removed its handler. */
    h->function(id);
    /* The function may have freed the buffer, and its number may be in use again. */
    if (vm_buffer(id) == message)
        vm_buffer_free(id);
    /* A buffer that the function has freed is not current afterwards. */
    vm_set_send(vm_buffer(send) ? send : 0);
    vm_set_receive(vm_buffer(receive) ? receive : 0);
}

/* hnow calls it in a thread that waits in VM_WAIT(), or that already holds the lock. Without memory
 * the message is lost. */
static void on_message(const hn_info *info, hn_buffer *message, void *data)
{
    vm_lock();
    int id = vm_buffer_new(PvmDataDefault, message);
    /* NULL also for a negative number, which is an error. */
    struct vm_buffer *buffer = vm_buffer(id);
    if (buffer) {
        buffer->from = info->from;
        buffer->tag = info->tag;
        /* The function sees the contents that a receive would give. */
        vm_notification_convert(buffer, info);
        call(data, id);
    }
    vm_unlock();
}

/* -1 matches anything. */
static bool meet(int one, int other)
{
    return one == other || one == HN_ANY || other == HN_ANY;
}

/* As in PVM, no message has two handlers. */
static bool is_taken(int from, int tag, int context)
{
    /* Two patterns overlap if they meet in all three numbers. */
    for (const struct mhf *h = handlers; h; h = h->next)
        if (meet(h->from, from) && meet(h->tag, tag) && meet(h->context, context))
            return true;
    return false;
}

/* The link to a handler, so that it can be taken out; to NULL: there is none. */
static struct mhf **place_of(int id)
{
    struct mhf **at = &handlers;

    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

/* Records a handler of hnow, which must be removed with this one. */
static int own(struct mhf *h, int hnows)
{
    /* One for each context, of which a program has few. */
    int *more = realloc(h->hnows, sizeof *more * (size_t)(h->n + 1));

    if (!more)
        return PvmNoMem;
    h->hnows = more;
    more[h->n++] = hnows;
    return PvmOk;
}

/* Adds a handler of hnow for a context.  It may be called at once for messages that have arrived,
 * and may remove itself. */
static int extend(struct mhf *h, int context)
{
    int id = h->id, hnows, result;
    hn_context before = hn_set_context(vm_context_of(context));

    /* In the context in which it is to receive. */
    hnows = hn_handler_add(h->from, h->tag, on_message, h);
    hn_set_context(before);
    if (hnows < 0)
        return vm_result(hnows);
    result = *place_of(id) ? own(h, hnows) : PvmOk;
    /* The handler has removed itself, or there is no memory. */
    if (result != PvmOk || !*place_of(id))
        hn_handler_remove(hnows);
    return result;
}

/* Adds this context to the handlers for all contexts. Numbers, not links, because a handler may add
 * and remove others. */
static int widen(int context)
{
    int result = PvmOk;

    for (int id = 0; id <= last_id && result == PvmOk; id++) {
        /* Removed handlers leave gaps in the numbers. */
        struct mhf *h = *place_of(id);
        if (h && h->context == HN_ANY)
            result = extend(h, context);
    }
    return result;
}

/* Stops at the first error. */
static int extend_all(struct mhf *h)
{
    int n, known, result = PvmOk;

    vm_contexts(&n);
    /* A function of the program may add contexts meanwhile, which moves the list; widen() covers
     * them. */
    for (int i = 0; i < n && result == PvmOk; i++)
        result = extend(h, vm_contexts(&known)[i]);
    return result;
}

/* Messages that arrive later are for receives again. */
static void drop(struct mhf *h)
{
    for (int i = 0; i < h->n; i++)
        hn_handler_remove(h->hnows[i]);
    free(h->hnows);
    free(h);
}

/* PvmNotFound: there is no such handler. */
static int take_away(int id)
{
    /* A negative number can never be one, which PVM reports in another way. */
    struct mhf **at = place_of(id), *h = *at;

    if (id < 0)
        return PvmBadParam;
    if (!h)
        return PvmNotFound;
    *at = h->next;
    drop(h);
    return PvmOk;
}

/* Called by pvm_exit(), so a process that enrols again has no handlers. */
void vm_drop_handlers(void)
{
    while (handlers)
        take_away(handlers->id);
}

/* Serves messages in order of arrival: first those in the list, then those in hnow.  The handler's
 * number is not known yet, so it cannot be removed meanwhile. */
static int begin(struct mhf *h)
{
    int id = h->id, kept, result;

    int context = h->context == HN_ANY ? VM_ANY_CONTEXT : h->context;

    /* These arrived before any that hnow still has. */
    while ((kept = vm_kept(h->from, h->tag, context)) > 0)
        call(h, kept);
    result = h->context == HN_ANY ? extend_all(h) : extend(h, h->context);
    if (result == PvmOk)
        return id;
    take_away(id);
    return result;
}

/* Numbers are never reused. */
static int add(int from, int tag, int context, int (*function)(int))
{
    struct mhf *h;
    int n;

    if (!vm_names_source(from, tag) || context < HN_ANY || !function)
        return PvmBadParam;
    /* Patterns are compared, not messages, so a conflict is found before the first message. */
    if (is_taken(from, tag, context))
        return PvmExists;
    vm_contexts_watch(widen);
    vm_contexts(&n); /* the current context is recorded before the handler exists, so it is added
                        only once */
    h = n > 0 ? malloc(sizeof *h) : NULL;
    if (!h)
        return PvmNoMem;
    *h = (struct mhf){.id = ++last_id,
                      .from = from,
                      .tag = tag,
                      .context = context,
                      .function = function,
                      .next = handlers};
    handlers = h;
    return begin(h);
}

/* Returns the handler's number. Handlers run while the task is in a call of the library. */
int pvm_addmhf(int tid, int tag, int context, int (*function)(int buffer))
{
    return VM_CALL(add(tid, tag, context, function));
}

/* A handler may remove itself while it runs. */
int pvm_delmhf(int handler)
{
    return VM_CALL(take_away(handler));
}

/* For debugging: prints all handlers to stdout. PVM's library has it, but no header declares it. */
void pvmdisplaymhfinfo(char *who, char *why, int tid)
{
    printf("%s: t%x: %s\n", who, (unsigned)tid, why);
    for (const struct mhf *h = handlers; h; h = h->next)
        printf("  handler %d: from %x, tag %d, context %d\n", h->id, (unsigned)h->from, h->tag,
               h->context);
}
