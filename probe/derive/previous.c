/* previous.c - costs of hosts and pairs that a network file defines (previous.h).
 *
 * If the file has the costs of some hosts only, those are kept and the others are measured. */
#include "derive/previous.h"

#include "derive/derivation.h"

int previous_hosts(const hn_net *net, const int *host, int n, bool *known)
{
    int count = 0;
    for (int rank = 0; rank < n; rank++) {
        const hn_host_cost *cost = hn_net_host(net, host[rank]);
        known[rank] =
            cost->send_const | cost->send_per_byte | cost->recv_const | cost->recv_per_byte;
        count += known[rank];
    }
    /* If all are known there is nothing to add: then everything is measured anew. */
    for (int rank = 0; rank < n && count == n; rank++)
        known[rank] = false;
    return count == n ? 0 : count;
}

bool previous_states(const struct previous *previous, int from, int to)
{
    return previous && from != to && previous->known[from] && previous->known[to];
}

struct fit_line previous_route(const struct previous *previous, int from, int to)
{
    const hn_host_cost *s = hn_net_host(previous->net, previous->host[from]);
    const hn_host_cost *r = hn_net_host(previous->net, previous->host[to]);
    hn_pair_cost x = hn_net_pair(previous->net, previous->host[from], previous->host[to]);
    hn_per_byte hosts = s->send_per_byte + r->recv_per_byte;
    return (struct fit_line){.constant = s->send_const + x.latency + r->recv_const,
                             .per_byte = x.per_byte + hosts,
                             .first_bytes = x.first_bytes,
                             .first_per_byte = x.first_bytes ? x.first_per_byte + hosts : 0};
}

/* R is taken as S, and the time of the bytes as that of the host's port; on a bus a message costs
 * more. */
int64_t previous_own_time(const struct previous *previous, int rank)
{
    const hn_net *net = previous->net;
    const hn_host_cost *cost = hn_net_host(net, previous->host[rank]);
    const struct net_subnet *subnet = &net->subnet[net->host[previous->host[rank]].subnet];
    hn_time bus = subnet->medium == HN_MEDIUM_BUS ? subnet->message : 0;
    return 2 * hn_cost_time(cost->send_const + bus, cost->send_gap, PAGE_BYTES) / 1000;
}
