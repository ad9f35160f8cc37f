/* test_link_frames.c - what a link writes, and when: which headers and acknowledgements go with a
 * message.  test_link.c has the random schedules. */
#include "link/link.h"
#include "transport/copy_mode.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct side {
    struct link link;
    struct match match;
    uint8_t wire[1 << 20]; /* written by this side, not yet delivered */
    size_t in_wire;
    _Atomic uint64_t loans[LINK_LOANS];
};

/* lends: its payloads may be lent. */
static void init_side(struct side *s, hn_tid peer, bool lends)
{
    match_init(&s->match);
    link_init(&s->link, peer, &s->match);
    s->link.loan.loans = lends ? s->loans : NULL;
    s->link.loan.fetches = lends;
    s->link.loan.lend_least = 100;
    s->in_wire = 0;
}

static void clear_side(struct side *s)
{
    link_clear(&s->link, HN_EDEAD);
    match_clear(&s->match);
}

/* With all places taken, the writer waits for an acknowledgement, and for nothing else. */
Test(link_frames, loans_end_and_begin_again)
{
    static struct side a, b;
    uint8_t data[200] = {0};
    hn_info info = {.tag = 1, .type = HN_BYTE, .count = sizeof data};
    struct hn_request r[LINK_LOANS + 1] = {0};

    init_side(&a, 2, true);
    init_side(&b, 1, true);
    a.link.loan.lends = UINT32_MAX;
    for (int i = 0; i <= LINK_LOANS; i++)
        cr_assert_eq(link_send_borrow(&a.link, &info, 7, data, &r[i]), HN_OK);
    for (int n; (n = link_output(&a.link, (struct iovec[LINK_IOV]){0})) > 0;)
        link_written(&a.link, (size_t)n * FRAME_SIZE);
    cr_assert(link_out_of_loans(&a.link));
    cr_assert_eq(link_acknowledged(&a.link, FRAME_SIZE + sizeof data), HN_OK);
    cr_assert(!link_out_of_loans(&a.link));
    cr_assert_eq(link_output(&a.link, (struct iovec[LINK_IOV]){0}), 1);
    clear_side(&a);
    clear_side(&b);
}

/* The reader finds the places by counting: what has been offered keeps its way, for what stands
 * behind it may be lent already. */
Test(link_frames, loans_are_made_in_the_order_of_the_stream)
{
    static struct side a;
    static uint8_t data[4 * COPY_MODE_LEAST];
    hn_info first = {.tag = 1, .type = HN_BYTE, .count = COPY_MODE_LEAST};
    hn_info second = {.tag = 1, .type = HN_BYTE, .count = sizeof data};
    struct hn_request r[2] = {0};
    struct iovec iov[LINK_IOV];

    init_side(&a, 2, true);
    cr_assert_eq(link_send_borrow(&a.link, &first, 7, data, &r[0]), HN_OK);
    cr_assert_eq(link_send_borrow(&a.link, &second, 7, data, &r[1]), HN_OK);
    a.link.loan.lends = 1u << copy_mode_class(second.count);
    cr_assert_eq(link_output(&a.link, iov), 3);
    a.link.loan.lends = UINT32_MAX; /* nothing has been written yet */
    cr_assert_eq(link_output(&a.link, iov), 3);
    cr_assert_eq(iov[1].iov_len, first.count);
    cr_assert_eq(a.link.loan.lent, 1);
    clear_side(&a);
}

/* Puts the bytes of an outgoing message into the wire of `s`, except the last `kept`. */
static void write_all(struct side *s, size_t kept)
{
    struct iovec iov[LINK_IOV];
    int n = link_output(&s->link, iov);
    size_t total = 0;

    for (int i = 0; i < n; i++) {
        cr_assert_leq(s->in_wire + iov[i].iov_len, sizeof s->wire);
        memcpy(s->wire + s->in_wire, iov[i].iov_base, iov[i].iov_len);
        s->in_wire += iov[i].iov_len;
        total += iov[i].iov_len;
    }
    s->in_wire -= kept;
    link_written(&s->link, total - kept);
}

/* All that is in the wire of `from` arrives at `to`. */
static void deliver_all(struct side *from, struct side *to)
{
    uint8_t scratch[512];
    struct iovec iov[2];

    while (from->in_wire > 0) {
        int n = link_input(&to->link, iov, scratch, sizeof scratch);
        size_t total = 0;
        for (int k = 0; k < n && total < from->in_wire; k++) {
            size_t left = from->in_wire - total,
                   part = iov[k].iov_len < left ? iov[k].iov_len : left;
            memcpy(iov[k].iov_base, from->wire + total, part);
            total += part;
        }
        cr_assert_eq(link_received(&to->link, scratch, total), HN_OK, "%s", hn_error_text());
        from->in_wire -= total;
        memmove(from->wire, from->wire + total, from->in_wire);
    }
}

