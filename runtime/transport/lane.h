/* lane.h - small messages through shared memory: one writer, one reader, a slot for each message.
 *
 * What makes a small message slow is how many lines of the cache go from one processor to the
 * other.  In a ring (ring.h) these are the lines of the message, which begins anywhere, and the one
 * with the writer's position.  Here a message begins with a line and has its own sign that it is
 * there: its stamp, the place at which it stands in its link's stream (link.h).  The reader knows
 * that place, and no slot has held that stamp before.  So up to LANE_LINE bytes take one line,
 * LANE_ROOM two; the reader says how many it has taken, and the writer looks at that once in
 * LANE_SLOTS messages.
 *
 * What the other side writes is not believed: who uses a slot checks what stands in it (small.c).
 */
#ifndef HNOW_LANE_H
#define HNOW_LANE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANE_SLOTS = 128, LANE_SLOT = 128, LANE_HEADER = 24 };
enum { LANE_ROOM = LANE_SLOT - LANE_HEADER, LANE_LINE = LANE_SLOT / 2 - LANE_HEADER };

struct lane_slot {
    _Alignas(64) _Atomic uint64_t stamp; /* the place in the stream, and 1, for at first it is 0 */
    uint32_t context;
    int32_t tag;
    uint16_t type, length;
    uint32_t unused;
    uint8_t data[LANE_ROOM];
};

/* What both sides see; all zero at first. */
struct lane_shared {
    _Alignas(64) _Atomic uint64_t taken; /* by the reader: how many messages */
    struct lane_slot slot[LANE_SLOTS];
};

/* One side's end of it. */
struct lane {
    struct lane_shared *shared;
    uint64_t at;    /* messages that we have written or read */
    uint64_t other; /* writer: those that the reader has taken, when we looked last */
};

static inline void lane_init(struct lane *l, struct lane_shared *shared)
{
    *l = (struct lane){.shared = shared};
}

/* ---- the writer --------------------------------------------------------------------------- */

/* The next slot, for a message of so many bytes (LANE_ROOM at most), to be written but for its
 * stamp; NULL: the reader has not taken enough. */
struct lane_slot *lane_room(struct lane *l, size_t bytes);
/* It is written, all but the stamp. */
void lane_publish(struct lane *l, struct lane_slot *slot, uint64_t place);
/* The message at that place in the stream, where it stands in the lane still; else NULL.  For who
 * takes it back: the other side may have written to it. */
const struct lane_slot *lane_find(const struct lane *l, uint64_t place);

/* ---- the reader --------------------------------------------------------------------------- */

/* The message at that place in the stream; NULL: it is not there, or not in the lane. */
static inline const struct lane_slot *lane_next(const struct lane *l, uint64_t place)
{
    const struct lane_slot *slot = &l->shared->slot[l->at % LANE_SLOTS];

    return atomic_load_explicit(&slot->stamp, memory_order_acquire) == place + 1 ? slot : NULL;
}

/* One is being read, and others are likely to be there. */
static inline void lane_expect(const struct lane *l)
{
    const uint8_t *next = (const uint8_t *)&l->shared->slot[(l->at + 1) % LANE_SLOTS];

    __builtin_prefetch(next);
    __builtin_prefetch(next + LANE_SLOT / 2);
}

/* It has been read. */
static inline void lane_skip(struct lane *l)
{
    l->at++;
}

/* The writer may have the slots of what has been read. */
static inline void lane_tell(const struct lane *l)
{
    atomic_store_explicit(&l->shared->taken, l->at, memory_order_release);
}

#endif
