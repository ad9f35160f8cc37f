/* job_host.h - the hosts of a job, as hrun sees them: how they are started, report, are added, end
 * and are lost.
 *
 * job->host[] has an entry for each host of the file, and one for each that a task has added.
 * Entries never move or vanish, so pointers to them are valid as long as the job. member.h defines
 * the states; only job_on_host_event() applies events to them.
 *
 * All of it runs in hrun's only thread, in its event loop. No function waits for a host.
 */
#pragma once

#include "base/addresses.h"
#include "base/clock.h"
#include "hrun/tasks/job_task.h"
#include "hrun/tasks/place.h"
#include "protocol/channel.h"
#include "protocol/pulse.h"

enum { JOB_LINE = 400 }; /* bytes stored of ssh's last line */
/* Seconds until a host must be up. ssh itself gives up a connection after 12 s (launch_words.c); an
 * agent starts within a second. */
#define JOB_DEADLINE 15.0
/* The same after the last bytes of a staged agent have arrived: a slow line may stall. */
#define JOB_STAGE_PATIENCE 30.0
/* Seconds of silence after which an unfinished line counts as a question to the user. */
#define JOB_QUESTION 4.0

/* Whether this agent can start others. A trial decides it once; FAILS is never taken back. */
enum job_reach { JOB_REACH_UNTRIED, JOB_REACH_WORKS, JOB_REACH_FAILS };

/* A host of the job. The nested structs are groups of fields by subject and by the file that uses
 * them. */
struct job_host {
    struct job *job;
    const char *name;
    const struct host_line *line; /* NULL: this machine, no hosts file */
    uint32_t number;
    enum member_state state;
    bool wanted;             /* not a standby host, and named by -map if that is given */
    struct job_host *parent; /* the host whose agent has started it; NULL: hrun itself */
    struct {                 /* before its agent is up */
        bool alone;          /* an agent could not start it, so hrun must */
        ev_timer deadline, retry;
        ev_timer silence;  /* every second: detects a question that nobody can answer */
        uint64_t bytes_in; /* bytes received on its channel */
        int quiet;         /* seconds without output */
        bool asks;
        bool staged; /* the agent is being staged there; its shell reports progress from time to
                        time */
        int64_t first_start;   /* clock_now(), which nobody can set; 0: not started yet */
        int64_t first_refusal; /* the same, of the first refusal by a busy sshd */
        bool refused;          /* a message about it was printed */
        char *unconnected;     /* ssh's error: all addresses are tried once more; NULL: not yet */
    } coming;
    struct {       /* the process that hrun, or the agent of another host, has started for it */
        pid_t pid; /* 0: the persistent machine has started it, and reports its end */
        ev_child exit;
        ev_io answer;         /* delivers that report */
        bool exited, hung_up; /* when both are true, the host is lost */
        ev_timer lost;        /* handles that when no caller uses the host or its channel */
        int wait_status;
        ev_io errors;           /* its standard error; fd -1: closed */
        struct pack error_text; /* the current line */
        char last_line[JOB_LINE];
        char fault[JOB_LINE]; /* what was wrong on its channel, or "" */
        int kills;            /* number of requests to end its process */
    } process;
    struct channel channel;
    struct pulse pulse;
    bool removed;              /* a task has requested that it ends */
    struct job_change *change; /* the request to add or remove it, and its index there */
    uint32_t change_at;
    bool added; /* it was added while the job runs */
    struct {    /* contents of its agent's HELLO */
        bool direct;
        char machine[32]; /* x86_64, ... */
        char machine_id[128];
        uint8_t byte_order; /* as in HELLO */
        int cores;
        int share;     /* cores for this name if the machine has several names in the job; 0: all */
        uint32_t load; /* hundredths; UINT32_MAX: unknown */
        char ssh_client[64];
    } about;
    struct { /* hosts that its agent starts */
        enum job_reach reach;
        int starting, nchild; /* at this moment; in all */
        int staging;          /* programs that are being staged to it */
    } tree;
    struct address *address; /* addresses of its tasks, best first */
    size_t naddress;
    struct {
        struct job_task **task; /* by serial - 1; NULL: ended, see job_ended.c */
        uint32_t ntask, live;   /* all; those that are not over */
        struct job_ended *ended;
        uint32_t nended;      /* entries of `ended` */
        struct job_task view; /* result of job_any_task() for the last ended task */
    } tasks;
};

/* ---- hosts: starting agents, and their frames (job_hosts.c) ---- */

/* Starts wanted hosts that are queued, as many as the limits of job_hosts.c allow. */
void job_hosts_start_more(struct job *job);
/* Applies an event to the host's state (member.h) and performs the resulting action.  Other files
 * call job_host_event(), a pointer, so that they do not depend on job_hosts.c. May change the
 * states of other hosts, too, as starts become possible. */
void job_on_host_event(struct job_host *host, enum member_event event);
static inline void job_host_event(struct job_host *host, enum member_event event)
{
    host->job->host_event(host, event);
}
/* The host that a channel belongs to. Channels of hosts are members of their struct, so no table is
 * needed. */
