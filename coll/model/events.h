/* events.h - what will happen to messages, in the order of time. */
#ifndef HNOW_COLL_EVENTS_H
#define HNOW_COLL_EVENTS_H

#include "hnow_net.h"

#include <stdbool.h>

enum event_kind { EVENT_BEGIN, EVENT_ENTER, EVENT_END, EVENT_ARRIVAL };

struct event {
    hn_time time;
    uint64_t order; /* among equal times: first in, first out; set by events_push() */
    int32_t lane, message;
    int version;
    enum event_kind kind;
};

struct events {
    struct event *heap; /* heap.h */
    size_t count, room;
    uint64_t order;
};

/* false: out of memory. */
bool events_push(struct events *events, struct event event);
/* The earliest; there must be one. */
struct event events_pop(struct events *events);
void events_free(struct events *events);

#endif
