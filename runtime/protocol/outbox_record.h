/* outbox_record.h - the memory of a task's outbox, as the task and its agent both see it.
 *
 * What a task has sent and the receivers have not acknowledged yet is kept in memory that the agent
 * of its host shares.  So it outlives the process, however that ends: the agent then reads what is
 * left and sends it to the receivers (hnowd_undelivered.c).
 *
 * The memory is a file without a name (memfd).  It begins with a struct outbox_head; from
 * OUTBOX_FIRST on there is one block behind the other, up to byte `top`.  A block is a struct
 * outbox_record and room.  A block that is queued holds one frame of the byte stream to a task
 * (link.h).  Both programs run on one machine and have the same byte order, unless an emulator runs
 * one of them: then the magic number differs and the agent reads nothing.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "HnO1"; bytes: the head's cache line, and malloc's alignment. */
enum { OUTBOX_MAGIC = 0x486e4f31, OUTBOX_FIRST = 64, OUTBOX_ALIGN = 16 };

struct outbox_head {
    uint32_t magic;
    uint32_t reserved;
    _Atomic uint64_t top; /* the end of the last block */
};

enum outbox_state { OUTBOX_FREE = 0, OUTBOX_QUEUED = 1 };

/* Fields of fixed width, each at a multiple of its size: programs of 32 and 64 bits agree. */
struct outbox_record {
    uint32_t size;          /* bytes of the block, this record included */
    _Atomic uint32_t state; /* of the rest: valid when OUTBOX_QUEUED */
    uint64_t start;         /* place of the frame in the stream */
    uint64_t payload;       /* where in the file its payload is, ... */
    uint32_t length;        /* ... and how long */
    uint32_t header;        /* where in the block the frame's header is, ... */
    uint32_t header_length; /* ... and how long */
    uint32_t to;            /* tid of the receiver */
    uint64_t reserved;
};
_Static_assert(sizeof(struct outbox_record) % OUTBOX_ALIGN == 0, "what follows is aligned");

/* The agent's: such memory for a new task; -1: there is none, and the task does without. */
int outbox_make(void);

/* The frames that are queued in the file, by receiver and place in the stream. */
struct outbox_frame {
    uint32_t to, header_length, length;
    uint64_t start, header, payload; /* place in the stream; places in the file */
};
struct outbox_left {
    const uint8_t *memory;
    size_t size;
    struct outbox_frame *frame;
    size_t count;
};
/* Reads what a task that has ended has left in its file.  False: nothing, or it cannot be read.
 * What the task wrote is not trusted: places outside the file are left out. */
bool outbox_read(struct outbox_left *left, int fd);
void outbox_left_free(struct outbox_left *left);
