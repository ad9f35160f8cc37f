/* job_service.c - sends answers to tasks; see job_service.h.
 *
 * Questions arrive through the agents, wrapped in FROM_TASK; answers are sent wrapped in TO_TASK.
 * Every question begins with a number that its answer repeats.  DONE answers any question that
 * needs no other answer, or has failed.  Cost: a round trip between task and hrun, O(length of the
 * answer).
 */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

#include <stdarg.h>

/* ---- answers ---------------------------------------------------------------------------- */

/* A frame for one task there, or for all (tid 0).  Without an agent it is dropped: its tasks have
 * ended with it. */
static void job_wrap(struct job_host *host, uint32_t tid, enum control_kind kind,
                     const struct pack *inner)
{
    if (!job_host_is_up(host))
        return;
    channel_put(&host->channel, CONTROL_TO_TASK, tid, (unsigned)kind, (const void *)inner->data,
                inner->length);
}

/* The fields are encoded anew for each agent; a va_list may be used again only because
 * control_vput() copies it. */
void job_put_all(struct job *job, enum control_kind kind, ...)
{
    va_list fields;
    va_start(fields, kind);
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        if (!job_host_is_up(host))
            continue;
        control_vput(channel_out(&host->channel), kind, fields);
        job_host_send(host);
    }
    va_end(fields);
}

/* Takes the packed answer in every case, also if the task has ended. */
void job_send_task(const struct job_task *task, enum control_kind kind, struct pack *inner)
{
    if (task->state != JOB_TASK_OVER && !inner->failed && !job_shortcut_answer(task, kind, inner))
        job_wrap(task->host, task->tid, kind, inner);
    pack_free(inner);
}

void job_send_all_tasks(struct job *job, enum control_kind kind, struct pack *inner)
{
    for (int i = 0; i < job->nhost && !inner->failed; i++)
        job_wrap(&job->host[i], 0, kind, inner);
    pack_free(inner);
}

/* The text is cut at 399 bytes.  Error codes are negative and are sent as their absolute values. */
void job_done(const struct job_task *task, uint32_t number, int error, const char *format, ...)
{
    struct pack inner = {0};
    char why[400];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    pack_u32(&inner, number);
    pack_u32(&inner, (uint32_t)-error);
    pack_str(&inner, why);
    job_send_task(task, CONTROL_DONE, &inner);
}

void job_done_well(const struct job_task *task, uint32_t number)
{
    job_done(task, number, HN_OK, "%s", "");
}

void job_done_no_memory(const struct job_task *task, uint32_t number)
{
    job_done(task, number, HN_ENOMEM, "hrun is out of memory");
}

void job_number(const struct job_task *task, uint32_t number, uint32_t value)
{
    struct pack inner = {0};
    pack_u32(&inner, number);
    pack_u32(&inner, value);
    job_send_task(task, CONTROL_NUMBER, &inner);
}

/* A spawn that waits for staging counts as a task that will exist. */
bool job_is_alone(const struct job *job)
{
    return job->tasks.ntask - job->tasks.over < 2 && list_empty(&job->spawns_waiting);
}

/* Sent only when it changes.  Tasks of a job that has never spawned anything know the world, and
 * get nothing. */
void job_announce_grown(struct job *job)
{
    struct pack inner = {0};
    bool alone = job_is_alone(job);
    if (!job->tasks.grown || alone == job->tasks.alone)
        return;
    job->tasks.alone = alone;
    pack_u8(&inner, !alone);
    job_send_all_tasks(job, CONTROL_GROWN, &inner);
}
