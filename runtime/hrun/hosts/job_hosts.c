/* job_hosts.c - starts the agents of a job, and dispatches their frames; see job_host.h.
 *
 * Agents are started in parallel: JOB_WINDOW at a time, and JOB_WINDOW_VIA through one gateway.  A
 * gateway's sshd refuses more than a few connections that have not logged in (MaxStartups); refused
 * hosts are started again a little later.  Further hosts may be started by agents that are up
 * (job_tree.c).  Every host must be up within JOB_DEADLINE seconds.
 *
 * member.c decides what an event does to a host's state; this file performs it
 * (job_on_host_event()).  A host has two ends, a channel and a process, which may close in any
 * order.
 *
 * job_on_host_event() may be called from anywhere in hrun's thread, also from within itself, as
 * starts and ends of hosts cause each other.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"
#include "hrun/staging/job_stage.h"
#include "hrun/diagnosis/job_trace.h"

#include "base/error.h"
#include "base/tcp_look.h"

#include <fcntl.h>
#include <string.h>

/* ssh logins at a time, all on hrun's processor.  Through a gateway fewer than 10, because from 10
 * on sshd refuses some (MaxStartups 10:30:100). */
enum { JOB_WINDOW = 16, JOB_WINDOW_VIA = 8 };
#define JOB_TREE_PATIENCE 5.0 /* minimum seconds that a parent may take to start a host */

/* The channel and the process end in any order.  The host is lost when both have. Called by the
 * channel, once. why: an error of it, or NULL. */
static void job_host_hung_up(struct channel *channel, const char *why)
{
    struct job_host *host = job_host_of(channel);
    host->process.hung_up = true;
    if (why)
        strncpy(host->process.fault, why, JOB_LINE - 1);
    if (!host->process.exited) /* the process is about to end, and cleans up */
        job_host_alarm(host, JOB_LINGER);
    job_host_lost_if_both(host);
}

/* The first line is a version, or the request of a shell that has no agent yet.  With -stage, the
 * shell on the host may request the agent's file; the version line comes later then, on the same
 * channel. */
static void job_host_synced(struct channel *channel, const char *version)
{
    struct job_host *host = job_host_of(channel);
    bool packed = strcmp(version, STAGE_WANTED_PACKED) == 0;
    if ((packed || strcmp(version, STAGE_WANTED) == 0) && job_stage_agent(host, packed)) {
        host->coming.staged = true;
        job_host_alarm(host, JOB_STAGE_PATIENCE);
        ev_timer_again(host->job->loop, &host->coming.silence);
        return;
    }
    /* Both ends speak one version of the protocol; there are no compatible older ones. */
    if (strcmp(version, HNOW_VERSION)) {
        host->coming.refused = true;
        job_host_unusable(host, 0.,
                          "its hnowd is version %s, this hrun is %s: install the same version of "
                          "hnow on both, or name its directory by path=",
                          version, HNOW_VERSION);
        return;
    }
    job_host_event(host, MEMBER_SYNC);
}

/* Nothing has arrived from its agent for long.  The cable is cut, its machine hangs, or the route
 * there, which begins with hrun's own ssh, loses packets.  Called by pulse.c.  Returns false to
 * wait for longer: packets are lost, but some have arrived recently. may_wait: a longer silence is
 * still allowed by pulse.c. */
static bool job_host_silent(struct channel *channel, bool may_wait)
{
    struct job_host *host = job_host_of(channel), *first = host;
    char hint[TCP_LOOK_TEXT];
    /* The traffic of a host behind others passes the first one's ssh. */
    while (first->parent)
        first = first->parent;
    if (tcp_look_silent(first->process.pid, host->pulse.busy, hint) && may_wait)
        return false;
    snprintf(host->process.fault, JOB_LINE, "nothing was heard of its agent for %.0f s%s",
             PULSE_TICK * host->pulse.silent, host->parent ? "" : hint);
    channel_close(channel);
    host->process.hung_up = true;
    job_host_kill(host);
    return true;
}

/* ---- starting --------------------------------------------------------------------------- */

static void job_host_frame(struct channel *channel, struct control_frame *frame);

static const struct channel_events job_host_events = {
    .frame = job_host_frame, .ended = job_host_hung_up, .synced = job_host_synced};

/* The counter of hosts that are being started: the parent's, or the job's. (The windows of
 * job_host_may_start().) */
static int *job_host_starting(struct job_host *host)
{
    return host->parent ? &host->parent->tree.starting : &host->job->tree.starting;
}

/* The deadline of a start through a parent is three times the slowest start of hrun's own so far,
 * or JOB_TREE_PATIENCE. State from an earlier attempt is cleared.  A failure before the process
 * exists makes the host unusable at once. */
