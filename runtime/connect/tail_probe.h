/* tail_probe.h - a packet that is lost and that nothing follows.
 *
 * TCP learns of a lost packet from what comes after it.  When nothing does, because the program
 * waits for an answer, Linux sends it again after 200 ms and more; so where one packet of a hundred
 * gets lost, one short operation of a few takes a hundred times as long.  Therefore on lossy ways
 * something follows: an ACK frame (link.h), some milliseconds after the last packet when that has
 * not been acknowledged.  The other kernel then says what it lacks (Cheng and others, RFC 8985:
 * RACK), and gets it within a round trip.
 *
 * The happy path: peer_write() says that something has gone out; where the kernel counts packets
 * sent again, the connections that have just been written to are looked at each TAIL_PROBE_SOON as
 * long as something is under way there.  The failure modes: the probe is lost (two more follow), or
 * there was nothing to find (the other kernel may keep an acknowledgement back for 40 ms: some
 * small packets more, on lossy ways only).
 */
#ifndef HNOW_TAIL_PROBE_H
#define HNOW_TAIL_PROBE_H

#include "job/task.h"

#define TAIL_PROBE_SOON 0.004 /* s: between looks where packets get lost */
#define TAIL_PROBE_CALM 0.1   /* s: elsewhere */

void tail_probe_init(struct task *t);
void tail_probe_clear(struct task *t);
/* Connections are looked at after a while, if they are not going to be. */
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

/* Something has been written to p's connection. */
static inline void tail_probe_watch(struct peer *p)
{
    if (p->loss.unsure)
        return;
    p->loss.unsure = true;
    p->loss.tail_probes = 0;
    tail_probe_later(p->task);
}

#endif
