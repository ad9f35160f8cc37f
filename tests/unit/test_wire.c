/* The link emulator's model under a virtual clock: who waits for whom, and for how long. */
#include "../hosts/wire/config.h"
#include "../hosts/wire/cost.h"
#include "../hosts/wire/wire.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FRAME = 1000, SHORT = 60, MOST = 4096 };

/* At 8 Mb/s a byte takes a microsecond, so times below can be read as bytes. */
#define RATE           8000000
#define US             1000ull
#define TIME_OF(bytes) (((bytes) + WIRE_EXTRA_BYTES) * US)

static const struct wire_cost free_of_cost;

struct arrival {
    uint64_t time;
    int port;
    uint8_t mark;
};

static struct wire *w;
static struct arrival arrival[MOST];
static int arrivals;

static void give(void *context, int port, const uint8_t *data, size_t length)
{
    const uint64_t *now = context;
    cr_assert(arrivals < MOST && length >= 14);
    arrival[arrivals++] = (struct arrival){*now, port, data[13]};
}

static uint64_t now;

static void start(void)
{
    w = wire_new(give, &now, 1);
    arrivals = 0;
    now = 0;
}

static void stop(void)
{
    wire_free(w);
}

/* Let happen what is due until a time, each event at its own moment. */
static void run_until(uint64_t end)
{
    for (uint64_t next; (next = wire_next(w)) <= end && next != WIRE_NEVER;) {
        now = next > now ? next : now;
        wire_run(w, now);
    }
}

static void run_all(void)
{
    run_until(WIRE_NEVER - 1);
}

static int add_medium(struct wire_medium m, int ports)
{
    m.rate = m.rate ? m.rate : RATE;
    m.queue = m.queue ? m.queue : 1000000;
    int medium = wire_add_medium(w, &m);
    int first = wire_add_port(w, medium, free_of_cost, free_of_cost);
    for (int i = 1; i < ports; i++)
        wire_add_port(w, medium, free_of_cost, free_of_cost);
    return first;
}

/* A frame of an unknown protocol (so it costs the hosts nothing), with a mark to know it by. */
static bool send_frame(int from, int to, uint64_t at, size_t length, uint8_t mark)
{
    uint8_t frame[WIRE_MAX_FRAME] = {0};
    if (to < 0)
        memset(frame, 0xFF, WIRE_ADDRESS_BYTES);
    else
        wire_address(to, frame);
    wire_address(from, frame + WIRE_ADDRESS_BYTES);
    frame[12] = 0x88; /* an experimental protocol */
    frame[13] = mark;
    run_until(at);
    now = at;
    return wire_send(w, from, at, frame, length);
}

static void expect(int i, uint64_t time, int port, uint8_t mark)
{
    cr_assert(i < arrivals, "only %d frames arrived", arrivals);
    cr_expect_eq(arrival[i].time, time, "frame %d at %" PRIu64 ", not %" PRIu64, i, arrival[i].time,
                 time);
    cr_expect_eq(arrival[i].port, port, "frame %d at port %d, not %d", i, arrival[i].port, port);
    cr_expect_eq(arrival[i].mark, mark);
}

TestSuite(wire, .init = start, .fini = stop);

Test(wire, a_bus_carries_one_frame_at_a_time)
{
    add_medium((struct wire_medium){.kind = WIRE_BUS, .delay_ns = 7 * US}, 4);
    send_frame(0, 1, 0, FRAME, 1);
    send_frame(2, 3, 10 * US, FRAME, 2);
    run_all();
    expect(0, TIME_OF(FRAME) + 7 * US, 1, 1);
    expect(1, 2 * TIME_OF(FRAME) + 7 * US, 3, 2);
}

Test(wire, senders_on_a_bus_take_turns)
{
    add_medium((struct wire_medium){.kind = WIRE_BUS}, 3);
    for (uint8_t i = 1; i <= 5; i++)
        send_frame(0, 2, 0, FRAME, i);
    send_frame(1, 2, 0, FRAME, 100);
    run_all();
    cr_assert_eq(arrivals, 6);
    expect(0, TIME_OF(FRAME), 2, 1);
    expect(1, 2 * TIME_OF(FRAME), 2, 100);
    expect(2, 3 * TIME_OF(FRAME), 2, 2);
}