static void job_host_start(struct job_host *host)
{
    struct job *job = host->job;
    struct launched launched;
    /* process and channel are new for each attempt. */
    host->process.exited = host->process.hung_up = host->coming.staged = false;
    host->process.kills = 0;
    host->process.last_line[0] = host->process.fault[0] = 0;
    ++*job_host_starting(host);
    if (host->parent) {
        job_tree_start(host, &job_host_events);
        /* The version line comes first on this channel as well. */
        channel_expect_sync(&host->channel);
        job_host_alarm(host, job->tree.slowest > JOB_TREE_PATIENCE / 3 ? 3 * job->tree.slowest
                                                                       : JOB_TREE_PATIENCE);
        return;
    }
    job->tree.started++;
    struct launch_place place;
    /* The second attempt only finds out why each address fails (job_host_look()). */
    bool looks = host->coming.unconnected && launch_place_of(host->coming.unconnected, &place);
    if (looks ? launch_look(&job->launch, &place, &launched)
              : launch_start(&job->launch, host->line, job_allow_here(host), &launched)) {
        host->process.exited = host->process.hung_up = true;
        job->tree.starting--;
        host->state = MEMBER_GONE;
        job_host_unusable(host, 0., "%s", hn_error_text());
        /* Set here, because no event belongs to a process that does not exist. */
        return;
    }
    /* Other processes may hold the pipe's other end, so a read must never wait. */
    fcntl(launched.errors, F_SETFL, O_NONBLOCK);
    ev_io_set(&host->process.errors, launched.errors, EV_READ);
    ev_io_start(job->loop, &host->process.errors);
    job_host_watch_end(host, &launched);
    /* Both directions are one socket. */
    channel_open(&host->channel, job->loop, launched.channel, launched.channel, &job_host_events);
    channel_expect_sync(&host->channel);
    host->coming.quiet = 0;
    ev_timer_again(job->loop, &host->coming.silence);
    /* All attempts share one deadline, from the first start on. */
    if (host->coming.first_start == 0)
        host->coming.first_start = clock_now();
    /* A later attempt gets what is left of it. */
    job_host_alarm(host, JOB_DEADLINE - job_host_waited(host));
}

/* Number of hosts that are being started through the same gateway as this one.  O(hosts), as often
 * as a host may start; few hosts have gateways. */
static int job_host_starting_via(const struct job_host *host)
{
    const struct job *job = host->job;
    int n = 0;
    for (int i = 0; host->line && host->line->via && i < job->nhost; i++) {
        const struct job_host *one = &job->host[i];
        n += (one->state == MEMBER_STARTING || one->state == MEMBER_SYNCED) && one->line->via &&
             strcmp(one->line->via, host->line->via) == 0;
    }
    return n;
}

/* Whether hrun or a parent may start this host now.  Once agents can start others, they do; hrun
 * itself starts hosts only until there are enough, or hosts that must be tried alone. A queued host
 * is looked at again after each event of any host. */
static bool job_host_may_start(struct job_host *host)
{
    const struct job *job = host->job;
    if (!host->wanted || host->state != MEMBER_QUEUED || ev_is_active(&host->coming.retry) ||
        job->end.ending)
        return false;
    if (job->end.decided &&
        host->coming.first_start == 0) /* the job has failed: no further host is started */
        return false;
    /* Parents first, once one of them has succeeded. */
    if (job->tree.tree_works && job_tree_begin(host))
        return true;
    /* hrun's own window is full, so a parent may be tried. */
    if (job->tree.starting >= JOB_WINDOW)
        return job_tree_begin(host);
    /* A gateway has a window of its own, in addition to hrun's. */
    return (host->coming.alone || !job_tree_is_enough(job)) &&
           job_host_starting_via(host) < JOB_WINDOW_VIA;
}

/* Called after any event that may have freed a place in a window. */
void job_hosts_start_more(struct job *job)
{
    for (int i = 0; i < job->nhost; i++)
        if (job_host_may_start(&job->host[i]))
            job_host_event(&job->host[i], MEMBER_START);
}

/* ---- frames of agents ------------------------------------------------------------------- */

/* Frames that belong to the host itself; all others are about one of its tasks. */
static void job_host_frame(struct channel *channel, struct control_frame *frame)
{
    struct job_host *host = job_host_of(channel);
    if (frame->kind == CONTROL_HELLO)
        job_host_hello(host, &frame->payload);
    else if (frame->kind == CONTROL_LOAD)
        host->about.load = unpack_u32(&frame->payload);
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

/* Counters of the windows are kept here alone: a host leaves its window when it is neither starting
 * nor synced. The action is executed after the state has changed, so nested events see the new
 * state. */
void job_on_host_event(struct job_host *host, enum member_event event)
{
    struct job *job = host->job;
    bool started = host->state == MEMBER_STARTING || host->state == MEMBER_SYNCED;
    enum member_action action = member_step(&host->state, event);
    if (started && host->state != MEMBER_STARTING && host->state != MEMBER_SYNCED)
        --*job_host_starting(host);
    switch (action) {
    case MEMBER_DO_START:
        job_host_start(host);
        break;
    case MEMBER_DO_UP:
        ev_timer_stop(job->loop, &host->coming.deadline);
        /* SETUP first: everything else refers to what it contains. */
        job_host_setup(host);
        job_stage_host(host);
        job_trace_host(host);
        /* An agent on this machine cannot be cut off, only killed. */
        if (!host->about.direct)
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
        job_verbose(job, "host %s: its agent %s: it is killed", host->name,
                    event == MEMBER_END ? "has not answered yet, and the job ends"
                                        : "has not ended in time");
        job_host_kill(host);
        break;
    case MEMBER_DO_GONE:
        job_host_removed(host);
        break;
    case MEMBER_DO_SAY_END: /* job_host_end() sends it, with the patience */
    case MEMBER_DO_NOTHING:
        break;
    }
    /* Hosts that this one was starting must be started by another, and staging no longer waits for
     * it. */
    if (host->state == MEMBER_GONE) {
        pulse_stop(&host->pulse);
        ev_timer_stop(job->loop, &host->coming.deadline);
        ev_timer_stop(job->loop, &host->coming.silence);
        job_tree_orphans(host);
        job_stage_continue(job);
    }
    /* A place in a window may have become free. */
    job_start_more(job);
}
