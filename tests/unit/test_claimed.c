/* test_claimed.c - a message that no receive waits for gets memory as its bytes arrive, however
 * long its sender says that it is. */
#include "base/error.h"
#include "match/match.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { FROM = 1, TAG = 2, FRAME = FRAME_PAYLOAD_MAX };
static struct match match;

static struct inbound *begin(uint64_t total, uint32_t first)
{
    const struct frame f = {
        .kind = FRAME_MSG, .type = HN_BYTE, .tag = TAG, .total = total, .length = first};
    match_init(&match);
    return match_begin(&match, FROM, &f);
}

static uint8_t byte_at(size_t at)
{
    return (uint8_t)(at ^ at >> 8 ^ at >> 16);
}

/* As link_input.c does: room for a frame, then its bytes. */
static void bring(struct inbound *in, size_t bytes)
{
    cr_assert(match_make_room(&match, in, bytes));
    for (size_t end = in->got + bytes; in->got < end; in->got++)
        in->data[in->got] = byte_at(in->got);
}

Test(claimed, more_than_there_is)
{
    struct inbound *in = begin(UINT64_C(1) << 46, FRAME);
    cr_assert_not_null(in, "%s", hn_error_text());
    cr_expect_eq(in->room, FRAME);
    bring(in, FRAME);
    bring(in, 1);
    cr_expect_leq(in->room, 2 * FRAME);
    match_clear(&match);
}

static void arrives(size_t total, size_t frame)
{
    uint8_t *data = malloc(total);
    struct inbound *in = begin(total, (uint32_t)frame);
    hn_request r;
    cr_assert(in && data);
    while (in->got < total)
        bring(in, frame < total - in->got ? frame : total - in->got);
    match_complete(&match, in);
    request_init(&r);
    r = (hn_request){.from = FROM, .tag = TAG, .type = HN_BYTE, .data = data, .count = total};
    list_init(&r.node);
    match_post(&match, &r);
    cr_assert(r.done && r.result == HN_OK && r.info.count == total);
    for (size_t at = 0; at < total; at++)
        cr_assert_eq(data[at], byte_at(at), "of %zu bytes in frames of %zu, byte %zu", total, frame,
                     at);
    cr_expect_eq(match.incoming, 0);
    match_clear(&match);
    free(data);
}

Test(claimed, all_of_it)
{
    static const size_t total[] = {1,           FRAME - 1,   FRAME,        FRAME + 1,
                                   FRAME + 200, FRAME + 300, 7 * FRAME + 5};
    for (size_t i = 0; i < sizeof total / sizeof *total; i++) {
        arrives(total[i], FRAME);
        arrives(total[i], FRAME / 3);
    }
}

/* A receive gives up what has begun to arrive in its buffer. */
Test(claimed, given_back)
{
    size_t total = 3 * (size_t)FRAME + 1;
    uint8_t *data = malloc(total);
    hn_request r;
    match_init(&match);
    request_init(&r);
    r = (hn_request){.from = FROM, .tag = TAG, .type = HN_BYTE, .data = data, .count = total};
    list_init(&r.node);
    match_post(&match, &r);
    const struct frame f = {
        .kind = FRAME_MSG, .type = HN_BYTE, .tag = TAG, .total = total, .length = FRAME};
    struct inbound *in = match_begin(&match, FROM, &f);
    cr_assert(in && data && in->data == data);
    bring(in, FRAME / 2);
    cr_assert(match_release(&match, &r));
    cr_expect_geq(in->room, FRAME, "the rest of its frame may be on its way");
    cr_expect_lt(in->room, total);
    while (in->got < total)
        bring(in, total - in->got < FRAME ? total - in->got : FRAME);
    for (size_t at = 0; at < total; at++)
        cr_assert_eq(in->data[at], byte_at(at));
    match_clear(&match);
    free(data);
}
