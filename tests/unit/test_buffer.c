/* test_buffer.c - packing and unpacking: every type, strides, strings, buffers in buffers, parts.
 */
#include "base/bytes.h"
#include "hnow.h"
#include "job.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

Test(buffer, pieces_come_back_in_order)
{
    hn_buffer *b = hn_buffer_new();
    int32_t ints[3] = {1, -2, 3};
    double wide[4] = {0.5, 9, 1.5, 9}, narrow[2];
    int64_t longs[3];
    char text[8];

    cr_assert_eq(hn_pack(b, ints, 3, HN_INT32, 1), HN_OK);
    cr_assert_eq(hn_pack(b, wide, 2, HN_DOUBLE, 2), HN_OK);
    cr_assert_eq(hn_pack_string(b, "hello"), HN_OK);
    cr_assert_eq(hn_unpack(b, longs, 3, HN_INT64, 1), HN_OK);
    cr_assert(longs[0] == 1 && longs[1] == -2 && longs[2] == 3);
    cr_assert_eq(hn_unpack(b, narrow, 2, HN_DOUBLE, 1), HN_OK);
    cr_assert(narrow[0] == 0.5 && narrow[1] == 1.5);
    cr_assert_eq(hn_unpack_string(b, text, 3), HN_ETRUNC);
    cr_assert_eq(hn_unpack_string(b, text, sizeof text), HN_OK);
    cr_assert_str_eq(text, "hello");
    cr_assert_eq(hn_unpack(b, longs, 1, HN_INT64, 1), HN_ETRUNC);
    hn_buffer_free(b);
}

Test(buffer, parts_and_neighbours)
{
    hn_buffer *b = hn_buffer_new();
    int a[5] = {1, 2, 3, 4, 5}, got[5] = {0};

    hn_pack(b, a, 2, HN_INT, 1);
    hn_pack(b, a + 2, 3, HN_INT, 1);
    cr_assert_eq(hn_unpack(b, got, 1, HN_INT, 1), HN_OK);
    cr_assert_eq(hn_unpack(b, got + 1, 3, HN_INT, 1), HN_OK);
    cr_assert_eq(hn_unpack(b, got + 4, 2, HN_INT, 1), HN_ETRUNC);
    cr_expect_str_eq(hn_error_text(), "the message ends 1 element too early");
    cr_assert_eq(hn_unpack(b, got + 4, 1, HN_DOUBLE, 1), HN_ETYPE);
    cr_expect_str_eq(hn_error_text(), "HN_INT32 comes next, not HN_DOUBLE");
    cr_assert_eq(hn_unpack(b, got + 4, 1, HN_INT, 1), HN_OK);
    cr_assert_arr_eq(a, got, sizeof a);
    hn_buffer_rewind(b);
    cr_assert_eq(hn_unpack(b, got, 5, HN_INT, 1), HN_OK);
    cr_assert_arr_eq(a, got, sizeof a);
    hn_buffer_free(b);
}

static void comes_next(const hn_buffer *b, hn_type type, size_t count)
{
    hn_type next = 0;
    size_t left = 0;

    cr_assert_eq(hn_buffer_next(b, &next, &left), HN_OK, "%s", hn_error_text());
    cr_assert(next == type && left == count, "0x%x, %zu", (unsigned)next, left);
}

Test(buffer, what_comes_next)
{
    hn_buffer *b = hn_buffer_new(), *empty = hn_buffer_new();
    int a[10] = {0};
    hn_type type;
    size_t count;
    char text[8];

    cr_assert_eq(hn_buffer_next(b, &type, &count), HN_ETRUNC);
    hn_pack(b, a, 10, HN_INT, 1);
    hn_pack(b, a, 0, HN_DOUBLE, 1);
    hn_pack(b, a, 2, HN_INT, 1);
    hn_pack_string(b, "hello");
    hn_pack_buffer(b, empty);
    comes_next(b, HN_INT, 10);
    cr_assert_eq(hn_unpack(b, a, 4, HN_INT, 1), HN_OK);
    comes_next(b, HN_INT, 6);
    cr_assert_eq(hn_unpack(b, a, 6, HN_INT, 1), HN_OK);
    comes_next(b, HN_INT, 2); /* what is empty does not count */
    cr_assert_eq(hn_unpack(b, a, 2, HN_INT, 1), HN_OK);
    comes_next(b, HN_BYTE, 6);
    cr_assert_eq(hn_unpack_string(b, text, 6), HN_OK);
    comes_next(b, HN_PACKED, 0); /* but a buffer does */
    cr_assert_eq(hn_unpack_buffer(b, empty), HN_OK);
    cr_assert_eq(hn_buffer_next(b, &type, &count), HN_ETRUNC);
    hn_buffer_rewind(b);
    comes_next(b, HN_INT, 10);
    cr_assert_eq(hn_buffer_next(NULL, &type, &count), HN_EARG);
    cr_assert_eq(hn_buffer_next(b, NULL, &count), HN_EARG);
    hn_buffer_free(b);
    hn_buffer_free(empty);
}

