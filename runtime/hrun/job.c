/* job.c - the steps of a job; see job.h.
 *
 * Each step is checked by job_on_step() after any event that may complete it, and all checks are
 * idempotent.  So no file has to know which step comes next.
 *
 * A job goes through these states.  Hosts are started; tasks are placed when all wanted hosts are
 * up; the end begins when all tasks are over.  The last state waits for all agents and for the
 * output that is still in hrun's buffers.
 *
 * Everything runs in one thread, in the event loop's callbacks.  struct job is on the stack of
 * job_run(), which ends every part in an order in which no part uses one that has ended.
 */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"
#include "hrun/services/job_service.h"
#include "hrun/staging/job_stage.h"
#include "hrun/streams/job_stdio.h"
#include "hrun/diagnosis/job_trace.h"

#include "base/error.h"
#include "hnowd/spawn.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A host to which programs are still being staged does not count as up yet. */
static bool job_all_up(const struct job *job)
{
    for (int i = 0; i < job->nhost; i++)
        if (job->host[i].wanted &&
            (!job_host_is_up(&job->host[i]) || job->host[i].tree.staging > 0))
            return false;
    return true;
}

/* Also true if no host is wanted any more. */
static bool job_all_gone(const struct job *job)
{
    for (int i = 0; i < job->nhost; i++)
        if (job->host[i].wanted && job->host[i].state != MEMBER_GONE)
            return false;
    return true;
}

/* Whether some host may still come up.  A pause before another attempt counts, too. */
static bool job_any_starting(const struct job *job)
{
    for (int i = 0; i < job->nhost; i++)
        if (job->host[i].state == MEMBER_STARTING || job->host[i].state == MEMBER_SYNCED ||
            ev_is_active(&job->host[i].coming.retry))
            return true;
    return false;
}

/* all hosts up -> tasks -> all tasks over -> agents asked to end -> all gone -> output written.  A
 * job whose end is decided before its tasks are placed waits for the hosts that are still
 * starting. */
static void job_on_step(struct ev_loop *loop, ev_timer *step, int events)
{
    struct job *job = step->data;
    (void)loop, (void)events;
    /* Set by job_start_more(), which may be called from any event. */
    if (job->start_more) {
        job->start_more = false;
        job_hosts_start_more(job);
    }
    /* placed is set first, so that a failure of job_place() ends the job at once. */
    if (!job->tasks.placed && !job->end.decided && job_all_up(job)) {
        job->tasks.placed = true;
        if (job_place(job) && job->options->nprogram > 0)
            job_start_tasks(job);
    }
    if (job->tasks.placed && !job->end.ending && job->tasks.over == job->tasks.ntask)
        job_end(job, 0.);
    if (!job->tasks.placed && !job->end.ending && job->end.decided && !job_any_starting(job))
        job_end(job, 0.);
    if (job->end.ending && job_all_gone(job) && spout_is_empty(&job->stdio.out) &&
        spout_is_empty(&job->stdio.err)) {
        job->end.done = true;
        ev_break(job->loop, EVBREAK_ALL);
    }
}

/* Without a hosts file the only host is this machine. */
static bool job_hosts_init(struct job *job)
{
    job->nhost = job->hosts ? job->hosts->n : 1;
    /* Room for the maximum number of hosts, so that hosts never move.  Memory that is not touched
     * costs nothing. */
    int room = job->nhost > CONTROL_HOSTS_MAX ? job->nhost : CONTROL_HOSTS_MAX;
    job->host = calloc((size_t)room, sizeof *job->host);
    if (!job->host)
        return false;
    /* The last byte stays 0, so a name that is cut ends, too. */
    if (gethostname(job->own_name, sizeof job->own_name - 1) || !job->own_name[0])
        strcpy(job->own_name, "localhost");
    for (int i = 0; i < job->nhost; i++)
        job_host_init(job, i, job->hosts ? &job->hosts->line[i] : NULL);
    return true;
}

/* With -map, only the named hosts are started.  Invalid names are detected before anything is
 * started.  Only the names are read here, since the number of slots is known later. */
static int job_read_map(struct job *job)
{
    struct place_host *hosts = calloc((size_t)job->nhost, sizeof *hosts);
    struct place_map map;
    if (!job->options->map || !hosts) {
        free(hosts);
        return HN_OK;
    }
    for (int i = 0; i < job->nhost; i++)
        hosts[i] = (struct place_host){job->host[i].name, 1, job->host[i].wanted};
    int error = place_read_map(job->options->map, hosts, job->nhost, &map);
    if (!error) {
        for (int i = 0; i < job->nhost; i++)
            job->host[i].wanted = false;
        /* A host may be named several times. Its index is that of the hosts file. */
        for (int i = 0; i < map.n; i++)
            job->host[map.host[i]].wanted = true;
        free(map.host);
    }
    free(hosts);
    return error;
}

