/* derive_previous.c - keeps what a network file says that its known hosts share.
 *
 * Subnets and sites of the new model differ from those of the file: hosts may have joined them, or
 * two may have become one. So a subnet of the file corresponds to the new subnet of its first known
 * host. A site corresponds to that host's site, or to its subnet if sites are no separate level any
 * more. Later measurements replace the values taken from the file.
 */
#include "derive/derivation.h"

/* The file's number of a rank's subnet. */
static int old_subnet(const struct derivation *d, int rank)
{
    return d->previous->net->host[d->previous->host[rank]].subnet;
}

/* True for the rank that represents its old subnet: the first known one. */
static bool is_head(const struct derivation *d, int rank)
{
    bool head = d->previous->known[rank];
    for (int i = 0; i < rank && head; i++)
        head = !d->previous->known[i] || old_subnet(d, i) != old_subnet(d, rank);
    return head;
}

/* ---- switches ----------------------------------------------------------------------------- */

/* True if the old subnet of a rank has a shared uplink, or a shared link to another subnet. */
static bool shares(const struct derivation *d, int rank)
{
    const hn_net *net = d->previous->net;
    int subnet = old_subnet(d, rank);
    bool shared = net->subnet[subnet].uplink.per_byte > 0;
    for (int other = 0; other < net->nsubnet && !shared; other++) {
        const struct pair *link = pairs_find(&net->links, subnet, other);
        shared = link && link->wire;
    }
    return shared;
}

/* label[]: number of a set of hosts behind one switch; hosts that have a label keep it. */
void derive_previous_switches(const struct derivation *d, int *label)
{
    for (int head = 0; d->previous && head < d->n; head++) {
        if (!is_head(d, head) || !shares(d, head))
            continue;
        for (int i = head; i < d->n; i++)
            if (d->previous->known[i] && label[i] < 0 && old_subnet(d, i) == old_subnet(d, head))
                label[i] = head;
    }
}

/* ---- media -------------------------------------------------------------------------------- */

/* A subnet whose medium is known from the file keeps that. */
void derive_previous_media(struct derivation *d)
{
    for (int rank = 0; d->previous && rank < d->n; rank++) {
        const struct net_subnet *old = &d->previous->net->subnet[old_subnet(d, rank)];
        int subnet = d->subnet_of[rank];
        if (!d->previous->known[rank] || old->medium == HN_MEDIUM_UNKNOWN)
            continue;
        d->medium[subnet] = old->medium;
        d->message[subnet] = old->medium == HN_MEDIUM_BUS ? old->message : 0;
    }
}

/* ---- links and uplinks -------------------------------------------------------------------- */

/* Takes a link between sites if these are a separate level, else between subnets. Only links with a
 * capacity of their own are kept; costs are measured anew. */
static void take_link(struct derivation *d, int from, int to)
{
    const struct pair *link =
        net_wired_link(d->previous->net, old_subnet(d, from), old_subnet(d, to));
    bool by_site =
        derivation_by_site(d) && derivation_unit(d, true, from) != derivation_unit(d, true, to);
    int a = derivation_unit(d, by_site, from), b = derivation_unit(d, by_site, to);
    if (link && a != b)
        (by_site ? d->trunk : d->wire)[a * (by_site ? d->sites : d->subnets) + b] = link->wire;
}

/* An uplink of a site becomes one of its subnet if sites are no level of their own any more. */
static void take_uplinks(struct derivation *d, int head)
{
    const hn_net *net = d->previous->net;
    const struct net_subnet *old = &net->subnet[old_subnet(d, head)];
    hn_per_byte site = old->site < 0 ? 0 : net->site[old->site].uplink.per_byte;
    if (old->uplink.per_byte)
        d->uplink[d->subnet_of[head]] = old->uplink.per_byte;
    if (site && derivation_by_site(d))
        d->site_uplink[derivation_unit(d, true, head)] = site;
    else if (site)
        d->uplink[d->subnet_of[head]] = site;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* True if an end of an old line names a subnet, not only sites. */
static bool ends_at_subnet(const hn_net *net, int number)
{
    for (int s = 0; s < net->nsubnet; s++)
        if ((net->subnet[s].line[0] | net->subnet[s].line[1]) >> number & 1)
            return true;
    return false;
}

/* A unit can be the new place of several old ones. */
static void add_unit(struct derivation_line *line, int end, int unit)
{
    for (int i = 0; i < line->count[end]; i++)
        if (line->unit[end][i] == unit)
            return;
    if (line->count[end] < BISECTIONS_UNITS)
        line->unit[end][line->count[end]++] = unit;
}

/* A line of which one end has no known host is left out. */
static int take_line(struct derivation *d, int number)
{
    const hn_net *net = d->previous->net;
    struct derivation_line line = {.by_site = derivation_by_site(d) && !ends_at_subnet(net, number),
                                   .wire = net->line[number].per_byte};
    for (int head = 0; head < d->n; head++) {
        const struct net_subnet *old = &net->subnet[old_subnet(d, head)];
        bool is_one = is_head(d, head);
        for (int end = 0; end < 2 && is_one; end++) {
            uint64_t at = old->line[end] | (old->site < 0 ? 0 : net->site[old->site].line[end]);
            if (at >> number & 1)
                add_unit(&line, end, derivation_unit(d, line.by_site, head));
        }
    }
    return line.count[0] && line.count[1] ? derivation_add_line(d, &line) : HN_OK;
}

int derive_previous_shared(struct derivation *d)
{
    int code = HN_OK;
    for (int from = 0; d->previous && from < d->n; from++) {
        if (!is_head(d, from))
            continue;
        take_uplinks(d, from);
        for (int to = 0; to < d->n; to++)
            if (to != from && is_head(d, to))
                take_link(d, from, to);
    }
    for (int i = 0; d->previous && i < d->previous->net->nline && code == HN_OK; i++)
        code = take_line(d, i);
    return code;
}
