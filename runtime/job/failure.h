/* failure.h - what the failure of a task means to its groups.
 *
 * hrun notifies every task of every end.  A task that has failed (a signal, a status that is not 0,
 * a lost host) breaks each group that it is a member of: here, receives of collective operations on
 * the group end with HN_EDEAD, those that wait and all later ones, and their messages are dropped.
 * Since every member is notified directly, no member waits for one that has stopped the operation.
 *
 * A task that ends without a failure breaks nothing at once: it may have done its part of an
 * operation that others have not finished.  It breaks the group for a member whose operation needs
 * a message of it, so that no other operation of that member waits for ever; and for all members
 * when one of them begins to shrink the group.
 */
#pragma once

#include "hnow.h"
#include "base/pack.h"

struct task;

/* A task has failed: breaks its groups. */
void failure_of(struct task *t, hn_tid tid);
/* hrun says (SHRINKS) that a member shrinks a group from which another is gone: breaks it. */
void failure_shrinks(struct task *t, struct unpack *said);
/* A group has been made: perhaps of tasks that have failed by now. */
void failure_look(struct task *t, struct hn_group *group);
/* An operation on the group has ended with HN_EDEAD here: breaks it, if it is not yet, by the first
 * member that is known to be gone, else by the one that another member has named (0: none).
 * Returns the task that has broken it; 0: none. */
hn_tid failure_met(const hn_group *group, hn_tid named);
/* The task whose failure has broken the group to whose operations the context belongs, or the task
 * itself if it has broken the context; 0: none. */
hn_tid failure_in(const struct task *t, hn_context context);
/* The same of this process's task, with the engine's lock, ... */
hn_tid failure_known(hn_context context);
/* ... and without it. */
hn_tid failure_broken(hn_context context);
