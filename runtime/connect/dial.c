/* dial.c - dials a task at all of its addresses (method: dial.h).
 *
 * A round tries the addresses one after the other: each attempt starts the timer for the next.  A
 * round ends when the last attempt has failed.  `again` counts the repetitions of silent addresses
 * within a round, which delay the relay.
 */
#include "connect/dial.h"

#include "base/addresses.h"
#include "connect/set_up.h"
#include "connect/local.h"
#include "connect/address_order.h"
#include "engine/descriptors.h"
#include "job/task.h"

#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void on_timer(struct ev_loop *loop, ev_timer *w, int events);

void dial_init(struct dial *d, struct peer *p)
{
    *d = (struct dial){.peer = p};
    list_init(&d->set_ups);
    list_init(&d->joining);
    ev_timer_init(&d->timer, on_timer, 0, 0);
    d->timer.data = d;
}

/* There is one timer for a peer: for the next address, or for the next round. */
static void set_timer(struct dial *d, double seconds)
{
    struct engine *e = &d->peer->task->engine;

    ev_timer_stop(e->loop, &d->timer);
    ev_timer_set(&d->timer, seconds, 0);
    ev_timer_start(e->loop, &d->timer);
    engine_changed(e);
}

/* Retries after the limit was raised, or after a stranger's connection was closed.  The caller
 * finds the last reason in errno. */
static int new_socket(struct task *t, int family)
{
    int fd, why;

    do {
        fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        why = fd < 0 ? errno : 0;
    } while (fd < 0 && (descriptors_more(why) || (why == EMFILE && set_up_give_way(t))));
    shortage_note(t, why);
    errno = why;
    return fd;
}

/* Starts a connection to the address.  Returns the socket, or -1 on an immediate failure.  Never
 * blocks: an error that shows only later is reported by the set-up.  An IPv6 socket also reaches
 * IPv4 addresses, in their mapped form. */
