/* address_order.h - in which order the addresses of another host are dialled, and how long after
 * each other.
 *
 * Two hosts may share several networks: a cable and a wireless one, 1 and 10 Gb/s, a VPN.  An
 * address for which packets leave by another interface of this host is another route.  Routes are
 * dialled so soon after each other that the one with the shortest round trip answers first; but
 * where the kernel says that an interface is at least twice as fast as another one, its route comes
 * first, and the slower one only when that does not answer.  Among the others the given order
 * stays.  A route that has become slow (route_rate.h) is dialled when no other one has answered.
 */
#pragma once

#include <net/if.h>
#include <stdbool.h>

struct dial_address;

/* Milliseconds between routes: a handshake on a quick network takes less. */
enum { ROUTE_STAGGER = 3 };

/* How packets leave this host. */
struct route {
    char interface[IFNAMSIZ]; /* "?": no way is known */
    long speed;               /* Mb/s, 0: the kernel does not know */
};

/* That of a connected socket. */
struct route route_of(int fd);
/* Orders n addresses (AF_INET6), and sets how long after the one before it each is dialled. left:
 * NULL, or a route that has become slow. Whether another one than that comes first. */
bool address_order(struct dial_address *address, unsigned n, const struct route *left);
