/* net.c - construction and queries of the network model.
 *
 * hn_net_pair() looks up statements from the most specific to the most general.  Each look-up is a
 * hash table or an index, so a query is O(1) for any number of hosts.  A subnet's members are kept
 * sorted. Functions that change the model check their arguments and leave it unchanged after
 * HN_EARG. Queries check nothing: planners call them millions of times, with numbers from the model
 * itself.
 *
 * Units: times are picoseconds, costs per byte femtoseconds. The unit of a product is therefore a
 * thousandth of a picosecond, and each conversion rounds up.
 */
#include "net/net.h"
#include "net/wide.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- construction and destruction --------------------------------------------------------- */

/* Returns HN_ENOMEM, for `return no_memory(...)`. */
static int no_memory(const char *what)
{
    return error_set(HN_ENOMEM, "no memory for the network model's %s", what);
}

/* NULL: out of memory. At first all hosts are members of the only subnet. */
static int *all_members(int n)
{
    int *member = malloc((size_t)n * sizeof *member);
    for (int i = 0; member && i < n; i++)
        member[i] = i;
    return member;
}

/* Makes a model of n hosts without names, all in one subnet. NULL: out of memory. Every host has
 * subnet 0 and no machine; the caller sets the names. */
static hn_net *net_empty(int n)
{
    hn_net *net = calloc(1, sizeof *net);
    if (!net)
        return NULL;
    net->n = n;
    net->host = calloc((size_t)n, sizeof *net->host);
    net->subnet = calloc(1, sizeof *net->subnet);
    if (!net->host || !net->subnet)
        goto failed;
    for (int i = 0; i < n; i++)
        net->host[i].machine = -1;
    /* All hosts begin in one subnet, so every host always has one. */
    net->nsubnet = 1;
    net->subnet[0] = (struct net_subnet){.site = -1, .count = n, .host = all_members(n)};
    net->subnet[0].name = arena_strdup(&net->arena, "net");
    if (!net->subnet[0].host || !net->subnet[0].name)
        goto failed;
    return net;
failed:
    hn_net_free(net);
    return NULL;
}

/* Names are h1, h2, ... A repeated name is impossible, so only a lack of memory (-2) can stop it.
 */
hn_net *hn_net_new(int hosts)
{
    hn_net *net = hosts >= 1 && hosts <= HOSTS_MOST ? net_empty(hosts) : NULL;
    for (int i = 0; net && i < hosts; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", i + 1);
        net->host[i].line.name = arena_strdup(&net->arena, name);
        if (!net->host[i].line.name || names_add(&net->names, net->host[i].line.name, i) == -2) {
            hn_net_free(net);
            net = NULL;
        }
    }
    if (!net)
        error_set(HN_ENOMEM, "no network model of %d hosts can be made", hosts);
    return net;
}

/* The lines are copied by value; their strings still belong to `hosts`, which the model keeps until
 * it is freed. The parser has refused repeated names already. */
int net_from_hosts(struct hosts *hosts, hn_net **result)
{
    hn_net *net = net_empty(hosts->n);
    *result = NULL;
    if (!net) {
        hosts_free(hosts);
        return no_memory("hosts");
    }
    net->hosts = hosts;
    for (int i = 0; i < net->n; i++) {
        net->host[i].line = hosts->line[i];
        if (names_add(&net->names, hosts->line[i].name, i) == -2) {
            hn_net_free(net);
            return no_memory("hosts");
        }
    }
    *result = net;
    return HN_OK;
}

/* Also frees a model that was only partly made: everything not yet set is NULL or 0. */
void hn_net_free(hn_net *net)
{
    if (!net)
        return;
    for (int i = 0; i < net->nsubnet; i++)
        free(net->subnet[i].host);
    free(net->subnet);
    free(net->site);
    free(net->machine);
    free(net->line);
    free(net->host);
    pairs_free(&net->pairs);
    pairs_free(&net->links);
    pairs_free(&net->trunks);
    names_free(&net->names);
    arena_free(&net->arena);
    hosts_free(net->hosts);
    free(net);
}

/* ---- times -------------------------------------------------------------------------------- */

