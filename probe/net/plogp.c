/* plogp.c - g(m) and T(m) from the costs of a network file.
 *
 * g(m) is the maximum of what delays the next message: S at the sender, R at the receiver, and m
 * bytes on the slowest channel of the route (a port, a bus, a link).  Where no channel is known,
 * the route itself counts.
 *
 * T(m): host i of a binomial tree sends one message every g(m), which arrives after S + X + R
 * (pLogP: L + g(m)).  On a bus all of them pass one wire, so T(m) is at least their total time on
 * it.  O(hosts). The result is a prediction of an idle network: other transfers are not considered.
 */
#include "net/plogp.h"
#include "runtime/internal.h"

#include <stdlib.h>

/* In bytes; the columns of hprobe -show have these sizes, too. */
const int64_t plogp_sizes[PLOGP_SIZES] = {1, 1024, 16384, 262144, 1048576};

hn_time plogp_gap(const hn_net *net, int from, int to, int64_t bytes)
{
    /* The host with the larger cost sets the pace; both work at the same time on different
     * messages. */
    const hn_host_cost *s = hn_net_host(net, from), *r = hn_net_host(net, to);
    hn_time gap = int64_larger(hn_cost_time(s->send_const, s->send_per_byte, bytes),
                               hn_cost_time(r->recv_const, r->recv_per_byte, bytes));
    hn_channel route[HN_WAY_MOST];
    int channels = hn_net_way(net, from, to, route);
    for (int i = 0; i < channels; i++)
        gap = int64_larger(gap, hn_cost_time(route[i].message, route[i].per_byte, bytes));
    /* Without a known channel, as in a file of latencies and rates only, a stream uses the whole
     * route. */
    if (channels == 0)
        gap = int64_larger(gap, hn_cost_time(0, hn_net_pair(net, from, to).per_byte, bytes));
    return gap;
}

/* Once member number `at` has the message, its subtree continues: child at + mask for each mask
 * below its lowest bit (for the root: below count), largest first. */
static void serve(const hn_net *net, const int *host, int count, int at, int64_t bytes,
                  hn_time *ready)
{
    hn_time free = ready[at];
    /* The lowest set bit of the member's number bounds its subtree; the root's is the first power
     * of two that is not below count. */
    int mask = 1;
    while (mask < count && !(at & mask))
        mask *= 2;
    for (mask /= 2; mask > 0; mask /= 2) {
        if (at + mask >= count)
            continue;
        /* The child has the message after the whole time; the parent may send the next one after
         * the gap. */
        ready[at + mask] = free + hn_net_time(net, host[at], host[at + mask], bytes);
        free += plogp_gap(net, host[at], host[at + mask], bytes);
    }
}

/* The time of the last member, from when member 0 has the message.  HN_ENOMEM is negative. */
hn_time plogp_broadcast(const hn_net *net, int subnet, int64_t bytes)
{
    int count;
    const int *host = hn_net_subnet_hosts(net, subnet, &count);
    hn_time last = 0, *ready = calloc((size_t)count, sizeof *ready);
    if (!ready)
        return error_set(HN_ENOMEM, "no memory for the broadcast time of %d hosts", count);
    /* A parent has a smaller number than its children, so ready[i] is final when it is used. */
    for (int i = 0; i < count; i++) {
        serve(net, host, count, i, bytes, ready);
        last = int64_larger(last, ready[i]);
    }
    free(ready);
    if (count > 1 && hn_net_subnet_medium(net, subnet) == HN_MEDIUM_BUS)
        /* count - 1 messages pass the wire one after the other, whatever the tree. */
        last = int64_larger(last, (count - 1) * plogp_gap(net, host[0], host[1], bytes));
    return last;
}
