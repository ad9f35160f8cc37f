/* pulse.h - whether the other end of a control channel is still there.
 *
 * A connection whose cable is cut looks like one on which nothing is said.  So each end says PULSE
 * when it has said nothing else for PULSE_TICK seconds, and counts a channel on which nothing came
 * for PULSE_TICKS ticks as lost.  Ticks are counted, not seconds: a process that was stopped, or a
 * machine that slept, has missed its own ticks, too, and reads what came meanwhile before the next.
 * Any bytes count, so a channel that is merely full and slow is alive.  Where many packets are
 * lost, TCP may be silent for longer, because it waits twice as long after each loss; as long as
 * the kernel knows that it is so, a channel has PULSE_LOSSY_TICKS.
 *
 * The other end may say that it is going to stop (Ctrl-Z), and later that it continues:
 * pulse_pause(). What is heard between the two may have been said before.  It may be silent for
 * PULSE_PAUSED_TICKS ticks, an hour, then: it may have been cut off since, and nothing tells the
 * difference.
 */
#pragma once

#include "protocol/channel.h"

/* A tick in seconds, and how many without a byte: 10 s in all.  TCP gets through sooner, even if it
 * loses a packet five times in a row (0.2 s, doubled each time: 6.2 s). */
#define PULSE_TICK 2.0
enum { PULSE_TICKS = 5 };
/* 30 s: TCP sends again seven times (0.2 s, doubled each time: 25.4 s).  real/test_lossy */
enum { PULSE_LOSSY_TICKS = 15 };
#define PULSE_SOON      0.001 /* seconds; pulse_soon() says why */
#define PULSE_SOON_MOST 0.03  /* seconds: below the 40 ms of a delayed acknowledgement */
/* Ticks that an agent waits for a stopped hrun without a byte: an hour. */
enum { PULSE_PAUSED_TICKS = 1800 };

struct pulse {
    struct channel *channel;
    /* It is silent: gives it up and says so, or false, where may_wait and packets are lost. */
    bool (*lost)(struct channel *channel, bool may_wait);
    ev_timer tick, soon;
    uint64_t heard, said; /* bytes, at the last tick */
    uint64_t answered;    /* bytes said when `soon` began, */
    double wait;          /* which takes so many seconds */
    unsigned silent;      /* ticks without a byte */
    bool paused;
};

/* Begins; all zero before.  Does nothing when it has begun already. */
void pulse_start(struct pulse *pulse, struct channel *channel,
                 bool (*lost)(struct channel *channel, bool may_wait));
/* Something passes a channel whose system holds small packets back until the one before them is
 * acknowledged (Nagle's algorithm), which takes 40 ms where nothing else is said there.  So
 * something is said in PULSE_SOON seconds, again in twice as long, and so on until PULSE_SOON_MOST,
 * unless something else is. */
void pulse_soon(struct pulse *pulse);
void pulse_pause(struct pulse *pulse, bool paused);
void pulse_stop(struct pulse *pulse);
/* A tick, without the timer; false: the channel counts as lost. */
bool pulse_tick(struct pulse *pulse);
