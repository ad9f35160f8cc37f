/* address_order.c - sorts the addresses of another host (rules: address_order.h).
 *
 * Insertion sort, since there are at most DIAL_ATTEMPTS addresses, and `precedes` is not a strict
 * order: only neighbours are compared.  Cost: one socket for each address, to ask the kernel for
 * its route.
 */
#include "connect/address_order.h"

#include "base/addresses.h"
#include "connect/dial.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The speed of an interface in Mb/s; 0: unknown.  Usually only cables report one; a wireless
 * interface or a tunnel reports nothing, or 10. */
static long speed_of(const char *interface)
{
    char path[64 + IFNAMSIZ];
    long speed = 0;
    snprintf(path, sizeof path, "/sys/class/net/%s/speed", interface);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%ld", &speed) != 1 || speed < 0)
        speed = 0;
    fclose(file);
    return speed;
}

/* Finds the interface by the socket's own address. "?" if the address has left the host
 * meanwhile. */
struct route route_of(int fd)
{
    struct route route = {.interface = "?"};
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    struct address from;

    if (getsockname(fd, (struct sockaddr *)&own, &size) == 0 &&
        address_from_socket(&from, (const struct sockaddr *)&own)) {
        addresses_interface(&from, route.interface);
        route.speed = speed_of(route.interface);
    }
    return route;
}

/* The kernel's route to an address.  Connects an unbound UDP socket, which sends nothing. */
static struct route route_to(const struct dial_address *to)
{
    struct route route = {.interface = "?"};
    int off = 0, fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return route;
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (connect(fd, (const struct sockaddr *)&to->at, to->length) == 0)
        route = route_of(fd);
    close(fd);
    return route;
}

/* A route of unknown speed is neither much faster nor much slower than another. */
static bool is_much_faster(const struct route *a, const struct route *b)
{
    return b->speed > 0 && a->speed >= 2 * b->speed;
}

/* `b` may be NULL, and then the routes differ. */
static bool is_same(const struct route *a, const struct route *b)
{
    return b && strcmp(a->interface, b->interface) == 0;
}

/* Whether route a is dialled before b: it is much faster, or b has become slow (`left`).  A slow
 * route stays in front if the other one is much slower anyway. */
static bool precedes(const struct route *a, const struct route *b, const struct route *left)
{
    return is_much_faster(a, b) || (is_same(b, left) && !is_same(a, left) && !is_much_faster(b, a));
}

/* Whether the route uses another interface than all before it, and may be the best. */
static bool is_candidate(const struct route *routes, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (is_same(&routes[k], &routes[i]) || is_much_faster(&routes[k], &routes[i]))
            return false;
    return true;
}

/* Without a choice (n <= 1) no route is looked up.  The delay before an address is short only if
 * its route may be the best. */
bool address_order(struct dial_address *address, unsigned n, const struct route *left)
{
    struct route routes[DIAL_ATTEMPTS];
    for (unsigned i = 0; i < n; i++) {
        struct dial_address one = address[i];
        struct route route = n > 1 ? route_to(&one) : (struct route){.interface = "?"};
        unsigned at = i;
        for (; at > 0 && precedes(&route, &routes[at - 1], left); at--) {
            address[at] = address[at - 1];
            routes[at] = routes[at - 1];
        }
        address[at] = one;
        routes[at] = route;
    }
    for (unsigned i = 0; i < n; i++)
        address[i].after = i > 0 && !is_same(&routes[i], left) && is_candidate(routes, i)
                               ? ROUTE_STAGGER
                               : DIAL_STAGGER;
    return n > 1 && left && !is_same(&routes[0], left);
}
