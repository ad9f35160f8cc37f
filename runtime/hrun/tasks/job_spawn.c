/* job_spawn.c - tasks that a task spawns while the job runs (hn_spawn()); see job_service.h.
 *
 * The happy path: SPAWN_ASK arrives.  Each new task is placed on the suitable host with the fewest
 * running tasks for its slots; the first one of equals is used.  Every agent concerned gets the
 * tids of the new world, the program, and its tasks to start.  Each reports SPAWNED.  SPAWN_DONE
 * answers when all outcomes are known.
 *
 * The failure modes: no host is suitable (DONE with an error).  A task cannot be started, or its
 * host is lost meanwhile: its error is in SPAWN_DONE, and the others run.  The asking task has
 * ended before the answer: nobody reads it.
 *
 * Cost: O(hosts) a task for placement, one round trip for the whole request.
 *
 * Requests are answered in any order: each has the number of its question. A task is placed by the
 * numbers that hrun knows, and not by the hosts' load.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"
#include "hrun/staging/job_stage.h"
#include "hrun/streams/job_stdio.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOB_SPAWN_MOST = 1 << 16 }; /* tasks in a request */

/* A request in progress. Tasks refer to it until they have an outcome; it is freed with the last
 * one. */
struct job_spawn {
    struct job *job;
    uint32_t asker;         /* its tid */
    uint32_t number;        /* of the question */
    uint32_t n, open;       /* tasks; those without an outcome */
    struct job_task **task; /* until all have an outcome */
    uint32_t *tid;
    int *error; /* HN_OK or why it does not run */
    char *why;  /* of the first failure, or NULL */
};

/* The fields of SPAWN_ASK; refers to the frame. Valid while the question is handled, or as long as
 * the deferred copy exists. */
struct job_spawn_wish {
    uint32_t number, count;
    unsigned where;
    const char *name, *speed, *directory;
    const uint8_t *words; /* argv and environment, packed */
    size_t length;
    const char *program;
};

/* argv and environment are forwarded as they are, so only argv[0] is read. A frame that is too
 * short gives empty fields, which the caller refuses. */
static struct job_spawn_wish job_spawn_read(struct unpack *in)
{
    struct job_spawn_wish wish = {.number = unpack_u32(in), .count = unpack_u32(in)};
    wish.where = unpack_u8(in);
    wish.name = unpack_str(in);
    wish.speed = unpack_str(in);
    wish.directory = unpack_str(in);
    wish.words = in->data + in->at;
    wish.length = in->length - in->at;
    wish.program = unpack_u32(in) > 0 ? unpack_str(in) : "";
    return wish;
}

/* ---- placement -------------------------------------------------------------------------- */

/* Whether the name, or pattern, matches the host.  The name itself is compared first, because an
 * IPv6 address may look like a pattern. The pattern is that of fnmatch(), without special treatment
 * of leading dots. */
static bool job_spawn_named(const struct job_host *host, const char *name)
{
    return strcmp(name, host->name) == 0 || !fnmatch(name, host->name, 0);
}

/* Whether the name means the asking task's host: "." does, and "localhost" if no host has that
 * name. */
static bool job_spawn_is_own(const struct job *job, const char *name)
{
    bool is_local = strcmp(name, "localhost") == 0;
    for (int i = 0; is_local && i < job->nhost; i++)
        is_local = strcmp(name, job->host[i].name) != 0;
    return is_local || strcmp(name, ".") == 0;
}

/* A host whose speed is not given in the hosts file is not known to be fast. least "": any speed.
 */
static bool job_spawn_is_fast(const struct job_host *host, const char *least)
{
    const char *speed = host->line ? host->line->model[HOSTS_SPEED] : NULL;
    return !least[0] || (speed && strtod(speed, NULL) >= strtod(least, NULL));
}

/* CONTROL_NOT_ON inverts the condition of place, but not those of speed and of being up. */
static bool job_spawn_suits(const struct job_host *host, const struct job_spawn_wish *wish,
                            const struct job_task *asker)
{
    /* The lower bits are the kind of condition. */
    unsigned where = wish->where & (CONTROL_NOT_ON - 1u);
    bool is = where == CONTROL_ANYWHERE;
    if (where == CONTROL_ON_HOST)
        is = job_spawn_is_own(host->job, wish->name) ? host == asker->host
                                                     : job_spawn_named(host, wish->name);
    else if (where == CONTROL_ON_MACHINE)
        is = strcmp(wish->name, host->about.machine) == 0;
    return job_host_is_up(host) && is == !(wish->where & CONTROL_NOT_ON) &&
           job_spawn_is_fast(host, wish->speed);
}

