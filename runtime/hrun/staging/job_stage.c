/* job_stage.c - hrun's side of staging agents and programs to hosts (-stage); see stage.h,
 * job_stage.h.
 *
 * Files are taken from the local directory path= of a host's line, so that hosts of another
 * architecture get their own.  Without path=, or if the program is not in it, hrun stages its own
 * hnowd and the program as it would run here.  Programs in system directories are not staged: each
 * host has its own.  Hosts on this machine need nothing.
 *
 * Programs that tasks spawn, and agents for hosts that tasks add, are staged when they are first
 * needed.  Meanwhile SPAWN_ASKs wait.  A spawned program that does not exist here may exist on the
 * host.
 *
 * Cost: everything is read once, for its hash.  Agents are kept in memory.  Programs are read and
 * compressed in pieces, when an agent requests a piece, and the pieces are kept.
 *
 * Hosts ask for what they lack, by the hash of the file. So nothing is sent twice to a cache that
 * several hosts share, and a host never names a path here.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"
#include "hrun/staging/job_stage.h"

#include "hrun/staging/staged.h"
#include "base/array.h"
#include "base/error.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* A program in the form for the hosts of one directory. files.n 0: it could not be read. */
struct job_bundle {
    const char *directory;
    char *name;
    struct staged files;
};

/* An agent in the form in which it is sent. It belongs to the agent with the same index. */
struct job_content {
    uint8_t *plain, *packed; /* packed NULL: not requested yet */
    size_t packed_size;
};

/* Exists only with -stage.  All arrays grow, and their entries keep their index. directory strings
 * belong to options or hosts files. */
struct job_stage {
    struct launch_agent
        *agent; /* one for each directory; job->launch has the same pointer, and their number */
    struct job_content *content; /* of each agent */
    struct job_bundle *bundle;
    int nbundle;
};

/* The directory whose files a host gets; equal strings mean equal files. line NULL: this machine.
 */
static const char *job_stage_directory(const struct job *job, const struct host_line *line)
{
    return line && line->path ? line->path : job->launch.directory;
}

/* ---- finding the files ------------------------------------------------------------------ */

/* directory/name or directory/bin/name, which the caller frees. NULL: neither exists. As in a build
 * directory, or as installed. "": directly in it. */
static char *job_stage_in(const char *directory, const char *name)
{
    static const char *const below[] = {"", "bin/"};
    for (int i = 0; i < 2; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s%s", directory, below[i], name) >= 0 && search_is_program(path))
            return path;
        free(path);
    }
    return NULL;
}

/* The path has a slash, since search_program() found it in a directory. Only the directory counts,
 * not links to it. */
static bool job_stage_is_system(const char *path)
{
    static const char *const own[] = {"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/"};
    size_t n = (size_t)(strrchr(path, '/') + 1 - path);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(own[i]) == n && strncmp(own[i], path, n) == 0)
            return true;
    return false;
}

/* The program as it would run here; *system: hosts have their own. NULL: not found. The caller
 * frees the result. */
static char *job_stage_here(const char *name, bool *system)
{
    char *path = strchr(name, '/') ? NULL : search_program(getenv("PATH"), name);
    *system = path && job_stage_is_system(path);
    return path || !search_is_program(name) ? path : strdup(name);
}

/* Makes room for one more agent.  Room for one bundle as well, so that callers need only one
 * check. False: no memory; arrays that have grown stay so. */
static bool job_stage_grow(struct job *job)
{
    struct job_stage *stage = job->stage;
    bool room = ARRAY_ROOM(stage->agent, job->launch.nagent + 1);
    job->launch.agent = stage->agent; /* the array may have moved */
    return room && ARRAY_ROOM(stage->content, job->launch.nagent + 1) &&
           ARRAY_ROOM(stage->bundle, stage->nbundle + 1);
}

/* The agent is read as a whole and kept, because each host that lacks it gets all of it.
 * agent->directory is kept by reference. */
