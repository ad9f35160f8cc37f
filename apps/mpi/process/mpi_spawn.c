/* mpi_spawn.c - MPI_Comm_spawn() and related calls (mpi_spawn.h).
 *
 * The root starts the tasks with hn_spawn(), one call for each command and host.  Their environment
 * names the context for a message from the root.  It contains the tids of all children and parents,
 * and the contexts of three communicators.  So a world can result from several calls of hn_spawn(),
 * and without the tasks that could not be started.
 *
 * MPI 4.1, 11.8.2 (MPI_Comm_spawn()), 11.8.3 (several commands) and 11.8.4 (info keys host, arch,
 * wdir, path, soft). Only the root talks to hrun; then it broadcasts the result. Children wait for
 * the announcement in their MPI_Init().
 *
 * Phases at the root: check the arguments, start the tasks, announce them, share the result. A
 * failure in any phase ends the tasks that run already. The other parents only take part in the
 * last one.
 * Ranks of children follow the commands, and within a command the order in which tasks were
 * requested.
 */
#include "process/mpi_spawn.h"

#include "object/mpi_info.h"

#include <stdio.h>
#include <stdlib.h>

#define SPAWNED_VARIABLE "HNOW_MPI_SPAWNED" /* CONTEXT.COMMAND */

/* Sent by the root to its children and to the other parents: numbers, followed by the tids. Made of
 * uint32_t only, so it is sent as an array with byte order converted. */
struct announcement {
    uint32_t size, parents;
    /* Pairs of contexts: of the children's world, of their copy of it, of the intercommunicator. */
    uint32_t world[2], local[2], both[2];
};
enum { ANNOUNCEMENT_WORDS = sizeof(struct announcement) / sizeof(uint32_t) };

/* The order in a pair is that of struct comm_contexts. */
static struct comm_contexts pair(const uint32_t words[2])
{
    return (struct comm_contexts){words[0], words[1]};
}

/* ---- a child -------------------------------------------------------------------------------- */

/* What MPI_Comm_get_parent() returns; NULL in a task that was not spawned. */
static struct mpi_comm *parent;

/* Ignores NULL. */
void spawned_free(struct spawned *s)
{
    if (!s)
        return;
    free(s->world);
    free(s);
}

/* Two messages: the second one has a length that the first contains. */
static int receive(hn_tid from, struct spawned *s)
{
    struct announcement a;
    /* In the context that the environment names; only the root knows it. */
    int result = hn_recv(from, 0, &a, ANNOUNCEMENT_WORDS, HN_UINT32, NULL);

    if (result != HN_OK)
        return result;
    s->size = (int)a.size;
    s->parents = (int)a.parents;
    s->contexts = pair(a.world);
    s->local = pair(a.local);
    s->both = pair(a.both);
    s->world = malloc(((size_t)a.size + a.parents) * sizeof *s->world);
    if (!s->world)
        return HN_ENOMEM;
    /* One list: the tasks of this world, then their parents. */
    s->parent = s->world + a.size;
    return hn_recv(from, 0, s->world, (size_t)a.size + a.parents, HN_INT32, NULL);
}

/* A task without a parent ignores the variable, and so does one that finds a text of another
 * form. */
int spawned_get(struct spawned **spawned)
{
    const char *words = getenv(SPAWNED_VARIABLE);
    hn_tid from = hn_parent();
    unsigned context;
    int appnum;

    *spawned = NULL;
    /* Not spawned by MPI: the world is that of hnow. */
    if (!words || from <= 0 || sscanf(words, "%u.%d", &context, &appnum) != 2)
        return HN_OK;
    /* Also returned after an error below; the task then ends. */
    *spawned = calloc(1, sizeof **spawned);
    if (!*spawned)
        return HN_ENOMEM;
    (*spawned)->appnum = appnum;
    unsetenv(SPAWNED_VARIABLE); /* tasks of an hrun that this one starts have other parents */
    return IN_CONTEXT(context, receive(from, *spawned));
}

/* Local: all contexts are in the announcement, so that children need no message among each other.
 * Children are the second side. */
