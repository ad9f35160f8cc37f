/* outbox.h - memory for sent messages without acknowledgement, which outlives the process.
 *
 * The agent makes this memory (HNOW_OUTBOX_FD) and reads its content when the process has ended
 * (outbox_record.h).  So every message that hn_send() accepted arrives, with or without a
 * connection, and however the process ends: _exit(), exec(), a signal.  This costs no system call,
 * because a message is copied into this memory instead of memory from malloc().
 *
 * Blocks have the size classes of pool.h, and free blocks wait on lists for reuse.  When all blocks
 * are free and more than OUTBOX_KEEP bytes were used, the memory returns to the system.  Without
 * the agent's memory, or when it is full, blocks come from the pool, and are lost with the process.
 */
#pragma once

#include "protocol/outbox_record.h"
#include "engine/pool.h"

enum { OUTBOX_KEEP = 16 << 20 }; /* bytes; only a burst uses more, and they are released after it */

/* One for each task, protected by the engine's lock.  Only the process itself changes it; the agent
 * reads the memory after the process has ended. */
struct outbox {
    struct outbox_head *head; /* the memory; NULL: there is none */
    size_t size, top, live;   /* its bytes; bytes used so far from its start; blocks in use */
    struct pool_block *free[POOL_CLASSES];
};

/* Maps the memory of descriptor HNOW_OUTBOX_FD and closes that.  A struct of zeros is an outbox
 * without memory. */
void outbox_open(struct outbox *o);
void outbox_close(struct outbox *o);

/* Allocates a block of at least `size` bytes: from the outbox if possible, else from the pool.
 * NULL: out of memory. */
void *outbox_get(struct outbox *o, struct pool *pool, size_t size);
/* Frees a block; `size` as in outbox_get(). */
void outbox_put(struct outbox *o, struct pool *pool, void *block, size_t size);

/* Whether a block belongs to the outbox. */
static inline bool outbox_has(const struct outbox *o, const void *block)
{
    return (uintptr_t)block - (uintptr_t)o->head < o->size;
}

/* Records that `block`, which contains the header, holds the frame of the stream to that task that
 * begins at byte `start`.  The payload may be in another block.  Has no effect unless both blocks
 * belong to the outbox. */
void outbox_queue(struct outbox *o, void *block, int32_t to, uint64_t start, const uint8_t *header,
                  uint32_t header_length, const uint8_t *payload, uint32_t length);
