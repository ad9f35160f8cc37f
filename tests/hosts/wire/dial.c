/*
 * hosts-dial NETNS ADDRESS PORT: the ProxyCommand with which ssh on the machine itself, outside all
 * namespaces, reaches a host of a bed (ProxyUseFdpass). It enters the host's namespace, connects
 * there, hands the connected socket over on its standard output, and ends: ssh then talks over
 * that socket as over any other.
 */
#include "netns.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int dial_connect(const char *address, const char *port)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                             .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    if (getaddrinfo(address, port, &hints, &found) != 0) {
        errno = EINVAL;
        return -1;
    }
    int s = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0 && connect(s, found->ai_addr, found->ai_addrlen) != 0) {
        int error = errno;
        close(s);
        errno = error;
        s = -1;
    }
    freeaddrinfo(found);
    return s;
}

static int dial_hand_over(int s)
{
    char byte = 0, control[CMSG_SPACE(sizeof s)] = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof s);
    memcpy(CMSG_DATA(header), &s, sizeof s);
    return sendmsg(STDOUT_FILENO, &message, 0) == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: hosts-dial NETNS ADDRESS PORT\n");
        return 2;
    }
    int s = netns_enter(argv[1]) == 0 ? dial_connect(argv[2], argv[3]) : -1;
    if (s >= 0 && dial_hand_over(s) == 0)
        return 0;
    fprintf(stderr, "hosts-dial: %s: %s port %s: %s\n", argv[1], argv[2], argv[3], strerror(errno));
    return 1;
}
