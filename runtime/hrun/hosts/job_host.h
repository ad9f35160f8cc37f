/* job_host.h - the hosts of a job, as hrun sees them: how they are started, come up, are added, end
 * and are lost.
 */
#pragma once

#include "base/addresses.h"
#include "base/clock.h"
#include "hrun/tasks/job_task.h"
#include "hrun/tasks/place.h"
#include "protocol/channel.h"
#include "protocol/pulse.h"

enum { JOB_LINE = 400 }; /* bytes kept of what ssh says last */
/* Seconds in which a host has to come up.  ssh itself gives up a connection after 12 s
 * (launch_words.c); an agent starts within a second. */
#define JOB_DEADLINE 15.0
/* The same, since the last bytes of a staged agent arrived there: a slow line may stall. */
#define JOB_STAGE_PATIENCE 30.0
/* Seconds of silence after which a line without an end counts as a question to the user. */
#define JOB_QUESTION 4.0

/* Can this agent start others? */
enum job_reach { JOB_REACH_UNTRIED, JOB_REACH_WORKS, JOB_REACH_FAILS };

/* A host of the job. */
struct job_host {
    struct job *job;
    const char *name;
    const struct host_line *line; /* NULL: this machine, no hosts file */
    uint32_t number;
    enum member_state state;
    bool wanted;             /* no standby host, and named by -map when there is one */
    struct job_host *parent; /* whose agent has started it; NULL: hrun itself */
    struct {                 /* until its agent is up */
        bool alone;          /* the tree has failed for it */
        ev_timer deadline, retry;
        ev_timer silence; /* every second: does it wait for an answer that nobody can give? */
        uint64_t heard;   /* bytes on its channel */
        int quiet;        /* seconds since it said anything */
        bool asks;
        bool staged; /* the agent is sent there; its shell reports from time to time that more has
                        arrived */
        int64_t first_start;   /* clock_now(), which nobody can set; 0: not yet */
        int64_t first_refusal; /* the same, by a busy sshd */
        bool refused;          /* a line was already printed about it */
        char *unconnected;     /* ssh's line: all addresses are tried once more; NULL: not yet */
    } coming;
    struct {       /* which hrun, or the agent of another host, has started for it */
        pid_t pid; /* 0: the machine that stays has started it, and reports its end */
        ev_child exit;
        ev_io answer;         /* that report */
        bool exited, hung_up; /* both: it is lost */
        ev_timer lost;        /* handles that, when nobody holds the host or its channel any more */
        int wait_status;
        ev_io errors;           /* its standard error; fd -1: closed */
        struct pack error_text; /* the line that is being read */
        char last_line[JOB_LINE];
        char fault[JOB_LINE]; /* what was wrong on its channel, "" nothing */
        int kills;            /* how often its process was asked to end */
    } process;
    struct channel channel;
    struct pulse pulse;
    bool removed;              /* a task wants it to end */
    struct job_change *change; /* the request to add or remove it, and its place there */
    uint32_t change_at;
    bool added; /* it has arrived while the job runs */
    struct {    /* what its agent said */
        bool direct;
        char machine[32]; /* x86_64, ... */
        char machine_id[128];
        uint8_t byte_order; /* as in HELLO */
        int cores;
        int share; /* of the cores of a machine that has several names in the job; 0: all of them */
        uint32_t load; /* hundredths; UINT32_MAX: not learned of yet */
        char ssh_client[64];
    } about;
    struct { /* what it starts itself */
        enum job_reach reach;
        int starting, nchild; /* at this moment; in all */
        int staging;          /* programs that are on their way to it */
    } tree;
    struct address *address; /* where its tasks can be reached, best first */
    size_t naddress;
    struct {
        struct job_task **task; /* by serial - 1; NULL: it has ended, see job_ended.c */
        uint32_t ntask, live;   /* all; those that are not over */
        struct job_ended *ended;
        uint32_t nended;      /* length of that */
        struct job_task view; /* of the one that was asked for last */
    } tasks;
};

/* ---- hosts: starting agents, and their messages (job_hosts.c) ---- */

/* Starts hosts that are wanted and wait for it, as many as the limits of job_hosts.c allow. */
void job_hosts_start_more(struct job *job);
/* Applies an event to the host's state (member.h) and does what follows from it.  Other files call
 * job_host_event(), a pointer, so that they do not depend on job_hosts.c. */
void job_on_host_event(struct job_host *host, enum member_event event);
static inline void job_host_event(struct job_host *host, enum member_event event)
{
    host->job->host_event(host, event);
}
/* The host that a channel belongs to. */
static inline struct job_host *job_host_of(struct channel *channel)
{
    return (void *)((char *)channel - offsetof(struct job_host, channel));
}
/* Sends what was written to channel_out(); for one frame, channel_put() does both. */
static inline void job_host_send(struct job_host *host)
{
    channel_send(&host->channel);
}
static inline bool job_host_is_up(const struct job_host *host)
{
    return host->state == MEMBER_UP;
}
/* Seconds since it was started for the first time. */
static inline double job_host_waited(const struct job_host *host)
{
    return (double)(clock_now() - host->coming.first_start) * 1e-9;
}

