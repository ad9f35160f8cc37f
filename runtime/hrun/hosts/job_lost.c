/* job_lost.c - handles hosts that cannot be reached or are lost: messages, and consequences for the
 * job; see job_host.h.
 *
 * A host whose sshd is too busy (MaxStartups) is tried again, even after another one has really
 * failed, until the job ends: a refusal alone does not make it unreachable.  A host that another
 * agent cannot start is started by hrun itself.
 *
 * Otherwise a message contains the last line of ssh, and a command to try by hand.  That ends the
 * job, or is the outcome of adding the host.  The loss of an active host ends the job, or with
 * -on-failure notify the others continue.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

#include "base/error.h"
#include "base/tcp_look.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define JOB_RETRY    0.3 /* seconds until a refused host is tried again */
#define JOB_LOOK     4.  /* seconds until a test of a host's addresses ends */
#define JOB_REFUSALS 7.5 /* seconds after the first refusal in which it is tried again */

/* Ends the job soon.  The reason is printed at its end, together with those of other hosts. Later
 * hosts that fail for the same reason are added to the same message. */
static void job_refuse_host(struct job_host *host, double patience, const char *why)
{
    struct job *job = host->job;
    if (job->end.ending)
        return;
    job_refusal_add(host, why);
    /* The text in end.why is the reason that tasks and logs get. */
    if (!job->end.decided)
        snprintf(job->end.why, sizeof job->end.why, "host %s: %s", host->name, why);
    job_fail(job, 1, patience, NULL);
}

/* For a host that a task adds, this is the outcome of its request.  A host of the command line ends
 * the job. The first failure counts; the process is ended if it still runs. */
void job_host_unusable(struct job_host *host, double patience, const char *format, ...)
{
    char why[2 * JOB_LINE];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    if (host->change)
        job_changed(host, HN_EHOST, "host %s: %s", host->name, why);
    else if (!host->added)
        job_refuse_host(host, patience, why);
    if (host->added && !host->process.exited)
        job_host_kill(host);
}

/* Whether a busy sshd closed the connection before the login.  The time is limited, since a host
 * that closes every connection is not busy. The texts are those of OpenSSH for a connection that
 * was closed before its banner. */
static bool job_host_was_refused(struct job_host *host)
{
    static const char *const refusals[] = {"exchange_identification", "Connection reset by peer",
                                           "Connection closed by"};
    bool refusal = false;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        refusal |= strstr(host->process.last_line, refusals[i]) != NULL;
    if (refusal && host->coming.first_refusal == 0)
        host->coming.first_refusal = clock_now();
    return refusal && (double)(clock_now() - host->coming.first_refusal) * 1e-9 <= JOB_REFUSALS;
}

/* Whether it is tried again, or the job ends without an error of this host. */
static bool job_host_try_again(struct job_host *host)
{
    struct job *job = host->job;
    if (!job_host_was_refused(host))
        return false;
    /* No message: the job's own reason is printed. */
    if (job->end.ending)
        return true;
    /* The pause gives the gateway's other logins time to complete. */
    host->state = MEMBER_QUEUED;
    ev_timer_set(&host->coming.retry, JOB_RETRY, 0.);
    ev_timer_start(job->loop, &host->coming.retry);
    return true;
}

/* ssh has given up and reported why its last attempt failed.  If the host's name may have several
 * addresses, tests each (launch_look), and reports the host afterwards: true. Each host is tested
 * at most once. */
static bool job_host_look(struct job_host *host)
{
    struct job *job = host->job;
    struct launch_place place;
    struct address address;
    if (host->coming.unconnected || job->end.decided ||
        job_host_waited(host) + JOB_LOOK > JOB_DEADLINE ||
        !launch_place_of(host->process.last_line, &place) ||
        /* The name is an address: ssh's message says everything. */
        address_from_text(&address, place.name))
        return false;
    host->coming.unconnected = strdup(host->process.last_line);
    if (!host->coming.unconnected)
        return false;
    host->coming.alone = true;
    host->state = MEMBER_QUEUED;
    return true;
}

/* hrun starts the host itself, unless the job is ending anyway. A host that was refused, for
 * example for its version, is not tried again. */
static void job_host_unreached_from_parent(struct job_host *host)
{
    if (host->coming.refused || host->job->end.decided)
        return;
    job_verbose(host->job, "host %s: cannot be started from host %s: %s", host->name,
                host->parent->name,
                host->process.fault[0] ? host->process.fault : host->process.last_line);
    job_tree_failed(host);
    host->state = MEMBER_QUEUED;
}

/* The reason why a host did not come up: the error of its channel, else the last line that ssh or
 * the shell there wrote, on standard error or else on standard output. "": none. */
static const char *job_host_heard(struct job_host *host)
{
    const char *said = host->process.fault[0] ? host->process.fault : host->process.last_line;
    return said[0] || !host->channel.syncing ? said : sync_said(&host->channel.sync);
}

/* A hint that precedes the command to try by hand.  The texts of ssh are matched, so hints depend
 * on its language and version; without a match there is none. */
static const char *job_host_hint(const struct job_host *host, const char *said)
{
    const char *name = host->line->addr ? host->line->addr : host->line->name;
    struct address address;
    if (address_from_text(&address, name) && address.family == 6 &&
        address_is_link_local(&address) && address.scope == 0)
        return " (a link-local address needs its interface: fe80::1%eth0)";
    if (strstr(said, "Could not resolve hostname") && host->job->nhost == 1 &&
        strcmp(host->job->hosts->name, HOSTS_LISTED) == 0)
        return " (there is no such file, and no host of that name)";
    if (strstr(said, "Host key verification failed"))
        return " (its key is unknown or has changed: ssh-keyscan shows its keys)";
    if (strstr(said, "Permission denied ("))
        return " (no password is ever asked for: a key has to be enough, if it has a passphrase "
               "with ssh-agent)";
    return "";
}

