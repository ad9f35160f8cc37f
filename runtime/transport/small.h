/* small.h - the small messages of a link (link.h) through a lane (lane.h), beside what it gives to
 * its connection.  No I/O.
 *
 * Both carry one stream, and need not say where it goes on: a message comes into the lane only when
 * all that went over the connection before has been received.  So where the reader finds something
 * in the lane and on the connection, the lane comes first; it looks at the connection before it
 * looks into the lane, for what it finds there may have come behind.
 *
 * A message in the lane stays there until the reader tells that it has been received, so no copy
 * is kept; when the connection ends, the writer takes back what the reader has not taken.
 */
#ifndef HNOW_SMALL_H
#define HNOW_SMALL_H

#include "transport/lane.h"
#include "link/link.h"

/* Sends a message of `bytes` bytes, LANE_ROOM at most.  False: it has to go over the connection,
 * for something of the link does so still, or the lane is full. */
bool small_put(struct link *l, struct lane *out, const hn_info *info, hn_context context,
               const void *data, size_t bytes);

/* Takes what stands in the lane, and stops early when the last receive that was posted is served.
 * Returns as link_received().  The caller tells how far it is, in this order: what of the stream
 * has been received, and lane_tell(). */
int small_take(struct link *l, struct lane *in);
/* Whether there is anything to take. */
static inline bool small_has_come(const struct link *l, const struct lane *in)
{
    return lane_next(in, l->received) != NULL;
}

/* Queues again what the other side has not received, as far as it has been told by now; where that
 * is not possible, link_resume() says so. */
void small_take_back(struct link *l, const struct lane *out);

#endif
