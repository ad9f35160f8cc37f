/* mtu.h - detects paths that deliver small packets and lose large ones (MTU black holes).
 *
 * A router or tunnel with a smaller MTU than the interface drops large packets.  If the ICMP
 * message about it is lost, too (RFC 2923), TCP sends the same packet again and again.  Connections
 * are made, small messages pass, and a large one never arrives.
 *
 * The happy path: each connection with unacknowledged bytes is checked twice a second.  If nothing
 * was acknowledged for MTU_STALL seconds although TCP has retransmitted, the connection is made
 * anew.  If only a firewall had lost the connection's state, the new one works.  If the host is
 * unreachable, the path loses all packets, and dialling reports that.  If the handshake passes and
 * the stream stalls again, MTU_STALLS times in a row, only small packets arrive.  Then hrun is
 * notified, and sends to that task fail with HN_ELINK.
 *
 * If the kernel searches for a smaller packet size by itself (net.ipv4.tcp_mtu_probing), which
 * takes 6 to 13 s, nothing is done here.
 *
 * Each task checks only what it sends.
 */
#pragma once

#include "job/task.h"

/* Seconds.  With the checks of each stall, a path is reported within 12.5 s. */
#define MTU_STALL      4.0 /* without progress: TCP's fourth retransmission is after 3.0 s */
#define MTU_STALL_LAST 1.5 /* on the last one: excludes an outage since the handshake */
#define MTU_LOOK       0.5 /* between checks */
enum { MTU_STALLS = 3 };   /* one or two stalls may be outages */

void mtu_init(struct task *t);
void mtu_clear(struct task *t);
/* Schedules a check of all connections, unless one is scheduled. */
static inline void mtu_later(struct task *t)
{
    if (ev_is_active(&t->peers.mtu))
        return;
    ev_timer_set(&t->peers.mtu, MTU_LOOK, 0);
    ev_timer_start(t->engine.loop, &t->peers.mtu);
    engine_changed(&t->engine);
}

/* Bytes were written to p's connection: check whether they arrive. */
static inline void mtu_watch(struct peer *p)
{
    if (p->mtu.watched)
        return;
    p->mtu.watched = true;
    p->mtu.seen = false;
    mtu_later(p->task);
}