int spawned_meet(const struct spawned *s)
{
    struct mpi_comm *local;
    int result;

    object_hold(comm_world->group);
    /* The local side is a copy of the world, with contexts of its own. */
    result = comm_make(comm_world->group, &s->local, comm_world, &local);
    if (result == HN_OK)
        result = comm_make_inter(local, group_new(s->parent, s->parents), false, &s->both,
                                 comm_world, &parent);
    if (result != HN_OK)
        return result;
    object_hold(parent); /* also after the program has freed it: no other object takes its place */
    snprintf(parent->name, sizeof parent->name, "MPI_COMM_PARENT");
    return HN_OK;
}

/* MPI 4.1, 11.8.2. MPI_COMM_NULL: the task was not spawned by MPI. */
MPI_DEFINE(int, Comm_get_parent, (MPI_Comm * comm))
{
    if (!comm_world)
        return error_no_comm(MPI_COMM_NULL, MPI_CALL);
    if (!comm)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "there is no place for the communicator");
    /* a program may free it: then there is none any more */
    *comm = parent && parent->object.handles > 0 ? parent->object.handle : MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* ---- the root: arguments -------------------------------------------------------------------- */

/* One command of the call. Points into the program's arguments, valid during the call. */
struct command {
    const char *program;
    char **argv; /* or NULL */
    int most;    /* maximum number of tasks */
    struct mpi_info *info;
    /* In the call; becomes MPI_APPNUM of its tasks. */
    int index;
};

/* A call at its root, and its results. On the root's stack, and with most fields empty on that of
 * the other parents. `tids` and `codes` are owned. */
struct spawn {
    struct command *commands;
    int count, wanted; /* number of commands; tasks of all commands */
    /* Of the announcement. */
    hn_context context;
    hn_tid *tids; /* of all running tasks */
    int started;  /* number of these */
    int *codes;   /* error codes of all requested tasks */
    /* A class of MPI; the first one that occurred. `why` explains it, at the root only. */
    int error;
    char why[300];
};

/* why: NULL if it was already reported. The first error is kept. Returns the new one. The root
 * continues after it: others wait for the result. */
static int fail(struct spawn *s, int error, const char *why)
{
    if (s->error == MPI_SUCCESS) {
        s->error = error;
        if (why)
            snprintf(s->why, sizeof s->why, "%s", why);
    }
    return error;
}

/* True if the info key "soft" (a list of FIRST[:LAST[:STEP]]) allows n tasks. MPI 4.1, 11.8.4
 * defines the syntax. A malformed list allows nothing from there on. */
static bool soft_allows(const char *soft, long n)
{
    while (*soft) {
        char *end;
        long first = strtol(soft, &end, 10), last = first, step = 1;
        /* Not a number. */
        if (end == soft)
            return false;
        if (*end == ':')
            last = strtol(end + 1, &end, 10);
        if (*end == ':')
            step = strtol(end + 1, &end, 10);
        long distance = n - first;
        /* n is one of first, first + step, ... up to last. */
        if (step != 0 && distance % step == 0 && distance / step >= 0 &&
            (step > 0 ? n <= last : n >= last))
            return true;
        soft = end + (*end == ',');
        /* Something other than a comma follows. */
        if (soft == end && *end)
            return false;
    }
    return false;
}

/* How many of n started tasks of a command are kept; -1: n is not acceptable. Tasks beyond the
 * largest allowed number are ended again. Without the key all must start (MPI 4.1, 11.8.2). */
static int soft_keeps(const struct command *c, int n)
{
    const char *soft = info_value(c->info, "soft");

    /* O(n * length of the list). The largest allowed number is preferred. */
    for (int keep = n; soft && keep >= 0; keep--)
        if (soft_allows(soft, keep))
            return keep;
    return n == c->most ? n : -1;
}

/* ---- the root: starting --------------------------------------------------------------------- */

/* Makes the environment of the tasks, of words that the caller frees; the last one is NULL. */
enum { ENVIRONMENT = 4 };
static bool make_environment(const struct spawn *s, const struct command *c,
                             char *word[static ENVIRONMENT])
{
    const char *path = info_value(c->info, "path"), *own = getenv("PATH");
    const char *handler = info_value(c->info, "mpi_initial_errhandler");
    int n = 0;
    /* A failed asprintf() leaves its word undefined, so it is cut off below. */
    bool ok = asprintf(&word[n++], SPAWNED_VARIABLE "=%u.%d", s->context, c->index) >= 0;

    if (ok && path)
        ok = asprintf(&word[n++], "PATH=%s:%s", path, own ? own : "") >= 0;
    if (ok && handler)
        ok = asprintf(&word[n++], ERROR_VARIABLE "=%s", handler) >= 0;
    word[ok ? n : n - 1] = NULL;
    return ok;
}

