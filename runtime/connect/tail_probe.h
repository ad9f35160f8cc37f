/* tail_probe.h - finds the loss of a packet that no other packet follows.
 *
 * TCP detects a lost packet by what arrives after it.  When nothing does, because the program waits
 * for an answer, Linux repeats the packet after 200 ms or more.  So where 1 % of the packets are
 * lost, a short operation may take a hundred times as long.  On lossy paths a tail probe follows
 * therefore (as TCP's TLP): an ACK frame (link.h), some milliseconds after a last packet that has
 * not been acknowledged.  The other kernel then reports what is missing (RACK, RFC 8985, Cheng and
 * others), and gets it within a round trip.
 *
 * The happy path: peer_write() reports that something was written.  Where the kernel counts
 * repeated packets, the connections that were written to are checked every TAIL_PROBE_SOON seconds
 * while something is under way on them.  The failure modes: the probe is lost (two more follow), or
 * nothing was lost (the other kernel may delay an acknowledgement for 40 ms: some small packets
 * more, on lossy paths only).
 */
#pragma once

#include "job/task.h"

#define TAIL_PROBE_SOON 0.004 /* s: between looks where packets get lost */
#define TAIL_PROBE_CALM 0.1   /* s: elsewhere */

void tail_probe_init(struct task *t);
void tail_probe_clear(struct task *t);
/* Connections are checked after a while, unless a check is due already. */
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

/* Something was written to p's connection, and may be lost. */
static inline void tail_probe_watch(struct peer *p)
{
    if (p->loss.unsure)
        return;
    p->loss.unsure = true;
    p->loss.tail_probes = 0;
    tail_probe_later(p->task);
}
