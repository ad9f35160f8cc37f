/* outbox_record.h - the format of a task's outbox memory, which the task and its agent share.
 *
 * The agent of the host shares the memory for messages that a task has sent and the receivers have
 * not acknowledged.  So it outlives the process, however that ends.  The agent then reads the rest
 * and sends it to the receivers (hnowd_undelivered.c).
 *
 * The memory is a file without a name (memfd).  It begins with a struct outbox_head.  From
 * OUTBOX_FIRST to byte `top` it contains contiguous blocks.  A block is a struct outbox_record
 * followed by room.  A queued block contains one frame of the byte stream to a task (link.h).  Both
 * programs run on one machine and have the same byte order, unless an emulator runs one of them.
 * Then the magic number differs and the agent reads nothing.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "HnO1"; bytes: the header's cache line; the alignment of malloc(). */
enum { OUTBOX_MAGIC = 0x486e4f31, OUTBOX_FIRST = 64, OUTBOX_ALIGN = 16 };

/* The first bytes of the file.  Written by the agent, except `top`, which the task advances. */
struct outbox_head {
    uint32_t magic;
    uint32_t reserved;
    _Atomic uint64_t top; /* end of the last block */
};

enum outbox_state { OUTBOX_FREE = 0, OUTBOX_QUEUED = 1 };

/* Fields have fixed widths and natural alignment, so programs of 32 and 64 bits agree. */
struct outbox_record {
    uint32_t size;          /* bytes of the block, including this record */
    _Atomic uint32_t state; /* the other fields are valid if OUTBOX_QUEUED */
    uint64_t start;         /* position of the frame in the stream */
    uint64_t payload;       /* offset of the payload in the file */
    uint32_t length;        /* bytes of the payload */
    uint32_t header;        /* offset of the frame's header in the block */
    uint32_t header_length; /* bytes of the header */
    uint32_t to;            /* tid of the receiver */
    uint64_t reserved;
};
_Static_assert(sizeof(struct outbox_record) % OUTBOX_ALIGN == 0, "what follows is aligned");

/* Agent: creates the memory for a new task. -1: impossible, and the task runs without. */
int outbox_make(void);

/* The queued frames in the file, sorted by receiver and stream position. */
struct outbox_frame {
    uint32_t to, header_length, length;
    uint64_t start, header, payload; /* position in the stream; offsets in the file */
    uint64_t lowest; /* the lowest offset of a header or payload from this frame on */
};
/* A mapping of the file and an array of frames that refer to it.  Freed by outbox_left_free(). */
struct outbox_left {
    const uint8_t *memory;
    size_t size;
    struct outbox_frame *frame;
    size_t count;
};
/* Agent: reads the frames that an ended task has left in its file.  False: there are none, or it is
 * unreadable.  The content is not trusted: offsets outside the file are skipped. */
bool outbox_read(struct outbox_left *left, int fd);
void outbox_left_free(struct outbox_left *left);
