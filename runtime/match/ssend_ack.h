/* ssend_ack.h - synchronous sends: the receiver acknowledges a message when a receive has matched
 * it.
 *
 * The message requests an acknowledgement (TYPE_ASKS).  The acknowledgement is an empty message
 * with the same tag in the context's MATCH_SSEND_ACK, for which the sender has posted a receive.
 * Messages with equal tags are matched in the order of their sends, so acknowledgements need no
 * number.
 */
#pragma once

struct task;

/* With the lock: sends the pending acknowledgements. */
void ssend_acks_send(struct task *t);
