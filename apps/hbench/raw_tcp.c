/* raw_tcp.c - a plain TCP connection between two tasks (raw_tcp.h).
 *
 * Connection set-up: the second task listens, and sends the first one a message with its port, a
 * random word, and all its addresses.  The first task tries the addresses, sends the word, and
 * waits for one byte.  This detects an address that belongs to another machine (every host has a
 * loopback, and many have the same private bridge address).  Finally it sends the second one the
 * result in a message.  On one host loopback is tried first, else last.
 *
 * Failures: an address that drops packets costs CONNECT_MS; a stranger that connects to the second
 * one's port costs WORD_MS and is disconnected.
 */
#include "raw_tcp.h"

#include "fail.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TAG_CARD = 7001, TAG_VERDICT };
/* Milliseconds for an address, and for the word that proves the partner; bytes of the word; bytes
 * of a card with port, word and some 60 addresses: the rest is dropped. */
enum { CONNECT_MS = 1000, WORD_MS = 1000, WORD = 16, CARD = 4096 };

/* spin: the socket is polled without sleeping.  This costs a core, but no wake-up, so it is the
 * lower limit for a latency. */
bool raw_tcp_put(int fd, const char *data, size_t bytes, bool spin)
{
    while (bytes > 0) {
        /* MSG_NOSIGNAL: a closed connection is an error of the call and not a signal. */
        ssize_t n = send(fd, data, bytes, MSG_NOSIGNAL | (spin ? MSG_DONTWAIT : 0));

        if (n >= 0) {
            data += n;
            bytes -= (size_t)n;
        } else if (errno != EINTR && !(spin && errno == EAGAIN)) {
            return fail_system("raw TCP: send");
        }
    }
    return true;
}

/* The end of the stream is an error: both sides know how much is to come. */
bool raw_tcp_take(int fd, char *data, size_t bytes, bool spin)
{
    while (bytes > 0) {
        ssize_t n = recv(fd, data, bytes, spin ? MSG_DONTWAIT : 0);

        if (n > 0) {
            data += n;
            bytes -= (size_t)n;
        } else if (n == 0) {
            return fail("raw TCP", "the other task has closed the connection");
        } else if (errno != EINTR && !(spin && errno == EAGAIN)) {
            return fail_system("raw TCP: recv");
        }
    }
    return true;
}

/* 0: no limit. A socket's limits also hold for accept() and connect() on Linux. */
static void time_limit(int fd, int ms)
{
    struct timeval t = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
}

/* A connected socket: no timeouts, no Nagle delay. */
static int settled(int fd)
{
    int on = 1;

    time_limit(fd, 0);
    /* Nagle's algorithm would delay small messages until the previous one is acknowledged. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* ---- the second task: listens ---- */

/* Listens on all addresses of both families, or on IPv4 alone if the host has no IPv6.  The kernel
 * chooses the port.  Returns -1 on an error. */
static int listen_anywhere(in_port_t *port)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_storage got;
    socklen_t length = sizeof got;
    int no = 0, fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

    /* One socket for both families: IPv4 addresses are mapped. */
    if (fd >= 0 && (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) < 0 ||
                    bind(fd, (struct sockaddr *)&six, sizeof six) < 0)) {
        close(fd);
        fd = -1;
    }
    if (fd < 0) {
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || bind(fd, (struct sockaddr *)&four, sizeof four) < 0)
            goto failed;
    }
    if (listen(fd, 8) < 0 || getsockname(fd, (struct sockaddr *)&got, &length) < 0)
        goto failed;
    /* Both families have the port, at different offsets. */
    *port = ntohs(got.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&got)->sin6_port
                                            : ((struct sockaddr_in *)&got)->sin_port);
    return fd;
failed:
    if (fd >= 0)
        close(fd);
    return -1;
}

/* True if other hosts may reach this address (IPv6 link-local addresses need a scope and are
 * excluded). */
