/* orphans.h - messages of collective operations that nobody will ever receive.
 *
 * Their operation has ended here with an error, or its group has been freed.  They go when the
 * inbox is full, where senders would wait for ever, and now and then.  What operations are under
 * way knows the room above (struct argument_checker, argument_check.h); which groups have been
 * freed is remembered here, for the last ARGUMENT_CHECK_FREED of them.  All are called with the
 * engine's lock.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>

struct task;

/* HNOW_ASK=0 in the environment: a job that hangs shall stay as it is. */
bool orphans_are_wanted(void);
/* Whether a context is that of operations of a group that there is. */
bool orphans_is_operations(const struct task *t, hn_context context);
/* Whether a context was that of operations of a group that has been freed. */
bool orphans_is_freed(const struct task *t, hn_context context);
/* A group with this context is gone. */
void orphans_forget_group(struct task *t, hn_context context);
/* Whether there was a group with this context, and is none any more. */
bool orphans_group_is_freed(const struct task *t, hn_context context);
/* Drops what is for nobody; there must be an argument_checker.  O(messages that nobody has asked
 * for). */
void orphans_sweep(struct task *t);
/* The same when the inbox is full, and again when an eighth of as many messages has arrived since;
 * or at once where it is the `last` chance, since what somebody was to receive then may be for
 * nobody now. */
void orphans_make_room(struct task *t, bool last);
