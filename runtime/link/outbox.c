/* outbox.c - allocates blocks in the memory that the agent shares (outbox.h).
 *
 * Memory grows at the end (`top`) and is reused by size class.  A record precedes each block.  The
 * agent scans the records from the start up to `top`, and delivers those in state OUTBOX_QUEUED. So
 * a block's state must be valid at any instant at which the process may end.
 */
#include "link/outbox.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct outbox_record *record_of(void *block)
{
    return (struct outbox_record *)block - 1;
}

/* A place is an offset from the start of the memory, which the agent maps elsewhere. */
static uint8_t *at(struct outbox *o, size_t place)
{
    return (uint8_t *)o->head + place;
}

/* The descriptor that the agent has passed; -1: there is none, or the program has closed it and
 * reused its number. */
static int descriptor(size_t *size)
{
    const char *text = getenv("HNOW_OUTBOX_FD");
    int fd = text ? atoi(text) : -1;
    struct outbox_head head;
    struct stat file;

    if (fd < 0 || !(fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK) || fstat(fd, &file) != 0 ||
        pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.magic != OUTBOX_MAGIC ||
        head.top != OUTBOX_FIRST)
        return -1;
    *size = (size_t)file.st_size;
    return fd;
}

/* If less address space is left than the file is long (ulimit -v), maps a part of it. */
void outbox_open(struct outbox *o)
{
    /* bytes: a smaller outbox is not worth having; the pool is used instead */
    const size_t least = 1 << 20;
    size_t size = 0;
    int fd = descriptor(&size);

    /* the descriptor belongs to this task, not to programs that it starts */
    unsetenv("HNOW_OUTBOX_FD");
    *o = (struct outbox){.top = OUTBOX_FIRST};
    for (; fd >= 0 && !o->head && size >= least; size /= 2) {
        void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (memory == MAP_FAILED)
            continue;
        o->head = memory;
        o->size = size;
        madvise(memory, size, MADV_DONTFORK);
    }
    if (fd >= 0)
        close(fd);
}

/* The agent still has the memory, and reads it when the process has ended. */
void outbox_close(struct outbox *o)
{
    if (o->head)
        munmap(o->head, o->size);
    *o = (struct outbox){0};
}

/* A block of that class at the end of the used memory.  NULL: there is no room.  `top` is published
 * after the record is complete. */
static void *extend(struct outbox *o, size_t class)
{
    size_t size = sizeof(struct outbox_record) + pool_class_size(class);

    if (size > o->size - o->top)
        return NULL;
    struct outbox_record *r = (struct outbox_record *)at(o, o->top);
    *r = (struct outbox_record){.size = (uint32_t)size, .state = OUTBOX_FREE};
    o->top += size;
    atomic_store_explicit(&o->head->top, o->top, memory_order_release);
    return r + 1;
}

/* The state stays OUTBOX_FREE until outbox_queue() has written the whole record. */
void *outbox_get(struct outbox *o, struct pool *pool, size_t size)
{
    size_t c = pool_class_of(size);

    if (!o->head || c == POOL_CLASSES)
        return pool_get(pool, size);
    struct pool_block *b = o->free[c];
    if (b)
        o->free[c] = b->next;
    else
        b = extend(o, c);
    if (!b)
        return pool_get(pool, size);
    o->live++;
    return b;
}

/* No block is in use: returns the used memory to the system. */
static void give_back(struct outbox *o)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    atomic_store_explicit(&o->head->top, OUTBOX_FIRST, memory_order_release);
    madvise(at(o, page), (o->top + page - 1) / page * page - page, MADV_REMOVE);
    o->top = OUTBOX_FIRST;
    for (size_t c = 0; c < POOL_CLASSES; c++)
        o->free[c] = NULL;
}

/* The address shows whether the block belongs to the outbox or the pool, so callers need not
 * remember it. */
void outbox_put(struct outbox *o, struct pool *pool, void *block, size_t size)
{
    struct pool_block *b = block;
    size_t c = pool_class_of(size);

    if (!outbox_has(o, block)) {
        pool_put(pool, block, size);
        return;
    }
    atomic_store_explicit(&record_of(block)->state, OUTBOX_FREE, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* the agent must not read a queued block that is
                                                  being overwritten */
    b->next = o->free[c];
    o->free[c] = b;
    if (--o->live == 0 && o->top > OUTBOX_KEEP)
        give_back(o);
}

/* The state is written last, so that the agent never reads an incomplete record.  Nothing is
 * recorded for a block of the pool: its frame is lost with the process. */
void outbox_queue(struct outbox *o, void *block, int32_t to, uint64_t start, const uint8_t *header,
                  uint32_t header_length, const uint8_t *payload, uint32_t length)
{
    struct outbox_record *r = record_of(block);

    if (!outbox_has(o, block) || (length > 0 && !outbox_has(o, payload)))
        return;
    r->start = start;
    r->to = (uint32_t)to;
    /* Relative places, because the agent maps the memory at another address. */
    r->header = (uint32_t)(header - (const uint8_t *)r);
    r->header_length = header_length;
    r->payload = length > 0 ? (uint64_t)(payload - (const uint8_t *)o->head) : 0;
    r->length = length;
    atomic_store_explicit(&r->state, OUTBOX_QUEUED, memory_order_release);
}
