/* pvm_spawn.c - pvm_spawn().
 *
 * A program name without a directory is searched first in the caller's directory and in
 * ~/pvm3/bin/$PVM_ARCH.  PVM does not search $PATH, and other programs there may have the same name
 * (Debian's examples do).  If it is not found, or does not exist at that path on another host,
 * hnow's own search applies.  Children inherit the variables named in PVM_EXPORT, and their
 * context, through the environment.
 *
 * The call succeeds if its arguments are valid. Each task that could not be started has an error
 * of its own in the list.
 */
#include "vm.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- the program -------------------------------------------------------------------------- */

/* Marker between the directory and the name of a program that was found by its name. */
#define FOUND "/./"

/* A directory passes this test, too. */
static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

/* The caller's directory is that of its file, whatever its working directory. */
static bool beside_own(const char *task, char *path)
{
    char own[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);

    if (n <= 0)
        return false;
    own[n] = 0;
    /* The path is absolute, so it has a slash. */
    *strrchr(own, '/') = 0;
    /* A path that is too long does not exist. */
    return snprintf(path, PATH_MAX, "%s" FOUND "%s", own, task) < PATH_MAX && is_program(path);
}

/* PVM installs programs in a directory for each architecture. */
static bool in_pvms_folder(const char *task, char *path)
{
    /* The library does not set PVM_ARCH, which PVM's scripts do. */
    const char *home = getenv("HOME"), *arch = getenv("PVM_ARCH");
    struct utsname machine;

    if (!arch && uname(&machine) == 0)
        arch = vm_arch_of(machine.machine);
    return home && arch &&
           snprintf(path, PATH_MAX, "%s/pvm3/bin/%s" FOUND "%s", home, arch, task) < PATH_MAX &&
           is_program(path);
}

/* Returns the path, or the name itself for hnow's search. */
static const char *find_program(const char *task, char *path)
{
    if (!strchr(task, '/') && (beside_own(task, path) || in_pvms_folder(task, path)))
        return path;
    return task;
}

/* PVM lists a task by the name that was spawned. */
const char *vm_spawned_name(const char *program)
{
    /* The marker does not change the meaning of a path, and few programs use it themselves. */
    const char *found = strstr(program, FOUND);

    return found && !strchr(found + strlen(FOUND), '/') ? found + strlen(FOUND) : program;
}

/* ---- the environment ---------------------------------------------------------------------- */

/* Variables for the children, as NAME=VALUE. */
struct environment {
    char **word; /* NULL at the end */
    int n;
    bool failed; /* out of memory */
};

static void add_word(struct environment *env, const char *name, const char *value)
{
    char **more = realloc(env->word, sizeof *more * (size_t)(env->n + 2));

    if (more)
        env->word = more;
    if (!more || asprintf(&env->word[env->n], "%s=%s", name, value) < 0) {
        /* Checked once, after all words are added. */
        env->failed = true;
        if (more)
            env->word[env->n] = NULL; /* asprintf() leaves it undefined */
        return;
    }
    env->word[++env->n] = NULL;
}

/* Adds PVM_EXPORT itself, and the variables that it names. */
static void add_exported(struct environment *env)
{
    const char *export = getenv("PVM_EXPORT");
    char *list = export ? strdup(export) : NULL, *rest = list, *name;

    env->failed |= export && !list;
    /* So children can pass the same variables on. */
    if (list)
        add_word(env, "PVM_EXPORT", list);
    /* Variables that are not set are left out. */
    while (rest && (name = strsep(&rest, ":"))) {
        const char *value = *name ? getenv(name) : NULL;
        if (value)
            add_word(env, name, value);
    }
    free(list);
}

/* The context is that of the calling thread at this moment. */
static void make_environment(struct environment *env, int flags)
{
    char context[16];

    snprintf(context, sizeof context, "%d", vm_context());
    add_word(env, VM_ENV_CONTEXT, context);
    if (flags & PvmNoSpawnParent)
        add_word(env, VM_ENV_NO_PARENT, "1");
    add_word(env, VM_ENV_TRACE_MASK, vm_child_trace_mask());
    add_exported(env);
}

/* The words were copied by hn_spawn(). */
static void free_environment(struct environment *env)
{
    for (int i = 0; i < env->n; i++)
        free(env->word[i]);
    free(env->word);
}

/* ---- the place ---------------------------------------------------------------------------- */

/* Returns a machine name with PVM's architecture name, or that name itself, which no machine
 * has. */
static char *machine_of_arch(const char *arch)
{
    hn_host_info *hosts;
    char *machine = NULL;
    int n;

    if (vm_hosts(&hosts, &n) != PvmOk)
        return NULL;
    /* Hosts of the same architecture with another machine name are not considered. */
    for (int i = 0; i < n && !machine; i++)
        if (strcmp(vm_arch_of(hosts[i].machine), arch) == 0)
            machine = strdup(hosts[i].machine);
    free(hosts);
    return machine ? machine : strdup(arch);
}

