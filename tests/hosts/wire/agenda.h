/*
 * What is going to happen on the wires, in the order of time. Events of the same
 * time come out in the order in which they were put in, so a run can be repeated exactly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum agenda_what {
    AGENDA_JOIN,   /* a bus: the sender's cost is paid, the frame waits for the wire */
    AGENDA_FREE,   /* a bus: the frame has been on the wire, the next one may go */
    AGENDA_SWITCH, /* a switch has received the frame */
    AGENDA_GIVE,   /* the receiving host has the frame */
};

struct frame;

struct agenda_event {
    uint64_t time;
    uint64_t order; /* set by agenda_put */
    struct frame *frame;
    int port; /* the receiver for AGENDA_GIVE, else the sender */
    enum agenda_what what;
};

struct agenda {
    struct agenda_event *event;
    size_t count, room;
    uint64_t puts;
};

/* False: out of memory, nothing was put. */
bool agenda_put(struct agenda *a, struct agenda_event event);

/* Take the first event; the agenda must not be empty. */
struct agenda_event agenda_take(struct agenda *a);

void agenda_free(struct agenda *a);