/* Rounded up to whole picoseconds, and never above HN_COST_MOST. */
hn_time hn_cost_time(hn_time constant, hn_per_byte per_byte, int64_t bytes)
{
    /* planners call this millions of times */
    int64_t product; /* the product nearly always fits, and 128-bit division is slow */
    /* A product that fits is rounded up in 64 bits. Otherwise the exact value is computed with 128
     * bits and limited afterwards. */
    if (!__builtin_mul_overflow(per_byte, bytes, &product) && product < HN_COST_MOST)
        return constant + (product + 999) / 1000;
    wide up = wide_plus(wide_product(per_byte, bytes), wide_of(999));
    hn_time time = wide_int64(wide_plus(wide_over(up, wide_of(1000)), wide_of(constant)));
    return time > HN_COST_MOST ? HN_COST_MOST : time;
}

/* A message no longer than first_bytes pays only their cost. */
hn_time hn_way_time(const hn_pair_cost *cost, int64_t bytes)
{
    /* Continuous at first_bytes: both lines give the cost of the first bytes there. */
    if (bytes <= cost->first_bytes)
        return hn_cost_time(cost->latency, cost->first_per_byte, bytes);
    hn_time first = hn_cost_time(cost->latency, cost->first_per_byte, cost->first_bytes);
    return hn_cost_time(first, cost->per_byte, bytes - cost->first_bytes);
}

/* ---- checks ------------------------------------------------------------------------------- */

/* The checks below set the error text themselves, so a caller returns HN_EARG without further
 * words. */
static bool is_host(const hn_net *net, int host)
{
    bool good = host >= 0 && host < net->n;
    if (!good)
        error_set(HN_EARG, "there is no host %d in a network of %d", host, net->n);
    return good;
}

static bool is_subnet(const hn_net *net, int subnet)
{
    bool good = subnet >= 0 && subnet < net->nsubnet;
    if (!good)
        error_set(HN_EARG, "there is no subnet %d in a network of %d", subnet, net->nsubnet);
    return good;
}

/* Limits keep sums of a whole plan within 64 bits (hnow_net.h). */
static bool is_cost(hn_time constant, hn_per_byte per_byte)
{
    bool good =
        constant >= 0 && constant <= HN_TIME_MOST && per_byte >= 0 && per_byte <= HN_PER_BYTE_MOST;
    if (!good)
        error_set(HN_EARG, "a cost is negative or too large");
    return good;
}

/* A bend needs a positive size: with first_bytes = 0 the second rate could never apply. */
static bool is_pair_cost(const hn_pair_cost *cost)
{
    if (!is_cost(cost->latency, cost->per_byte) || !is_cost(0, cost->first_per_byte))
        return false;
    bool good = cost->first_bytes >= 0 && cost->first_bytes <= HN_FIRST_MOST &&
                (cost->first_bytes > 0 || !cost->first_per_byte);
    if (!good)
        error_set(HN_EARG, "a cost of the first bytes of none, or of too many");
    return good;
}

/* ---- hosts -------------------------------------------------------------------------------- */

int hn_net_size(const hn_net *net)
{
    return net->n;
}

const char *hn_net_host_name(const hn_net *net, int host)
{
    return net->host[host].line.name;
}

int hn_net_host_index(const hn_net *net, const char *name)
{
    REFUSE_NULL(net);
    REFUSE_NULL(name);
    int host = names_find(&net->names, name);
    return host >= 0 ? host : error_set(HN_EARG, "there is no host %s in the network", name);
}

const hn_host_cost *hn_net_host(const hn_net *net, int host)
{
    return &net->host[host].cost;
}

/* Speed is no time, but it has the same limits; the checks take the fields two by two for brevity.
 */
int hn_net_set_host(hn_net *net, int host, const hn_host_cost *cost)
{
    REFUSE_NULL(net);
    REFUSE_NULL(cost);
    if (!is_host(net, host) || !is_cost(cost->send_const, cost->send_per_byte) ||
        !is_cost(cost->recv_const, cost->recv_per_byte) || !is_cost(cost->speed, cost->send_gap) ||
        !is_cost(cost->send_gap_const, 0) || !is_cost(cost->wake, cost->recv_gap))
        return HN_EARG;
    net->host[host].cost = *cost;
    return HN_OK;
}

/* ---- costs of routes ------------------------------------------------------------------------ */

/* The cost of one route followed by another. Latencies add up. The rate is that of the slower one,
 * because a stream uses both at the same time. The bend of the slower route is kept, too: at its
 * rate the other route's first bytes do not show. */
static hn_pair_cost through(hn_pair_cost a, hn_pair_cost b)
{
    hn_pair_cost cost = a.per_byte < b.per_byte ? b : a;
    cost.latency = a.latency + b.latency;
    return cost;
}