Test(wire, short_frames_are_padded)
{
    add_medium((struct wire_medium){.kind = WIRE_BUS}, 2);
    send_frame(0, 1, 0, 20, 1);
    run_all();
    expect(0, TIME_OF(SHORT), 1, 1);
}

Test(wire, collisions_cost_slots_only_when_several_wait)
{
    add_medium((struct wire_medium){.kind = WIRE_BUS, .collisions = true}, 3);
    send_frame(0, 2, 0, FRAME, 1);
    run_all();
    expect(0, TIME_OF(FRAME), 2, 1);
    uint64_t begin = 10000 * US, busy = TIME_OF(FRAME), slot = WIRE_SLOT_BITS / 8 * US;
    send_frame(0, 2, begin, FRAME, 2); /* while this one is sent, two more come: they collide */
    send_frame(0, 2, begin, FRAME, 3);
    send_frame(1, 2, begin, FRAME, 4);
    run_all();
    expect(1, begin + busy, 2, 2);
    expect(2, begin + 2 * busy + slot, 2, 4); /* two contenders lose one slot on average */
    expect(3, begin + 3 * busy + slot, 2, 3);
}

Test(wire, a_switch_stores_and_forwards)
{
    add_medium((struct wire_medium){.kind = WIRE_SWITCH, .delay_ns = 10 * US}, 4);
    send_frame(0, 1, 0, FRAME, 1);
    send_frame(2, 3, 0, FRAME, 2); /* at the same time */
    run_all();
    expect(0, 2 * TIME_OF(FRAME) + 10 * US, 1, 1);
    expect(1, 2 * TIME_OF(FRAME) + 10 * US, 3, 2);
}

Test(wire, two_senders_share_the_wire_to_their_receiver)
{
    add_medium((struct wire_medium){.kind = WIRE_SWITCH}, 3);
    send_frame(0, 2, 0, FRAME, 1);
    send_frame(1, 2, 0, FRAME, 2);
    run_all();
    expect(0, 2 * TIME_OF(FRAME), 2, 1);
    expect(1, 3 * TIME_OF(FRAME), 2, 2);
}

Test(wire, a_link_has_a_wire_in_each_direction)
{
    int other = add_medium((struct wire_medium){.kind = WIRE_LINK, .delay_ns = 5000 * US}, 2) + 1;
    send_frame(0, other, 0, FRAME, 1);
    send_frame(other, 0, 0, FRAME, 2);
    run_all();
    expect(0, TIME_OF(FRAME) + 5000 * US, other, 1);
    expect(1, TIME_OF(FRAME) + 5000 * US, 0, 2);
    struct wire_medium link = {.kind = WIRE_LINK, .rate = 1};
    int medium = wire_add_medium(w, &link);
    cr_expect(wire_add_port(w, medium, free_of_cost, free_of_cost) >= 0);
    cr_expect(wire_add_port(w, medium, free_of_cost, free_of_cost) >= 0);
    cr_expect_eq(wire_add_port(w, medium, free_of_cost, free_of_cost), -1);
}

Test(wire, what_is_on_its_way_does_not_fill_the_queue)
{
    add_medium((struct wire_medium){.kind = WIRE_LINK, .delay_ns = 1000000 * US, .queue = 3000}, 2);
    int taken = 0;
    for (int i = 0; i < 20; i++)
        taken += send_frame(0, 1, 0, FRAME, 1);
    cr_expect_eq(taken, 3, "%d frames of 1024 fit a queue of 3000", taken);
    taken = 0;
    for (int i = 0; i < 20; i++)
        taken += send_frame(0, 1, (uint64_t)(i + 4) * TIME_OF(FRAME), FRAME, 2);
    cr_expect_eq(taken, 20, "%d frames sent one after the other", taken);
}

Test(wire, a_group_address_reaches_all_others)
{
    static const enum wire_kind kinds[] = {WIRE_BUS, WIRE_SWITCH};
    for (int k = 0; k < 2; k++) {
        int first = add_medium((struct wire_medium){.kind = kinds[k]}, 4), before = arrivals;
        send_frame(first + 1, -1, now, FRAME, 9);
        run_all();
        cr_expect_eq(arrivals - before, 3);
        for (int i = before; i < arrivals; i++)
            cr_expect(arrival[i].port != first + 1 && arrival[i].port >= first);
    }
}

