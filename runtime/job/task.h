/* task.h - the task context: the complete state of the library in a process.
 *
 * It exists from hn_enrol() to hn_exit(). engine.lock protects everything in it, except values that
 * are constant in between (tid, secret, world, hosts).
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

/* The world and the groups that the program makes.  Members never change.  Freed when no holder is
 * left. */
struct hn_group {
    int size;
    hn_tid *tid;                  /* by rank */
    hn_context context;           /* the first of the group's CONTROL_STEP contexts */
    hn_tid dead;                  /* a member that is known to have failed; 0: none */
    struct list_node node;        /* on task->groups */
    const struct hn_group *whole; /* the group that this is a subset of (subset.h), or NULL */
    struct group_keep *kept;      /* data that libraries attach to it */
    atomic_int holders;           /* references: the program, until it frees it, and operations */
};

/* One for each process, allocated by hn_enrol().  A forked child has none (task.c).  dismantle()
 * ends and frees its parts. */
struct task {
    hn_tid tid, parent; /* parent: 0 if hrun has started this task */
    int rank;           /* in the world */
    struct hn_group world;
    struct list_node groups; /* all groups, including the world: struct hn_group */
    struct {
        hn_context lease, lease_end; /* contexts that this task may assign */
    } contexts;
    struct subsets subsets;
    uint8_t secret[CONTROL_SECRET];

    struct engine engine;
    struct match match;
    struct peer_table peers;
    struct casts casts;
    struct agent agent;
    struct tids tids; /* which numbers are tids; read without the lock */
    struct {          /* incoming connections */
        struct listener listener;
        struct shortage shortage;
        bool encrypt; /* encrypt connections to other hosts (seal.h) */
    } door;
    struct {
        size_t outbox_limit; /* of match.outgoing: above it hn_send() waits (HNOW_OUTBOX) */
        size_t inbox_limit;  /* of match.incoming (HNOW_INBOX): inbox.c */
        size_t inbox_filled; /* match.incoming when it exceeded the limit; 0: it does not */
    } limits;
    struct {
        bool losses;        /* some task has failed, or this task has broken a context */
        hn_context *broken; /* by hn_context_break() */
        int broken_count;
        bool grown;                     /* the job has more tasks than the world */
        bool alone;                     /* all of them except this one have ended */
        struct list_node notifications; /* struct notification: they wait until a connection is read
                                           to its end (notification.c) */
    } others;
    struct {                   /* handlers of the program (handler.c) */
        bool handling;         /* a thread runs a handler */
        unsigned asked;        /* receives and probes so far */
        unsigned asked_before; /* the same when the handler was called */
        int handler_count;     /* handlers created so far */
    } handlers;
    struct {
        struct list_node activities; /* active ones, struct activity */
        struct list_node resting;    /* inactive ones */
    } work;
    struct {                        /* questions to hrun (question.h) */
        struct list_node questions; /* not answered yet, struct question */
        uint32_t question_count;
        struct list_node delegations; /* groups that this task answers for (delegation.h) */
        hn_context delegated;         /* context of the last delegation */
        struct shortcut shortcut;     /* direct connection to hrun */
    } asking;
    struct trace *trace; /* NULL: not traced (trace.h) */
    struct {
        const struct argument_checker *argument_checker; /* NULL: none (argument_check.h) */
        void *data;                                      /* argument of its functions */
        ev_timer tick;                                   /* timer of argument_check.c */
        hn_context freed[ARGUMENT_CHECK_FREED]; /* contexts of groups that were freed, a ring */
        unsigned freed_count;                   /* their number so far */
        uint64_t next_sweep; /* value of match.kept at which the inbox is swept again */
    } argument_checks;
    struct captured captured; /* output of other tasks */
    int quitting; /* HN_OK, or the result of all calls: HN_EJOB: the job is ending; HN_ESTATE:
                     another thread has called hn_exit() */
};

/* Sets the error text for such a value, and returns it. */
int task_refuse(int quitting);

/* The task context; NULL: this process is not enrolled. */
extern struct task *task_enrolled;
/* Sets the thread's error text, and returns NULL. */
struct task *task_missing(void);

/* The context, or NULL with an error text. */
static inline struct task *task_get(void)
{
    return task_enrolled ? task_enrolled : task_missing();
}

static inline struct peer *peer_get(struct task *t, hn_tid tid)
{
    struct peer *last = t->peers.last;

    return last && last->link.peer == tid ? last : peer_look_up(t, tid);
}