/* ---- the process of a host's agent (job_process.c) ---- */

/* Prepares the host's entry: its watchers, and what its line says.  Starts nothing. */
void job_host_init(struct job *job, int number, const struct host_line *line);
/* The process wrote this on its standard error. */
void job_host_said(struct job_host *host, const char *data, size_t n);
/* Keeps the line that it has begun as its last one, also without an end: a question has none. */
void job_host_hear(struct job_host *host);
/* The process that another host's agent had started has ended, and its output is complete. */
void job_host_over(struct job_host *host, int wait_status);
/* Notes the end of what launch_start() has started. */
void job_host_watch_end(struct job_host *host, const struct launched *launched);
/* A host is lost when its process has ended and its channel is closed.  Then MEMBER_LOST follows,
 * from the loop. */
void job_host_lost_if_both(struct job_host *host);
/* Sets the host's deadline: without progress until then, MEMBER_DEADLINE follows. */
void job_host_alarm(struct job_host *host, double seconds);
#define JOB_LINGER 2.0 /* seconds that a channel may stay open when its process has ended */
/* Ends the process: SIGTERM the first time, SIGKILL the second time. */
void job_host_kill(struct job_host *host);

/* ---- the agent's first message and its answer (job_setup.c) ---- */

/* HELLO: what machine it is, and its addresses. */
void job_host_hello(struct job_host *host, struct unpack *in);
/* SETUP: secret, directory, environment, names of hosts, and the job's texts. */
void job_host_setup(struct job_host *host);

/* ---- hosts that cannot take part, or are lost (job_lost.c, job_refusals.c) ---- */

/* The host cannot take part, and why.  That ends the job in `patience` seconds, or is the answer to
 * the request to add it. */
__attribute__((format(printf, 3, 4))) void job_host_unusable(struct job_host *host, double patience,
                                                             const char *format, ...);
/* Its process has ended before it was up: it is started again, or unusable. */
void job_host_unreached(struct job_host *host);
/* It was not up in time. */
void job_host_too_late(struct job_host *host);
/* It took part, and is lost: that ends the job, or its tasks only (-on-failure notify). */
void job_host_lost(struct job_host *host);
/* Keeps why a host cannot take part; equal reasons of several hosts become one line. */
void job_refusal_add(struct job_host *host, const char *why);
/* Prints what is kept, and forgets it. */
void job_refusals_say(struct job *job);

/* ---- agents that start agents (job_tree.c) ---- */

/* Looks for a host that can start this one.  True: host->parent is it. */
bool job_tree_begin(struct job_host *host);
/* Agents do start others, and hrun has started enough hosts itself. */
bool job_tree_is_enough(const struct job *job);
/* Lets the parent start the host, and opens its channel inside the parent's. */
void job_tree_start(struct job_host *host, const struct channel_events *events);
/* Sends a signal to the process that the parent has started. */
void job_tree_signal(struct job_host *host, int number);
/* The host is up: its parent can start others. */
void job_tree_worked(struct job_host *host);
/* It is not: hrun starts it itself from now on. */
void job_tree_failed(struct job_host *host);
/* LAUNCH_... frames of a parent. */
void job_tree_frame(struct job_host *parent, struct control_frame *frame);
/* A parent is gone; what it has started is lost. */
void job_tree_orphans(struct job_host *parent);

/* ---- several names of one machine (job_share.c) ---- */

/* Hosts with the same machine id share its cores; hrun prints that. */
void job_share_cores(struct job *job);
/* A host that was added later gets the cores that the others leave. */
void job_share_rest(struct job_host *added);

/* ---- hosts that are added and removed (job_add.c, job_allow.c) ---- */

void job_on_add_hosts_ask(struct job_task *asker, struct unpack *in);
void job_on_remove_hosts_ask(struct job_task *asker, struct unpack *in);
/* The host is up, or gone.  Does nothing if nobody has asked for that. */
void job_host_added(struct job_host *host);
void job_host_removed(struct job_host *host);
/* The outcome for this host, if it is being added or removed. */
__attribute__((format(printf, 3, 4))) void job_changed(struct job_host *host, int error,
                                                       const char *format, ...);
/* Whether a task may give this line: HN_OK, or HN_EARG with hn_error_text(). */
int job_allow_line(const struct job *job, const struct host_line *line);
/* Whether the host may be this machine: not if a task has given its line and the job does not run
 * here. */
bool job_allow_here(const struct job_host *host);
