/* events.c - events in the order of time. Cost: O(log n) each. */
#include "events.h"

#include "heap.h"

#include <stdlib.h>

static bool before(const struct events *e, struct event a, struct event b)
{
    (void)e;
    return a.time < b.time || (a.time == b.time && a.order < b.order);
}

HEAP(heap, struct event, const struct events *, before);

bool events_push(struct events *e, struct event event)
{
    if (e->count == e->room) {
        size_t room = e->room ? 2 * e->room : 256;
        struct event *grown = realloc(e->heap, room * sizeof *grown);
        if (!grown)
            return false;
        e->heap = grown;
        e->room = room;
    }
    event.order = e->order++;
    heap_add(e, e->heap, e->count++, event);
    return true;
}

struct event events_pop(struct events *e)
{
    return heap_take(e, e->heap, e->count--);
}

void events_free(struct events *e)
{
    free(e->heap);
}
