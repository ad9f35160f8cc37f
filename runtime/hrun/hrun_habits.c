/* hrun_habits.c - options of mpiexec, mpirun and srun; see hrun_habits.h.
 *
 * Three kinds: options that hrun accepts without effect, with a note for -v, options with an
 * equivalent, and parameters of Open MPI.  An equivalent uses the function or the field of hrun's
 * own option.
 */
#include "hrun/hrun_habits.h"

#include "base/error.h"
#include "hnow.h"
#include "hrun/hrun_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- options without effect ----------------------------------------------------------------- */

/* hrun -v prints why. */
#define HAS_NO_EFFECT(why)                                                                         \
    .kind = OPTION_IS_NOTED, OPTION_MEMBER(hrun_options, habits.notes), .words = (why)
#define UNBOUND "tasks are not bound to cores"
#define BY_SLOT "ranks fill the slots of each host in turn"
#define PASSED  "hrun always passes its environment on"
#define QUIET   "hrun prints only what needs attention"

/* ---- options with an equivalent ------------------------------------------------------------- */

/* A copy with the lifetime of the options; NULL: out of memory. */
static const char *keep(struct hrun_options *options, const char *text)
{
    return hrun_texts_add(&options->habits.kept, strdup(text));
}

/* -pernode, -bynode and -1: one task on each host in turn. */
static int one_a_host(void *to, const char *value)
{
    (void)value;
    return hrun_take_ppn(to, "1");
}

/* Without regard to case, as Open MPI compares these words. */
static bool is_word(const char *text, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && strncasecmp(text, *words, length) == 0)
            return true;
    return false;
}

/* value: OBJECT[:MODIFIER...], or ppr:N:node. Modifiers of an object are ignored. Objects within a
 * host need no mapping, as tasks are not bound. */
static int map_by(void *to, const char *value)
{
    static const char *const nodes[] = {"node", "host", NULL};
    static const char *const parts[] = {"slot",    "core",    "socket",  "package", "numa",
                                        "l1cache", "l2cache", "l3cache", "board",   "hwthread",
                                        "none",    "machine", "default", NULL};
    size_t length = strcspn(value, ":");
    char number[12] = "";
    if (is_word(value, length, nodes))
        return hrun_take_ppn(to, "1");
    if (is_word(value, length, parts))
        return options_note(&((struct hrun_options *)to)->habits.notes, "map-by", value, BY_SLOT);
    if (strncasecmp(value, "ppr:", 4) == 0) {
        const char *count = value + 4;
        size_t digits = strcspn(count, ":"), rest = digits + (count[digits] != 0);
        if (digits < sizeof number && is_word(count + rest, strcspn(count + rest, ":"), nodes)) {
            /* number[] was cleared, so the text ends with a 0. */
            memcpy(number, count, digits);
            return hrun_take_ppn(to, number);
        }
    }
    return error_set(
        HN_EARG,
        "-map-by %s: hrun places tasks by slot, by node or by ppr:N:node; -map h1,h2*3 "
        "names the host of each rank",
        value);
}

/* Open MPI's words for none; any other word selects recovery from failures. */
static int fault_tolerance(void *to, const char *value)
{
    static const char *const none[] = {"no", "false", "none", "off", "0", NULL};
    ((struct hrun_options *)to)->notify = !is_word(value, strlen(value), none);
    return HN_OK;
}

/* ---- parameters of Open MPI ----------------------------------------------------------------- */

/* The parameters that change where a job runs or which network it uses.  All others are only
 * noted. */
static const struct option_row parameters[] = {
    {"plm_rsh_agent", "CMD", "", OPTION_TEXT(hrun_options, launcher)},
    {"btl_tcp_if_include", "CIDR", "", OPTION_TEXT(hrun_options, iface)},
    {"oob_tcp_if_include", "CIDR", "", OPTION_TEXT(hrun_options, iface)},
    {"orte_default_hostfile", "FILE", "", hrun_take_hostfile},
    {"prte_default_hostfile", "FILE", "", hrun_take_hostfile},
};

