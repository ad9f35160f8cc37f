/* job_fault.c - failures of connections that tasks report (control_fault); see job_relay.h.
 *
 * If a task cannot communicate with another one, the job ends with a message that names both and
 * the addresses tried.  If the other one has called hn_pause(), it may have become another program.
 * Then it has ended for all others.  Relayed connections end nothing: with -v a line is printed for
 * each pair of hosts.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"
#include "hrun/services/job_service.h"

#include "base/array.h"

/* Whether the pair of hosts is new.  Without memory, every connection counts as new. */
static bool job_relayed_first(struct job *job, uint32_t a, uint32_t b)
{
    /* Both directions are the same pair. */
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    for (size_t i = 0; i < job->seen.nrelayed; i++)
        if (job->seen.relayed[i] == pair)
            return false;
    if (ARRAY_ROOM(job->seen.relayed, job->seen.nrelayed + 1))
        job->seen.relayed[job->seen.nrelayed++] = pair;
    return true;
}

/* Only a line with -v: relayed connections work, but they are slower. */
static void job_relayed(const struct job_task *task, const struct job_task *other,
                        const char *tried)
{
    struct job *job = task->host->job;
    if (job->options->verbose && job_relayed_first(job, task->host->number, other->host->number))
        job_verbose(job,
                    "host %s: connections to host %s are relayed: rank %u tried to reach rank %u: "
                    "%s",
                    task->host->name, other->host->name, task->rank, other->rank, tried);
}

/* Tasks report only what they cannot repair.  Each kind of fault has its own advice to the user. */
void job_fault(struct job_host *host, struct unpack *in)
{
    struct job *job = host->job;
    const struct job_task *task = job_any_task(job, unpack_u32(in));
    const struct job_task *other = job_any_task(job, unpack_u32(in));
    unsigned fault = unpack_u8(in);
    const char *text = unpack_str(in);
    /* An agent may report only for its own tasks. An ended task is no reason to end the job: its
     * end was handled by itself. */
    if (!task || task->host != host || !other || other->state == JOB_TASK_OVER)
        return;
    if (fault == CONTROL_FAULT_RELAYED)
        job_relayed(task, other, text);
    else if (fault == CONTROL_FAULT_OWN)
        job_fail(job, 1, 2., "rank %u (host %s) %s: the job was ended", task->rank, host->name,
                 text);
    else if (fault == CONTROL_FAULT_LARGE)
        job_fail(job, 1, 2.,
                 "rank %u (host %s) to rank %u (host %s): only small packets arrive: %s: the job "
                 "was ended: lower the MTU of that interface",
                 task->rank, host->name, other->rank, other->host->name, text);
    else if (other->spawned.paused)
        job_put_all(job, CONTROL_GONE, other->tid, 0u, 0u);
    else
        job_fail(job, 1, 2.,
                 "rank %u (host %s) cannot reach rank %u (host %s): tried %s: the job was ended: "
                 "open the ports of -ports LO:HI there, or give addr= in the hosts file",
                 task->rank, host->name, other->rank, other->host->name, text);
}