static inline struct job_host *job_host_of(struct channel *channel)
{
    return (void *)((char *)channel - offsetof(struct job_host, channel));
}
/* Sends the frames in channel_out().  For one frame, channel_put() does both. */
static inline void job_host_send(struct job_host *host)
{
    channel_send(&host->channel);
}
static inline bool job_host_is_up(const struct job_host *host)
{
    return host->state == MEMBER_UP;
}
/* Seconds since its first start. */
static inline double job_host_waited(const struct job_host *host)
{
    return (double)(clock_now() - host->coming.first_start) * 1e-9;
}

/* ---- the process of a host's agent (job_process.c) ---- */

/* Initialises the host's entry: its watchers, and the settings of its line.  Starts nothing. The
 * entry must be zero. line: kept by reference, and NULL for a job without hosts. */
void job_host_init(struct job *job, int number, const struct host_line *line);
/* The process wrote these bytes on its standard error. */
void job_host_said(struct job_host *host, const char *data, size_t n);
/* Stores the unfinished line as its last one: a question has no end of line. It is the reason that
 * is printed if the host cannot be reached. */
void job_host_hear(struct job_host *host);
/* The process that another host's agent had started has ended, and its output is complete. */
void job_agent_ended(struct job_host *host, int wait_status);
/* Watches for the end of the process that launch_start() has started. */
void job_host_watch_end(struct job_host *host, const struct launched *launched);
/* A host is lost when its process has ended and its channel is closed.  Then schedules MEMBER_LOST
 * in the loop. */
void job_host_lost_if_both(struct job_host *host);
/* Sets the host's deadline.  Without progress until then, MEMBER_DEADLINE follows. */
void job_host_alarm(struct job_host *host, double seconds);
#define JOB_LINGER 2.0 /* seconds that a channel may stay open after its process has ended */
/* Ends the process: SIGTERM the first time, SIGKILL the second time. */
void job_host_kill(struct job_host *host);

/* ---- the agent's first frame and its answer (job_setup.c) ---- */

/* Processes HELLO: the machine and its addresses. The values are another machine's, and are checked
 * or cut. */
void job_host_hello(struct job_host *host, struct unpack *in);
/* Sends SETUP: secret, directory, environment, names of hosts, and the job's texts. Called once,
 * when the host comes up. */
void job_host_setup(struct job_host *host);

/* ---- hosts that cannot take part, or are lost (job_lost.c, job_refusals.c) ---- */

/* The host cannot take part; format: why.  Ends the job in `patience` seconds, or answers the
 * request to add the host. patience in seconds: time in which other hosts may still fail, so that
 * all are named together. */
__attribute__((format(printf, 3, 4))) void job_host_unusable(struct job_host *host, double patience,
                                                             const char *format, ...);
/* Its process has ended before it was up: starts it again, or gives it up. */
void job_host_unreached(struct job_host *host);
/* It was not up in time. */
void job_host_too_late(struct job_host *host);
/* An active host is lost: ends the job, or only the host's tasks (-on-failure notify). */
void job_host_lost(struct job_host *host);
/* Records why a host cannot take part; hosts with the same reason share one message. */
void job_refusal_add(struct job_host *host, const char *why);
/* Prints these messages and frees them. */
void job_refusals_say(struct job *job);

/* ---- agents that start agents (job_tree.c) ---- */

/* Looks for a host that can start this one.  True: host->parent is it. Changes nothing but
 * host->parent. */
bool job_tree_begin(struct job_host *host);
/* Whether agents can start others, and hrun has started enough hosts itself. */
bool job_tree_is_enough(const struct job *job);
/* Requests that the parent starts the host, and opens its channel inside the parent's. */
void job_tree_start(struct job_host *host, const struct channel_events *events);
/* Sends a signal to the process that the parent has started. */
void job_tree_signal(struct job_host *host, int number);
/* The host is up: its parent can start others. */
void job_tree_worked(struct job_host *host);
/* The host did not come up: hrun starts it from now on. */
void job_tree_failed(struct job_host *host);
/* Processes LAUNCH_... frames of a parent. */
void job_tree_frame(struct job_host *parent, struct control_frame *frame);
/* A parent is gone: the hosts that it has started are lost. */
void job_tree_orphans(struct job_host *parent);

/* ---- several names of one machine (job_share.c) ---- */

/* Divides the cores of a machine among hosts with the same machine id, and prints that. */
void job_share_cores(struct job *job);
/* Assigns the remaining cores to a host that was added later. */
void job_share_rest(struct job_host *added);

/* ---- hosts that are added and removed (job_add.c, job_allow.c) ---- */

/* They check the question and answer it with HOSTS_DONE, at once or when all outcomes are known. */
void job_on_add_hosts_ask(struct job_task *asker, struct unpack *in);
void job_on_remove_hosts_ask(struct job_task *asker, struct unpack *in);
/* The host is up, or gone.  Has no effect without a request for that. */
void job_host_added(struct job_host *host);
void job_host_removed(struct job_host *host);
/* Reports the outcome for this host, if it is being added or removed. */
__attribute__((format(printf, 3, 4))) void job_changed(struct job_host *host, int error,
                                                       const char *format, ...);
/* Whether a task may add a host with this line: HN_OK, or HN_EARG with hn_error_text(). */
int job_allow_line(const struct job *job, const struct host_line *line);
/* Whether the host may be this machine.  False if a task has added the line and the job does not
 * run here. */
bool job_allow_here(const struct job_host *host);