/* Starts n tasks on a host, named by the `length` characters at host (NULL: any). Started tasks are
 * appended to s->tids without gaps, so ranks are dense. `codes` has an entry for each requested
 * task. */
static void start_on(struct spawn *s, const struct command *c, const char *host, size_t length,
                     int n, char *const *environment, int *codes)
{
    char name[256];
    hn_place place = {.machine = info_value(c->info, "arch"),
                      .wdir = info_value(c->info, "wdir"),
                      .env = (const char *const *)environment};
    hn_tid *tids = &s->tids[s->started];
    int result, kept = 0;

    snprintf(name, sizeof name, "%.*s", (int)length, host ? host : "");
    place.host = host ? name : NULL;
    /* Blocks until each task has started or failed. Positive: number of started tasks. */
    result = hn_spawn(c->program, (const char *const *)c->argv, n, &place, tids);
    for (int i = 0; i < n; i++)
        codes[i] = result > 0 && tids[i] > 0 ? MPI_SUCCESS : MPI_ERR_SPAWN;
    if (result < n) /* failed tasks leave no gap */
        snprintf(s->why, sizeof s->why, "%s", hn_error_text());
    for (int i = 0; i < n; i++)
        if (codes[i] == MPI_SUCCESS)
            tids[kept++] = tids[i];
    s->started += kept;
}

/* The info key "host" may be a list: its hosts get tasks in turn. One call of hn_spawn() for each
 * task of a list of hosts; otherwise one for the whole command. */
static void start_all(struct spawn *s, const struct command *c, char *const *environment,
                      int *codes)
{
    const char *hosts = info_value(c->info, "host"), *at = hosts;

    /* One host, or any: a single request to hrun for the whole command. */
    if (!hosts || !strchr(hosts, ',')) {
        start_on(s, c, hosts, hosts ? strlen(hosts) : 0, c->most, environment, codes);
        return;
    }
    for (int i = 0; i < c->most; i++) {
        size_t length = strcspn(at, ",");
        start_on(s, c, at, length, 1, environment, &codes[i]);
        /* At the end of the list, from its start again. */
        at = at[length] ? at + length + 1 : hosts;
    }
}

/* Tasks that are already in MPI_Init() wait for the announcement, and are killed there. Their
 * numbers are given back, so that the next command's tasks follow without a gap. */
static void end_tasks(struct spawn *s, int from)
{
    for (int i = from; i < s->started; i++)
        hn_kill(s->tids[i]);
    s->started = from;
}

/* Codes of tasks that `soft` discards become MPI_ERR_SPAWN, the last ones first. */
static void start(struct spawn *s, const struct command *c, int *codes)
{
    char *environment[ENVIRONMENT];
    int before = s->started, keep;

    if (!make_environment(s, c, environment))
        fail(s, MPI_ERR_NO_MEM, "out of memory");
    else if (c->most > 0)
        start_all(s, c, environment, codes);
    keep = soft_keeps(c, s->started - before);
    if (keep < 0)
        fail(s, MPI_ERR_SPAWN, NULL);
    else
        end_tasks(s, before + keep);
    /* In the order of the request: the first `keep` successes stay. */
    for (int i = 0, left = keep; i < c->most; i++)
        if (codes[i] == MPI_SUCCESS && left-- <= 0)
            codes[i] = MPI_ERR_SPAWN;
    for (char **word = environment; *word; word++)
        free(*word);
}

/* The sum must fit into an int, because ranks do. */
static int check(struct spawn *s)
{
    int wanted = 0;

    for (int i = 0; i < s->count; i++) {
        const struct command *c = &s->commands[i];
        if (!c->program || !c->program[0])
            return fail(s, MPI_ERR_SPAWN, "no command");
        if (c->most < 0 || wanted > INT32_MAX - c->most)
            return fail(s, MPI_ERR_ARG, "the number of tasks is negative, or too large");
        /* 0 tasks of a command are allowed. */
        wanted += c->most;
    }
    s->wanted = wanted;
    return s->error;
}

