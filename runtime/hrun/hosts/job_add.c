/* job_add.c - adds and removes hosts while the job runs (hn_add_hosts(), hn_remove_hosts()); see
 * job_host.h.
 *
 * Adding: ADD_HOSTS_ASK contains names of standby hosts, or lines of a hosts file.  Each host gets
 * the next number and is started like the first hosts.  When its agent is up, all agents and tasks
 * get its name (HOSTS_MORE).  When the outcomes of all hosts are known, tasks with requests for new
 * hosts get one notification, and HOSTS_DONE answers.
 *
 * Removing: the agent ends its tasks and itself.  Then tasks with requests get a notification, and
 * HOSTS_DONE answers.
 *
 * Failures: a line with an error, or a name that exists already or does not exist, fails at once.
 * If a host cannot be reached, that is its outcome; the job continues, and its name may be added
 * again.
 *
 * A removed host that is added again is a new host: numbers, like tids, are never reused.
 *
 * A request lives until each of its hosts has an outcome. Hosts refer to it by host->change, and
 * forget it with their outcome, so it is freed exactly once.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"
#include "hrun/staging/job_stage.h"

#include "base/array.h"
#include "base/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of hosts in a request: half of those that a job can have (CONTROL_HOSTS_MAX). */
enum { JOB_HOSTS_A_REQUEST = 4096 };
#define JOB_REMOVE_PATIENCE 2.0 /* seconds between SIGTERM and SIGKILL */

/* A request in progress. Made by job_change_new(), freed by job_change_less(). */
struct job_change {
    uint32_t asker, number; /* tid; number of its question */
    uint32_t n, open;       /* hosts; those without an outcome */
    struct job_outcome {
        int error;
        uint32_t tid; /* of the host, or 0 */
        char *text;
    } * outcome;
};

/* ---- the answer ------------------------------------------------------------------------- */

/* The texts are those of the answer. */
static void job_change_free(struct job_change *change)
{
    for (uint32_t i = 0; i < change->n; i++)
        free(change->outcome[i].text);
    free(change->outcome);
    free(change);
}

/* Sends one notification about all hosts that the request has added.  Hosts that have been removed
 * or lost since are not up. Without memory there is no notification. */
static void job_change_watched(struct job *job, const struct job_change *change)
{
    uint32_t *tids = calloc(change->n, sizeof *tids), n = 0;
    for (uint32_t i = 0; tids && i < change->n; i++)
        if (!change->outcome[i].error &&
            job_host_is_up(&job->host[control_host(change->outcome[i].tid)]))
            tids[n++] = change->outcome[i].tid;
    if (n > 0)
        job_watch_hosts_added(job, tids, n);
    free(tids);
}

/* The asker may have ended meanwhile; then the answer is dropped. */
static void job_change_answer(struct job *job, const struct job_change *change)
{
    job_change_watched(job, change);
    const struct job_task *asker = job_any_task(job, change->asker);
    struct pack inner = {0};
    pack_u32(&inner, change->number);
    pack_u32(&inner, change->n);
    for (uint32_t i = 0; i < change->n; i++) {
        pack_u32(&inner, (uint32_t)-change->outcome[i].error);
        pack_u32(&inner, change->outcome[i].tid);
        pack_str(&inner, change->outcome[i].text);
    }
    job_send_task(asker, CONTROL_HOSTS_DONE, &inner);
}

/* One outcome more is known.  The last one answers the request. */
static void job_change_less(struct job *job, struct job_change *change)
{
    if (--change->open > 0)
        return;
    job_change_answer(job, change);
    job_change_free(change);
}

/* Stores an outcome; the format is that of printf(). */
__attribute__((format(printf, 6, 0))) static void job_outcome(struct job *job,
                                                              struct job_change *change,
                                                              uint32_t at, int error, uint32_t tid,
                                                              const char *format, va_list list)
{
    struct job_outcome *outcome = &change->outcome[at];
    outcome->error = error;
    outcome->tid = tid;
    if (vasprintf(&outcome->text, format, list) < 0)
        outcome->text = NULL;
    job_change_less(job, change);
}

/* Sets the outcome for an entry of the request that names no host to wait for. */
__attribute__((format(printf, 5, 6))) static void job_refuse(struct job *job,
                                                             struct job_change *change, uint32_t at,
                                                             int error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    job_outcome(job, change, at, error, 0, format, list);
    va_end(list);
}

