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

/* Sends a message of at most SLOT_ROOM bytes.  False: it has to go through the ring, because
 * something before it still does, or the queue is full. */
bool small_send(struct link *l, struct slot_queue *out, const hn_info *info, hn_context context,
                const void *data, size_t bytes);

/* Takes what is in the slot queue, and stops early when the last receive that was posted is
 * served. Returns as link_received().  The caller says how far it is, in this order: what of the
 * stream has been received, and slot_queue_notify(). */
int small_receive(struct link *l, struct slot_queue *in);
/* Whether there is anything to take. */
static inline bool small_has_come(const struct link *l, const struct slot_queue *in)
{
    return slot_queue_next(in, l->received) != NULL;
}

/* Queues again what the other side has not received, as far as it has been told by now; where that
 * is not possible, link_resume() says so. */
void small_reclaim(struct link *l, const struct slot_queue *out);
