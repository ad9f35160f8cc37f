/* net_subnets.c - the subnets and sites of a network model, and their members.
 *
 * Two things are stored twice: each host has its subnet's number, and each subnet a sorted list of
 * members. The hosts' numbers are the truth. net_regroup() makes the lists from them, in O(hosts +
 * subnets), and must be called before any query after a change.
 *
 * Subnets without members do not exist outside this file. When one loses its last member, those
 * behind it move up, with their links and lines.
 */
#include "net/net.h"

#include <stdlib.h>
#include <string.h>

int hn_net_subnet_count(const hn_net *net)
{
    return net->nsubnet;
}

int hn_net_subnet_of(const hn_net *net, int host)
{
    return net->host[host].subnet;
}

const char *hn_net_subnet_name(const hn_net *net, int subnet)
{
    return net->subnet[subnet].name;
}

/* Linear: subnets are few, and only the text of files and options is looked up by name. */
int hn_net_subnet_index(const hn_net *net, const char *name)
{
    REFUSE_NULL(net);
    REFUSE_NULL(name);
    for (int i = 0; i < net->nsubnet; i++)
        if (strcmp(net->subnet[i].name, name) == 0)
            return i;
    return error_set(HN_EARG, "there is no subnet %s in the network", name);
}

hn_medium hn_net_subnet_medium(const hn_net *net, int subnet)
{
    return net->subnet[subnet].medium;
}

int hn_net_subnet_multicast(const hn_net *net, int subnet)
{
    return net->subnet[subnet].multicast;
}

const int *hn_net_subnet_hosts(const hn_net *net, int subnet, int *count)
{
    *count = net->subnet[subnet].count;
    return net->subnet[subnet].host;
}

const char *hn_net_subnet_site(const hn_net *net, int subnet)
{
    int site = net->subnet[subnet].site;
    return site < 0 ? "" : net->site[site].name;
}

hn_pair_cost net_inside(const hn_net *net, int subnet)
{
    const struct net_subnet *s = &net->subnet[subnet];
    /* A bus's or switch's members have equal costs by definition. The first two hosts are as good
     * as any for a subnet whose pairs are stated one by one. */
    return s->has_cost || s->count < 2 ? s->cost : hn_net_pair(net, s->host[0], s->host[1]);
}

/* With three routes an outlier, such as one with a slow host at its end, is not the median. */
hn_pair_cost net_between(const hn_net *net, int a, int b)
{
    const struct net_subnet *from = &net->subnet[a], *to = &net->subnet[b];
    hn_pair_cost route[3];
    for (int i = 0; i < 3; i++) {
        /* A subnet with fewer than three members gives the same host again; its other routes still
         * count. */
        hn_pair_cost cost = hn_net_pair(net, from->host[i % from->count], to->host[i % to->count]);
        int at = i;
        /* Insertion sort by cost per byte; three entries need no more. */
        for (; at > 0 && cost.per_byte < route[at - 1].per_byte; at--)
            route[at] = route[at - 1];
        route[at] = cost;
    }
    return route[1];
}

int hn_net_set_medium(hn_net *net, int subnet, hn_medium medium)
{
    REFUSE_NULL(net);
    if (subnet < 0 || subnet >= net->nsubnet || (unsigned)medium > HN_MEDIUM_SWITCH)
        return error_set(HN_EARG, "there is no subnet %d, or no medium %d", subnet, (int)medium);
    net->subnet[subnet].medium = medium;
    return HN_OK;
}

int hn_net_set_multicast(hn_net *net, int subnet, int multicast)
{
    REFUSE_NULL(net);
    if (subnet < 0 || subnet >= net->nsubnet)
        return error_set(HN_EARG, "there is no subnet %d", subnet);
    net->subnet[subnet].multicast = multicast != 0;
    return HN_OK;
}

int hn_net_set_wire(hn_net *net, int subnet, hn_per_byte per_byte, hn_time message)
{
    REFUSE_NULL(net);
    /* 0 removes both costs of the wire, which then counts as the cost between members. */
    if (subnet < 0 || subnet >= net->nsubnet || per_byte < 0 || per_byte > HN_PER_BYTE_MOST ||
        message < 0 || message > HN_TIME_MOST)
        return error_set(HN_EARG, "there is no subnet %d, or its wire's cost is impossible",
                         subnet);
    net->subnet[subnet].wire = per_byte;
    net->subnet[subnet].message = message;
    return HN_OK;
}

/* ---- sites -------------------------------------------------------------------------------- */

/* Sites are few, so a linear search is enough. */
int net_find_site(const hn_net *net, const char *name)
{
    for (int i = 0; i < net->nsite; i++)
        if (strcmp(net->site[i].name, name) == 0)
            return i;
    return HN_EARG;
}

/* Returns the index of a site, which is added if it is new; HN_ENOMEM.  The name is copied. */
static int net_site(hn_net *net, const char *name)
{
    int site = net_find_site(net, name);
    if (site >= 0)
        return site;
    /* The copy is made first: if the array cannot grow, the unused text stays in the arena and
     * harms nothing. */
    char *copy = arena_strdup(&net->arena, name);
    if (!copy || !ARRAY_ROOM(net->site, net->nsite + 1))
        return error_set(HN_ENOMEM, "no memory for site %s", name);
    net->site[net->nsite] = (struct net_site){.name = copy};
    return net->nsite++;
}

