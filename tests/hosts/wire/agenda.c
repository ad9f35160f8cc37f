/* See agenda.h. */
#include "agenda.h"

#include "model/heap.h"

#include <stdlib.h>

static bool agenda_before(const struct agenda *a, struct agenda_event x, struct agenda_event y)
{
    (void)a;
    return x.time != y.time ? x.time < y.time : x.order < y.order;
}

HEAP(heap, struct agenda_event, const struct agenda *, agenda_before);

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
    heap_add(a, a->event, a->count++, event);
    return true;
}

struct agenda_event agenda_take(struct agenda *a)
{
    return heap_take(a, a->event, a->count--);
}

void agenda_free(struct agenda *a)
{
    free(a->event);
    *a = (struct agenda){0};
}