Test(buffer, packed_one_by_one)
{
    hn_buffer *b = hn_buffer_new();
    int a[] = {1, 2, 3}, got[3] = {0}, more = 4;
    char letters[] = "ab", text[4];
    double d = 0.5, same = 0;

    for (int i = 0; i < 3; i++)
        cr_assert_eq(hn_pack(b, &a[i], 1, HN_INT, 1), HN_OK);
    cr_assert_eq(hn_buffer_bytes(b), 12 + sizeof a);
    comes_next(b, HN_INT, 3);
    cr_assert_eq(hn_pack(b, &d, 1, HN_DOUBLE, 1), HN_OK);
    hn_pack_string(b, ""); /* a byte, but a piece of its own */
    for (int i = 0; i < 2; i++)
        cr_assert_eq(hn_pack(b, &letters[i], 1, HN_BYTE, 1), HN_OK);
    hn_pack_string(b, "");
    cr_assert_eq(hn_buffer_data_bytes(b), sizeof a + sizeof d + 4);
    cr_assert_eq(hn_buffer_bytes(b), hn_buffer_data_bytes(b) + 5 * 12);
    cr_assert_eq(hn_pack(b, a, 1, HN_INT, 0), HN_EARG);
    cr_assert_eq(hn_pack(b, a, 1, 0, 1), HN_EARG);
    cr_assert_eq(hn_pack(b, NULL, 1, HN_INT, 1), HN_EARG);

    cr_assert_eq(hn_unpack(b, got, 3, HN_INT, 1), HN_OK);
    cr_assert_arr_eq(got, a, sizeof a);
    cr_assert_eq(hn_unpack(b, &same, 1, HN_DOUBLE, 1), HN_OK);
    cr_assert_eq(hn_unpack_string(b, text, 1), HN_OK);
    comes_next(b, HN_BYTE, 2);
    cr_assert_eq(hn_unpack(b, text, 2, HN_BYTE, 1), HN_OK);
    cr_assert(same == d && text[0] == 'a' && text[1] == 'b');
    cr_assert_eq(hn_unpack_string(b, text, 1), HN_OK);

    /* What is unpacked already takes in nothing. */
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(hn_pack(b, &more, 1, HN_INT, 1), HN_OK);
        cr_assert_eq(hn_unpack(b, got, 1, HN_INT, 1), HN_OK);
        cr_assert_eq(got[0], more++);
    }
    hn_buffer_free(b);
}

Test(buffer, every_type)
{
    static const hn_type types[] = {HN_BYTE,           HN_INT8,    HN_INT16,          HN_INT32,
                                    HN_INT64,          HN_UINT8,   HN_UINT16,         HN_UINT32,
                                    HN_UINT64,         HN_FLOAT,   HN_DOUBLE,         HN_COMPLEX,
                                    HN_DOUBLE_COMPLEX, HN_LDOUBLE, HN_LDOUBLE_COMPLEX};
    uint8_t in[96], out[96];

    memset(in, 0x11, sizeof in);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        hn_buffer *b = hn_buffer_new();
        memset(out, 0, sizeof out);
        cr_assert_eq(hn_pack(b, in, 3, types[i], 1), HN_OK);
        cr_assert_eq(hn_unpack(b, out, 3, types[i], 1), HN_OK);
        cr_assert_arr_eq(in, out, 3 * hn_type_size(types[i]));
        hn_buffer_free(b);
    }
}

Test(buffer, buffer_in_a_buffer)
{
    hn_buffer *outer = hn_buffer_new(), *inner = hn_buffer_new(), *copy = hn_buffer_new();
    int value = 7, got = 0;

    hn_pack(inner, &value, 1, HN_INT, 1);
    cr_assert_eq(hn_pack_buffer(outer, inner), HN_OK);
    cr_assert_eq(hn_unpack_buffer(outer, copy), HN_OK);
    cr_assert_eq(hn_unpack(copy, &got, 1, HN_INT, 1), HN_OK);
    cr_assert_eq(got, 7);
    hn_buffer_free(outer);
    hn_buffer_free(inner);
    hn_buffer_free(copy);
}

