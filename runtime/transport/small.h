/* small.h - sends and receives the small messages of a link (link.h) through a slot queue
 * (slot_queue.h), beside the connection.  No I/O.
 *
 * Both paths carry one stream, without marks where it changes paths.  A message enters the slot
 * queue only when everything that was sent over the connection has been received.  So if the reader
 * finds data on both paths, those in the slot queue come first.  It checks the connection before
 * the slot queue, because data on the connection may have arrived later.
 *
 * A message stays in the slot queue until the reader publishes that it was received, so no copy is
 * kept.  When the connection ends, the writer reclaims the messages that the reader has not read.
 */
#pragma once

#include "transport/slot_queue.h"
#include "link/link.h"

/* Sends a message of at most SLOT_ROOM bytes.  False: it must use the ring, because earlier bytes
 * are still in the ring, or because the queue is full. */
bool small_send(struct link *l, struct slot_queue *out, const hn_info *info, hn_context context,
                const void *data, size_t bytes);

/* Receives the messages in the slot queue.  Returns early when no posted receive is left.  Returns
 * as link_received().  The caller then publishes the progress, in this order: first what was
 * received of the stream, then slot_queue_notify(). */
int small_receive(struct link *l, struct slot_queue *in);
/* Whether a message can be received. */
static inline bool small_has_arrived(const struct link *l, const struct slot_queue *in)
{
    return slot_queue_next(in, l->received) != NULL;
}

/* Queues again the messages that, as far as we know, the other side has not received.  If that is
 * impossible, link_resume() returns the error. */
void small_reclaim(struct link *l, const struct slot_queue *out);
