/* handler.c - functions of the program that are called for messages: pvm_addmhf(), pvm_delmhf().
 *
 * They are hnow's handlers, which belong to one context; a context of -1 is the current one.  While
 * one runs, the message is the current receive buffer and there is no send buffer; those of the
 * program come back when it returns.
 */
#include "vm.h"

#include <stdlib.h>

struct mhf {
    int id; /* of hnow */
    int from, tag, context;
    int (*function)(int buffer);
    struct mhf *next;
};

static struct mhf *handlers;

static void call(const struct mhf *h, int id)
{
    const struct vm_buffer *message = vm_buffer(id);
    int send = vm_set_send(0), receive = vm_set_receive(id);

    h->function(id);
    if (vm_buffer(id) == message)
        vm_buffer_free(id);
    vm_set_send(vm_buffer(send) ? send : 0);
    vm_set_receive(vm_buffer(receive) ? receive : 0);
}

static void on_message(const hn_info *info, hn_buffer *message, void *data)
{
    int id = vm_buffer_new(PvmDataDefault, message);
    struct vm_buffer *buffer = vm_buffer(id);

    if (!buffer)
        return;
    buffer->from = info->from;
    buffer->tag = info->tag;
    vm_notice_convert(buffer, info);
    call(data, id);
}

static void on_kept(int id, void *data)
{
    call(data, id);
}

static struct mhf *find(int from, int tag, int context)
{
    for (struct mhf *h = handlers; h; h = h->next)
        if (h->from == from && h->tag == tag && h->context == context)
            return h;
    return NULL;
}

/* hnow's handlers are added in the context of the thread. */
static int add_to_hnow(struct mhf *h)
{
    hn_context before = hn_set_context(vm_context_of(h->context));

    h->id = hn_handler_add(h->from, h->tag, on_message, h);
    hn_set_context(before);
    return vm_result(h->id);
}

static int add(int from, int tag, int context, int (*function)(int))
{
    struct mhf *h;

    if (context == -1)
        context = vm_context();
    if (!vm_names_source(from, tag) || context < 0 || !function)
        return PvmBadParam;
    if (find(from, tag, context))
        return PvmExists;
    h = malloc(sizeof *h);
    if (!h)
        return PvmNoMem;
    *h = (struct mhf){
        .from = from, .tag = tag, .context = context, .function = function, .next = handlers};
    if (add_to_hnow(h) < 0) {
        free(h);
        return PvmSysErr;
    }
    handlers = h;
    vm_kept_each(from, tag, context, on_kept, h);
    return h->id;
}

static int take_away(int id)
{
    if (id < 0)
        return PvmBadParam;
    for (struct mhf **at = &handlers; *at; at = &(*at)->next) {
        struct mhf *h = *at;
        if (h->id != id)
            continue;
        hn_handler_remove(id);
        *at = h->next;
        free(h);
        return PvmOk;
    }
    return PvmNotFound;
}

int pvm_addmhf(int tid, int tag, int context, int (*function)(int buffer))
{
    return VM_CALL(add(tid, tag, context, function));
}

int pvm_delmhf(int handler)
{
    return VM_CALL(take_away(handler));
}

void pvmdisplaymhfinfo(char *who, char *why, int tid)
{
    printf("%s: t%x: %s\n", who, (unsigned)tid, why);
    for (const struct mhf *h = handlers; h; h = h->next)
        printf("  handler %d: from %x, tag %d, context %d\n", h->id, (unsigned)h->from, h->tag,
               h->context);
}
