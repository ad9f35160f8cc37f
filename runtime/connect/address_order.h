/* address_order.h - in which order the addresses of another host are dialled, and how long after
 * each other.
 *
 * Two hosts may share several networks: a cable and a wireless one, 1 and 10 Gb/s, a VPN.  An
 * address for which packets leave by another interface of this host is another route.  Routes are
 * dialled so soon after each other that the one with the shortest round trip answers first; but
 * where the kernel says that an interface is at least twice as fast as another one, its route comes
 * first, and the slower one only when that does not answer.  Among the others the given order
 * stays.
 */
#ifndef HNOW_ADDRESS_ORDER_H
#define HNOW_ADDRESS_ORDER_H

struct dial_address;

/* Milliseconds between routes: a handshake on a quick network takes less. */
enum { ROUTE_STAGGER = 3 };

/* Orders n addresses (AF_INET6), and sets how long after the one before it each is dialled. */
void address_order(struct dial_address *address, unsigned n);

#endif
