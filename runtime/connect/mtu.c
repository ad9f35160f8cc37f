/* mtu.c - detects that only small packets arrive (mtu.h).
 *
 * One timer checks all connections that have something in flight, and stops when none has.  What
 * the kernel reports (TCP_INFO) decides, not the link, since the link's acknowledgements may be
 * delayed.
 */
#include "connect/mtu.h"

#include "connect/address_order.h"
#include "match/observe.h"

#include <stdio.h>

/* MTU_SMALL: bytes; more than the packets of a handshake, which have arrived.  MTU_TIMEOUTS:
 * minimum number of retransmissions. */
enum { MTU_SMALL = 2 * HANDSHAKE_LONGEST, MTU_TIMEOUTS = 2 };

static void on_look(struct ev_loop *loop, ev_timer *w, int events);

void mtu_init(struct task *t)
{
    ev_timer_init(&t->peers.mtu, on_look, MTU_LOOK, 0);
    t->peers.mtu.data = t;
}

void mtu_clear(struct task *t)
{
    ev_timer_stop(t->engine.loop, &t->peers.mtu);
}

/* The size of the lost packets is at most one segment, plus the headers that the path's MTU
 * includes. */
static void report(struct peer *p, const struct flight *f)
{
    uint32_t header = f->mtu > f->segment ? f->mtu - f->segment : 0;
    uint32_t lost = f->bytes < f->segment ? (uint32_t)f->bytes : f->segment;
    struct route route = route_of(p->fd);
    char text[200];

    snprintf(text, sizeof text, "packets of %u bytes, sent by interface %s, were lost for %.0f s",
             lost + header, route.interface, (double)(engine_now() - p->mtu.began) * 1e-9);
    dial_note(&p->dial, "only small packets arrive: lower the MTU");
    agent_put(p->task, CONTROL_FAULT, (unsigned)p->link.peer, (unsigned)CONTROL_FAULT_LARGE, text);
}

/* Whether the packet that TCP retransmits is a large one, as far as can be seen. */
static bool is_stalled(const struct peer *p, const struct flight *f)
{
    double patience = p->mtu.stalls == MTU_STALLS - 1 ? MTU_STALL_LAST : MTU_STALL;

    return f->bytes > MTU_SMALL && f->timeouts >= MTU_TIMEOUTS &&
           (double)(engine_now() - p->mtu.since) * 1e-9 >= patience;
}

/* Read each time, because an administrator may change the setting to mend the path.  Without /proc
 * it counts as off, the kernel's default. */
static bool kernel_probes(void)
{
    FILE *file = fopen("/proc/sys/net/ipv4/tcp_mtu_probing", "re");
    int mode = file ? fgetc(file) : '0';

    if (file)
        fclose(file);
    return mode == '1' || mode == '2';
}

/* The first stalls only break the connection.  The last one in the row ends the peer. */
static void stalled(struct peer *p, const struct flight *f)
{
    struct mtu *m = &p->mtu;

    if (m->stalls++ == 0)
        m->began = m->since;
    if (m->stalls < MTU_STALLS) {
        peer_break(p);
        return;
    }
    report(p, f);
    peer_fail(p, HN_ELINK);
}

/* Whether the connection was closed, to be dialled by another route. */
static bool has_left(struct peer *p)
{
    if (!dial_leave(&p->dial, p->fd))
        return false;
    route_rate_leave(&p->dial.rate);
    peer_break(p);
    return true;
}

/* Whether the connection was closed, to be made anew with several sockets. */
static bool has_widened(struct peer *p)
{
    struct route_rate *t = &p->dial.rate;

    if (!dial_can_join(&p->dial, p->fd))
        return false;
    route_rate_widen(t);
    if (p->transport == &transport_parallel) {
        dial_join(&p->dial, p->fd, t->sockets.wanted);
        return false;
    }
    peer_break(p);
    return true;
}

/* A check of one connection.  If everything is acknowledged, or more than at the last check, it
 * does not stall.  Otherwise the time without progress counts. */
static bool look(struct peer *p)
{
    struct mtu *m = &p->mtu;
    struct flight f;

    if (!m->watched)
        return true;
    /* Not TCP, or closed meanwhile: there is nothing to watch. */
    bool known = observe_flight(p, &f);
    m->watched = known && f.any;
    if (known && (!f.any || (m->seen && f.confirmed != m->confirmed)))
        m->stalls = 0;
    if (!m->watched)
        return true;
    /* The same check measures the rate, because it needs the same figures equally often. */
    unsigned more = route_rate_look(&p->dial.rate, engine_now(), &f, m->seen);
    if ((more & ROUTE_RATE_LEAVE && has_left(p)) || (more & ROUTE_RATE_WIDEN && has_widened(p)))
        return true;
    if (!m->seen || f.confirmed != m->confirmed) {
        m->seen = true;
        m->confirmed = f.confirmed;
        m->since = engine_now();
    } else if (is_stalled(p, &f) && !kernel_probes()) {
        stalled(p, &f);
        return true;
    }
    mtu_later(p->task);
    return true;
}

static void on_look(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop, (void)events;
    peer_all(w->data, look);
}
