/* agent.h - the task's conversation with the agent of its host (frames: control.h).
 *
 * The agent started this process and left it one end of a socketpair; the number of the descriptor
 * is in the environment (HNOW_AGENT_FD).  Without it the task is a job of its own.
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

/* The function that takes frames of a kind, with the engine's lock held, in their order. */
struct agent_route {
    enum control_kind kind;
    void (*take)(struct task *t, struct unpack *fields);
};

struct agent {
    int fd;      /* -1: there is no agent */
    int witness; /* open as long as the task lives; -1: none is needed */
    ev_io readable, writable;
    struct pack out; /* frames not yet written, from `written` on */
    size_t written;
    struct control_decoder in;
    const struct agent_route *routes; /* the last one takes nothing (NULL) */
    struct agent_host *hosts;
    unsigned host_count;
    struct list_node texts;
    unsigned texts_lost; /* texts that came when there was no memory for them */
    bool wide;           /* other hosts are other machines: this task listens on the network */
    char *ports, *iface; /* what hrun's -ports and -iface say, "" when nothing */
};

/* Nothing is known yet.  Frames that no route takes are answers to questions (question.h). */
void agent_init(struct agent *a, const struct agent_route *routes);
/* Takes the descriptor from the environment and blocks until the agent has said who this task is;
 * fills tid, rank, world, secret and hosts.  fd is -1 when there is no agent.  HN_ESTATE: this
 * process, or another program of the same task, has had its turn, or the descriptor was closed. */
int agent_welcome(struct task *t);
/* Tells the agent where this task listens, and lets the loop watch the descriptor. */
void agent_enrol(struct task *t, uint16_t port);
/* Sends a frame: LOOKUP (the answer goes to dial_addresses()), FAULT (most of them end the job),
 * KNOCKED or TEXT_ASK, with its fields as control_put() takes them.  False: out of memory. */
bool agent_put(struct task *t, enum control_kind kind, ...);
/* Sends a packed frame.  False: there is no memory for it, and nothing is sent. */
bool agent_send(struct task *t, const struct pack *frame);
/* Reads frames that hrun or the agent has sent, and takes them.  False: that end has closed. */
bool agent_read(struct task *t, int fd, struct control_decoder *in);
/* For task_routes: hosts that have been added, and texts. */
void agent_take_hosts(struct task *t, struct unpack *fields);
void agent_take_text(struct task *t, struct unpack *fields);
const struct agent_text *agent_find_text(const struct task *t, const char *key);
/* Tells hrun that the task takes part in nothing any more (or for now, if it may return), and the
 * agent that its end is no failure. Blocks until both are written. */
void agent_leave(struct task *t, bool may_return);
/* NULL when the host is not known. */
const char *agent_host_name(const struct task *t, uint32_t number);
void agent_clear(struct task *t);
