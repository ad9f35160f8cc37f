/* sim.h - machines in memory, on which hrun, its agents and the tasks' connections run as they are.
 *
 * The programs' own files are linked with these in the place of libev and of the system calls that
 * they make (-Wl,--wrap): clock, timers, descriptors, processes, signals.  So all of their logic
 * runs, and nothing else does: time is a number, a wire is a queue of bytes, a process is a struct.
 *
 *     sim_loop.c     what happens next: libev's watchers of all processes, and events of the test
 *     sim_wire.c     descriptors: pipes, files and connections between hosts, with their faults
 *     sim_socket.c   sockets: names, connections on their way, firewalls
 *     sim_process.c  processes
 *     sim_calls.c    system calls
 *     sim_play.c     one history after the other
 *     sim_job.h      what whole jobs need besides
 *
 * Of all that can happen at a moment one thing is drawn from the seed, and happens; when nothing
 * can, time moves on to the next thing.  A history is a function of its seed.
 */
#pragma once

#include "base/pack.h"

#include <ev.h>
#include <math.h>
#include <stdbool.h>
#include <sys/types.h>

struct sim_process;

/* Plays so many histories, the first one of HNOW_SEED, or HNOW_HISTORIES of them: 0, or the seed of
 * the one that has failed, which has been said on standard error. */
uint64_t sim_play(int histories, void (*play)(uint64_t seed));

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

/* ---- hosts ---- */

enum { SIM_HOSTS = 32 };

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
/* All that is written arrives, as from a socket's buffer; after so many bytes the connection
 * breaks, with the wire that goes back. */
void sim_wire_of_socket(struct sim_wire *wire, struct sim_wire *back, uint64_t fuse);
/* Somebody who is not there yet (1), or is there now (-1), reads in and writes out. */
void sim_wire_hold(struct sim_wire *in, struct sim_wire *out, int n);
/* How many descriptors a process has; whether two are the ends of one connection. */
int sim_descriptors(const struct sim_process *owner);
bool sim_are_joined(int a, int b);

/* ---- sockets (sim_socket.c) ---- */

struct sim_socket;
/* Of a descriptor, or NULL. */
struct sim_socket *sim_socket_of(int fd);
void sim_socket_attach(int fd, struct sim_socket *socket, struct sim_wire *in,
                       struct sim_wire *out);
/* When it can be read (there is a connection to accept) or written (connect() is done). */
double sim_socket_readable(const struct sim_socket *socket);
double sim_socket_writable(const struct sim_socket *socket);
bool sim_socket_streams(const struct sim_socket *socket);
void sim_socket_closed(struct sim_socket *socket);

/* What becomes of a connection from one host to another. */
enum sim_way { SIM_OPEN, SIM_DROPS, SIM_REFUSES_IT };
struct sim_net {
    enum sim_way way[SIM_HOSTS][SIM_HOSTS];
    struct sim_host line[SIM_HOSTS][SIM_HOSTS]; /* its delay */
    unsigned losses[SIM_HOSTS][SIM_HOSTS];      /* so many attempts more are never heard of again */
    unsigned fuses; /* so many connections more break after some bytes */
    bool narrow;    /* send() mostly finds no room, or little */
};
extern struct sim_net sim_net;
void sim_net_begin(void);

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

enum sim_kind { SIM_HRUN, SIM_SSH, SIM_AGENT, SIM_TASK, SIM_GRANDCHILD, SIM_STRANGER };

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
    void *state;                                 /* the test's: struct hnowd, struct sim_task */
    void (*offers)(struct sim_process *process); /* what it could do: sim_offer() */
    void (*after)(struct sim_process *process);  /* follows each event of its loop */
    void (*over)(void *user);                    /* ev_run() is about to return */
    void (*dies)(struct sim_process *process);   /* before its descriptors are closed */
};
extern struct sim_process *sim_processes, *sim_hrun;
/* The process that runs at this moment, or NULL. */
extern struct sim_process *sim_self;

struct sim_process *sim_process(enum sim_kind kind, struct sim_host *host,
                                struct sim_process *parent);
struct sim_process *sim_process_of(int pid);
void sim_exit(struct sim_process *process, int status);
/* Ends all that it has started. */
void sim_sweep(const struct sim_process *parent);

/* ---- the loops of processes ---- */

struct ev_loop *sim_loop_new(struct sim_process *process);
bool sim_loop_hears(const struct ev_loop *loop, int number);
void sim_loop_raise(struct ev_loop *loop, int number);
bool sim_loop_is_over(const struct ev_loop *loop);
/* What a process could do, at which time; called by those that have no watchers (tasks). */
void sim_offer(struct sim_process *process, void (*act)(struct sim_process *), double at);

/* Lines that hrun has printed, and when. */
struct sim_line {
    double at;
    char *text;
};
extern struct sim_line *sim_lines;
extern size_t sim_nlines;