/* Starts all commands, or nothing. On failure `wanted` still has the number of codes, unless there
 * is no memory for them. */
static void start_commands(struct spawn *s)
{
    int at = 0;

    if (check(s) != MPI_SUCCESS)
        return;
    s->tids = malloc(((size_t)s->wanted + 1) * sizeof *s->tids);
    s->codes = malloc(((size_t)s->wanted + 1) * sizeof *s->codes);
    /* No codes can be returned, so none are announced. */
    if (!s->tids || !s->codes || hn_context_new(&s->context) != HN_OK) {
        fail(s, MPI_ERR_SPAWN, s->tids && s->codes ? hn_error_text() : "out of memory");
        s->wanted = 0;
        return;
    }
    /* Codes of commands that are not tried. */
    for (int i = 0; i < s->wanted; i++)
        s->codes[i] = MPI_ERR_SPAWN;
    for (int i = 0; i < s->count && s->error == MPI_SUCCESS; i++) {
        start(s, &s->commands[i], s->codes + at);
        at += s->commands[i].most;
    }
    if (s->error != MPI_SUCCESS)
        end_tasks(s, 0);
}

/* ---- all parents ---------------------------------------------------------------------------- */

/* The three pairs of a struct announcement are consecutive, so they are filled as one array. */
static int new_contexts(struct announcement *a)
{
    uint32_t *words = a->world;
    int result = HN_OK;

    /* Six: two for each of the three communicators. */
    for (int i = 0; i < 6 && result == HN_OK; i++)
        result = hn_context_new(&words[i]);
    return result;
}

/* The root sends the announcement to its children. The root's tasks get both messages as
 * multicasts. A child that has already ended makes hn_multicast() return HN_EDEAD, but the others
 * have received. */
static int announce(const struct spawn *s, struct mpi_comm *c, struct announcement *a)
{
    size_t n = (size_t)s->started + (size_t)c->size;
    hn_tid *list = malloc(n * sizeof *list);
    hn_context before = hn_set_context(s->context);
    int result = list ? new_contexts(a) : HN_ENOMEM;

    /* The started tasks only: those that failed are in no group. */
    a->size = (uint32_t)s->started;
    a->parents = (uint32_t)c->size;
    if (list) {
        memcpy(list, s->tids, (size_t)s->started * sizeof *list);
        memcpy(list + s->started, c->group->tids, (size_t)c->size * sizeof *list);
    }
    if (result == HN_OK)
        result = hn_multicast(s->tids, s->started, 0, a, ANNOUNCEMENT_WORDS, HN_UINT32);
    if (result == HN_OK || result == HN_EDEAD) /* a task that has ended is still a member */
        result = hn_multicast(s->tids, s->started, 0, list, n, HN_INT32);
    hn_set_context(before);
    free(list);
    return result == HN_EDEAD ? HN_OK : result;
}

/* Sent to the other parents: the result, the announcement, tids and codes. */
struct outcome_words {
    uint32_t error, wanted;
    struct announcement a;
};
enum { OUTCOME_WORDS = sizeof(struct outcome_words) / sizeof(uint32_t) };

/* Collective on the parents. The codes are broadcast even after an error: MPI 4.1, 11.8.2 returns
 * them at every parent. */
static int share(struct spawn *s, struct mpi_comm *c, int root, struct announcement *a)
{
    struct outcome_words w = {(uint32_t)s->error, (uint32_t)s->wanted, *a};
    /* The length of what follows depends on it. */
    int result = hn_bcast(&w, OUTCOME_WORDS, HN_UINT32, root, c->hn);

    if (result != HN_OK)
        return result;
    s->error = (int)w.error;
    s->wanted = (int)w.wanted;
    *a = w.a;
    if (!s->tids) { /* or the root rejected its arguments */
        s->tids = malloc(((size_t)s->wanted + 1) * sizeof *s->tids);
        s->codes = malloc(((size_t)s->wanted + 1) * sizeof *s->codes);
    }
    if (!s->tids || !s->codes)
        return HN_ENOMEM;
    result = hn_bcast(s->codes, (size_t)s->wanted, HN_INT, root, c->hn);
    if (result == HN_OK && s->error == MPI_SUCCESS)
        result = hn_bcast(s->tids, a->size, HN_INT32, root, c->hn);
    return result;
}

