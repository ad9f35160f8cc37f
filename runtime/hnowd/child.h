/* child.h - a task as its agent sees it: which states it goes through, and what each event means.
 *
 * The table in child.c is the whole truth; the agent does what child_step() returns.
 *
 *     happy path   RUNNING -enrol-> ENROLLED -leave-> LEAVING -exit-> DRAINING -drained-> OVER
 *     no task      RUNNING -exit-> DRAINING ...       a program that never enrols (hostname, sh)
 *     failure      any of the first three -exit-> DRAINING: whether that is a failure is hrun's
 *                  matter: it learns the wait status and how far the task had got
 */
#pragma once

enum child_state {
    CHILD_RUNNING,  /* the process runs */
    CHILD_ENROLLED, /* it has become a task: it listens, others may look it up */
    CHILD_LEAVING,  /* it has called hn_exit() */
    CHILD_DRAINING, /* the process has ended, its output is still on the way */
    CHILD_OVER      /* everything has been passed on */
};

enum child_event {
    CHILD_ENROL,  /* frame ENROL */
    CHILD_LEAVE,  /* frame LEAVE */
    CHILD_EXIT,   /* the process has ended */
    CHILD_DRAINED /* both output streams have ended */
};

enum child_action {
    CHILD_DO_NOTHING,
    CHILD_DO_DRAIN, /* end what is left of its process group, and its streams soon */
    CHILD_DO_OVER,  /* report to hrun how it ended */
    CHILD_DO_REFUSE /* the task does not keep to the protocol: close its channel */
};

/* Moves *state and returns what to do: nothing, and the state stays, where the table has no row. */
enum child_action child_step(enum child_state *state, enum child_event event);
