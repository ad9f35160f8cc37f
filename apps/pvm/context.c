/* context.c - contexts: pvm_newcontext() and its kin.
 *
 * A context is hnow's, but for the small numbers that a program may choose: hnow keeps those below
 * 0x10000 for itself, so that they are moved, all but 0, to the end of those for programs.
 */
#include "vm.h"

enum { HNOWS = 0x10000, MOVED = 0x3fff0000, PROGRAMS_END = 0x40000000 };

hn_context vm_context_of(int context)
{
    return (hn_context)(context > 0 && context < HNOWS ? context + MOVED : context);
}

int vm_context(void)
{
    hn_context context = hn_set_context(0);

    hn_set_context(context);
    return (int)(context > MOVED && context < PROGRAMS_END ? context - MOVED : context);
}

static int new_context(void)
{
    hn_context context;
    int result = vm_result(hn_context_new(&context));

    return result == PvmOk ? (int)context : result;
}

static int set_context(int context)
{
    int before = vm_context();

    if (context < 0)
        return PvmBadParam;
    hn_set_context(vm_context_of(context));
    return before;
}

int pvm_newcontext(void)
{
    return VM_CALL(new_context());
}

int pvm_setcontext(int context)
{
    return VM_CALL(set_context(context));
}

int pvm_getcontext(void)
{
    return VM_CALL(vm_context());
}

/* No context is given twice, so that none needs to be given back. */
int pvm_freecontext(int context)
{
    return VM_CALL(context < 0 ? PvmBadParam : PvmOk);
}
