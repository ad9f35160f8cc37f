/* random_net.h - random networks and groups for property tests: subnets of all media, sites, links,
 * uplinks, lines, ports with gaps, machines, stated pairs, several ranks on a host; many costs 0 or
 * equal, so that ties happen. */
#pragma once

#include "hnow_net.h"
#include "random.h"

enum { RANDOM_HOSTS_MOST = 24 };

/* Mostly one of a few round numbers, sometimes 0, sometimes anything. */
static inline int64_t random_cost(uint64_t *state, int64_t most)
{
    int64_t kind = random_below(state, 8);
    return kind == 0 ? 0 : kind < 4 ? most / 4 * kind : random_below(state, most);
}

/* One in four has another rate, dearer or cheaper, for its first bytes. */
static inline hn_pair_cost random_pair(uint64_t *state, int64_t scale)
{
    hn_pair_cost cost = {random_cost(state, 5000 * scale), random_cost(state, 900 * scale)};
    if (random_below(state, 4) == 0) {
        cost.first_bytes = 1 + random_below(state, random_below(state, 2) ? 8 : 5000);
        cost.first_per_byte = random_cost(state, 1800 * scale);
    }
    return cost;
}

static inline void random_hosts(hn_net *net, uint64_t *state)
{
    int kind = (int)random_below(state, 3), gaps = (int)random_below(state, 3);
    bool sleepy = random_below(state, 3) == 0;
    hn_host_cost same = {0};
    for (int h = 0; h < hn_net_size(net); h++) {
        hn_host_cost cost = {.send_const = random_cost(state, 1000),
                             .send_per_byte = random_cost(state, 500),
                             .recv_const = random_cost(state, 1000),
                             .recv_per_byte = random_cost(state, 500)};
        if (gaps == 0) {
            cost.send_gap = random_cost(state, 900);
            cost.send_gap_const = random_below(state, 2) ? random_cost(state, 900) : 0;
        }
        if (gaps != 1)
            cost.recv_gap = random_cost(state, 900);
        cost.wake = sleepy ? random_cost(state, 1000) : 0;
        same = h == 0 ? cost : same;
        hn_net_set_host(net, h, kind == 0 ? &same : &cost);
    }
}

/* Cuts the hosts into up to six runs, each a subnet. */
static inline void random_subnets(hn_net *net, uint64_t *state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    static const hn_medium media[] = {HN_MEDIUM_BUS, HN_MEDIUM_SWITCH, HN_MEDIUM_UNKNOWN};
    int members[RANDOM_HOSTS_MOST], n = hn_net_size(net);
    for (int s = 0, first = 0; s < 6 && first < n; s++) {
        int count = 1 + (int)random_below(state, n);
        if (count > n - first)
            count = n - first;
        for (int i = 0; i < count; i++)
            members[i] = first + i;
        hn_net_add_subnet(net, names[s], media[random_below(state, 3)], members, count);
        first += count;
    }
    int sites = (int)random_below(state, 4);
    for (int s = 0; s < hn_net_subnet_count(net); s++) {
        hn_net_set_subnet_cost(net, s, random_pair(state, 1));
        if (random_below(state, 3) == 0)
            hn_net_set_wire(net, s, random_cost(state, 900), 0);
        if (random_below(state, 2))
            hn_net_set_uplink(net, s, random_pair(state, 5));
        if (sites > 1)
            hn_net_set_site(net, s, names[random_below(state, sites)]);
    }
}

static inline void random_links(hn_net *net, uint64_t *state)
{
    int subnets = hn_net_subnet_count(net), n = hn_net_size(net);
    for (int from = 0; from < subnets; from++)
        for (int to = 0; to < subnets; to++) {
            hn_per_byte wire = random_below(state, 2) ? random_cost(state, 4000) : 0;
            if (from != to && random_below(state, 3) == 0)
                hn_net_set_link(net, from, to, random_pair(state, 5), wire);
            const char *a = hn_net_subnet_site(net, from), *b = hn_net_subnet_site(net, to);
            if (*a && *b && a[0] != b[0] && random_below(state, 2))
                hn_net_set_site_link(net, a, b, random_pair(state, 9), wire);
        }
    int pairs = random_below(state, 3) ? 0 : (int)random_below(state, n * n);
    for (int i = 0; i < pairs; i++) {
        int from = (int)random_below(state, n), to = (int)random_below(state, n);
        hn_net_set_pair(net, from, to, random_pair(state, 3));
    }
}

/* Up to three lines, each between the first subnets and the others. */
static inline void random_lines(hn_net *net, uint64_t *state)
{
    static const char *const names[] = {"x", "y", "z"};
    int subnets = hn_net_subnet_count(net), lines = (int)random_below(state, 4);
    for (int i = 0; i < lines && subnets > 1; i++) {
        const char *name[RANDOM_HOSTS_MOST];
        int nears = 1 + (int)random_below(state, subnets - 1);
        for (int s = 0; s < subnets; s++)
            name[s] = hn_net_subnet_name(net, s);
        hn_net_add_line(net, names[i], name, nears, name + nears, subnets - nears,
                        1 + random_cost(state, 4000));
    }
}

/* Sometimes all hosts, sometimes a run of them, on one machine. */
static inline void random_machine(hn_net *net, uint64_t *state)
{
    int n = hn_net_size(net), members[RANDOM_HOSTS_MOST];
    int count = random_below(state, 2) ? n : 1 + (int)random_below(state, n);
    for (int i = 0; i < count; i++)
        members[i] = n - count + i;
    hn_net_add_machine(net, "m",
                       (hn_machine_cost){random_cost(state, 1000), random_cost(state, 500),
                                         random_below(state, 5), random_cost(state, 500)},
                       members, count);
}

/* The caller frees it. */
static inline hn_net *random_net(uint64_t *state)
{
    hn_net *net = hn_net_new(1 + (int)random_below(state, RANDOM_HOSTS_MOST));
    random_hosts(net, state);
    if (random_below(state, 5))
        random_subnets(net, state);
    random_links(net, state);
    if (random_below(state, 3) == 0)
        random_machine(net, state);
    if (random_below(state, 3) == 0)
        random_lines(net, state);
    return net;
}

/* For tests of multicasts, which beat lower bounds: most subnets carry them. */
static inline void random_casts(hn_net *net, uint64_t *state)
{
    for (int s = 0; s < hn_net_subnet_count(net); s++)
        hn_net_set_multicast(net, s, random_below(state, 4) > 0);
}

/* Puts ranks on hosts: some of them in any order, or, one time in four, wherever it happens. */
static inline void random_group(const hn_net *net, uint64_t *state, int *host, int ranks)
{
    int n = hn_net_size(net), order[RANDOM_HOSTS_MOST];
    bool anywhere = ranks > n || random_below(state, 4) == 0;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = 0; i < ranks; i++) {
        if (anywhere) {
            host[i] = (int)random_below(state, n);
            continue;
        }
        int other = i + (int)random_below(state, n - i), chosen = order[other];
        order[other] = order[i];
        host[i] = order[i] = chosen;
    }
}