static int job_stage_add_agent(struct job *job, const char *directory)
{
    struct job_stage *stage = job->stage;
    int n = job->launch.nagent;
    if (!job_stage_grow(job))
        return error_set(HN_ENOMEM, "out of memory");
    struct launch_agent *agent = &stage->agent[n];
    char *path = job_stage_in(directory, "hnowd");
    if (!path)
        return error_set(HN_EARG, "-stage: there is no hnowd in %s", directory);
    agent->directory = directory;
    uint8_t *plain = staged_load(path, &agent->size);
    /* Stored before the hash is made, so that it is freed after an error, too. */
    stage->content[n] = (struct job_content){.plain = plain};
    struct stage_hash *hash = plain ? stage_hash_begin() : NULL;
    if (hash) {
        stage_hash_add(hash, plain, (size_t)agent->size);
        stage_hash_end(hash, agent->hash);
        /* Counted last: an agent whose file could not be read is never offered. */
        job->launch.nagent++;
    }
    free(path);
    return hash ? HN_OK : HN_ESYS;
}

/* NULL: it was not added for this directory. */
static struct job_bundle *job_stage_bundle(struct job_stage *stage, const char *directory,
                                           const char *name)
{
    for (int i = 0; i < stage->nbundle; i++)
        if (strcmp(stage->bundle[i].directory, directory) == 0 &&
            strcmp(stage->bundle[i].name, name) == 0)
            return &stage->bundle[i];
    return NULL;
}

/* Each program is added once for each directory.  A program of the system is not staged, which is
 * no error. A static program has one file, others have their libraries and loader as well. */
static int job_stage_add_program(struct job *job, const char *directory, const char *name)
{
    struct job_stage *stage = job->stage;
    const char *slash = strrchr(name, '/');
    bool system = false;
    if (job_stage_bundle(stage, directory, name))
        return HN_OK;
    if (!job_stage_grow(job))
        return error_set(HN_ENOMEM, "out of memory");
    /* A directory given by path= may have the program for its hosts' machine. So hosts of another
     * architecture get theirs. */
    char *path = strcmp(directory, job->launch.directory)
                     ? job_stage_in(directory, slash ? slash + 1 : name)
                     : NULL;
    if (!path)
        path = job_stage_here(name, &system);
    int error = HN_OK;
    if (!path)
        error =
            error_set(HN_EARG, "-stage: the program %s is not here, or is not executable", name);
    if (path && !system) {
        struct job_bundle bundle = {.directory = directory, .name = strdup(name)};
        error =
            bundle.name ? staged_open(&bundle.files, path) : error_set(HN_ENOMEM, "out of memory");
        /* Only a complete bundle is counted, since counted ones are offered. */
        if (error) {
            staged_free(&bundle.files);
            free(bundle.name);
        } else
            stage->bundle[stage->nbundle++] = bundle;
    }
    free(path);
    return error;
}

/* Idempotent: files that were read before are not read again. Agents and programs of the command
 * line, for this line's directory. */
int job_stage_for(struct job *job, const struct host_line *line)
{
    if (!job->stage)
        return HN_OK;
    const char *directory = job_stage_directory(job, line);
    bool known = false;
    for (int i = 0; i < job->launch.nagent && !known; i++)
        known = strcmp(job->stage->agent[i].directory, directory) == 0;
    int error = known ? HN_OK : job_stage_add_agent(job, directory);
    for (int i = 0; !error && i < job->options->nprogram; i++)
        error = job_stage_add_program(job, directory, job->options->program[i].argv[0]);
    return error;
}

/* Before the first process starts, so that a missing file costs nothing. All hosts count, also
 * those on standby. */
int job_stage_begin(struct job *job)
{
    int error = HN_OK;
    if (!job->options->stage)
        return HN_OK;
    job->stage = calloc(1, sizeof *job->stage);
    if (!job->stage)
        return error_set(HN_ENOMEM, "out of memory");
    for (int i = 0; i < job->nhost && !error; i++)
        error = job_stage_for(job, job->host[i].line);
    return error;
}

