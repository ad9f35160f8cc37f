/* undelivered.h - what another task has sent before it ended and this one has not received.
 *
 * The agent of that task has read it from the memory that both shared (outbox_record.h) and sends
 * it over the control channels, in front of the notice that the task has ended.  It consists of
 * bytes of the stream (link.h) and names their places, so nothing is lost or doubled: when the
 * connection to that task is over, and all that came through it has been read, the link gets the
 * bytes that it has not.
 */
#pragma once

#include "base/pack.h"

#include <stdbool.h>

struct peer;

/* Keeps what a frame UNDELIVERED says of p's stream (place, bytes).  False: out of memory. */
bool undelivered_keep(struct peer *p, struct unpack *in);
/* The connection to p is over: gives its link what has arrived.  HN_OK, or as link_received(). */
int undelivered_receive(struct peer *p);
/* Frees it. */
void undelivered_drop(struct peer *p);
