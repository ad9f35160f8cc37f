/* pulse.c - heartbeats on a control channel; see pulse.h. */
#include "pulse.h"

bool pulse_tick(struct pulse *pulse)
{
    struct channel *channel = pulse->channel;
    if (channel->heard != pulse->heard) {
        pulse->heard = channel->heard;
        pulse->silent = 0;
    } else if (!pulse->paused && ++pulse->silent >= PULSE_TICKS) {
        return false;
    }
    if (channel->said == pulse->said && channel_out(channel)->length == 0) {
        control_put(channel_out(channel), CONTROL_PULSE);
        channel_send(channel);
    }
    pulse->said = channel->said;
    return true;
}

static void pulse_on_tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct pulse *pulse = timer->data;
    (void)loop, (void)events;
    if (!channel_is_open(pulse->channel) || pulse_tick(pulse))
        return;
    pulse_stop(pulse);
    pulse->lost(pulse->channel);
}

void pulse_start(struct pulse *pulse, struct channel *channel,
                 void (*lost)(struct channel *channel))
{
    if (pulse->channel)
        return;
    *pulse = (struct pulse){.channel = channel, .lost = lost, .heard = channel->heard};
    ev_timer_init(&pulse->tick, pulse_on_tick, PULSE_TICK, PULSE_TICK);
    pulse->tick.data = pulse;
    ev_timer_start(channel->loop, &pulse->tick);
}

void pulse_pause(struct pulse *pulse, bool paused)
{
    pulse->paused = paused;
    pulse->silent = 0;
}

void pulse_stop(struct pulse *pulse)
{
    if (pulse->channel)
        ev_timer_stop(pulse->channel->loop, &pulse->tick);
}