Test(wire, a_frame_for_nobody_here_arrives_nowhere)
{
    add_medium((struct wire_medium){.kind = WIRE_SWITCH}, 2);
    int other = add_medium((struct wire_medium){.kind = WIRE_SWITCH}, 2);
    send_frame(0, other, 0, FRAME, 1); /* on another medium */
    send_frame(0, 0, 0, FRAME, 2);     /* to itself */
    send_frame(0, 4000, 0, FRAME, 3);  /* no such port */
    run_all();
    cr_expect_eq(arrivals, 0);
    uint8_t nothing[WIRE_MAX_FRAME + 1] = {0};
    cr_expect_not(wire_send(w, 0, now, nothing, 11));
    cr_expect_not(wire_send(w, 0, now, nothing, sizeof nothing));
}

Test(wire, loss_is_a_share_of_the_frames)
{
    static const uint32_t ppm[] = {0, 100000, 1000000};
    static const int least[] = {1000, 860, 0}, most[] = {1000, 940, 0};
    for (int k = 0; k < 3; k++) {
        int a = add_medium((struct wire_medium){.kind = WIRE_LINK, .loss_ppm = ppm[k]}, 2);
        int before = arrivals;
        for (int i = 0; i < 1000; i++)
            send_frame(a, a + 1, now + TIME_OF(FRAME), FRAME, 1);
        run_all();
        int got = arrivals - before;
        cr_expect(got >= least[k] && got <= most[k], "%d of 1000 at %u ppm", got, ppm[k]);
    }
}

Test(wire, jitter_delays_but_keeps_the_order)
{
    uint64_t jitter = 3000 * US, late = 0;
    int a = add_medium((struct wire_medium){.kind = WIRE_LINK, .jitter_ns = jitter}, 2);
    for (int i = 0; i < 200; i++)
        send_frame(a, a + 1, (uint64_t)i * TIME_OF(FRAME), FRAME, (uint8_t)i);
    run_all();
    cr_assert_eq(arrivals, 200);
    for (int i = 0; i < 200; i++) {
        uint64_t least = (uint64_t)(i + 1) * TIME_OF(FRAME);
        cr_expect_eq(arrival[i].mark, i);
        cr_expect(arrival[i].time >= least && arrival[i].time <= least + jitter);
        late += arrival[i].time - least;
    }
    cr_expect(late / 200 > jitter / 4, "on average only %" PRIu64 " ns late", late / 200);
}

/* The headers of an IPv4 packet to a port, PAYLOAD bytes; the frame's length. */
static size_t make_ipv4(uint8_t *frame, int to, uint8_t protocol, size_t payload)
{
    size_t ip = 20 + payload;
    memset(frame, 0, 14 + ip);
    wire_address(to, frame);
    memcpy(frame + 12, "\x08\x00\x45\x00", 4);
    frame[16] = (uint8_t)(ip >> 8);
    frame[17] = (uint8_t)ip;
    frame[23] = protocol;
    return 14 + ip;
}

/* A TCP segment to a port: DATA bytes, with or without the flag that ends a write. */
static size_t make_tcp(uint8_t *frame, int to, size_t data, bool push)
{
    size_t length = make_ipv4(frame, to, 6, 32 + data);
    frame[46] = 8 << 4;
    frame[47] = (uint8_t)(0x10 | (push ? 8 : 0));
    return length;
}

/* A part of a UDP datagram to a port, from OFFSET on; the first one begins with UDP's header. */
static size_t make_fragment(uint8_t *frame, int to, size_t offset, size_t payload, bool more)
{
    size_t length = make_ipv4(frame, to, 17, payload);
    frame[20] = (uint8_t)((more ? 0x20 : 0) | offset >> 11);
    frame[21] = (uint8_t)(offset >> 3);
    return length;
}

