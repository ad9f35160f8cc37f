/* job_signals.c - the user's signals, and -timeout: they may end the job (job_end.c). */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"
#include "hrun/diagnosis/job_stall.h"

#include "base/signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define JOB_GRACE 5.0 /* seconds between the user's signal and the end */
/* Milliseconds for which Ctrl-Z waits for a host that reads nothing: it is disconnected, or
 * hangs. */
enum { JOB_STOP_DRAIN = 500 };

/* SIGKILL and SIGSTOP cannot be watched; SIGSEGV and the like end hrun as usual. */
static const int job_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGUSR1,
                                  SIGUSR2, SIGTSTP, SIGCONT, SIGQUIT};
enum { JOB_SIGNALS = sizeof job_signals / sizeof *job_signals };

/* The reason to end was given earlier; no further failures are waited for. */
static void job_on_patience(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job *job = timer->data;
    (void)loop, (void)events;
    if (!job->end.ending) {
        job_end(job, job->tasks.placed ? JOB_PATIENCE : 0.);
        return;
    }
    spout_discard_if_stuck(&job->stdio.out);
    spout_discard_if_stuck(&job->stdio.err);
}

/* tid 0: to all tasks of each host. */
static void job_forward(struct job *job, int number)
{
    job_put_all(job, CONTROL_SIGNAL, 0u, (unsigned)number);
}

/* The first signal is forwarded to all tasks, which have JOB_GRACE seconds to end by themselves. */
static void job_interrupt(struct job *job, int number)
{
    /* The second signal, or one before there are tasks that could act on it, ends everything at
     * once. */
    if (++job->end.signals > 1 || !job->tasks.placed) {
        if (!job->end.decided)
            job->end.exit_status = 128 + number;
        job_end(job, 0.);
        /* Repeated: output that stays unwritten for so long is discarded. */
        ev_timer_set(&job->end.patience, JOB_PATIENCE, JOB_PATIENCE);
        ev_timer_start(job->loop, &job->end.patience);
        return;
    }
    /* A job that is ending for another reason keeps that reason and its status. */
    if (!job->end.decided) {
        job->end.decided = true;
        job->end.exit_status = 128 + number;
        snprintf(job->end.why, sizeof job->end.why, "%s: the job was ended", strsignal(number));
        job_say(job, "%s", job->end.why);
    }
    job_forward(job, number);
    job_end_in(job, JOB_GRACE);
}

/* The time in which hrun was stopped does not count: extends the deadlines of hosts. */
static void job_give_time(struct job *job, int64_t stopped)
{
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        host->coming.first_start += host->coming.first_start ? stopped : 0;
        host->coming.first_refusal += host->coming.first_refusal ? stopped : 0;
        /* Only these states have a deadline for coming up. */
        if (host->state == MEMBER_STARTING || host->state == MEMBER_SYNCED)
            job_host_alarm(host, ev_timer_remaining(job->loop, &host->coming.deadline) +
                                     (double)stopped * 1e-9);
    }
}

/* Whether hrun belongs to the first process group of a terminal's session, as in `ssh -t HOST hrun
 * ...` or `xterm -e hrun ...`.  No shell there would continue it, so the kernel ignores Ctrl-Z for
 * programs without a handler (POSIX: orphaned process groups). */
static bool job_is_first_at(int terminal)
{
    return isatty(terminal) && getpgrp() == getsid(0) && tcgetpgrp(terminal) == getpgrp();
}

/* Ctrl-Z: the tasks stop, then hrun; both continue together.  Agents must be notified, because
 * otherwise they would treat hrun's silence as a loss. */
static void job_stop(struct job *job)
{
    /* Either stream may be the terminal, as the other one may be redirected. */
    if (job_is_first_at(STDIN_FILENO) || job_is_first_at(STDERR_FILENO))
        return;
    job_forward(job, SIGTSTP);
    for (int i = 0; i < job->nhost; i++)
        channel_drain(&job->host[i].channel, JOB_STOP_DRAIN);
    int64_t from = clock_now();
    kill(getpid(), SIGSTOP);
    /* libev's time is that from before the stop, and timers would seem late. */
    ev_now_update(job->loop);
    job_give_time(job, clock_now() - from);
    job_forward(job, SIGCONT);
}

/* Signals arrive as events of the loop, so no code here must be safe in a handler. */
static void job_on_signal(struct ev_loop *loop, ev_signal *watcher, int events)
{
    struct job *job = watcher->data;
    (void)loop, (void)events;
    if (watcher->signum == SIGINT || watcher->signum == SIGTERM || watcher->signum == SIGHUP)
        job_interrupt(job, watcher->signum);
    else if (watcher->signum == SIGTSTP)
        job_stop(job);
    else if (watcher->signum == SIGQUIT)
        job_stall(job, NULL);
    else
        job_forward(job, watcher->signum);
}

/* Called once the report is complete, or at once if there is none. */
static void job_time_is_up(struct job *job)
{
    job_fail(job, 124, JOB_PATIENCE, "the time is up: the job was ended after %g s (-timeout)",
             job->options->timeout);
}

/* A report of what the tasks wait for precedes the end, if any task can answer. */
static void job_on_timeout(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job *job = timer->data;
    (void)loop, (void)events;
    if (job->end.decided || !job_stall_is_worth(job))
        job_time_is_up(job);
    else
        job_stall(job, job_time_is_up);
}

/* SIGHUP and SIGINT do not end a job that was started to survive them: by nohup, or in the
 * background of a script. */
static bool job_heeds(int number)
{
    return (number != SIGHUP && number != SIGINT) || !signals_is_ignored(number);
}

/* Called before the first host is started. */
void job_end_begin(struct job *job)
{
    signal(SIGPIPE, SIG_IGN);
    /* hrun in the background must not stop when it reads the terminal, or writes to it */
    signal(SIGTTIN, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
    ev_timer_init(&job->end.patience, job_on_patience, 0., 0.);
    ev_timer_init(&job->end.timeout, job_on_timeout, job->options->timeout, 0.);
    job->end.patience.data = job->end.timeout.data = job;
    /* The time begins with the job, not with its first task. */
    if (job->options->timeout > 0)
        ev_timer_start(job->loop, &job->end.timeout);
    for (int i = 0; i < JOB_SIGNALS; i++) {
        ev_signal *watcher = &job->end.signal[i];
        ev_signal_init(watcher, job_on_signal, job_signals[i]);
        watcher->data = job;
        if (job_heeds(job_signals[i]))
            ev_signal_start(job->loop, watcher);
    }
}
