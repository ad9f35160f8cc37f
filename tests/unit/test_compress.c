/* test_compress.c - deflated messages: when one is made, what comes out of it again, and what is
 * refused (compress.h). */
#include "wire/compress.h"
#include "hnow.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 256 << 10, HEAD = 11 };

/* Two hosts: a byte takes so many picoseconds. */
static hn_net *two_hosts(struct model *model, int64_t byte)
{
    hn_net *net = hn_net_new(2);
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = 1000000, .per_byte = byte * 1000});
    model_of_net(model, net, NULL, 2, PORT_MEDIA);
    return net;
}

static uint8_t *text(size_t bytes)
{
    uint8_t *data = malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)('a' + i * i % 7);
    return data;
}

static uint8_t *noise(size_t bytes, uint64_t *state)
{
    uint8_t *data = malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)random_below(state, 256);
    return data;
}

Test(compress, what_goes_in_comes_out)
{
    struct model model;
    hn_net *net = two_hosts(&model, 1000000000); /* a millisecond: slower than any processor */
    struct compress *c = compress_new(2);
    uint8_t *data = text(BYTES + 7), *out = malloc(BYTES + 7);
    for (size_t bytes = 1 << 10; bytes <= BYTES + 7; bytes = bytes * 2 - 3) {
        size_t length, whole = bytes / 8 * 8;
        uint8_t *message = compress_message(c, &model, 0, 1, 1, data, whole, HN_DOUBLE, &length);
        cr_assert_not_null(message, "%zu bytes", whole);
        cr_assert_lt(length, whole);
        memset(out, 0, whole);
        cr_assert_eq(compress_inflate(message, length, out, whole, HN_DOUBLE), HN_OK);
        cr_assert_eq(memcmp(data, out, whole), 0);
        free(message);
    }
    free(data);
    free(out);
    compress_free(c);
    hn_net_free(net);
}

Test(compress, quick_ways_and_short_messages_are_left_alone)
{
    struct model quick, slow;
    hn_net *a = two_hosts(&quick, 8000), *b = two_hosts(&slow, 1000000000);
    struct compress *c = compress_new(2);
    uint8_t *data = text(BYTES);
    size_t length;
    cr_assert_null(compress_message(c, &quick, 0, 1, 1, data, BYTES, HN_DOUBLE, &length));
    cr_assert_null(compress_message(c, &slow, 0, 1, 1, data, 1000, HN_DOUBLE, &length));
    cr_assert_null(compress_message(NULL, &slow, 0, 1, 1, data, BYTES, HN_DOUBLE, &length));
    free(data);
    compress_free(c);
    hn_net_free(a);
    hn_net_free(b);
}

/* Segments of a long operation are short, and on slow ways take long all the same. */
Test(compress, short_messages_are_looked_at_where_they_take_long)
{
    struct model fast, slow;
    hn_net *a = two_hosts(&fast, 40000), *b = two_hosts(&slow, 8000000);
    struct compress *c = compress_new(2);
    uint8_t *data = text(BYTES);
    size_t length = 0;
    cr_assert_null(compress_message(c, &fast, 0, 1, 1, data, 4096, HN_DOUBLE, &length));
    uint8_t *message = compress_message(c, &slow, 0, 1, 1, data, 4096, HN_DOUBLE, &length);
    cr_assert_not_null(message);
    cr_expect_lt(length, 2048);
    free(message);
    free(data);
    compress_free(c);
    hn_net_free(a);
    hn_net_free(b);
}

/* Whether a message goes deflated. */
static bool shrinks(struct compress *c, const struct model *model, const uint8_t *data,
                    size_t bytes)
{
    size_t length;
    uint8_t *message = compress_message(c, model, 0, 1, 1, data, bytes, HN_BYTE, &length);
    free(message);
    return message != NULL;
}

/* How many messages of text go as they are after so many of noise. */
static int missed_after(int noisy, int64_t byte, size_t bytes)
{
    struct model model;
    hn_net *net = two_hosts(&model, byte);
    struct compress *c = compress_new(2);
    uint64_t state = random_seed();
    uint8_t *data = noise(bytes, &state), *clear = text(bytes);
    int missed = 0;
    for (int i = 0; i < noisy; i++)
        cr_assert_not(shrinks(c, &model, data, bytes));
    while (missed < 1000 && !shrinks(c, &model, clear, bytes))
        missed++;
    if (missed == 0) /* the way is so slow that it does not count what else holds this test up */
        cr_expect(shrinks(c, &model, clear, bytes), "and the next one, after a success");
    free(data);
    free(clear);
    compress_free(c);
    hn_net_free(net);
    return missed;
}

/* Looking at noise takes a part of the way's time, and no more. */
Test(compress, after_noise_it_is_looked_at_again_when_the_way_has_taken_long_enough)
{
    int often = missed_after(1000, 1000000000, BYTES), seldom = missed_after(1, 30000, 16 << 10);
    cr_expect_eq(often, 0, "%d messages of minutes", often);
    cr_expect(seldom > 0 && seldom < 1000, "%d messages of half a millisecond", seldom);
}

/* Many messages, one right after the other, to as many slow ways at once: the last one waits until
 * all are deflated, which must not take longer than a way saves. */
Test(compress, many_messages_at_once_wait_for_each_other)
{
    enum { LONG = 1 << 20 };
    struct model model;
    hn_net *net = two_hosts(&model, 3000000); /* 2.7 Mb/s */
    struct compress *c = compress_new(2);
    uint64_t state = random_seed();
    uint8_t *data = noise(LONG, &state);
    size_t length;
    for (size_t i = 0; i < LONG; i++)
        data[i] %= 108; /* shrinks by a sixth */
    uint8_t *message = compress_message(c, &model, 0, 1, 1, data, LONG, HN_BYTE, &length);
    cr_expect_not_null(message);
    free(message);
    cr_expect_null(compress_message(c, &model, 0, 1, 64, data, LONG, HN_BYTE, &length));
    free(data);
    compress_free(c);
    hn_net_free(net);
}

