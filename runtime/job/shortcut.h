/* shortcut.h - a direct connection to hrun for questions, from a task on hrun's own host.
 *
 * A question through the agent and its answer wake four processes one after the other; on the
 * shortcut they wake two.  It is used only for questions whose order with frames of the agent does
 * not matter: about values under names, tasks, signals, members of named groups, contexts.  Their
 * numbers have the bit CONTROL_SHORTCUT, so hrun answers on the same connection
 * (hrun/services/job_shortcut.c).
 *
 * The task dials hrun's UNIX socket at the second such question.  The first answer came through the
 * agent, so hrun knows that the task has enrolled.  If hrun is on another host or refuses a task of
 * another user, questions go through the agent.  They also do until hrun has sent its greeting.
 */
#pragma once

#include "protocol/control.h"

#include <ev.h>

struct task;

/* Part of the task context.  `readable` is active exactly while the connection is open. */
struct shortcut {
    bool answered; /* hrun has answered a question since the task has enrolled or returned */
    bool dialled;
    bool greeted; /* hrun accepts questions here */
    ev_io readable;
    struct control_decoder in;
};

/* Whether questions of this kind use the shortcut now.  Dials if that is not decided yet. */
bool shortcut_takes(struct task *t, enum control_kind kind);
/* Sends a question, a complete frame.  False: it must go through the agent. */
bool shortcut_send(struct task *t, const struct pack *question);
void shortcut_close(struct task *t);
