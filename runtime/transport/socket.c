/* socket.c - carries the bytes of a link through a TCP or UNIX socket (transport.h).
 *
 * The socket is nonblocking in effect: every call has MSG_DONTWAIT. MSG_NOSIGNAL avoids SIGPIPE
 * when the other side has closed.  An interrupted call counts as one that would block, and the loop
 * repeats it.
 */
#include "transport/socket.h"

#include "connect/peer.h"
#include "job/task.h"

#include <errno.h>
#include <sys/socket.h>

/* For events of which a transport need not take notice. */
void socket_ignore(struct peer *p)
{
    (void)p;
}

/* A socket has no way beside the stream. */
bool socket_send(struct peer *p, const hn_info *info, hn_context context, const void *data,
                 size_t bytes)
{
    (void)p, (void)info, (void)context, (void)data, (void)bytes;
    return false;
}

/* A readable socket may always be read. */
bool socket_notice(struct peer *p)
{
    (void)p;
    return true;
}

/* Bytes.  AWAIT_LEAST: less than this is a packet or two.  AWAIT_MOST: a sealed record, and so
 * little that the window stays open even if packets waste most of the memory that they take. */
enum { AWAIT_LEAST = 4 << 10, AWAIT_MOST = 16 << 10 };

/* On a connection that brings more than some packets at a time, the first read shows that, and
 * nothing is awaited: reading what is there saves more time than a wake-up costs. */
void socket_await(struct peer *p, size_t got, size_t missing)
{
    bool alone = p->receiving.awaits > 1 || got < AWAIT_LEAST;
    int least = !alone || missing < AWAIT_LEAST ? 1
                : missing < AWAIT_MOST          ? (int)missing
                                                : AWAIT_MOST;

    if (least != p->receiving.awaits &&
        setsockopt(p->fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least) == 0)
        p->receiving.awaits = least;
}

/* Ends when all is written, when the socket takes no more, or when it is broken.  A short write is
 * no reason to stop: the next attempt returns EAGAIN if the buffer is full. holds(): something of
 * the transport's own is to be written, even if the link has nothing.  Returns whether anything was
 * written, or HN_ELINK. */
int socket_drain(struct peer *p, bool *full,
                 ssize_t (*send_some)(struct peer *p, const struct iovec *iov, int n),
                 bool (*holds)(const struct peer *p))
{
    struct iovec iov[LINK_IOV];
    int n, sent = 0;

    while ((n = link_output(&p->link, iov)) > 0 || holds(p)) {
        ssize_t bytes = send_some(p, iov, n);

        if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) {
            *full = true;
            return sent;
        }
        if (bytes < 0)
            return HN_ELINK;
        /* Progress that another task may wait for: see engine.h, hand-over to the background
         * thread. */
        p->task->engine.background.helped++;
        link_written(&p->link, (size_t)bytes);
        sent = 1;
    }
    return sent;
}

/* ---- the plain socket --------------------------------------------------------------------- */

static ssize_t send_plain(struct peer *p, const struct iovec *iov, int n)
{
    struct msghdr m = {.msg_iov = (struct iovec *)iov, .msg_iovlen = (size_t)n};

    return sendmsg(p->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool holds_nothing(const struct peer *p)
{
    (void)p;
    return false;
}

static int write_plain(struct peer *p, bool *full)
{
    return socket_drain(p, full, send_plain, holds_nothing);
}

/* Large payloads are read directly into their destination, the rest into the task's scratch
 * buffer. */
static ptrdiff_t read_plain(struct peer *p, size_t *offered)
{
    uint8_t *scratch = p->task->peers.scratch;
    struct iovec iov[2];
    struct msghdr m = {.msg_iov = iov};

    /* The first entry may be the receiver's own buffer, so that the kernel copies the payload to
     * its final place. */
    m.msg_iovlen = (size_t)link_input(&p->link, iov, scratch, PEER_SCRATCH);
    *offered = iov[0].iov_len + (m.msg_iovlen > 1 ? iov[1].iov_len : 0);
    ssize_t bytes = recvmsg(p->fd, &m, MSG_DONTWAIT);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    /* 0 is the end of the stream.  Without a closing frame before it, the connection was lost. */
    if (bytes <= 0)
        return HN_ELINK;
    int result = link_received(&p->link, scratch, (size_t)bytes);
    socket_await(p, (size_t)bytes, p->link.in.payload);
    return result == HN_OK ? bytes : result;
}

const struct transport transport_socket = {
    .start = socket_ignore,
    .stop = socket_ignore,
    .send = socket_send,
    .write = write_plain,
    .read = read_plain,
    .confirm = socket_ignore,
    .wake = socket_ignore,
    .notice = socket_notice,
};
