/* slot_queue.h - small messages through shared memory: one writer, one reader, a slot for each
 * message.
 *
 * What makes a small message slow is how many lines of the cache go from one processor to the
 * other.  In a ring (ring.h) these are the lines of the message, which begins anywhere, and the one
 * with the writer's position.  Here a message begins with a line and has its own sign that it is
 * there: its stamp, the place at which it stands in its link's stream (link.h).  The reader knows
 * that place, and no slot has held that stamp before.  So up to SLOT_LINE bytes take one line,
 * SLOT_ROOM two; the reader says how many it has taken, and the writer looks at that once in
 * SLOT_COUNT messages.
 *
 * What the other side writes is not believed: who uses a slot checks what stands in it (small.c).
 */
#ifndef HNOW_SLOT_QUEUE_H
#define HNOW_SLOT_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SLOT_COUNT = 128, SLOT_BYTES = 128, SLOT_HEADER = 24 };
enum { SLOT_ROOM = SLOT_BYTES - SLOT_HEADER, SLOT_LINE = SLOT_BYTES / 2 - SLOT_HEADER };

struct slot {
    _Alignas(64) _Atomic uint64_t stamp; /* the place in the stream, and 1, for at first it is 0 */
    uint32_t context;
    int32_t tag;
    uint16_t type, length;
    uint32_t unused;
    uint8_t data[SLOT_ROOM];
};

/* What both sides see; all zero at first. */
struct slot_memory {
    _Alignas(64) _Atomic uint64_t taken; /* by the reader: how many messages */
    struct slot slot[SLOT_COUNT];
};

/* One side's end of it. */
struct slot_queue {
    struct slot_memory *shared;
    uint64_t at;    /* messages that we have written or read */
    uint64_t other; /* writer: those that the reader has taken, when we looked last */
};

static inline void slot_queue_init(struct slot_queue *l, struct slot_memory *shared)
{
    *l = (struct slot_queue){.shared = shared};
}

/* ---- the writer --------------------------------------------------------------------------- */

/* The next slot, for a message of so many bytes (SLOT_ROOM at most), to be written but for its
 * stamp; NULL: the reader has not taken enough. */
struct slot *slot_queue_room(struct slot_queue *l, size_t bytes);
/* It is written, all but the stamp. */
void slot_queue_publish(struct slot_queue *l, struct slot *slot, uint64_t place);
/* The message at that place in the stream, where it stands in the slot queue still; else NULL.  For
 * who takes it back: the other side may have written to it. */
const struct slot *slot_queue_find(const struct slot_queue *l, uint64_t place);

/* ---- the reader --------------------------------------------------------------------------- */

/* The message at that place in the stream; NULL: it is not there, or not in the slot queue. */
static inline const struct slot *slot_queue_next(const struct slot_queue *l, uint64_t place)
{
    const struct slot *slot = &l->shared->slot[l->at % SLOT_COUNT];

    return atomic_load_explicit(&slot->stamp, memory_order_acquire) == place + 1 ? slot : NULL;
}

/* One is being read, and others are likely to be there. */
static inline void slot_queue_prefetch(const struct slot_queue *l)
{
    const uint8_t *next = (const uint8_t *)&l->shared->slot[(l->at + 1) % SLOT_COUNT];

    __builtin_prefetch(next);
    __builtin_prefetch(next + SLOT_BYTES / 2);
}

/* It has been read. */
static inline void slot_queue_skip(struct slot_queue *l)
{
    l->at++;
}

/* The writer may have the slots of what has been read. */
static inline void slot_queue_notify(const struct slot_queue *l)
{
    atomic_store_explicit(&l->shared->taken, l->at, memory_order_release);
}

#endif
