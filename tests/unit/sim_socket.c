/* sim_socket.c - sockets: names, connections on their way, firewalls; see sim.h.
 *
 * Host n has the addresses 10.0.0.(n + 1) and, for itself, 127.0.0.1; a name of a UNIX socket is
 * one of its host.  A connection takes a round trip of the line between the hosts.  A firewall
 * drops what comes, or refuses it; a line may lose the first packets; a UNIX socket connects at
 * once.
 */
#include "sim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_SOCKETS = 4096, BACKLOG = 64, ROOM = 65536, FIRST_PORT = 40000 };

struct caller {
    double at; /* when it can be accepted */
    struct sim_wire *in, *out;
    struct sim_host *from;
};

struct sim_socket {
    enum { FRESH, LISTENS, CONNECTING, STREAMS, CLOSED } state;
    struct sim_host *host, *other; /* this end's, and the other's */
    int family;
    uint16_t port;
    char name[sizeof(struct sockaddr_un)];
    double at; /* CONNECTING: when that is over */
    int error; /* with this outcome */
    struct sim_wire *in, *out;
    struct caller caller[BACKLOG];
    int callers;
};

struct sim_net sim_net;
static struct sim_socket *sockets[MOST_SOCKETS];
static int nsocket;
static uint16_t next_port;

void sim_net_begin(void)
{
    for (int i = 0; i < nsocket; i++)
        free(sockets[i]);
    nsocket = 0;
    next_port = FIRST_PORT;
    memset(&sim_net, 0, sizeof sim_net);
}

static struct sim_socket *new_socket(int family)
{
    struct sim_socket *s = calloc(1, sizeof *s);
    if (nsocket == MOST_SOCKETS)
        sim_fail("the simulator has no more sockets");
    s->host = sim_self->host;
    s->family = family;
    return sockets[nsocket++] = s;
}

bool sim_socket_streams(const struct sim_socket *s)
{
    return s->state == STREAMS;
}

double sim_socket_readable(const struct sim_socket *s)
{
    return s->state == LISTENS && s->callers > 0 ? s->caller[0].at : INFINITY;
}

double sim_socket_writable(const struct sim_socket *s)
{
    return s->state == CONNECTING ? s->at : INFINITY;
}

/* Who has not been accepted is turned away. */
void sim_socket_closed(struct sim_socket *s)
{
    for (int i = 0; i < s->callers; i++) {
        sim_break(s->caller[i].in, true, false);
        sim_break(s->caller[i].out, true, false);
    }
    s->callers = 0;
    s->state = CLOSED;
}

/* ---- connecting -------------------------------------------------------------------------------
 */

static struct sim_socket *listener(const struct sim_host *host, const struct sockaddr *address)
{
    const struct sockaddr_un *un = (const void *)address;
    const struct sockaddr_in6 *in = (const void *)address;
    for (int i = 0; i < nsocket; i++) {
        struct sim_socket *s = sockets[i];
        bool same = s->state == LISTENS && s->host == host;
        if (same && address->sa_family == AF_UNIX && s->family == AF_UNIX &&
            memcmp(s->name, un->sun_path, sizeof un->sun_path) == 0)
            return s;
        if (same && address->sa_family == AF_INET6 && s->family != AF_UNIX &&
            s->port == ntohs(in->sin6_port))
            return s;
    }
    return NULL;
}

/* The host that an address is one of; NULL: there is none. */
static struct sim_host *addressed(const struct sockaddr_in6 *address)
{
    unsigned n = address->sin6_addr.s6_addr[15];
    if (address->sin6_addr.s6_addr[12] == 127)
        return sim_self->host;
    return n >= 1 && n <= (unsigned)sim_nhosts ? &sim_hosts[n - 1] : NULL;
}

/* Both wires; the connection may be one that breaks. */
static void join(int fd, struct sim_socket *from, struct sim_socket *to, double at)
{
    struct sim_host *line =
        from->host == to->host ? NULL : &sim_net.line[from->host->number][to->host->number];
    uint64_t fuse = UINT64_MAX;
    from->out = sim_wire(line, ROOM);
    from->in = sim_wire(line, ROOM);
    if (sim_net.fuses > 0) {
        sim_net.fuses--;
        fuse = 1 + sim_below(sim_below(2) ? 400 : 2000);
    }
    sim_wire_of_socket(from->out, from->in, fuse);
    sim_wire_of_socket(from->in, from->out, sim_below(2) ? fuse : UINT64_MAX);
    sim_socket_attach(fd, from, from->in, from->out);
    sim_wire_hold(from->out, from->in, 1); /* until it is accepted */
    from->other = to->host;
    to->caller[to->callers++] = (struct caller){at, from->out, from->in, from->host};
}