/* Parents are the first side. */
static int meet_children(struct mpi_comm *c, const struct spawn *s, const struct announcement *a,
                         struct mpi_comm **made)
{
    struct comm_contexts both = pair(a->both);
    struct mpi_comm *copy;
    /* Collective on the parents only; the children make theirs without a message. */
    int result = comm_copy(c, &copy);

    if (result != HN_OK)
        return result;
    return comm_make_inter(copy, group_new(s->tids, (int)a->size), true, &both, c, made);
}

/* Every path passes share(), so that the parents never wait for a root that has failed. */
static int spawn(struct spawn *s, int root, struct mpi_comm *c, MPI_Comm *intercomm, int codes[],
                 const char *call)
{
    struct announcement a = {0};
    struct mpi_comm *made;
    int result = HN_OK, error = MPI_SUCCESS;

    if (c->rank == root) {
        start_commands(s);
        if (s->error == MPI_SUCCESS && (result = announce(s, c, &a)) != HN_OK) {
            fail(s, error_class_hn(result), hn_error_text());
            end_tasks(s, 0);
        }
    }
    /* The root's result, and for the others where to meet the children. */
    result = share(s, c, root, &a);
    /* All parents get all codes. */
    for (int i = 0; result == HN_OK && codes != MPI_ERRCODES_IGNORE && i < s->wanted; i++)
        codes[i] = s->codes[i];
    if (result == HN_OK && s->error != MPI_SUCCESS)
        error = error_on(c, s->error, call, "%s",
                         c->rank == root ? s->why : "the root could not start the tasks");
    else if (result == HN_OK)
        result = meet_children(c, s, &a, &made);
    if (result == HN_OK && error == MPI_SUCCESS)
        *intercomm = made->object.handle;
    free(s->tids);
    free(s->codes);
    return result == HN_OK ? error : error_hn(c, result, call);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Records the error instead of returning it, because the root must still take part in the
 * broadcast. */
static struct mpi_info *info_given(struct spawn *s, MPI_Info handle)
{
    struct mpi_info *info = info_of(handle);

    if (!info && handle != MPI_INFO_NULL)
        fail(s, MPI_ERR_INFO, "not an info object, or it has been freed");
    return info;
}

/* MPI 4.1, 11.8.2. Collective; only the root's arguments count. */
MPI_DEFINE(int, Comm_spawn,
           (const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
            MPI_Comm *intercomm, int errcodes[]))
{
    struct mpi_comm *c = comm_of(comm);
    struct spawn s = {.count = 1, .error = MPI_SUCCESS};
    struct command one = {command, argv, maxprocs, info_given(&s, info), 0};
    /* Local errors: c, root and the place for the result are checked by every parent. */
    int error = comm_check_root(c, comm, root, intercomm, MPI_CALL);

    s.commands = &one;
    return error == MPI_SUCCESS ? spawn(&s, root, c, intercomm, errcodes, MPI_CALL) : error;
}

/* Arguments other than root and comm count at the root only; others may pass anything. */
MPI_DEFINE(int, Comm_spawn_multiple,
           (int count, char *commands[], char **argvs[], const int maxprocs[],
            const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *intercomm, int errcodes[]))
{
    struct mpi_comm *c = comm_of(comm);
    struct spawn s = {.count = count, .error = MPI_SUCCESS};
    int error = comm_check_root(c, comm, root, intercomm, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (c->rank == root) {
        if (count < 1 || !commands || !maxprocs)
            fail(&s, MPI_ERR_ARG, "no list of commands");
        else if (!(s.commands = calloc((size_t)count, sizeof *s.commands)))
            fail(&s, MPI_ERR_NO_MEM, "out of memory");
        /* The error is kept in s, and spawn() shares it with the others. */
        if (s.error != MPI_SUCCESS)
            s.count = 0;
        for (int i = 0; i < s.count; i++)
            s.commands[i] =
                (struct command){commands[i], argvs != MPI_ARGVS_NULL ? argvs[i] : NULL,
                                 maxprocs[i], infos ? info_given(&s, infos[i]) : NULL, i};
    }
    /* Other parents come with an empty description. */
    error = spawn(&s, root, c, intercomm, errcodes, MPI_CALL);
    free(s.commands);
    return error;
}