/* A subnet without a site has no site's uplink: its cost is 0. */
static hn_pair_cost site_uplink(const hn_net *net, int subnet)
{
    int site = net->subnet[subnet].site;
    return site < 0 ? (hn_pair_cost){0} : net->site[site].uplink;
}

/* The cost of the uplinks of both subnets, and of their sites if these differ. */
static hn_pair_cost uplinks(const hn_net *net, int from, int to)
{
    hn_pair_cost cost = through(net->subnet[from].uplink, net->subnet[to].uplink);
    if (net->subnet[from].site == net->subnet[to].site)
        return cost;
    return through(cost, through(site_uplink(net, from), site_uplink(net, to)));
}

/* Returns the link between the sites of two subnets; NULL: none, or both are in one site. */
static const struct pair *find_trunk(const hn_net *net, int from, int to)
{
    int here = net->subnet[from].site, there = net->subnet[to].site;
    return here < 0 || there < 0 ? NULL : pairs_find(&net->trunks, here, there);
}

/* Returns the link between two subnets, or else between their sites. */
static const struct pair *find_link(const hn_net *net, int from, int to)
{
    const struct pair *link = pairs_find(&net->links, from, to);
    return link ? link : find_trunk(net, from, to);
}

/* A link without a wire does not hide that of the sites. Its cost applies to each message, and the
 * wire of the sites is shared nevertheless. */
const struct pair *net_wired_link(const hn_net *net, int from, int to)
{
    const struct pair *link = pairs_find(&net->links, from, to);
    if (!link || !link->wire)
        link = find_trunk(net, from, to);
    return link && link->wire ? link : NULL;
}

/* From the most specific statement to the most general: the pair, the subnet of both, the link of
 * their subnets or sites, the uplinks. */
hn_pair_cost hn_net_pair(const hn_net *net, int from, int to)
{
    const struct pair *pair = pairs_find(&net->pairs, from, to);
    if (pair)
        return pair->cost;
    if (from == to)
        return (hn_pair_cost){0};
    int here = net->host[from].subnet, there = net->host[to].subnet;
    if (here == there)
        return net->subnet[here].cost;
    const struct pair *link = find_link(net, here, there);
    return link ? link->cost : uplinks(net, here, there);
}

int hn_net_stated_pairs(const hn_net *net)
{
    return net->pairs.used;
}

/* The time of a host to itself has S and R, but no X. */
hn_time hn_net_time(const hn_net *net, int from, int to, int64_t bytes)
{
    const hn_host_cost *s = &net->host[from].cost, *r = &net->host[to].cost;
    hn_pair_cost x = hn_net_pair(net, from, to);
    return hn_cost_time(s->send_const, s->send_per_byte, bytes) + hn_way_time(&x, bytes) + r->wake +
           hn_cost_time(r->recv_const, r->recv_per_byte, bytes);
}

/* Without the time until the system runs a receiver that sleeps. */
hn_time net_time_awake(const hn_net *net, int from, int to, int64_t bytes)
{
    return hn_net_time(net, from, to, bytes) - net->host[to].cost.wake;
}

/* A speed alone is no cost: people write it into hosts files for the distribution of work. O(hosts)
 * in the worst case. */
int hn_net_has_costs(const hn_net *net)
{
    if (net->pairs.used || net->links.used || net->trunks.used)
        return 1;
    for (int i = 0; i < net->nsubnet; i++)
        if (net->subnet[i].has_cost || net->subnet[i].has_uplink)
            return 1;
    for (int i = 0; i < net->nsite; i++)
        if (net->site[i].has_uplink)
            return 1;
    for (int i = 0; i < net->nmachine; i++) {
        const hn_machine_cost *cost = &net->machine[i].cost;
        if (cost->message | cost->queued | cost->per_byte)
            return 1;
    }
    for (int i = 0; i < net->n; i++) {
        const hn_host_cost *cost = &net->host[i].cost;
        if (cost->send_const | cost->send_per_byte | cost->recv_const | cost->recv_per_byte |
            cost->wake | cost->send_gap_const | cost->send_gap | cost->recv_gap)
            return 1;
    }
    return 0;
}

/* from == to is allowed: a program may state what a host's message to itself costs. */
int hn_net_set_pair(hn_net *net, int from, int to, hn_pair_cost cost)
{
    REFUSE_NULL(net);
    return is_host(net, from) && is_host(net, to) && is_pair_cost(&cost)
               ? pairs_set(&net->pairs, from, to, cost, 0)
               : HN_EARG;
}

