/* undelivered.h - messages that another task sent before it ended, and this one has not received.
 *
 * That task's agent reads them from the memory that both shared (outbox_record.h).  It sends them
 * over the control channels, before the notification that the task has ended.  They consist of
 * bytes of the stream (link.h) with their positions, so nothing is lost or duplicated.  When the
 * connection to that task is gone and everything from it has been read, the link gets the missing
 * bytes.
 */
#pragma once

#include "base/pack.h"

#include <stdbool.h>

struct peer;

/* Stores the content of a frame UNDELIVERED for p's stream (position, bytes).  False: out of
 * memory. */
bool undelivered_keep(struct peer *p, struct unpack *in);
/* The connection to p is gone: passes the stored bytes to its link.  HN_OK, or as
 * link_received(). */
int undelivered_receive(struct peer *p);
/* Frees the stored bytes. */
void undelivered_drop(struct peer *p);
