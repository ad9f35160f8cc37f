/* job_strangers.c - hrun -v: reports connections that tasks and agents refused.  It prints a line
 * for the first one of a source, and the counts at the end of the job (strangers.h). */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"

/* A tid without a task: the agent itself has refused the connection. */
void job_stranger(struct job_host *host, struct unpack *in)
{
    struct job *job = host->job;
    uint32_t tid = unpack_u32(in);
    const char *source = unpack_str(in);
    uint32_t attempts = unpack_u32(in);
    const char *why = unpack_str(in);
    const struct job_task *task = job_any_task(job, tid);
    /* The table is bounded; sources beyond it share an entry. */
    struct stranger *one = strangers_of(&job->seen.strangers, source);
    if (one->count == 0 && task)
        job_verbose(job, "rank %u (host %s) refused a connection from %s: %s", task->rank,
                    host->name, source, why);
    else if (one->count == 0)
        job_verbose(job, "the agent of host %s refused a connection from %s: %s", host->name,
                    source, why);
    one->count += attempts;
}

/* Before the streams end, since the lines are printed through them. */
void job_strangers_end(struct job *job)
{
    const struct strangers *all = &job->seen.strangers;
    for (unsigned i = 0; i < all->n; i++)
        job_verbose(job, "%u connection%s from %s refused", all->of[i].count,
                    all->of[i].count == 1 ? "" : "s", all->of[i].source);
}
