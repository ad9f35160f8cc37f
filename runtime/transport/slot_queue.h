/* slot_queue.h - small messages through shared memory: one writer, one reader, one slot for each
 * message.
 *
 * The latency of a small message is the time in which cache lines move between two processors.  In
 * a ring (ring.h) these are the lines of the message, which is not aligned, and the line with the
 * writer's position.  Here a message is aligned to a line and contains its own arrival mark.  This
 * stamp is the message's position in the stream of its link (link.h).  The reader knows that
 * position, and no slot has contained the same stamp before.  So a message of up to SLOT_LINE bytes
 * needs one line, one of SLOT_ROOM bytes two.  The reader publishes how many messages it has read,
 * and the writer reads that once in SLOT_COUNT messages.
 *
 * The other side may be hostile: users of a slot validate its content (small.c).
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots: 16 KiB in each direction; the writer of a longer burst waits for the reader.  Bytes: two
 * cache lines, of which the fields before `data` occupy SLOT_HEADER. */
enum { SLOT_COUNT = 128, SLOT_BYTES = 128, SLOT_HEADER = 24 };
enum { SLOT_ROOM = SLOT_BYTES - SLOT_HEADER, SLOT_LINE = SLOT_BYTES / 2 - SLOT_HEADER };

/* One message.  The fields are in host byte order, because both tasks run on one machine.  The
 * fields before `data` and the first SLOT_LINE bytes of it share the cache line of `stamp`. The
 * writer fills `length`, and the reader validates it (small.c). */
struct queue_slot {
    _Alignas(64) _Atomic uint64_t stamp; /* position in the stream plus 1, as it is 0 initially */
    uint32_t context;
    int32_t tag;
    uint16_t type, length;
    uint32_t unused;
    uint8_t data[SLOT_ROOM];
};

/* In the shared memory, initially zero.  `taken` has a line of its own, because the reader writes
 * it and the writer writes the slots. */
struct slot_memory {
    _Alignas(64) _Atomic uint64_t taken; /* messages that the reader has read */
    struct queue_slot slot[SLOT_COUNT];
};

/* One side's end of a queue. */
struct slot_queue {
    struct slot_memory *shared;
    uint64_t at;    /* messages that this side has written, or has read */
    uint64_t other; /* writer: `taken` when it was last read */
};

static inline void slot_queue_init(struct slot_queue *l, struct slot_memory *shared)
{
    *l = (struct slot_queue){.shared = shared};
}

/* ---- the writer --------------------------------------------------------------------------- */

/* The next slot, for a message of at most SLOT_ROOM bytes.  The caller fills all fields except the
 * stamp.  NULL: the queue is full. */
struct queue_slot *slot_queue_room(struct slot_queue *l, size_t bytes);
/* Publishes a filled slot to the reader. */
void slot_queue_publish(struct slot_queue *l, struct queue_slot *slot, uint64_t position);
/* The message at that position in the stream.  NULL: its slot contains another one by now.  The
 * writer uses it to queue the message again, and must validate it: the other side may have changed
 * it. */
const struct queue_slot *slot_queue_find(const struct slot_queue *l, uint64_t position);

/* ---- the reader --------------------------------------------------------------------------- */

/* The message at that position in the stream.  NULL: it has not arrived, or not in this queue. */
static inline const struct queue_slot *slot_queue_next(const struct slot_queue *l,
                                                       uint64_t position)
{
    const struct queue_slot *slot = &l->shared->slot[l->at % SLOT_COUNT];

    return atomic_load_explicit(&slot->stamp, memory_order_acquire) == position + 1 ? slot : NULL;
}

/* While a message is being read, fetches the next one, which has probably arrived, too. */
static inline void slot_queue_prefetch(const struct slot_queue *l)
{
    const uint8_t *next = (const uint8_t *)&l->shared->slot[(l->at + 1) % SLOT_COUNT];

    __builtin_prefetch(next);
    __builtin_prefetch(next + SLOT_BYTES / 2);
}

/* The message has been read. */
static inline void slot_queue_skip(struct slot_queue *l)
{
    l->at++;
}

/* Lets the writer reuse the slots of all messages that have been read. */
static inline void slot_queue_notify(const struct slot_queue *l)
{
    atomic_store_explicit(&l->shared->taken, l->at, memory_order_release);
}
