/* shortcut.h - a connection from a task on hrun's own host straight to hrun, for questions.
 *
 * A question through the agent and its answer wake four processes one after the other, on the
 * shortcut two.  Only questions whose order with frames of the agent does not matter take it: about
 * values under names, tasks, signals, members of named groups, contexts.  Their numbers have the
 * bit CONTROL_SHORTCUT, so hrun answers on the same connection (hrun/services/job_shortcut.c).
 *
 * The task dials hrun's UNIX socket at the second of these questions: the answer to the first has
 * come through the agent, so hrun knows that the task has enrolled.  Where hrun is on another host,
 * or refuses a task of another user, questions go through the agent, as they do until hrun has
 * greeted.
 */
#pragma once

#include "protocol/control.h"

#include <ev.h>

struct task;

struct shortcut {
    bool answered; /* hrun has answered a question since the task has enrolled, or come back */
    bool dialled;
    bool greeted; /* hrun takes questions here */
    ev_io readable;
    struct control_decoder in;
};

/* Whether questions of this kind go there now.  Dials when that may become so. */
bool shortcut_takes(struct task *t, enum control_kind kind);
/* Sends a question, a whole frame.  False: it has to go through the agent. */
bool shortcut_send(struct task *t, const struct pack *question);
void shortcut_close(struct task *t);
