/* trace_mask.c - pvm_settmask(), pvm_gettmask(): trace masks.
 *
 * hrun -trace records all calls, so a mask has no effect. It is still stored, and inherited in
 * PVM's environment variable, because programs read back what they have set.
 *
 * A process has one mask for itself, and one for its children.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* A mask is a text with four bits in each character, which starts as '@'. */
static struct {
    Pvmtmask self, child;
    bool read; /* from the environment */
} masks;

/* As TEV_MASK_INIT(). */
static void clear(Pvmtmask mask)
{
    memset(mask, '@', sizeof(Pvmtmask) - 1);
    mask[sizeof(Pvmtmask) - 1] = 0;
}

/* Copies a text; missing characters are clear. */
static void copy(Pvmtmask mask, const char *text)
{
    clear(mask);
    memcpy(mask, text, strnlen(text, sizeof(Pvmtmask) - 1));
}

/* At first both masks are that of the parent, or clear. */
static char *mask_of(int who)
{
    if (!masks.read) {
        /* Once per process: later changes of the variable have no effect. */
        const char *inherited = getenv(VM_ENV_TRACE_MASK);
        copy(masks.self, inherited ? inherited : "");
        copy(masks.child, masks.self);
        masks.read = true;
    }
    /* NULL: there is no such mask. */
    return who == PvmTaskSelf ? masks.self : who == PvmTaskChild ? masks.child : NULL;
}

const char *vm_child_trace_mask(void)
{
    return mask_of(PvmTaskChild);
}

/* The array has room for a whole mask. */
static int get(int who, char *mask)
{
    const char *from = mask_of(who);

    if (!from || !mask)
        return PvmBadParam;
    memcpy(mask, from, sizeof(Pvmtmask));
    return PvmOk;
}

/* A shorter text is allowed. */
static int set(int who, const char *mask)
{
    char *to = mask_of(who);

    if (!to || !mask)
        return PvmBadParam;
    copy(to, mask);
    return PvmOk;
}

/* mask is an array of the caller. */
int pvm_gettmask(int who, Pvmtmask mask)
{
    return VM_CALL(get(who, mask));
}

/* For PvmTaskChild, tasks that are spawned later inherit it. */
int pvm_settmask(int who, Pvmtmask mask)
{
    return VM_CALL(set(who, mask));
}
