/* The memory of an outbox: blocks, what the agent reads of them, and what it makes of nonsense. */
#include "link/outbox.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* An outbox as a task has it, and the agent's descriptor. */
static int open_outbox(struct outbox *o)
{
    int fd = outbox_make(), copy = dup(fd);
    char number[16];

    cr_assert(fd >= 0 && copy >= 0);
    snprintf(number, sizeof number, "%d", copy);
    setenv("HNOW_OUTBOX_FD", number, 1);
    outbox_open(o);
    cr_assert_not_null(o->head);
    cr_assert_null(getenv("HNOW_OUTBOX_FD"));
    return fd;
}

static uint8_t *queue(struct outbox *o, struct pool *pool, int to, uint64_t start, uint32_t length)
{
    uint8_t *block = outbox_get(o, pool, length + 16);

    cr_assert(block && outbox_has(o, block));
    memset(block, to, length + 16);
    outbox_queue(o, block, to, start, block, 16, block + 16, length);
    return block;
}

Test(outbox, the_agent_finds_what_is_queued)
{
    struct outbox o;
    struct pool pool = {0};
    struct outbox_left left;
    int fd = open_outbox(&o);

    queue(&o, &pool, 7, 1000, 5);
    queue(&o, &pool, 3, 50, 100000);
    uint8_t *acknowledged = queue(&o, &pool, 7, 0, 30);
    queue(&o, &pool, 3, 10, 24);
    outbox_get(&o, &pool, 99); /* nothing is queued in it */
    outbox_put(&o, &pool, acknowledged, 46);
    outbox_close(&o);

    cr_assert(outbox_read(&left, fd));
    cr_assert_eq(left.count, 3u);
    cr_expect(left.frame[0].to == 3 && left.frame[0].start == 10 && left.frame[0].length == 24);
    cr_expect(left.frame[1].to == 3 && left.frame[1].start == 50 && left.frame[1].length == 100000);
    cr_expect(left.frame[2].to == 7 && left.frame[2].start == 1000 && left.frame[2].length == 5);
    cr_expect_eq(left.memory[left.frame[1].payload + 99999], 3);
    cr_expect_eq(left.memory[left.frame[2].header], 7);
    outbox_left_free(&left);
    close(fd);
}

/* ulimit -v of the agent: so many bytes more than it has now. */
static void limit_memory(size_t more)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    cr_assert(file && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    const struct rlimit limit = {pages * (size_t)getpagesize() + more, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

Test(outbox, the_agent_maps_only_what_was_used)
{
    struct outbox o;
    struct pool pool = {0};
    struct outbox_left left;
    int fd = open_outbox(&o);

    queue(&o, &pool, 3, 50, 100000);
    outbox_close(&o);
    limit_memory(64 << 20);
    cr_assert(outbox_read(&left, fd));
    cr_expect_eq(left.count, 1u);
    outbox_left_free(&left);
    close(fd);
}

Test(outbox, without_the_agents_memory_blocks_come_from_the_pool)
{
    struct outbox o;
    struct pool pool = {0};

    unsetenv("HNOW_OUTBOX_FD");
    outbox_open(&o);
    uint8_t *block = outbox_get(&o, &pool, 100);
    cr_assert(block && !outbox_has(&o, block));
    outbox_queue(&o, block, 1, 0, block, 16, block + 16, 84);
    outbox_put(&o, &pool, block, 100);
    cr_expect_eq(pool_get(&pool, 100), (void *)block);
    pool_put(&pool, block, 100);

    setenv("HNOW_OUTBOX_FD", "1", 1); /* the program has put something else there */
    outbox_open(&o);
    cr_expect_null(o.head);
    pool_clear(&pool);
}

Test(outbox, a_full_one_goes_on_in_the_pool)
{
    struct outbox o;
    struct pool pool = {0};
    setenv("HNOW_OUTBOX", "1048576", 1);
    int fd = open_outbox(&o);
    uint8_t *block[40];
    int shared = 0;

    for (int i = 0; i < 40; i++) {
        block[i] = outbox_get(&o, &pool, 100000);
        cr_assert_not_null(block[i]);
        shared += outbox_has(&o, block[i]);
    }
    cr_expect(shared > 8 && shared < 17, "%d", shared);
    for (int i = 0; i < 40; i++)
        outbox_put(&o, &pool, block[i], 100000);
    pool_clear(&pool);
    outbox_close(&o);
    close(fd);
}

/* Pages of the file that are in memory. */
static size_t pages(const struct outbox *o)
{
    static unsigned char in[1 << 20];
    size_t n = 0, count = o->size / 4096 < sizeof in ? o->size / 4096 : sizeof in;

    mincore(o->head, count * 4096, in);
    for (size_t i = 0; i < count; i++)
        n += in[i] & 1;
    return n;
}

Test(outbox, memory_goes_back_when_all_is_acknowledged)
{
    struct outbox o;
    struct pool pool = {0};
    struct outbox_left left;
    int fd = open_outbox(&o);
    enum { BLOCKS = 64, BYTES = 1 << 20 };
    uint8_t *block[BLOCKS];

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < BLOCKS; i++)
            block[i] = queue(&o, &pool, 1, (uint64_t)i * BYTES, BYTES - 16);
        cr_expect(pages(&o) >= BLOCKS * (BYTES / 4096));
        for (int i = 0; i < BLOCKS; i++)
            outbox_put(&o, &pool, block[i], BYTES);
        cr_expect(pages(&o) < 10);
    }
    block[0] = queue(&o, &pool, 9, 0, 40); /* where a larger one was */
    cr_assert(outbox_read(&left, fd));
    cr_expect(left.count == 1 && left.frame[0].to == 9);
    outbox_left_free(&left);
    outbox_close(&o);
    close(fd);
}

Test(outbox, what_the_task_has_spoilt_is_left_out)
{
    struct outbox o;
    struct pool pool = {0};
    struct outbox_left left;
    int fd = open_outbox(&o);
    struct outbox_record *r[3];

    for (int i = 0; i < 3; i++)
        r[i] = (struct outbox_record *)queue(&o, &pool, i + 1, 0, 10) - 1;
    r[0]->payload = o.size - 9;
    r[1]->header = UINT32_MAX - 3;
    cr_assert(outbox_read(&left, fd));
    cr_expect(left.count == 1 && left.frame[0].to == 3);
    outbox_left_free(&left);
    r[1]->size = 7;
    cr_expect_not(outbox_read(&left, fd));
    atomic_store(&o.head->top, UINT64_MAX);
    r[1]->size = 1 << 30;
    cr_expect_not(outbox_read(&left, fd));
    o.head->magic++;
    cr_expect_not(outbox_read(&left, fd));
    cr_expect(ftruncate(fd, 0) < 0);
    outbox_close(&o);
    close(fd);
}
