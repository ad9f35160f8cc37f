/* The agent's end of relayed connections: this test plays the task and hrun. */
#include "base/bytes.h"
#include "connect/dial.h"
#include "connect/handshake.h"
#include "connect/local.h"
#include "connect/relay.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HERE = 3, THERE = 5 };

static uint8_t secret[CONTROL_SECRET];
static struct ev_loop *loop;
static struct channel up;
static struct relay relay;
static int root; /* hrun's end of up */
static struct control_decoder from_agent;

static void on_frame(struct channel *channel, struct control_frame *frame)
{
    (void)channel;
    relay_frame(&relay, frame);
}

static void on_end(struct channel *channel, const char *why)
{
    (void)channel, (void)why;
}

static const struct channel_events events = {.frame = on_frame, .ended = on_end};

static void begin(void)
{
    int pair[2];
    snprintf((char *)secret, sizeof secret, "%d", (int)getpid()); /* names of tests side by side */
    loop = ev_loop_new(0);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    root = pair[1];
    channel_open(&up, loop, pair[0], pair[0], &events);
    relay_open(&relay, &up, HERE, secret);
    cr_assert_geq(relay.fd, 0);
}

static void end(void)
{
    relay_close(&relay);
    channel_close(&up);
    control_decoder_free(&from_agent);
    close(root);
    ev_loop_destroy(loop);
}

/* The next frame from the agent, or false when nothing happens any more. */
static bool next(struct control_frame *frame)
{
    uint8_t bytes[65536];
    for (int idle = 0; idle < 20; idle++) {
        ssize_t n;
        if (control_next(&from_agent, frame) == 1)
            return true;
        ev_run(loop, EVRUN_NOWAIT);
        while ((n = read(root, bytes, sizeof bytes)) > 0) {
            control_feed(&from_agent, bytes, (size_t)n);
            idle = 0;
        }
    }
    return control_next(&from_agent, frame) == 1;
}

static void say(struct pack *frames)
{
    cr_assert_eq(write(root, frames->data, frames->length), (ssize_t)frames->length);
    pack_free(frames);
    for (int i = 0; i < 20; i++)
        ev_run(loop, EVRUN_NOWAIT);
}

/* Connects to the agent as tasks do. */
static int call(void)
{
    struct sockaddr_storage address;
    socklen_t length = local_name(secret, (hn_tid)control_tid(HERE, 0), &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, length), 0);
    return fd;
}

/* A task that connects to another one: the beginning of its handshake. */
static int dial(const char *magic, uint32_t to)
{
    uint8_t first[HANDSHAKE_ADDRESSED] = {0};
    int fd = call();
    memcpy(first, magic, 4);
    bytes_put32(first + 12, to);
    for (size_t i = 0; i < sizeof first; i++) { /* byte by byte */
        cr_assert_eq(write(fd, first + i, 1), 1);
        ev_run(loop, EVRUN_NOWAIT);
    }
    return fd;
}

static int open_stream(void)
{
    struct control_frame frame;
    int fd = dial("HNOW", control_tid(THERE, 7));
    cr_assert(next(&frame));
    cr_assert_eq(frame.kind, CONTROL_RELAY_OPEN);
    cr_assert_eq(unpack_u32(&frame.payload), THERE);
    cr_assert_eq(unpack_u32(&frame.payload), 1);
    cr_assert_eq(unpack_u32(&frame.payload), control_tid(THERE, 7));
    cr_assert(next(&frame));
    cr_assert_eq(frame.kind, CONTROL_RELAY_DATA);
    return fd;
}

/* Bytes of RELAY_DATA until nothing more comes. */
static size_t carried(void)
{
    struct control_frame frame;
    size_t sum = 0, n;
    while (next(&frame)) {
        cr_assert_eq(frame.kind, CONTROL_RELAY_DATA);
        unpack_u32(&frame.payload);
        unpack_u32(&frame.payload);
        cr_assert_eq(unpack_u8(&frame.payload), 1);
        unpack_blob(&frame.payload, &n);
        sum += n;
    }
    return sum;
}

TestSuite(relay, .init = begin, .fini = end);

/* The agent has no descriptor for a connection: it waits instead of trying again and again, and
 * takes it when there is one. */
Test(relay, without_descriptors)
{
    struct rlimit before, none;
    int fd = call();
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = (rlim_t)fd + 1;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    ev_run(loop, EVRUN_NOWAIT);
    cr_expect_not(ev_is_active(&relay.readable), "it would be called again at once");
    setrlimit(RLIMIT_NOFILE, &before);
    while (relay.count == 0)
        ev_run(loop, EVRUN_ONCE);
    cr_expect(ev_is_active(&relay.readable));
    close(fd);
}

/* A task that sends without end, to one that does not read. */
Test(relay, no_more_than_the_window_is_on_its_way)
{
    static uint8_t bytes[4096];
    struct pack frames = {0};
    int fd = open_stream();
    size_t sum = HANDSHAKE_ADDRESSED, n;
    do {
        while (write(fd, bytes, sizeof bytes) > 0)
            ;
        n = carried();
        sum += n;
    } while (n > 0);
    cr_assert_eq(sum, RELAY_WINDOW);
    control_put(&frames, CONTROL_RELAY_CREDIT, (unsigned)THERE, 1u, 0u, 1000u);
    say(&frames);
    cr_assert_eq(carried(), 1000);
    close(fd);
}

