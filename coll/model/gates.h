/* gates.h - which of a host's lanes may move that fill the same channel.
 *
 * What a host sends through one channel goes in the order in which it was sent, one lane after the
 * other. The next one begins when those that move leave more than half of the channel unused. On a
 * bus it also begins when they are held up by channels farther on, and it is not: routers have room
 * for what waits there, so that the bus is free for others meanwhile. (Measured: twenty hosts on
 * three buses, a switch and slow ports, all-to-all of 1 and 4 KB: plans in which every rank sends
 * at once take 158 and 618 ms, and were predicted to take up to 178 and 662 when what waited for a
 * router held up its sender.)
 *
 * Units: those of lane.h.
 */
#pragma once

#include "model/connection.h"
#include "model/fair.h"
#include "model/stream_progress.h"

struct gate; /* the lanes of a host that fill the same channel */

struct gates {
    const struct connections *connections;
    struct stream *const *streams; /* numbered as the connections */
    const struct fair *fair;       /* rates of those that move */
    struct numbering numbers;      /* by (host, channel) */
    struct gate *all;
    int32_t room;
    int32_t *doubtful; /* those of which another lane may perhaps begin */
    int32_t doubtful_count;
};

/* Those that a connection's lane takes: of the first channel of which it wants more than half; -1:
 * none. false: out of memory. */
bool gates_find(struct gates *gates, const struct connection *c, int32_t *number);
void gates_free(struct gates *gates);

/* Perhaps the channel is not used well any more, and another lane of these may begin. -1: none. */
void gates_doubt(struct gates *gates, int32_t number);
/* Whether a lane has to queue: others move, or wait. */
bool gates_taken(const struct gates *gates, int32_t number);
/* A lane queues. Whether it is the first one. */
bool gates_wait(struct gates *gates, int32_t stream);
bool gates_waited_for(const struct gates *gates, int32_t number);
/* The lane that began to move last; -1: none moves. */
int32_t gates_latest(const struct gates *gates, int32_t number);
/* A lane that does not wait begins, and ceases to move. */
void gates_begin(struct gates *gates, int32_t stream);
void gates_end(struct gates *gates, int32_t stream);
/* A lane that may begin, and does not wait any more; -1: no doubts are left. */
int32_t gates_next(struct gates *gates);
