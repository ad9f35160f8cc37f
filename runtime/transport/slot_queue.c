/* slot_queue.c - the writer's end of a slot queue (slot_queue.h). */
#include "transport/slot_queue.h"

#include "match/cache.h"

#include <assert.h>

static_assert(sizeof(struct queue_slot) == SLOT_BYTES, "a slot is two lines");
static_assert(offsetof(struct queue_slot, data) == SLOT_HEADER, "and its data stand behind this");

/* Slots to prefetch: the reader has the cache lines of the slots that are written next. */
enum { SLOTS_AHEAD = 2 };

static struct queue_slot *slot_at(const struct slot_queue *l, uint64_t at)
{
    return &l->shared->slot[at % SLOT_COUNT];
}

/* Prefetches the slot after the next for writing.  The reader holds its lines, and taking them back
 * while this message is filled hides most of that time. */
struct queue_slot *slot_queue_room(struct slot_queue *l, size_t bytes)
{
    struct queue_slot *ahead = slot_at(l, l->at + SLOTS_AHEAD);

    /* Full according to the last value read.  Only then is the reader's line fetched, which costs a
     * transfer between cores. */
    if (l->at - l->other >= SLOT_COUNT) {
        l->other = atomic_load_explicit(&l->shared->taken, memory_order_acquire);
        if (l->at - l->other >= SLOT_COUNT)
            return NULL; /* or the reader lies, and gets nothing */
    }
    cache_fetch_to_write(ahead);
    if (bytes > SLOT_LINE) /* probably the next ones are, too */
        cache_fetch_to_write((uint8_t *)ahead + SLOT_BYTES / 2);
    return slot_at(l, l->at);
}

/* The release store makes the fields visible before the stamp.  The acquire load in
 * slot_queue_next() is its counterpart. */
void slot_queue_publish(struct slot_queue *l, struct queue_slot *slot, uint64_t position)
{
    atomic_store_explicit(&slot->stamp, position + 1, memory_order_release);
    l->at++;
}

/* A linear search, as the stream position of a slot does not give its index. */
const struct queue_slot *slot_queue_find(const struct slot_queue *l, uint64_t position)
{
    /* Older slots were overwritten.  The scan takes O(SLOT_COUNT), and happens only when a
     * connection ends. */
    uint64_t first = l->at < SLOT_COUNT ? 0 : l->at - SLOT_COUNT;

    for (uint64_t i = first; i < l->at; i++) {
        const struct queue_slot *slot = slot_at(l, i);
        if (atomic_load_explicit(&slot->stamp, memory_order_relaxed) == position + 1)
            return slot;
    }
    return NULL;
}