/* Only the first outcome of a host counts; later calls have no effect. */
void job_changed(struct job_host *host, int error, const char *format, ...)
{
    struct job_change *change = host->change;
    va_list list;
    if (!change)
        return;
    host->change = NULL;
    va_start(list, format);
    job_outcome(host->job, change, host->change_at, error, control_tid(host->number, 0), format,
                list);
    va_end(list);
}

/* ---- adding ----------------------------------------------------------------------------- */

/* Sends the name of a host that is up now to all agents and tasks. It must reach
 * tasks before the notification that names the host's tid. */
static void job_spread_host(const struct job_host *added)
{
    struct job *job = added->job;
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        if (!job_host_is_up(host))
            continue;
        struct pack *out = channel_out(&host->channel);
        size_t begun = control_begin(out, CONTROL_HOSTS_MORE);
        pack_u32(out, 1);
        pack_u32(out, added->number);
        pack_str(out, added->name);
        control_end(out, begun);
        job_host_send(host);
    }
}

/* Called when its agent is up, and again when staging has ended there. It has no effect while
 * programs are being staged there: tasks could not be started yet. */
void job_host_added(struct job_host *host)
{
    if (!host->change || host->removed || host->tree.staging > 0)
        return;
    job_share_rest(host);
    job_spread_host(host);
    job_changed(host, HN_OK, "%s", "");
}

/* The host with this name: the active one, else the last one.  Blanks after the name do not make it
 * a line, because a program may have read it from a file. "": none, as every name has letters. */
static struct job_host *job_host_named(struct job *job, const char *name)
{
    struct job_host *found = NULL;
    size_t n = strlen(name);
    while (n > 0 && isspace((unsigned char)name[n - 1]))
        n--;
    for (int i = 0; i < job->nhost; i++)
        if (strncmp(job->host[i].name, name, n) == 0 && !job->host[i].name[n]) {
            found = &job->host[i];
            if (found->wanted && found->state != MEMBER_GONE)
                return found;
        }
    return found;
}

/* Allocates the next host.  NULL: all host numbers are used. It is not started: state
 * MEMBER_QUEUED, not wanted. */
static struct job_host *job_next_host(struct job *job, const struct host_line *line)
{
    if (job->nhost == CONTROL_HOSTS_MAX)
        return NULL;
    job_host_init(job, job->nhost, line);
    return &job->host[job->nhost++];
}

/* Stores the lines that a task has given for the lifetime of the job. NULL with an error text. A
 * line that has failed is freed. */
static const struct host_line *job_read_line(struct job *job, const char *text)
{
    struct hosts *hosts;
    if (!ARRAY_ROOM(job->added, job->nadded + 1)) {
        error_set(HN_ENOMEM, "out of memory");
        return NULL;
    }
    if (hosts_parse("hn_add_hosts", text, strlen(text), &hosts))
        return NULL;
    if (hosts->n != 1)
        error_set(HN_EARG, "'%s' is not one host: give one in each string", text);
    if (hosts->n != 1 || job_allow_line(job, hosts->line)) {
        hosts_free(hosts);
        return NULL;
    }
    job->added[job->nadded++] = hosts;
    return hosts->line;
}

/* A name of a known host uses that host's line: a standby host, or one that has left.  Any other
 * text is a line of its own.  Nothing is started here: the host is queued, and started like any
 * other. Each text has exactly one outcome, now or later. */
static void job_add_one(struct job *job, struct job_change *change, uint32_t at, const char *text)
{
    /* A standby host may be named as it is written in the file. */
    while (*text == '&' || isspace((unsigned char)*text))
        text++;
    struct job_host *host = job_host_named(job, text);
    const struct host_line *line = host ? host->line : job_read_line(job, text);
    if (!line && !host) {
        job_refuse(job, change, at, HN_EARG, "%s", hn_error_text());
        return;
    }
    if (!host)
        host = job_host_named(job, line->name);
    /* In the job or on its way into it: a second request for the same host is an error of the
     * program. */
    if (host && host->wanted && host->state != MEMBER_GONE) {
        job_refuse(job, change, at, HN_EARG, "host %s is in the job already", host->name);
        return;
    }
    /* The agent and programs for its directory, which no host may have had so far. */
    if (job_stage_for(job, line)) {
        job_refuse(job, change, at, HN_EHOST, "%s", hn_error_text());
        return;
    }
    /* A host that has left keeps its number; its successor gets a new one. */
    if (!host || host->state == MEMBER_GONE || host->line != line)
        host = job_next_host(job, line);
    if (!host) {
        job_refuse(job, change, at, HN_EARG, "the job has had %d hosts: no more have numbers",
                   CONTROL_HOSTS_MAX);
        return;
    }
    /* From here on job_host_may_start() selects it. */
    host->wanted = host->added = true;
    host->coming.alone = true; /* so that it depends on no other host */
    host->change = change;
    host->change_at = at;
}

