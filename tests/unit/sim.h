/* sim.h - machines in memory, on which hrun and its agents run as they are.
 *
 * The programs' own files are linked with these in the place of libev and of the system calls that
 * they make (-Wl,--wrap): clock, timers, descriptors, processes, signals.  So all of their logic
 * runs, and nothing else does: time is a number, a wire is a queue of bytes, a process is a struct.
 *
 *     sim_loop.c     what happens next: libev's watchers of all processes, and events of the test
 *     sim_wire.c     descriptors: pipes, sockets and connections between hosts, with their faults
 *     sim_process.c  processes: agents and what carries their channel, signals, ends
 *     sim_task.c     tasks: they enrol, write, ask, spawn, and end in all ways that there are
 *
 * Of all that can happen at a moment one thing is drawn from the seed, and happens; when nothing
 * can, time moves on to the next thing.  A history is a function of its seed.
 */
#ifndef HNOW_SIM_H
#define HNOW_SIM_H

#include "hnowd/hnowd.h"
#include "hrun/job.h"

#include <math.h>

struct sim_process;

/* ---- chance and time ---- */

void sim_begin(uint64_t seed);
/* A number in [0, n). */
unsigned sim_below(unsigned n);
/* A number of seconds in [from, to). */
double sim_between(double from, double to);
double sim_now(void);
#define SIM_LONGEST 1000.0 /* seconds of a history, at the most */
/* After so many seconds. */
void sim_after(double seconds, void (*happens)(void *arg, int value), void *arg, int value);
/* One thing happens.  False: nothing ever will. */
bool sim_step(void);
/* The history is wrong: prints why and the seed, and ends this process. */
__attribute__((format(printf, 1, 2), noreturn)) void sim_fail(const char *format, ...);
/* With HNOW_TALK, what happens. */
__attribute__((format(printf, 1, 2))) void sim_talk(const char *format, ...);

/* hrun's loop has ended; the test looks at what it holds then. */
void sim_job_over(const struct job *job);

/* ---- hosts ---- */

/* What comes of starting an agent there. */
enum sim_start {
    SIM_STARTS,
    SIM_REFUSES,     /* ssh cannot log in: says so and ends */
    SIM_IS_BUSY,     /* sshd closes the first connections (MaxStartups) */
    SIM_IS_SILENT,   /* nothing ever comes */
    SIM_HAS_NONE,    /* no hnowd there */
    SIM_HAS_ANOTHER, /* version */
};

struct sim_host {
    char name[16];
    int number;
    bool direct;   /* hrun's own machine */
    double delay;  /* seconds that bytes take between hrun and it */
    double slow;   /* seconds that a step of a process there takes */
    double starts; /* seconds until an agent is up */
    enum sim_start start;
    int busy;          /* connections that are still refused */
    bool cut, stopped; /* no byte arrives, either way; its processes stand still */
    bool faulty;       /* some fault of it has happened, at that time */
    double fault;
    bool removed, added; /* a task has asked for it */
};

enum { SIM_HOSTS = 32 };
extern struct sim_host sim_hosts[SIM_HOSTS];
extern int sim_nhosts;

/* ---- wires ---- */

/* Bytes in one direction. */
struct sim_wire;
/* host NULL: both ends are on one machine. */
struct sim_wire *sim_wire(struct sim_host *host, size_t room);
/* A new descriptor of a process: it reads in and writes out; either may be NULL. */
int sim_open(struct sim_process *owner, struct sim_wire *in, struct sim_wire *out);
void sim_close_all(struct sim_process *owner);
/* The connection breaks: what is on its way is lost; and, if so, what has arrived.  near: on the
 * machine of its reader, who learns of it even if no byte arrives any more. */
void sim_break(struct sim_wire *wire, bool lose, bool near);
/* When a descriptor can be read, or written; INFINITY: not before something else happens. */
double sim_readable(const struct sim_process *process, int fd);
double sim_writable(const struct sim_process *process, int fd);
/* Bytes read or written; -1: errno. */
ssize_t sim_read(int fd, void *data, size_t n);
ssize_t sim_write(int fd, const void *data, size_t n);
void sim_close(int fd);
int sim_dup(int fd);
/* The other side reads all that waits there: 1; 0: there is none. */
int sim_make_room(int fd);

/* hrun's standard output and input. */
struct sim_stdio {
    struct pack out;
    double blocked;  /* its reader reads nothing until then */
    size_t breaks;   /* its reader is gone behind so many bytes */
    size_t in, read; /* bytes of standard input; those that hrun has read */
    size_t disk;     /* bytes that files can take */
};
extern struct sim_stdio sim_stdio;
/* What hrun has written into that file; NULL: there is none. */
const struct pack *sim_file(const char *path);
void sim_forget_files(void);

/* ---- processes ---- */

enum sim_kind { SIM_HRUN, SIM_SSH, SIM_AGENT, SIM_TASK, SIM_GRANDCHILD };

struct sim_process {
    struct sim_process *next; /* of all that there have been in this history */
    int pid, group;
    enum sim_kind kind;
    struct sim_host *host;
    struct sim_process *parent; /* it learns of the end */
    struct sim_process *other;  /* of an ssh, the agent that it has started; of that one, its ssh */
    struct sim_wire *wire[2];   /* of an ssh: its connection */
    bool alive, stopped, reaped;
    int status;
    double until; /* what it does now takes until then */
    struct ev_loop *loop;
    struct hnowd agent;
    struct sim_task *task;
};
extern struct sim_process *sim_processes, *sim_hrun;
extern double sim_hrun_on; /* when hrun went on last after a Ctrl-Z */
/* The process that runs at this moment, or NULL. */
extern struct sim_process *sim_self;

struct sim_process *sim_process(enum sim_kind kind, struct sim_host *host,
                                struct sim_process *parent);
struct sim_process *sim_process_of(int pid);
void sim_exit(struct sim_process *process, int status);
void sim_signal(struct sim_process *process, int number);
void sim_agent_run(struct sim_process *agent); /* its loop has ended */
/* The agent that runs on a host, and the process with its channel at hrun; or NULL. */
struct sim_process *sim_agent_of(const struct sim_host *host);

/* ---- the loops of processes ---- */

struct ev_loop *sim_loop_new(struct sim_process *process);
bool sim_loop_hears(const struct ev_loop *loop, int number);
void sim_loop_raise(struct ev_loop *loop, int number);
bool sim_loop_is_over(const struct ev_loop *loop);
/* What a process could do, at which time; called by those that have no watchers (tasks). */
void sim_offer(struct sim_process *process, void (*act)(struct sim_process *), double at);

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
    int channel, out, err;
    struct control_decoder decoder;
    struct pack saying, writing[2]; /* not yet written to the channel, to standard output, error */
    int actions;                    /* left to do */
    double next_at;
    bool fails, told; /* told: another one wants it to end */
    int lines, seen;  /* of its standard output; those that hrun has written */
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
    int most; /* tasks */
};
extern struct sim_temper sim_temper;

void sim_task_start(struct sim_process *process, int channel, int out, int err);
void sim_task_offer(struct sim_process *process);
void sim_task_ended(struct sim_process *process, int status, enum sim_end how);
struct sim_task *sim_task_of(uint32_t tid);
/* Notes the tids of the tasks that an agent has started. */
void sim_tasks_name(const struct sim_process *agent);

/* Lines that hrun has printed, and when. */
struct sim_line {
    double at;
    char *text;
};
extern struct sim_line *sim_lines;
extern size_t sim_nlines;

#endif
