/* Heartbeats: what a tick does, without a clock. */
#include "protocol/pulse.h"

#include <criterion/criterion.h>
#include <sys/socket.h>
#include <unistd.h>

static struct ev_loop *loop;
static struct channel here;
static struct pulse pulse;
static int there;
static int lossy_ticks; /* for so many more, the kernel says that packets are lost */

static struct tcp_traffic traffic, each_time; /* of this host, and how it grows */

struct tcp_traffic __wrap_tcp_traffic_now(void);
struct tcp_traffic __wrap_tcp_traffic_now(void)
{
    traffic.in += each_time.in;
    traffic.out += each_time.out;
    traffic.again += each_time.again;
    return traffic;
}

static void frame(struct channel *channel, struct control_frame *got)
{
    (void)channel, (void)got;
}

static void ended(struct channel *channel, const char *why)
{
    (void)channel, (void)why;
}

static const struct channel_events events = {.frame = frame, .ended = ended};

static bool is_lost(struct channel *channel, bool may_wait)
{
    (void)channel;
    return !may_wait || lossy_ticks-- <= 0;
}

static void begin(void)
{
    int pair[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    loop = ev_loop_new(0);
    there = pair[1];
    channel_open(&here, loop, pair[0], pair[0], &events);
    pulse_start(&pulse, &here, is_lost);
}

static void end(void)
{
    pulse_stop(&pulse);
    channel_close(&here);
    close(there);
    ev_loop_destroy(loop);
}

static void hear(void)
{
    struct pack out = {0};
    control_put(&out, CONTROL_PULSE);
    cr_assert_eq(write(there, out.data, out.length), (ssize_t)out.length);
    pack_free(&out);
    channel_read_now(&here);
}

/* The bytes that were said, as the other side reads them. */
static ssize_t heard_there(void *bytes, size_t n)
{
    channel_drain(&here, 0);
    return recv(there, bytes, n, MSG_DONTWAIT);
}

static int ticks_until_lost(void)
{
    int n = 1;
    while (n < 2 * PULSE_PAUSED_TICKS && pulse_tick(&pulse)) {
        char said[100];
        heard_there(said, sizeof said);
        n++;
    }
    return n;
}

TestSuite(pulse, .init = begin, .fini = end);

Test(pulse, silence_is_a_loss_after_some_ticks)
{
    cr_assert_eq(ticks_until_lost(), PULSE_TICKS);
}

Test(pulse, whatever_is_heard_begins_the_count_again)
{
    for (int i = 0; i < 50; i++) {
        cr_assert(pulse_tick(&pulse));
        if (i % 4 == 3)
            hear();
    }
    hear();
    cr_assert_eq(ticks_until_lost(), PULSE_TICKS + 1);
}

/* Where packets are lost, TCP is silent for longer; not for ever. */
Test(pulse, loss_has_more_patience)
{
    lossy_ticks = 3;
    cr_assert_eq(ticks_until_lost(), PULSE_TICKS + 3);
    lossy_ticks = 2 * PULSE_LOSSY_TICKS;
    hear();
    cr_assert_eq(ticks_until_lost(), PULSE_LOSSY_TICKS + 1);
}

/* The connection says too little to show that the medium is congested; all others do. */
Test(pulse, congestion_has_more_patience)
{
    each_time = (struct tcp_traffic){1000, 1000, 50};
    cr_assert_eq(ticks_until_lost(), PULSE_CONGESTED_TICKS);
    hear();
    each_time.again = 40; /* some connections to a host that is gone */
    cr_assert_eq(ticks_until_lost(), PULSE_TICKS + 1);
    hear();
    each_time = (struct tcp_traffic){0, 1000, 100}; /* this host is cut off */
    cr_assert_eq(ticks_until_lost(), PULSE_TICKS + 1);
}

/* What is said for others passes through the same channel, before it stops and behind that.  Who
 * said that it stops may have been cut off since: there is an end to it. */
Test(pulse, who_said_that_it_stops_may_be_silent_for_an_hour_until_it_says_that_it_goes_on)
{
    hear();
    pulse_pause(&pulse, true);
    cr_assert(pulse_tick(&pulse));
    hear();
    cr_assert_eq(ticks_until_lost(), PULSE_PAUSED_TICKS + 1);
    pulse_pause(&pulse, false);
    cr_assert_eq(ticks_until_lost(), PULSE_TICKS);
}

Test(pulse, one_frame_a_tick_when_nothing_else_was_said)
{
    char bytes[1000];
    pulse_tick(&pulse);
    cr_assert_eq(heard_there(bytes, sizeof bytes), CONTROL_HEADER);
    control_put(channel_out(&here), CONTROL_NOTE, "something else");
    channel_send(&here);
    cr_assert_gt(heard_there(bytes, sizeof bytes), CONTROL_HEADER);
    pulse_tick(&pulse);
    cr_assert_lt(heard_there(bytes, sizeof bytes), 0);
}

/* What another system holds back until something is acknowledged comes in time, and there is an end
 * to it. */
Test(pulse, soon_is_a_few_frames_and_then_silence)
{
    char bytes[1000];
    double most = 0;
    pulse_soon(&pulse);
    for (double wait = PULSE_SOON; wait < 2 * PULSE_SOON_MOST; wait *= 2)
        most += wait;
    double start = ev_time();
    ev_run(loop, EVRUN_ONCE);
    cr_assert_eq(heard_there(bytes, sizeof bytes), CONTROL_HEADER);
    while (ev_is_active(&pulse.soon))
        ev_run(loop, EVRUN_ONCE);
    cr_expect_geq(ev_time() - start, most * 0.9);
    ssize_t more = heard_there(bytes, sizeof bytes);
    cr_expect(more >= 3 * CONTROL_HEADER && more <= 6 * CONTROL_HEADER, "%zd bytes", more);
}

Test(pulse, soon_says_nothing_when_something_else_is_said)
{
    char bytes[1000];
    pulse_soon(&pulse);
    control_put(channel_out(&here), CONTROL_NOTE, "something else");
    channel_send(&here);
    cr_assert_gt(heard_there(bytes, sizeof bytes), CONTROL_HEADER);
    ev_run(loop, EVRUN_ONCE);
    cr_assert_lt(heard_there(bytes, sizeof bytes), 0);
}
