/* queue.h - the queue in a switch port in front of a message from a slower route.
 *
 * A switch forwards what has arrived for a port in FIFO order. Near hosts that send to one host at
 * the same time fill the queue at once with whole windows, more than the port can forward
 * meanwhile. They share the port as fair.h computes. A message from a slower route, for which the
 * port would have room, still waits behind all of it. (Measured: five hosts of a switch and four
 * behind 10 Mb/s reduce 64 KB at one of the five. The first piece from the four, 2 KB, arrives when
 * the others' 256 KB have passed, after 20 ms instead of 6.)
 */
#pragma once

#include "model/connection.h"
#include "model/fair.h"
#include "model/stream_progress.h"

/* The waiting time of a message that arrives now on this stream. 0 if the stream is no slower than
 * its receiver's port, or the port is no bottleneck. O(streams to that port). */
hn_time queue_ahead(const struct fair *fair, const struct connections *connections,
                    const struct stream *streams, int32_t stream, hn_time now);
