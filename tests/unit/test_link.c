/* test_link.c - two links joined by a simulated wire that delivers any part of what was written and
 * breaks at any byte, or where payloads may be lent: the reader fetches them then from the writer's
 * memory, while that one may change it as soon as its buffer is its own again.  Where it is seen
 * what the other side has received, small messages go through a slot queue.  Whatever happens,
 * every message arrives once, whole and in order, and every send request ends.  A failing seed is
 * printed and can be replayed with HNOW_SEED. */
#include "link/link.h"
#include "random.h"
#include "transport/small.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SCHEDULES = 10000 }; /* these are slow */
#else
enum { SCHEDULES = 40000 };
#endif
enum { MESSAGES = 12, WIRE = 1 << 22, SIZE_MAX_MESSAGE = 3000 };

struct side {
    struct link link;
    struct match match;
    uint8_t wire[WIRE]; /* written by this side, not yet delivered */
    size_t in_wire;
    _Atomic uint64_t loans[LINK_LOANS];
    struct slot_memory lane; /* written by this side */
    struct slot_queue out, in;
    int sent, received;
    struct hn_request send[MESSAGES];
    uint8_t *borrowed[MESSAGES];
    struct hn_request early; /* a receive that was posted before its message was there */
    bool is_early;
    uint8_t data[SIZE_MAX_MESSAGE];
};

static uint64_t state;
static bool lending; /* payloads may be, in this schedule */
static bool seen;    /* acknowledgements are, in this schedule: see_receipt() */
static unsigned long small_ones,
    taken_back; /* messages that went through slot queues, in all schedules */

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* Content and length of message i are functions of i, so that the receiver can check them. */
static size_t length_of(int i)
{
    size_t most = i % 4 == 1 ? SLOT_ROOM + 10 : SIZE_MAX_MESSAGE;

    return i % 4 == 0 ? 0 : (size_t)(i * 2654435761u % most);
}

static void fill(uint8_t *p, int i)
{
    for (size_t k = 0; k < length_of(i); k++)
        p[k] = (uint8_t)(i + 31 * k);
}

/* Where it may: through the slot queue. */
static bool send_small(struct side *s, const hn_info *info, const uint8_t *data)
{
    if (!seen || info->count > SLOT_ROOM || !below(3) ||
        !small_send(&s->link, &s->out, info, 7, data, info->count))
        return false;
    small_ones++;
    return true;
}

static void send_next(struct side *s)
{
    int i = s->sent;
    hn_info info = {.tag = i % 3, .type = HN_BYTE, .count = length_of(i)};
    uint8_t *data = malloc(SIZE_MAX_MESSAGE);

    if (i == MESSAGES) {
        free(data);
        return;
    }
    fill(data, i);
    s->send[i] = (struct hn_request){0};
    if (below(2) && info.count > 0) {
        s->borrowed[i] = data;
        cr_assert_eq(link_send_borrow(&s->link, &info, 7, data, &s->send[i]), HN_OK);
    } else {
        if (!send_small(s, &info, data))
            cr_assert_eq(link_send_copy(&s->link, &info, 7, data), HN_OK);
        s->send[i].done = true;
        free(data);
    }
    s->sent++;
}

/* A small message that is all there is to write goes in one piece. */
static bool write_short(struct side *s)
{
    size_t bytes;
    const void *frame = link_short_output(&s->link, &bytes);

    if (!frame)
        return false;
    cr_assert_lt(s->in_wire + bytes, (size_t)WIRE);
    memcpy(s->wire + s->in_wire, frame, bytes);
    s->in_wire += bytes;
    link_short_written(&s->link);
    return true;
}

static void write_some(struct side *s)
{
    struct iovec iov[LINK_IOV];
    int n;
    size_t total = 0, limit = below(4) ? below(200) : below(SIZE_MAX_MESSAGE * 4);

    s->link.loan.lends = below(3) ? UINT32_MAX : 0; /* the reader changes its mind */
    if (seen && below(2) && write_short(s))
        return;
    n = link_output(&s->link, iov);
    for (int k = 0; k < n && total < limit; k++) {
        size_t part = iov[k].iov_len < limit - total ? iov[k].iov_len : limit - total;
        cr_assert_lt(s->in_wire + part, (size_t)WIRE);
        memcpy(s->wire + s->in_wire, iov[k].iov_base, part);
        s->in_wire += part;
        total += part;
    }
    link_written(&s->link, total);
}

