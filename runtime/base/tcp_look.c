/* tcp_look.c - hints about silent connections of ssh; see tcp_look.h.
 *
 * The thresholds distinguish three cases: sent packets are not acknowledged, the larger packets
 * behind the other end's version line are missing, or the path loses packets and still works.
 */
#include "base/tcp_look.h"

#include "base/addresses.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    LOOK_SOCKETS = 64,    /* sockets of a process group that are checked */
    LOOK_ESTABLISHED = 1, /* TCP_ESTABLISHED of the kernel */
    LOOK_BANNER = 300,    /* bytes: more than a version line of SSH, which has at most 255 */
    LOOK_LARGE = 600,     /* bytes in flight that are more than some heartbeats */
    LOOK_AGAIN = 2,       /* minimum number of retransmissions of lost packets */
    /* an acknowledgement is recent: heartbeats are sent every 2 s (pulse.h) */
    LOOK_RECENT_MS = 5000,
    LOOK_ALIVE_MS = 10000, /* the other end was alive when the silence began (PULSE_TICKS) */
    /* loss: one packet in so many was retransmitted; ssh's first ones are some 30 */
    LOOK_LOSSY_PART = 20,
};

/* The connection to find: one of these sockets, or the one with this other end. */
struct look {
    ino_t socket[LOOK_SOCKETS];
    unsigned sockets;
    struct address own, other;
    struct tcp_info info; /* of the connection; and its own end: */
    struct address found;
};

/* ---- all connections -------------------------------------------------------------------- */

/* Converts one end of a connection, as the kernel's dump contains it. */
static bool look_address(struct address *address, const struct inet_diag_msg *m, bool own)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    struct sockaddr_in in = {.sin_family = AF_INET};
    const void *ip = own ? m->id.idiag_src : m->id.idiag_dst;
    in.sin_port = in6.sin6_port = own ? m->id.idiag_sport : m->id.idiag_dport;
    memcpy(&in.sin_addr, ip, sizeof in.sin_addr);
    memcpy(&in6.sin6_addr, ip, sizeof in6.sin6_addr);
    return address_from_socket(address,
                               m->idiag_family == AF_INET ? (const void *)&in : (const void *)&in6);
}

/* By the inode of a socket, or by both ends with their ports. */
static bool look_is_it(const struct look *look, const struct inet_diag_msg *m)
{
    struct address own, other;
    for (unsigned i = 0; i < look->sockets; i++)
        if (look->socket[i] == m->idiag_inode)
            return true;
    return look->other.family && look_address(&own, m, true) && look_address(&other, m, false) &&
           own.port == look->own.port && other.port == look->other.port &&
           address_same(&own, &look->own) && address_same(&other, &look->other);
}

/* One connection of the dump.  True: it is the one, and its state was copied, as far as this kernel
 * has fields. */
static bool look_at(struct look *look, const struct nlmsghdr *h)
{
    const struct inet_diag_msg *m = NLMSG_DATA(h);
    int left = (int)(h->nlmsg_len - NLMSG_LENGTH(sizeof *m));
    if (left < 0 || !look_is_it(look, m) || !look_address(&look->found, m, true))
        return false;
    for (const struct rtattr *a = (const void *)(m + 1); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
        size_t length = RTA_PAYLOAD(a);
        if (a->rta_type != INET_DIAG_INFO)
            continue;
        memcpy(&look->info, RTA_DATA(a), length < sizeof look->info ? length : sizeof look->info);
        return true;
    }
    return false;
}

/* Reads the answer to a dump up to its end or to the connection.  True: the connection was
 * found. */
static bool look_through(struct look *look, int fd)
{
    char data[32768] __attribute__((aligned(8)));
    for (;;) {
        ssize_t n = recv(fd, data, sizeof data, 0);
        if (n <= 0)
            return false;
        size_t left = (size_t)n;
        for (const struct nlmsghdr *h = (const void *)data; NLMSG_OK(h, left);
             h = NLMSG_NEXT(h, left)) {
            if (h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR)
                return false;
            if (look_at(look, h))
                return true;
        }
    }
}

/* The kernel lists all established connections of one family.  SO_RCVTIMEO bounds the wait, in case
 * it does not answer. */
static bool look_family(struct look *look, uint8_t family)
{
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } ask = {
        .header = {.nlmsg_len = sizeof ask,
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .request = {.sdiag_family = family,
                    .sdiag_protocol = IPPROTO_TCP,
                    .idiag_ext = 1 << (INET_DIAG_INFO - 1),
                    .idiag_states = 1 << LOOK_ESTABLISHED},
    };
    struct timeval second = {.tv_sec = 1};
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0)
        return false;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    bool found = send(fd, &ask, sizeof ask, 0) == (ssize_t)sizeof ask && look_through(look, fd);
    close(fd);
    return found;
}

