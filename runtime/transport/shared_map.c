/* shared_map.c - creates and maps the memory that two tasks share (shared.h). */
#include "transport/shared.h"

#include "base/memory_file.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Layout of the mapping: the counters of each direction, dialler to acceptor first, then struct
 * shared_form, then the data of both rings, then both slot queues. */
enum {
    COUNTERS = 4096,
    SLOTS = COUNTERS + 2 * RING_FULL,
    MAPPING = SLOTS + 2 * sizeof(struct slot_memory)
};
/* What one direction's counters need.  The lender of the memory's addresses is the side that writes
 * this ring. */
struct shared_side {
    struct ring_shared ring;
    struct cross_read_shared cross_read;
};

/* Tasks of a host may be programs of different machines, by emulation or as 32-bit programs.  The
 * counters have the byte order, and the offsets, of the side that creates the memory.  So it also
 * writes these properties, and a side with others does not use the memory. */
struct shared_form {
    uint32_t order, mapping, side, ring, tail, reader, cross_read, loans, slot, data;
};
static const struct shared_form form = {
    .order = 0x01020304,
    .mapping = MAPPING,
    .side = sizeof(struct shared_side),
    .ring = sizeof(struct ring_shared),
    .tail = offsetof(struct ring_shared, tail),
    .reader = offsetof(struct ring_shared, reader),
    .cross_read = offsetof(struct shared_side, cross_read),
    .loans = offsetof(struct cross_read_shared, loans),
    .slot = sizeof(struct queue_slot),
    .data = offsetof(struct queue_slot, data),
};
static_assert(2 * sizeof(struct shared_side) + sizeof form <= COUNTERS, "all of it fits");

/* Whether the file has the right size, and its length is sealed. */
static bool is_ours(int fd)
{
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);

    return seals >= 0 && (seals & F_SEAL_SHRINK) && fstat(fd, &st) == 0 && st.st_size == MAPPING;
}

/* Whether 64-bit atomics are lock-free.  Otherwise the C library guards them by locks, which
 * another process does not share. */
static bool is_shareable(void)
{
    static const _Atomic uint64_t counter;

    return atomic_is_lock_free(&counter);
}

/* The creator of the memory writes its layout there; the other side compares it with its own. */
static bool has_our_form(void *map, bool dialler)
{
    void *said = (struct shared_side *)map + 2;

    if (dialler)
        memcpy(said, &form, sizeof form);
    return memcmp(said, &form, sizeof form) == 0;
}

/* Maps the memory.  NULL: impossible, or another layout. */
static void *map_memory(int fd, bool dialler)
{
    void *map = mmap(NULL, MAPPING, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

    if (map == MAP_FAILED)
        return NULL;
    if (has_our_form(map, dialler))
        return map;
    munmap(map, MAPPING);
    return NULL;
}

/* Sets the pointers, so that each side writes where the other one reads. */
static void lay_out(struct shared *s, bool dialler)
{
    struct shared_side *side = s->map;
    struct slot_memory *slots = (struct slot_memory *)((uint8_t *)s->map + SLOTS);
    uint8_t *data = (uint8_t *)s->map + COUNTERS;

    ring_init(dialler ? &s->out : &s->in, &side[0].ring, data);
    ring_init(dialler ? &s->in : &s->out, &side[1].ring, data + RING_FULL);
    slot_queue_init(dialler ? &s->slots_out : &s->slots_in, &slots[0]);
    slot_queue_init(dialler ? &s->slots_in : &s->slots_out, &slots[1]);
    s->lender = &side[dialler ? 0 : 1].cross_read;
    s->cross_read.shared = &side[dialler ? 1 : 0].cross_read;
}

/* On failure nothing remains: the caller continues with the socket alone.  The acceptor's
 * descriptor is closed by its caller in both cases. */
struct shared *shared_map(int *fd, bool dialler, const uint8_t key[CROSS_READ_KEY])
{
    struct shared *s = is_shareable() ? calloc(1, sizeof *s) : NULL;

    if (!s)
        return NULL;
    if (dialler)
        *fd = memory_file("hnow", MAPPING);
    if (*fd >= 0 && is_ours(*fd))
        s->map = map_memory(*fd, dialler);
    if (!s->map) {
        if (dialler && *fd >= 0) { /* otherwise only the other side would use it */
            close(*fd);
            *fd = -1;
        }
        free(s);
        return NULL;
    }
    list_init(&s->node);
    lay_out(s, dialler);
    cross_read_show(s->lender, key);
    return s;
}

/* Accepts NULL: most connections share no memory. */
void shared_unmap(struct shared *s)
{
    if (s)
        munmap(s->map, MAPPING);
    free(s);
}