/* A new connection, over which payloads may be lent. */
static void may_lend(struct side *s)
{
    s->link.loan.loans = lending ? s->loans : NULL;
    s->link.loan.fetches = lending;
    s->link.loan.lend_least = 100;
}

/* The payload that comes next is fetched, as cross_read.c does: from where the slot says. */
static bool fetch(struct side *from, struct side *to)
{
    unsigned slot;
    struct iovec iov;

    if (!link_must_fetch(&to->link, &slot, &iov))
        return false;
    memcpy(iov.iov_base, (const void *)(uintptr_t)from->loans[slot], iov.iov_len);
    cr_assert_eq(link_received(&to->link, NULL, iov.iov_len), HN_OK, "%s", hn_error_text());
    return true;
}

static void remove_from_wire(struct side *s, size_t bytes)
{
    s->in_wire -= bytes;
    memmove(s->wire, s->wire + bytes, s->in_wire);
}

/* Whole messages are taken where they stand. */
static bool deliver_whole(struct side *from, struct side *to)
{
    size_t there = below(5000), used;

    if (there > from->in_wire)
        there = from->in_wire;
    cr_assert_eq(link_receive(&to->link, from->wire, there, &used), HN_OK, "%s", hn_error_text());
    cr_assert_leq(used, there);
    remove_from_wire(from, used);
    return used > 0;
}

/* What stands in the slot queue comes before what is on the wire. */
static bool deliver_small(struct side *to)
{
    uint64_t before = to->link.received;

    if (to->link.in.inbound || to->link.in.have > 0)
        cr_assert(!small_has_arrived(&to->link, &to->in));
    cr_assert_eq(small_receive(&to->link, &to->in), HN_OK, "%s", hn_error_text());
    if (below(2))
        slot_queue_notify(&to->in);
    return to->link.received != before;
}

/* Some of what `from` wrote arrives at `to`. */
static void deliver_some(struct side *from, struct side *to)
{
    uint8_t scratch[512];
    struct iovec iov[2];
    size_t room = lending ? FRAME_SIZE - to->link.in.have : 1 + below(sizeof scratch - 1);
    size_t want = below(2) ? below(100) : below(5000), total = 0;
    int n;

    if (deliver_small(to) || fetch(from, to) || (below(2) && deliver_whole(from, to)))
        return;
    n = link_input(&to->link, iov, scratch, room);

    for (int k = 0; k < n && total < want; k++) {
        size_t part = iov[k].iov_len;
        if (part > want - total)
            part = want - total;
        if (part > from->in_wire - total)
            part = from->in_wire - total;
        memcpy(iov[k].iov_base, from->wire + total, part);
        total += part;
        if (part < iov[k].iov_len)
            break;
    }
    cr_assert_eq(link_received(&to->link, scratch, total), HN_OK, "%s", hn_error_text());
    remove_from_wire(from, total);
}

/* As through shared memory: what has been received is seen, not told in frames. */
static void see_receipt(struct side *s, struct side *other)
{
    cr_assert_eq(link_acknowledged(&s->link, other->link.received), HN_OK, "%s", hn_error_text());
    other->link.confirmed = other->link.received;
}

/* New memory for both; a side may have seen less than the other has received. */
static void join_lanes(struct side *a, struct side *b)
{
    a->lane = b->lane = (struct slot_memory){0};
    slot_queue_init(&a->out, &a->lane);
    slot_queue_init(&b->in, &a->lane);
    slot_queue_init(&b->out, &b->lane);
    slot_queue_init(&a->in, &b->lane);
}

static void take_back(struct side *s)
{
    uint64_t end, from = link_beside(&s->link, &end);

    taken_back += from < end;
    small_reclaim(&s->link, &s->out);
}

static void break_wire(struct side *a, struct side *b)
{
    take_back(a);
    take_back(b);
    join_lanes(a, b);
    a->in_wire = b->in_wire = 0;
    link_broken(&a->link);
    link_broken(&b->link);
    cr_assert_eq(link_resume(&a->link, b->link.received), HN_OK, "%s", hn_error_text());
    cr_assert_eq(link_resume(&b->link, a->link.received), HN_OK, "%s", hn_error_text());
    may_lend(a);
    may_lend(b);
}

