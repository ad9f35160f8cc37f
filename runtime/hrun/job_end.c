/* job_end.c - the end of a job; see job.h.
 *
 * The first of these events decides the exit status and the message:
 *     a task failed (nonzero status, a signal, or no hn_exit())            its status, 128 + signal
 *     a task called hn_abort()                                             its argument
 *     a host cannot be reached, or is lost                                 1
 *     the user's SIGINT, SIGTERM, SIGHUP                                   128 + signal
 *     -timeout                                                             124
 * Then the agents end their tasks: SIGTERM, and SIGKILL when patience is over.  The user's first
 * signal is sent to the tasks, which have JOB_GRACE seconds to act on it.  The second one ends
 * everything at once.  SIGQUIT ends nothing: it reports what all tasks wait for (job_stall.c).  So
 * does -timeout before it ends the job.
 */
#include "hrun/hosts/job_host.h"

#include "base/clean.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define JOB_CLEANUP 3.0 /* seconds that an agent may take after that */

enum { JOB_NAME = 512 }; /* bytes of a task's description */

/* Describes how a process ended.  A status above 128 is probably a shell's for a signal, so that
 * signal is named, too. */
const char *job_how(int wait_status, char text[64])
{
    if (WIFSIGNALED(wait_status))
        snprintf(text, 64, "signal %d (%s)", WTERMSIG(wait_status),
                 strsignal(WTERMSIG(wait_status)));
    else if (WEXITSTATUS(wait_status) > 128 && WEXITSTATUS(wait_status) < 128 + 32)
        snprintf(text, 64, "status %d (%s)", WEXITSTATUS(wait_status),
                 strsignal(WEXITSTATUS(wait_status) - 128));
    else
        snprintf(text, 64, "status %d", WEXITSTATUS(wait_status));
    return text;
}

/* ---- ending the agents ------------------------------------------------------------------ */

/* Asks one agent to end, and sets its deadline.  A host that is only being started is ended by the
 * state machine alone. */
void job_host_end(struct job_host *host, double patience, const char *why)
{
    struct job *job = host->job;
    enum member_state before = host->state;
    if (before == MEMBER_SYNCED || before == MEMBER_UP || before == MEMBER_ENDING) {
        channel_put(&host->channel, CONTROL_END, (unsigned)(patience * 1000), why);
        ev_timer_stop(job->loop, &host->coming.deadline);
        ev_timer_set(&host->coming.deadline, patience + JOB_CLEANUP, 0.);
        ev_timer_start(job->loop, &host->coming.deadline);
    }
    job_host_event(host, MEMBER_END);
}

/* May be called again with less patience: agents that are ending get the new one. */
void job_end(struct job *job, double patience)
{
    job->end.ending = true;
    job->end.decided = true;
    /* The end has been decided, so neither timer may decide it again. */
    ev_timer_stop(job->loop, &job->end.timeout);
    ev_timer_stop(job->loop, &job->end.patience);
    job_refusals_say(job);
    for (int i = 0; i < job->nhost; i++)
        if (job->host[i].wanted && job->host[i].state != MEMBER_GONE)
            job_host_end(&job->host[i], patience, job->end.why);
    job_step(job);
}

/* Ends the job a moment later: others may have failed for the same reason and should be
 * reported. */
void job_end_in(struct job *job, double seconds)
{
    if (job->end.ending)
        return;
    ev_timer_stop(job->loop, &job->end.patience);
    ev_timer_set(&job->end.patience, seconds, 0.);
    ev_timer_start(job->loop, &job->end.patience);
}

/* The first failure decides status and message.  Before tasks are placed the end is delayed, so
 * that further hosts with the same problem are named in one message. */
void job_fail(struct job *job, int exit_status, double patience, const char *format, ...)
{
    /* Later failures are usually consequences of the first. */
    bool first = !job->end.decided;
    if (job->end.ending)
        return;
    if (format && first) {
        va_list list;
        va_start(list, format);
        vsnprintf(job->end.why, sizeof job->end.why, format, list);
        va_end(list);
        /* The text may come from another host, and is printed and sent on. */
        clean_text(job->end.why);
        job_say(job, "%s", job->end.why);
    }
    if (!first) {
        /* more hosts may fail for the same reason */
        if (!job->tasks.placed && ev_is_active(&job->end.patience))
            job_end_in(job, patience);
        return;
    }
    job->end.decided = true;
    job->end.exit_status = exit_status;
    if (job->tasks.placed)
        job_end(job, patience);
    else
        job_end_in(job, patience);
}

