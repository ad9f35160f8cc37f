/* test_slot_queue.c - messages through a slot queue: a writer and a reader in one thread under
 * random schedules, in two threads, and what happens where either lies. */
#include "base/error.h"
#include "random.h"
#include "transport/small.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static struct slot_memory shared;
static struct slot_queue writer, reader;

static void open_ends(void)
{
    shared = (struct slot_memory){0};
    slot_queue_init(&writer, &shared);
    slot_queue_init(&reader, &shared);
}

/* Message i stands at place 100 * i, and has a byte that follows from i. */
static bool put(uint64_t i)
{
    struct queue_slot *slot = slot_queue_room(&writer, i % SLOT_ROOM);

    if (!slot)
        return false;
    slot->length = (uint16_t)(i % SLOT_ROOM);
    memset(slot->data, (int)(i & 0xff), slot->length);
    slot_queue_publish(&writer, slot, 100 * i);
    return true;
}

static bool get(uint64_t i)
{
    const struct queue_slot *slot = slot_queue_next(&reader, 100 * i);

    if (!slot)
        return false;
    cr_assert_eq(slot->length, i % SLOT_ROOM, "message %llu", (unsigned long long)i);
    for (int k = 0; k < slot->length; k++)
        cr_assert_eq(slot->data[k], (uint8_t)i, "message %llu", (unsigned long long)i);
    slot_queue_prefetch(&reader);
    slot_queue_skip(&reader);
    return true;
}

Test(slot_queue, what_goes_in_comes_out)
{
    for (uint64_t seed = random_seed(), last = seed + 200; seed < last; seed++) {
        uint64_t state = seed, in = 0, out = 0, told = 0;

        open_ends();
        for (int step = 0; step < 3000; step++) {
            bool done;

            switch (random_below(&state, 5)) {
            case 0:
            case 1:
                done = put(in);
                cr_assert_eq(done, in - told < SLOT_COUNT, "seed %llu", (unsigned long long)seed);
                in += done;
                break;
            case 2:
            case 3:
                cr_assert_null(slot_queue_next(&reader, 100 * out + 1));
                done = get(out);
                cr_assert_eq(done, out < in, "seed %llu", (unsigned long long)seed);
                out += done;
                break;
            default:
                slot_queue_notify(&reader);
                told = out;
            }
            for (uint64_t i = out; i < in; i++)
                cr_assert_not_null(slot_queue_find(&writer, 100 * i), "it can be taken back");
        }
    }
}

enum { MANY = 200000 };

static void *put_all(void *arg)
{
    (void)arg;
    for (uint64_t i = 0; i < MANY;)
        if (put(i))
            i++;
        else
            sched_yield();
    return NULL;
}

Test(slot_queue, two_threads)
{
    pthread_t thread;

    open_ends();
    pthread_create(&thread, NULL, put_all, NULL);
    for (uint64_t i = 0; i < MANY;)
        if (get(i)) {
            i++;
            slot_queue_notify(&reader);
        } else {
            sched_yield();
        }
    pthread_join(thread, NULL);
}

/* Two links, and one message in the slot queue between them. */
struct couple {
    struct match match;
    struct link from, to;
};

static void begin(struct couple *c)
{
    int number = 4711;

    open_ends();
    match_init(&c->match);
    link_init(&c->from, 2, &c->match);
    link_init(&c->to, 1, &c->match);
    cr_assert(small_send(&c->from, &writer, &(hn_info){.tag = 1, .type = HN_INT, .count = 1}, 0,
                         &number, sizeof number));
}

static void end(struct couple *c)
{
    link_clear(&c->from, HN_EDEAD);
    link_clear(&c->to, HN_EDEAD);
    match_clear(&c->match);
}

Test(slot_queue, a_writer_that_lies)
{
    static const struct queue_slot lies[] = {{.tag = 1, .type = HN_BYTE, .length = SLOT_ROOM + 1},
                                             {.tag = 1, .type = HN_BYTE, .length = UINT16_MAX},
                                             {.tag = -1, .type = HN_BYTE, .length = 4},
                                             {.tag = 1, .type = HN_INT, .length = 3},
                                             {.tag = 1, .type = 0xffff, .length = 4}};

    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct couple c;

        begin(&c);
        shared.slot[0] = lies[i];
        shared.slot[0].stamp = 1;
        cr_assert_eq(small_receive(&c.to, &reader), HN_EPROTO, "lie %zu", i);
        end(&c);
    }
}

/* Such a reader gets nothing more, and what it has spoilt is not sent again as if it were whole. */
Test(slot_queue, a_reader_that_lies)
{
    const hn_info empty = {.tag = 1, .type = HN_BYTE};
    struct couple c;

    begin(&c);
    atomic_store(&shared.taken, SLOT_COUNT + 1000);
    for (int i = 1; i < SLOT_COUNT; i++)
        cr_assert(small_send(&c.from, &writer, &empty, 0, NULL, 0));
    cr_assert_not(small_send(&c.from, &writer, &empty, 0, NULL, 0), "taken before it was sent");
    end(&c);

    begin(&c);
    shared.slot[0].type = HN_DOUBLE;
    small_reclaim(&c.from, &writer);
    link_broken(&c.from);
    cr_assert_eq(link_resume(&c.from, 0), HN_EPROTO);
    end(&c);
}

/* What has not been received goes over the next connection. */
Test(slot_queue, messages_are_taken_back)
{
    struct couple c;
    struct iovec iov[LINK_IOV];
    struct hn_request r = {.from = HN_ANY, .tag = 1, .data = &(int){0}, .count = 1, .type = HN_INT};

    begin(&c);
    small_reclaim(&c.from, &writer);
    link_broken(&c.from);
    link_broken(&c.to);
    cr_assert_eq(link_resume(&c.from, c.to.received), HN_OK, "%s", hn_error_text());
    cr_assert_eq(link_output(&c.from, iov), 1);
    cr_assert_eq(iov[0].iov_len, FRAME_SIZE + sizeof(int));
    cr_assert_eq(link_received(&c.to, iov[0].iov_base, iov[0].iov_len), HN_OK);
    list_init(&r.node);
    match_post(&c.match, &r);
    cr_assert(r.done && r.result == HN_OK && *(int *)r.data == 4711);
    end(&c);
}