/* A sender that waits gets its acknowledgement with the last byte, also when part of the message
 * has been acknowledged meanwhile, because it was long on its way. */
Test(link_frames, an_early_acknowledgement_does_not_replace_the_wanted_one)
{
    static struct side a, b;
    static uint8_t data[LINK_WAIT];
    hn_info info = {.tag = 1, .type = HN_BYTE, .count = sizeof data};
    struct hn_request r = {0};
    struct iovec iov[LINK_IOV];

    init_side(&a, 2, false);
    init_side(&b, 1, false);
    cr_assert_eq(link_send_borrow(&a.link, &info, 7, data, &r), HN_OK);
    write_all(&a, 1000);
    deliver_all(&a, &b);
    cr_assert_eq(link_output(&b.link, iov), 0, "half a message is acknowledged only when asked");
    cr_assert(link_acknowledge(&b.link));
    write_all(&b, 0);
    deliver_all(&b, &a);
    cr_assert(!r.done);
    cr_assert(!link_acknowledge(&b.link), "it has been told already");
    write_all(&a, 0);
    deliver_all(&a, &b);
    cr_assert_eq(link_output(&b.link, iov), 1, "the wanted acknowledgement");
    write_all(&b, 0);
    deliver_all(&b, &a);
    cr_assert(r.done);
    clear_side(&a);
    clear_side(&b);
}

/* A sender that needs its memory asks for all acknowledgements, once, behind what it has queued. */
Test(link_frames, what_is_asked_for_is_acknowledged)
{
    static struct side a, b;
    static const uint8_t data[1000];
    hn_info info = {.tag = 1, .type = HN_BYTE, .count = sizeof data};
    struct iovec iov[LINK_IOV];

    init_side(&a, 2, false);
    init_side(&b, 1, false);
    link_ask(&a.link);
    cr_assert_eq(link_output(&a.link, iov), 0, "there is nothing to ask for");
    cr_assert_eq(link_send_copy(&a.link, &info, 7, data), HN_OK);
    link_ask(&a.link);
    write_all(&a, 0); /* the message */
    write_all(&a, 0); /* the question */
    cr_assert_eq(link_output(&a.link, iov), 0, "it asks once");
    cr_assert_eq(link_output(&b.link, iov), 0);
    deliver_all(&a, &b);
    cr_assert_eq(link_output(&b.link, iov), 1, "it was asked");
    write_all(&b, 0);
    deliver_all(&b, &a);
    cr_assert(link_all_acknowledged(&a.link));
    cr_assert_eq(link_output(&a.link, iov), 0, "an answer is not answered");
    clear_side(&a);
    clear_side(&b);
}

/* bytes of what the other side has written arrive. */
static void arrive(struct side *to, const uint8_t *bytes, size_t n)
{
    uint8_t scratch[FRAME_SIZE];
    struct iovec iov[2];

    while (n > 0) {
        size_t part;

        link_input(&to->link, iov, scratch, sizeof scratch);
        part = n < iov[0].iov_len ? n : iov[0].iov_len;
        memcpy(iov[0].iov_base, bytes, part);
        cr_assert_eq(link_received(&to->link, scratch, part), HN_OK, "%s", hn_error_text());
        bytes += part;
        n -= part;
    }
}

/* All that there is to write arrives, PART bytes at a time; how many acknowledgements came back. */
static int pour(struct side *from, struct side *to)
{
    enum { PART = 64 << 10 };
    struct iovec iov[LINK_IOV];
    int acks = 0;

    while (link_output(&from->link, iov) > 0) {
        size_t bytes = iov[0].iov_len < PART ? iov[0].iov_len : PART;

        arrive(to, iov[0].iov_base, bytes);
        link_written(&from->link, bytes);
        if (link_output(&to->link, iov) > 0) {
            acks++;
            arrive(from, iov[0].iov_base, FRAME_SIZE);
            link_written(&to->link, FRAME_SIZE);
        }
    }
    return acks;
}

/* Acknowledgements wake the sender: inside a long message there are few, its end has one. */
Test(link_frames, long_messages_are_seldom_acknowledged)
{
    enum { LONG = 6 << 20, SHORT = 100 << 10, COUNT = 20 };
    static struct side a, b;
    uint8_t *data = calloc(1, LONG);
    hn_info info = {.tag = 1, .type = HN_BYTE, .count = LONG};
    struct hn_request r = {0};
    int acks = 0;

    init_side(&a, 2, false);
    init_side(&b, 1, false);
    cr_assert_eq(link_send_borrow(&a.link, &info, 7, data, &r), HN_OK);
    cr_assert_leq(pour(&a, &b), 2);
    cr_assert(r.done && link_all_acknowledged(&a.link));

    info.count = SHORT;
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(link_send_copy(&a.link, &info, 7, data), HN_OK);
        acks += pour(&a, &b);
    }
    cr_assert_eq(acks, COUNT * SHORT / (600 << 10),
                 "one for each 512 KiB and the rest of a message");
    clear_side(&a);
    clear_side(&b);
    free(data);
}

