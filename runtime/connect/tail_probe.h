/* tail_probe.h - finds the loss of a packet that no other packet follows.
 *
 * TCP detects a lost packet when later packets arrive.  If there are none, because the program
 * waits for an answer, Linux retransmits only after 200 ms or more.  So at a loss of 1 %, a short
 * operation may take a hundred times as long.  On lossy paths a task therefore sends a tail probe
 * (as TCP's TLP): an ACK frame (link.h), some milliseconds after the last unacknowledged packet.
 * The other kernel then reports the missing packet (RACK, RFC 8985, Cheng and others), and gets it
 * within a round trip.
 *
 * The happy path: peer_write() reports that bytes were written.  If the kernel has counted
 * retransmissions, connections with bytes in flight are checked every TAIL_PROBE_SOON seconds.  The
 * failure modes: the probe is lost (two more follow), or nothing was lost.  The latter costs some
 * small packets on lossy paths, as the other kernel may delay an acknowledgement for 40 ms.
 */
#pragma once

#include "job/task.h"

#define TAIL_PROBE_SOON 0.004 /* s between checks on lossy paths */
#define TAIL_PROBE_CALM 0.1   /* s between checks elsewhere */

void tail_probe_init(struct task *t);
void tail_probe_clear(struct task *t);
/* Schedules a check of all connections, unless one is scheduled. */
static inline void tail_probe_later(struct task *t)
{
    bool soon = engine_now() < t->peers.lossy;
    ev_timer *w = &t->peers.look;

    if (ev_is_active(w))
        return;
    ev_timer_set(w, soon ? TAIL_PROBE_SOON : TAIL_PROBE_CALM, 0);
    ev_timer_start(t->engine.loop, w);
    if (soon)
        engine_changed(&t->engine);
}

/* Bytes were written to p's connection, and may be lost. */
static inline void tail_probe_watch(struct peer *p)
{
    if (p->loss.unsure)
        return;
    p->loss.unsure = true;
    p->loss.tail_probes = 0;
    tail_probe_later(p->task);
}
