/* lane.c - the writer's end of a lane (lane.h). */
#include "transport/lane.h"

#include "match/cache.h"

#include <assert.h>

static_assert(sizeof(struct lane_slot) == LANE_SLOT, "a slot is two lines");
static_assert(offsetof(struct lane_slot, data) == LANE_HEADER, "and its data stand behind this");

/* The reader has the lines of the slots that are written next; they are asked for so far ahead. */
enum { SLOTS_AHEAD = 2 };

static struct lane_slot *slot_at(const struct lane *l, uint64_t at)
{
    return &l->shared->slot[at % LANE_SLOTS];
}

struct lane_slot *lane_room(struct lane *l, size_t bytes)
{
    struct lane_slot *ahead = slot_at(l, l->at + SLOTS_AHEAD);

    if (l->at - l->other >= LANE_SLOTS) {
        l->other = atomic_load_explicit(&l->shared->taken, memory_order_acquire);
        if (l->at - l->other >= LANE_SLOTS)
            return NULL; /* or the reader lies: then it gets nothing */
    }
    cache_fetch_to_write(ahead);
    if (bytes > LANE_LINE) /* and so will the next ones be */
        cache_fetch_to_write((uint8_t *)ahead + LANE_SLOT / 2);
    return slot_at(l, l->at);
}

void lane_publish(struct lane *l, struct lane_slot *slot, uint64_t place)
{
    atomic_store_explicit(&slot->stamp, place + 1, memory_order_release);
    l->at++;
}

const struct lane_slot *lane_find(const struct lane *l, uint64_t place)
{
    uint64_t first = l->at < LANE_SLOTS ? 0 : l->at - LANE_SLOTS;

    for (uint64_t i = first; i < l->at; i++) {
        const struct lane_slot *slot = slot_at(l, i);
        if (atomic_load_explicit(&slot->stamp, memory_order_relaxed) == place + 1)
            return slot;
    }
    return NULL;
}
