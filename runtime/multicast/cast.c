/* cast.c - the multicast socket of a task, the discovery of receivers, and incoming datagrams
 * (cast.h).
 *
 * A datagram is only an alternative way for a frame of a link.  Whatever goes wrong here, the
 * link's connection can carry the frame.  So errors of this file are not reported: they turn
 * datagrams off, for a receiver or for all.
 */
#include "multicast/cast.h"

#include "base/addresses.h"
#include "job/task.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* TURN: datagrams received in an iteration.  ROOM: bytes of a datagram's buffer.  BUFFER: bytes of
 * the kernel's buffer that is requested. */
enum { TURN = 64, ROOM = 64 << 10, BUFFER = 4 << 20 };
/* Maximum number of times that the interval between HELLOs doubles while some task does not
 * answer. */
enum { HELLO_DOUBLES = 7 };

/* ---- the socket ------------------------------------------------------------------------------ */

static void on_readable(struct ev_loop *loop, ev_io *w, int events);
static void on_report(struct ev_loop *loop, ev_timer *w, int events);
static void on_hello_timer(struct ev_loop *loop, ev_timer *w, int events);

/* No socket yet: most tasks never send to many, and a descriptor is opened by is_open() at first
 * use. */
void cast_init(struct task *t)
{
    struct casts *c = &t->casts;
    const char *wish = getenv("HNOW_MULTICAST");

    *c = (struct casts){.fd = -1, .off = wish && strcmp(wish, "0") == 0};
    cast_queue_init(t);
    cast_repair_init(t);
    ev_init(&c->readable, on_readable);
    ev_init(&c->report, on_report);
    ev_init(&c->hello_timer, on_hello_timer);
    c->readable.data = c->report.data = c->hello_timer.data = t;
    randombytes_buf(c->key, sizeof c->key);
}

/* Derives group and port from the secret: the same for all tasks of a job, and different for two
 * jobs with high probability. The port is in hrun's -ports, because firewalls may be open for these
 * only. */
static void choose_group(struct task *t)
{
    unsigned low = 0, high = 0;
    uint8_t hash[16];

    crypto_generichash(hash, sizeof hash, (const uint8_t *)"group", 5, t->secret, sizeof t->secret);
    if (sscanf(t->agent.ports, "%u:%u", &low, &high) != 2 || low < 1 || high < low) {
        low = 20000;
        high = 29999;
    }
    t->casts.group = (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)(low + bytes_get32(hash) % (high - low + 1))),
        .sin_addr = {htonl(0xefc00000u | (bytes_get32(hash + 4) & 0x3fffff))}}; /* 239.192/10 */
}

/* A socket bound to the group's address receives only what is sent to the group. TTL 1: datagrams
 * stay on the subnet. No loop: tasks of one host use shared memory. Without IP_MULTICAST_ALL the
 * socket receives only from interfaces on which it has joined, which are those that -iface
 * allows. */
