/* pvm_host.c - the hosts of the job: pvm_config() and related calls, adding and deleting hosts.
 *
 * hrun knows the hosts.  The list is cached until hrun reports a change.  The caller of
 * pvm_addhosts() or pvm_delhosts() gets its answer after that report, and so do tasks of the same
 * host, as with PVM's daemons.
 *
 * The cache saves round trips in programs that call pvm_config() in a loop. Its price is one
 * message from hrun for each change.
 */
#include "vm.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

/* Always asks hrun. The names are in the same block of memory as the list. */
int vm_hosts(hn_host_info **hosts, int *n)
{
    return vm_result(hn_hosts(hosts, n));
}

/* ---- changes ------------------------------------------------------------------------------ */

/* The subscription. `report` is a buffer for one report. */
static struct {
    hn_context context; /* context of change reports; 0: none yet */
    hn_buffer *report;
} changes;

/* Subscribes to change reports. Reports have a context of their own, where no receive of the
 * program can take them. */
static int watch_changes(void)
{
    hn_context context, before;
    int result;

    /* It is kept after pvm_exit(), as another subscription may follow. */
    if (!changes.report)
        changes.report = hn_buffer_new();
    result = changes.report ? hn_context_new(&context) : HN_ENOMEM;
    if (result != HN_OK)
        return result;
    /* Notifications arrive in the context of the request. */
    before = hn_set_context(context);
    /* Without a limit of reports. */
    result = hn_notify(HN_HOST_ADDED, NULL, -1, 0);
    if (result == HN_OK)
        result = hn_notify(HN_HOST_LOST, NULL, 0, 0);
    hn_set_context(before);
    /* After an error the list is fetched at each call instead. */
    changes.context = result == HN_OK ? context : 0;
    return result;
}

/* True if hosts were added or removed since the last call. Without a subscription the list may
 * always have changed. */
static bool have_changed(void)
{
    hn_context before;
    bool changed = false;

    if (changes.context == 0)
        return true;
    before = hn_set_context(changes.context);
    /* Several changes need only one new list. */
    while (hn_recv_buffer(HN_ANY, HN_ANY, 0, changes.report, NULL) == HN_OK)
        changed = true;
    hn_set_context(before);
    return changed;
}

/* A new enrolment needs a new subscription. */
void vm_forget_hosts(void)
{
    changes.context = 0;
}

/* ---- listing ------------------------------------------------------------------------------ */

/* What pvm_config() gives the program. */
static struct {
    hn_host_info *info; /* owns the names */
    struct pvmhostinfo *hosts;
    int n;
} listed;

/* PVM's default speed of a host is 1000. */
static int speed_of(const hn_host_info *host)
{
    /* hnow's speed is relative to 1. In PVM it is an integer of at least 1. */
    double speed = host->speed > 0 ? 1000 * host->speed : 1000;

    return speed < 1 ? 1 : speed > 1e9 ? 1000000000 : (int)speed;
}

/* Counts the hosts among the first n whose data format differs from all before them. */
static int kinds_of(const struct pvmhostinfo *hosts, int n)
{
    int kinds = 0;

    for (int i = 0; i < n; i++) {
        int j = 0;
        /* Quadratic, but there are at most four different formats, so a match comes early. */
        while (j < i && hosts[j].hi_dsig != hosts[i].hi_dsig)
            j++;
        kinds += j == i;
    }
    return kinds;
}

/* Subscribes before it lists, so that no change is missed. */
static int list_hosts(void)
{
    int result = changes.context == 0 ? vm_result(watch_changes()) : PvmOk;

    /* What pvm_config() has returned before is invalid from here on. */
    free(listed.info);
    free(listed.hosts);
    listed.info = NULL;
    listed.hosts = NULL;
    if (result == PvmOk)
        result = vm_hosts(&listed.info, &listed.n);
    if (result != PvmOk)
        return result;
    /* One more, so that an empty list is no error. */
    listed.hosts = calloc((size_t)listed.n + 1, sizeof *listed.hosts);
    for (int i = 0; listed.hosts && i < listed.n; i++)
        listed.hosts[i] = (struct pvmhostinfo){
            .hi_tid = listed.info[i].tid,
            .hi_name = listed.info[i].name,
            /* A text of the table, which the program must not change. */
            .hi_arch = (char *)vm_arch_of(listed.info[i].machine),
            .hi_speed = speed_of(&listed.info[i]),
            .hi_dsig = vm_signature_of(&listed.info[i]),
        };
    return listed.hosts ? PvmOk : PvmNoMem;
}

/* Names and hosts are valid until a call finds that the hosts have changed. */
static int update(void)
{
    return have_changed() || !listed.hosts ? list_hosts() : PvmOk;
}

static int config(int *count, int *kinds, struct pvmhostinfo **hosts)
{
    int result = update();

    if (result != PvmOk)
        return result;
    if (count)
        *count = listed.n;
    if (kinds)
        *kinds = kinds_of(listed.hosts, listed.n);
    if (hosts)
        *hosts = listed.hosts;
    return PvmOk;
}

