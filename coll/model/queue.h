/* queue.h - what waits in the port of a switch in front of a message that comes from afar.
 *
 * A switch hands on what has arrived for a port in the order in which it came. Near hosts that send
 * to one host at the same time put in there at once what their connections may have under way, more
 * than the port can pass meanwhile. They share it as fair.h says; but what comes over a slower way,
 * and would have room beside them, has to wait behind all of it. (Measured: five hosts of a switch
 * and four behind 10 Mb/s sum up 64 KB at one of the five: the first piece from the four, 2 KB, is
 * there when the others' 256 KB have passed, after 20 ms instead of 6.)
 */
#pragma once

#include "model/connection.h"
#include "model/fair.h"
#include "model/stream_progress.h"

/* How long what arrives now on this lane waits: 0 where it is no slower than its receiver's port,
 * and where that is no bottleneck. The connection's number is the lane's. O(lanes to that port). */
hn_time queue_ahead(const struct fair *fair, const struct connections *connections,
                    const struct stream *streams, int32_t stream, hn_time now);
