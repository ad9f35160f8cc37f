/* launch_look.c - finds why each address of a host refuses connections; see launch.h.
 *
 * ssh tries the addresses of a name one by one, and reports why the last one failed.  Here all are
 * tried again, in parallel, in a separate process, because resolving a name and connecting block.
 *
 * The result is a line for the user; it decides nothing.
 */
#include "hrun/hosts/launch.h"

#include "base/clock.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define LOOK_PATIENCE                                                                              \
    3500 /* ms for a connection: an address without a neighbour fails in 3 s (arp(7)) */
enum { LOOK_MOST = 16 }; /* addresses; as many as fit into the line */

/* One address that is being tried. */
struct look {
    char name[NI_MAXHOST];
    int fd;
    int error; /* EINPROGRESS: unknown yet; 0: it answers */
};

/* Starts a connection without waiting for it. error is set in every case. */
static void look_begin(struct look *look, const struct addrinfo *to)
{
    if (getnameinfo(to->ai_addr, to->ai_addrlen, look->name, sizeof look->name, NULL, 0,
                    NI_NUMERICHOST))
        strcpy(look->name, "?");
    look->fd = socket(to->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    look->error = look->fd < 0 || connect(look->fd, to->ai_addr, to->ai_addrlen) ? errno : 0;
}

/* Milliseconds. */
static int64_t look_now(void)
{
    return clock_now() / 1000000;
}

/* Until each address has failed or answered, or the time is up.  Descriptors of finished ones are
 * not polled. */
static void look_wait(struct look *looks, size_t n)
{
    int64_t end = look_now() + LOOK_PATIENCE, left;
    size_t missing = 1;
    while (missing > 0 && (left = end - look_now()) > 0) {
        struct pollfd wait[LOOK_MOST];
        for (size_t i = 0; i < n; i++)
            wait[i] = (struct pollfd){looks[i].error == EINPROGRESS ? looks[i].fd : -1, POLLOUT, 0};
        poll(wait, n, (int)left);
        missing = 0;
        for (size_t i = 0; i < n; i++) {
            socklen_t length = sizeof looks[i].error;
            if (wait[i].revents)
                getsockopt(looks[i].fd, SOL_SOCKET, SO_ERROR, &looks[i].error, &length);
            missing += looks[i].error == EINPROGRESS;
        }
    }
}

/* An address that answers now may have been busy when ssh tried it. (A port that answers may still
 * be refused to ssh.) */
static const char *look_reason(const struct look *look)
{
    if (look->error == EINPROGRESS)
        return "no answer within 3 s";
    return look->error ? strerror(look->error) : "answers now";
}

/* Runs in a child process.  With one address the result is what ssh has reported, so nothing is
 * written. At most LOOK_MOST addresses; beyond that the line would be cut anyway. */
static void launch_look_become(const void *arg)
{
    const struct launch_place *place = arg;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    struct look looks[LOOK_MOST];
    size_t n = 0;
    if (getaddrinfo(place->name, place->port, &hints, &found))
        return;
    for (struct addrinfo *one = found; one && n < LOOK_MOST; one = one->ai_next)
        look_begin(&looks[n++], one);
    look_wait(looks, n);
    for (size_t i = 0; i < n && n > 1; i++)
        dprintf(2, "%s%s: %s", i > 0 ? ", " : "", looks[i].name, look_reason(&looks[i]));
}

/* Parses a message of ssh such as "connect to host H port 22: Connection refused". */
bool launch_place_of(const char *said, struct launch_place *place)
{
    const char *at = strstr(said, "connect to host ");
    return at && sscanf(at, "connect to host %255s port %7[0-9]:", place->name, place->port) == 2;
}

/* The child's standard error becomes the host's last line, as that of ssh does. */
int launch_look(const struct launch *launch, const struct launch_place *place,
                struct launched *launched)
{
    return launch_process(launch_look_become, place, &launch->files, launched);
}