/* Output may be lost while the last of it is written, when the job is ending already. */
void job_spoil(struct job *job, int exit_status, const char *format, ...)
{
    char why[sizeof job->end.why];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    if (!job->end.ending) {
        job_fail(job, exit_status, 2., why[0] ? "%s" : NULL, why);
    } else if (job->end.exit_status == 0) {
        job->end.exit_status = exit_status;
        if (why[0])
            job_say(job, "%s", why);
    }
}

/* ---- a task has ended ------------------------------------------------------------------- */

/* A program that never enrols is judged by its status alone.  A task must also have called
 * hn_exit(). */
static bool job_is_failure(int wait_status, unsigned how)
{
    return wait_status != 0 || ((how & CONTROL_DID_ENROL) && !(how & CONTROL_DID_LEAVE));
}

/* A failed task's own status; one that has only not called hn_exit() gives 1. */
static int job_status_of(int wait_status)
{
    if (WIFSIGNALED(wait_status))
        return 128 + WTERMSIG(wait_status);
    return WEXITSTATUS(wait_status) ? WEXITSTATUS(wait_status) : 1;
}

/* A task's name for the user.  Spawned tasks are not identified by their rank. */
static const char *job_name_of(const struct job_task *task, char text[JOB_NAME])
{
    const char *host = task->host->name;
    if (task->spawned.parent)
        snprintf(text, JOB_NAME, "task %u (%.80s, host %s, pid %u)", task->tid, task->spawned.name,
                 host, task->pid);
    else
        snprintf(text, JOB_NAME, "rank %u (tid %u, host %s, pid %u)", task->rank, task->tid, host,
                 task->pid);
    return text;
}

/* Formats "0.3 s ago; last line of stderr: 'no such file'". */
static const char *job_last_words(const struct job_task *task, uint32_t ago, char text[JOB_NAME])
{
    bool said = task->last_line;
    snprintf(text, JOB_NAME, "%.1f s ago%s%s%s", ago / 1000.,
             said ? "; last line of stderr: '" : "", said ? task->last_line : "", said ? "'" : "");
    return text;
}

/* Ends that another task has requested are no failures.  Later failures, after the first one has
 * decided the end, are its consequences and are not reported. */
void job_task_ended(struct job_task *task, int wait_status, unsigned how, uint32_t ago)
{
    struct job *job = task->host->job;
    char text[64], name[JOB_NAME], words[JOB_NAME];
    if (!job_is_failure(wait_status, how) || task->spawned.end_expected || job->end.decided)
        return;
    job_how(wait_status, text);
    job_name_of(task, name);
    job_last_words(task, ago, words);
    const char *left =
        how & CONTROL_DID_CLOSE
            ? ": it had closed descriptors that are hnow's (closefrom(3), close() of "
              "all numbers), or had become another program"
        : wait_status ? ""
                      : " without hn_exit() (daemon(3) ends a task, too)";
    /* The tasks that remain would wait for this one. */
    if (!job->options->notify) {
        job_fail(job, job_status_of(wait_status), JOB_PATIENCE,
                 "%s ended by %s%s: the job was ended (%s)", name, text, left, words);
        return;
    }
    job_say(job, "%s ended by %s%s: the others continue (%s)", name, text, left, words);
    if (job->end.exit_status == 0)
        job->end.exit_status = job_status_of(wait_status);
}

/* Status 0 without a reason is a successful end, so nothing is printed. */
void job_on_abort_ask(struct job_task *task, struct unpack *in)
{
    /* Only 8 bits of an exit status reach hrun's caller. */
    unsigned number = unpack_u32(in), status = unpack_u32(in) & 255;
    const char *why = unpack_str(in);
    char name[JOB_NAME];
    (void)number;
    if (status == 0 && !why[0])
        job_fail(task->host->job, 0, JOB_PATIENCE, NULL);
    else
        job_fail(task->host->job, (int)status, JOB_PATIENCE, "%s ended the job%s%s",
                 job_name_of(task, name), why[0] ? ": " : "", why);
}
