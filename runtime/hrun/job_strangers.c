/* job_strangers.c - hrun -v: reports connections that tasks and agents refused.  It prints a line
 * for the first one of a source, and the counts at the end of the job (strangers.h). */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"

#include <stdio.h>
#include <string.h>

/* The entry of a source.  Beyond JOB_STRANGERS sources, all further ones share "others". */
static struct job_stranger *job_find_stranger(struct job *job, const char *source)
{
    for (int i = 0; i < job->seen.nstranger; i++)
        if (strcmp(job->seen.stranger[i].source, source) == 0)
            return &job->seen.stranger[i];
    if (job->seen.nstranger >= JOB_STRANGERS && strcmp(source, "others") != 0)
        return job_find_stranger(job, "others");
    struct job_stranger *one = &job->seen.stranger[job->seen.nstranger++];
    snprintf(one->source, sizeof one->source, "%s", source);
    return one;
}

/* The tid is an agent's own if its serial number is 0; then there is no task. */
void job_stranger(struct job_host *host, struct unpack *in)
{
    struct job *job = host->job;
    uint32_t tid = unpack_u32(in);
    const char *source = unpack_str(in);
    uint32_t attempts = unpack_u32(in);
    const char *why = unpack_str(in);
    const struct job_task *task = job_any_task(job, tid);
    struct job_stranger *one = job_find_stranger(job, source);
    if (one->attempts == 0 && task)
        job_verbose(job, "rank %u (host %s) refused a connection from %s: %s", task->rank,
                    host->name, source, why);
    else if (one->attempts == 0)
        job_verbose(job, "the agent of host %s refused a connection from %s: %s", host->name,
                    source, why);
    one->attempts += attempts;
}

void job_strangers_end(struct job *job)
{
    for (int i = 0; i < job->seen.nstranger; i++)
        job_verbose(job, "%llu connection%s from %s refused",
                    (unsigned long long)job->seen.stranger[i].attempts,
                    job->seen.stranger[i].attempts == 1 ? "" : "s", job->seen.stranger[i].source);
}
