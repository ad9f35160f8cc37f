/* passing.c - descriptors beside bytes (rules: passing.h). */
#include "connect/passing.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for one descriptor.  Its alignment makes room for two where an int has 4 bytes, so the
 * kernel may deliver two. */
union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

ssize_t passing_send(int fd, const void *bytes, size_t n, int passed)
{
    struct iovec iov = {(void *)bytes, n};
    union control control = {0};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

    if (passed >= 0) {
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof passed), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &passed, sizeof passed);
        m.msg_control = control.room;
        m.msg_controllen = sizeof control.room;
    }
    return sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The first descriptor of the message, -1: there is none.  Closes all others, and counts all. */
static int take_first(struct msghdr *m, unsigned *count)
{
    int first = -1, one;

    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t at = 0; CMSG_LEN(at + sizeof one) <= c->cmsg_len; at += sizeof one) {
            memcpy(&one, CMSG_DATA(c) + at, sizeof one);
            if (++*count == 1)
                first = one;
            else
                close(one);
        }
    }
    return first;
}

ssize_t passing_receive(int fd, void *bytes, size_t n, int *passed)
{
    struct iovec iov = {bytes, n};
    union control control = {0};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
    unsigned count = 0;

    if (!passed) /* the kernel closes what there is no room for */
        return recv(fd, bytes, n, MSG_DONTWAIT);
    m.msg_control = control.room;
    m.msg_controllen = sizeof control.room;
    ssize_t got = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    *passed = got < 0 ? -1 : take_first(&m, &count);
    if (count <= 1)
        return got;
    if (*passed >= 0)
        close(*passed);
    *passed = -1;
    errno = EBADMSG;
    return -1;
}
