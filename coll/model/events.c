/* events.c - a binary heap of events. Cost: O(log n) each. */
#include "events.h"

#include <stdlib.h>

static bool before(const struct event *a, const struct event *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

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
    size_t i = e->count++;
    for (; i > 0 && before(&event, &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
        e->heap[i] = e->heap[(i - 1) / 2];
    e->heap[i] = event;
    return true;
}

struct event events_pop(struct events *e)
{
    struct event top = e->heap[0], last = e->heap[--e->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < e->count; i = child) {
        if (child + 1 < e->count && before(&e->heap[child + 1], &e->heap[child]))
            child++;
        if (!before(&e->heap[child], &last))
            break;
        e->heap[i] = e->heap[child];
    }
    e->heap[i] = last;
    return top;
}

void events_free(struct events *e)
{
    free(e->heap);
}
