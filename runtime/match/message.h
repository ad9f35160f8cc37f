/* message.h - what the public message calls share: send.c, receive.c, complete.c, probe.c.
 *
 * All functions are called between engine_enter() and engine_leave(), unless their comment says
 * "without the lock".
 */
#pragma once

#include "job/task.h"
#include "job/trace.h"
#include "base/type.h"

/* The calling thread's context: hn_set_context(). */
extern _Thread_local hn_context message_context;

static inline size_t message_length(const hn_info *info)
{
    return info->count * type_size(info->type);
}

/* The caller does not wait for a request of so many bytes yet.  A long one continues in the
 * background (engine.h) until message_waited(), which is called without the lock. */
void message_not_waited(struct task *t, hn_request *r, size_t bytes);
void message_waited(struct task *t, hn_request *r);

/* Checks that a message's buffer is valid: HN_OK, or HN_EARG with its text. */
int message_check_buffer(const void *data, size_t count, hn_type type);
/* Checks the arguments of a receive or a probe: HN_OK, or the error with its text.  Without the
 * lock. */
int message_check(struct task *t, hn_tid from, int tag, const void *data, size_t count,
                  hn_type type);
/* Returns `code` after setting the text for a task that cannot be reached any more (HN_ANY: no task
 * can).  Without the lock. */
int message_error(hn_tid tid, int code);
/* The same for a peer that has failed; with the lock. */
int message_peer_error(const struct peer *p);
/* HN_OK while a matching message may still arrive, else why none can. */
int message_lost(struct task *t, hn_tid from, int tag, hn_context context);
/* A message is not due any more: fails the receives from that task, and those from any task, for
 * which nothing can arrive now. */
void message_fail_lost(struct task *t, hn_tid from);

/* Waits for a message that a receive would match; `begun`: which need only have begun to arrive.
 * Sets *found, which is valid until the lock is released.  *found is NULL with HN_OK at the
 * deadline, or with the code why none can arrive. */
int message_await(struct task *t, hn_tid from, int tag, bool begun, uint64_t deadline,
                  const struct inbound **found);
/* Receives a message of any type, unconverted, into memory that room(arg, &info) returns once the
 * message is there (without a deadline: once it has begun to arrive, and its rest goes directly
 * there).  If that returns NULL, the message stays, with HN_ENOMEM.  HN_OK, HN_ETIMEOUT,
 * or as hn_recv().  Without the lock; room() is called with it. */
int message_take(hn_tid from, int tag, uint64_t deadline,
                 void *(*room)(void *arg, const hn_info *info), void *arg, hn_info *info);

/* The deadline so many milliseconds from now (engine_now).  Without the lock. */
uint64_t message_deadline(int milliseconds);
/* Waits until r is done: HN_OK or HN_ETIMEOUT. */
int message_wait(struct task *t, hn_request *r, uint64_t deadline);
/* complete.c: hn_wait() for a caller that has waited since `begun` (trace_begin()).  Without the
 * lock. */
int message_end(struct task *t, hn_request *r, uint64_t begun, hn_info *info);
/* Receives what has arrived, for a caller that will not wait. lent: the caller asks about a send
 * whose buffer the network still reads. */
void message_glance(struct task *t, bool lent);
/* Returns the result of a completed request, and sets the text of an error.  Without the lock. */
int message_conclude(const hn_request *r, hn_info *info);

/* Whether r is a send whose bytes in flight should be copied, because the receiver may take
 * longer. */
bool send_is_brief_loan(const hn_request *r);
/* Makes the buffer of a send reusable: waits while the network keeps up, then copies the bytes in
 * flight, if there is room. */
void send_end_loan(struct task *t, hn_request *r);
