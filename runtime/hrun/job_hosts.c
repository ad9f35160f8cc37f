/* job_hosts.c - the agents of a job: starting them, hearing from them; see job.h.
 *
 * All are started at once, JOB_WINDOW at a time and JOB_WINDOW_VIA through one gateway, whose sshd
 * refuses more than a few connections that have not logged in yet (MaxStartups; who is refused is
 * started again, a little later).  Hosts beyond that may be started by agents that are up
 * (job_tree.c).  Every host has JOB_DEADLINE seconds to come up.
 */
#include "hrun/job.h"

#include "base/clean.h"
#include "base/error.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOB_WINDOW = 16, JOB_WINDOW_VIA = 8 };
#define JOB_TREE_PATIENCE 5.0 /* seconds that a parent may take to start a host, at least */
#define JOB_LINGER        2.0 /* seconds that a channel may stay open when its process has ended */

bool job_host_is_up(const struct job_host *host)
{
    return host->state == MEMBER_UP;
}

void job_host_send(struct job_host *host)
{
    channel_send(&host->channel);
}

static void job_host_alarm(struct job_host *host, double seconds)
{
    ev_timer_stop(host->job->loop, &host->deadline);
    ev_timer_set(&host->deadline, seconds > 0 ? seconds : 0., 0.);
    ev_timer_start(host->job->loop, &host->deadline);
}

/* ---- what the process says and how it ends ----------------------------------------------------
 */

void job_host_hear(struct job_host *host)
{
    char *line = (char *)host->error_text.data;
    size_t n = host->error_text.length;
    while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' ' || line[n - 1] == '.'))
        n--;
    if (n > 0) {
        if (n >= JOB_LINE)
            n = JOB_LINE - 1;
        for (size_t i = 0; i < n; i++)
            host->last_line[i] = line[i] ? line[i] : '?';
        host->last_line[n] = 0;
        clean_text(host->last_line);
        job_verbose(host->job, "host %s: %s", host->name, host->last_line);
    }
    host->error_text.length = 0;
}

void job_host_said(struct job_host *host, const char *data, size_t n)
{
    host->quiet = 0;
    for (size_t i = 0; i < n; i++)
        if (data[i] == '\n')
            job_host_hear(host);
        else if (host->error_text.length < 4 * JOB_LINE)
            pack_u8(&host->error_text, (uint8_t)data[i]);
}