static bool of_use(const struct sockaddr *a)
{
    if (!a || (a->sa_family != AF_INET && a->sa_family != AF_INET6))
        return false;
    /* Loopback addresses are of use as well: for tasks of one host. */
    return a->sa_family == AF_INET ||
           !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

/* "PORT WORD ADDRESS ADDRESS ..." */
static void write_card(char card[CARD], in_port_t port, const char *word)
{
    struct ifaddrs *all = NULL;
    size_t n = (size_t)snprintf(card, CARD, "%u %s", (unsigned)port, word);

    /* Without a list the card has no address, and the first task finds none. */
    if (getifaddrs(&all) < 0)
        all = NULL;
    /* 64 bytes are left for the longest address, its blank, and the final NUL. */
    for (struct ifaddrs *i = all; i && n < CARD - 64; i = i->ifa_next) {
        char text[INET6_ADDRSTRLEN];

        if (!(i->ifa_flags & IFF_UP) || !of_use(i->ifa_addr))
            continue;
        size_t length = i->ifa_addr->sa_family == AF_INET ? sizeof(struct sockaddr_in)
                                                          : sizeof(struct sockaddr_in6);
        if (getnameinfo(i->ifa_addr, (socklen_t)length, text, sizeof text, NULL, 0,
                        NI_NUMERICHOST) == 0)
            n += (size_t)snprintf(card + n, CARD - n, " %s", text);
    }
    freeifaddrs(all);
}

static void make_word(char word[WORD + 1])
{
    uint64_t noise = 0; /* good enough without: the word distinguishes machines, it is no secret */

    if (getrandom(&noise, sizeof noise, 0) < 0)
        noise = (uint64_t)getpid();
    snprintf(word, WORD + 1, "%016" PRIx64, noise);
}

/* Accepts one connection.  Returns its socket if it sends the word, else -1. */
static int receive_visitor(int listener, const char *word)
{
    char got[WORD];
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

    if (fd < 0)
        return -1;
    /* A stranger that sends nothing is disconnected after that time. */
    time_limit(fd, WORD_MS);
    if (recv(fd, got, WORD, MSG_WAITALL) == WORD && memcmp(got, word, WORD) == 0 &&
        send(fd, "+", 1, MSG_NOSIGNAL) == 1)
        return settled(fd);
    close(fd);
    return -1;
}

/* The first task may fail to reach any address, and then nobody connects.  So this one looks for
 * its verdict meanwhile, instead of waiting in accept(). */
static bool wait_for_visitor(hn_tid other, int listener, const char *word, int *fd)
{
    unsigned char connected;

    while (*fd < 0) {
        struct pollfd p = {.fd = listener, .events = POLLIN};
        int told = hn_iprobe(other, TAG_VERDICT, NULL);

        if (told < 0)
            return fail_hn("raw TCP: hn_iprobe");
        if (told)
            break;
        /* 20 ms: the verdict is looked for that often. */
        if (poll(&p, 1, 20) > 0)
            *fd = receive_visitor(listener, word);
    }
    /* The verdict always comes, so this receive ends. */
    if (hn_recv(other, TAG_VERDICT, &connected, 1, HN_UINT8, NULL) != HN_OK)
        return fail_hn("raw TCP: hn_recv");
    /* The first task has given up this connection, for example because the answer came too late. */
    if (!connected && *fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    return true;
}

/* The second task.  *fd stays -1, without an error, if the first one reaches none of the addresses.
 */
static bool open_second(hn_tid other, int *fd)
{
    char card[CARD], word[WORD + 1];
    in_port_t port;
    int listener = listen_anywhere(&port);

    if (listener < 0)
        return fail_system("raw TCP: listen");
    make_word(word);
    write_card(card, port, word);
    /* The text is sent with its final NUL. */
    bool good = hn_send(other, TAG_CARD, card, strlen(card) + 1, HN_CHAR) == HN_OK
                    ? wait_for_visitor(other, listener, word, fd)
                    : fail_hn("raw TCP: hn_send");
    close(listener);
    return good;
}

/* ---- the first task: connects ---- */

/* Connects, and shows the word.  Returns -1 if the address is wrong, silent, or that of another
 * machine. */
static int visit(const char *address, const char *port, const char *word)
{
    struct addrinfo hint = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                            .ai_socktype = SOCK_STREAM},
                    *where;
    char answer;

    if (getaddrinfo(address, port, &hint, &where) != 0)
        return -1;
    int fd = socket(where->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    time_limit(fd, CONNECT_MS); /* on Linux for connect(), too */
    bool good = fd >= 0 && connect(fd, where->ai_addr, where->ai_addrlen) == 0;
    /* The second task may be busy for WORD_MS with a stranger; this one waits twice as long. */
    time_limit(fd, 2 * WORD_MS);
    good = good && send(fd, word, WORD, MSG_NOSIGNAL) == WORD && recv(fd, &answer, 1, 0) == 1;
    freeaddrinfo(where);
    /* From here on the socket has no time limits. */
    if (good)
        return settled(fd);
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* Tries the addresses of one kind, in their order. */
static int visit_some(const char *card, bool loopback)
{
    char copy[CARD], *rest, *port, *word, *address;
    int fd = -1;

    /* strtok_r() writes into the card, which is needed twice. */
    strcpy(copy, card);
    port = strtok_r(copy, " ", &rest);
    word = strtok_r(NULL, " ", &rest);
    if (!port || !word || strlen(word) != WORD)
        return -1;
    /* Loopback addresses reach only tasks of the same host, all others any host. */
    while (fd < 0 && (address = strtok_r(NULL, " ", &rest)))
        if (is_loopback(address) == loopback)
            fd = visit(address, port, word);
    return fd;
}

/* The first task.  It always sends a verdict, also when it has failed, because the second one waits
 * for it. */
static bool open_first(hn_tid other, int *fd)
{
    const char *here = hn_host_of(hn_mytid()), *there = hn_host_of(other);
    bool one_host = here && there && strcmp(here, there) == 0;
    char card[CARD] = "";

    /* One byte of the array is left, so that it ends with NUL. */
    if (hn_recv(other, TAG_CARD, card, CARD - 1, HN_CHAR, NULL) != HN_OK)
        return fail_hn("raw TCP: hn_recv");
    *fd = visit_some(card, one_host);
    if (*fd < 0)
        *fd = visit_some(card, !one_host);
    unsigned char connected = *fd >= 0;
    if (hn_send(other, TAG_VERDICT, &connected, 1, HN_UINT8) != HN_OK)
        return fail_hn("raw TCP: hn_send");
    return true;
}

/* Returns false only after an error.  With *fd == -1 and true there is no plain connection between
 * the two, and the benchmarks go without. */
bool raw_tcp_open(hn_tid other, bool first, int *fd)
{
    *fd = -1;
    /* The roles must be opposite in the two tasks. */
    return first ? open_first(other, fd) : open_second(other, fd);
}
