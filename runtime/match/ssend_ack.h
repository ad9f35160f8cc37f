/* ssend_ack.h - synchronous sends: the sender of a message gets a reply when a receive has taken
 * it.
 *
 * The message says that it asks (TYPE_ASKS); the answer is an empty message of the same tag in the
 * context's MATCH_SSEND_ACK, for which the sender has posted a receive.  Messages of equal tag are
 * taken in the order in which they were sent, so answers need no number.
 */
#pragma once

struct task;

/* With the lock: sends the answers that are due. */
void ssend_acks_send(struct task *t);
