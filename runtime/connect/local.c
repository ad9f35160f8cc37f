/* local.c - names of the UNIX sockets of tasks (local.h).
 *
 * Names are abstract: they need no file system, vanish with their sockets, and can be computed by
 * each member of the job.  Since the name depends on the secret, others cannot guess it.  They can
 * see it in /proc, hence local_is_own().
 */
#include "connect/local.h"

#include "base/bytes.h"
#include "job/task.h"

#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

/* Read from the environment at each call.  Any other value means the default. */
enum local_choice local_choice(void)
{
    const char *choice = getenv("HNOW_LOCAL");

    if (!choice)
        return LOCAL_BEST;
    return strcmp(choice, "relay") == 0   ? LOCAL_RELAY
           : strcmp(choice, "tcp") == 0   ? LOCAL_TCP
           : strcmp(choice, "unix") == 0  ? LOCAL_UNIX
           : strcmp(choice, "ring") == 0  ? LOCAL_RING
           : strcmp(choice, "fetch") == 0 ? LOCAL_FETCH
                                          : LOCAL_BEST;
}

bool local_reaches(const struct task *t, hn_tid tid)
{
    return control_host((uint32_t)tid) == control_host((uint32_t)t->tid) &&
           local_choice() <= LOCAL_UNIX;
}

/* Root may always connect: it could read the secret anyway. */
bool local_is_own(int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
           (who.uid == geteuid() || who.uid == 0);
}

/* For messages; a user that is not known is shown as the largest number. */
void local_user(int fd, char *text, size_t size)
{
    struct ucred who = {.uid = (uid_t)-1};
    socklen_t length = sizeof who;

    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length);
    snprintf(text, size, "user %u", (unsigned)who.uid);
}

/* "hnow-" and 32 hexadecimal digits, which fit into sun_path. */
socklen_t local_name(const uint8_t *secret, hn_tid tid, struct sockaddr_storage *address)
{
    static const char prefix[] = "hnow-";
    struct sockaddr_un *a = (struct sockaddr_un *)address;
    uint8_t number[4], hash[16];

    /* host-independent encoding: 32-bit and emulated programs may share a host */
    bytes_put32(number, (uint32_t)tid);
    crypto_generichash(hash, sizeof hash, number, sizeof number, secret, CONTROL_SECRET);
    memset(address, 0, sizeof *address);
    a->sun_family = AF_UNIX;
    /* byte 0 stays 0, which makes the name abstract */
    memcpy(a->sun_path + 1, prefix, sizeof prefix - 1);
    sodium_bin2hex(a->sun_path + sizeof prefix, 2 * sizeof hash + 1, hash, sizeof hash);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + sizeof prefix + 2 * sizeof hash);
}

/* Binds a new socket to that address, or connects it. */
static int open_at(const uint8_t *secret, hn_tid tid, bool listens)
{
    struct sockaddr_storage at;
    socklen_t length = local_name(secret, tid, &at);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    if (listens ? bind(fd, (struct sockaddr *)&at, length) == 0 && listen(fd, SOMAXCONN) == 0
                : connect(fd, (struct sockaddr *)&at, length) == 0 && local_is_own(fd))
        return fd;
    close(fd);
    return -1;
}

/* -1: the name is in use, or there is no descriptor.  A shortage is no error: the caller uses the
 * network. */
int local_listen(const uint8_t *secret, hn_tid tid)
{
    return open_at(secret, tid, true);
}

int local_connect(const uint8_t *secret, hn_tid tid)
{
    return open_at(secret, tid, false);
}
