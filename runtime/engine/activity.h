/* activity.h - work that continues as messages come, without the program's help: what nonblocking
 * collective operations are made of.
 *
 * An activity sends and posts receives (hn_isend(), hn_irecv()) until it needs a message that is
 * not done; it says which, and is called again when that is done: by whichever thread has turned
 * the loop, the background thread (engine.h) while the program computes.  Activities do not wait
 * for each other, and one is never worked on by two threads at the same time.  Its request is one
 * for hn_wait() and hn_test() like that of a message.
 *
 * Cost: a look at each activity under way whenever something has arrived.
 */
#pragma once

#include "engine/request.h"
#include "engine/waits.h"

struct task;

struct activity {
    struct hn_request request; /* what the program waits for */
    struct list_node node;     /* on task->activities, or task->resting */
    hn_request *awaits;        /* cannot continue until this message is done; NULL: it can */
    bool busy;                 /* a thread works on it */
    bool unseen;               /* it was started, and the program has not waited for it since */
    bool wants_acks;           /* it awaits a send */
    bool orphan;               /* the program does not know it: it is released at its end */

    /* Does what can be done without waiting; true: it is over, with request.result.  Without the
     * lock, in any thread; must not wait.  All that it has sent must be done when it is over. */
    bool (*go_on)(struct activity *activity);
    /* The program has seen the end: returns the result, with its text, and frees what it likes; an
     * activity that stays can be started again.  Without the lock. */
    int (*conclude)(struct activity *activity);
    /* Makes one that rests ready to be started again, or says why it cannot be.  NULL: the program
     * may not start it again.  Without the lock. */
    int (*rewind)(struct activity *activity);
    /* Says which collective operation it is, and how far that has got (waits.h).  With the lock.
     */
    void (*explain)(const struct activity *activity, struct wait_reason *reason);
    /* Frees it. */
    void (*release)(struct activity *activity);
};

/* Makes it known to the task, at rest: its request is done.  HN_ESTATE. */
int activity_init(struct activity *activity);
/* Starts it: does in the calling thread what can be done at once.  HN_ESTATE, HN_EJOB. */
int activity_start(struct activity *activity);
/* The task forgets it; it must not be under way. */
void activity_forget(struct activity *activity);
/* Until the program has seen its end, so that the answer does not depend on timing. */
bool activity_is_under_way(struct activity *activity);

/* A gate is a request of no message, for anything that activities or a caller may have to wait
 * for: a struct hn_request of zeros.  activity_open(): it is done; who opens it does not
 * touch it afterwards.  activity_await() blocks until then. */
void activity_open(hn_request *gate);
void activity_await(hn_request *gate);

/* hn_wait() for one. */
int activity_wait(struct task *t, struct activity *activity, hn_info *info);

/* With the lock: what it waits for now; false: it is being worked on. */
bool activity_explain(const struct activity *activity, struct wait_reason *reason);

/* With the lock, before the task leaves its job: blocks until none is under way. */
void activities_finish(struct task *t);
/* Releases all; no message may refer to them. */
void activities_clear(struct task *t);
