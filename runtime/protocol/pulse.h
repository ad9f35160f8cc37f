/* pulse.h - keep-alive: detects that the other end of a control channel is gone.
 *
 * A connection whose cable is cut looks like an idle one.  So each end sends PULSE when it has sent
 * nothing else for PULSE_TICK seconds.  A channel without received bytes for PULSE_TICKS ticks is
 * lost.  Ticks are counted, not seconds.  A stopped process, or a suspended machine, also misses
 * its own ticks, and reads pending bytes before the next tick.  Any bytes count, so a channel that
 * is only full and slow is alive.  On lossy paths TCP may be silent for longer, because it doubles
 * its timeout after each loss.  While the kernel reports that, a channel has PULSE_LOSSY_TICKS, or
 * PULSE_CONGESTED_TICKS if all the traffic of this host shows it (tcp_traffic.h).
 *
 * The other end may report that it will be stopped (Ctrl-Z), and later that it continues:
 * pulse_pause().  Bytes that arrive in between may have been sent before.  It may then be silent
 * for PULSE_PAUSED_TICKS ticks, an hour.  The limit is necessary because a lost connection cannot
 * be distinguished from a stopped process.
 */
#pragma once

#include "base/tcp_traffic.h"
#include "protocol/channel.h"

/* A tick in seconds, and the ticks without a byte: 10 s in all.  TCP recovers sooner, even if it
 * loses a packet five times in a row (0.2 s, doubled each time: 6.2 s). */
#define PULSE_TICK 2.0
enum { PULSE_TICKS = 5 };
/* 30 s: TCP retransmits seven times (0.2 s, doubled each time: 25.4 s). real/test_lossy */
enum { PULSE_LOSSY_TICKS = 15 };
/* 60 s, where all traffic of this host shows the loss: TCP retransmits eight times (51 s). */
enum { PULSE_CONGESTED_TICKS = 30 };
#define PULSE_SOON      0.001 /* s, see pulse_soon() */
#define PULSE_SOON_MOST 0.03  /* s: below the 40 ms of a delayed acknowledgement */
/* Ticks that an agent waits for a stopped hrun without a byte: an hour. */
enum { PULSE_PAUSED_TICKS = 1800 };

/* Owned by the owner of its channel.  A struct of zeros is one that was not started. */
struct pulse {
    struct channel *channel;
    /* The channel is silent: gives it up with a message.  False: it is kept, as may_wait is set and
     * packets are lost. */
    bool (*lost)(struct channel *channel, bool may_wait);
    ev_timer tick, soon;
    uint64_t bytes_in, bytes_out; /* bytes at the last tick */
    uint64_t answered;            /* bytes sent when `soon` was started, */
    double wait;                  /* and its duration in seconds */
    unsigned silent;              /* ticks without a byte, */
    struct tcp_traffic began;     /* and the host's traffic at the first of them */
    bool paused;
    bool busy; /* when lost() is called: this host carries much traffic (tcp_traffic.h) */
};

/* Starts, from a struct of zeros.  Has no effect if it is started already. */
void pulse_start(struct pulse *pulse, struct channel *channel,
                 bool (*lost)(struct channel *channel, bool may_wait));
/* For bytes on a channel whose TCP connection uses Nagle's algorithm.  That delays small packets
 * until the previous one is acknowledged, which takes 40 ms without other traffic.  So this sends
 * PULSE after PULSE_SOON seconds, then with doubled intervals up to PULSE_SOON_MOST, unless other
 * bytes are sent. */
void pulse_soon(struct pulse *pulse);
void pulse_pause(struct pulse *pulse, bool paused);
void pulse_stop(struct pulse *pulse);
/* Processes a tick, without the timer.  False: the channel is lost. */
bool pulse_tick(struct pulse *pulse);