static bool look_for(struct look *look)
{
    return look_family(look, AF_INET) || look_family(look, AF_INET6);
}

/* ---- which one -------------------------------------------------------------------------- */

/* Processes of other users cannot be read and add nothing. */
static void look_sockets_of(struct look *look, const char *pid)
{
    char path[300], link[64];
    unsigned long inode;
    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    DIR *files = opendir(path);
    struct dirent *entry;
    while (files && (entry = readdir(files)) && look->sockets < LOOK_SOCKETS) {
        ssize_t n = readlinkat(dirfd(files), entry->d_name, link, sizeof link - 1);
        link[n > 0 ? n : 0] = 0;
        if (sscanf(link, "socket:[%lu]", &inode) == 1)
            look->socket[look->sockets++] = inode;
    }
    if (files)
        closedir(files);
}

/* The sockets of ssh, or of the ssh that it has started to reach a gateway. */
static bool look_group(pid_t group, struct look *look)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    *look = (struct look){0};
    while (proc && (entry = readdir(proc)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            getpgid((pid_t)atol(entry->d_name)) == group)
            look_sockets_of(look, entry->d_name);
    if (proc)
        closedir(proc);
    return look->sockets > 0 && look_for(look);
}

/* connection: "CLIENT PORT SERVER PORT". */
static bool look_sshd(const char *connection, struct look *look)
{
    char client[64], server[64];
    unsigned from, to;
    *look = (struct look){0};
    if (!connection || sscanf(connection, "%63s %u %63s %u", client, &from, server, &to) != 4 ||
        !address_from_text(&look->other, client) || !address_from_text(&look->own, server))
        return false;
    look->other.port = (uint16_t)from;
    look->own.port = (uint16_t)to;
    return look_for(look);
}

/* ---- what is seen ----------------------------------------------------------------------- */

/* The second hint is uncertain, so it does not end the wait. */
bool tcp_look_begun(pid_t group, char text[TCP_LOOK_TEXT])
{
    char interface[IFNAMSIZ];
    struct look look;
    text[0] = 0;
    if (!look_group(group, &look))
        return false;
    const struct tcp_info *info = &look.info;
    uint64_t arrived = info->tcpi_bytes_acked + info->tcpi_bytes_retrans;
    bool lost =
        info->tcpi_retransmits >= LOOK_AGAIN && info->tcpi_bytes_sent > arrived + LOOK_LARGE;
    addresses_interface(&look.found, interface);
    if (lost)
        snprintf(
            text, TCP_LOOK_TEXT,
            "the connection is there, but packets of %u bytes, sent by interface %s, are lost: "
            "lower the MTU of that interface",
            info->tcpi_pmtu, interface);
    else if (info->tcpi_unacked == 0 && info->tcpi_bytes_received > 0 &&
             info->tcpi_bytes_received < LOOK_BANNER)
        snprintf(text, TCP_LOOK_TEXT,
                 "the connection is there, but only %llu bytes have arrived: perhaps large packets "
                 "from there to interface %s are lost: lower the MTU there",
                 (unsigned long long)info->tcpi_bytes_received, interface);
    return lost;
}

/* The text may explain the silence even if the result is false. */
static bool look_silent(const struct look *look, bool busy, char text[TCP_LOOK_TEXT])
{
    const struct tcp_info *info = &look->info;
    if (info->tcpi_unacked == 0 && info->tcpi_last_ack_recv < LOOK_RECENT_MS)
        snprintf(
            text, TCP_LOOK_TEXT,
            ", though its host acknowledges what is sent there (a process is stopped there, or "
            "large packets from there are lost: lower the MTU there)");
    if (busy && info->tcpi_last_ack_recv < LOOK_RECENT_MS)
        return true;
    return info->tcpi_last_ack_recv < LOOK_ALIVE_MS &&
           info->tcpi_total_retrans > info->tcpi_segs_out / LOOK_LOSSY_PART;
}

bool tcp_look_silent(pid_t group, bool busy, char text[TCP_LOOK_TEXT])
{
    struct look look;
    text[0] = 0;
    return look_group(group, &look) && look_silent(&look, busy, text);
}

bool tcp_look_silent_sshd(const char *connection, bool busy, char text[TCP_LOOK_TEXT])
{
    struct look look;
    text[0] = 0;
    return look_sshd(connection, &look) && look_silent(&look, busy, text);
}