int hn_net_set_link(hn_net *net, int from, int to, hn_pair_cost cost, hn_per_byte wire)
{
    REFUSE_NULL(net);
    if (!is_subnet(net, from) || !is_subnet(net, to) || !is_pair_cost(&cost) || !is_cost(0, wire))
        return HN_EARG;
    if (from == to)
        return error_set(HN_EARG, "a link joins two different subnets");
    return pairs_set(&net->links, from, to, cost, wire);
}

/* Sites exist only through their subnets: a name that no subnet has is an error, and no site is
 * made for it. */
int hn_net_set_site_link(hn_net *net, const char *from, const char *to, hn_pair_cost cost,
                         hn_per_byte wire)
{
    REFUSE_NULL(net);
    REFUSE_NULL(from);
    REFUSE_NULL(to);
    int here = net_find_site(net, from), there = net_find_site(net, to);
    if (here < 0 || there < 0)
        return error_set(HN_EARG, "there is no site %s", here < 0 ? from : to);
    return is_pair_cost(&cost) && is_cost(0, wire)
               ? pairs_set(&net->trunks, here, there, cost, wire)
               : HN_EARG;
}

/* An explicit cost of 0 counts as stated from here on (has_cost). */
int hn_net_set_subnet_cost(hn_net *net, int subnet, hn_pair_cost cost)
{
    REFUSE_NULL(net);
    if (!is_subnet(net, subnet) || !is_pair_cost(&cost))
        return HN_EARG;
    net->subnet[subnet].cost = cost;
    net->subnet[subnet].has_cost = true;
    return HN_OK;
}

int hn_net_set_uplink(hn_net *net, int subnet, hn_pair_cost cost)
{
    REFUSE_NULL(net);
    if (!is_subnet(net, subnet) || !is_pair_cost(&cost))
        return HN_EARG;
    net->subnet[subnet].uplink = cost;
    net->subnet[subnet].has_uplink = true;
    return HN_OK;
}

int hn_net_set_site_uplink(hn_net *net, const char *name, hn_pair_cost cost)
{
    REFUSE_NULL(net);
    REFUSE_NULL(name);
    int site = net_find_site(net, name);
    if (site < 0)
        return error_set(HN_EARG, "there is no site %s", name);
    if (!is_pair_cost(&cost))
        return HN_EARG;
    net->site[site].uplink = cost;
    net->site[site].has_uplink = true;
    return HN_OK;
}

/* Removes everything that concerns routes.  Subnets with their hosts and media stay, and so do the
 * names of sites. */
void net_forget_routes(hn_net *net)
{
    pairs_free(&net->pairs);
    pairs_free(&net->links);
    pairs_free(&net->trunks);
    net_forget_lines(net);
    for (int s = 0; s < net->nsubnet; s++) {
        /* Multicast is a property of the subnet, as its medium is, and is kept. */
        struct net_subnet *subnet = &net->subnet[s];
        subnet->site = -1;
        subnet->cost = subnet->uplink = (hn_pair_cost){0};
        subnet->has_cost = subnet->has_uplink = false;
        subnet->wire = 0;
        subnet->message = 0;
    }
    for (int i = 0; i < net->nsite; i++) {
        net->site[i].uplink = (hn_pair_cost){0};
        net->site[i].has_uplink = false;
    }
}

/* ---- channels ----------------------------------------------------------------------------- */

/* Channels are wires, uplinks, links and ports that may be shared; their numbers depend on the
 * model only.  Numbering of channels: wires of subnets, uplinks out, uplinks in, links, links of
 * sites, uplinks of sites out and in, lines in both directions, hosts out, hosts in, machines. The
 * blocks are consecutive, so an id depends on the counts only, not on which of the channels exist.
 * Ids are not stable over changes of the model. */
static int first_site_channel(const hn_net *net)
{
    return 3 * net->nsubnet + net->links.used + net->trunks.used;
}

/* Two for each site before: out and in. */
static int first_line_channel(const hn_net *net)
{
    return first_site_channel(net) + 2 * net->nsite;
}

/* Two for each line before: one for each direction. */
static int first_host_channel(const hn_net *net)
{
    return first_line_channel(net) + 2 * net->nline;
}

int hn_net_channel_count(const hn_net *net)
{
    return first_host_channel(net) + 2 * net->n + net->nmachine;
}

