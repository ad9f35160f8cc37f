/* pvm_context.c - contexts: pvm_newcontext() and related calls.
 *
 * A context is that of hnow, except for small numbers that a program may choose. hnow reserves
 * numbers below 0x10000, so all of these but 0 are moved to the end of the range for programs.
 *
 * Contexts that the task has made or set are recorded, because handlers for all contexts apply to
 * them.  A task may free those that it has made.
 *
 * PVM's context is a property of the process. So pvm_setcontext() in one thread affects all
 * others, but only at their next call: one that waits in a receive keeps its context.
 */
#include "vm.h"

#include <stdlib.h>

/* seen: all that the task has made or set. made: those that it may free. */
static struct contexts {
    int *list;
    int n;
} seen, made;

int pvmmyctx;

/* Called for each context that is used for the first time (pvm_handler.c); NULL: nothing. */
static int (*on_new)(int context);

/* Cheap if the thread has it already. */
void vm_follow_context(void)
{
    if (vm_thread.followed != pvmmyctx)
        hn_set_context(vm_context_of(pvmmyctx));
    vm_thread.followed = pvmmyctx;
}

/* As the program chose it, without the shift. */
int vm_context(void)
{
    /* hnow has no query, but setting a context returns the previous one. */
    hn_context context = hn_set_context(0);

    hn_set_context(context);
    return (int)(context > VM_CONTEXTS_MOVED - VM_CONTEXTS_HNOWS && context < VM_CONTEXTS_END
                     ? context - VM_CONTEXTS_MOVED
                     : context);
}

/* One element more each time, since there are few. */
static int append(struct contexts *contexts, int context)
{
    int *more = realloc(contexts->list, sizeof *more * (size_t)(contexts->n + 1));

    if (!more)
        return PvmNoMem;
    contexts->list = more;
    more[contexts->n++] = context;
    return PvmOk;
}

/* Records a context if it is new.  Returns PvmOk or an error. Linear: programs have few
 * contexts. */
static int see(int context)
{
    for (int i = 0; i < seen.n; i++)
        if (seen.list[i] == context)
            return PvmOk;
    /* A handler for all contexts is extended now, before any message of the context is received. */
    if (append(&seen, context) != PvmOk)
        return PvmNoMem;
    return on_new ? on_new(context) : PvmOk;
}

/* The same function may be registered again. */
void vm_contexts_watch(int (*widen)(int context))
{
    on_new = widen;
}

/* The current context may have been set without a call, so it is recorded here. */
const int *vm_contexts(int *n)
{
    *n = see(vm_context()) == PvmOk ? seen.n : 0;
    return seen.list;
}

/* hnow's contexts are unique in the job. */
static int new_context(void)
{
    hn_context context;
    int result = vm_result(hn_context_new(&context));

    if (result == PvmOk)
        result = see((int)context);
    if (result == PvmOk)
        /* If this fails, the context exists, but cannot be freed. */
        result = append(&made, (int)context);
    return result == PvmOk ? (int)context : result;
}

/* The context need not have been made: any number may be set, such as one received in a message. */
static int set_context(int context)
{
    int before = vm_context();
    /* Smaller numbers would leave the range to which negative ones are moved. */
    int result = context <= -VM_CONTEXTS_HNOWS ? PvmBadParam : see(before);

    if (result == PvmOk)
        result = see(context);
    if (result != PvmOk)
        return result;
    /* Other threads adopt it at their next call. */
    pvmmyctx = context;
    vm_follow_context();
    return before;
}

/* The new context is not current. */
int pvm_newcontext(void)
{
    return VM_CALL(new_context());
}

/* For all threads; the others follow at their next call. */
int pvm_setcontext(int context)
{
    return VM_CALL(set_context(context));
}

/* That of the calling thread, after it has followed the program's. */
int pvm_getcontext(void)
{
    return VM_CALL(vm_context());
}

/* No context is assigned twice, so freeing only drops the task's ownership. */
static int free_context(int context)
{
    for (int i = 0; i < made.n; i++)
        if (made.list[i] == context) {
            /* The order does not matter. It stays in `seen`, as its messages may still arrive. */
            made.list[i] = made.list[--made.n];
            return PvmOk;
        }
    return PvmNotFound;
}

/* PvmNotFound: the caller has not made it. */
int pvm_freecontext(int context)
{
    return VM_CALL(free_context(context));
}
