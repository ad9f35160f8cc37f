/* job_ended.c - the record of a spawned task that has ended; see job_task.h.
 *
 * A job may spawn tasks for weeks.  When a spawned task has ended, and all of its output is
 * written, its struct job_task is freed.  Only the result of hn_task_status() is kept: a struct
 * job_ended in a list of its host, and one copy of each program name.  With -trace nothing is
 * freed, because the file names all tasks.
 *
 * job_any_task() returns a view of such a task.  It is valid until the next ended task of that host
 * is looked up.
 *
 * Memory of a task that has ended is 24 bytes and a share of its program's name. Its tid stays
 * valid for look-ups, and is never given out again.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/streams/job_stdio.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Returns the job's copy of the name, adding it if necessary.  NULL: out of memory. The copy lives
 * as long as the job. */
static const char *job_keep_name(struct job *job, const char *name)
{
    /* From the end: a program that spawns for weeks mostly spawns the same program. */
    for (size_t i = job->tasks.nname; i > 0; i--)
        if (strcmp(job->tasks.name[i - 1], name) == 0)
            return job->tasks.name[i - 1];
    char *copy = ARRAY_ROOM(job->tasks.name, job->tasks.nname + 1) ? strdup(name) : NULL;
    return copy ? job->tasks.name[job->tasks.nname++] = copy : NULL;
}

/* The array has room for twice the tasks, so that it is not reallocated for each end. Without
 * memory the task stays in its full form, which costs only memory. */
static bool job_keep_ended(struct job_task *task)
{
    struct job_host *host = task->host;
    const char *name = job_keep_name(host->job, task->spawned.name);
    if (host->tasks.nended < host->tasks.ntask) {
        uint32_t n = 2 * host->tasks.ntask;
        if (!ARRAY_ROOM(host->tasks.ended, n))
            return false;
        host->tasks.nended = n;
    }
    host->tasks.ended[control_serial(task->tid) - 1] =
        (struct job_ended){.name = name,
                           .parent = task->spawned.parent,
                           .rank = task->rank,
                           .pid = task->pid,
                           .wait_status = task->wait_status};
    return name;
}

/* Tasks of the first world stay: hrun's exit status and its reports refer to them. A task that
 * captures output, or whose output is not written yet, stays as well (job_stdio_close_task()).
 * O(tasks), at each spawn. */
void job_free_ended(struct job *job)
{
    for (int i = job->tasks.world; !job->trace && i < job->tasks.ntask;) {
        struct job_task *task = job->tasks.task[i];
        if (task->state != JOB_TASK_OVER || !task->spawned.name || !job_stdio_close_task(task) ||
            !job_keep_ended(task)) {
            i++;
            continue;
        }
        task->host->tasks.task[control_serial(task->tid) - 1] = NULL;
        /* The last task takes its place in the list; the order of the list has no meaning. */
        job->tasks.task[i] = job->tasks.task[--job->tasks.ntask];
        job->tasks.over--;
        job->tasks.freed++;
        free(task->asker);
        free(task->last_line);
        free(task->spawned.name);
        free(task);
    }
}
