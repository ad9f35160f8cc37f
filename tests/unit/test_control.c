/* The control protocol: what is written is read, in any split of the bytes; and nothing else is. */
#include "protocol/control.h"

#include "base/bytes.h"
#include "hnow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct pack some_frames(void)
{
    struct pack pack = {0};
    control_put(&pack, CONTROL_ENROL, "0.1.0", 4711u, 99u);
    control_put(&pack, CONTROL_LEAVE);
    control_put(&pack, CONTROL_TEXT, "hosts", "a\0b", (size_t)3);
    size_t begun = control_begin(&pack, CONTROL_ADDRESS);
    pack_u32(&pack, control_tid(2, 7));
    pack_u8(&pack, CONTROL_FOUND);
    pack_u32(&pack, 1);
    pack_u8(&pack, 4);
    pack_blob(&pack, "\x7f\0\0\x01", 4);
    pack_u16(&pack, 5000);
    pack_u32(&pack, 0);
    control_end(&pack, begun);
    cr_assert_not(pack.failed);
    return pack;
}

/* Takes every whole frame and appends its kind, length and the sum of its bytes to text. */
static int take_all(struct control_decoder *decoder, char *text, size_t size)
{
    struct control_frame frame;
    int state;
    while ((state = control_next(decoder, &frame)) == 1) {
        size_t n = strlen(text);
        unsigned sum = 0;
        for (size_t i = 0; i < frame.payload.length; i++)
            sum += (unsigned)(i + 1) * frame.payload.data[i];
        snprintf(text + n, size - n, "%s %zu %u\n", control_name(frame.kind), frame.payload.length,
                 sum);
    }
    return state;
}

Test(control, every_split_gives_the_same_frames)
{
    struct pack pack = some_frames();
    struct control_decoder at_once = {0};
    char wanted[400] = "";
    control_feed(&at_once, pack.data, pack.length);
    cr_assert_eq(take_all(&at_once, wanted, sizeof wanted), 0);
    cr_assert_eq(strncmp(wanted, "ENROL 16 ", 9), 0, "%s", wanted);
    control_decoder_free(&at_once);
    for (size_t first = 0; first <= pack.length; first++)
        for (size_t second = first; second <= pack.length; second += 3) {
            char text[400] = "";
            struct control_decoder decoder = {0};
            size_t cut[] = {0, first, second, pack.length};
            for (int i = 0; i < 3; i++) {
                cr_assert_eq(control_feed(&decoder, pack.data + cut[i], cut[i + 1] - cut[i]),
                             HN_OK);
                cr_assert_eq(take_all(&decoder, text, sizeof text), 0);
            }
            cr_assert_str_eq(text, wanted);
            control_decoder_free(&decoder);
        }
    pack_free(&pack);
}

Test(control, the_fields_come_back)
{
    struct pack pack = some_frames();
    struct control_decoder decoder = {0};
    struct control_frame frame;
    size_t n;
    control_feed(&decoder, pack.data, pack.length);
    cr_assert_eq(control_next(&decoder, &frame), 1);
    cr_assert_str_eq(unpack_str(&frame.payload), "0.1.0");
    cr_assert_eq(unpack_u16(&frame.payload), 4711);
    cr_assert_eq(unpack_u32(&frame.payload), 99);
    cr_assert(unpack_done(&frame.payload));
    cr_assert_eq(control_next(&decoder, &frame), 1);
    cr_assert_eq(control_next(&decoder, &frame), 1);
    cr_assert_str_eq(unpack_str(&frame.payload), "hosts");
    cr_assert_arr_eq(unpack_blob(&frame.payload, &n), "a\0b", 3);
    cr_assert_eq(n, 3);
    control_decoder_free(&decoder);
    pack_free(&pack);
}

/* Every single-byte change either decodes to well-formed frames, or is refused, or waits for more;
 * the sanitizers watch the rest.  A refusal stays. */
Test(control, damaged_bytes_are_refused_or_well_formed)
{
    struct pack pack = some_frames();
    int refused = 0;
    for (size_t i = 0; i < pack.length; i++)
        for (int bit = 0; bit < 8; bit++) {
            char text[4000] = "";
            struct control_decoder decoder = {0};
            pack.data[i] ^= (uint8_t)(1 << bit);
            control_feed(&decoder, pack.data, pack.length);
            pack.data[i] ^= (uint8_t)(1 << bit);
            if (take_all(&decoder, text, sizeof text) == HN_EPROTO) {
                refused++;
                cr_assert_not_null(decoder.flaw);
                cr_assert_eq(take_all(&decoder, text, sizeof text), HN_EPROTO);
            }
            control_decoder_free(&decoder);
        }
    cr_assert_gt(refused, 100);
    pack_free(&pack);
}