/* value: NAME=VALUE. */
static int parameter(void *to, const char *value)
{
    size_t length = strcspn(value, "=");
    const char *text = value[length] ? value + length + 1 : "";
    /* The value is copied below, since that of a pair is freed after this function. */
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const struct option_row *p = &parameters[i];
        if (strlen(p->name) != length || strncmp(p->name, value, length) != 0)
            continue;
        text = keep(to, text);
        return text ? options_store(p, to, text) : error_set(HN_ENOMEM, "out of memory");
    }
    return options_note(&((struct hrun_options *)to)->habits.notes, "mca", value,
                        "it is a parameter of Open MPI");
}

/* ---- the table ------------------------------------------------------------------------------ */

/* `help` is the name of hrun's own option, or empty; the help text does not list these rows. */
const struct option_row hrun_habits[HRUN_HABITS] = {
    {"1", NULL, "ppn", one_a_host},
    {"allow-run-as-root", NULL, "", HAS_NO_EFFECT("hrun runs for every user")},
    {"bind-to", "X", "", HAS_NO_EFFECT(UNBOUND)},
    {"bind-to-core", NULL, "", HAS_NO_EFFECT(UNBOUND)},
    {"bind-to-none", NULL, "", HAS_NO_EFFECT(UNBOUND)},
    {"bind-to-socket", NULL, "", HAS_NO_EFFECT(UNBOUND)},
    {"bynode", NULL, "ppn", one_a_host},
    {"byslot", NULL, "", HAS_NO_EFFECT(BY_SLOT)},
    {"cpu-set", "LIST", "", HAS_NO_EFFECT(UNBOUND)},
    {"cpus-per-proc", "N", "", HAS_NO_EFFECT(UNBOUND)},
    {"cpus-per-rank", "N", "", HAS_NO_EFFECT(UNBOUND)},
    {"disable-auto-cleanup", NULL, "on-failure", OPTION_SET(hrun_options, notify)},
    {"display-allocation", NULL, "", HAS_NO_EFFECT("-v prints the hosts")},
    {"display-map", NULL, "show-map", OPTION_SET(hrun_options, show_map)},
    {"enable-auto-cleanup", NULL, "", HAS_NO_EFFECT("the failure of a task ends the job")},
    {"enable-recovery", NULL, "on-failure", OPTION_SET(hrun_options, notify)},
    {"envall", NULL, "", HAS_NO_EFFECT(PASSED)},
    {"genv", "NAME VALUE", "env", hrun_take_env_of_all, .pair = true},
    {"genvall", NULL, "", HAS_NO_EFFECT(PASSED)},
    {"gmca", "NAME VALUE", "", parameter, .pair = true},
    {"launcher-exec", "CMD", "launcher", OPTION_TEXT(hrun_options, launcher)},
    {"map-by", "X", "ppn", map_by},
    {"mca", "NAME VALUE", "", parameter, .pair = true},
    {"omca", "NAME VALUE", "", parameter, .pair = true},
    {"oversubscribe", NULL, "", HAS_NO_EFFECT("more tasks than slots are always allowed")},
    {"pernode", NULL, "ppn", one_a_host},
    {"prefix", "DIR", "", HAS_NO_EFFECT("hrun finds hnow's libraries by itself")},
    {"prepend-rank", NULL, "tag-output", OPTION_SET(hrun_options, tag)},
    {"prtemca", "NAME VALUE", "", parameter, .pair = true},
    {"q", NULL, "", HAS_NO_EFFECT(QUIET)},
    {"quiet", NULL, "", HAS_NO_EFFECT(QUIET)},
    {"report-bindings", NULL, "", HAS_NO_EFFECT(UNBOUND)},
    {"use-hwthread-cpus", NULL, "", HAS_NO_EFFECT(UNBOUND)},
    {"with-ft", "X", "on-failure", fault_tolerance},
};