/* A connection of the network: what becomes of it, and when. */
static void set_out(int fd, struct sim_socket *s, const struct sockaddr_in6 *address)
{
    struct sim_host *host = addressed(address);
    s->state = CONNECTING;
    s->at = INFINITY;
    if (!host)
        return;
    double delay = host == s->host ? 0 : sim_net.line[s->host->number][host->number].delay;
    enum sim_way way = host == s->host ? SIM_OPEN : sim_net.way[s->host->number][host->number];
    struct sim_socket *to = listener(host, (const void *)address);
    unsigned *losses = &sim_net.losses[s->host->number][host->number];
    if (way == SIM_DROPS || (host != s->host && *losses > 0 && (*losses)--))
        return;
    s->at = sim_now() + 2 * delay;
    if (way == SIM_REFUSES_IT || !to || to->callers == BACKLOG)
        s->error = ECONNREFUSED;
    else
        join(fd, s, to, sim_now() + 2 * delay);
}

int __wrap_socket(int family, int type, int protocol);
int __real_socket(int family, int type, int protocol);
int __wrap_socket(int family, int type, int protocol)
{
    if (!sim_self)
        return __real_socket(family, type, protocol);
    int fd = sim_open(sim_self, NULL, NULL);
    sim_socket_attach(fd, new_socket(family), NULL, NULL);
    return fd;
}

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t length);
int __real_connect(int fd, const struct sockaddr *address, socklen_t length);
int __wrap_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    if (!sim_self)
        return __real_connect(fd, address, length);
    struct sim_socket *s = sim_socket_of(fd);
    if (s->family != AF_UNIX) {
        set_out(fd, s, (const void *)address);
        errno = EINPROGRESS;
        return -1;
    }
    struct sim_socket *to = listener(s->host, address);
    if (!to || to->callers == BACKLOG) {
        errno = to ? EAGAIN : ECONNREFUSED;
        return -1;
    }
    join(fd, s, to, sim_now());
    s->state = STREAMS;
    return 0;
}

/* The outcome of connect(). */
static int outcome(struct sim_socket *s)
{
    if (s->state == CONNECTING && s->at <= sim_now() && !s->error)
        s->state = STREAMS;
    return s->error;
}

/* ---- listening --------------------------------------------------------------------------------
 */

int __wrap_bind(int fd, const struct sockaddr *address, socklen_t length);
int __real_bind(int fd, const struct sockaddr *address, socklen_t length);
int __wrap_bind(int fd, const struct sockaddr *address, socklen_t length)
{
    if (!sim_self)
        return __real_bind(fd, address, length);
    struct sim_socket *s = sim_socket_of(fd);
    if (address->sa_family == AF_UNIX)
        memcpy(s->name, ((const struct sockaddr_un *)address)->sun_path,
               sizeof((struct sockaddr_un *)address)->sun_path);
    else
        s->port = ntohs(((const struct sockaddr_in *)address)->sin_port);
    if (s->family != AF_UNIX && s->port == 0)
        s->port = next_port++;
    return 0;
}

int __wrap_listen(int fd, int backlog);
int __real_listen(int fd, int backlog);
int __wrap_listen(int fd, int backlog)
{
    if (!sim_self)
        return __real_listen(fd, backlog);
    sim_socket_of(fd)->state = LISTENS;
    return 0;
}

static void address_of(const struct sim_host *host, struct sockaddr *address)
{
    struct sockaddr_in6 *in = (void *)address;
    *in = (struct sockaddr_in6){.sin6_family = AF_INET6};
    in->sin6_addr.s6_addr[10] = in->sin6_addr.s6_addr[11] = 0xff;
    in->sin6_addr.s6_addr[12] = 10;
    in->sin6_addr.s6_addr[15] = (uint8_t)(host->number + 1);
}