/* After -map has been read, at least one host must be wanted.  More hosts than CONTROL_HOSTS_MAX
 * have no numbers in tids. */
static int job_check(struct job *job)
{
    if (job->nhost > CONTROL_HOSTS_MAX)
        return error_set(HN_EARG, "%d hosts are too many for one job: at most %d", job->nhost,
                         CONTROL_HOSTS_MAX);
    int error = job_read_map(job);
    /* Standby hosts are not wanted until a task asks for them. */
    for (int i = 0; !error && i < job->nhost; i++)
        if (job->host[i].wanted)
            return HN_OK;
    return error ? error : error_set(HN_EARG, "there is no host to run on: all are standby hosts");
}

/* Only memory: channels, watchers and processes have ended before. */
static void job_free(struct job *job)
{
    for (int i = 0; i < job->nhost; i++) {
        free(job->host[i].coming.unconnected);
        free(job->host[i].address);
        free(job->host[i].tasks.task);
        free(job->host[i].tasks.ended);
    }
    free(job->host);
    for (int i = 0; i < job->tasks.ntask; i++) {
        free(job->tasks.task[i]->asker);
        free(job->tasks.task[i]->spawned.name);
        free(job->tasks.task[i]->last_line);
        free(job->tasks.task[i]);
    }
    free(job->tasks.task);
    for (size_t i = 0; i < job->tasks.nname; i++)
        free(job->tasks.name[i]);
    free(job->tasks.name);
    free(job->seen.relayed);
    job_stage_free(job);
    watch_free(&job->services.watch);
    /* Lines of added hosts point into these, so they are freed after the hosts. */
    for (size_t i = 0; i < job->nadded; i++)
        hosts_free(job->added[i]);
    free(job->added);
    free((char *)job->launch.directory);
}

/* Everything that can fail because of the command line is checked before the first process is
 * started.  Status 2 is a wrong command line, 1 any other failure. */
int job_run(const struct hrun_options *options, struct hosts *hosts)
{
    struct job job = {.options = options,
                      .hosts = hosts,
                      .loop = ev_default_loop(EVFLAG_AUTO),
                      .host_event = job_on_host_event};
    if (!job.loop || sodium_init() < 0 || !job_hosts_init(&job) ||
        !(job.launch.directory = launch_directory())) {
        job_say(&job, "it cannot start: out of memory, or its own directory is not known");
        return 1;
    }
    /* From here on job_free() can be called on an error: members that are not set are zero. */
    list_init(&job.spawns_waiting);
    if (job_check(&job) || job_stage_begin(&job)) {
        job_say(&job, "%s", hn_error_text());
        job_free(&job);
        return 2;
    }
    /* Each host needs several descriptors; children get the limit from before. */
    job.launch.files = spawn_raise_limit();
    /* Tasks prove by it that they belong to this job. */
    randombytes_buf(job.secret, sizeof job.secret);
    unsetenv("HNOW_TRUSTED"); /* set by an outer hrun, whose hosts are others */
    job.launch.hosts = hosts;
    job.launch.launcher = options->launcher;
    if (!job_stdio_begin(&job) || !job_trace_begin(&job)) {
        job_stdio_end(&job);
        job_free(&job);
        return 1;
    }
    /* Never started as a timer: job_step() feeds its event, so the check runs from the loop. */
    ev_init(&job.step, job_on_step);
    job.step.data = &job;
    list_init(&job.services.agreements);
    job.services.next_context = CONTROL_CONTEXT_FIRST;
    job.services.answer = job_answer_question;
    job_groups_begin(&job);
    job_names_begin(&job);
    job_shortcuts_begin(&job);
    job_end_begin(&job);
    /* Nothing is started yet: that happens in the first step of the loop. */
    job_start_more(&job);
    /* A job without a host to start may have ended already. */
    if (!job.end.done)
        ev_run(job.loop, 0);
    /* Parts that may still print come first, the streams that print come last. */
    job_strangers_end(&job);
    job_shortcuts_end(&job);
    job_trace_end(&job);
    /* Agents have their own copies; none of hrun's memory keeps it. */
    sodium_memzero(job.secret, sizeof job.secret);
    job_agree_end(&job);
    job_delegations_end(&job);
    rosters_free(&job.services.rosters);
    job_names_end(&job);
    job_stdio_end(&job);
    job_free(&job);
    return job.end.exit_status;
}
