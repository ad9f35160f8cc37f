/* pulse.c - keep-alive on a control channel; see pulse.h.
 *
 * Only bytes that were written count as sent.  So PULSE is not sent while the channel is full: the
 * other end has bytes to read anyway.
 */
#include "protocol/pulse.h"

/* Sends PULSE, unless other bytes were sent since `said` was recorded. */
static void send_unless(struct channel *channel, uint64_t said)
{
    if (channel->bytes_out != said || channel_out(channel)->length > 0)
        return;
    channel_put(channel, CONTROL_PULSE);
    channel_drain(channel, 0); /* bytes count as sent when they are written */
}

/* Whether a silence is explained by congestion.  The counters are read only while there is one. */
static bool is_congested(struct pulse *pulse)
{
    struct tcp_traffic now = tcp_traffic_now();

    pulse->busy = tcp_traffic_is_busy(&pulse->began, &now);
    return tcp_traffic_is_lossy(&pulse->began, &now);
}

/* The channel is lost when lost() confirms it.  Otherwise the count continues, and lost() is asked
 * again at each tick. */
bool pulse_tick(struct pulse *pulse)
{
    struct channel *channel = pulse->channel;
    unsigned most = pulse->paused ? PULSE_PAUSED_TICKS : PULSE_TICKS;
    pulse->silent = channel->bytes_in == pulse->bytes_in ? pulse->silent + 1 : 0;
    pulse->bytes_in = channel->bytes_in;
    if (pulse->silent == 1)
        pulse->began = tcp_traffic_now();
    if (pulse->silent >= most && !(pulse->silent < PULSE_CONGESTED_TICKS && is_congested(pulse)) &&
        pulse->lost(channel, pulse->silent < PULSE_LOSSY_TICKS))
        return false;
    send_unless(channel, pulse->bytes_out);
    pulse->bytes_out = channel->bytes_out;
    return true;
}

static void pulse_on_tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct pulse *pulse = timer->data;
    (void)loop, (void)events;
    if (channel_is_open(pulse->channel) && !pulse_tick(pulse))
        pulse_stop(pulse);
}

static void send_in(struct pulse *pulse, double seconds)
{
    pulse->answered = pulse->channel->bytes_out;
    pulse->wait = seconds;
    ev_timer_set(&pulse->soon, seconds, 0);
    ev_timer_start(pulse->channel->loop, &pulse->soon);
}

/* Repeats with doubled intervals until PULSE_SOON_MOST, then stops until pulse_soon() starts it
 * again. */
static void pulse_on_soon(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct pulse *pulse = timer->data;
    (void)loop, (void)events;
    if (!channel_is_open(pulse->channel))
        return;
    send_unless(pulse->channel, pulse->answered);
    if (pulse->wait < PULSE_SOON_MOST)
        send_in(pulse, 2 * pulse->wait);
}

void pulse_soon(struct pulse *pulse)
{
    if (!pulse->channel)
        return;
    ev_timer_stop(pulse->channel->loop, &pulse->soon);
    send_in(pulse, PULSE_SOON);
}

/* Idempotent.  lost() returns true to confirm the loss, after which no more ticks follow. */
void pulse_start(struct pulse *pulse, struct channel *channel,
                 bool (*lost)(struct channel *channel, bool may_wait))
{
    if (pulse->channel)
        return;
    *pulse = (struct pulse){.channel = channel, .lost = lost, .bytes_in = channel->bytes_in};
    ev_timer_init(&pulse->tick, pulse_on_tick, PULSE_TICK, PULSE_TICK);
    ev_timer_init(&pulse->soon, pulse_on_soon, PULSE_SOON, 0);
    pulse->tick.data = pulse->soon.data = pulse;
    ev_timer_start(channel->loop, &pulse->tick);
}

void pulse_pause(struct pulse *pulse, bool paused)
{
    pulse->paused = paused;
    pulse->silent = 0;
}

void pulse_stop(struct pulse *pulse)
{
    if (!pulse->channel)
        return;
    ev_timer_stop(pulse->channel->loop, &pulse->tick);
    ev_timer_stop(pulse->channel->loop, &pulse->soon);
}