/* Starting zlib takes 50 us, which a group does once: so a sample of half a KiB tells what bytes
 * take. */
Test(compress, short_zeros_shrink_on_quick_ways)
{
    enum { SHORT = 8 << 10 };
    struct model model;
    hn_net *net = two_hosts(&model, 85000); /* 100 Mb/s */
    struct compress *c = compress_new(2);
    uint8_t *zeros = calloc(1, SHORT);
    int shrunk = 0;
    for (int i = 0; i < 100; i++)
        shrunk += shrinks(c, &model, zeros, SHORT);
    cr_expect_gt(shrunk, 10, "%d of 100; a processor that others use is slow for a while", shrunk);
    free(zeros);
    compress_free(c);
    hn_net_free(net);
}

/* Text where samples are taken, all the rest shrinks by a sixth, which takes several times as long
 * as it saves. */
Test(compress, samples_that_promise_too_much_are_not_believed_for_long)
{
    enum { LONG = 4 << 20, PIECE = 4 << 10 };
    struct model model;
    hn_net *net = two_hosts(&model, 40000); /* 200 Mb/s */
    struct compress *c = compress_new(2);
    uint64_t state = random_seed();
    uint8_t *data = noise(LONG, &state), *clear = text(LONG);
    size_t length;
    uint8_t *message = NULL;
    for (int i = 0; !message && i < 200; i++) /* a processor that others use is slow for a while */
        message = compress_message(c, &model, 0, 1, 1, clear, LONG, HN_BYTE, &length);
    cr_assert_not_null(message, "text is worth it");
    free(message);
    for (size_t i = 0; i < LONG; i++)
        data[i] %= 108;
    for (size_t i = 0; i < 4; i++)
        memcpy(data + (LONG - PIECE) / 3 * i, clear, PIECE);
    cr_assert_null(compress_message(c, &model, 0, 1, 1, data, LONG, HN_BYTE, &length));
    free(data);
    free(clear);
    compress_free(c);
    hn_net_free(net);
}

/* No message makes more bytes than were expected, or is taken when it is not whole. */
Test(compress, messages_that_are_not_right_are_refused)
{
    struct model model;
    hn_net *net = two_hosts(&model, 1000000000);
    struct compress *c = compress_new(2);
    uint64_t state = random_seed(), seed = state;
    uint8_t *data = noise(BYTES, &state), *out = malloc(BYTES);
    size_t length;
    for (size_t i = 0; i < BYTES; i++)
        data[i] %= 16; /* shrinks by half; the check sum of what comes again and again is weak */
    uint8_t *message = compress_message(c, &model, 0, 1, 1, data, BYTES, HN_BYTE, &length);
    cr_assert_not_null(message);
    cr_assert_eq(compress_inflate(message, length, out, BYTES / 2, HN_BYTE), HN_EPROTO);
    for (size_t cut = 0; cut < length; cut += length / 40 + 1)
        cr_assert_eq(compress_inflate(message, cut, out, BYTES, HN_BYTE), HN_EPROTO);
    message[0]++; /* another size */
    cr_assert_eq(compress_inflate(message, length, out, BYTES, HN_BYTE), HN_EPROTO);
    message[0]--;
    /* A bomb: the head promises little, the stream holds all. */
    uint8_t head[HEAD];
    memcpy(head, message, HEAD);
    memset(message, 0, 8);
    message[1] = 1;
    cr_assert_eq(compress_inflate(message, length, out, 256, HN_BYTE), HN_EPROTO);
    memcpy(message, head, HEAD);
    for (int i = 0; i < 200; i++) {
        size_t at = HEAD + (size_t)random_below(&state, (int64_t)(length - HEAD));
        uint8_t was = message[at];
        message[at] ^= (uint8_t)(1 + random_below(&state, 255));
        int error = compress_inflate(message, length, out, BYTES, HN_BYTE);
        cr_assert(error == HN_EPROTO || memcmp(data, out, BYTES) == 0, "seed %llu: byte %zu",
                  (unsigned long long)seed, at);
        message[at] = was;
    }
    free(message);
    free(data);
    free(out);
    compress_free(c);
    hn_net_free(net);
}

/* Machines whose long has another width say HN_LONG and mean another type. */
Test(compress, elements_come_in_another_width)
{
    enum { COUNT = 16 << 10 };
    struct model model;
    hn_net *net = two_hosts(&model, 1000000000);
    struct compress *c = compress_new(2);
    static int32_t narrow[COUNT], back[COUNT];
    static int64_t wide[COUNT];
    size_t length;
    for (int i = 0; i < COUNT; i++)
        narrow[i] = -(i % 99);
    uint8_t *message =
        compress_message(c, &model, 0, 1, 1, narrow, sizeof narrow, HN_INT32, &length);
    cr_assert_not_null(message);
    cr_assert_eq(compress_inflate(message, length, wide, sizeof wide, HN_INT64), HN_OK);
    cr_assert_eq(compress_inflate(message, length, wide, sizeof wide, HN_UINT64), HN_EPROTO);
    free(message);
    message = compress_message(c, &model, 0, 1, 1, wide, sizeof wide, HN_INT64, &length);
    cr_assert_not_null(message);
    cr_assert_eq(compress_inflate(message, length, back, sizeof back, HN_INT32), HN_OK);
    cr_assert_eq(memcmp(narrow, back, sizeof narrow), 0);
    free(message);
    compress_free(c);
    hn_net_free(net);
}