/* A receive from who has ended says so, also before its time is up: neither task ends before both
 * have looked. */
static void part_together(hn_tid other)
{
    job_check(hn_send(other, 7, NULL, 0, HN_BYTE) == HN_OK);
    job_check(hn_recv(other, 7, NULL, 0, HN_BYTE, NULL) == HN_OK);
}

/* Messages of buffers between tasks; bytes that are no pieces are refused. */
static _Bool exchange(void)
{
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    hn_buffer *b = hn_buffer_new();
    float pi = 3.25f, got;
    hn_info info;

    hn_pack(b, &pi, 1, HN_FLOAT, 1);
    job_check(hn_send_buffer(other, 4, b) == HN_OK);
    job_check(hn_send(other, 5, "rubbish", 7, HN_PACKED) == HN_OK);
    job_check(hn_recv_buffer(HN_ANY, 4, -1, b, &info) == HN_OK);
    job_check(info.from == other && info.tag == 4);
    job_check(hn_unpack(b, &got, 1, HN_FLOAT, 1) == HN_OK && got == pi);
    job_check(hn_recv_buffer(other, 5, -1, b, NULL) == HN_EPROTO);
    job_check(hn_recv_buffer(other, 6, 0, b, NULL) == HN_ETIMEOUT);
    job_check(hn_recv_timeout(other, 6, &got, 1, HN_FLOAT, 20, NULL) == HN_ETIMEOUT);
    part_together(other);
    hn_buffer_free(b);
    return true;
}

Test(buffer, none_and_itself_are_refused)
{
    hn_buffer *b = hn_buffer_new();
    char text[8] = "text";

    cr_assert_eq(hn_pack(NULL, text, 1, HN_CHAR, 1), HN_EARG);
    cr_assert_eq(hn_pack_string(NULL, text), HN_EARG);
    cr_assert_eq(hn_unpack(NULL, text, 1, HN_CHAR, 1), HN_EARG);
    cr_assert_eq(hn_unpack_string(NULL, text, sizeof text), HN_EARG);
    cr_assert(hn_pack_buffer(NULL, b) == HN_EARG && hn_pack_buffer(b, NULL) == HN_EARG);
    cr_assert(hn_unpack_buffer(NULL, b) == HN_EARG && hn_unpack_buffer(b, NULL) == HN_EARG);
    cr_assert(hn_send_buffer(1, 1, NULL) == HN_EARG &&
              hn_recv_buffer(1, 1, 0, NULL, NULL) == HN_EARG);
    cr_assert(hn_multicast(NULL, 1, 1, text, 1, HN_CHAR) == HN_EARG &&
              hn_multicast(NULL, -1, 1, text, 1, HN_CHAR) == HN_EARG);
    hn_pack_string(b, text);
    cr_assert_eq(hn_pack_buffer(b, b), HN_EARG);
    hn_buffer_clear(b);
    hn_pack(b, text, 0, HN_PACKED, 1);
    cr_assert_eq(hn_unpack_buffer(b, b), HN_EARG);
    hn_buffer_free(b);
}

/* What has no elements is in nobody's way, whether it is unpacked or not. */
Test(buffer, nothing_is_packed)
{
    hn_buffer *b = hn_buffer_new(), *inner = hn_buffer_new();
    char text[8] = "";
    int number = 5;

    hn_pack(b, NULL, 0, HN_INT, 1);
    hn_pack(b, NULL, 0, HN_BYTE, 1);
    hn_pack_string(b, "text");
    hn_pack(b, NULL, 0, HN_DOUBLE, 1);
    hn_pack_buffer(b, inner);
    hn_pack_buffer(b, inner);
    hn_pack(b, &number, 1, HN_INT, 1);
    hn_pack(b, NULL, 0, HN_INT, 1);
    cr_assert_eq(hn_unpack(b, NULL, 0, HN_INT, 1), HN_OK);
    cr_assert_eq(hn_unpack_string(b, text, sizeof text), HN_OK);
    cr_assert_str_eq(text, "text");
    cr_assert_eq(hn_unpack_buffer(b, inner), HN_OK);
    cr_assert_eq(hn_unpack_buffer(b, inner), HN_OK);
    cr_assert(hn_unpack(b, &number, 1, HN_INT, 1) == HN_OK && number == 5);
    cr_assert_eq(hn_unpack_string(b, text, sizeof text), HN_ETRUNC);
    hn_buffer_free(inner);
    hn_buffer_free(b);
}

