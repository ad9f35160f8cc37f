/* sealed.c - carries the bytes of a link through a socket in encrypted records (transport.h,
 * seal.h).
 *
 * Invariant: bytes that were sealed count as written by the link, even while the socket has not
 * taken them.  If the connection breaks first, the link sends them again with the next connection's
 * key.
 */
#include "transport/socket.h"

#include "connect/peer.h"
#include "job/task.h"
#include "transport/seal.h"

#include <errno.h>
#include <sys/socket.h>

/* A sealed record must be sent before anything else is sealed. */
static bool holds_record(const struct peer *p)
{
    size_t length;

    return seal_waiting(p->seal, &length) != NULL;
}

/* Bytes count as sent when they are sealed.  A record is short, so MSG_MORE announces further ones.
 * The kernel then combines them into full packets. */
static ssize_t send_sealed(struct peer *p, const struct iovec *iov, int n)
{
    size_t length, taken = 0, pending = 0;
    const uint8_t *bytes = seal_waiting(p->seal, &length);
    ssize_t sent;

    if (!bytes) {
        taken = seal_close(p->seal, iov, n);
        bytes = seal_waiting(p->seal, &length);
    }
    /* More bytes than were sealed wait in the link, so another record follows at once. */
    for (int i = 0; i < n; i++)
        pending += iov[i].iov_len;
    sent =
        send(p->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT | (pending > taken ? MSG_MORE : 0));
    if (sent > 0)
        seal_written(p->seal, (size_t)sent);
    /* If this call has sealed bytes, they count, although the socket took none.  The error shows
     * again at the next send. */
    return sent < 0 && taken == 0 ? -1 : (ssize_t)taken;
}

static int write_sealed(struct peer *p, bool *full)
{
    return socket_drain(p, full, send_sealed, holds_record);
}

/* Processes all complete records, because no event would report them later.  A forged record breaks
 * the connection like a cut cable: the stream resumes over a new one. */
static ptrdiff_t read_sealed(struct peer *p, size_t *offered)
{
    uint8_t *room = seal_room(p->seal, offered);
    ssize_t bytes = recv(p->fd, room, *offered, MSG_DONTWAIT);
    const uint8_t *plain;
    size_t length;
    int opened;

    if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (bytes <= 0)
        return HN_ELINK;
    seal_received(p->seal, (size_t)bytes);
    /* The link may fail on a record that is genuine.  Then the connection ends, and the records
     * behind it are dropped with the seal. */
    while ((opened = seal_open(p->seal, &plain, &length)) > 0) {
        int result = peer_receive_plain(p, plain, length);

        if (result != HN_OK)
            return result;
    }
    socket_await(p, (size_t)bytes, seal_missing(p->seal));
    return opened < 0 ? HN_ELINK : bytes;
}

/* Frees the seal, which wipes its keys. */
static void stop_sealed(struct peer *p)
{
    seal_free(p->seal);
    p->seal = NULL;
}

const struct transport transport_sealed = {
    .sealed = true,
    .start = socket_ignore,
    .stop = stop_sealed,
    .send = socket_send,
    .write = write_sealed,
    .read = read_sealed,
    .confirm = socket_ignore,
    .wake = socket_ignore,
    .notice = socket_notice,
};