/* Where the children are started; the texts are `owned`.  A directory may follow the place, after a
 * colon. */
struct site {
    hn_place place;
    char *where, *machine;
};

/* PvmNoHost: no host is left. This is an error of each task, not of the call. */
static int find_site(struct site *site, int flags, const char *where)
{
    char *colon;

    site->where = strdup(where ? where : "");
    if (!site->where)
        return PvmNoMem;
    /* A directory applies also without a host or an architecture. */
    colon = strchr(site->where, ':');
    if (colon) {
        *colon = 0;
        site->place.wdir = colon[1] ? colon + 1 : NULL;
    }
    if (!(flags & (PvmTaskHost | PvmTaskArch))) /* all hosts, whose complement is none */
        return flags & PvmHostCompl ? PvmNoHost : PvmOk;
    if (!*site->where) /* all hosts are excluded */
        return flags & PvmHostCompl ? PvmOk : PvmNoHost;
    /* Anywhere but there. */
    site->place.other = (flags & PvmHostCompl) != 0;
    if (flags & PvmTaskHost)
        site->place.host = site->where;
    else
        site->place.machine = site->machine = machine_of_arch(site->where);
    return PvmOk;
}

/* ---- spawning ----------------------------------------------------------------------------- */

/* PVM's order: running tasks first, then errors. */
static void sort(int *tids, const hn_tid *got, int count)
{
    int n = 0;

    for (int i = 0; i < count; i++)
        if (got[i] > 0)
            tids[n++] = got[i];
    for (int i = 0; i < count; i++)
        if (got[i] <= 0)
            tids[n++] = vm_result(got[i]);
}

/* Such a call succeeds, but has started no task. */
static int all_failed(int *tids, int count, int error)
{
    for (int i = 0; tids && i < count; i++)
        tids[i] = error;
    return 0;
}

/* Retries programs that were not found, by the name only.  Returns the number of started tasks. */
static int start_others(const char *task, char **argv, const struct site *site, int count,
                        hn_tid *got)
{
    hn_tid *more = calloc((size_t)count, sizeof *more);
    int n = 0, started = 0;

    for (int i = 0; i < count; i++)
        /* Other errors, such as a host that failed, are final. */
        n += got[i] == HN_ESTART;
    if (more && n > 0)
        started = hn_spawn(task, (const char *const *)argv, n, &site->place, more);
    /* The new results are in the order of the tasks that were retried. */
    n = 0;
    for (int i = 0; more && started >= 0 && i < count; i++)
        if (got[i] == HN_ESTART)
            got[i] = more[n++];
    free(more);
    return started > 0 ? started : 0;
}

static int start(const char *task, char **argv, const struct site *site, int count, int *tids)
{
    char path[PATH_MAX];
    const char *program = find_program(task, path);
    hn_tid *got = calloc((size_t)count, sizeof *got);
    int result;

    if (!got)
        return PvmNoMem;
    result = hn_spawn(program, (const char *const *)argv, count, &site->place, got);
    /* The file exists here, but not on the host of the task. */
    if (result >= 0 && result < count && program != task)
        result += start_others(task, argv, site, count, got);
    /* Also for tasks of a call that has failed in part. */
    vm_output_begin(got, count);
    /* The program may not want the tids. */
    if (result >= 0 && tids)
        sort(tids, got, count);
    free(got);
    /* only the place can be wrong */
    if (result == HN_EARG && (site->place.host || site->place.machine))
        return all_failed(tids, count, PvmNoHost);
    return vm_result(result);
}

/* An empty name is a program that does not exist. A missing name is a bad parameter. */
static int spawn(const char *task, char **argv, int flags, const char *where, int count, int *tids)
{
    struct site site = {0};
    struct environment env = {0};
    int result;

    if (!task || count < 1)
        return PvmBadParam;
    if (!*task)
        return all_failed(tids, count, PvmNoFile);
    result = find_site(&site, flags, where);
    make_environment(&env, flags);
    if (result == PvmOk && env.failed)
        result = PvmNoMem;
    /* hnow copies the words before hn_spawn() returns. */
    site.place.env = (const char *const *)env.word;
    if (result == PvmOk)
        result = start(task, argv, &site, count, tids);
    else if (result == PvmNoHost)
        result = all_failed(tids, count, PvmNoHost);
    free_environment(&env);
    free(site.where);
    free(site.machine);
    return result;
}

/* Returns the number of tasks that run. A result below `count` is no error: tids then ends with as
 * many errors. Blocks until the programs have been started. */
int pvm_spawn(char *task, char **argv, int flags, char *where, int count, int *tids)
{
    return VM_CALL(spawn(task, argv, flags, where, count, tids));
}
