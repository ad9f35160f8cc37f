/* waits.h - records what the threads of a task wait for, so that hrun can report why a job hangs.
 *
 * A call that may have to wait records why, for its own thread.  The engine uses the record when
 * the call really waits.  A collective operation adds its name and the current step of its plan.  A
 * thread that is not in the engine's list does not wait: the task computes.  Cost: some stores a
 * call.
 */
#pragma once

#include "protocol/control.h"
#include "hnow.h"

struct activity;
struct task;

/* One for each thread, overwritten by each call that may wait.  A copy goes into the waiter when
 * the call really waits (engine_wait.c). */
struct wait_reason {
    enum control_wait kind;
    hn_tid peer; /* or HN_ANY, or 0: no particular task */
    int tag;
    hn_context context;
    const char *operation; /* the collective operation that the wait belongs to, or NULL */
    unsigned number, step; /* number of the operation in its group; step of its plan */
    const struct activity *activity; /* waits for the end of this activity; NULL: waits for what the
                                        other fields describe */
};

/* The calling thread's record. */
struct wait_reason *wait_reason(void);
/* Records why the calling thread may have to wait next. */
void wait_because(enum control_wait kind, hn_tid peer, int tag, hn_context context);
