/* passing.c - passes descriptors with bytes (rules: passing.h). */
#include "base/passing.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Its alignment may leave room for one more descriptor, so the kernel may deliver that many. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(PASSING_MOST * sizeof(int))];
};

/* count is at most PASSING_MOST. */
ssize_t passing_send(int fd, const void *bytes, size_t n, int flags, const int *passed,
                     unsigned count)
{
    struct iovec iov = {(void *)bytes, n};
    union control control = {0};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

    if (count > 0) {
        size_t size = count * sizeof *passed;
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(size), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), passed, size);
        m.msg_control = control.room;
        m.msg_controllen = CMSG_SPACE(size);
    }
    return sendmsg(fd, &m, MSG_NOSIGNAL | flags);
}

/* Stores a descriptor in a free entry.  False: there is none, and the descriptor is closed. */
static bool put(int one, int *passed, unsigned room)
{
    for (unsigned i = 0; i < room; i++)
        if (passed[i] < 0) {
            passed[i] = one;
            return true;
        }
    close(one);
    return false;
}

/* Every descriptor of the message is stored or closed, even when an earlier one had no room.
 * False: some had none. */
static bool take_all(struct msghdr *m, int *passed, unsigned room)
{
    bool fit = true;
    int one;

    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t at = 0; CMSG_LEN(at + sizeof one) <= c->cmsg_len; at += sizeof one) {
            memcpy(&one, CMSG_DATA(c) + at, sizeof one);
            fit = put(one, passed, room) && fit;
        }
    }
    return fit;
}

/* If a descriptor had no room, all are closed and the call fails, although the bytes have been
 * received.  The sender and the receiver disagree on the protocol then. */
ssize_t passing_receive(int fd, void *bytes, size_t n, int flags, int *passed, unsigned room)
{
    struct iovec iov = {bytes, n};
    union control control = {0};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

    if (room == 0) /* the kernel closes descriptors without room */
        return recv(fd, bytes, n, flags);
    m.msg_control = control.room;
    m.msg_controllen = sizeof control.room;
    ssize_t got = recvmsg(fd, &m, MSG_CMSG_CLOEXEC | flags);
    if (got < 0 || take_all(&m, passed, room))
        return got;
    for (unsigned i = 0; i < room; i++) {
        if (passed[i] >= 0)
            close(passed[i]);
        passed[i] = -1;
    }
    errno = EBADMSG;
    return -1;
}
