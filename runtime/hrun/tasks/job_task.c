/* job_task.c - the list of a job's tasks: adding and finding them; see job_task.h.
 *
 * A task is found by its tid in O(1): the host's number and a serial number are parts of it. Tasks
 * of a job that have long ended are stored in a shorter form, job_ended. job->tasks.task has all
 * that are in the full form, in any order; a host's list is by serial number.
 */
#include "hrun/hosts/job_host.h"

#include "base/array.h"

#include <stdlib.h>

/* An ended task in the ordinary form.  The view is the host's only one, so it is valid until
 * the next call for that host, and changes to it are lost. end_expected and retired: nothing
 * more is reported about it. */
static struct job_task *job_ended_view(struct job_host *host, uint32_t serial)
{
    const struct job_ended *ended = &host->tasks.ended[serial - 1];
    host->tasks.view = (struct job_task){.host = host,
                                         .tid = control_tid(host->number, serial),
                                         .rank = ended->rank,
                                         .state = JOB_TASK_OVER,
                                         .pid = ended->pid,
                                         .file = -1,
                                         .spawned.parent = ended->parent,
                                         .spawned.name = (char *)ended->name,
                                         .spawned.end_expected = true,
                                         .spawned.retired = true,
                                         .wait_status = ended->wait_status};
    return &host->tasks.view;
}

/* NULL: the tid belongs to another host, or was never given out. The result is not NULL for a task
 * that has ended. */
struct job_task *job_task_of(struct job_host *host, uint32_t tid)
{
    uint32_t serial = control_serial(tid);
    if (control_host(tid) != host->number || serial == 0 || serial > host->tasks.ntask)
        return NULL;
    return host->tasks.task[serial - 1] ? host->tasks.task[serial - 1]
                                        : job_ended_view(host, serial);
}

/* Accepts any number, since tids arrive from tasks. */
struct job_task *job_any_task(struct job *job, uint32_t tid)
{
    uint32_t number = control_host(tid);
    return number < (uint32_t)job->nhost ? job_task_of(&job->host[number], tid) : NULL;
}

/* Serial numbers start at 1 and are never reused.  Room in both lists is made before anything
 * changes. NULL: no memory, or the host has used all serial numbers. */
struct job_task *job_new_task(struct job *job, uint32_t rank, struct job_host *host)
{
    if (host->tasks.ntask + 1 >= 1u << CONTROL_SERIAL_BITS ||
        !ARRAY_ROOM(host->tasks.task, host->tasks.ntask + 1) ||
        !ARRAY_ROOM(job->tasks.task, job->tasks.ntask + 1))
        return NULL;
    struct job_task *task = calloc(1, sizeof *task);
    if (!task)
        return NULL;
    *task = (struct job_task){.host = host, .rank = rank, .file = -1};
    task->tid = control_tid(host->number, host->tasks.ntask + 1);
    host->tasks.task[host->tasks.ntask++] = task;
    host->tasks.live++;
    job->tasks.task[job->tasks.ntask++] = task;
    return task;
}

/* The name as the user or the spawning task has written it, possibly with a path. It belongs to the
 * task or to hrun's options. */
const char *job_program_name(const struct job_task *task)
{
    const struct hrun_options *options = task->host->job->options;
    return task->spawned.name ? task->spawned.name : options->program[task->program].argv[0];
}

/* The line's number, else this host's share of its machine's cores, else all cores. */
int job_host_slots(const struct job_host *host)
{
    if (host->line && host->line->slots > 0)
        return host->line->slots;
    return host->about.share > 0 ? host->about.share : host->about.cores;
}