static int open_socket(struct casts *c)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1, off = 0, size = BUFFER;
    socklen_t length = sizeof c->buffer;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &on, sizeof on);
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &off, sizeof off);
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);
    /* Root may exceed the system's limit of a buffer; others get as much as that allows. */
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &c->buffer, &length);
    if (bind(fd, (struct sockaddr *)&c->group, sizeof c->group) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Opens the socket at first use.  Multicast is optional: without it, a task sends messages one by
 * one.  A failure is final, so that not every connection tries again. */
static bool is_open(struct task *t)
{
    struct casts *c = &t->casts;

    if (c->fd >= 0 || c->off)
        return c->fd >= 0;
    choose_group(t);
    c->in = malloc(ROOM);
    c->out = malloc(ROOM);
    c->fd = c->in && c->out ? open_socket(c) : -1;
    c->off = c->fd < 0;
    if (c->off)
        return false;
    ev_io_set(&c->readable, c->fd, EV_READ);
    ev_io_set(&c->writable, c->fd, EV_WRITE);
    ev_io_start(t->engine.loop, &c->readable);
    engine_changed(&t->engine);
    return true;
}

/* The engine has stopped.  Payloads in the queue lose the sender's reference here, those in links
 * when the links are cleared. */
void cast_clear(struct task *t)
{
    struct casts *c = &t->casts;

    cast_queue_clear(t);
    sodium_memzero(c->key, sizeof c->key);
    free(c->in);
    free(c->out);
    c->in = c->out = NULL;
    if (c->fd < 0)
        return;
    ev_io_stop(t->engine.loop, &c->readable);
    engine_await_room(&t->engine, &c->writable, false);
    ev_timer_stop(t->engine.loop, &c->report);
    cast_repair_clear(t);
    ev_timer_stop(t->engine.loop, &c->hello_timer);
    ev_timer_stop(t->engine.loop, &c->patience);
    close(c->fd);
    c->fd = -1;
}

/* ---- interfaces ------------------------------------------------------------------------------ */

/* The IPv4 address of our end of a connection.  False: it has none. */
static bool own_address(int fd, struct in_addr *address)
{
    union dial_name a;

    if (!dial_own_name(fd, &a))
        return false;
    if (a.any.sa_family == AF_INET)
        *address = a.in.sin_addr;
    else if (a.any.sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&a.in6.sin6_addr))
        memcpy(address, a.in6.sin6_addr.s6_addr + 12, sizeof *address);
    else
        return false;
    return true;
}

/* Loopback and point-to-point interfaces do not lead to several hosts. */
static bool has_address(const struct ifaddrs *i, struct in_addr address)
{
    const struct sockaddr_in *a = (const struct sockaddr_in *)i->ifa_addr;

    return a && a->sin_family == AF_INET && a->sin_addr.s_addr == address.s_addr &&
           i->ifa_flags & IFF_MULTICAST && !(i->ifa_flags & (IFF_LOOPBACK | IFF_POINTOPOINT));
}

/* Whether hrun's -iface allows the interface; "": any. */
static bool is_allowed(const struct ifaddrs *i, const char *iface)
{
    struct address address;

    if (!iface[0])
        return true;
    address_from_socket(&address, i->ifa_addr);
    snprintf(address.name, sizeof address.name, "%s", i->ifa_name);
    return address_matches(&address, iface);
}

/* The interface with this address; 0: there is none that supports multicast and is allowed. */
static int interface_at(struct in_addr address, const char *iface)
{
    struct ifaddrs *all, *i;
    int index = 0;

    if (getifaddrs(&all) < 0)
        return 0;
    for (i = all; i && !has_address(i, address); i = i->ifa_next)
        ;
    if (i && is_allowed(i, iface))
        index = (int)if_nametoindex(i->ifa_name);
    freeifaddrs(all);
    return index;
}

/* Joins the group on the interface with this address. Returns the interface; 0: impossible. The
 * result is kept, even that it is impossible, because every new connection asks. */
static int join(struct task *t, struct in_addr address)
{
    struct casts *c = &t->casts;
    struct ip_mreqn m = {.imr_address = address};

    for (int i = 0; i < c->interfaces; i++)
        if (c->interface[i].address.s_addr == address.s_addr)
            return c->interface[i].index;
    if (c->interfaces == CAST_INTERFACES)
        return 0;
    /* EADDRINUSE below means that the socket has joined this group on this interface already. */
    m.imr_ifindex = interface_at(address, t->agent.iface);
    if (m.imr_ifindex > 0 && !is_open(t))
        return 0;
    m.imr_multiaddr = c->group.sin_addr;
    if (m.imr_ifindex > 0 && setsockopt(c->fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &m, sizeof m) < 0 &&
        errno != EADDRINUSE)
        m.imr_ifindex = 0;
    c->interface[c->interfaces++] = (struct cast_interface){address, m.imr_ifindex};
    return m.imr_ifindex;
}

/* Many connections are made at a time, so one delayed HELLO serves all of them. */
static void schedule_hello(struct task *t)
{
    ev_timer *w = &t->casts.hello_timer;

    if (!t->casts.hello.expected || t->casts.fd < 0 || ev_is_active(w))
        return;
    ev_timer_set(w, CAST_HELLO_DELAY, 0);
    ev_timer_start(t->engine.loop, w);
    engine_changed(&t->engine);
}