Test(wire, hosts_costs_are_for_messages)
{
    struct wire_medium bus = {.kind = WIRE_BUS, .rate = RATE, .queue = 1000000};
    const struct wire_cost send = {100 * US, 2000}, receive = {300 * US, 1000};
    int medium = wire_add_medium(w, &bus);
    int a = wire_add_port(w, medium, send, free_of_cost);
    int b = wire_add_port(w, medium, free_of_cost, receive);
    uint8_t frame[2000];
    size_t length = make_tcp(frame, b, 500, true);
    wire_send(w, a, 0, frame, length);
    run_all();
    uint64_t first = 100 * US + 500 * 2 + TIME_OF(length) + 300 * US + 500;
    cr_assert_eq(arrivals, 1);
    cr_expect_eq(arrival[0].time, first, "%" PRIu64, arrival[0].time);
    uint64_t begin = now = 100000 * US;
    length = make_tcp(frame, b, 0, true); /* an acknowledgement is free */
    wire_send(w, a, begin, frame, length);
    run_all();
    cr_expect_eq(arrival[1].time, begin + TIME_OF(length));
}

Test(wire, a_host_works_on_one_message_at_a_time)
{
    struct wire_medium net = {.kind = WIRE_SWITCH, .rate = RATE, .queue = 1000000};
    const struct wire_cost slow = {5000 * US, 0};
    int medium = wire_add_medium(w, &net);
    int a = wire_add_port(w, medium, slow, free_of_cost);
    int b = wire_add_port(w, medium, free_of_cost, free_of_cost);
    uint8_t frame[2000];
    for (int i = 0; i < 3; i++)
        wire_send(w, a, 0, frame, make_tcp(frame, b, 100, true));
    run_all();
    cr_assert_eq(arrivals, 3);
    for (uint64_t i = 0; i < 3; i++)
        cr_expect_eq(arrival[i].time, (i + 1) * 5000 * US + 2 * TIME_OF(166));
}

static uint32_t noise(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 33);
}

Test(wire, whatever_is_sent_arrives_once_in_order_and_no_faster_than_the_wire)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        start();
        uint64_t state = seed, at = 0, bytes = 0, sent[4] = {0}, seen[4] = {0};
        int kind = (int)(noise(&state) % 2), frames = 1 + (int)(noise(&state) % 100);
        add_medium((struct wire_medium){.kind = kind ? WIRE_SWITCH : WIRE_BUS}, 5);
        for (int i = 0; i < frames; i++) {
            size_t length = SHORT + noise(&state) % 1400;
            uint32_t from = noise(&state) % 4;
            at += noise(&state) % 1000 * US;
            cr_assert(send_frame((int)from, 4, at, length, (uint8_t)(from << 6 | sent[from] % 64)));
            sent[from]++;
            bytes += length + WIRE_EXTRA_BYTES;
        }
        run_all();
        cr_assert_eq(arrivals, frames, "seed %" PRIu64, seed);
        for (int i = 0; i < frames; i++) {
            int from = arrival[i].mark >> 6;
            cr_assert_eq(arrival[i].mark & 63, seen[from]++ % 64, "seed %" PRIu64, seed);
            cr_assert(i == 0 || arrival[i].time >= arrival[i - 1].time + TIME_OF(SHORT));
        }
        cr_assert(arrival[frames - 1].time >= bytes * US, "seed %" PRIu64, seed);
        stop();
    }
    start();
}

Test(wire, late_callers_do_not_slow_the_wire)
{
    add_medium((struct wire_medium){.kind = WIRE_BUS}, 2);
    for (uint8_t i = 0; i < 100; i++)
        send_frame(0, 1, 0, FRAME, i);
    for (now = 0; arrivals < 100; now += 700 * US)
        wire_run(w, now);
    cr_expect(arrival[99].time < 100 * TIME_OF(FRAME) + 700 * US);
}

static void expect_cost(const uint8_t *frame, size_t length, size_t bytes, bool ends)
{
    struct cost_content content = cost_of_frame(frame, length);
    cr_expect_eq(content.bytes, bytes, "%zu bytes, not %zu", content.bytes, bytes);
    cr_expect_eq(content.ends_message, ends, "of %zu bytes", bytes);
}

