/* job.h - a job as hrun, its root, sees it: its state, its steps, what it prints, and how it ends.
 *
 * The steps of a job's life are in job.c: all hosts up -> tasks placed and started -> all tasks
 * over -> agents asked to end -> all output written.  Its hosts are in job_host.h, its tasks in
 * job_task.h; the other headers job_*.h have one subject each.
 *
 * hrun has one thread and one event loop, from which all of it runs; nothing blocks.  Agents send
 * frames (protocol/control.h) on the channels of their hosts; job_hosts.c passes each frame to the
 * file that handles its kind.  A text "why" is for the user.
 */
#pragma once

#include "base/list.h"
#include "hrun/hrun_options.h"
#include "hrun/hosts/launch.h"
#include "hrun/hosts/member.h"
#include "hrun/services/name_service.h"
#include "hrun/services/roster.h"
#include "hrun/streams/spout.h"
#include "hrun/diagnosis/stall.h"
#include "hrun/services/watch.h"
#include "protocol/control.h"

#include <ev.h>

struct job;
struct job_host;
struct job_stage;
struct job_task;

/* A round of questions what all wait for. */
struct job_stall {
    bool asking;
    uint32_t number; /* of the round */
    int missing;     /* answers */
    struct stall_wait *wait;
    size_t n;
    ev_timer limit;
    void (*then)(struct job *job); /* after the report; NULL: nothing */
};

/* Connections that tasks and agents refused, by source; further sources are counted as one. */
enum { JOB_STRANGERS = 64 };
struct job_stranger {
    char source[64];
    uint64_t attempts;
};

struct job {
    struct ev_loop *loop;
    ev_timer step;   /* fed by job_step(), never started */
    bool start_more; /* what is to be done then, too */
    void (*host_event)(struct job_host *host, enum member_event event);
    const struct hrun_options *options;
    struct hosts *hosts; /* NULL: this machine alone */
    struct launch launch;
    struct job_stage *stage;         /* NULL: nothing is staged */
    struct list_node spawns_waiting; /* questions that wait for it (job_stage.c) */
    uint8_t secret[CONTROL_SECRET];
    struct job_host *host;
    char own_name[256]; /* of this machine */
    int nhost;
    bool wide;            /* hosts are several machines: tasks listen on the network */
    struct hosts **added; /* lines that tasks have given */
    size_t nadded;
    struct {                   /* agents that start agents */
        int starting, started; /* hosts that hrun starts at this moment; has started */
        double slowest;        /* seconds that a host needed to come up */
        bool tree_works;       /* an agent has started another one */
        int tree_failures;     /* agents that could not */
    } tree;
    struct {
        bool placed;            /* the tasks are on their way */
        struct job_task **task; /* those that hrun starts by rank, then those spawned later */
        int ntask, freed;       /* these; spawned ones that have ended and are not in the list */
        char **name;            /* of their programs */
        size_t nname;
        int world;         /* tasks that hrun starts */
        int over;          /* tasks that have ended */
        bool grown, alone; /* tasks were spawned; only one task has not ended */
    } tasks;
    struct {                /* what is kept for tasks */
        struct watch watch; /* what they want to be notified of */
        uint32_t next_context;
        struct list_node agreements; /* struct job_agreement */
        struct rosters rosters;      /* groups that they join by name */
        struct name_service names;   /* values that they put under names */
        /* job_answer_question(), a pointer, so that job_kept.c and job_shortcut.c do not depend on
         * what answers. */
        void (*answer)(struct job_task *asker, enum control_kind kind, struct unpack *in);
        struct { /* questions that do not pass an agent (job_shortcut.c) */
            ev_io door;
            struct list_node list; /* connections of tasks */
        } shortcuts;
    } kept;
    struct { /* standard streams */
        struct spout out, err;
        ev_io input;
        ev_timer input_later; /* looks again whether we are in the foreground */
        bool input_ended;
        bool input_direct; /* a task on this machine reads it by itself */
    } stdio;
    struct { /* for -v: what is printed once */
        struct job_stranger stranger[JOB_STRANGERS + 1];
        int nstranger;
        uint64_t *relayed; /* pairs of host numbers, smaller << 32 | larger, that -v printed */
        size_t nrelayed;
    } seen;
    struct job_trace *trace; /* NULL: not asked for */
    struct {                 /* how it ends */
        bool decided;        /* exit_status and why are final */
        bool ending;         /* the agents have been asked to end */
        bool done;           /* all is over, perhaps before the loop has begun */
        int exit_status;
        char why[1000];
        struct job_refusal *refusal; /* of hosts that cannot take part: not printed yet */
        size_t nrefusal;
        int signals; /* of the user, so far */
        ev_timer timeout, patience;
        ev_signal signal[8];
    } end;
    struct job_stall stall;
};

/* Runs the job; hosts NULL: on this machine.  Returns hrun's exit status. */
int job_run(const struct hrun_options *options, struct hosts *hosts);

/* ---- what hrun prints (job_say.c) ---- */

/* A line on hrun's standard error: "hrun: ...".  verbose: only with -v. */
__attribute__((format(printf, 2, 3))) void job_say(struct job *job, const char *format, ...);
__attribute__((format(printf, 2, 3))) void job_verbose(struct job *job, const char *format, ...);

/* ---- the steps of a job (job.c) ---- */

/* Something has happened that may complete a step of the job's life.  The check runs from the loop,
 * never under the caller, whose host or task it may end. */
static inline void job_step(struct job *job)
{
    ev_feed_event(job->loop, &job->step, EV_CUSTOM);
}
/* The same; besides, hosts that wait for their turn may be started now. */
static inline void job_start_more(struct job *job)
{
    job->start_more = true;
    job_step(job);
}

/* ---- how a job ends (job_end.c, job_signals.c) ---- */

#define JOB_PATIENCE 2.0 /* seconds between SIGTERM and SIGKILL */
/* Begins to handle signals and -timeout. */
void job_end_begin(struct job *job);
/* The job is to end for this reason with this exit status; the first one counts.  The text is
 * printed at once (NULL: nothing is).  Agents get SIGTERM, and SIGKILL after `patience` seconds. */
__attribute__((format(printf, 4, 5))) void job_fail(struct job *job, int exit_status,
                                                    double patience, const char *format, ...);
/* The job's output is lost, for this reason ("": nothing is printed).  A job that is already
 * ending well has failed, too. */
__attribute__((format(printf, 3, 4))) void job_spoil(struct job *job, int exit_status,
                                                     const char *format, ...);
/* Tells all agents to end. */
void job_end(struct job *job, double patience);
/* The same in some seconds: until then, other hosts may fail for the same reason. */
void job_end_in(struct job *job, double seconds);
/* Tells the agent of one host to end. */
void job_host_end(struct job_host *host, double patience, const char *why);
/* A task has ended, `ago` ms ago; how: CONTROL_DID_...  A failure ends the job, or with -on-failure
 * notify sets its exit status. */
void job_task_ended(struct job_task *task, int wait_status, unsigned how, uint32_t ago);
/* hn_abort() */
void job_on_abort_ask(struct job_task *task, struct unpack *in);
/* "signal 9 (Killed)" or "status 3". */
const char *job_how(int wait_status, char text[64]);
