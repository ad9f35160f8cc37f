/* address_order.h - the order in which the addresses of another host are dialled, and the delay
 * between them.
 *
 * Two hosts may share several networks: a cable and a wireless one, 1 and 10 Gb/s, a VPN.  Two
 * addresses belong to different routes if packets to them leave by different interfaces.  Routes
 * are dialled in such quick succession that the one with the shortest round trip answers first.  If
 * the kernel reports that an interface is at least twice as fast as another one, its route is
 * dialled first.  The slower route is then dialled only if the faster one does not answer.
 * Otherwise the given order is kept.  A route that has become slow (route_rate.h) is dialled last.
 */
#pragma once

#include <net/if.h>
#include <stdbool.h>

struct dial_address;

/* Milliseconds between routes: a handshake on a fast network takes less. */
enum { ROUTE_STAGGER = 3 };

/* How packets leave this host. */
struct route {
    char interface[IFNAMSIZ]; /* "?": no route is known */
    long speed;               /* Mb/s; 0: unknown to the kernel */
};

/* The route of a connected socket. */
struct route route_of(int fd);
/* Orders n addresses (AF_INET6), and sets the delay after which each is dialled. left: a route that
 * has become slow, or NULL.  Returns whether another route comes first. */
bool address_order(struct dial_address *address, unsigned n, const struct route *left);
