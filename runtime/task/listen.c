/* listen.c - the task's listening socket (interface: dial.h).
 *
 * One socket for IPv6 and IPv4, or IPv4 alone where the machine has no IPv6.  Unproven connections
 * are bounded (pending.h), each for DIAL_TIMEOUT seconds.
 */
#include "dial.h"

#include "error.h"
#include "greet.h"
#include "holder.h"
#include "local.h"
#include "task.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int bind_to(int fd, bool six, uint16_t port)
{
    struct sockaddr_in6 a6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    struct sockaddr_in a4 = {.sin_family = AF_INET, .sin_port = htons(port)};

    return six ? bind(fd, (struct sockaddr *)&a6, sizeof a6)
               : bind(fd, (struct sockaddr *)&a4, sizeof a4);
}

/* A socket for IPv6 and IPv4, or for IPv4 alone; -1 and errno. */
static int any_socket(bool *six)
{
    int off = 0, on = 1;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    *six = fd >= 0;
    if (*six)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    else
        fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) /* connections of an earlier job keep the port for a minute */
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return fd;
}

/* A socket that listens on this port, 0: on any; -1 and errno. */
static int listen_on(uint16_t port)
{
    bool six;
    int fd = any_socket(&six);

    if (fd < 0 || (bind_to(fd, six, port) == 0 && listen(fd, SOMAXCONN) == 0))
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* Listens on any port, or on a free one of the range "LO:HI". */
static int listen_in_range(const char *ports)
{
    unsigned low = 0, high = 0;
    int fd = -1;

    if (sscanf(ports, "%u:%u", &low, &high) != 2)
        low = high = 0;
    for (unsigned port = low; fd < 0 && port <= high && port <= UINT16_MAX; port++) {
        fd = listen_on((uint16_t)port);
        if (fd < 0 && errno != EADDRINUSE && errno != EACCES)
            break;
    }
    const char *why = strerror(errno);
    if (fd < 0 && high > 0) {
        char holder[100];
        holder_of_ports(low, high, holder, sizeof holder);
        error_set(HN_ESYS, "no port of %s is free to listen on: %s%s; choose other -ports", ports,
                  why, holder);
    } else if (fd < 0) {
        error_set(HN_ESYS, "no port to listen on: %s", why);
    }
    return fd;
}

bool dial_own_name(int fd, union dial_name *name)
{
    socklen_t size = sizeof *name;

    return getsockname(fd, &name->any, &size) == 0;
}

static uint16_t port_of(int fd)
{
    union dial_name a;

    if (!dial_own_name(fd, &a))
        return 0;
    return ntohs(a.any.sa_family == AF_INET6 ? a.in6.sin6_port : a.in.sin_port);
}

/* The local path is an extra: without it, tasks on this host use the network. */
static void open_local(struct task *t)
{
    struct sockaddr_storage a;
    socklen_t length = local_name(t->secret, t->tid, &a);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return;
    if (bind(fd, (struct sockaddr *)&a, length) == 0 && listen(fd, SOMAXCONN) == 0)
        t->listener.local_fd = fd;
    else
        close(fd);
}

int listener_open(struct task *t, const char *ports)
{
    struct listener *l = &t->listener;

    list_init(&l->greetings);
    pending_init(&l->pending);
    l->fd = listen_in_range(ports);
    if (l->fd < 0)
        return HN_ESYS;
    l->port = port_of(l->fd);
    open_local(t);
    return HN_OK;
}

static void watch_both(struct listener *l, struct ev_loop *loop)
{
    ev_io_start(loop, &l->readable);
    if (l->local_fd >= 0)
        ev_io_start(loop, &l->local_readable);
}

static void on_pause(struct ev_loop *loop, ev_timer *w, int events)
{
    struct task *t = w->data;

    (void)events;
    watch_both(&t->listener, loop);
}

/* There is no descriptor for who knocks: looks again a little later, instead of again and again. */
static void pause_listening(struct task *t)
{
    struct listener *l = &t->listener;

    ev_io_stop(t->engine.loop, &l->readable);
    ev_io_stop(t->engine.loop, &l->local_readable);
    ev_timer_set(&l->pause, LISTEN_PAUSE * 1e-3, 0);
    ev_timer_start(t->engine.loop, &l->pause);
}

/* The next connection, -1: there is none now.  Strangers give way for its descriptor. */
static int accept_next(struct task *t, int listening, union dial_name *from)
{
    socklen_t size;
    int fd, why;

    do {
        size = sizeof *from;
        fd = accept4(listening, &from->any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        why = fd < 0 ? errno : 0;
    } while (fd < 0 && (descriptors_more(why) || (why == EMFILE && greet_give_way(t))));
    if (descriptors_note(t, why))
        pause_listening(t);
    return fd;
}

static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
    struct task *t = w->data;
    bool local = w->fd == t->listener.local_fd;
    union dial_name from;
    int fd;

    (void)loop;
    (void)events;
    for (int i = 0; i < LISTEN_TURN && (fd = accept_next(t, w->fd, &from)) >= 0; i++)
        if (local && !local_is_own(fd))
            close(fd);
        else
            greet_accept(t, fd, local ? NULL : &from.any);
}

void listener_start(struct task *t)
{
    struct listener *l = &t->listener;

    ev_io_init(&l->readable, on_readable, l->fd, EV_READ);
    ev_io_init(&l->local_readable, on_readable, l->local_fd, EV_READ);
    ev_timer_init(&l->pause, on_pause, 0, 0);
    l->readable.data = l->local_readable.data = l->pause.data = t;
    watch_both(l, t->engine.loop);
}

void listener_close(struct task *t)
{
    if (t->listener.fd < 0)
        return;
    ev_timer_stop(t->engine.loop, &t->listener.pause);
    ev_io_stop(t->engine.loop, &t->listener.readable);
    list_for_each_safe (n, &t->listener.greetings)
        greet_end(list_entry(n, struct greeting, node));
    close(t->listener.fd);
    t->listener.fd = -1;
    if (t->listener.local_fd < 0)
        return;
    ev_io_stop(t->engine.loop, &t->listener.local_readable);
    close(t->listener.local_fd);
    t->listener.local_fd = -1;
}
