/* executor_receive.h - how the executor (execute.c, whose own this is) gets the message of a step, whatever it
 * has become on its way. */
#pragma once

#include "wire/execute.h"

/* Sees to it that a message is done: HN_OK, or EXECUTOR_WAITS, and executor->awaits says which. */
int executor_await(struct executor *executor, hn_request *request);

/* The place of the receive that is posted ahead for a step; NULL there: there is none. */
hn_request **executor_posted(struct executor *executor, int32_t at);

/* Takes the message of the step that is next (`bytes` long) to `data`: as it is, deflated, or what
 * the member has kept for itself.  Blocks only where executor->waits, else EXECUTOR_WAITS.
 * HN_ETRUNC: the sender's counts are not the caller's; data may then hold a part of it. */
int executor_receive(struct executor *executor, const struct plan_step *step, void *data,
                     size_t bytes);

/* Whether a receive of this type, which has ended so, has met something else than data as it is: a
 * deflated message or a termination notice.  After an error the message is still there, to be
 * received as termination_type(). */
bool executor_is_wrapped(int error, const hn_info *info, hn_type type);
/* A termination notice has named this member and error: records it (table may be NULL), and sets
 * the error with a text.  Returns it. */
int executor_termination(struct open_table *table, int tag, hn_tid who, int error);
