/* waits.h - what the threads of a task wait for, so that hrun can say where a job hangs.
 *
 * A call that may have to wait writes down why, for its own thread; the engine takes that when it
 * really waits.  A collective operation adds which one it is and how far its plan has got.  Who is
 * not in the engine's list does not wait: the task computes.  Cost: some stores a call.
 */
#pragma once

#include "protocol/control.h"
#include "hnow.h"

struct activity;
struct task;

struct wait_reason {
    enum control_wait kind;
    hn_tid peer; /* or HN_ANY, or 0: nobody in particular */
    int tag;
    hn_context context;
    const char *operation;           /* the collective one that this is a part of, or NULL */
    unsigned number, step;           /* of the operation in its group; of its plan */
    const struct activity *activity; /* waits for the end of it; NULL: for what is said here */
};

/* The calling thread's. */
struct wait_reason *wait_reason(void);
/* Why the calling thread may have to wait next. */
void wait_because(enum control_wait kind, hn_tid peer, int tag, hn_context context);
