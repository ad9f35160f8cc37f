/* message.h - what the public calls for messages have in common: send.c, receive.c, complete.c,
 * probe.c.
 *
 * All of it is called between engine_enter() and engine_leave(), save what says otherwise.
 */
#pragma once

#include "job/task.h"
#include "job/trace.h"
#include "base/type.h"

/* The calling thread's: hn_set_context(). */
extern _Thread_local hn_context message_context;

static inline size_t message_length(const hn_info *info)
{
    return info->count * type_size(info->type);
}

/* A request that the caller does not wait for yet is for so many bytes: a long one continues
 * without the caller (engine.h), until message_waited().  The latter without the lock. */
void message_not_waited(struct task *t, hn_request *r, size_t bytes);
void message_waited(struct task *t, hn_request *r);

/* Whether a message's data can be there: HN_OK, or HN_EARG with its text. */
int message_check_buffer(const void *data, size_t count, hn_type type);
/* Whether the arguments of a receive or a probe are possible: HN_OK, or the error with its text.
 * Without the lock. */
int message_check(struct task *t, hn_tid from, int tag, const void *data, size_t count,
                  hn_type type);
/* Returns code, with a text for a task that cannot be reached any more (HN_ANY: none can).  Without
 * the lock. */
int message_error(hn_tid tid, int code);
/* The same for a peer that has failed, with the lock. */
int message_peer_error(const struct peer *p);
/* HN_OK while a message of these could still come, else why none can. */
int message_lost(struct task *t, hn_tid from, int tag, hn_context context);
/* Something is not due any more: ends the receives from that task, and those from anyone, for which
 * nothing can come now. */
void message_settle(struct task *t, hn_tid from);

/* Waits until there is a message that a receive would take: *found, which stays valid until the
 * lock is given up; or NULL, with HN_OK when the time is up, else the code why none can come. */
int message_await(struct task *t, hn_tid from, int tag, uint64_t deadline,
                  const struct inbound **found);
/* Receives a message of any type, as its sender had typed it, into memory that room(arg, &info)
 * gives for it, which is asked once the message is there (NULL: HN_ENOMEM, and it stays).  HN_OK,
 * HN_ETIMEOUT, or as hn_recv().  Without the lock; room() is called with it. */
int message_take(hn_tid from, int tag, uint64_t deadline,
                 void *(*room)(void *arg, const hn_info *info), void *arg, hn_info *info);

/* The end of a time that begins now (engine_now).  Without the lock. */
uint64_t message_deadline(int milliseconds);
/* Waits until r is done: HN_OK or HN_ETIMEOUT. */
int message_wait(struct task *t, hn_request *r, uint64_t deadline);
/* complete.c: hn_wait(), by a caller that has waited since `begun` (trace_begin()).  Without the
 * lock. */
int message_end(struct task *t, hn_request *r, uint64_t begun, hn_info *info);
/* Takes what has arrived by now, for a caller that will not wait; lent: one of the sends that it
 * asks about has a buffer that the network still reads. */
void message_glance(struct task *t, bool lent);
/* The result of a completed request; an error gets its text here. Without the lock. */
int message_conclude(const hn_request *r, hn_info *info);

/* Whether r is a send of which it is better to copy what is on its way than to wait for the
 * receiver. */
bool send_is_brief_loan(const hn_request *r);
/* Sees to it that the buffer of a send is free: waits as long as the network keeps up, then copies
 * what is on its way, when there is room. */
void send_end_loan(struct task *t, hn_request *r);