/* Also after a failed job_stage_begin(). */
void job_stage_free(struct job *job)
{
    struct job_stage *stage = job->stage;
    if (!stage)
        return;
    for (int i = 0; i < job->launch.nagent; i++) {
        free(stage->content[i].plain);
        free(stage->content[i].packed);
    }
    for (int i = 0; i < stage->nbundle; i++) {
        staged_free(&stage->bundle[i].files);
        free(stage->bundle[i].name);
    }
    job_forget_questions(&job->spawns_waiting);
    free(stage->agent);
    free(stage->content);
    free(stage->bundle);
    free(stage);
}

/* ---- sending ---------------------------------------------------------------------------- */

/* False: nothing is to be staged for this host, so the line is a version that does not fit. packed:
 * the shell there can use gzip. */
bool job_stage_agent(struct job_host *host, bool packed)
{
    const struct launch *launch = &host->job->launch;
    const struct launch_agent *agent = host->line ? launch_agent_of(launch, host->line) : NULL;
    if (!agent)
        return false;
    struct job_content *content = &host->job->stage->content[agent - launch->agent];
    struct pack *out = channel_out(&host->channel);
    size_t size = (size_t)agent->size;
    const uint8_t *data = content->plain;
    char line[48];
    /* Compressed once, at the first request, for all hosts. */
    if (packed && !content->packed)
        content->packed = staged_pack(content->plain, size, &content->packed_size);
    packed = packed && content->packed; /* without memory it is sent uncompressed */
    if (packed) {
        data = content->packed;
        size = content->packed_size;
    }
    job_verbose(host->job, "host %s: the agent is carried there, %zu bytes%s", host->name, size,
                packed ? ", packed" : "");
    /* The agent's own version line follows when it runs. */
    channel_expect_sync(&host->channel);
    /* a line for the shell on the host, which stores that many bytes (launch_words.c) */
    snprintf(line, sizeof line, "%zu %s\n", size, packed ? "gzip -dc" : "cat");
    pack_raw(out, line, strlen(line));
    pack_raw(out, data, size);
    job_host_send(host);
    return true;
}

/* Offers a program: the agent requests the files that its cache lacks, and reports when it has
 * all. An offer is answered by STAGE_DONE, with or without an error; tree.staging counts those that
 * are open. */
static void job_stage_program(struct job_host *host, const struct job_bundle *bundle)
{
    const struct staged *staged = &bundle->files;
    struct pack *out = channel_out(&host->channel);
    size_t begun = control_begin(out, CONTROL_STAGE);
    pack_str(out, bundle->name);
    /* Whether the last file is the program's loader. */
    pack_u8(out, staged->loader);
    pack_u32(out, (uint32_t)staged->n);
    for (int i = 0; i < staged->n; i++) {
        pack_str(out, staged->file[i].hash);
        pack_u64(out, staged->file[i].size);
        pack_str(out, staged->file[i].name);
    }
    control_end(out, begun);
    host->tree.staging++;
}

/* Offers all programs for this host's directory. Called once, after SETUP. A host on this machine
 * finds the files itself. */
void job_stage_host(struct job_host *host)
{
    const struct job_stage *stage = host->job->stage;
    if (!stage || host->about.direct)
        return;
    const char *directory = job_stage_directory(host->job, host->line);
    for (int i = 0; i < stage->nbundle; i++)
        if (strcmp(stage->bundle[i].directory, directory) == 0)
            job_stage_program(host, &stage->bundle[i]);
    job_host_send(host);
}

/* A file that belongs to several programs is found in the first; they are equal. */
static struct staged_file *job_stage_file(const struct job_stage *stage, const char *hash)
{
    for (int i = 0; i < stage->nbundle; i++)
        for (int k = 0; k < stage->bundle[i].files.n; k++)
            if (strcmp(stage->bundle[i].files.file[k].hash, hash) == 0)
                return &stage->bundle[i].files.file[k];
    return NULL;
}

/* A host can request only files that it was offered: it names a hash, not a path. A wrong offset is
 * refused by staged_piece(). */
