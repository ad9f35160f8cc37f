/* guardian.h - the parent of the agent, which leaves nothing behind.
 *
 * hnowd splits in two: the guardian, which does nothing but wait, and the agent, its child.  The
 * guardian is a subreaper: when the agent ends, by itself or by SIGKILL, all that the agent's tasks
 * started and that still lives becomes the guardian's child, also what went into a session of its
 * own.  The guardian kills its children until there are none, then ends with the agent's status
 * (128 + signal).  When the guardian is killed, the agent gets SIGTERM and ends the same way.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Returns only in the agent, a fresh child of the guardian; the calling process never comes back.
 * The guardian closes the descriptors 0 and 1, so that their other ends see the agent's end.
 * -1 (errno) when there can be no second process. */
int guardian_split(void);

/* Kills every child of the calling process, and their orphans in turn, until there are none. */
void guardian_sweep(void);

/* Whether a process is there and is not about to end: one whose files are just being closed is. */
bool guardian_works(pid_t pid);