Test(buffer, on_the_wire)
{
    cr_assert_eq(job_run(2, 30, exchange), 0);
}

/* A message that was not packed is a buffer of one piece, whatever it holds. */
static _Bool plain_messages(void)
{
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    hn_buffer *b = hn_buffer_new();
    int32_t sent[3] = {1, -2, 3};
    int64_t got[3];
    char text[8];
    hn_info info;

    job_check(hn_send(other, 4, sent, 3, HN_INT32) == HN_OK);
    job_check(hn_send(other, 5, NULL, 0, HN_DOUBLE) == HN_OK);
    job_check(hn_send(other, 6, "word", 5, HN_CHAR) == HN_OK);
    job_check(hn_recv_buffer(other, HN_ANY, -1, b, &info) == HN_OK);
    job_check(info.tag == 4 && info.type == HN_INT32 && info.count == 3);
    job_check(hn_unpack(b, got, 3, HN_INT64, 1) == HN_OK && got[1] == -2 && got[2] == 3);
    job_check(hn_recv_buffer(other, HN_ANY, 60000, b, &info) == HN_OK);
    job_check(info.tag == 5 && info.count == 0 && hn_unpack(b, got, 1, HN_INT64, 1) == HN_ETRUNC);
    job_check(hn_recv_buffer(HN_ANY, 6, -1, b, NULL) == HN_OK);
    job_check(hn_recv_buffer(other, 6, 0, b, NULL) == HN_ETIMEOUT); /* b stays */
    job_check(hn_unpack_string(b, text, sizeof text) == HN_OK && strcmp(text, "word") == 0);
    part_together(other);
    hn_buffer_free(b);
    return true;
}

Test(buffer, of_plain_messages)
{
    cr_assert_eq(job_run(2, 30, plain_messages), 0);
}

/* Two threads want the same message: one gets it, the other the next. */
enum { THREAD_MESSAGES = 2000 };

static void *take_half(void *arg)
{
    hn_buffer *b = hn_buffer_new();
    intptr_t bad = 0;

    (void)arg;
    for (int i = 0; i < THREAD_MESSAGES / 2; i++)
        bad += hn_recv_buffer(HN_ANY, 7, -1, b, NULL) != HN_OK;
    hn_buffer_free(b);
    return (void *)bad;
}

static _Bool two_takers(void)
{
    hn_buffer *b = hn_buffer_new();
    pthread_t thread;
    void *bad = NULL;

    if (hn_rank() == 0) {
        job_check(pthread_create(&thread, NULL, take_half, NULL) == 0);
        job_check(take_half(NULL) == NULL);
        pthread_join(thread, &bad);
        job_check(bad == NULL);
    }
    for (int i = 0; hn_rank() == 1 && i < THREAD_MESSAGES; i++) {
        hn_pack(b, &i, 1, HN_INT, 1); /* each is longer than the one before */
        job_check(hn_send_buffer(hn_group_tid(hn_world(), 0), 7, b) == HN_OK);
    }
    hn_buffer_free(b);
    return true;
}

Test(buffer, two_threads_receive)
{
    cr_assert_eq(job_run(2, 60, two_takers), 0);
}

/* What a machine of the other byte order has packed. */
Test(buffer, other_byte_order)
{
    uint8_t raw[12 + 8] = {0};
    hn_buffer *outer = hn_buffer_new(), *inner = hn_buffer_new();
    int64_t got = 0;

    bytes_put16(raw, HN_INT32);
    raw[2] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    bytes_put64(raw + 4, 2);
    memcpy(raw + 12, raw[2] ? "\0\0\1\2\377\377\377\376" : "\2\1\0\0\376\377\377\377", 8);
    hn_pack(outer, raw, sizeof raw, HN_PACKED, 1);
    cr_assert_eq(hn_unpack_buffer(outer, inner), HN_OK);
    cr_assert_eq(hn_unpack(inner, &got, 1, HN_INT64, 1), HN_OK);
    cr_assert_eq(got, 258);
    cr_assert_eq(hn_unpack(inner, &got, 1, HN_INT64, 1), HN_OK);
    cr_assert_eq(got, -2);
    hn_buffer_free(outer);
    hn_buffer_free(inner);
}