/* The suitable host with the fewest tasks for its slots; NULL: there is none. job_host_slots() is
 * at least 1. Tasks of the same request count as soon as they are placed, so they spread over the
 * hosts. */
static struct job_host *job_spawn_host(struct job *job, const struct job_spawn_wish *wish,
                                       const struct job_task *asker)
{
    struct job_host *best = NULL;
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        if (!job_spawn_suits(host, wish, asker))
            continue;
        /* live / slots, compared without division */
        if (!best || (uint64_t)host->tasks.live * (uint64_t)job_host_slots(best) <
                         (uint64_t)best->tasks.live * (uint64_t)job_host_slots(host))
            best = host;
    }
    return best;
}

/* ---- the request ------------------------------------------------------------------------ */

static void job_spawn_free(struct job_spawn *spawn)
{
    if (!spawn)
        return;
    free(spawn->task);
    free(spawn->tid);
    free(spawn->error);
    free(spawn->why);
    free(spawn);
}

/* NULL: out of memory. Room for all tasks; n counts those that were made. */
static struct job_spawn *job_spawn_new(struct job_task *asker, const struct job_spawn_wish *wish)
{
    struct job_spawn *spawn = calloc(1, sizeof *spawn);
    if (!spawn)
        return NULL;
    *spawn =
        (struct job_spawn){.job = asker->host->job, .asker = asker->tid, .number = wish->number};
    spawn->task = calloc(wish->count, sizeof(struct job_task *));
    spawn->tid = calloc(wish->count, sizeof *spawn->tid);
    spawn->error = calloc(wish->count, sizeof *spawn->error);
    if (spawn->task && spawn->tid && spawn->error)
        return spawn;
    job_spawn_free(spawn);
    return NULL;
}

/* Creates the tasks.  Without memory, those that were created stay in the job as ended. False also
 * if the host has no tid left. */
static bool job_spawn_place(struct job_task *asker, struct job_spawn *spawn,
                            const struct job_spawn_wish *wish)
{
    while (spawn->n < wish->count) {
        struct job_host *host = job_spawn_host(spawn->job, wish, asker);
        /* NULL: no memory, or the host has no tid left. */
        struct job_task *task = host ? job_new_task(spawn->job, spawn->n, host) : NULL;
        if (!task)
            return false;
        task->spawned.parent = asker->tid;
        job_capture_inherit(task);
        task->spawned.spawn = spawn;
        task->spawned.spawn_at = spawn->n;
        spawn->tid[spawn->n] = task->tid;
        spawn->task[spawn->n++] = task;
        task->spawned.name = strdup(wish->program);
        if (!task->spawned.name || !job_stdio_open_task(task))
            return false;
        task->program = spawn->job->options->nprogram;
    }
    spawn->open = spawn->n;
    return true;
}

/* No agent knows of these tasks yet, so nothing is sent. Their tids are lost; their entries are
 * freed later, as those of ended tasks. */
static void job_spawn_give_up(struct job *job, struct job_spawn *spawn)
{
    for (uint32_t i = 0; i < spawn->n; i++) {
        spawn->task[i]->spawned.spawn = NULL;
        spawn->task[i]->captured.by = 0; /* the capturing task waits for no output of it */
        spawn->task[i]->state = JOB_TASK_OVER;
        spawn->task[i]->host->tasks.live--;
        job->tasks.over++;
    }
    job_spawn_free(spawn);
}

/* The program has the first number after those of hrun's command line. Each spawn sends it anew, so
 * agents keep one such program, not one for each spawn. cwd: hrun's directory. */
