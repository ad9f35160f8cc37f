/* outbox_record.c - creates the memory of an outbox, and reads its rest; see outbox_record.h.
 *
 * The file is shared with a process that may be hostile or may have died at any instruction.  So
 * the reader copies what it checks, uses only offsets inside the mapping, and stops at the first
 * impossible record.
 */
#include "protocol/outbox_record.h"

#include "base/memory_file.h"
#include "base/options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Default size.  The file is sparse: only pages that were used occupy memory.  It is twice as large
 * as HNOW_OUTBOX (task.h), because blocks of one size class are not reused for another while any is
 * in use. */
#define OUTBOX_LIMIT (INT64_C(1) << 30)

/* Rounded down to 64 KiB, a multiple of every page size of Linux. */
static uint64_t file_size(void)
{
    const char *text = getenv("HNOW_OUTBOX");
    int64_t limit = OUTBOX_LIMIT;

    if (text)
        options_size(text, INT64_MAX / 2, &limit); /* an invalid value is reported by the task */

    uint64_t size = 2 * (uint64_t)limit;
    if (size > PTRDIFF_MAX / 2)
        size = PTRDIFF_MAX / 2;
    if (size > memory_file_limit())
        size = memory_file_limit();
    return size & ~(uint64_t)0xffff;
}

/* Seals the file, so that the task cannot truncate it while the agent reads it. */
int outbox_make(void)
{
    const struct outbox_head head = {.magic = OUTBOX_MAGIC, .top = OUTBOX_FIRST};
    uint64_t size = file_size();
    int fd = size > 0 ? memory_file("hnow-outbox", size) : -1;

    if (fd >= 0 && pwrite(fd, &head, sizeof head, 0) != (ssize_t)sizeof head) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Decodes a record.  False: its frame is not inside the block and the file. */
static bool take_record(const struct outbox_left *left, uint64_t at, uint64_t size,
                        struct outbox_frame *frame)
{
    const struct outbox_record *r = (const void *)(left->memory + at);

    if (atomic_load(&r->state) != OUTBOX_QUEUED)
        return false;
    *frame = (struct outbox_frame){.to = r->to,
                                   .header_length = r->header_length,
                                   .length = r->length,
                                   .start = r->start,
                                   .header = at + r->header,
                                   .payload = r->payload};
    return frame->header_length > 1 && frame->header + frame->header_length <= at + size &&
           frame->payload <= left->size && frame->length <= left->size - frame->payload;
}

/* By receiver, and for each in the order of its stream. */
static int compare(const void *a, const void *b)
{
    const struct outbox_frame *x = a, *y = b;

    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Iterates over all blocks: counts their frames, and stores them if `frame` is not NULL. The task
 * has ended, but a child of it may still have the memory, so every value is read once and
 * checked. */
static size_t walk(const struct outbox_left *left, struct outbox_frame *frame, size_t room)
{
    const struct outbox_head *head = (const void *)left->memory;
    uint64_t top = atomic_load(&head->top), at = OUTBOX_FIRST;
    size_t count = 0;

    if (top > left->size)
        top = left->size;
    while (at < top && top - at >= sizeof(struct outbox_record)) {
        uint32_t size = ((const struct outbox_record *)(left->memory + at))->size;
        struct outbox_frame one;

        if (size < sizeof(struct outbox_record) || size % OUTBOX_ALIGN != 0 || size > top - at)
            break;
        if (take_record(left, at, size, &one)) {
            if (frame && count < room)
                frame[count] = one;
            count++;
        }
        at += size;
    }
    return frame && count > room ? room : count;
}

/* Without the seal the file could be truncated, and reading the mapping would end the agent. */
static bool is_sealed(int fd, struct stat *file)
{
    int seals = fcntl(fd, F_GET_SEALS);

    return seals >= 0 && (seals & F_SEAL_SHRINK) && fstat(fd, file) == 0 &&
           file->st_size >= OUTBOX_FIRST;
}

/* Maps only what was used, because the address space may be limited (ulimit -v). */
bool outbox_read(struct outbox_left *left, int fd)
{
    struct outbox_head head;
    struct stat file;

    *left = (struct outbox_left){0};
    if (fd < 0 || !is_sealed(fd, &file) ||
        pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.magic != OUTBOX_MAGIC)
        return false;
    left->size = (size_t)(head.top < (uint64_t)file.st_size ? head.top : (uint64_t)file.st_size);
    void *memory = mmap(NULL, left->size, PROT_READ, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return false;
    left->memory = memory;
    /* Two walks: the memory may change between them, so the second one is bounded by the first's
     * count. */
    left->count = walk(left, NULL, 0);
    if (left->count > 0)
        left->frame = calloc(left->count, sizeof *left->frame);
    if (!left->frame) {
        outbox_left_free(left);
        return false;
    }
    left->count = walk(left, left->frame, left->count);
    qsort(left->frame, left->count, sizeof *left->frame, compare);
    uint64_t lowest = left->size;
    for (size_t i = left->count; i-- > 0;) {
        struct outbox_frame *f = &left->frame[i];
        lowest = f->header < lowest ? f->header : lowest;
        lowest = f->length > 0 && f->payload < lowest ? f->payload : lowest;
        f->lowest = lowest;
    }
    return left->count > 0;
}

void outbox_left_free(struct outbox_left *left)
{
    if (left->memory)
        munmap((void *)left->memory, left->size);
    free(left->frame);
    *left = (struct outbox_left){0};
}
