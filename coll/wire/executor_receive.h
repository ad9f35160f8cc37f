/* executor_receive.h - how the executor receives the message of a step: as it is, deflated, or a
 * termination notice. Private to execute.c and neighbourhood.c.
 */
#pragma once

#include "wire/execute.h"

/* Completes a request: HN_OK, or EXECUTOR_WAITS with executor->awaits set. */
int executor_await(struct executor *executor, hn_request *request);

/* The slot of the receive posted ahead for a step; it holds NULL if none is posted. */
hn_request **executor_posted(struct executor *executor, int32_t at);

/* Receives the message of the next step (`bytes` long) into `data`. A message of the rank to itself
 * is copied from what it has kept. Blocks only if executor->waits, else returns EXECUTOR_WAITS.
 * HN_ETRUNC: the sender's counts differ from the caller's; data may then be partly filled. */
int executor_receive(struct executor *executor, const struct plan_step *step, void *data,
                     size_t bytes);

/* Whether a receive of this type, which ended so, met a deflated message or a termination notice.
 * After an error the message is still there, to be received as termination_type(). */
bool executor_is_wrapped(int error, const hn_info *info, hn_type type);
/* Handles a termination notice that names a member and an error: records it (table may be NULL) and
 * sets the error with a text. Returns the error. */
int executor_termination(struct open_table *table, int tag, hn_tid who, int error);