int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
int __real_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    if (!sim_self)
        return __real_accept4(fd, address, length, flags);
    struct sim_socket *s = sim_socket_of(fd);
    if (s->callers == 0 || s->caller[0].at > sim_now()) {
        errno = EAGAIN;
        return -1;
    }
    struct caller caller = s->caller[0];
    memmove(s->caller, s->caller + 1, (size_t)--s->callers * sizeof *s->caller);
    struct sim_socket *stream = new_socket(s->family);
    stream->state = STREAMS;
    stream->other = caller.from;
    int accepted = sim_open(sim_self, NULL, NULL);
    sim_socket_attach(accepted, stream, caller.in, caller.out);
    sim_wire_hold(caller.in, caller.out, -1);
    if (address && s->family != AF_UNIX)
        address_of(caller.from, address);
    return accepted;
}

/* ---- options ----------------------------------------------------------------------------------
 */

int __wrap_getsockname(int fd, struct sockaddr *address, socklen_t *length);
int __real_getsockname(int fd, struct sockaddr *address, socklen_t *length);
int __wrap_getsockname(int fd, struct sockaddr *address, socklen_t *length)
{
    if (!sim_self)
        return __real_getsockname(fd, address, length);
    *(struct sockaddr_in6 *)address =
        (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(sim_socket_of(fd)->port)};
    return 0;
}

int __wrap_getpeername(int fd, struct sockaddr *address, socklen_t *length);
int __real_getpeername(int fd, struct sockaddr *address, socklen_t *length);
int __wrap_getpeername(int fd, struct sockaddr *address, socklen_t *length)
{
    if (!sim_self)
        return __real_getpeername(fd, address, length);
    address_of(sim_socket_of(fd)->other, address);
    return 0;
}

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *length);
int __real_getsockopt(int fd, int level, int name, void *value, socklen_t *length);
int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
    if (!sim_self)
        return __real_getsockopt(fd, level, name, value, length);
    if (level == SOL_SOCKET && name == SO_ERROR) {
        *(int *)value = outcome(sim_socket_of(fd));
        return 0;
    }
    if (level == SOL_SOCKET && name == SO_PEERCRED) {
        *(struct ucred *)value = (struct ucred){.pid = 1, .uid = geteuid(), .gid = getegid()};
        return 0;
    }
    errno = ENOPROTOOPT;
    return -1;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t length);
int __real_setsockopt(int fd, int level, int name, const void *value, socklen_t length);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    return sim_self ? 0 : __real_setsockopt(fd, level, name, value, length);
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

ssize_t __wrap_send(int fd, const void *data, size_t n, int flags);
ssize_t __real_send(int fd, const void *data, size_t n, int flags);
ssize_t __wrap_send(int fd, const void *data, size_t n, int flags)
{
    if (!sim_self)
        return __real_send(fd, data, n, flags);
    if (sim_net.narrow && sim_below(3)) {
        errno = EAGAIN;
        return -1;
    }
    return sim_write(fd, data, sim_net.narrow ? 1 + sim_below((unsigned)n) : n);
}

ssize_t __wrap_recv(int fd, void *data, size_t n, int flags);
ssize_t __real_recv(int fd, void *data, size_t n, int flags);
ssize_t __wrap_recv(int fd, void *data, size_t n, int flags)
{
    return sim_self ? sim_read(fd, data, n) : __real_recv(fd, data, n, flags);
}

/* One piece after the other, as long as they are taken whole. */
static ssize_t each(int fd, const struct msghdr *message,
                    ssize_t (*move)(int fd, void *data, size_t n))
{
    ssize_t done = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        const struct iovec *iov = &message->msg_iov[i];
        ssize_t n = iov->iov_len > 0 ? move(fd, iov->iov_base, iov->iov_len) : 0;
        if (n < 0)
            return done > 0 ? done : n;
        done += n;
        if ((size_t)n < iov->iov_len)
            break;
    }
    return done;
}

static ssize_t write_piece(int fd, void *data, size_t n)
{
    return sim_write(fd, data, n);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    return sim_self ? each(fd, message, write_piece) : __real_sendmsg(fd, message, flags);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __real_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags)
{
    if (!sim_self)
        return __real_recvmsg(fd, message, flags);
    message->msg_controllen = 0; /* nobody passes descriptors */
    return each(fd, message, sim_read);
}