int hn_net_set_site(hn_net *net, int subnet, const char *site)
{
    REFUSE_NULL(net);
    REFUSE_NULL(site);
    /* "" takes the subnet out of its site. A site that no subnet refers to any more remains in the
     * table. */
    if (subnet < 0 || subnet >= net->nsubnet || (*site && !hosts_is_name(site)))
        return error_set(HN_EARG, "there is no subnet %d, or \"%s\" is no name", subnet, site);
    int index = *site ? net_site(net, site) : -1;
    if (*site && index < 0)
        return index;
    net->subnet[subnet].site = index;
    return HN_OK;
}

/* ---- construction of subnets -------------------------------------------------------------- */

int net_append_subnet(hn_net *net, const char *name, hn_medium medium)
{
    char *copy = arena_strdup(&net->arena, name);
    if (!copy || !ARRAY_ROOM(net->subnet, net->nsubnet + 1))
        return error_set(HN_ENOMEM, "no memory for subnet %s", name);
    net->subnet[net->nsubnet] = (struct net_subnet){.name = copy, .medium = medium, .site = -1};
    return net->nsubnet++;
}

/* From the end, so that the numbers of those that are still to be looked at do not change. Links of
 * removed subnets go with them, and later numbers are lowered. */
static int drop_empty(hn_net *net)
{
    /* The links go first, since an error there must leave a model that can still be freed. */
    for (int s = net->nsubnet - 1; s >= 0; s--) {
        if (net->subnet[s].count > 0)
            continue;
        int code = pairs_remove_member(&net->links, s);
        if (code < 0)
            return code;
        free(net->subnet[s].host);
        /* The bit sets of lines are a part of the struct, so they move with it. */
        memmove(&net->subnet[s], &net->subnet[s + 1],
                (size_t)(net->nsubnet - s - 1) * sizeof *net->subnet);
        net->nsubnet--;
    }
    return HN_OK;
}

/* Returns the new number of each subnet once empty ones are removed; the caller frees the array. */
static int *new_places(const hn_net *net)
{
    int *place = malloc((size_t)net->nsubnet * sizeof *place);
    for (int s = 0, next = 0; place && s < net->nsubnet; s++)
        place[s] = net->subnet[s].count ? next++ : -1;
    return place;
}

/* Hosts are visited by number, so the members of each subnet are sorted. Member lists are rebuilt
 * from the hosts' subnets; empty subnets disappear. */
int net_regroup(hn_net *net)
{
    /* Count first, so that each list gets its room in one step; then fill. */
    for (int s = 0; s < net->nsubnet; s++)
        net->subnet[s].count = 0;
    for (int i = 0; i < net->n; i++)
        net->subnet[net->host[i].subnet].count++;
    for (int s = 0; s < net->nsubnet; s++) {
        struct net_subnet *subnet = &net->subnet[s];
        /* One entry more than members: an empty list needs an address, too. */
        if (!ARRAY_ROOM(subnet->host, subnet->count + 1))
            return error_set(HN_ENOMEM, "no memory for subnet %s", subnet->name);
    }
    /* New numbers are needed before empty subnets are dropped, which changes the numbers. */
    int *place = new_places(net);
    if (!place)
        return error_set(HN_ENOMEM, "no memory for the subnets");
    int code = drop_empty(net);
    /* The counts are made again while the lists are filled in the order of the hosts. */
    for (int s = 0; s < net->nsubnet; s++)
        net->subnet[s].count = 0;
    for (int i = 0; code == HN_OK && i < net->n; i++) {
        struct net_subnet *subnet = &net->subnet[net->host[i].subnet = place[net->host[i].subnet]];
        subnet->host[subnet->count++] = i;
    }
    free(place);
    return code;
}

/* The new subnet may take the name of one that gives it all its members. hprobe replaces the
 * subnets of a file one by one, and keeps their names. */
static bool name_is_taken(const hn_net *net, const char *name, const int *hosts, int count)
{
    int other = 0, taken = 0;
    /* The lists of members are still those from before, so the numbers of hosts and their subnets
     * agree. */
    while (other < net->nsubnet && strcmp(net->subnet[other].name, name) != 0)
        other++;
    if (other == net->nsubnet)
        return false;
    for (int i = 0; i < count; i++)
        taken += net->host[hosts[i]].subnet == other;
    return taken < net->subnet[other].count;
}

/* Members leave the subnets that they were in. */
int hn_net_add_subnet(hn_net *net, const char *name, hn_medium medium, const int *hosts, int count)
{
    REFUSE_NULL(net);
    REFUSE_NULL(name);
    REFUSE_NULL(hosts);
    if (count < 1 || !hosts_is_name(name) || (unsigned)medium > HN_MEDIUM_SWITCH)
        return error_set(HN_EARG, "subnet \"%s\" of %d hosts cannot be made", name, count);
    /* All arguments are checked before the first change, hence HN_EARG leaves the model as it was.
     */
    for (int i = 0; i < count; i++)
        if (hosts[i] < 0 || hosts[i] >= net->n)
            return error_set(HN_EARG, "there is no host %d in a network of %d", hosts[i], net->n);
    if (name_is_taken(net, name, hosts, count))
        return error_set(HN_EARG, "there is a subnet %s already", name);
    int subnet = net_append_subnet(net, name, medium);
    if (subnet < 0)
        return subnet;
    /* A host named twice in `hosts` is one member: only its number is set, twice. */
    for (int i = 0; i < count; i++)
        net->host[hosts[i]].subnet = subnet;
    return net_regroup(net);
}