/* A frame for each would hold up what the task answers. */
Test(relay, what_is_written_is_said_a_quarter_of_the_window_at_once)
{
    enum { PIECE = 16384, QUARTER = RELAY_WINDOW / 4 };
    static uint8_t bytes[PIECE];
    struct control_frame frame;
    int fd = open_stream();
    for (size_t sent = PIECE; sent <= 2 * QUARTER; sent += PIECE) {
        struct pack frames = {0};
        control_put(&frames, CONTROL_RELAY_DATA, THERE, 1, 0, bytes, (size_t)PIECE);
        say(&frames);
        cr_assert_eq(read(fd, bytes, sizeof bytes), PIECE);
        bool said = next(&frame);
        cr_assert_eq(said, sent % QUARTER == 0, "after %zu bytes", sent);
        if (!said)
            continue;
        cr_assert_eq(frame.kind, CONTROL_RELAY_CREDIT);
        cr_assert_eq(unpack_u32(&frame.payload), THERE);
        cr_assert_eq(unpack_u32(&frame.payload), 1);
        cr_assert_eq(unpack_u8(&frame.payload), 1);
        cr_assert_eq(unpack_u32(&frame.payload), QUARTER);
    }
    close(fd);
}

Test(relay, what_was_said_before_the_end_arrives)
{
    struct pack frames = {0};
    char text[100] = "";
    int fd = open_stream();
    control_put(&frames, CONTROL_RELAY_DATA, (unsigned)THERE, 1u, 0u, "farewell", (size_t)8);
    control_put(&frames, CONTROL_RELAY_CLOSE, (unsigned)THERE, 1u, 0u);
    say(&frames);
    cr_assert_eq(read(fd, text, sizeof text), 8);
    cr_assert_str_eq(text, "farewell");
    cr_assert_eq(read(fd, text, sizeof text), 0);
    cr_assert_eq(relay.count, 0);
    close(fd);
}

Test(relay, the_end_of_a_task_is_passed_on)
{
    struct control_frame frame;
    close(open_stream());
    cr_assert(next(&frame));
    cr_assert_eq(frame.kind, CONTROL_RELAY_CLOSE);
    cr_assert_eq(relay.count, 0);
}

Test(relay, a_connection_without_a_greeting_is_closed)
{
    struct control_frame frame;
    char byte;
    int fd = dial("WHAT", control_tid(THERE, 7));
    cr_assert_not(next(&frame));
    cr_assert_eq(read(fd, &byte, 1), 0);
    close(fd);
}

/* It would keep its descriptor and its place as long as the task is stopped. */
Test(relay, a_connection_that_says_nothing_is_closed)
{
    int open = open_stream(), silent = call();
    char byte;
    while (relay.count < 2)
        ev_run(loop, EVRUN_NOWAIT);
    ev_tstamp begun = ev_time();
    while (relay.count == 2 && ev_time() - begun < 2. * DIAL_TIMEOUT) {
        ev_run(loop, EVRUN_NOWAIT);
        usleep(10000);
    }
    cr_assert_eq(read(silent, &byte, 1), 0);
    cr_expect_eq(read(open, &byte, 1), -1, "the other stream is open");
    cr_expect_geq(ev_time() - begun, DIAL_TIMEOUT - 0.5);
    close(silent);
    close(open);
}

Test(relay, a_task_that_is_not_there)
{
    struct pack frames = {0};
    struct control_frame frame;
    control_put(&frames, CONTROL_RELAY_OPEN, (unsigned)THERE, 9u, control_tid(HERE, 1));
    say(&frames);
    cr_assert(next(&frame));
    cr_assert_eq(frame.kind, CONTROL_RELAY_CLOSE);
    cr_assert_eq(unpack_u32(&frame.payload), THERE);
    cr_assert_eq(unpack_u32(&frame.payload), 9);
    cr_assert_eq(unpack_u8(&frame.payload), 0);
}

/* The other agent sends more than it may: the stream ends, the agent lives. */
Test(relay, too_much_data_ends_the_stream)
{
    struct pack frames = {0};
    struct control_frame frame;
    uint8_t *bytes = calloc(1, RELAY_WINDOW + 1);
    size_t begun;
    int fd = open_stream();
    begun = control_begin(&frames, CONTROL_RELAY_DATA);
    pack_u32(&frames, THERE);
    pack_u32(&frames, 1);
    pack_u8(&frames, 0);
    pack_blob(&frames, bytes, RELAY_WINDOW + 1);
    control_end(&frames, begun);
    for (size_t at = 0; at < frames.length;) {
        ssize_t n = write(root, frames.data + at, frames.length - at);
        at += n > 0 ? (size_t)n : 0;
        ev_run(loop, EVRUN_NOWAIT);
    }
    pack_free(&frames);
    cr_assert(next(&frame));
    cr_assert_eq(frame.kind, CONTROL_RELAY_CLOSE);
    cr_assert_eq(relay.count, 0);
    free(bytes);
    close(fd);
}
