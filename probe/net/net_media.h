/* net_media.h - the media between two hosts for drawings: buses, uplinks, links and shared lines.
 *
 * Ports and machines are left out, because a drawing shows them with the hosts. */
#pragma once

#include "hnow_net.h"

/* The kinds in the order in which net_medium_name() names them; ports and machines have none. */
enum net_medium_kind { NET_BUS, NET_UPLINK, NET_SITE_UPLINK, NET_LINK, NET_SITE_LINK, NET_LINE };

/* `which` is a subnet, a site or a line. For a link, `other` is the subnet (site) at its far end.
 * For other media with two directions, `other` is the direction: 0 out, 1 in. */
struct net_medium {
    enum net_medium_kind kind;
    int which, other;
};

/* NET_MEDIUM_TEXT: bytes. The longest text, a link between two names of 40 letters, takes 90. */
enum { NET_MEDIA_MOST = HN_WAY_MOST + 1, NET_MEDIUM_TEXT = 96 };

/* Stores the media between two hosts in the order of the route. Returns their number. */
int net_media(const hn_net *net, int from, int to, struct net_medium medium[NET_MEDIA_MOST]);
/* Writes the medium's name, truncated to fit. Returns text. */
const char *net_medium_name(const hn_net *net, struct net_medium medium,
                            char text[NET_MEDIUM_TEXT]);
