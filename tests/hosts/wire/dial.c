/*
 * hosts-dial NETNS ADDRESS PORT: the ProxyCommand with which ssh on the machine itself, outside all
 * namespaces, reaches a host of a bed. It enters the host's namespace, connects there, and copies:
 * standard input to the socket in a child, the socket to standard output in the parent. The child
 * ends with the parent. (Handing the socket over, by ProxyUseFdpass, would be cheaper, but that
 * option in a configuration file also holds for a ProxyCommand from the command line.)
 */
#include "netns.h"

#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
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

/* Until the end of FROM; false when either side fails. */
static bool dial_copy(int from, int to)
{
    char block[65536];
    for (ssize_t got; (got = read(from, block, sizeof block)) != 0;) {
        if (got < 0 && errno != EINTR)
            return false;
        for (ssize_t done = 0, wrote; done < got; done += wrote)
            if ((wrote = write(to, block + done, (size_t)(got - done))) < 0)
                return false;
    }
    return true;
}

static int dial_relay(int s)
{
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
            dial_copy(STDIN_FILENO, s);
        shutdown(s, SHUT_WR);
        _exit(0);
    }
    bool good = dial_copy(s, STDOUT_FILENO);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return good ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: hosts-dial NETNS ADDRESS PORT\n");
        return 2;
    }
    int s = netns_enter(argv[1]) == 0 ? dial_connect(argv[2], argv[3]) : -1;
    if (s >= 0 && dial_relay(s) == 0)
        return 0;
    fprintf(stderr, "hosts-dial: %s: %s port %s: %s\n", argv[1], argv[2], argv[3], strerror(errno));
    return 1;
}
