/* events.h - what will happen to messages, in the order of time. */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

enum event_kind { EVENT_BEGIN, EVENT_ENTER, EVENT_END, EVENT_ARRIVAL };

struct event {
    hn_time time;
    uint64_t order; /* among equal times: first in, first out; set by those who put it in */
    int32_t stream, message;
    enum event_kind kind;
};

/* A lane ends once, at a time that changes often; other events stay what they are. */
struct events {
    struct event *heap; /* heap.h */
    size_t count, room;
    struct event *ends; /* of lanes, likewise */
    size_t end_count;
    int32_t *place; /* [lane]: of its end; -1: it has none */
    int32_t stream_room;
    uint64_t order;
};

/* These two: false: out of memory. */
bool events_push(struct events *events, struct event event);
/* A lane ends at this time, and not at the one that was told before. */
bool events_end(struct events *events, int32_t stream, hn_time time);
bool events_any(const struct events *events);
/* The earliest; there must be one. */
struct event events_pop(struct events *events);
void events_free(struct events *events);
