/* net_media.c - the media between two hosts, and their names (net_media.h).
 *
 * Media are listed in the order in which a message passes them: bus, uplinks out, lines and links,
 * uplinks in, bus.
 *
 * The list is like hn_net_way()'s, with two differences. A medium is listed if it exists in the
 * file, also without a cost per byte. Ports and machines are missing.
 */
#include "net/net_media.h"

#include "net/net.h"

#include <stdio.h>

/* The caller's array, and the number of entries so far. */
struct media {
    struct net_medium *medium;
    int count;
};

/* Appends a medium if it exists. */
static void add(struct media *m, bool exists, enum net_medium_kind kind, int which, int other)
{
    if (exists)
        m->medium[m->count++] = (struct net_medium){kind, which, other};
}

/* A switch shares nothing between its ports, so it is no medium here. */
static void add_bus(const hn_net *net, struct media *m, int subnet)
{
    add(m, net->subnet[subnet].medium == HN_MEDIUM_BUS, NET_BUS, subnet, 0);
}

/* A route passes the site's uplink only when it leaves the site. */
static bool has_site_uplink(const hn_net *net, int subnet, bool leaves)
{
    int site = net->subnet[subnet].site;
    return leaves && site >= 0 && net->site[site].has_uplink;
}

/* Adds the uplinks of a subnet and of its site.  On the way out (0) the subnet's comes first, on
 * the way in (1) the site's. A subnet's own uplink is passed also inside a site. */
static void add_uplinks(const hn_net *net, struct media *m, int subnet, int direction, bool leaves)
{
    int site = net->subnet[subnet].site;
    bool has_site = has_site_uplink(net, subnet, leaves);
    if (direction)
        add(m, has_site, NET_SITE_UPLINK, site, direction);
    add(m, net->subnet[subnet].has_uplink, NET_UPLINK, subnet, direction);
    if (!direction)
        add(m, has_site, NET_SITE_UPLINK, site, direction);
}

/* The two directions of one line are two media, as for the simulation. */
static void add_lines(const hn_net *net, struct media *m, int here, int there)
{
    for (int direction = 0; direction < 2; direction++)
        for (int line = 0; line < net->nline; line++)
            add(m, net_lines(net, here, there, direction) >> line & 1, NET_LINE, line, direction);
}

/* Adds the link of two subnets, or of their sites if that is what transfers share. A link that is
 * not shared is shown only if nothing else is between the subnets. */
static void add_link(const hn_net *net, struct media *m, int here, int there, bool others)
{
    const struct pair *wired = net_wired_link(net, here, there);
    int from = net->subnet[here].site, to = net->subnet[there].site;
    bool of_sites = wired && wired != pairs_find(&net->links, here, there);
    if (of_sites)
        add(m, true, NET_SITE_LINK, from, to);
    else
        add(m, wired || !others, NET_LINK, here, there);
}

int net_media(const hn_net *net, int from, int to, struct net_medium medium[NET_MEDIA_MOST])
{
    struct media m = {.medium = medium};
    int here = net->host[from].subnet, there = net->host[to].subnet;
    bool leaves = net->subnet[here].site != net->subnet[there].site;
    if (from == to)
        return 0;
    add_bus(net, &m, here);
    if (here == there)
        return m.count;
    /* A link without a wire is shown only if nothing else is between the two buses. */
    int before = m.count;
    add_uplinks(net, &m, here, 0, leaves);
    add_lines(net, &m, here, there);
    bool others =
        m.count > before || net->subnet[there].has_uplink || has_site_uplink(net, there, leaves);
    add_link(net, &m, here, there, others);
    add_uplinks(net, &m, there, 1, leaves);
    add_bus(net, &m, there);
    return m.count;
}

/* The numbers before the text limit each name, so that two names of 60 letters or more still fit.
 */
const char *net_medium_name(const hn_net *net, struct net_medium medium, char text[NET_MEDIUM_TEXT])
{
    static const char *const direction[] = {"out", "in"}, *const route[] = {"there", "back"};
    int which = medium.which, other = medium.other;
    switch (medium.kind) {
    case NET_BUS:
        snprintf(text, NET_MEDIUM_TEXT, "bus %.60s", net->subnet[which].name);
        break;
    case NET_UPLINK:
        snprintf(text, NET_MEDIUM_TEXT, "uplink %.60s, %s", net->subnet[which].name,
                 direction[other]);
        break;
    case NET_SITE_UPLINK:
        snprintf(text, NET_MEDIUM_TEXT, "uplink %.60s, %s", net->site[which].name,
                 direction[other]);
        break;
    case NET_LINK:
        snprintf(text, NET_MEDIUM_TEXT, "link %.40s to %.40s", net->subnet[which].name,
                 net->subnet[other].name);
        break;
    case NET_SITE_LINK:
        snprintf(text, NET_MEDIUM_TEXT, "link %.40s to %.40s", net->site[which].name,
                 net->site[other].name);
        break;
    case NET_LINE:
        snprintf(text, NET_MEDIUM_TEXT, "line %.60s, %s", net->line[which].name, route[other]);
        break;
    }
    return text;
}
