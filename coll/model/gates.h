/* gates.h - the order in which a host's streams enter a channel that each of them could fill.
 *
 * A host sends through one channel in FIFO order, one stream after the other. The next stream
 * begins when the moving ones leave more than half of the channel unused. On a bus it also begins
 * when the moving ones are held up by channels farther along the route that it does not use.
 * Routers buffer what waits there, so the bus is free for others meanwhile. (Measured: twenty hosts
 * on three buses, a switch and slow ports, all-to-all of 1 and 4 KB. Plans in which every rank
 * sends at once take 158 and 618 ms. They were predicted to take up to 178 and 662 ms when a
 * message that waited for a router held up its sender.)
 *
 * Units: those of stream_progress.h.
 */
#pragma once

#include "model/connection.h"
#include "model/fair.h"
#include "model/stream_progress.h"

struct gate; /* the streams of a host that share a channel */

struct gates {
    const struct connections *connections;
    struct stream *const *streams; /* numbered like the connections */
    const struct fair *fair;       /* rates of the moving streams */
    struct numbering numbers;      /* by (host, channel) */
    struct gate *all;
    int32_t room;
    int32_t *doubtful; /* gates at which another stream may be able to begin */
    int32_t doubtful_count;
};

/* Sets *number to the gate of a connection's stream: that of the first channel of which it wants
 * more than half. -1: it needs no gate. Returns false when out of memory. */
bool gates_find(struct gates *gates, const struct connection *c, int32_t *number);
void gates_free(struct gates *gates);

/* Marks a gate to be looked at by gates_next(): its channel may not be well used any more. -1: no
 * gate. */
void gates_doubt(struct gates *gates, int32_t number);
/* Whether a new stream has to queue, because others are moving or queued. */
bool gates_taken(const struct gates *gates, int32_t number);
/* Queues a stream; returns whether it is the first in the queue. */
bool gates_wait(struct gates *gates, int32_t stream);
bool gates_waited_for(const struct gates *gates, int32_t number);
/* The stream that began to move last; -1: none is moving. */
int32_t gates_latest(const struct gates *gates, int32_t number);
/* A stream that is not queued begins (stops) to move. */
void gates_begin(struct gates *gates, int32_t stream);
void gates_end(struct gates *gates, int32_t stream);
/* The next stream that may begin, which leaves the queue; -1: no marked gates are left. */
int32_t gates_next(struct gates *gates);
