/* task.h - the one task context: all that the library knows in a process.
 *
 * It exists from hn_enrol() to hn_exit(); everything in it is guarded by engine.lock, save what is
 * constant in between (tid, secret, world, hosts).
 */
#pragma once

#include "job/agent.h"
#include "multicast/cast.h"
#include "job/captured.h"
#include "job/shortcut.h"
#include "connect/shortage.h"
#include "engine/engine.h"
#include "connect/handshake.h"
#include "job/argument_check.h"
#include "job/tids.h"
#include "match/match.h"
#include "connect/peer.h"
#include "job/subset.h"

#include <stdatomic.h>
#include <sys/types.h>

struct hn_group {
    int size;
    hn_tid *tid;                  /* by rank */
    hn_context context;           /* the first of CONTROL_STEP that are the group's own */
    hn_tid dead;                  /* a member that has failed; 0: none, as far as is known here */
    struct list_node node;        /* on task->groups */
    const struct hn_group *whole; /* of which it is a subset (subset.h); NULL: of none */
    struct group_keep *kept;      /* what libraries keep with it */
    atomic_int holders;           /* the program, until it frees it, and operations */
};

struct task {
    hn_tid tid, parent;
    int rank;
    struct hn_group world;
    struct list_node groups; /* all groups, the world too: struct hn_group */
    struct {
        hn_context lease, lease_end; /* contexts that this task may give out */
    } contexts;
    struct subsets subsets;
    uint8_t secret[CONTROL_SECRET];

    struct engine engine;
    struct match match;
    struct peer_table peers;
    struct casts casts;
    struct agent agent;
    struct tids tids; /* which numbers are tids; without the lock */
    struct {          /* how others come in */
        struct listener listener;
        struct shortage shortage;
        bool encrypt; /* connections to other hosts are to be encrypted (seal.h) */
    } door;
    struct {
        size_t outbox_limit; /* of match.outgoing: more, and hn_send() waits (HNOW_OUTBOX) */
        size_t inbox_limit;  /* of match.incoming: more, and nothing is read (HNOW_INBOX) */
        unsigned probing;    /* threads inside hn_probe() */
    } limits;
    struct {
        bool losses;        /* some task has failed, or the task has broken something */
        hn_context *broken; /* by hn_context_break() */
        int broken_count;
        bool grown; /* the job has more tasks than the world, and ... */
        bool alone; /* ... all others have ended */
        struct list_node
            notifications; /* of ends, that wait for the end of a connection (notification.c) */
    } others;
    struct {                   /* functions of the program (handler.h) */
        bool handling;         /* a thread is inside a handler */
        unsigned asked;        /* receives and probes so far, and ... */
        unsigned asked_before; /* ... when it went in */
        int handler_count;     /* how many there have been */
    } handlers;
    struct {
        struct list_node activities; /* under way, struct activity, and ... */
        struct list_node resting;    /* ... those that are not, or are over */
    } work;
    struct {                        /* of hrun (question.h) */
        struct list_node questions; /* asked and not yet answered, struct question */
        uint32_t question_count;
        struct list_node delegations; /* groups that need not be asked about (delegation.h) */
        hn_context delegated;         /* the last one's */
        struct shortcut shortcut;     /* straight to hrun */
    } asking;
    struct trace *trace; /* NULL: nothing is noted (trace.h) */
    struct {
        const struct argument_checker *argument_checker; /* NULL: nobody asks (argument_check.h) */
        void *data;                                      /* of that */
        ev_timer tick;                                   /* of that */
        hn_context freed[ARGUMENT_CHECK_FREED];          /* groups that are gone, */
        unsigned freed_count;                            /* ... so many so far */
        uint64_t next_sweep; /* of the inbox, when match.kept is so many (argument_check.h) */
    } argument_checks;
    struct captured captured; /* output of other tasks */
    int quitting; /* HN_OK, or why all calls fail: HN_EJOB, the job is ending; HN_ESTATE, another
                     thread has called hn_exit() */
};

/* Sets the text of one of these, and returns it. */
int task_refuse(int quitting);

/* The one task context; NULL: this process is not enrolled. */
extern struct task *task_enrolled;
/* NULL, and the thread's error text says so. */
struct task *task_missing(void);

/* The context, or task_missing(). */
static inline struct task *task_get(void)
{
    return task_enrolled ? task_enrolled : task_missing();
}

static inline struct peer *peer_get(struct task *t, hn_tid tid)
{
    struct peer *last = t->peers.last;

    return last && last->link.peer == tid ? last : peer_look_up(t, tid);
}
