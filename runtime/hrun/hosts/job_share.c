/* job_share.c - a machine with several names in the hosts file; see job_host.h.
 *
 * Its agents report the same machine id.  Slots that the user has given count for each name.  Slots
 * that default to the cores are shared by the names, and a message reports that.
 *
 * Only the default number of slots depends on it; nothing is enforced.
 */
#include "hrun/hosts/job_host.h"

#include <string.h>

/* An agent without a machine id is a machine of its own. b must be up, since its id is known only
 * then. */
static bool job_is_same_machine(const struct job_host *a, const struct job_host *b)
{
    return a->about.machine_id[0] && job_host_is_up(b) &&
           strcmp(a->about.machine_id, b->about.machine_id) == 0;
}

static bool job_has_slots(const struct job_host *host)
{
    return host->line && host->line->slots > 0;
}

/* Divides the cores of a machine among its names, of which this is the first. n names share;
 * `given` are slots by the user. */
static void job_share_machine(struct job_host *first)
{
    struct job *job = first->job;
    struct pack names = {0};
    int given = 0, n = 0, all = 0, at = 0;
    for (int i = 0; i < job->nhost; i++)
        if (job_is_same_machine(first, &job->host[i])) {
            given += job_has_slots(&job->host[i]) ? job->host[i].line->slots : 0;
            n += !job_has_slots(&job->host[i]);
            pack_raw(&names, ", ", all++ > 0 ? (size_t)2 : (size_t)0);
            pack_raw(&names, job->host[i].name, strlen(job->host[i].name));
        }
    /* What the user has given is not changed; the other names share the rest. */
    for (int i = 0; i < job->nhost && all > 1; i++)
        if (job_is_same_machine(first, &job->host[i]) && !job_has_slots(&job->host[i]))
            job->host[i].about.share = place_share(first->about.cores, given, n, at++);
    pack_u8(&names, 0);
    if (all > 1 && n > 0 && !names.failed)
        job_say(job, "%.200s are one machine: its %d core%s count once", (char *)names.data,
                first->about.cores, first->about.cores == 1 ? "" : "s");
    pack_free(&names);
}

/* O(hosts^2), once before tasks are placed. A machine is handled at its first name. */
void job_share_cores(struct job *job)
{
    for (int i = 0; i < job->nhost; i++) {
        bool first = job_host_is_up(&job->host[i]);
        for (int k = 0; k < i && first; k++)
            first = !job_is_same_machine(&job->host[i], &job->host[k]);
        if (first)
            job_share_machine(&job->host[i]);
    }
}

/* Running tasks keep their slots, so the new name gets what is left, at least one. (hn_add_hosts())
 */
void job_share_rest(struct job_host *added)
{
    struct job *job = added->job;
    int given = 0;
    for (int i = 0; i < job->nhost; i++)
        if (&job->host[i] != added && job_is_same_machine(added, &job->host[i]))
            given += job_host_slots(&job->host[i]);
    if (given > 0)
        added->about.share = place_share(added->about.cores, given, 1, 0);
}