static ssize_t job_host_read_errors(struct job_host *host)
{
    char data[4096];
    ssize_t n = read(host->errors.fd, data, sizeof data);
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

/* ---- a question that nobody answers -----------------------------------------------------------
 */

/* The line that has begun on the standard output there, else on standard error. */
static bool job_host_asks(const struct job_host *host)
{
    const struct sync *sync = &host->channel.sync;
    size_t n = sync->length < SYNC_LINE ? sync->length : SYNC_LINE;
    return host->channel.syncing &&
           (sync_asks(sync->line, n) ||
            sync_asks((const char *)host->error_text.data, host->error_text.length));
}

static void job_host_on_silence(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job_host *host = timer->data;
    bool spoke = host->heard != host->channel.heard;
    (void)events;
    host->heard = host->channel.heard;
    host->quiet = spoke ? 0 : host->quiet + 1;
    if (spoke && host->carried)
        job_host_alarm(host, JOB_STAGE_PATIENCE);
    if (host->state != MEMBER_STARTING || !host->channel.syncing) {
        ev_timer_stop(loop, timer);
    } else if (host->quiet >= JOB_QUESTION && job_host_asks(host)) {
        ev_timer_stop(loop, timer);
        host->asks = true;
        job_host_event(host, MEMBER_DEADLINE);
    }
}

/* The process has ended and its channel is at its end: one event, which may start the host again,
 * and end others.  So it is handled from the loop, never under a caller that still uses the host or
 * its channel. */
static void job_host_lost_if_both(struct job_host *host)
{
    if (host->exited && host->hung_up)
        ev_timer_start(host->job->loop, &host->lost);
}

/* Others may hold its standard error open (ssh's shared connections do), so that is read as far as
 * it is there. */
static void job_host_close_errors(struct job_host *host)
{
    if (host->errors.fd < 0)
        return;
    while (job_host_read_errors(host) > 0)
        ;
    ev_io_stop(host->job->loop, &host->errors);
    close(host->errors.fd);
    ev_io_set(&host->errors, -1, EV_READ);
}

static void job_host_on_lost(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job_host *host = timer->data;
    (void)events;
    ev_timer_stop(loop, timer);
    job_host_close_errors(host);
    job_host_hear(host);
    pack_free(&host->error_text);
    job_host_event(host, MEMBER_LOST);
}

void job_host_over(struct job_host *host, int wait_status)
{
    channel_close(&host->channel);
    host->exited = host->hung_up = true;
    host->wait_status = wait_status;
    job_host_lost_if_both(host);
}

void job_host_kill(struct job_host *host)
{
    if (host->exited) { /* somebody else holds the channel: let it go */
        channel_close(&host->channel);
        host->hung_up = true;
        job_host_lost_if_both(host);
        return;
    }
    int number = host->kills++ > 0 ? SIGKILL : SIGTERM;
    if (host->parent)
        job_tree_signal(host, number);
    else
        kill(-host->pid, number);
    job_host_alarm(host, JOB_LINGER);
}

static void job_host_on_exit(struct ev_loop *loop, ev_child *watcher, int events)
{
    struct job_host *host = watcher->data;
    (void)events;
    ev_child_stop(loop, watcher);
    host->exited = true;
    host->wait_status = watcher->rstatus;
    if (!host->hung_up) {
        channel_read_now(&host->channel);
        job_host_alarm(host, JOB_LINGER);
    }
    job_host_lost_if_both(host);
}

static void job_host_hung_up(struct channel *channel, const char *why)
{
    struct job_host *host = (void *)((char *)channel - offsetof(struct job_host, channel));
    host->hung_up = true;
    if (why)
        strncpy(host->fault, why, JOB_LINE - 1);
    if (!host->exited) /* it is about to end, and cleans up */
        job_host_alarm(host, JOB_LINGER);
    job_host_lost_if_both(host);
}

static void job_host_synced(struct channel *channel, const char *version)
{
    struct job_host *host = (void *)((char *)channel - offsetof(struct job_host, channel));
    bool packed = !strcmp(version, STAGE_WANTED_PACKED);
    if ((packed || !strcmp(version, STAGE_WANTED)) && job_stage_agent(host, packed)) {
        host->carried = true;
        job_host_alarm(host, JOB_STAGE_PATIENCE);
        ev_timer_again(host->job->loop, &host->silence);
        return;
    }
    if (strcmp(version, HNOW_VERSION)) {
        host->refused = true;
        job_host_unusable(host, 0.,
                          "its hnowd is version %s, this hrun is %s: install the same version of "
                          "hnow on both, or name its directory by path=",
                          version, HNOW_VERSION);
        return;
    }
    job_host_event(host, MEMBER_SYNC);
}

/* Nothing has come from its agent for too long: the cable is cut, or its machine hangs. */
static void job_host_silent(struct channel *channel)
{
    struct job_host *host = (void *)((char *)channel - offsetof(struct job_host, channel));
    snprintf(host->fault, JOB_LINE, "nothing was heard of its agent for %.0f s",
             PULSE_TICK * PULSE_TICKS);
    channel_close(channel);
    host->hung_up = true;
    job_host_kill(host);
}

static void job_host_on_deadline(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job_host *host = timer->data;
    bool starting = host->state == MEMBER_STARTING || host->state == MEMBER_GREETED;
    (void)loop, (void)events;
    if (host->parent && starting) { /* hrun will try it itself */
        job_tree_signal(host, SIGTERM);
        job_host_over(host, 255 << 8);
    } else if (host->exited != host->hung_up)
        job_host_kill(host);
    else
        job_host_event(host, MEMBER_DEADLINE);
}

/* ---- starting ---------------------------------------------------------------------------------
 */

static void job_host_frame(struct channel *channel, struct control_frame *frame);

static const struct channel_events job_host_events = {
    .frame = job_host_frame, .ended = job_host_hung_up, .synced = job_host_synced};

/* Who counts how many it starts at this moment. */
static int *job_host_starting(struct job_host *host)
{
    return host->parent ? &host->parent->starting : &host->job->starting;
}

static void job_host_start(struct job_host *host)
{
    struct job *job = host->job;
    struct launched launched;
    host->exited = host->hung_up = host->carried = false;
    host->kills = 0;
    host->last_line[0] = host->fault[0] = 0;
    ++*job_host_starting(host);
    if (host->parent) {
        job_tree_start(host, &job_host_events);
        channel_expect_sync(&host->channel);
        job_host_alarm(host,
                       job->slowest > JOB_TREE_PATIENCE / 3 ? 3 * job->slowest : JOB_TREE_PATIENCE);
        return;
    }
    job->started++;
    if (launch_start(&job->launch, host->line, job_allow_here(host), &launched)) {
        host->exited = host->hung_up = true;
        job->starting--;
        host->state = MEMBER_GONE;
        job_host_unusable(host, 0., "%s", hn_error_text());
        return;
    }
    host->pid = launched.pid;
    fcntl(launched.errors, F_SETFL, O_NONBLOCK);
    ev_io_set(&host->errors, launched.errors, EV_READ);
    ev_child_init(&host->exit, job_host_on_exit, launched.pid, 0);
    host->exit.data = host;
    ev_io_start(job->loop, &host->errors);
    ev_child_start(job->loop, &host->exit);
    channel_open(&host->channel, job->loop, launched.channel, launched.channel, &job_host_events);
    channel_expect_sync(&host->channel);
    host->quiet = 0;
    ev_timer_again(job->loop, &host->silence);
    if (host->first_start == 0)
        host->first_start = clock_now();
    job_host_alarm(host, JOB_DEADLINE - job_host_waited(host));
}

/* Hosts that are being started through the same gateway as this one. */
static int job_host_starting_via(const struct job_host *host)
{
    const struct job *job = host->job;
    int n = 0;
    for (int i = 0; host->line && host->line->via && i < job->nhost; i++) {
        const struct job_host *one = &job->host[i];
        n += (one->state == MEMBER_STARTING || one->state == MEMBER_GREETED) && one->line->via &&
             !strcmp(one->line->via, host->line->via);
    }
    return n;
}

/* May this host be started now, by hrun or by a parent? */
static bool job_host_may_start(struct job_host *host)
{
    const struct job *job = host->job;
    if (!host->wanted || host->state != MEMBER_QUEUED || ev_is_active(&host->retry) || job->ending)
        return false;
    if (job->decided && host->first_start == 0) /* the job has failed: no others are begun */
        return false;
    if (job->tree_works && job_tree_begin(host))
        return true;
    if (job->starting >= JOB_WINDOW)
        return job_tree_begin(host);
    return (host->alone || !job_tree_is_enough(job)) &&
           job_host_starting_via(host) < JOB_WINDOW_VIA;
}

void job_hosts_start_more(struct job *job)
{
    for (int i = 0; i < job->nhost; i++)
        if (job_host_may_start(&job->host[i]))
            job_host_event(&job->host[i], MEMBER_START);
}

static void job_host_on_retry(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    ev_timer_stop(loop, timer);
    job_hosts_start_more(((struct job_host *)timer->data)->job);
}

void job_host_init(struct job *job, int number, const struct host_line *line)
{
    struct job_host *host = &job->host[number];
    host->job = job;
    host->number = (uint32_t)number;
    host->line = line;
    host->name = line ? line->name : job->own_name;
    host->wanted = !(line && line->standby);
    host->channel.in = -1;
    host->load = UINT32_MAX;
    ev_io_init(&host->errors, job_host_on_errors, -1, EV_READ);
    ev_timer_init(&host->lost, job_host_on_lost, 0., 0.);
    ev_timer_init(&host->deadline, job_host_on_deadline, 0., 0.);
    ev_timer_init(&host->retry, job_host_on_retry, 0., 0.);
    ev_timer_init(&host->silence, job_host_on_silence, 0., 1.);
    host->errors.data = host->lost.data = host;
    host->deadline.data = host->retry.data = host->silence.data = host;
}

/* ---- hearing from them --------------------------------------------------------------------------
 */

static void job_host_frame(struct channel *channel, struct control_frame *frame)
{
    struct job_host *host = (void *)((char *)channel - offsetof(struct job_host, channel));
    if (frame->kind == CONTROL_HELLO)
        job_host_hello(host, &frame->payload);
    else if (frame->kind == CONTROL_LOAD)
        host->load = unpack_u32(&frame->payload);
    else if (frame->kind == CONTROL_NOTE)
        job_say(host->job, "host %s: %s", host->name, unpack_str(&frame->payload));
    else if (frame->kind >= CONTROL_RELAY_OPEN && frame->kind <= CONTROL_RELAY_CLOSE)
        job_relay(host, frame);
    else if (frame->kind == CONTROL_STRANGER)
        job_stranger(host, &frame->payload);
    else if (frame->kind == CONTROL_UNDELIVERED)
        job_undelivered(host, &frame->payload);
    else if (frame->kind == CONTROL_LAUNCH_OUT || frame->kind == CONTROL_LAUNCH_OVER)
        job_tree_frame(host, frame);
    else if (frame->kind == CONTROL_STAGE_WANT || frame->kind == CONTROL_STAGE_DONE)
        job_stage_frame(host, frame);
    else if (frame->kind == CONTROL_CLOCK)
        job_trace_clock(host, &frame->payload);
    else if (frame->kind == CONTROL_UNREACHED)
        job_fault(host, &frame->payload);
    else
        job_task_frame(host, frame);
}

void job_host_event(struct job_host *host, enum member_event event)
{
    struct job *job = host->job;
    bool started = host->state == MEMBER_STARTING || host->state == MEMBER_GREETED;
    enum member_action action = member_step(&host->state, event);
    if (started && host->state != MEMBER_STARTING && host->state != MEMBER_GREETED)
        --*job_host_starting(host);
    switch (action) {
    case MEMBER_DO_START:
        job_host_start(host);
        break;
    case MEMBER_DO_UP:
        ev_timer_stop(job->loop, &host->deadline);
        job_host_setup(host);
        job_stage_host(host);
        job_trace_host(host);
        if (!host->direct)
            pulse_start(&host->pulse, &host->channel, job_host_silent);
        job_host_added(host);
        break;
    case MEMBER_DO_UNREACHED:
        job_host_unreached(host);
        break;
    case MEMBER_DO_TOO_LATE:
        job_host_too_late(host);
        break;
    case MEMBER_DO_LOST:
        job_host_lost(host);
        break;
    case MEMBER_DO_KILL:
        job_verbose(job, "host %s: its agent has not ended in time: it is killed", host->name);
        job_host_kill(host);
        break;
    case MEMBER_DO_GONE:
        job_host_removed(host);
        break;
    case MEMBER_DO_SAY_END: /* job_host_end() writes it: it knows the patience */
    case MEMBER_DO_NOTHING:
        break;
    }
    if (host->state == MEMBER_GONE) {
        pulse_stop(&host->pulse);
        ev_timer_stop(job->loop, &host->deadline);
        ev_timer_stop(job->loop, &host->silence);
        job_tree_orphans(host);
        job_stage_go_on(job);
    }
    job_hosts_start_more(job);
    job_step(job);
}
