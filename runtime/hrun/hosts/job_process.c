/* job_process.c - the process of a host's agent, which hrun or another agent has started: its
 * standard error, its silence, its end; see job_host.h.
 *
 * Three timers belong to a host that is being started.  They are the deadline of its present step,
 * the pause before another attempt, and a look every second at its silence.  `lost` is a timer of 0
 * s, which only defers work to the loop.
 *
 * The watchers belong to the host's entry and are initialised once; an attempt only starts and
 * stops them.
 */
#include "hrun/hosts/job_host.h"

#include "base/clean.h"
#include "base/machine.h"
#include "base/tcp_look.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOB_LOST_PACKETS 10 /* seconds of silence after which lost packets end the wait */

/* There is one deadline per host; setting it again replaces the former one. */
void job_host_alarm(struct job_host *host, double seconds)
{
    ev_timer_stop(host->job->loop, &host->coming.deadline);
    ev_timer_set(&host->coming.deadline, seconds > 0 ? seconds : 0., 0.);
    ev_timer_start(host->job->loop, &host->coming.deadline);
}

/* ---- output and end of the process ------------------------------------------------------ */

/* Stores the line without trailing blanks, dots and carriage returns, sanitised, as it is printed
 * later. An empty line leaves the last one, which says more. */
void job_host_hear(struct job_host *host)
{
    char *line = (char *)host->process.error_text.data;
    size_t n = host->process.error_text.length;
    while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' ' || line[n - 1] == '.'))
        n--;
    if (n > 0) {
        if (n >= JOB_LINE)
            n = JOB_LINE - 1;
        for (size_t i = 0; i < n; i++)
            host->process.last_line[i] = line[i] ? line[i] : '?';
        host->process.last_line[n] = 0;
        clean_text(host->process.last_line);
        job_verbose(host->job, "host %s: %s", host->name, host->process.last_line);
    }
    host->process.error_text.length = 0;
}

/* Lines longer than 4 JOB_LINE are cut.  Any output restarts the count of quiet seconds. */
void job_host_said(struct job_host *host, const char *data, size_t n)
{
    host->coming.quiet = 0;
    for (size_t i = 0; i < n; i++)
        if (data[i] == '\n')
            job_host_hear(host);
        else if (host->process.error_text.length < 4 * JOB_LINE)
            pack_u8(&host->process.error_text, (uint8_t)data[i]);
}

/* Returns what read() does; -1 with EAGAIN: nothing at present. */
static ssize_t job_host_read_errors(struct job_host *host)
{
    char data[4096];
    ssize_t n = read(host->process.errors.fd, data, sizeof data);
    if (n > 0)
        job_host_said(host, data, (size_t)n);
    return n;
}

static void job_host_on_errors(struct ev_loop *loop, ev_io *watcher, int events)
{
    (void)events;
    if (job_host_read_errors(watcher->data) == 0)
        ev_io_stop(loop, watcher);
}

/* ---- prompts that nobody answers -------------------------------------------------------- */

/* Whether the unfinished line of standard output there, or of standard error, is a prompt. Only as
 * long as the first line of the agent has not come. */
static bool job_host_asks(const struct job_host *host)
{
    const struct sync *sync = &host->channel.sync;
    size_t n = sync->length < SYNC_LINE ? sync->length : SYNC_LINE;
    return host->channel.syncing &&
           (sync_asks(sync->line, n) || sync_asks((const char *)host->process.error_text.data,
                                                  host->process.error_text.length));
}

/* Every second until the agent's first line.  It ends the wait early in two cases: a prompt that no
 * one can answer, and lost packets on the way there. Only hrun's own connections can be looked at
 * in this machine's kernel. */
static void job_host_on_silence(struct ev_loop *loop, ev_timer *timer, int events)
/* The watcher stops as soon as the agent has answered. */
{
    struct job_host *host = timer->data;
    char hint[TCP_LOOK_TEXT];
    bool spoke = host->coming.bytes_in != host->channel.bytes_in;
    (void)events;
    host->coming.bytes_in = host->channel.bytes_in;
    host->coming.quiet = spoke ? 0 : host->coming.quiet + 1;
    /* a slow line is no reason to give up while bytes arrive */
    if (spoke && host->coming.staged)
        job_host_alarm(host, JOB_STAGE_PATIENCE);
    if (host->state != MEMBER_STARTING || !host->channel.syncing) {
        ev_timer_stop(loop, timer);
    } else if (host->coming.quiet >= JOB_QUESTION && job_host_asks(host)) {
        ev_timer_stop(loop, timer);
        host->coming.asks = true;
        job_host_event(host, MEMBER_DEADLINE);
    } else if (host->coming.quiet >= JOB_LOST_PACKETS && !host->parent &&
               tcp_look_begun(host->process.pid, hint)) {
        ev_timer_stop(loop, timer);
        job_host_event(host, MEMBER_DEADLINE);
    }
}

/* The process has ended and its channel is closed.  This is one event, which may start the host
 * again, and end others.  So it is handled from the loop, never inside a caller that still uses the
 * host or its channel. The timer of 0 s is started at most once, as starting it again has no
 * effect. */
void job_host_lost_if_both(struct job_host *host)
{
    if (host->process.exited && host->process.hung_up)
        ev_timer_start(host->job->loop, &host->process.lost);
}

/* Other processes may hold its standard error open (ssh's shared connections do).  So only the
 * available bytes are read. */
static void job_host_close_errors(struct job_host *host)
{
    if (host->process.errors.fd < 0)
        return;
    while (job_host_read_errors(host) > 0)
        ;
    ev_io_stop(host->job->loop, &host->process.errors);
    close(host->process.errors.fd);
    ev_io_set(&host->process.errors, -1, EV_READ);
}

