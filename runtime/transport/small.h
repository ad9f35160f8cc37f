/* small.h - the small messages of a link (link.h) through a slot queue (slot_queue.h), beside what
 * it gives to its connection.  No I/O.
 *
 * Both carry one stream, and need not say where it continues: a message comes into the slot queue
 * only when all that went over the connection before has been received.  So where the reader finds
 * something in the slot queue and on the connection, the slot queue comes first; it looks at the
 * connection before it looks into the slot queue, for what it finds there may have arrived behind.
 *
 * A message in the slot queue stays there until the reader says that it has been received, so no
 * copy is kept; when the connection ends, the writer takes back what the reader has not taken.
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