static int decode(const void *bytes, size_t n)
{
    struct control_decoder decoder = {0};
    struct control_frame frame;
    control_feed(&decoder, bytes, n);
    int state = control_next(&decoder, &frame);
    control_decoder_free(&decoder);
    return state;
}

Test(control, hostile_headers)
{
    cr_assert_eq(decode("\0\0\0\0\x04\0\0\0", 8), 1);                  /* LEAVE */
    cr_assert_eq(decode("\0\0\0\0\x04\0\0\x01", 8), HN_EPROTO);        /* the zero is not zero */
    cr_assert_eq(decode("\0\0\0\0\xff\xff\0\0", 8), HN_EPROTO);        /* no such kind */
    cr_assert_eq(decode("\x01\0\0\x04\x03\0\0\0", 8), HN_EPROTO);      /* above 64 MiB */
    cr_assert_eq(decode("\x01\0\0\0\x04\0\0\0\0", 9), HN_EPROTO);      /* LEAVE with a payload */
    cr_assert_eq(decode("\x03\0\0\0\x02\0\0\0\0\0\0", 11), HN_EPROTO); /* LOOKUP cut short */
    cr_assert_eq(decode("\x04\0\0\0\x32\0\0\0\xff\xff\xff\xff", 12), HN_EPROTO); /* WORLD of 2^32 */
    cr_assert_eq(decode("\x06\0\0\0\x03\0\0\0\x01\0\0\0xy", 14), HN_EPROTO); /* text without NUL */
    cr_assert_eq(decode("\x06\0\0\0\x03\0\0\0\x01\0\0\0\0\0", 14), HN_EPROTO); /* NUL inside */
}

Test(control, a_frame_of_the_wrong_form_is_not_written)
{
    struct pack pack = {0};
    size_t begun = control_begin(&pack, CONTROL_LOOKUP);
    pack_u16(&pack, 1);
    control_end(&pack, begun);
    cr_assert(pack.failed);
    pack_free(&pack);
}

Test(control, kinds_have_distinct_numbers_and_sound_signatures)
{
    static const unsigned kinds[] = {
#define X(name, number, signature, fields) number,
        CONTROL_KINDS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *signature = control_signature(kinds[i]);
        cr_assert_eq(strspn(signature, "bhulsyk()"), strlen(signature));
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(kinds[i], kinds[j]);
    }
    cr_assert_null(control_name(0));
}

Test(control, tids_name_their_host)
{
    cr_assert_eq(control_host(control_tid(0, 1)), 0);
    cr_assert_eq(control_host(control_tid(CONTROL_HOSTS_MAX - 1, 0x3ffff)), CONTROL_HOSTS_MAX - 1);
    cr_assert_gt((int32_t)control_tid(CONTROL_HOSTS_MAX - 1, 0x3ffff), 0);
}

Test(control, what_is_written_in_parts_moves_seldom)
{
    struct pack pack = {0};
    size_t gone = 0;

    for (unsigned i = 0; i < 100; i++)
        pack_u8(&pack, (uint8_t)i);
    pack_gone(&pack, &gone, 30);
    cr_assert_eq(gone, 30, "the rest has moved, and is more than what has gone");
    cr_assert_eq(pack.length, 100);
    pack_gone(&pack, &gone, 20);
    cr_assert_eq(gone, 0);
    cr_assert_eq(pack.length, 50);
    cr_assert_eq(pack.data[0], 50);
    pack_gone(&pack, &gone, 50);
    cr_assert_eq(gone + pack.length, 0);
    pack_free(&pack);
}

/* Memory is taken as data comes, not as its length is claimed. */
Test(control, claimed_length)
{
    struct control_decoder decoder = {0};
    struct control_frame frame;
    uint8_t header[CONTROL_HEADER] = {0};
    bytes_put32(header, (uint32_t)CONTROL_PAYLOAD_MAX);
    bytes_put16(header + 4, CONTROL_NOTE);
    cr_assert_eq(control_feed(&decoder, header, sizeof header), HN_OK);
    cr_assert_eq(control_next(&decoder, &frame), 0);
    cr_assert_leq(decoder.in.capacity, 4096);
    control_decoder_free(&decoder);
}
