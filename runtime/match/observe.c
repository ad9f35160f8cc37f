/* observe.c - reads TCP_INFO of the connection to a task (observe.h).
 *
 * Linux measures the delivery rate of every connection (tcp_rate.c, Cheng and others 2016): bytes
 * acknowledged in a round trip, marked if the application had too little to send.  Only unmarked
 * rates are used here.  The others show how fast the program was.
 */
#include "match/observe.h"
#include "base/error.h"
#include "job/task.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* FAST: bytes a second, at which a frame of LINK_PART_FAST bytes takes 4 ms.  AGAIN: ns between two
 * measurements of a connection. */
enum { FAST = 500000000, AGAIN = 10000000 };

/* Fields that an older kernel does not fill stay 0. */
static bool has_tcp_info(const struct peer *p, int fd, struct tcp_info *info)
{
    socklen_t length = sizeof *info;
    memset(info, 0, sizeof *info);
    return p->state == PEER_OPEN && getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &length) == 0;
}

/* Takes the lock itself, unlike the other functions here.  A connection through shared memory or a
 * UNIX socket has no such statistics. */
int observe_route(hn_tid to, struct observation *o)
{
    struct task *t = task_get();
    struct tcp_info info;
    if (!t)
        return HN_ESTATE;
    engine_enter(&t->engine);
    struct peer *p = peer_get(t, to);
    bool known = p && has_tcp_info(p, p->fd, &info);
    engine_leave(&t->engine, false);
    if (!known)
        return error_set(HN_ELINK, "there is no TCP connection to task %d", to);
    *o = (struct observation){.idle_ms = info.tcpi_last_data_sent};
    if (!info.tcpi_delivery_rate_app_limited && info.tcpi_delivery_rate < INT64_MAX)
        o->rate = (int64_t)info.tcpi_delivery_rate;
    return HN_OK;
}

/* At most one system call in AGAIN ns for each connection.  Between two measurements the frame size
 * stays. */
void observe_pace(struct peer *p)
{
    struct tcp_info info;
    uint64_t now = engine_now();

    if (p->sending.observed != 0 && now - p->sending.observed < AGAIN)
        return;
    p->sending.observed = now;
    if (has_tcp_info(p, p->fd, &info))
        p->link.part = info.tcpi_delivery_rate >= FAST ? LINK_PART_FAST : LINK_PART;
}

/* Adds one socket's state to that of its connection.  Spurious retransmissions, which the other
 * side reports as duplicates (DSACK), do not count as losses. */
static void add_flight(struct flight *f, const struct tcp_info *info)
{
    uint64_t sent = info->tcpi_bytes_sent - info->tcpi_bytes_retrans;

    f->any = f->any || info->tcpi_unacked > 0;
    f->all = f->all && info->tcpi_notsent_bytes == 0;
    if (info->tcpi_last_data_sent < f->silent_ms)
        f->silent_ms = info->tcpi_last_data_sent;
    f->round_trip_us = info->tcpi_rtt;
    if (info->tcpi_total_retrans > info->tcpi_dsack_dups)
        f->lost += info->tcpi_total_retrans - info->tcpi_dsack_dups;
    f->confirmed += info->tcpi_bytes_acked;
    if (sent > info->tcpi_bytes_acked)
        f->bytes += sent - info->tcpi_bytes_acked;
    if (info->tcpi_retransmits > f->timeouts)
        f->timeouts = info->tcpi_retransmits;
    f->limited_us += info->tcpi_rwnd_limited;
    f->segment = info->tcpi_snd_mss;
    f->mtu = info->tcpi_pmtu;
}

/* Adds up all sockets; values that cannot be added are the least, the greatest, or those of the
 * last one. */
bool observe_flight(const struct peer *p, struct flight *f)
{
    struct tcp_info info;
    int fd;

    *f = (struct flight){.all = true, .silent_ms = UINT32_MAX};
    for (unsigned i = 0; (fd = parallel_socket(p, i)) >= 0; i++) {
        if (!has_tcp_info(p, fd, &info))
            return false;
        add_flight(f, &info);
    }
    return true;
}
