/* member.h - a host as hrun sees it: which states it goes through, and what each event means.
 *
 *     happy path   QUEUED -start-> STARTING -sync-> SYNCED -hello-> UP -end-> ENDING -lost-> GONE
 *     unreached    STARTING or SYNCED -lost-> GONE: ssh failed, no hnowd there, wrong version; or
 *                  -deadline-> ENDING: nothing came in time.  hrun may try again (QUEUED)
 *     host lost    UP -lost-> GONE: the connection broke, or the agent was killed
 *
 * "lost" is one event: the process that hrun started for the host has ended and all that came
 * through its channel has been read.  The table in member.c is the whole truth.
 */
#pragma once

enum member_state {
    MEMBER_QUEUED,   /* waits until it may be started */
    MEMBER_STARTING, /* ssh, or the agent itself, has been started */
    MEMBER_SYNCED,   /* the agent's first line came, its version is ours */
    MEMBER_UP,       /* its hello came: tasks can run there */
    MEMBER_ENDING,   /* it was asked to end, or is being killed */
    MEMBER_GONE,     /* nothing of it is left */
    MEMBER_STATES
};

enum member_event {
    MEMBER_START,
    MEMBER_SYNC,
    MEMBER_HELLO,
    MEMBER_DEADLINE, /* it has not come up, or not ended, in time */
    MEMBER_LOST,
    MEMBER_END, /* the job is over */
    MEMBER_EVENTS
};

enum member_action {
    MEMBER_DO_NOTHING,
    MEMBER_DO_START, /* start the process */
    MEMBER_DO_UP,    /* send the secret and what its tasks need: it may be the last one awaited */
    MEMBER_DO_UNREACHED, /* say why it cannot be reached, or try again */
    MEMBER_DO_TOO_LATE,  /* say that nothing came, and kill the process */
    MEMBER_DO_LOST,      /* its tasks are dead */
    MEMBER_DO_SAY_END,   /* ask the agent to end */
    MEMBER_DO_KILL,      /* kill the process */
    MEMBER_DO_GONE       /* perhaps it was the last one */
};

/* Moves *state and returns what to do: nothing, and the state stays, where the table has no row. */
enum member_action member_step(enum member_state *state, enum member_event event);
