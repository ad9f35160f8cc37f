/* test_channel.c - when a control channel writes: each write is a packet at the other end. */
#include "protocol/channel.h"

#include <criterion/criterion.h>
#include <sys/socket.h>
#include <unistd.h>

static struct ev_loop *loop;
static struct channel channel;
static int other;

static const struct channel_events events; /* nothing comes */

static void open_channel(void)
{
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    loop = ev_loop_new(EVFLAG_AUTO);
    channel_open(&channel, loop, ends[0], ends[0], &events);
    other = ends[1];
}

static void close_channel(void)
{
    channel_close(&channel);
    close(other);
    ev_loop_destroy(loop);
}

TestSuite(channel, .init = open_channel, .fini = close_channel, .timeout = 20);

/* The bytes of the next write; -1: there is none. */
static ssize_t next_write(void)
{
    char data[256 * 1024];

    return recv(other, data, sizeof data, MSG_DONTWAIT);
}

static ssize_t size_of_frame(void)
{
    struct pack pack = {0};

    control_put(&pack, CONTROL_LOOKUP, 7u);
    ssize_t n = (ssize_t)pack.length;
    pack_free(&pack);
    return n;
}

Test(channel, what_is_put_before_the_loop_waits_goes_in_one_write)
{
    for (int i = 0; i < 3; i++)
        channel_put(&channel, CONTROL_LOOKUP, 7u);
    cr_assert_eq(next_write(), -1);
    ev_run(loop, EVRUN_NOWAIT);
    cr_assert_eq(next_write(), 3 * size_of_frame());
    ev_run(loop, EVRUN_NOWAIT);
    cr_assert_eq(next_write(), -1);
}

Test(channel, much_goes_at_once)
{
    char text[100 * 1024] = "";

    channel_put(&channel, CONTROL_OUTPUT, 7u, 1u, (const void *)text, sizeof text);
    cr_assert_gt(next_write(), (ssize_t)sizeof text);
}

Test(channel, what_was_put_goes_before_it_is_closed)
{
    channel_put(&channel, CONTROL_LOOKUP, 7u);
    channel_close(&channel);
    cr_assert_eq(next_write(), size_of_frame());
    cr_assert_eq(next_write(), 0);
}
