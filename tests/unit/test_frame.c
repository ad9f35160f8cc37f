/* test_frame.c - headers of frames: what is written comes out again, long or short, and what nobody
 * writes is refused. */
#include "base/error.h"
#include "link/frame.h"
#include "random.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ROUNDS = 20000 };

static const uint32_t contexts[] = {0,          1,          7,          0x7fff,     0x8000,
                                    0xffff,     0x10000,    0x3fffffff, 0x40000000, 0x40000001,
                                    0x40007fff, 0x40008000, 0xffffffff};

static struct frame random_message(uint64_t *random)
{
    uint32_t length = (uint32_t)random_below(random, 2) ? (uint32_t)random_below(random, 70000)
                                                        : (uint32_t)random_below(random, 100);
    return (struct frame){
        .kind = FRAME_MSG,
        .flags = random_below(random, 2) ? FRAME_BIG_ENDIAN : FRAME_WANT_ACK,
        .type = (uint16_t)HN_BYTE,
        .context = contexts[random_below(random, sizeof contexts / sizeof *contexts)],
        .tag = (int32_t)random_below(random, INT32_MAX),
        .length = length,
        .total = length + (random_below(random, 4) ? 0 : 1000),
    };
}

static void check_same(const struct frame *a, const struct frame *b)
{
    cr_assert(a->kind == b->kind && a->flags == b->flags && a->type == b->type);
    cr_assert(a->context == b->context && a->tag == b->tag);
    cr_assert(a->length == b->length && a->total == b->total);
}

Test(frame, what_is_written_is_read)
{
    uint64_t random = random_seed();
    int of_each[2] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        struct frame f = random_message(&random), got;
        uint64_t acked = (uint64_t)random_below(&random, INT64_MAX) >> random_below(&random, 40);
        bool is_short = frame_fits_short(&f);
        uint8_t header[FRAME_SIZE];
        f.ack = acked + (uint64_t)random_below(&random, INT32_MAX);
        if (is_short)
            frame_encode_short(&f, header);
        else
            frame_encode(&f, header);
        frame_put_ack(header, f.ack);
        cr_assert_eq(frame_decode(header, acked, &got), HN_OK, "%s", hn_error_text());
        check_same(&f, &got);
        cr_assert_eq(got.ack, f.ack);
        cr_assert_eq(got.size, frame_size(header[0]));
        cr_assert_eq(got.size, is_short ? FRAME_SHORT_SIZE : FRAME_SIZE);
        of_each[is_short]++;
    }
    cr_assert(of_each[0] > ROUNDS / 10 && of_each[1] > ROUNDS / 10);
}

Test(frame, only_what_fits_is_short)
{
    struct frame f = {.kind = FRAME_MSG, .type = (uint16_t)HN_BYTE, .length = 8, .total = 8};
    cr_assert(frame_fits_short(&f));
    f.context = 0x8000;
    cr_assert(!frame_fits_short(&f));
    f.context = FRAME_CONTEXT_HIGH + 0x7fff;
    cr_assert(frame_fits_short(&f));
    f.context++;
    cr_assert(!frame_fits_short(&f));
    f.context = 1;
    f.total = 9; /* more follows */
    cr_assert(!frame_fits_short(&f));
    f.total = f.length = UINT16_MAX + 1;
    cr_assert(!frame_fits_short(&f));
    f.total = f.length = 8;
    f.kind = FRAME_MORE;
    cr_assert(!frame_fits_short(&f));
}

/* The lower half of an acknowledgement says all of it, also of one that was seen before. */
Test(frame, short_acknowledgements_are_whole_again)
{
    static const struct {
        uint64_t acked, ack, read;
    } cases[] = {
        {0, 0, 0},
        {0, 0x7fffffff, 0x7fffffff},
        {0xfffffff0, 0x100000010, 0x100000010},
        {0x100000010, 0xfffffff0, 0xfffffff0}, /* older than what is known */
        {5, 5 + ((uint64_t)1 << 32), 5},       /* 4 GiB further: not yet */
        {(uint64_t)1 << 33, 3 * ((uint64_t)1 << 31), 3 * ((uint64_t)1 << 31)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frame f = {.kind = FRAME_MSG, .type = (uint16_t)HN_BYTE, .ack = cases[i].ack}, got;
        uint8_t header[FRAME_SHORT_SIZE];
        frame_encode_short(&f, header);
        cr_assert_eq(frame_decode(header, cases[i].acked, &got), HN_OK);
        cr_assert_leq(got.ack, cases[i].ack, "case %zu: more than was said", i);
        cr_assert_eq(got.ack, cases[i].read, "case %zu", i);
    }
}

Test(frame, what_nobody_writes_is_refused)
{
    struct frame good = {.kind = FRAME_MSG, .type = (uint16_t)HN_INT, .length = 8, .total = 8}, got;
    uint8_t header[FRAME_SHORT_SIZE];
    frame_encode_short(&good, header);
    cr_assert_eq(frame_decode(header, 0, &got), HN_OK);
    header[1] = FRAME_LENT;
    cr_assert_eq(frame_decode(header, 0, &got), HN_EPROTO);
    header[1] = 0;
    header[6] = 7; /* no whole number of elements */
    cr_assert_eq(frame_decode(header, 0, &got), HN_EPROTO);
    header[6] = 8;
    header[2] = 0; /* no type */
    cr_assert_eq(frame_decode(header, 0, &got), HN_EPROTO);
    frame_encode_short(&good, header);
    header[11] = 0x80; /* a tag below 0 */
    cr_assert_eq(frame_decode(header, 0, &got), HN_EPROTO);
}
