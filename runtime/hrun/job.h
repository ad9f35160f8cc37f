/* job.h - a job in hrun, its root: its state, its steps, its messages, and its end.
 *
 * job.c has the steps of a job: all hosts up, tasks placed and started, all tasks over, agents
 * asked to end, all output written. job_host.h has its hosts, job_task.h its tasks; each other
 * header job_*.h has one subject.
 *
 * hrun has one thread and one event loop, which calls everything; nothing blocks.  Agents send
 * frames (protocol/control.h) on the channels of their hosts. job_hosts.c passes each frame to the
 * file that handles its kind.  A string "why" is for the user.
 */
#pragma once

#include "base/list.h"
#include "connect/strangers.h"
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

/* A round of WAITS_ASK, which asks all tasks what they wait for. */
struct job_stall {
    bool asking;
    uint32_t number; /* identifies the round */
    int missing;     /* missing answers */
    struct stall_wait *wait;
    size_t n;
    ev_timer limit;
    void (*then)(struct job *job); /* called after the report, or NULL */
};

/* One for each process, on the stack of job_run().  The nested structs belong to the files named
 * beside them.  Hosts never move in memory; pointers to tasks stay valid until job_free_ended(). */
struct job {
    struct ev_loop *loop;
    ev_timer step;   /* triggered by job_step(), never started */
    bool start_more; /* also start hosts then */
    void (*host_event)(struct job_host *host, enum member_event event);
    const struct hrun_options *options;
    struct hosts *hosts; /* NULL: only this machine */
    struct launch launch;
    struct job_stage *stage;         /* NULL: nothing is staged */
    struct list_node spawns_waiting; /* SPAWN_ASKs that wait for staging (job_stage.c) */
    uint8_t secret[CONTROL_SECRET];
    struct job_host *host;
    char own_name[256]; /* of this machine */
    int nhost;
    bool wide;            /* the hosts are several machines: tasks listen on the network */
    struct hosts **added; /* hosts that tasks have added */
    size_t nadded;
    struct {                   /* agents that start agents */
        int starting, started; /* hosts that hrun is starting; has started */
        double slowest;        /* maximum seconds that a host needed to come up */
        bool tree_works;       /* an agent has started another one */
        int tree_failures;     /* agents that could not */
    } tree;
    struct {
        bool placed;            /* tasks are being started */
        struct job_task **task; /* tasks that hrun starts, by rank, then spawned ones */
        int ntask, freed;       /* entries of task; ended spawned tasks that were removed from it */
        char **name;            /* of their programs */
        size_t nname;
        int world;         /* number of tasks that hrun starts */
        int over;          /* number of ended tasks */
        bool grown, alone; /* tasks were spawned; only one task is left */
    } tasks;
    struct {                /* state kept for tasks */
        struct watch watch; /* requests for notifications */
        uint32_t next_context;
        struct list_node agreements; /* struct job_agreement */
        struct rosters rosters;      /* named groups */
        struct name_service names;   /* the name service */
        /* job_answer_question(), a pointer, so that job_deferred.c and job_shortcut.c do not depend
         * on the answering files. */
        void (*answer)(struct job_task *asker, enum control_kind kind, struct unpack *in);
        struct { /* questions that bypass the agents (job_shortcut.c) */
            ev_io door;
            struct list_node list; /* connections of tasks */
        } shortcuts;
    } services;
    struct { /* standard streams */
        struct spout out, err;
        struct output_source own; /* hrun's messages, on err (job_say.c) */
        ev_io input;
        ev_timer input_later; /* checks again whether hrun is in the foreground */
        bool input_ended;
        bool input_direct; /* a task on this machine reads it directly */
    } stdio;
    struct {                        /* for -v: messages that are printed once */
        struct strangers strangers; /* connections that tasks and agents refused */
        uint64_t *relayed; /* pairs of host numbers, smaller << 32 | larger, that were printed */
        size_t nrelayed;
    } seen;
    struct job_trace *trace; /* NULL: no -trace */
    struct {                 /* the end of the job */
        bool decided;        /* exit_status and why are final */
        bool ending;         /* the agents were asked to end */
        bool done;           /* everything is over, perhaps before the loop has begun */
        int exit_status;
        char why[1000];
        struct job_refusal *refusal; /* about hosts that cannot take part, not printed yet */
        size_t nrefusal;
        int signals; /* number of signals from the user */
        ev_timer timeout, patience;
        ev_signal signal[8];
    } end;
    struct job_stall stall;
};

/* Runs the job; hosts NULL: on this machine.  Returns hrun's exit status. */
int job_run(const struct hrun_options *options, struct hosts *hosts);

/* ---- what hrun prints (job_say.c) ---- */

/* Prints a line on hrun's standard error: "hrun: ...". job_verbose(): only with -v. */
__attribute__((format(printf, 2, 3))) void job_say(struct job *job, const char *format, ...);
__attribute__((format(printf, 2, 3))) void job_verbose(struct job *job, const char *format, ...);

/* ---- the steps of a job (job.c) ---- */

/* An event may have completed a step of the job.  The check runs from the loop, never inside the
 * caller, because it may end the caller's host or task. */
static inline void job_step(struct job *job)
{
    ev_feed_event(job->loop, &job->step, EV_CUSTOM);
}
/* The same, and queued hosts may be started now. */
static inline void job_start_more(struct job *job)
{
    job->start_more = true;
    job_step(job);
}

/* ---- how a job ends (job_end.c, job_signals.c) ---- */

#define JOB_PATIENCE 2.0 /* seconds between SIGTERM and SIGKILL */
/* Starts to handle signals and -timeout. */
void job_end_begin(struct job *job);
/* Ends the job with this exit status; only the first call counts.  Prints the message at once
 * (NULL: none).  Agents get SIGTERM, and SIGKILL after `patience` seconds. */
__attribute__((format(printf, 4, 5))) void job_fail(struct job *job, int exit_status,
                                                    double patience, const char *format, ...);
/* The job's output is lost; format: why ("": prints nothing).  Even a job that is ending
 * successfully has then failed. */
__attribute__((format(printf, 3, 4))) void job_spoil(struct job *job, int exit_status,
                                                     const char *format, ...);
/* Asks all agents to end. */
void job_end(struct job *job, double patience);
/* The same in some seconds, because other hosts may fail for the same reason until then. */
void job_end_in(struct job *job, double seconds);
/* Asks the agent of one host to end. */
void job_host_end(struct job_host *host, double patience, const char *why);
/* A task ended `ago` ms ago; how: CONTROL_DID_... A failure ends the job, or with -on-failure
 * notify sets its exit status. */
void job_task_ended(struct job_task *task, int wait_status, unsigned how, uint32_t ago);
/* Processes ABORT_ASK: hn_abort(). */
void job_on_abort_ask(struct job_task *task, struct unpack *in);
/* Describes a wait status: "signal 9 (Killed)" or "status 3". */
const char *job_how(int wait_status, char text[64]);
