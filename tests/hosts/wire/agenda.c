/* See agenda.h. */
#include "agenda.h"

#include <stdlib.h>

static bool agenda_before(const struct agenda_event *a, const struct agenda_event *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static bool agenda_grow(struct agenda *a)
{
    size_t room = a->room ? 2 * a->room : 256;
    struct agenda_event *event = reallocarray(a->event, room, sizeof *event);
    if (!event)
        return false;
    a->event = event;
    a->room = room;
    return true;
}

bool agenda_put(struct agenda *a, struct agenda_event event)
{
    if (a->count == a->room && !agenda_grow(a))
        return false;
    event.order = a->puts++;
    size_t at = a->count++;
    while (at > 0 && agenda_before(&event, &a->event[(at - 1) / 2])) {
        a->event[at] = a->event[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    a->event[at] = event;
    return true;
}

struct agenda_event agenda_take(struct agenda *a)
{
    struct agenda_event first = a->event[0], last = a->event[--a->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= a->count)
            break;
        if (child + 1 < a->count && agenda_before(&a->event[child + 1], &a->event[child]))
            child++;
        if (!agenda_before(&a->event[child], &last))
            break;
        a->event[at] = a->event[child];
        at = child;
    }
    a->event[at] = last;
    return first;
}

void agenda_free(struct agenda *a)
{
    free(a->event);
    *a = (struct agenda){0};
}
