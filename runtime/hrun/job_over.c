/* job_over.c - a task is over: what follows for others; see job.h. */
#include "hrun/job.h"

/* Everybody learns that a task has ended. */
static void job_spread_end(const struct job_task *task, uint32_t wait_status, bool host_lost)
{
    struct job *job = task->host->job;
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        if (!job_host_is_up(host))
            continue;
        control_put(channel_out(&host->channel), CONTROL_GONE, task->tid, (unsigned)wait_status,
                    host_lost ? 1u : 0u);
        job_host_send(host);
    }
}

void job_task_over(struct job_task *task, uint32_t wait_status, bool host_lost)
{
    task->state = JOB_TASK_OVER;
    task->wait_status = wait_status;
    task->host->job->tasks.over++;
    task->host->tasks.live--;
    job_spawn_outcome(task, HN_EDEAD, "it was lost");
    job_output_over(task);
    job_capture_over(task);
    job_watch_task_over(task);
    job_answer_all(task);
    job_spread_end(task, wait_status, host_lost);
    job_announce_grown(task->host->job);
    job_agree_without(task);
    job_groups_without(task, wait_status != 0);
    job_names_without(task);
}

void job_tasks_lost(struct job_host *host)
{
    for (uint32_t i = 0; i < host->tasks.ntask; i++)
        if (host->tasks.task[i] && host->tasks.task[i]->state != JOB_TASK_OVER)
            job_task_over(host->tasks.task[i], 9, true);
}
