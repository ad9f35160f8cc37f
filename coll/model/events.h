/* events.h - the event queue of the media simulation, ordered by time. */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

/* BEGIN: a message leaves its sender. ENTER: it has passed its machines, or is the port part of a
 * multicast that begins to move. END: the first message of a stream, or its slice, has moved.
 * ARRIVAL: it is at its receiver. */
enum event_kind { EVENT_BEGIN, EVENT_ENTER, EVENT_END, EVENT_ARRIVAL };

struct event {
    hn_time time;
    uint64_t order; /* tie-break at equal times: first in, first out; set by events_push() */
    int32_t stream, message;
    enum event_kind kind;
};

/* A stream has at most one end event, whose time changes often; so ends have a heap of their own in
 * which they can move. Other events never change. */
struct events {
    struct event *heap; /* heap.h */
    size_t count, room;
    struct event *ends; /* a heap of the streams' end events */
    size_t end_count;
    int32_t *place; /* [stream]: index in ends[]; -1: none */
    int32_t stream_room;
    uint64_t order;
};

/* Both return false when out of memory. */
bool events_push(struct events *events, struct event event);
/* Sets or moves the end event of a stream. */
bool events_end(struct events *events, int32_t stream, hn_time time);
bool events_any(const struct events *events);
/* Removes the earliest event. The queue must not be empty (events_any()). */
struct event events_pop(struct events *events);
void events_free(struct events *events);
