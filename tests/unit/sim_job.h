/* sim_job.h - what whole jobs need besides the machines of sim.h.
 *
 *     sim_job.c   agents and what carries their channel, signals, how tasks are started
 *     sim_task.c  tasks: they enrol, write, ask, spawn, and end in all ways that there are
 */
#pragma once

#include "hnowd/hnowd.h"
#include "hrun/hosts/job_host.h"
#include "sim.h"

/* ---- processes ---- */

void sim_signal(struct sim_process *process, int number);
/* The agent that runs on a host, or NULL. */
struct sim_process *sim_agent_of(const struct sim_host *host);
extern double sim_hrun_on; /* when hrun went on last after a Ctrl-Z */

static inline struct hnowd *sim_agent(const struct sim_process *process)
{
    return process->state;
}

/* ---- tasks ---- */

enum sim_end {
    SIM_RUNS,
    SIM_LEFT,   /* with hn_exit() and status 0, or a program that is no task with status 0 */
    SIM_FAILED, /* by itself */
    SIM_KILLED, /* by a fault of the test, as the kernel kills who takes too much memory */
    SIM_ENDED,  /* by a signal of its agent, or with it */
};

enum { SIM_REQUESTS = 64 };

struct sim_task {
    struct sim_task *next; /* of all that were started in this history */
    struct sim_process *process;
    uint32_t tid, parent, rank;
    bool welcome, stranger, stubborn, enrolled, leaves;
    enum sim_end end;
    double ended;
    int channel, in, out, err; /* in: -1: it has none, or has read all */
    size_t in_bytes;
    struct control_decoder decoder;
    struct pack saying, writing[2]; /* not yet written to the channel, to standard output, error */
    int actions;                    /* left to do */
    double next_at;
    bool fails, told;     /* told: another one wants it to end */
    bool waited, unended; /* before its end: for notices; its last line has no end */
    int lines, seen;      /* of its standard output; those that hrun has written */
    uint32_t number;
    struct { /* questions */
        uint32_t number, kind;
        const struct sim_host *host;
        bool open;
    } asked[SIM_REQUESTS];
    int nasked, open;
    struct { /* of hn_notify() */
        uint32_t what, about, times, told, question;
        bool kept; /* hrun has said so */
    } watched[SIM_REQUESTS];
    int nwatched;
};
extern struct sim_task *sim_tasks;
extern int sim_task_count;
/* How they may behave in this history. */
struct sim_temper {
    bool fail;  /* some fail by themselves */
    bool abort; /* or end the job */
    bool hang;  /* or wait for each other for ever: the job has a limit of time */
    bool spawn, hosts;
    bool prompt; /* no output is held up: hrun hears soon of all that ends, and agents end soon */
    int most;    /* tasks */
};
extern struct sim_temper sim_temper;

void sim_task_start(struct sim_process *process, int channel, int in, int out, int err);
void sim_task_offer(struct sim_process *process);
void sim_task_ended(struct sim_process *process, enum sim_end how);
struct sim_task *sim_task_of(uint32_t tid);
/* Notes the tids of the tasks that an agent has started. */
void sim_tasks_name(const struct sim_process *agent);
