/* machine.c - the client of the persistent machine; see machine.h. */
#include "base/machine.h"

#include "base/error.h"
#include "base/passing.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* Seconds until a request must have been taken.  A gate does that at once, unless it is stopped and
 * so many connections wait already. */
enum { MACHINE_SEND_SECONDS = 5 };

_Static_assert(MACHINE_PATH <= sizeof((struct sockaddr_un){0}).sun_path, "the path of a socket");

/* ---- the directory ------------------------------------------------------------------------- */

/* Chooses the directory without looking at it: the one that HNOW_MACHINE_DIR names, the session's
 * own, or one in /tmp. */
static int machine_directory(char path[MACHINE_PATH])
{
    const char *own = getenv(MACHINE_DIRECTORY), *run = getenv("XDG_RUNTIME_DIR");
    int n;
    if (own && strcmp(own, MACHINE_NONE) == 0)
        return error_set(HN_ENAME, "%s is %s: no machine is used", MACHINE_DIRECTORY, own);
    if (own && *own)
        n = snprintf(path, MACHINE_PATH, "%s", own);
    else if (run && *run)
        n = snprintf(path, MACHINE_PATH, "%s/hnow", run);
    else
        n = snprintf(path, MACHINE_PATH, "/tmp/hnow-%u", (unsigned)getuid());
    return n < MACHINE_PATH
               ? HN_OK
               : error_set(HN_EARG, "%s: too long for the directory of a socket: set %s", path,
                           MACHINE_DIRECTORY);
}

/* A directory that another user has made in /tmp must not be trusted.  It counts as no machine, so
 * hrun runs jobs without one. */
static int machine_check_directory(const char *path)
{
    struct stat status;
    if (lstat(path, &status))
        return error_set(HN_ENAME, "no machine is up: start one with 'hnow up'");
    if (status.st_uid != getuid())
        return error_set(HN_ENAME, "%s: belongs to another user: set %s", path, MACHINE_DIRECTORY);
    if (!S_ISDIR(status.st_mode) || (status.st_mode & 077))
        return error_set(HN_ESYS, "%s: not a directory of yours with mode 0700: set %s", path,
                         MACHINE_DIRECTORY);
    return HN_OK;
}

/* An existing directory is checked in the same way as a new one: it may be another user's. */
int machine_make_directory(void)
{
    char path[MACHINE_PATH];
    int result = machine_directory(path);
    if (result)
        return result;
    if (mkdir(path, 0700) && errno != EEXIST)
        return error_set(HN_ESYS, "%s: %s", path, strerror(errno));
    return machine_check_directory(path);
}

/* Checks the directory each time, because another process may have replaced it in the meantime. */
int machine_file(char path[MACHINE_PATH], const char *name)
{
    int result = machine_directory(path);
    if (!result)
        result = machine_check_directory(path);
    size_t n = strlen(path);
    if (!result && snprintf(path + n, MACHINE_PATH - n, "/%s", name) >= (int)(MACHINE_PATH - n))
        result = error_set(HN_EARG, "%s: too long for the directory of a socket", path);
    return result;
}

/* ---- requests -------------------------------------------------------------------------------- */

static int machine_silent(void)
{
    return error_set(HN_ESYS, "the machine is up, but does not answer: a process of it may be "
                              "stopped (SIGSTOP): 'hnow down' ends it");
}

void machine_limit(int connection, int seconds)
{
    struct timeval limit = {.tv_sec = seconds};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/* HN_ENAME: nothing listens there.  The caller may then continue without a machine. */
static int machine_connect(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval limit = {.tv_sec = MACHINE_SEND_SECONDS};
    int result = machine_file(address.sun_path, "socket");
    if (result)
        return result;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return error_set(HN_ESYS, "socket: %s", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    do
        result = connect(fd, (struct sockaddr *)&address, sizeof address);
    while (result && errno == EINTR);
    if (result == 0)
        return fd;
    int why = errno;
    close(fd);
    if (why == EAGAIN)
        return machine_silent();
    return why == ENOENT || why == ECONNREFUSED
               ? error_set(HN_ENAME, "no machine is up: start one with 'hnow up'")
               : error_set(HN_ESYS, "%s: %s", address.sun_path, strerror(why));
}

/* Packs the number of bytes, then the words, each with a terminating 0. */
static char *machine_pack(const char *const *words, int n, uint32_t *size)
{
    size_t total = sizeof *size;
    for (int i = 0; i < n; i++)
        total += strlen(words[i]) + 1;
    char *request = total <= MACHINE_REQUEST_MOST ? malloc(total) : NULL;
    if (!request)
        return NULL;
    *size = (uint32_t)(total - sizeof *size);
    memcpy(request, size, sizeof *size);
    char *to = request + sizeof *size;
    for (int i = 0; i < n; i++)
        to = stpcpy(to, words[i]) + 1;
    return request;
}

/* Blocks.  The descriptors are sent with the first part only. */
int machine_send(int fd, const void *data, size_t size, const int *descriptors, int n)
{
    while (size > 0) {
        ssize_t sent = passing_send(fd, data, size, 0, descriptors, (unsigned)n);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN)
            return machine_silent();
        if (sent <= 0)
            return error_set(HN_ESYS, "the machine has closed the connection: see 'hnow log'");
        data = (const char *)data + sent;
        size -= (size_t)sent;
        n = 0;
    }
    return HN_OK;
}

ssize_t machine_receive(int fd, void *data, size_t size, int descriptors[3])
{
    ssize_t n;
    do
        n = passing_receive(fd, data, size, 0, descriptors, PASSING_MOST);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Reads until the connection ends or the memory is full; returns the number of bytes, also after an
 * error. */
size_t machine_receive_all(int fd, void *data, size_t size)
{
    size_t have = 0;
    ssize_t n = 1;
    while (have < size && (n > 0 || (n < 0 && errno == EINTR))) {
        n = recv(fd, (char *)data + have, size - have, 0);
        have += n > 0 ? (size_t)n : 0;
    }
    return have;
}

int machine_ask(const char *const *words, int n, const int *descriptors)
{
    uint32_t size;
    char *request = machine_pack(words, n, &size);
    if (!request)
        return error_set(HN_EARG, "the request is longer than %d bytes", MACHINE_REQUEST_MOST);
    int fd = machine_connect();
    int result =
        fd < 0 ? fd
               : machine_send(fd, request, size + sizeof size, descriptors, descriptors ? 3 : 0);
    free(request);
    if (fd >= 0 && result)
        close(fd);
    return result ? result : fd;
}

/* Reads to the end of the connection, or to the first 0 byte.  The connection stays open, because a
 * duplicate is read.  A status that is no number from 0 to 255 means that the gate has ended
 * without an answer. */
int machine_answer(int connection, char **text)
{
    char *all = NULL, *rest;
    size_t size = 0;
    FILE *stream = fdopen(dup(connection), "r");
    errno = 0;
    ssize_t n = stream ? getdelim(&all, &size, 0, stream) : -1;
    bool late = n < 0 && errno == EAGAIN;
    if (stream)
        fclose(stream);
    long status = n > 0 ? strtol(all, &rest, 10) : -1;
    if (n <= 0 || rest == all || *rest != '\n' || status < 0 || status > 255) {
        free(all);
        return late ? machine_silent()
                    : error_set(HN_ESYS, "the machine gave no answer: see 'hnow log'");
    }
    if (text)
        *text = strdup(rest + 1);
    free(all);
    return text && !*text ? error_set(HN_ENOMEM, "out of memory") : (int)status;
}
