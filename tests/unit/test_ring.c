/* test_ring.c - bytes through a ring: a writer and a reader in one thread under random schedules,
 * in two threads, and a reader whose writer lies. */
#include "random.h"
#include "transport/ring.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct two_ends {
    struct ring_shared shared;
    uint8_t *data;
    struct ring writer, reader;
};

static void open_ends(struct two_ends *e)
{
    *e = (struct two_ends){.data = malloc(RING_FULL)};
    ring_init(&e->writer, &e->shared, e->data);
    ring_init(&e->reader, &e->shared, e->data);
}

/* What byte number i of the stream is. */
static uint8_t byte_at(uint64_t i)
{
    return (uint8_t)(i * 2654435761u >> 11);
}

static size_t put_some(struct two_ends *e, uint64_t from, size_t n, size_t first)
{
    uint8_t *bytes = malloc(n + 1);
    struct iovec iov[2] = {{bytes, first < n ? first : n},
                           {bytes + first, n > first ? n - first : 0}};
    size_t done;

    for (size_t i = 0; i < n; i++)
        bytes[i] = byte_at(from + i);
    done = ring_put(&e->writer, iov, 2, n, true);
    free(bytes);
    return done;
}

static size_t get_some(struct two_ends *e, uint64_t from, size_t n)
{
    uint8_t *bytes = malloc(n + 1);
    struct iovec iov = {bytes, n};
    size_t done = ring_get(&e->reader, &iov, 1);

    cr_assert_neq(done, RING_BROKEN);
    for (size_t i = 0; i < done; i++)
        cr_assert_eq(bytes[i], byte_at(from + i), "byte %llu", (unsigned long long)(from + i));
    free(bytes);
    return done;
}

/* All that stands in one piece, and no more than n, where it stands. */
static size_t peek_some(struct two_ends *e, uint64_t from, size_t n)
{
    size_t there;
    const uint8_t *bytes = ring_peek(&e->reader, &there);

    cr_assert_neq(there, RING_BROKEN);
    there = there < n ? there : n;
    for (size_t i = 0; i < there; i++)
        cr_assert_eq(bytes[i], byte_at(from + i), "byte %llu", (unsigned long long)(from + i));
    ring_skip(&e->reader, there);
    return there;
}

/* All n bytes, or nothing. */
static size_t put_whole(struct two_ends *e, uint64_t from, size_t n)
{
    uint8_t *bytes = malloc(n + 1);
    bool done;

    for (size_t i = 0; i < n; i++)
        bytes[i] = byte_at(from + i);
    done = ring_put_whole(&e->writer, bytes, n);
    free(bytes);
    return done ? n : 0;
}

static size_t some_size(uint64_t *state)
{
    static const int64_t most[] = {40, 3000, RING_SMALL + 100, 3 * RING_FULL};

    return (size_t)random_below(state, most[random_below(state, 4)]);
}

Test(ring, what_goes_in_comes_out)
{
    for (uint64_t seed = random_seed(), last = seed + 60; seed < last; seed++) {
        uint64_t state = seed, put = 0, got = 0;
        struct two_ends e;

        open_ends(&e);
        for (int step = 0; step < 40; step++) {
            size_t n = some_size(&state);
            switch (random_below(&state, 4)) {
            case 0:
                put += put_some(&e, put, n, (size_t)random_below(&state, 64));
                break;
            case 1:
                put += put_whole(&e, put, n);
                break;
            case 2:
                got += peek_some(&e, got, n);
                break;
            default:
                got += get_some(&e, got, n);
            }
            cr_assert_leq(got, put, "seed %llu", (unsigned long long)seed);
            cr_assert_eq(ring_has_data(&e.reader), got < put, "seed %llu",
                         (unsigned long long)seed);
            cr_assert_eq(ring_is_empty(&e.writer), got == put, "seed %llu",
                         (unsigned long long)seed);
        }
        free(e.data);
    }
}

/* A ring that has been small touches little memory; it grows for what does not fit, when empty. */
Test(ring, grows_on_demand)
{
    struct two_ends e;

    open_ends(&e);
    for (uint64_t at = 0; at < 4 * RING_SMALL; at += 1000) {
        cr_assert_eq(put_some(&e, at, 1000, 32), 1000u);
        cr_assert_eq(get_some(&e, at, 1000), 1000u);
    }
    cr_assert_eq(e.writer.window, (uint32_t)RING_SMALL);
    cr_assert_eq(put_some(&e, 0, 10, 10), 10u);
    cr_assert_eq(put_some(&e, 0, RING_FULL, 10), 0u, "grown while in use");
    cr_assert_eq(get_some(&e, 0, 10), 10u);
    cr_assert_eq(put_some(&e, 0, RING_FULL, 10), (size_t)RING_FULL);
    cr_assert_eq(get_some(&e, 0, RING_FULL), (size_t)RING_FULL);
    free(e.data);
}

Test(ring, lies_are_noticed)
{
    uint8_t byte;
    struct iovec iov = {&byte, 1};
    struct two_ends e;
    size_t there;

    open_ends(&e);
    atomic_store(&e.shared.window, RING_SMALL);
    atomic_store(&e.shared.head, RING_SMALL + 1u);
    cr_assert_eq(ring_get(&e.reader, &iov, 1), RING_BROKEN);
    cr_assert_null(ring_peek(&e.reader, &there));
    cr_assert_eq(there, RING_BROKEN);
    open_ends(&e);
    atomic_store(&e.shared.window, 3 * RING_FULL);
    atomic_store(&e.shared.head, 1u);
    cr_assert_eq(ring_get(&e.reader, &iov, 1), RING_BROKEN);
}

enum { THROUGH = 20 << 20 };

static void *write_all(void *arg)
{
    struct two_ends *e = arg;

    for (uint64_t put = 0; put < THROUGH;) {
        size_t n = 1 + put % 100000;
        size_t done = put_some(e, put, put + n < THROUGH ? n : THROUGH - put, 32);
        put += done;
        if (done == 0)
            sched_yield();
    }
    return NULL;
}

Test(ring, two_threads)
{
    struct two_ends e;
    pthread_t writer;

    open_ends(&e);
    pthread_create(&writer, NULL, write_all, &e);
    for (uint64_t got = 0; got < THROUGH;) {
        size_t done = get_some(&e, got, 1 + got % 70000);
        got += done;
        if (done == 0)
            sched_yield();
    }
    pthread_join(writer, NULL);
    cr_assert(ring_is_empty(&e.writer));
    free(e.data);
}
