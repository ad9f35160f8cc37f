/* orphans.h - drops messages of collective operations that nobody will ever receive.
 *
 * Their operation has ended here with an error, or their group was freed.  They are dropped when
 * the inbox is full, because the senders would wait forever, and now and then.  The room above
 * knows the active operations (struct argument_checker, argument_check.h).  This module remembers
 * the last ARGUMENT_CHECK_FREED groups that were freed.  All functions are called with the engine's
 * lock.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>

struct task;

/* False: HNOW_ASK=0 in the environment.  Then nothing is dropped, so that a job that hangs can be
 * examined. */
bool orphans_are_wanted(void);
/* Whether a context belongs to the operations of an existing group. */
bool orphans_is_operations(const struct task *t, hn_context context);
/* Whether a context belonged to the operations of a group that was freed. */
bool orphans_is_freed(const struct task *t, hn_context context);
/* A group with this context was freed. */
void orphans_forget_group(struct task *t, hn_context context);
/* Whether a group with this context existed and was freed. */
bool orphans_group_is_freed(const struct task *t, hn_context context);
/* Drops these messages.  An argument_checker must be registered.  O(unexpected messages). */
void orphans_sweep(struct task *t);
/* The same when the inbox is full, and again when the number of messages has grown by an eighth
 * since.  With `last` at once, because a message that somebody waited for then may be an orphan
 * now. */
void orphans_make_room(struct task *t, bool last);
