/* outbox.h - memory for what is sent and not acknowledged yet, which outlives the process.
 *
 * The agent has made the memory (HNOW_OUTBOX_FD) and reads what is left in it when the process has
 * ended (outbox_record.h).  So what hn_send() has taken arrives, whether or not there is a
 * connection yet, and however the process ends: _exit(), exec(), a signal.  It costs no system
 * call: a message is copied into this memory instead of that of malloc().
 *
 * Blocks have the size classes of pool.h, and wait on lists for their next use.  When all are free
 * and more than OUTBOX_KEEP bytes have been used, the memory goes back to the system.  Without the
 * agent's memory, or when it is full, blocks come from the pool, and end with the process.
 */
#pragma once

#include "protocol/outbox_record.h"
#include "engine/pool.h"

enum { OUTBOX_KEEP = 16 << 20 }; /* more is a burst's, and given back once it is over */

struct outbox {
    struct outbox_head *head; /* the memory; NULL: there is none */
    size_t size, top, live;   /* bytes of it; used up to there; blocks in use */
    struct pool_block *free[POOL_CLASSES];
};

/* Maps the memory that HNOW_OUTBOX_FD names, and closes that.  All zero is an outbox without. */
void outbox_open(struct outbox *o);
void outbox_close(struct outbox *o);

/* A block of at least size bytes, from the outbox if it has one, else from the pool; NULL: out of
 * memory. */
void *outbox_get(struct outbox *o, struct pool *pool, size_t size);
/* Gives it back, with the size it was asked for. */
void outbox_put(struct outbox *o, struct pool *pool, void *block, size_t size);

/* Whether a block is one of the outbox. */
static inline bool outbox_has(const struct outbox *o, const void *block)
{
    return (uintptr_t)block - (uintptr_t)o->head < o->size;
}

/* A block, which has the header, holds (with a payload that may be in another one) the frame of the
 * stream to that task that begins at byte `start`.  Nothing happens unless both are of the outbox.
 */
void outbox_queue(struct outbox *o, void *block, int32_t to, uint64_t start, const uint8_t *header,
                  uint32_t header_length, const uint8_t *payload, uint32_t length);
