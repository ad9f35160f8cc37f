/* failure.h - how the failure of a task affects its groups.
 *
 * hrun notifies every task of every end.  A task that has failed (a signal, a nonzero status, a
 * lost host) breaks each group that it is a member of.  Then receives of collective operations on
 * the group end with HN_EDEAD, the posted ones and all later ones, and their messages are dropped.
 * Every member is notified directly.  So no member waits for another one that has stopped the
 * operation.
 *
 * A task that ends without a failure breaks nothing at once, because it may have done its part of
 * an operation that others have not finished.  It breaks the group for a member whose operation
 * needs a message from it, so that no other operation of that member waits forever.  It breaks the
 * group for all members when one of them begins to shrink the group.
 */
#pragma once

#include "hnow.h"
#include "base/pack.h"

struct task;

/* A task has failed: breaks its groups. */
void failure_of(struct task *t, hn_tid tid);
/* Processes SHRINKS: a member shrinks a group from which another one is gone.  Breaks the group. */
void failure_shrinks(struct task *t, struct unpack *said);
/* A group was created: breaks it if a member has failed by now. */
void failure_look(struct task *t, struct hn_group *group);
/* An operation on the group has ended with HN_EDEAD here: breaks the group, if it is not broken.
 * The cause is the first member that is known to be gone, else `named`, which another member has
 * sent (0: none).  Returns the task that has broken the group; 0: none. */
hn_tid failure_met(const hn_group *group, hn_tid named);
/* The task whose failure has broken the context or its group; this task itself after
 * hn_context_break(); 0: neither is broken. */
hn_tid failure_in(const struct task *t, hn_context context);
/* The same for this process's task: with the engine's lock, ... */
hn_tid failure_known(hn_context context);
/* ... and without it. */
hn_tid failure_broken(hn_context context);