static void job_spawn_on_host(struct job_host *host, const struct job_spawn *spawn,
                              const struct job_spawn_wish *wish, const char *cwd)
{
    struct pack *out = channel_out(&host->channel);
    int program = host->job->options->nprogram; /* after the programs of hrun's command line */
    bool here = false;
    for (uint32_t i = 0; i < spawn->n && !here; i++)
        here = spawn->task[i]->host == host;
    if (!here)
        return;
    job_pack_world(out, spawn->task, spawn->n);
    size_t begun = control_begin(out, CONTROL_PROGRAM);
    job_pack_directory(out, host, (uint32_t)program, wish->directory[0] ? wish->directory : NULL,
                       cwd);
    pack_raw(out, wish->words, wish->length);
    control_end(out, begun);
    job_pack_spawn(out, host, spawn->task, spawn->n, program);
    job_host_send(host);
}

/* The order: free what has ended, check, stage, place, then notify the tasks that the job has
 * grown.  That precedes the start of the new ones. All of it happens in one call, so hosts do not
 * change meanwhile. */
void job_on_spawn_ask(struct job_task *asker, struct unpack *in)
{
    struct job *job = asker->host->job;
    struct unpack question = *in;
    struct job_spawn_wish wish = job_spawn_read(in);
    struct job_spawn *spawn;
    /* This invalidates pointers to ended tasks, so it comes before anything is looked up. */
    job_free_ended(job); /* a program that spawns for weeks makes its own room */
    if (wish.count == 0 || wish.count > JOB_SPAWN_MOST || !wish.program[0]) {
        job_done(asker, wish.number, HN_EARG, "give a program, and 1 to %d tasks", JOB_SPAWN_MOST);
        return;
    }
    /* The question is asked again when the program is there. (job_stage_continue() calls this
     * function with the copy.) */
    if (job_stage_first(asker, wish.program, &question))
        return;
    /* Checked for one task before any is made, so that nothing has to be undone. */
    if (!job_spawn_host(job, &wish, asker)) {
        job_done(asker, wish.number, HN_EARG, "no host that runs is %s%s%s%s",
                 wish.where & CONTROL_NOT_ON ? "other than " : "", wish.name,
                 wish.speed[0] ? " of speed " : "", wish.speed);
        return;
    }
    if (!(spawn = job_spawn_new(asker, &wish))) {
        job_done_no_memory(asker, wish.number);
        return;
    }
    if (!job_spawn_place(asker, spawn, &wish)) {
        job_spawn_give_up(job, spawn);
        job_done(asker, wish.number, HN_ENOMEM, "hrun cannot hold so many tasks");
        return;
    }
    /* A job that has been alone so far begins to announce its growth. */
    job->tasks.alone |= !job->tasks.grown; /* so that all are notified of the first one */
    job->tasks.grown = true;
    job_announce_grown(job);
    char *here = getcwd(NULL, 0);
    for (int i = 0; i < job->nhost; i++)
        job_spawn_on_host(&job->host[i], spawn, &wish, here ? here : "/");
    free(here);
}

/* ---- outcomes --------------------------------------------------------------------------- */

/* A task that was not started has tid 0 in the answer, and its error. The answer is in the order of
 * the request's tasks. */
static void job_spawn_answer(const struct job_spawn *spawn)
{
    struct pack inner = {0};
    pack_u32(&inner, spawn->number);
    pack_str(&inner, spawn->why);
    pack_u32(&inner, spawn->n);
    for (uint32_t i = 0; i < spawn->n; i++) {
        pack_u32(&inner, spawn->error[i] ? 0 : spawn->tid[i]);
        pack_u32(&inner, (uint32_t)-spawn->error[i]);
    }
    job_send_task(job_any_task(spawn->job, spawn->asker), CONTROL_SPAWN_DONE, &inner);
}

/* Has no effect for a task that was not spawned, or whose outcome is known.  The last one answers
 * the request and frees it. error HN_OK: the process exists. */
void job_spawn_outcome(struct job_task *task, int error, const char *why)
{
    struct job_spawn *spawn = task->spawned.spawn;
    if (!spawn)
        return;
    task->spawned.spawn = NULL;
    spawn->error[task->spawned.spawn_at] = error;
    /* One reason is enough: the others most often failed for the same. */
    if (error && !spawn->why && asprintf(&spawn->why, "host %s: %s", task->host->name, why) < 0)
        spawn->why = NULL;
    if (--spawn->open > 0)
        return;
    job_spawn_answer(spawn);
    job_spawn_free(spawn);
}