/* Asks hrun at the first call and after changes only. */
int pvm_config(int *hosts, int *kinds, struct pvmhostinfo **info)
{
    return VM_CALL(config(hosts, kinds, info));
}

/* All hosts of one architecture have the same code. */
static int code_of(const char *arch)
{
    int result = arch ? update() : PvmBadParam;

    for (int i = 0; i < listed.n && result == PvmOk; i++)
        if (strcmp(listed.hosts[i].hi_arch, arch) == 0)
            return listed.hosts[i].hi_dsig;
    return result == PvmOk ? PvmNotFound : result;
}

int pvm_archcode(char *arch)
{
    return VM_CALL(code_of(arch));
}

/* True if a host whose name has these `length` characters takes part. Exact names only: no aliases,
 * and no addresses. */
static bool takes_part(const char *name, size_t length)
{
    bool found = false;

    /* Without the list no host takes part. */
    for (int i = update() == PvmOk ? listed.n : 0; i > 0 && !found; i--) {
        const char *host = listed.hosts[i - 1].hi_name;
        found = strlen(host) == length && strncmp(host, name, length) == 0;
    }
    return found;
}

/* An empty name is no name. */
static int host_status(const char *name)
{
    if (!name || !*name)
        return PvmBadParam;
    return takes_part(name, strlen(name)) ? PvmOk : PvmNoHost;
}

/* PvmNoHost is an answer, so it is not printed. */
int pvm_mstat(char *host)
{
    return VM_ASK(host_status(host), PvmNoHost);
}

/* ---- adding and deleting ------------------------------------------------------------------ */

/* Whether a name has an address.  One without may be of ssh alone, so only hosts that did not start
 * are looked up. */
static bool has_address(const char *name, size_t length)
{
    char host[256];
    struct addrinfo *found;

    /* Longer names have no address anyway. */
    snprintf(host, sizeof host, "%.*s", (int)length, name);
    /* May take seconds if a name server does not respond. */
    if (getaddrinfo(host, NULL, NULL, &found))
        return false;
    freeaddrinfo(found);
    return true;
}

/* Returns why a host was not added, or not deleted. */
static int reason(const char *host, int error, bool add)
{
    /* The name ends where options begin. */
    size_t length = strcspn(host, " \t");

    if (error == HN_EHOST)
        return has_address(host, length) ? PvmCantStart : PvmNoHost;
    if (error != HN_EARG)
        return vm_result(error);
    if (!add) /* hrun's own host cannot be deleted */
        return takes_part(host, length) ? PvmBadParam : PvmNoHost;
    return takes_part(host, length) ? PvmDupHost : PvmBadParam;
}

/* The entry of a list with the same name; i, if none is before it. */
static int first_of(char **names, int i)
{
    int first = 0;

    while (strcmp(names[first], names[i]))
        first++;
    return first;
}

/* A name that is twice in the list: PvmDupHost for the second one if the first was added, else the
 * same error. */
static int change(char **names, int count, int *results, bool add)
{
    hn_host_outcome *outcomes;
    int done;

    if (!names || count < 1)
        return PvmBadParam;
    /* hnow reports a tid or an error for each name. */
    outcomes = calloc((size_t)count, sizeof *outcomes);
    if (!outcomes)
        return PvmNoMem;
    /* Negative only if nothing was tried. */
    done = (add ? hn_add_hosts : hn_remove_hosts)((const char *const *)names, count, outcomes);
    /* The program may pass no array; then only the number of hosts is known. */
    for (int i = 0; done >= 0 && results && i < count; i++) {
        /* For hrun the second one is a host that takes part already. */
        int first = first_of(names, i);
        if (add && first < i)
            results[i] = results[first] < 0 ? results[first] : PvmDupHost;
        else if (outcomes[i].error)
            results[i] = reason(names[i], outcomes[i].error, add);
        else
            results[i] = add ? outcomes[i].tid : PvmOk;
    }
    free(outcomes);
    /* The number of hosts, which may be 0; this is no error. */
    return vm_result(done);
}

/* A name may be a line of a hosts file, with options after it. */
int pvm_addhosts(char **names, int count, int *outcomes)
{
    return VM_CALL(change(names, count, outcomes, true));
}

/* Tasks on these hosts get SIGTERM, and SIGKILL a little later. */
int pvm_delhosts(char **names, int count, int *outcomes)
{
    return VM_CALL(change(names, count, outcomes, false));
}

/* In hnow two tasks compare their clocks, so only the own host's clock is known. */
static int compare_clocks(int host, struct timeval *clock, struct timeval *delta)
{
    struct timeval now;

    /* PVM asks the daemon of the host. The tid may be that of a task. */
    if (hn_host_tid(host) != hn_host_tid(hn_mytid()))
        return host > 0 && hn_host_of(host) ? PvmNotImpl : PvmNoHost;
    gettimeofday(&now, NULL);
    if (clock)
        *clock = now;
    /* The difference of a clock from itself. */
    if (delta)
        *delta = (struct timeval){0};
    return PvmOk;
}

/* Each pointer may be NULL. */
int pvm_hostsync(int host, struct timeval *clock, struct timeval *delta)
{
    return VM_CALL(compare_clocks(host, clock, delta));
}
