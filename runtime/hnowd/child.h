/* child.h - the state machine of a task in its agent.
 *
 * The table in child.c is the complete definition; the agent performs the action that child_step()
 * returns.
 *
 *     happy path   RUNNING -enrol-> ENROLLED -leave-> LEAVING -exit-> DRAINING -drained-> OVER
 *     no task      RUNNING -exit-> DRAINING ...       a program that never enrols (hostname, sh)
 *     failure      any of the first three -exit-> DRAINING.  hrun decides whether that is a
 *                  failure, from the wait status and the state before
 */
#pragma once

/* In the order in which a task goes through them; none is entered twice. */
enum child_state {
    CHILD_RUNNING,  /* the process runs */
    CHILD_ENROLLED, /* it has become a task: it listens, and others may look it up */
    CHILD_LEAVING,  /* it has called hn_exit() */
    CHILD_DRAINING, /* the process has ended, and its output is still being read */
    CHILD_OVER      /* everything was forwarded */
};

/* What happens to a task. EXIT may come in any of the first three states. */
enum child_event {
    CHILD_ENROL,  /* frame ENROL */
    CHILD_LEAVE,  /* frame LEAVE */
    CHILD_EXIT,   /* the process has ended */
    CHILD_DRAINED /* both output streams have ended */
};

/* What hnowd_task_event() does afterwards, in the new state. */
enum child_action {
    CHILD_DO_NOTHING,
    CHILD_DO_DRAIN, /* end the rest of its process group, and its streams soon */
    CHILD_DO_OVER,  /* report to hrun how it ended */
    CHILD_DO_REFUSE /* the task violates the protocol: close its channel */
};

/* Changes *state and returns the action.  Without a row in the table: no action, no change. */
enum child_action child_step(enum child_state *state, enum child_event event);
