/* activity.h - work that continues when messages arrive, without the program's help.  Nonblocking
 * collective operations are activities.
 *
 * An activity sends and posts receives (hn_isend(), hn_irecv()) until it needs a message that is
 * not done.  It names that message, and is called again when the message is done: by the thread
 * that drives the loop, or by the background thread (engine.h) while the program computes.
 * Activities do not wait for each other, and only one thread at a time works on an activity.
 * hn_wait() and hn_test() accept its request like that of a message.
 *
 * Cost: a check of each active activity whenever something has arrived.
 */
#pragma once

#include "engine/request.h"
#include "engine/waits.h"

struct task;

/* Embedded in the struct of a collective operation, whose owner sets the functions.  States: at
 * rest, active and waiting for `awaits`, active and `busy`. It is on exactly one of the task's two
 * lists from activity_init() until it is forgotten or cleared. */
struct activity {
    struct hn_request request; /* what the program waits for */
    struct list_node node;     /* on task->activities, or task->resting */
    hn_request *awaits;        /* it cannot continue until this message is done; NULL: it can */
    bool busy;                 /* a thread works on it */
    bool unseen;               /* it was started, and the program has not waited for it since */
    bool wants_acks;           /* `awaits` is a send */
    bool orphan;               /* the program has no reference to it: it is released at its end */
    char text[256];            /* of an error in request.result */

    /* Does everything that is possible without waiting.  True: the activity is over, with
     * request.result, and all its sends are done.  Called without the lock, in any thread; must not
     * block. */
    bool (*advance)(struct activity *activity);
    /* Prepares a resting activity for another start, or returns an error.  NULL: it is released
     * when the program has waited for its end.  Called without the lock. */
    int (*rewind)(struct activity *activity);
    /* Reports which collective operation it is, and its current step (waits.h).  Called with the
     * lock. */
    void (*explain)(const struct activity *activity, struct wait_reason *reason);
    /* Frees the activity. */
    void (*release)(struct activity *activity);
};

/* Registers an activity with the task, at rest: its request is done.  HN_OK or HN_ESTATE. */
int activity_init(struct activity *activity);
/* Starts it: does in the calling thread everything that is possible at once.  HN_OK, HN_ESTATE or
 * HN_EJOB. */
int activity_start(struct activity *activity);
/* Unregisters an activity that is not active. */
void activity_forget(struct activity *activity);
/* Whether it is active.  True until the program has seen its end, so that the result does not
 * depend on timing. */
bool activity_is_under_way(struct activity *activity);

/* A gate is a request without a message: a condition that activities and callers can wait for.  It
 * is a struct hn_request of zeros. activity_open() marks it done, and does not touch it afterwards.
 * activity_await() blocks until then. */
void activity_open(hn_request *gate);
void activity_await(hn_request *gate);

/* hn_wait() for the request of an activity. */
int activity_wait(struct task *t, struct activity *activity, hn_info *info);

/* With the lock: what the activity waits for now.  False: a thread works on it. */
bool activity_explain(const struct activity *activity, struct wait_reason *reason);

/* With the lock, before the task leaves its job: blocks until no activity is active. */
void activities_finish(struct task *t);
/* Releases all activities; no message may refer to them. */
void activities_clear(struct task *t);
