/* stream_progress.h - the progress of a stream: the messages of one connection, of which the first
 * one moves. Private to the media model (media.c, gates.c, queue.c).
 *
 * Units: rates are in thousandths of a byte a second. Remaining amounts are in byte * 10^15, so
 * that rate * picoseconds is exact.
 */
#pragma once

#include "hnow_net.h"
#include "probe/internal.h"

#include <stdbool.h>

#define STREAM_UNIT INT64_C(1000000000000000) /* of `left`, per byte */

struct message {
    int32_t id;
    int32_t next;   /* in the stream's queue; -1: the last */
    int32_t others; /* number of further receivers (multicast) */
    int32_t stream; /* the stream on which it moves */
    int32_t along;  /* first of a list (by `next`) of port parts that begin with it; -1: none */
    int64_t bytes;
    bool answers; /* it carries a TCP acknowledgement */
};

/* A stream has the number of its connection. */
struct stream {
    int32_t head, tail;     /* queue of messages; -1: empty */
    int32_t gate;           /* gates.h; -1: it never waits for other streams */
    int32_t waiting;        /* next stream in the queue of the same gate */
    int64_t bytes;          /* of the last message whose cost was computed; -1: none */
    int64_t queued;         /* bytes of all queued messages, with the moving one; */
    int64_t passed;         /* bytes of the messages that moved since the queue was empty last, */
    hn_time begun;          /* which was at this time */
    hn_time latency;        /* of the moving message: time after its last byte until it arrives */
    hn_time arrived;        /* arrival of the last message: messages stay in order */
    hn_time answered;       /* the last message when data was sent in the other direction */
    wide slice;             /* amount that moves in this slice,*/
    wide left, rest;        /* the rest of it, and the rest for later slices */
    wide window;            /* length of a slice when others wait */
    int64_t rate, own_rate; /* at present; when alone */
    hn_time since;          /* time at which `left` was computed */
    hn_time due;            /* time of its end event: exact, or too early */
    bool moving;
    bool acknowledged; /* the moving message will be acknowledged by the receiver */
};

/* The time at which the present slice ends, at the present rate. */
hn_time stream_end(const struct stream *stream);
/* Updates `left` to the time `now`. */
void stream_advance(struct stream *stream, hn_time now);
/* Amount that still has to move until the present window ends. */
wide stream_window_rest(const struct stream *stream);
/* Bytes of the moving message that have not passed yet. */
int64_t stream_rest(const struct stream *stream, hn_time now);
