/* agent.h - the task's connection to the agent of its host (frames: control.h).
 *
 * The agent started this process and passed it one end of a socketpair; HNOW_AGENT_FD in the
 * environment names the descriptor.  Without an agent, the task is a job of its own.
 */
#pragma once

#include "protocol/control.h"
#include "hnow.h"
#include "base/list.h"

#include <ev.h>

struct task;

struct agent_host { /* a host of the job */
    uint32_t number;
    char *name;
};

struct agent_text { /* an answer to hn_job_text() */
    struct list_node node;
    char *key, *text;
    size_t length;
};

/* The function that processes frames of a kind, in order, with the engine's lock. */
struct agent_route {
    enum control_kind kind;
    void (*take)(struct task *t, struct unpack *fields);
};

/* Part of the task context.  Frames in `out` are whole, except the first one, which may be written
 * in part. */
struct agent {
    int fd;      /* -1: there is no agent */
    int witness; /* open as long as the task lives; -1: not needed */
    ev_io readable, writable;
    struct pack out; /* frames not yet written, from offset `written` on */
    size_t written;
    struct control_decoder in;
    const struct agent_route *routes; /* the last entry has the function NULL */
    struct agent_host *hosts;
    unsigned host_count;
    struct list_node texts;
    unsigned texts_lost; /* texts dropped because there was no memory */
    bool wide;           /* the job has other machines: this task listens on the network */
    char *ports, *iface; /* hrun's -ports and -iface, or "" */
};

/* Initialises it.  Frames of kinds without a route are answers to questions (question.h). */
void agent_init(struct agent *a, const struct agent_route *routes);
/* Takes the descriptor from the environment and blocks for the agent's WELCOME.  Sets tid, rank,
 * world, secret and hosts. fd is -1 if there is no agent.  HN_ESTATE: this process or another
 * program of the same task was enrolled before, or the descriptor was closed. */
int agent_welcome(struct task *t);
/* Sends the agent this task's port, and adds the descriptor to the loop. */
void agent_enrol(struct task *t, uint16_t port);
/* Sends a frame LOOKUP (its answer goes to dial_addresses()), FAULT (most of them end the job),
 * KNOCKED or TEXT_ASK, with its fields as for control_put().  False: out of memory. */
bool agent_put(struct task *t, enum control_kind kind, ...);
/* Sends a packed frame.  False: out of memory, and nothing is sent. */
bool agent_send(struct task *t, const struct pack *frame);
/* Reads and processes frames from hrun or the agent.  False: the other end has closed. */
bool agent_read(struct task *t, int fd, struct control_decoder *in);
/* For task_routes: hosts that were added, and texts. */
void agent_take_hosts(struct task *t, struct unpack *fields);
void agent_take_text(struct task *t, struct unpack *fields);
const struct agent_text *agent_find_text(const struct task *t, const char *key);
/* Notifies hrun that the task has left the job (or pauses, if it may return), and the agent that
 * its end is no failure.  Blocks until both frames are written. */
void agent_leave(struct task *t, bool may_return);
/* NULL: the host is unknown. */
const char *agent_host_name(const struct task *t, uint32_t number);
void agent_clear(struct task *t);