/* 4000 bytes and UDP's header of 8 in packets of 1500. */
Test(cost, of_a_datagram_in_fragments_is_that_of_one_message)
{
    uint8_t frame[2000];
    expect_cost(frame, make_fragment(frame, 1, 0, 1480, true), 1472, false);
    expect_cost(frame, make_fragment(frame, 1, 1480, 1480, true), 1480, false);
    expect_cost(frame, make_fragment(frame, 1, 2960, 1048, false), 1048, true);
    expect_cost(frame, make_fragment(frame, 1, 0, 108, false), 100, true);
    expect_cost(frame, make_fragment(frame, 1, 0, 7, false), 0, false);
}

Test(cost, of_a_datagram_in_ipv6_fragments_is_that_of_one_message)
{
    static const uint8_t more[] = {17, 0, 0, 1}, last[] = {17, 0, 1448 >> 8, 1448 & 255};
    uint8_t frame[14 + 40 + 8 + 1448] = {[12] = 0x86, 0xDD, 0x60};
    frame[18] = (8 + 1448) >> 8;
    frame[19] = (8 + 1448) & 255;
    frame[20] = 44;
    memcpy(frame + 54, more, sizeof more);
    expect_cost(frame, sizeof frame, 1440, false);
    memcpy(frame + 54, last, sizeof last);
    expect_cost(frame, sizeof frame, 1448, true);
}

Test(wire, a_datagram_in_fragments_costs_its_host_one_message)
{
    struct wire_medium bus = {.kind = WIRE_BUS, .rate = RATE, .queue = 1000000};
    const struct wire_cost slow = {5000 * US, 0};
    int medium = wire_add_medium(w, &bus);
    int a = wire_add_port(w, medium, slow, free_of_cost);
    int b = wire_add_port(w, medium, free_of_cost, free_of_cost);
    uint8_t frame[2000];
    for (size_t i = 0; i < 3; i++)
        wire_send(w, a, 0, frame, make_fragment(frame, b, i * 800, 800, i < 2));
    run_all();
    cr_assert_eq(arrivals, 3);
    cr_expect_eq(arrival[1].time, 2 * TIME_OF(834));
    cr_expect_eq(arrival[2].time, 5000 * US + TIME_OF(834));
}

Test(cost, of_malformed_frames_is_nothing)
{
    uint8_t frame[200], whole[2000];
    size_t length = make_tcp(whole, 1, 500, true);
    cr_expect_eq(cost_of_frame(whole, length).bytes, 500);
    for (size_t cut = 0; cut < length; cut++)
        cr_assert_eq(cost_of_frame(whole, cut).bytes, 0, "cut to %zu bytes", cut);
    for (uint64_t seed = 1; seed < 20000; seed++) {
        uint64_t state = seed;
        size_t size = noise(&state) % sizeof frame;
        for (size_t i = 0; i < size; i++)
            frame[i] = (uint8_t)noise(&state);
        if (size > 14)
            memcpy(frame + 12, seed % 2 ? "\x08\x00" : "\x86\xDD", 2);
        cr_assert(cost_of_frame(frame, size).bytes <= size, "seed %" PRIu64, seed);
    }
}

static bool count_port(void *context, int port, const char *netns, const char *interface)
{
    int *count = context;
    return port == (*count)++ && strcmp(netns, "hn.h1") == 0 && strcmp(interface, "e0") == 0;
}

Test(wire, its_input_is_checked)
{
    static const struct {
        const char *text;
        int line; /* 0: good */
    } cases[] = {
        {"medium bus 10000000 0 0 512000 0 0\nport hn.h1 e0 0 0 0 0\nport hn.h1 e0 1 2 3 4\n", 0},
        {"port hn.h1 e0 0 0 0 0\n", 1},
        {"medium bus 0 0 0 512000 0 0\n", 1},
        {"medium tin 10 0 0 512000 0 0\n", 1},
        {"medium bus 10 0 0 512000 0 0\nport hn.h1 e0 0 0 0\n", 2},
        {"medium bus 10 0 0 512000 0 0\nport hn.h2 e0 0 0 0 0\n", 2},
        {"hello\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int count = 0, line;
        stop();
        start();
        FILE *in = fmemopen((void *)(uintptr_t)cases[i].text, strlen(cases[i].text), "r");
        bool good = config_read(in, w, count_port, &count, &line);
        cr_expect_eq(good, cases[i].line == 0, "case %zu", i);
        cr_expect(good || line == cases[i].line, "case %zu: line %d", i, line);
        fclose(in);
    }
}