/* Header and ACK frame together are a line of the cache; a break in between repeats neither. */
Test(link_frames, a_large_frame_stands_behind_an_ack_frame)
{
    static uint8_t data[LINK_LARGE];
    const hn_info info = {.tag = 1, .type = HN_BYTE, .count = sizeof data};
    struct iovec iov[LINK_IOV];
    struct match match;
    struct link link;
    hn_request r;

    request_init(&r);
    match_init(&match);
    link_init(&link, 2, &match);
    cr_assert_eq(link_send_borrow(&link, &info, 0, data, &r), HN_OK);
    cr_assert_eq(link_output(&link, iov), 3);
    cr_assert(iov[0].iov_len == FRAME_SIZE && *(uint8_t *)iov[0].iov_base == FRAME_ACK);
    cr_assert(iov[1].iov_len == FRAME_SIZE && *(uint8_t *)iov[1].iov_base == FRAME_MSG);
    link_written(&link, FRAME_SIZE);
    cr_assert_eq(link_output(&link, iov), 2, "it has gone");
    link_broken(&link);
    cr_assert_eq(link_resume(&link, 0), HN_OK);
    cr_assert_eq(link_output(&link, iov), 3);
    link_written(&link, 2 * FRAME_SIZE + sizeof data);
    cr_assert_eq(link_acknowledged(&link, FRAME_SIZE + sizeof data), HN_OK);
    cr_assert(r.done && r.result == HN_OK);
    link_clear(&link, HN_EDEAD);
    match_clear(&match);
}

/* Half a header before messages that leave room for it; all of it where payloads may be lent. */
Test(link_frames, short_messages_have_short_headers)
{
    static struct side a;
    static uint8_t data[LINK_SMALL];
    static const struct {
        size_t bytes;
        hn_context context;
        bool borrows, is_short;
    } cases[] = {
        {8, 7, false, true},
        {0, 0, false, true},
        {8, 0x40000123, false, true},
        {8, 0x12345, false, false},
        {LINK_SMALL - 1, 7, true, true},
        {LINK_SMALL, 7, true, false},
    };

    for (int lends = 0; lends < 2; lends++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            hn_info info = {.tag = 1, .type = HN_BYTE, .count = cases[i].bytes};
            size_t head = cases[i].is_short && !lends ? FRAME_SHORT_SIZE : FRAME_SIZE, total = 0;
            struct iovec iov[LINK_IOV];
            hn_request r;

            request_init(&r);
            init_side(&a, 2, lends);
            if (cases[i].borrows)
                cr_assert_eq(link_send_borrow(&a.link, &info, cases[i].context, data, &r), HN_OK);
            else
                cr_assert_eq(link_send_copy(&a.link, &info, cases[i].context, data), HN_OK);
            for (int k = 0, n = link_output(&a.link, iov); k < n; k++)
                total += iov[k].iov_len;
            cr_assert_eq(total, head + cases[i].bytes, "case %zu", i);
            link_written(&a.link, total);
            cr_assert_eq(link_acknowledged(&a.link, total), HN_OK);
            cr_assert(link_all_acknowledged(&a.link));
            clear_side(&a);
        }
}

/* Whoever knows that the connection is fast has fewer, longer frames; a new connection may be
 * another one. */
Test(link_frames, parts_are_as_long_as_the_connection_allows)
{
    enum { LONG = 6 << 20 };
    static struct side a, b;
    uint8_t *data = calloc(1, LONG);
    hn_info info = {.tag = 1, .type = HN_BYTE, .count = LONG};
    struct hn_request r[2] = {0};

    init_side(&a, 2, false);
    init_side(&b, 1, false);
    cr_assert_eq(link_send_borrow(&a.link, &info, 7, data, &r[0]), HN_OK);
    cr_assert_eq(r[0].pieces, LONG / LINK_PART);
    a.link.part = LINK_PART_FAST;
    cr_assert_eq(link_send_borrow(&a.link, &info, 7, data, &r[1]), HN_OK);
    cr_assert_eq(r[1].pieces, LONG / LINK_PART_FAST);
    pour(&a, &b);
    cr_assert(r[0].done && r[1].done && link_all_acknowledged(&a.link));
    link_broken(&a.link);
    cr_assert_eq(a.link.part, LINK_PART);
    clear_side(&a);
    clear_side(&b);
    free(data);
}
