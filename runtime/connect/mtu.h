/* mtu.h - paths on which small packets arrive and large ones are lost (MTU black holes).
 *
 * A router or tunnel with a smaller MTU than the interface drops large packets.  If the ICMP
 * message about it is lost, too (RFC 2923), TCP sends the same packet again and again: connections
 * are made, small messages pass, and a large one never arrives.
 *
 * The happy path: each connection that has sent something is looked at twice a second, until all of
 * it is acknowledged.  If nothing was acknowledged for MTU_STALL seconds although TCP has sent
 * again, the connection is made anew.  A connection that had only lost its state somewhere (a
 * firewall) then continues.  If the host is not reached, the path is broken for all packets, and
 * dialling says so.  If the handshake passes and the stream stalls again, MTU_STALLS times in a
 * row, only small packets arrive: hrun is notified, and sends to that task fail with HN_ELINK.
 *
 * Where the kernel finds smaller packet sizes by itself (net.ipv4.tcp_mtu_probing), it is left
 * alone: it takes 6 to 13 s.
 *
 * This direction only: the other side looks after what it sends.
 */
#pragma once

#include "job/task.h"

/* Seconds.  With two looks at each stall, a path is reported within 12.5 s. */
#define MTU_STALL      4.0 /* without progress: the fourth retransmission is after 3.0 */
#define MTU_STALL_LAST 1.5 /* it only shows that no outage began just behind the last handshake */
#define MTU_LOOK       0.5
enum { MTU_STALLS = 3 }; /* one may be an outage, two may be two */

void mtu_init(struct task *t);
void mtu_clear(struct task *t);
/* Connections are looked at after a while, if they are not going to be. */
static inline void mtu_later(struct task *t)
{
    if (ev_is_active(&t->peers.mtu))
        return;
    ev_timer_set(&t->peers.mtu, MTU_LOOK, 0);
    ev_timer_start(t->engine.loop, &t->peers.mtu);
    engine_changed(&t->engine);
}

/* Something has been written to p's connection. */
static inline void mtu_watch(struct peer *p)
{
    if (p->mtu.watched)
        return;
    p->mtu.watched = true;
    p->mtu.seen = false;
    mtu_later(p->task);
}