static int start_connect(struct task *t, const struct dial_address *address)
{
    int family = address->at.ss_family, off = 0;
    int fd = new_socket(t, family);

    if (fd < 0)
        return -1;
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (connect(fd, (const struct sockaddr *)&address->at, address->length) == 0 ||
        errno == EINPROGRESS)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

enum { DIAL_TEXT = 160 }; /* bytes of an address and why it failed */

/* Mapped addresses are shown as the IPv4 addresses that they are. */
static void describe(const struct dial *d, unsigned i, char *text, size_t size)
{
    const struct dial_address *address = &d->address[i];
    char host[INET6_ADDRSTRLEN + IF_NAMESIZE + 1] = "?", port[8] = "?";
    const char *why = address->why ? address->why : "not tried";

    if (address->at.ss_family == AF_UNIX) {
        snprintf(text, size, "%s (%s)",
                 d->answered && i == d->relay ? "through hrun" : "a UNIX socket", why);
        return;
    }
    getnameinfo((const struct sockaddr *)&address->at, address->length, host, sizeof host, port,
                sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    size_t mapped = strncmp(host, "::ffff:", 7) == 0 ? 7 : 0;
    snprintf(text, size, "%s port %s (%s)", host + mapped, port, why);
}

/* Keeps room for the mark of an entry that is left out, so that the text never ends inside an
 * entry. */
void dial_describe(const struct dial *d, char *text, size_t size)
{
    static const char cut[] = ", ...";
    char one[DIAL_TEXT];
    size_t length = 0;

    text[0] = 0;
    for (unsigned i = 0; i < d->addresses; i++) {
        describe(d, i, one, sizeof one);
        if (length + strlen(one) + 2 * sizeof cut > size) {
            snprintf(text + length, size - length, "%s", i ? cut : cut + 2);
            return;
        }
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? ", " : "", one);
    }
}

/* Reports to hrun where this task could not be reached. */
static void report(const struct dial *d, enum control_fault fault)
{
    char text[(DIAL_ATTEMPTS + 1) * DIAL_TEXT];

    dial_describe(d, text, sizeof text);
    agent_put(d->peer->task, CONTROL_FAULT, (unsigned)d->peer->link.peer, (unsigned)fault, text);
}

/* Seconds until the next attempt after so many failures. */
static double pause_after(unsigned failures)
{
    return failures < 5 ? 0.05 * (1 << failures) : 1;
}

static bool is_long_ago(uint64_t since, uint64_t now)
{
    return now - since > PEER_PATIENCE * UINT64_C(1000000000);
}

/* Progress means that any byte has passed in either direction since the last break.  A path that
 * breaks each connection before that is as bad as none. */
bool dial_note_break(struct dial *d, uint64_t passed, uint64_t now)
{
    if (passed != d->passed || d->barren_since == 0) {
        d->passed = passed;
        d->barren_since = now;
        d->barren = 0;
        return true;
    }
    d->barren++;
    return d->barren < DIAL_BARREN || !is_long_ago(d->barren_since, now);
}

void dial_give_up(struct dial *d)
{
    for (unsigned i = 0; i < d->addresses; i++)
        if (d->address[i].at.ss_family != AF_UNIX)
            d->address[i].why = "connections break before anything new has passed";
    report(d, CONTROL_FAULT_REACH);
    peer_fail(d->peer, HN_ELINK);
}

/* Asks the agent for the task's addresses. */
static void ask(struct dial *d)
{
    if (!d->asked)
        agent_put(d->peer->task, CONTROL_LOOKUP, (unsigned)d->peer->link.peer);
    d->asked = true;
}

static void begin_round(struct dial *d)
{
    d->next = d->again = 0;
    d->busy = false;
}

/* Every address has failed: asks the agent again, dials again after a pause, or gives up. */
static void end_of_round(struct dial *d)
{
    struct peer *p = d->peer;
    double pause = pause_after(d->rounds);

    if (!d->answered) {
        ask(d);
        return;
    }
    /* The task was reached, so it exists.  PEER_PATIENCE does not apply: the agents report its
     * end. */
    if (d->silent)
        d->since = engine_now();
    d->silent = false;
    /* Sends to this peer fail from now on, and hrun learns which addresses were tried. */
    if (is_long_ago(d->since, engine_now())) {
        report(d, CONTROL_FAULT_REACH);
        peer_fail(p, HN_ELINK);
        return;
    }
    d->rounds++;
    begin_round(d);
    set_timer(d, pause);
}

/* Seconds until an address is tried if the previous one has not failed. */
static double pause_before(const struct dial *d, unsigned i)
{
    if (!d->answered)
        return DIAL_STAGGER * 1e-3;
    if (i == d->relay)
        return DIAL_AGAIN_AFTER * (d->again < DIAL_AGAIN ? 1e-3 : 2e-3);
    return d->address[i].after * 1e-3;
}

/* Whether the relay is next, but a direct address may still answer, or the other side may dial
 * us. */
static bool relay_waits(const struct dial *d)
{
    return d->answered && d->next == d->relay && d->again <= DIAL_AGAIN &&
           (d->busy || !list_empty(&d->set_ups));
}

/* The local path is the first address, if there is one. */
static unsigned first_of_network(const struct dial *d)
{
    return d->address[0].at.ss_family == AF_UNIX;
}

/* Starts the next attempt.  The one after it starts when the timer fires or this one fails. */
static void try_next(struct dial *d)
{
    while (d->next < d->addresses) {
        if (relay_waits(d)) {
            if (!ev_is_active(&d->timer))
                set_timer(d, pause_before(d, d->relay));
            return;
        }
        /* An immediate failure moves on to the next address in the same call.  An attempt in
         * progress leaves the loop. */
        unsigned i = d->next++;
        int fd = start_connect(d->peer->task, &d->address[i]);
        int error = errno;
        struct set_up *s = fd < 0 ? NULL : set_up_begin(d->peer->task, d->peer, fd);

        if (!s)
            d->address[i].why = strerrordesc_np(fd < 0 ? error : ENOMEM);
        /* The next address gets its turn after its delay, in parallel with this attempt. */
        if (s) {
            s->address = i;
            s->meant = d->address[i].at.ss_family == AF_UNIX;
            s->local = s->meant && !(d->answered && i == d->relay);
            if (d->next < d->addresses)
                set_timer(d, pause_before(d, d->next));
            return;
        }
    }
    if (list_empty(&d->set_ups))
        end_of_round(d);
}

static void on_timer(struct ev_loop *loop, ev_timer *w, int events)
{
    struct dial *d = w->data;

    (void)loop, (void)events;
    /* Silent addresses are dialled again before the relay is used, because their first packets may
     * have been lost. */
    if (relay_waits(d) && d->again++ < DIAL_AGAIN)
        d->next = first_of_network(d);
    try_next(d);
}

/* Sets the reason of all addresses of the network that have none yet. */
void dial_note(struct dial *d, const char *why)
{
    for (unsigned i = 0; i < d->addresses; i++)
        if (!d->address[i].why && d->address[i].at.ss_family != AF_UNIX)
            d->address[i].why = why;
}

/* Only a success through the relay is reported, because it is slower than the user may expect. */
void dial_succeeded(struct dial *d, unsigned address)
{
    if (!d->answered || address != d->relay)
        return;
    dial_note(d, "no answer so far");
    d->address[address].why = "connected";
    report(d, CONTROL_FAULT_RELAYED);
}

/* The relay waits for the other side while this flag is set. */
void dial_busy(struct dial *d)
{
    d->busy = true;
    /* The other task is alive and dials us, so this repetition does not count. */
    d->again -= d->again > 0;
}

/* A peer that has ended meanwhile fails for good. */
void dial_failed(struct peer *p, unsigned address, const char *why)
{
    if (address < p->dial.addresses)
        p->dial.address[address].why = why;
    if (p->ended)
        peer_fail(p, HN_EDEAD);
    else if (p->state == PEER_DIALLING)
        try_next(&p->dial);
}

static void add_local(struct dial *d)
{
    struct dial_address *a = &d->address[0];

    if (!local_reaches(d->peer->task, d->peer->link.peer))
        return;
    a->length = local_name(d->peer->task->secret, d->peer->link.peer, &a->at);
    d->addresses = 1;
}

/* The last address: our own agent, which forwards the connection. */
static void add_relay(struct dial *d)
{
    const struct task *t = d->peer->task;
    struct dial_address *a = &d->address[d->addresses];

    d->relay = d->addresses++;
    a->length =
        local_name(t->secret, (hn_tid)control_tid(control_host((uint32_t)t->tid), 0), &a->at);
}

/* Idempotent while dialling.  The addresses of an earlier round are used first.  Without any, the
 * agent is asked when the local path has failed or does not exist. */
void dial_start(struct dial *d)
{
    struct peer *p = d->peer;

    if (p->state != PEER_IDLE)
        return;
    p->state = PEER_DIALLING;
    d->since = engine_now();
    d->rounds = 0;
    begin_round(d);
    d->silent = false;
    if (d->addresses == 0)
        add_local(d);
    if (d->barren > 0)
        set_timer(d, pause_after(d->barren));
    else
        try_next(d);
}

/* False for an unknown family or length; the caller skips the entry. */
static bool take_address(struct unpack *list, struct dial_address *address)
{
    struct sockaddr_in6 *a = (struct sockaddr_in6 *)&address->at;
    unsigned family = unpack_u8(list);
    size_t n;
    const uint8_t *ip = unpack_blob(list, &n);
    uint16_t port = unpack_u16(list);
    uint32_t scope = unpack_u32(list);

    address->length = sizeof *a;
    address->why = NULL;
    *a = (struct sockaddr_in6){
        .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_scope_id = scope};
    /* The mapped form, so that one kind of socket serves both families. */
    if (family == 4 && n == 4) {
        a->sin6_addr.s6_addr[10] = a->sin6_addr.s6_addr[11] = 0xff;
        memcpy(a->sin6_addr.s6_addr + 12, ip, 4);
        return true;
    }
    if (family == 6 && n == 16)
        memcpy(&a->sin6_addr, ip, 16);
    return family == 6 && n == 16;
}

/* Only this host knows which interface leads to a link-local address.  With several interfaces,
 * tries a copy of the last address on each. */
static void try_interfaces(struct dial *d)
{
    struct dial_address given = d->address[--d->addresses];
    struct address *own;
    size_t n;

    if (addresses_own(&own, &n) != HN_OK)
        return;
    for (size_t i = 0; i < n && d->addresses < DIAL_ATTEMPTS; i++) {
        if (own[i].family != 6 || !address_is_link_local(&own[i]))
            continue;
        ((struct sockaddr_in6 *)&given.at)->sin6_scope_id = own[i].scope;
        d->address[d->addresses++] = given;
    }
    free(own);
}

/* Replaces what was known, and begins a new round.  A connection that is open or being set up is
 * not affected. */
void dial_addresses(struct dial *d, struct unpack *list)
{
    uint32_t n = unpack_count(list, 11);

    d->answered = true;
    d->addresses = 0;
    begin_round(d);
    add_local(d);
    unsigned first = d->addresses;
    if (local_choice() == LOCAL_RELAY)
        n = 0;
    /* Further addresses are ignored. */
    for (uint32_t i = 0; i < n && d->addresses < DIAL_ATTEMPTS; i++)
        if (take_address(list, &d->address[d->addresses])) {
            const struct sockaddr_in6 *a = (const void *)&d->address[d->addresses++].at;
            if (IN6_IS_ADDR_LINKLOCAL(&a->sin6_addr))
                try_interfaces(d);
        }
    address_order(d->address + first, d->addresses - first, NULL);
    add_relay(d);
    if (d->peer->state == PEER_DIALLING)
        try_next(d);
}

/* Orders the known addresses anew, with the present route last.  Without a second route nothing
 * changes and the result is false. */
bool dial_leave(struct dial *d, int fd)
{
    struct route left = route_of(fd);
    unsigned first = first_of_network(d);

    if (!d->answered)
        ask(d);
    return d->answered && first < d->relay &&
           address_order(d->address + first, d->relay - first, &left);
}

/* The known address at which the other end of fd listens; NULL: it is none of them. */
static const struct dial_address *address_behind(const struct dial *d, int fd)
{
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    struct address end, known;

    if (getpeername(fd, (struct sockaddr *)&at, &size) != 0 ||
        !address_from_socket(&end, (const struct sockaddr *)&at))
        return NULL;
    for (unsigned i = 0; i < d->addresses; i++)
        if (address_from_socket(&known, (const struct sockaddr *)&d->address[i].at) &&
            address_same(&known, &end))
            return &d->address[i];
    return NULL;
}

bool dial_can_join(struct dial *d, int fd)
{
    if (!d->answered)
        ask(d);
    return address_behind(d, fd) != NULL;
}

/* Sockets that are being set up count, so that a second call does not dial them again.  All of them
 * use the address of the first one, since it is known to work. */
void dial_join(struct dial *d, int fd, unsigned n)
{
    const struct dial_address *address = address_behind(d, fd);
    struct peer *p = d->peer;
    unsigned there = 0;

    while (parallel_socket(p, there) >= 0)
        there++;
    list_for_each (s, &d->joining)
        there++;
    for (; address && there < n; there++) {
        int joining = start_connect(p->task, address);
        if (joining >= 0)
            set_up_join(p->task, p, joining);
    }
}

void dial_stop_joining(struct dial *d)
{
    list_for_each_safe (n, &d->joining)
        set_up_end(list_entry(n, struct set_up, node));
}

void dial_stop(struct dial *d)
{
    ev_timer_stop(d->peer->task->engine.loop, &d->timer);
    list_for_each_safe (n, &d->set_ups)
        set_up_end(list_entry(n, struct set_up, node));
    if (d->peer->state == PEER_DIALLING)
        d->peer->state = PEER_IDLE;
}
