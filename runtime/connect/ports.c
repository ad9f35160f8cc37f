/* ports.c - the sockets on which a task listens (which and when: ports.h).
 *
 * Sequence of ports_open(): reserve a port by a socket that is bound to all addresses.  Then listen
 * with it, or with further sockets on the same port at single addresses.  SO_REUSEADDR permits the
 * latter, because the reserving socket does not listen.
 *
 * All functions leave errno as the reason of a failure, until ports_open() makes a text of it.
 */
#include "connect/ports.h"

#include "base/error.h"
#include "connect/holder.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Closes a descriptor and restores errno, which close() may change; returns -1. */
static int close_with(int fd, int why)
{
    close(fd);
    errno = why;
    return -1;
}

/* A socket of this family; IPv6 also accepts IPv4 if `both`. -1: see errno. */
static int new_socket(int family, bool both)
{
    int only = !both, on = 1;
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
    /* the port of an earlier job is in TIME_WAIT for a minute; and the reserving socket uses it,
     * too */
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return fd;
}

/* The socket's family must be that of the address.  `scope` matters for link-local addresses
 * only. */
static int bind_to(int fd, const struct address *address, uint16_t port)
{
    struct sockaddr_in6 a6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_scope_id = address->scope};
    struct sockaddr_in a4 = {.sin_family = AF_INET, .sin_port = htons(port)};

    memcpy(&a6.sin6_addr, address->ip, 16);
    memcpy(&a4.sin_addr, address->ip, 4);
    return address->family == 6 ? bind(fd, (struct sockaddr *)&a6, sizeof a6)
                                : bind(fd, (struct sockaddr *)&a4, sizeof a4);
}

/* A socket bound to all addresses of IPv6 and IPv4, or only of IPv4 if there is no IPv6. */
static int reserve(uint16_t port)
{
    const struct address any6 = {.family = 6}, any4 = {.family = 4};
    int fd = new_socket(AF_INET6, true);
    const struct address *any = fd < 0 ? &any4 : &any6;

    if (fd < 0)
        fd = new_socket(AF_INET, false);
    return fd < 0 || bind_to(fd, any, port) == 0 ? fd : close_with(fd, errno);
}

static uint16_t port_of(int fd)
{
    struct sockaddr_in6 a = {0};
    socklen_t size = sizeof a;

    getsockname(fd, (struct sockaddr *)&a, &size);
    return ntohs(a.sin6_port); /* at the same offset in both families */
}

/* Adds a socket on the reserved port.  False: see errno. */
static bool listen_at(struct ports *p, const struct address *address)
{
    int fd = new_socket(address->family == 6 ? AF_INET6 : AF_INET, false);

    if (fd < 0)
        return false;
    if (bind_to(fd, address, p->port) || listen(fd, SOMAXCONN)) {
        close_with(fd, errno);
        return false;
    }
    p->fd[p->count++] = fd;
    return true;
}

/* The reserving socket itself listens, and is no reservation any more. */
static bool listen_everywhere(struct ports *p)
{
    if (listen(p->reserve, SOMAXCONN))
        return false;
    p->fd[p->count++] = p->reserve;
    p->reserve = -1;
    return true;
}

/* True if at least one address of the interface works. errno is the last failure, or EADDRNOTAVAIL
 * if no address matches. */
static bool listen_on_interface(struct ports *p, const char *iface)
{
    struct address *own;
    size_t n;
    int why = EADDRNOTAVAIL;

    if (addresses_own(&own, &n) != HN_OK)
        return false;
    for (size_t i = 0; i < n && p->count < PORTS_SOCKETS; i++)
        if (address_matches(&own[i], iface) && !listen_at(p, &own[i]))
            why = errno;
    free(own);
    errno = why;
    return p->count > 0;
}

static bool listen_wide(struct ports *p, const char *iface)
{
    return iface[0] ? listen_on_interface(p, iface) : listen_everywhere(p);
}

/* On failure everything is closed again, and errno says why. */
static bool open_at(struct ports *p, uint16_t port, const char *iface, bool wide)
{
    const struct address loopback = {.family = 4, .ip = {127, 0, 0, 1}};

    p->reserve = reserve(port);
    if (p->reserve < 0)
        return false;
    p->port = port_of(p->reserve);
    if (wide ? listen_wide(p, iface) : listen_at(p, &loopback))
        return true;
    int why = errno;
    ports_close(p);
    errno = why;
    return false;
}

/* Sets the error text.  For a range it also names the process that holds one of the ports. */
static int none(const char *range, unsigned low, unsigned high, int error)
{
    char holder[100];

    if (high == 0)
        return error_set(HN_ESYS, "no port to listen on: %s", strerror(error));
    holder_of_ports(low, high, holder, sizeof holder);
    return error_set(HN_ESYS, "no port of %s is free to listen on: %s%s; choose other -ports",
                     range, strerror(error), holder);
}

void ports_init(struct ports *p)
{
    *p = (struct ports){.reserve = -1};
}

/* Tries the ports of the range in ascending order.  Any error but "in use" or "not permitted" would
 * be the same for the next port, and ends the search. */
int ports_open(struct ports *p, const char *range, const char *iface, bool wide)
{
    unsigned low = 0, high = 0;

    if (sscanf(range, "%u:%u", &low, &high) != 2)
        /* port 0: the kernel chooses one */
        low = high = 0;
    for (unsigned port = low; port <= high && port <= UINT16_MAX; port++) {
        if (open_at(p, (uint16_t)port, iface, wide))
            return HN_OK;
        if (errno != EADDRINUSE && errno != EACCES)
            break;
    }
    return none(range, low, high, errno);
}

/* The sockets on loopback are closed first.  Tasks on this host do not need them: they use the UNIX
 * socket. */
bool ports_widen(struct ports *p, const char *iface)
{
    for (; p->count > 0; p->count--)
        close(p->fd[p->count - 1]);
    return listen_wide(p, iface);
}

void ports_close(struct ports *p)
{
    for (unsigned i = 0; i < p->count; i++)
        close(p->fd[i]);
    if (p->reserve >= 0)
        close(p->reserve);
    ports_init(p);
}