/* NULL: the question was answered with an error. Both kinds of requests have the same form. */
static struct job_change *job_change_new(const struct job_task *asker, struct unpack *in)
{
    struct job_change *change = calloc(1, sizeof *change);
    uint32_t number = unpack_u32(in), n = unpack_u32(in);
    if (change && n > 0 && n <= JOB_HOSTS_A_REQUEST)
        change->outcome = calloc(n, sizeof *change->outcome);
    if (!change || !change->outcome) {
        free(change);
        job_done(asker, number, HN_EARG, "give 1 to %d hosts", JOB_HOSTS_A_REQUEST);
        return NULL;
    }
    change->asker = asker->tid;
    change->number = number;
    change->n = n;
    change->open = n + 1; /* one more, so that it exists until all are started */
    return change;
}

void job_on_add_hosts_ask(struct job_task *asker, struct unpack *in)
{
    struct job *job = asker->host->job;
    struct job_change *change = job_change_new(asker, in);
    for (uint32_t i = 0; change && i < change->n; i++)
        job_add_one(job, change, i, unpack_str(in));
    if (!change)
        return;
    /* Starts the hosts that were queued, as far as the windows allow. */
    job_start_more(job);
    /* Takes back the one that was counted in advance; if all were refused, this answers. */
    job_change_less(job, change);
}

/* ---- removing --------------------------------------------------------------------------- */

/* Its agent has ended as requested. A host that was lost by itself has no request. */
void job_host_removed(struct job_host *host)
{
    if (!host->removed)
        return;
    job_tasks_lost(host);
    job_watch_host_lost(host, true);
    job_changed(host, HN_OK, "%s", "");
}

/* A host whose agent was started by this one, and ends with it; or NULL. O(hosts), for a rare
 * request. */
static const struct job_host *job_child_of(const struct job_host *parent)
{
    const struct job *job = parent->job;
    for (int i = 0; i < job->nhost; i++)
        if (job->host[i].parent == parent && job->host[i].state != MEMBER_GONE)
            return &job->host[i];
    return NULL;
}

/* A host cannot be removed while it carries the channel of another one, nor by a task that runs on
 * it.  The ends of its tasks are expected from now on. Its tasks get SIGTERM by their agent, and
 * SIGKILL after JOB_REMOVE_PATIENCE. */
static void job_remove_one(const struct job_task *asker, struct job_change *change, uint32_t at,
                           const char *name)
{
    struct job *job = asker->host->job;
    struct job_host *host = job_host_named(job, name);
    if (!host || !job_host_is_up(host)) {
        job_refuse(job, change, at, HN_EARG, "no host of this job that runs is %s", name);
        return;
    }
    if (host == asker->host) {
        job_refuse(job, change, at, HN_EARG, "host %s is the one of the task that asks", name);
        return;
    }
    const struct job_host *child = job_child_of(host);
    if (child) {
        job_refuse(job, change, at, HN_EARG, "host %s is needed: host %s was started from it", name,
                   child->name);
        return;
    }
    /* The outcome of the other request would get lost. */
    if (host->change) {
        job_refuse(job, change, at, HN_EARG, "host %s is being added: wait for that first", name);
        return;
    }
    host->change = change;
    host->change_at = at;
    /* From here on its loss is expected. */
    host->removed = true;
    for (uint32_t i = 0; i < host->tasks.ntask; i++)
        if (host->tasks.task[i])
            /* So their ends are no failures of the job. */
            host->tasks.task[i]->spawned.end_expected = true;
    job_host_end(host, JOB_REMOVE_PATIENCE, "the host was removed from the job");
}

void job_on_remove_hosts_ask(struct job_task *asker, struct unpack *in)
{
    struct job_change *change = job_change_new(asker, in);
    for (uint32_t i = 0; change && i < change->n; i++)
        job_remove_one(asker, change, i, unpack_str(in));
    if (change)
        job_change_less(asker->host->job, change);
}
