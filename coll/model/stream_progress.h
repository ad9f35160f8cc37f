/* stream_progress.h - a connection while messages move on it: private to the media (media.c, lane.c,
 * queue.c).
 *
 * Units: rates in thousandths of a byte a second; what is left in byte * 10^15, so that rate *
 * picoseconds is exact.
 */
#pragma once

#include "hnow_net.h"
#include "probe/internal.h"

#include <stdbool.h>

#define STREAM_UNIT INT64_C(1000000000000000) /* of `left`, per byte */

struct message {
    int32_t id;
    int32_t next;   /* in the lane's queue; -1: the last */
    int32_t others; /* who receive it, too */
    int32_t stream; /* on which it moves, */
    int32_t along;  /* what begins to move with it, the first of a list by `next`; -1: nothing */
    int64_t bytes;
    bool answers; /* it carries an acknowledgement */
};

/* The messages of the connection of the same number, of which the first one moves. */
struct stream {
    int32_t head, tail;     /* messages; -1: none */
    int32_t gate;           /* by which it leaves; -1: it need not wait for any other lane */
    int32_t waiting;        /* the next lane that waits for the same */
    int64_t bytes;          /* of the message that was weighed last; -1: none */
    int64_t queued;         /* bytes of all its messages, the one that moves included; */
    int64_t passed;         /* of those that have moved since it last had none, */
    hn_time begun;          /* which was until then */
    hn_time latency;        /* of the message that moves: what does not keep the lane busy */
    hn_time arrived;        /* its last message: they stay in order; */
    hn_time answered;       /* the one that was the last when something went back */
    wide turn;              /* all that goes in this turn, */
    wide left, rest;        /* what is left of it, and what remains for later ones */
    wide window;            /* a turn, when others wait */
    int64_t rate, own_rate; /* now; alone */
    hn_time since;          /* left is as of this time */
    hn_time due;            /* when its end event happens: in time, or too early */
    bool moving;
    bool acknowledged; /* what moves is, while it moves */
};

/* When what a lane moves has moved completely, at its present rate. */
hn_time stream_end(const struct stream *stream);
/* Brings the remaining bytes up to date. */
void stream_advance(struct stream *stream, hn_time now);
/* Bytes that still have to move until a window ends. */
wide stream_window_rest(const struct stream *stream);
/* Bytes of the message that moves which have still to pass. */
int64_t stream_rest(const struct stream *stream, hn_time now);
