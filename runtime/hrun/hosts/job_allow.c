/* job_allow.c - restricts the lines of hosts that tasks add; see job_host.h.
 *
 * A line of the user's own hosts file is trusted.  A line from a task is not.  A program, or an
 * attacker on one of its hosts, must not use it to run commands or to access files on hrun's
 * machine.  So it may only set where the host is and what runs there.  All other keys must be equal
 * to those in the user's own line for that host.  They determine how hrun connects (ssh=, key=,
 * via=, user=), which program is executed or staged (path=), what the agent inherits (env=), and
 * that nobody eavesdrops (trusted=).
 *
 * Names and addresses are not restricted: a host that a task adds is reached as the user's own
 * configuration of ssh says.
 */
#include "hrun/hosts/job_host.h"

#include "base/error.h"

#include <string.h>

static int job_refuse_key(const struct host_line *line, const char *key)
{
    return error_set(HN_EARG,
                     "host %s: %s= is refused in a line that a task gives, it may lead to commands "
                     "on hrun's machine, or open the job to its network: write it into the hosts "
                     "file, or run hrun -allow-ssh",
                     line->name, key);
}

/* Whether the user's own line has the same value. A key that the line does not have is no
 * difference. */
static bool job_is_said(const char *text, const char *own)
{
    return !text || (own && strcmp(text, own) == 0);
}

static bool job_is_said_env(const char *entry, const struct host_line *own)
{
    for (int i = 0; i < own->nenv; i++)
        if (strcmp(entry, own->env[i]) == 0)
            return true;
    return false;
}

/* A key that is not set is always allowed. */
int job_allow_line(const struct job *job, const struct host_line *line)
{
    static const struct host_line nothing = {0};
    int number = job->hosts ? hosts_find(job->hosts, line->name) : -1;
    /* Without a line of the user no such key is allowed. */
    const struct host_line *own = number < 0 ? &nothing : &job->hosts->line[number];
    const struct {
        const char *key, *text, *own;
    } keys[] = {{"ssh", line->ssh, own->ssh},
                {"key", line->key, own->key},
                {"via", line->via, own->via},
                {"user", line->user, own->user},
                {"path", line->path, own->path}};
    if (job->options->allow_ssh)
        return HN_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!job_is_said(keys[i].text, keys[i].own))
            return job_refuse_key(line, keys[i].key);
    for (int i = 0; i < line->nenv; i++)
        if (!job_is_said_env(line->env[i], own))
            return job_refuse_key(line, "env");
    /* Less encryption than the user's line has. */
    if (line->trusted && !own->trusted)
        return job_refuse_key(line, "trusted");
    return HN_OK;
}

/* Whether a task has added this line. By identity: each added line is an object of its own. */
static bool job_is_guest(const struct job *job, const struct host_line *line)
{
    for (size_t i = 0; i < job->nadded; i++)
        if (job->added[i]->line == line)
            return true;
    return false;
}

/* Otherwise the user's file decides (launch.h), and not what agents report: an agent could claim to
 * run on this machine. */
bool job_allow_here(const struct job_host *host)
{
    const struct job *job = host->job;
    return !job->hosts || job->options->allow_ssh || !job_is_guest(job, host->line);
}