/* The last line of standard error is complete only now, and is often the reason. The state may
 * change here, and the host may be started again. */
static void job_host_on_lost(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job_host *host = timer->data;
    (void)events;
    ev_timer_stop(loop, timer);
    job_host_close_errors(host);
    job_host_hear(host);
    pack_free(&host->process.error_text);
    job_host_event(host, MEMBER_LOST);
}

/* For an agent that hrun cannot wait for as a child: both ends count as closed. wait_status: as of
 * wait(). */
void job_agent_ended(struct job_host *host, int wait_status)
{
    channel_close(&host->channel);
    host->process.exited = host->process.hung_up = true;
    host->process.wait_status = wait_status;
    job_host_lost_if_both(host);
}

/* A process that has ended leaves only the channel to close.  A living one was started by another
 * host's agent, by hrun itself, or by the persistent machine.  SIGTERM first, SIGKILL at the next
 * call; the alarm causes that call. */
void job_host_kill(struct job_host *host)
{
    if (host->process.exited) { /* another process holds the channel: close it */
        channel_close(&host->channel);
        host->process.hung_up = true;
        job_host_lost_if_both(host);
        return;
    }
    /* SIGKILL if SIGTERM has been sent before. */
    int number = host->process.kills++ > 0 ? SIGKILL : SIGTERM;
    /* Its process belongs to another host's agent, which sends the signal. */
    if (host->parent) {
        job_tree_signal(host, number);
    } else if (host->process.pid) {
        /* The whole group: ssh may have started a ProxyCommand. */
        kill(-host->process.pid, number);
    } else { /* the machine ends agents that no process waits for */
        ev_io_stop(host->job->loop, &host->process.answer);
        close(host->process.answer.fd);
        job_agent_ended(host, number);
        return;
    }
    job_host_alarm(host, JOB_LINGER);
}

/* What the agent had written before its end is read first.  The channel may stay open for
 * JOB_LINGER seconds, if other processes hold it. */
static void job_host_exited(struct job_host *host, int wait_status)
{
    host->process.exited = true;
    host->process.wait_status = wait_status;
    if (!host->process.hung_up) {
        /* The channel's data are in the socket's buffer and remain readable. */
        channel_read_now(&host->channel);
        job_host_alarm(host, JOB_LINGER);
    }
    job_host_lost_if_both(host);
}

static void job_host_on_exit(struct ev_loop *loop, ev_child *watcher, int events)
{
    (void)events;
    ev_child_stop(loop, watcher);
    job_host_exited(watcher->data, watcher->rstatus);
}

/* The machine answers when the agent has ended, or cannot be started.  A negative status is an
 * error of the machine itself; 255 is what ssh would return. Its text becomes the last line, as
 * that of ssh would. */
static void job_host_on_answer(struct ev_loop *loop, ev_io *watcher, int events)
{
    struct job_host *host = watcher->data;
    char *text = NULL;
    int status = machine_answer(watcher->fd, &text);
    (void)events;
    ev_io_stop(loop, watcher);
    close(watcher->fd);
    job_host_said(host, text ? text : "", text ? strlen(text) : 0);
    free(text);
    job_host_exited(host, (status < 0 ? 255 : status) << 8);
}

/* A child is watched by its process id, an agent of the machine by the connection to the gate. One
 * of the two watchers is active until the end. */
void job_host_watch_end(struct job_host *host, const struct launched *launched)
{
    host->process.pid = launched->pid;
    if (launched->pid) {
        ev_child_init(&host->process.exit, job_host_on_exit, launched->pid, 0);
        host->process.exit.data = host;
        ev_child_start(host->job->loop, &host->process.exit);
    } else {
        ev_io_init(&host->process.answer, job_host_on_answer, launched->answer, EV_READ);
        host->process.answer.data = host;
        ev_io_start(host->job->loop, &host->process.answer);
    }
}

/* One of both ends is still open: it is closed by force.  If both are, or none, the state machine
 * decides. With one end open, either the channel is held by another process, or the process hangs.
 */
static void job_host_on_deadline(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job_host *host = timer->data;
    bool starting = host->state == MEMBER_STARTING || host->state == MEMBER_SYNCED;
    (void)loop, (void)events;
    if (host->parent && starting) { /* hrun will start it itself */
        job_tree_signal(host, SIGTERM);
        job_agent_ended(host, 255 << 8);
    } else if (host->process.exited != host->process.hung_up)
        job_host_kill(host);
    else
        job_host_event(host, MEMBER_DEADLINE);
}

/* ---- initialisation --------------------------------------------------------------------- */

/* The pause is over; windows may have filled meanwhile. */
static void job_host_on_retry(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    ev_timer_stop(loop, timer);
    job_start_more(((struct job_host *)timer->data)->job);
}

/* The entry was zero before, which is the start value of everything else. */
void job_host_init(struct job *job, int number, const struct host_line *line)
{
    struct job_host *host = &job->host[number];
    host->job = job;
    host->number = (uint32_t)number;
    host->line = line;
    host->name = line ? line->name : job->own_name;
    /* A standby host waits until a task adds it. */
    host->wanted = !(line && line->standby);
    host->channel.in = -1;
    host->about.load = UINT32_MAX;
    ev_io_init(&host->process.errors, job_host_on_errors, -1, EV_READ);
    ev_timer_init(&host->process.lost, job_host_on_lost, 0., 0.);
    ev_timer_init(&host->coming.deadline, job_host_on_deadline, 0., 0.);
    ev_timer_init(&host->coming.retry, job_host_on_retry, 0., 0.);
    ev_timer_init(&host->coming.silence, job_host_on_silence, 0., 1.);
    host->process.errors.data = host->process.lost.data = host;
    host->coming.deadline.data = host->coming.retry.data = host->coming.silence.data = host;
}
