/* pvm_option.c - options of the library, and exported environment variables.
 *
 * PvmAutoErr, PvmShowTids, PvmOutputTid and PvmOutputCode take effect; the other options are only
 * stored.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* Options that are not listed are 0. */
static int options[] = {
    [PvmRoute] = PvmAllowDirect, [PvmAutoErr] = 1, [PvmFragSize] = 4080,
    [PvmShowTids] = 1,           [PvmNoReset] = 0,
};

/* what must exist. */
int vm_option(int what)
{
    return options[what];
}

/* PvmPollType and PvmPollTime exist only in PVM for shared-memory machines. */
static bool is_for_polling(int what)
{
    return what == PvmPollType || what == PvmPollTime;
}

static bool exists(int what)
{
    return what >= PvmRoute && what <= PvmNoReset && !is_for_polling(what);
}

/* Limits of values, as in PVM. Output and traces can go to the caller only. */
static bool is_value(int what, int value)
{
    switch (what) {
    case PvmRoute:
        return value >= PvmDontRoute && value <= PvmRouteDirect;
    case PvmFragSize:
        return value >= 52 && value <= 1024 * 1024;
    case PvmTraceTid:
    case PvmOutputTid:
        return value == 0 || value == hn_mytid();
    case PvmTraceOptions:
    case PvmSelfTraceOptions:
        return value >= PvmTraceFull && value <= PvmTraceCount;
    default:
        return true;
    }
}

/* PvmBadParam: no such option, or no such value. The option is unchanged then. */
static int set(int what, int value)
{
    int before;

    if (is_for_polling(what))
        return PvmNotImpl;
    if (!exists(what) || !is_value(what, value))
        return PvmBadParam;
    before = options[what];
    options[what] = value;
    /* No change of children's output if both values are 0. */
    if ((what == PvmOutputTid || what == PvmOutputCode) && (before || value))
        vm_output_to(options[PvmOutputTid] != 0, options[PvmOutputCode]);
    return before;
}

/* Returns the previous value. An option affects the whole process. */
int pvm_setopt(int what, int value)
{
    return VM_OWN(set(what, value));
}

int pvm_getopt(int what)
{
    return VM_OWN(exists(what) ? options[what] : PvmBadParam);
}

/* ---- PVM_EXPORT, a colon-separated list of names ------------------------------------------ */

/* Returns the list without a name; NULL: out of memory. Drops empty names, too. */
static char *list_without(const char *list, const char *name)
{
    char *rest = malloc(strlen(list) + 1), *to = rest;
    size_t length = strlen(name);

    while (rest && *list) {
        size_t n = strcspn(list, ":");
        if (n > 0 && (n != length || strncmp(list, name, n))) {
            if (to > rest)
                *to++ = ':';
            memcpy(to, list, n);
            to += n;
        }
        list += n + (list[n] == ':');
    }
    if (rest)
        *to = 0;
    return rest;
}

/* Removes a name from the list, and appends it if `in`. A name that is there already moves to the
 * end. */
static int edit(const char *name, bool in)
{
    const char *list = getenv("PVM_EXPORT");
    char *rest, *whole;
    int result;

    if (!name)
        return PvmBadParam;
    if (!*name)
        return PvmOk;
    rest = list_without(list ? list : "", name);
    whole = rest ? malloc(strlen(rest) + strlen(name) + 2) : NULL;
    /* The name comes last. */
    if (whole)
        sprintf(whole, "%s%s%s", rest, *rest && in ? ":" : "", in ? name : "");
    result = whole && setenv("PVM_EXPORT", whole, 1) == 0 ? PvmOk : PvmNoMem;
    free(rest);
    free(whole);
    return result;
}

/* The variable need not be set yet: its value is read by pvm_spawn(). */
int pvm_export(char *name)
{
    return VM_OWN(edit(name, true));
}

/* A name that is not in the list is no error. */
int pvm_unexport(char *name)
{
    return VM_OWN(edit(name, false));
}