/* The agent's process has ended before it answered.  First a retry and a test of addresses are
 * considered; only then the host is reported. */
void job_host_unreached(struct job_host *host)
{
    struct job *job = host->job;
    char how[64], ended[80], tried[2 * JOB_LINE];
    if (host->parent) {
        job_host_unreached_from_parent(host);
        return;
    }
    if (host->coming.refused || job_host_try_again(host) || job_host_look(host))
        return;
    char *by_hand = host->line ? launch_by_hand(&job->launch, host->line) : NULL;
    /* -1: it was ended by a signal. */
    int status = WIFEXITED(host->process.wait_status) ? WEXITSTATUS(host->process.wait_status) : -1;
    const char *said = job_host_heard(host);
    /* Two texts: what ssh said first, and what the test of all addresses has found since. */
    if (host->coming.unconnected) {
        snprintf(tried, sizeof tried, "%s%s%s%s", host->coming.unconnected, said[0] ? " (" : "",
                 said, said[0] ? ")" : "");
        said = tried;
        status = 255; /* the exit status of ssh */
    } else if (!said[0]) {
        snprintf(ended, sizeof ended, "no agent answered, only %s",
                 job_how(host->process.wait_status, how));
        said = ended;
    }
    /* 126: the agent exists and could not be executed; 127: the shell has not found it; 255: ssh
     * itself has failed hrun's own machine needs no advice about ssh. */
    if (host->about.direct || !host->line || status == 126)
        job_host_unusable(host, 0.5, "no agent: %s", said);
    else if (status == 127)
        job_host_unusable(host, 0.5,
                          "%s: install hnow there, give path=DIR in the hosts file, or use -stage",
                          said);
    else
        job_host_unusable(host, 0.5, "cannot be reached: %s%s: try: %s", said,
                          job_host_hint(host, said), by_hand ? by_hand : "ssh");
    free(by_hand);
}

/* Nothing has arrived before the deadline. again: the command to try by hand. */
static void job_host_no_answer(struct job_host *host, const char *said, const char *again)
{
    char hint[TCP_LOOK_TEXT] = "";
    if (!host->parent)
        tcp_look_begun(host->process.pid, hint);
    job_host_unusable(host, 0.5, "cannot be reached: no answer within %.0f s%s%s%s%s%s%s: try: %s",
                      job_host_waited(host), said[0] ? ", the last that came is '" : "", said,
                      said[0] ? "'" : "", hint[0] ? " (" : "", hint, hint[0] ? ")" : "", again);
}

/* Three messages: the host asks a question, the staged agent has stalled, or there was no answer at
 * all. The command to try by hand is part of each. */
void job_host_too_late(struct job_host *host)
{
    struct job *job = host->job;
    char *by_hand = host->line ? launch_by_hand(&job->launch, host->line) : NULL;
    /* A question has no end of line, so the line must be taken as it is. */
    job_host_hear(host);
    const char *said = job_host_heard(host);
    const char *again = by_hand ? by_hand : "again";
    if (host->coming.asks)
        job_host_unusable(host, 0.5,
                          "cannot be reached: it asks '%s', and nobody can answer: try: %s", said,
                          again);
    else if (host->coming.staged)
        job_host_unusable(host, 0.5,
                          "cannot be reached any more: hnowd was on its way there (-stage), and "
                          "nothing more of it has arrived for %.0f s: try: %s",
                          JOB_STAGE_PATIENCE, again);
    else
        job_host_no_answer(host, said, again);
    free(by_hand);
    if (!host->added)
        job_host_kill(host);
}

/* An active host is lost: ends the job, or the others continue. With -on-failure notify the job
 * continues once its tasks are placed. */
static void job_host_failed(struct job_host *host, const char *why)
{
    struct job *job = host->job;
    if (!job->tasks.placed || !job->options->notify || job->end.decided) {
        job_fail(job, 1, 2., "host %s: lost: %s: the job was ended", host->name, why);
        return;
    }
    job_say(job, "host %s: lost: %s: the others continue", host->name, why);
    if (job->end.exit_status == 0)
        job->end.exit_status = 1;
}

/* Prints the most specific reason that is known.  It is an error of the channel, a process that did
 * not end, a signal, or the last line of its standard error. Afterwards its tasks count as killed,
 * and tasks with requests are notified. */
void job_host_lost(struct job_host *host)
{
    char how[64], why[JOB_LINE + 100];
    const char *who = host->about.direct ? "its agent" : "its agent or the connection to it";
    if (host->process.fault[0])
        snprintf(why, sizeof why, "%s", host->process.fault);
    else if (host->process.kills > 0 && !host->process.last_line[0])
        snprintf(why, sizeof why, "%s has closed the channel, and did not end within %.0f s", who,
                 JOB_LINGER);
    else if ((WIFSIGNALED(host->process.wait_status) && host->process.kills == 0) ||
             !host->process.last_line[0])
        snprintf(why, sizeof why, "%s ended by %s", who, job_how(host->process.wait_status, how));
    else
        snprintf(why, sizeof why, "%s ended: %s", who, host->process.last_line);
    job_host_failed(host, why);
    job_tasks_lost(host);
    job_watch_host_lost(host, false);
}