/* Adds a channel.  A cost of 0 means that it never delays messages: then it is no channel, and the
 * next one takes its entry.  Returns the number of entries added. */
static int put_channel(hn_channel *route, int id, hn_per_byte per_byte)
{
    *route = (hn_channel){id, per_byte, 0};
    return per_byte > 0;
}

static int put_bus(const hn_net *net, int subnet, hn_channel *route)
{
    const struct net_subnet *bus = &net->subnet[subnet];
    if (bus->medium != HN_MEDIUM_BUS)
        return 0;
    /* The time of each message on a bus; without a wire's cost the entry is not kept. Without a
     * cost of the wire itself, its time for a byte is that of a message between two members. */
    int put = put_channel(route, subnet, bus->wire ? bus->wire : bus->cost.per_byte);
    route->message = bus->message;
    return put;
}

/* Adds the channel of two subnets' link if it has a wire, or else of their sites' link. */
static int put_link(const hn_net *net, int from, int to, hn_channel *route)
{
    const struct pair *link = net_wired_link(net, from, to);
    if (!link)
        return 0;
    /* Links of sites are numbered after those of subnets. */
    bool own = link == pairs_find(&net->links, from, to);
    return put_channel(route, 3 * net->nsubnet + link->number + (own ? 0 : net->links.used),
                       link->wire);
}

/* Adds the uplink of a subnet's site, out (side 0) or in (1), on a route between two subnets. */
static int put_site(const hn_net *net, int here, int there, int side, hn_channel *route)
{
    int subnet = side ? there : here, site = net->subnet[subnet].site;
    /* Within one site a message does not pass the site's uplink. */
    if (site < 0 || net->subnet[here].site == net->subnet[there].site)
        return 0;
    int id = first_site_channel(net) + side * net->nsite + site;
    return put_channel(route, id, site_uplink(net, subnet).per_byte);
}

/* A set bit is a line on the route. */
static int put_lines(const hn_net *net, int here, int there, hn_channel *route)
{
    int n = 0;
    for (int direction = 0; direction < 2; direction++)
        /* The lowest bit first, so lines are in the order of the file. */
        for (uint64_t left = net_lines(net, here, there, direction); left; left &= left - 1) {
            int line = __builtin_ctzll(left), id = first_line_channel(net) + 2 * line + direction;
            n += put_channel(route + n, id, net->line[line].per_byte);
        }
    return n;
}

/* Adds the channels between two subnets, or inside one. In the order in which a message passes
 * them. */
static int put_between(const hn_net *net, int here, int there, hn_channel *route)
{
    int n = put_bus(net, here, route);
    if (here == there)
        return n;
    n += put_channel(route + n, net->nsubnet + here, net->subnet[here].uplink.per_byte);
    n += put_site(net, here, there, 0, route + n);
    n += put_link(net, here, there, route + n);
    n += put_lines(net, here, there, route + n);
    n += put_site(net, here, there, 1, route + n);
    n += put_channel(route + n, 2 * net->nsubnet + there, net->subnet[there].uplink.per_byte);
    return n + put_bus(net, there, route + n);
}

/* The machines of both ends, which may be one. */
static int put_machines(const hn_net *net, int from, int to, int first, hn_channel *route)
{
    /* A machine whose bytes cost nothing is no channel, even if its messages cost time:
     * hn_net_machines() reports that. */
    hn_machine_use use[2];
    int count = hn_net_machines(net, from, to, use), n = 0;
    for (int i = 0; i < count; i++)
        n += put_channel(route + n, first + use[i].machine, use[i].cost.per_byte);
    return n;
}

/* The order is that of a message: port out, subnet or media between subnets, port in; machines
 * last. */
int hn_net_way(const hn_net *net, int from, int to, hn_channel route[HN_WAY_MOST])
{
    int hosts = first_host_channel(net);
    /* A host's message to itself passes nothing that is shared. */
    if (from == to)
        return 0;
    int n = put_channel(route, hosts + from, net->host[from].cost.send_gap);
    /* If the port has no gap, this entry is overwritten by the next channel, with its time for each
     * message. */
    route->message = net->host[from].cost.send_gap_const;
    n += put_between(net, net->host[from].subnet, net->host[to].subnet, route + n);
    n += put_channel(route + n, hosts + net->n + to, net->host[to].cost.recv_gap);
    return n + put_machines(net, from, to, hosts + 2 * net->n, route + n);
}
