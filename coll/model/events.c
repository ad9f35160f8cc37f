/* events.c - events in the order of time. Cost: O(log n) each; an end that comes a little earlier
 * than it would have, as most do, O(1). */
#include "model/events.h"

#include "model/heap.h"
#include "model/array_grow.h"

#include <stdlib.h>

/* Equal times are handled in the order in which they were added, so that all members simulate
 * alike. */
static bool before(const struct events *e, struct event a, struct event b)
{
    (void)e;
    return a.time < b.time || (a.time == b.time && a.order < b.order);
}

/* The heap reports where an element is, so that it can be moved later. */
static void note_place(struct events *e, struct event end, size_t place)
{
    e->place[end.stream] = (int32_t)place;
}

HEAP(heap, struct event, const struct events *, before);
HEAP_PLACED(ends, struct event, struct events *, before, note_place);

bool events_push(struct events *e, struct event event)
{
    if (!ARRAY_GROW(e->heap, e->count, e->room, 256))
        return false;
    event.order = e->order++;
    heap_add(e, e->heap, e->count++, event);
    return true;
}

/* Arrays are indexed by stream; -1: it has no end event. */
static bool has_room(struct events *e, int32_t stream)
{
    if (stream < e->stream_room)
        return true;
    /* Grows by half at least, so that many streams cost O(1) each. */
    int32_t room = stream + 1 > 2 * e->stream_room ? stream + 64 : 2 * e->stream_room;
    if (!ARRAY_ROOM(e->ends, room) || !ARRAY_ROOM(e->place, room))
        return false;
    for (; e->stream_room < room; e->stream_room++)
        e->place[e->stream_room] = -1;
    return true;
}

/* An end that moves gets a new order, as if it had been removed and added. */
bool events_end(struct events *e, int32_t stream, hn_time time)
{
    struct event end = {.time = time, .order = e->order++, .stream = stream, .kind = EVENT_END};
    if (!has_room(e, stream))
        return false;
    int32_t place = e->place[stream];
    if (place < 0)
        ends_add(e, e->ends, e->end_count++, end);
    /* Earlier: rises from its place; later: sinks. */
    else if (before(e, end, e->ends[place]))
        ends_add(e, e->ends, (size_t)place, end);
    else
        ends_sink(e, e->ends, e->end_count, (size_t)place, end);
    return true;
}

bool events_any(const struct events *e)
{
    return e->count > 0 || e->end_count > 0;
}

/* The earlier of both heaps; among equal times the one that was added first. */
struct event events_pop(struct events *e)
{
    if (e->end_count == 0 || (e->count > 0 && before(e, e->heap[0], e->ends[0])))
        return heap_take(e, e->heap, e->count--);
    struct event end = ends_take(e, e->ends, e->end_count--);
    e->place[end.stream] = -1;
    return end;
}

void events_free(struct events *e)
{
    free(e->heap);
    free(e->ends);
    free(e->place);
}