/* Announces that this task will send to many, so that HELLOs find out early which tasks datagrams
 * reach. */
void cast_expect(void)
{
    struct task *t = task_get();

    if (!t)
        return;
    bool before = engine_hold_work(true); /* collectives hold their own locks when they call this */
    engine_enter(&t->engine);
    t->casts.hello.expected = true;
    schedule_hello(t);
    engine_leave(&t->engine, false);
    engine_hold_work(before);
}

/* Multicast is tried where the connection to the task leads: on the interface that has its address.
 * A new task has not answered yet, so HELLOs begin again at the shortest interval. */
void cast_adopt(struct peer *p)
{
    struct task *t = p->task;
    struct in_addr address;

    p->cast.interface = 0;
    if (control_host((uint32_t)p->link.peer) == control_host((uint32_t)t->tid) || t->casts.off ||
        !own_address(p->fd, &address))
        return;
    p->cast.interface = join(t, address);
    if (p->cast.interface == 0)
        return;
    t->casts.hello.next = 0;
    t->casts.hello.sent = 0;
    schedule_hello(t);
}

/* ---- HELLO ----------------------------------------------------------------------------------- */

/* Sends c->out to the group.  Each datagram names its interface (IP_PKTINFO), because one socket
 * serves several.  False: see errno.  EAGAIN means that the socket is full; any other error, that
 * this interface refuses the datagram. */
static bool hand_over(struct casts *c, int interface, size_t bytes)
{
    struct iovec iov = {c->out, bytes};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(struct in_pktinfo))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo)),
                            .cmsg_level = IPPROTO_IP,
                            .cmsg_type = IP_PKTINFO}};
    struct in_pktinfo by = {.ipi_ifindex = interface};
    struct msghdr m = {.msg_name = &c->group,
                       .msg_namelen = sizeof c->group,
                       .msg_iov = &iov,
                       .msg_iovlen = 1,
                       .msg_control = control.room,
                       .msg_controllen = sizeof control.room};
    ssize_t sent;

    memcpy(CMSG_DATA(&control.header), &by, sizeof by);
    do
        sent = sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    list_entry(c, struct task, casts)->engine.background.helped++;
    return sent >= 0;
}

/* The number is used up even if the network refuses the datagram: no number may protect two
 * contents. */
bool cast_transmit(struct casts *c, int interface, struct datagram *d, const struct iovec *parts,
                   int n)
{
    size_t before = datagram_before(d), bytes = 0;

    for (int i = 0; i < n; bytes += parts[i++].iov_len)
        if (parts[i].iov_len > 0)
            memcpy(c->out + before + bytes, parts[i].iov_base, parts[i].iov_len);
    d->from = list_entry(c, struct task, casts)->tid;
    d->number = c->number++;
    return hand_over(c, interface, datagram_close(c->key, d, c->out, bytes));
}

/* By each interface that was joined.  The interval doubles from CAST_HELLO on, at most
 * HELLO_DOUBLES times, until a new connection restarts it. */
void cast_send_hello(struct task *t)
{
    struct casts *c = &t->casts;
    uint64_t now = engine_now();
    struct datagram d = {.kind = DATAGRAM_HELLO, .count = 1};

    if (c->fd < 0 || now < c->hello.next)
        return;
    for (int i = 0; i < c->interfaces; i++) {
        datagram_target(c->out, 0, 0, (uint64_t)c->interface[i].index);
        if (c->interface[i].index > 0)
            cast_transmit(c, c->interface[i].index, &d, NULL, 0);
    }
    c->hello.next = now + ((uint64_t)CAST_HELLO << c->hello.sent);
    c->hello.sent += c->hello.sent < HELLO_DOUBLES;
}

static void on_hello_timer(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop, (void)events;
    cast_send_hello(w->data);
}

/* ---- reporting datagrams over the connection --------------------------------------------- */

