/* job_task_end.c - the consequences of a task's end for others; see job_task.h. */
#include "hrun/services/job_groups.h"
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"
#include "hrun/services/job_service.h"
#include "hrun/streams/job_stdio.h"

/* First the request that has spawned the task, then its output, because the notifications that
 * follow may end the tasks that would read them. GONE comes before agreements and groups: a task
 * that gets their answers knows already who is missing. */
void job_task_end(struct job_task *task, uint32_t wait_status, bool host_lost)
{
    task->state = JOB_TASK_OVER;
    task->wait_status = wait_status;
    task->host->job->tasks.over++;
    task->host->tasks.live--;
    job_spawn_outcome(task, HN_EDEAD, "it was lost");
    job_output_end(task);
    job_capture_end(task);
    job_watch_task_end(task);
    job_answer_all(task);
    job_put_all(task->host->job, CONTROL_GONE, task->tid, (unsigned)wait_status,
                host_lost ? 1u : 0u);
    job_announce_grown(task->host->job);
    job_agree_without(task);
    job_groups_without(task, wait_status != 0);
    job_names_without(task);
}

/* Their output that has not arrived is lost, too. Their status is that of a process killed by
 * SIGKILL. */
void job_tasks_lost(struct job_host *host)
{
    for (uint32_t i = 0; i < host->tasks.ntask; i++)
        if (host->tasks.task[i] && host->tasks.task[i]->state != JOB_TASK_OVER)
            job_task_end(host->tasks.task[i], 9, true); /* as if by SIGKILL */
}
