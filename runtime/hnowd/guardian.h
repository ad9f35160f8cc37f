/* guardian.h - the parent process of the agent, which cleans up all descendants.
 *
 * hnowd forks: the guardian only waits, and the agent is its child.  The guardian is a subreaper.
 * When the agent ends, even by SIGKILL, all living descendants of the agent's tasks become the
 * guardian's children, including those with a session of their own.  The guardian kills its
 * children until there are none, then ends with the agent's status (128 + signal).  If the guardian
 * is killed, the agent gets SIGTERM and ends the same way.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Returns only in the agent, a new child of the guardian; the calling process never returns.  The
 * guardian closes the descriptors 0 and 1, so that their other ends detect the agent's end. -1
 * (errno): there cannot be a second process. */
int guardian_split(void);

/* Kills all children of the calling process, and repeatedly their orphans, until there are none. */
void guardian_sweep(void);

/* The parent of a process; -1: there is no such process. */
pid_t guardian_parent(pid_t pid);
/* Whether a process exists and is not exiting.  A process whose files are being closed is
 * exiting. */
bool guardian_works(pid_t pid);