/* Announces by an ACK frame what datagrams have carried, if that has not been acknowledged. */
static bool report(struct peer *p)
{
    if (p->state == PEER_OPEN && link_cast_confirm(&p->link) && !ev_is_active(&p->writable))
        peer_write(p);
    return true;
}

/* The delay grows with the number of receivers, so the ACK frames cost a constant share of the
 * sender's output. */
void cast_report_later(struct task *t, int receivers)
{
    ev_timer *w = &t->casts.report;

    if (ev_is_active(w))
        return;
    ev_timer_set(w, t->casts.length.lossy ? CAST_REPORT_OFTEN : CAST_REPORT * receivers, 0);
    ev_timer_start(t->engine.loop, w);
}

static void on_report(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop, (void)events;
    peer_all(w->data, report);
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* The answer goes over the connection, with the number of the sender's interface that HELLO
 * contains: the sender knows then that its datagrams arrive, and by which interface. */
static void take_hello(struct peer *p, uint64_t interface)
{
    if (engine_now() < p->cast.deaf || interface == 0 || interface > INT32_MAX)
        return;
    p->link.cast.reach_due = (int32_t)interface;
    if (!ev_is_active(&p->writable))
        peer_write(p);
}

/* The datagram has a frame of the connection's stream, with its position: link.c puts it in order
 * with what the connection brings. */
static void take_frame(struct peer *p, uint64_t number, uint64_t position, const uint8_t *frame,
                       size_t bytes)
{
    p->cast.casts = true;
    bool wants = bytes > 1 && frame[1] & FRAME_WANT_ACK;
    peer_received(p, link_receive_cast(&p->link, position, frame, bytes));
    cast_look_behind(p, number, wants);
}

/* Processes a datagram. Only one that is for this task, from a task with a connection to it, is
 * decrypted. The sender's number must be new: a copy of an old datagram is no longer valid
 * (replay.h). */
static void take(struct task *t, uint8_t *in, size_t bytes)
{
    struct datagram d;
    uint64_t position;

    if (!datagram_parse(in, bytes, &d) || d.from == t->tid ||
        !datagram_position(in, &d, d.kind == DATAGRAM_HELLO ? 0 : t->tid, &position))
        return;
    /* A task without a connection has no key here.  Its frames will arrive through the connection
     * that it makes. */
    struct peer *p = peer_find(t, d.from);
    if (!p || p->state != PEER_OPEN || p->cast.interface == 0 ||
        !datagram_open(p->cast.datagram_key, &d, in, bytes, &bytes) ||
        !replay_accept(&p->cast.replay, d.number))
        return;
    in += datagram_before(&d);
    if (d.kind == DATAGRAM_HELLO)
        take_hello(p, position);
    else if (d.kind == DATAGRAM_FRAME)
        take_frame(p, d.number, position, in, bytes);
    else if (d.kind == DATAGRAM_ASK && bytes == DATAGRAM_ASKED)
        cast_asked(p, position, in);
}

/* Stops, as peer_read() does, when the last posted receive has been served. */
static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
    struct task *t = w->data;
    uint64_t finished = t->match.finished;

    (void)events;
    for (int turn = 0;
         turn < TURN && (t->match.finished == finished || !list_empty(&t->match.posted)); turn++) {
        if (peer_inbox_is_full(
                t, NULL)) { /* datagrams lost meanwhile are repaired through connections */
            t->peers.paused = true;
            ev_io_stop(loop, w);
            return;
        }
        ssize_t bytes = recv(w->fd, t->casts.in, ROOM, MSG_DONTWAIT);
        if (bytes < 0)
            return;
        take(t, t->casts.in, (size_t)bytes);
    }
}

/* Reads what is there now, without waiting for an event. */
void cast_read(struct task *t)
{
    on_readable(t->engine.loop, &t->casts.readable, EV_READ);
}

/* The inbox has room again. */
void cast_resume(struct task *t)
{
    if (t->casts.fd >= 0)
        ev_io_start(t->engine.loop, &t->casts.readable);
}
