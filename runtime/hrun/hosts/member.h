/* member.h - the state machine of a host in hrun.
 *
 *     happy path   QUEUED -start-> STARTING -sync-> SYNCED -hello-> UP -end-> ENDING -lost-> GONE
 *     unreached    STARTING or SYNCED -lost-> GONE: ssh failed, no hnowd there, wrong version; or
 *                  -deadline-> ENDING: nothing arrived in time.  hrun may try again (QUEUED)
 *     host lost    UP -lost-> GONE: the connection broke, or the agent was killed
 *
 * "lost" is one event: the process that hrun started for the host has ended and everything on its
 * channel has been read.  The table in member.c is the complete definition.
 *
 * Events that a state does not expect have no effect, so callers need not check the state first.
 */
#pragma once

/* Only member_step() changes it, with two exceptions.  A retry sets MEMBER_QUEUED, and a start that
 * fails at once MEMBER_GONE. */
enum member_state {
    MEMBER_QUEUED,   /* waits for its start */
    MEMBER_STARTING, /* ssh, or the agent itself, was started */
    MEMBER_SYNCED,   /* the agent's first line has arrived, with our version */
    MEMBER_UP,       /* its HELLO has arrived: tasks can run there */
    MEMBER_ENDING,   /* it was asked to end, or is being killed */
    MEMBER_GONE,     /* nothing of it remains */
    MEMBER_STATES
};

/* What can happen to a host. Several may be reported for one cause; the first one changes the
 * state. */
enum member_event {
    MEMBER_START,
    MEMBER_SYNC,
    MEMBER_HELLO,
    MEMBER_DEADLINE, /* it did not come up, or end, in time */
    MEMBER_LOST,
    MEMBER_END, /* the job is over */
    MEMBER_EVENTS
};

/* What job_on_host_event() does afterwards. */
enum member_action {
    MEMBER_DO_NOTHING,
    MEMBER_DO_START,     /* start the process */
    MEMBER_DO_UP,        /* send SETUP; it may be the last host that the job waits for */
    MEMBER_DO_UNREACHED, /* report why it cannot be reached, or try again */
    MEMBER_DO_TOO_LATE,  /* report that nothing arrived, and kill the process */
    MEMBER_DO_LOST,      /* its tasks are lost */
    MEMBER_DO_SAY_END,   /* ask the agent to end */
    MEMBER_DO_KILL,      /* kill the process */
    MEMBER_DO_GONE       /* perhaps it was the last one */
};

/* Changes *state and returns the action.  Without a row in the table: no action, no change. */
enum member_action member_step(enum member_state *state, enum member_event event);