static void post_next(struct side *s, struct hn_request *r)
{
    *r = (struct hn_request){.from = below(2) ? HN_ANY : s->link.peer,
                             .tag = s->received % 3,
                             .context = 7,
                             .data = s->data,
                             .count = sizeof s->data,
                             .type = HN_BYTE};
    list_init(&r->node);
    match_post(&s->match, r);
}

static void check_received(struct side *s, const struct hn_request *r)
{
    uint8_t expected[SIZE_MAX_MESSAGE];

    cr_assert(r->done);
    cr_assert_eq(r->result, HN_OK);
    cr_assert_eq(r->info.count, length_of(s->received), "message %d", s->received);
    fill(expected, s->received);
    cr_assert_arr_eq(s->data, expected, r->info.count);
    s->received++;
}

/* Receives the next message if it is there; or posts a receive for it before. */
static void receive_next(struct side *s)
{
    const struct inbound *in = match_find(&s->match, HN_ANY, s->received % 3, 7, false);
    struct hn_request r;

    if (s->received == MESSAGES || (s->is_early && !s->early.done))
        return;
    if (s->is_early) {
        s->is_early = false;
        check_received(s, &s->early);
    } else if (in && in->got == in->total) {
        post_next(s, &r);
        check_received(s, &r);
    } else if (below(3) == 0) {
        s->is_early = true;
        post_next(s, &s->early);
    }
}

static bool finished(const struct side *s)
{
    for (int i = 0; i < MESSAGES; i++)
        if (i >= s->sent || !s->send[i].done)
            return false;
    return s->received == MESSAGES;
}

static void init_side(struct side *s, hn_tid peer)
{
    match_init(&s->match);
    link_init(&s->link, peer, &s->match);
    may_lend(s);
    s->in_wire = 0;
    s->sent = s->received = 0;
    s->is_early = false;
    memset(s->borrowed, 0, sizeof s->borrowed);
}

static void clear_side(struct side *s)
{
    link_clear(&s->link, HN_EDEAD);
    match_clear(&s->match);
    for (int i = 0; i < MESSAGES; i++)
        free(s->borrowed[i]);
}

/* Somebody who has sent without copying cannot wait any longer. */
static void own_some(struct side *s)
{
    int i = (int)below(MESSAGES);

    if (i >= s->sent || s->send[i].done)
        return;
    cr_assert_eq(link_own(&s->send[i]), HN_OK);
    cr_assert(s->send[i].done);
    memset(s->borrowed[i], 0, length_of(i)); /* the buffer is free */
}

static void one_step(struct side *s, struct side *other, bool calm)
{
    if (seen)
        see_receipt(s, other);
    switch (below(calm ? 6 : 7)) {
    case 0:
        send_next(s);
        break;
    case 1:
    case 2:
        write_some(s);
        break;
    case 3:
        deliver_some(other, s);
        break;
    case 4:
        receive_next(s);
        break;
    case 5:
        if (below(4) == 0)
            own_some(s);
        break;
    default:
        if (below(8) == 0)
            break_wire(s, other);
    }
}

/* One schedule, until both sides have all.  Its last part is without breaks, so that it ends. */
static void run_schedule(uint64_t seed)
{
    static struct side a, b;

    bool calm = seed % 3 == 0; /* no break: acknowledgements come only by themselves */

    state = seed;
    seen = seed % 4 == 1;
    lending = seed % 5 < 2;
    init_side(&a, 2);
    init_side(&b, 1);
    join_lanes(&a, &b);
    for (int step = 0; !(finished(&a) && finished(&b)); step++) {
        cr_assert_lt(step, 200000, "seed %llu does not end", (unsigned long long)seed);
        if (below(2))
            one_step(&a, &b, calm || step > 3000);
        else
            one_step(&b, &a, calm || step > 3000);
    }
    clear_side(&a);
    clear_side(&b);
}

Test(link, random_schedules)
{
    const char *replay = getenv("HNOW_SEED");
    unsigned first = replay ? (unsigned)atoi(replay) : 1,
             last = replay ? first : (unsigned)random_rounds(SCHEDULES);

    for (unsigned seed = first; seed <= last; seed++)
        run_schedule(seed);
    cr_assert(replay || (small_ones > last / 4 && taken_back > last / 100),
              "%lu through slot queues, %lu back", small_ones, taken_back);
}
