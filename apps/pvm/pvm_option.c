/* pvm_option.c - options of the library, and exported environment variables.
 *
 * PvmAutoErr, PvmShowTids, PvmOutputTid and PvmOutputCode take effect; the other options are
 * only stored. A program that reads them back finds what it has set.
 *
 * The calls need no task, so a program may set options before it enrols.
 */
#include "vm.h"
#include "export_list.h"

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

/* The numbers from PvmRoute to PvmNoReset are dense. */
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

    /* PvmNotImpl, as PVM returns it on other machines. */
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

/* PvmBadParam: no such option, or one of polling. */
int pvm_getopt(int what)
{
    return VM_OWN(exists(what) ? options[what] : PvmBadParam);
}

/* ---- exported variables -------------------------------------------------------------------- */

/* An empty name changes nothing. */
static int edit(const char *name, bool in)
{
    if (!name)
        return PvmBadParam;
    return !*name || export_list_edit(name, in) ? PvmOk : PvmNoMem;
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