static void job_stage_want(struct job_host *host, struct unpack *in)
{
    const char *hash = unpack_str(in);
    uint64_t offset = unpack_u64(in);
    struct staged_file *file = job_stage_file(host->job->stage, hash);
    size_t bytes;
    if (!file)
        return;
    const struct staged_piece *piece = staged_piece(file, offset, &bytes);
    /* The hash of the file is known to the host, so other content would be refused there. */
    if (!piece) {
        job_fail(host->job, 1, 0., "-stage: %s has changed, or cannot be read any more",
                 file->path);
        return;
    }
    /* `bytes` is the length before compression; equal lengths mean that the piece is not
     * compressed. */
    channel_put(&host->channel, CONTROL_STAGE_DATA, hash, offset, (unsigned)bytes,
                (const void *)piece->data, piece->n);
}

/* ---- spawned programs ------------------------------------------------------------------- */

/* A host that is lost does not count: nothing more comes from it. */
static bool job_stage_is_busy(const struct job *job)
{
    for (int i = 0; i < job->nhost; i++)
        if (job_host_is_up(&job->host[i]) && job->host[i].tree.staging > 0)
            return true;
    return false;
}

/* Offers a local program to all hosts that were not offered it yet. Errors are ignored: the file
 * may not exist here, but on the host. The program is looked for once for each directory. */
static void job_stage_spawned(struct job *job, const char *name)
{
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        const char *directory = job_stage_directory(job, host->line);
        if (host->about.direct || !job_host_is_up(host) ||
            job_stage_bundle(job->stage, directory, name))
            continue;
        int before = job->stage->nbundle;
        if (job_stage_add_program(job, directory, name) || job->stage->nbundle == before)
            continue;
        for (int k = i; k < job->nhost; k++)
            if (!job->host[k].about.direct && job_host_is_up(&job->host[k]) &&
                strcmp(job_stage_directory(job, job->host[k].line), directory) == 0) {
                job_stage_program(&job->host[k], &job->stage->bundle[before]);
                job_host_send(&job->host[k]);
            }
    }
}

/* True: the question was deferred, and is asked again when no host is staging any more. question:
 * the fields of the frame, which are copied. */
bool job_stage_first(const struct job_task *asker, const char *program,
                     const struct unpack *question)
{
    struct job *job = asker->host->job;
    if (!job->stage)
        return false;
    job_stage_spawned(job, program);
    return job_stage_is_busy(job) &&
           job_defer_question(&job->spawns_waiting, asker, CONTROL_SPAWN_ASK, question);
}

/* Called when a host has all files, or is gone. */
void job_stage_continue(struct job *job)
{
    while (!list_empty(&job->spawns_waiting) && !job_stage_is_busy(job))
        job_ask_again(job, &job->spawns_waiting);
    job_announce_grown(job); /* the questions may have had no effect */
    job_names_check(job);
    job_groups_check(job);
}

/* ---- frames ----------------------------------------------------------------------------- */

/* Before tasks are placed, a host without the program cannot take part, so the job fails. Later
 * only a spawned program is missing; its host then reports that to the task that asked. why "": all
 * files are there. */
static void job_stage_done(struct job_host *host, const char *name, const char *why)
{
    struct job *job = host->job;
    host->tree.staging--;
    if (why[0] && job->tasks.placed)
        job_say(job, "host %s: -stage: %s: %s", host->name, name, why);
    else if (why[0])
        job_fail(job, 1, 0., "host %s: -stage: %s: %s", host->name, name, why);
    job_host_added(host);
    job_stage_continue(job);
    job_step(job);
}

/* Without -stage no agent has been offered anything, so such frames are ignored. WANT and DONE are
 * the only frames of staging that an agent sends. */
void job_stage_frame(struct job_host *host, struct control_frame *frame)
{
    struct unpack *in = &frame->payload;
    if (!host->job->stage)
        return;
    if (frame->kind == CONTROL_STAGE_WANT) {
        job_stage_want(host, in);
        return;
    }
    const char *name = unpack_str(in), *why = unpack_str(in);
    job_stage_done(host, name, why);
}
