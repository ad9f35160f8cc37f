/* gate.c - the virtual machine's socket: requests of the user's programs; see keeper.h.
 *
 * The gate is the keeper on the host of `hnow up`.  That host is identified by unique properties
 * (HNOW_MACHINE_HOME).  If several keepers run there, the one that locks the directory's lock file
 * serves; the holder of the lock may remove a socket left by another process.
 *
 * A request arrives on a connection of its own.  It has a length, words that each end with a 0
 * byte, and up to three descriptors of standard streams.  The answer is a decimal status, a line
 * end, and text, up to the end of the connection.
 *
 * Each connection has a detached thread, because many requests block: a command lasts as long as
 * its client wants.  The threads share no state in this file but the counter of requests.
 */
#include "gate.h"

#include "keeper.h"
#include "runtime/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* BACKLOG: connections that wait for accept(); the kernel's own limit was 128 before Linux 5.4.
 * REQUEST_SECONDS: for a whole request, which local programs write at once; a silent client must
 * not block a thread.  ACCEPT_MICROSECONDS: until accept() is tried again when no descriptor or
 * memory is left. */
enum { BACKLOG = 128, REQUEST_SECONDS = 5, ACCEPT_MICROSECONDS = 10000 };

static atomic_int last_id; /* last request number */

int gate_new_id(void)
{
    return ++last_id;
}

/* ---- one request ------------------------------------------------------------------------------
 */

/* The whole request must arrive by `end`: a slow client would occupy its thread for ever. */
static bool receive_all(int fd, char *to, size_t n, int64_t end)
{
    while (n > 0) {
        if (clock_now() > end)
            return false;
        ssize_t got = recv(fd, to, n, 0); /* blocks for at most REQUEST_SECONDS */
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

/* Reads the length, which arrives together with the streams' descriptors.  A client may send fewer
 * than the length's four bytes with them; the rest follows without descriptors. */
static bool receive_length(int fd, uint32_t *size, int streams[3], int64_t end)
{
    ssize_t n = machine_receive(fd, size, sizeof *size, streams);

    return n > 0 && receive_all(fd, (char *)size + n, sizeof *size - (size_t)n, end);
}

/* Splits the received block into words, without copies.  The block has a 0 byte behind it, so that
 * the last word ends even if the client forgot.  Returns false for no words, or too many. */
static bool split(struct words *words, size_t size)
{
    for (size_t at = 0; at < size; at += strlen(words->block + at) + 1) {
        if (words->n == WORDS_MOST)
            return false;
        words->word[words->n++] = words->block + at;
    }
    return words->n > 0;
}

/* The length is checked before memory of that size is allocated.  On failure the caller frees what
 * words->block contains, and closes the streams received until then. */
static bool receive_request(int fd, struct words *words, int streams[3])
{
    int64_t end = clock_now() + REQUEST_SECONDS * INT64_C(1000000000);
    uint32_t size;

    if (!receive_length(fd, &size, streams, end) || size > MACHINE_REQUEST_MOST)
        return false;
    words->block = malloc((size_t)size + 1);
    if (!words->block || !receive_all(fd, words->block, size, end))
        return false;
    words->block[size] = 0;
    return split(words, size);
}

/* Rejects other users, although they cannot enter the directory. */
static bool is_own(int fd)
{
    struct ucred who;
    socklen_t n = sizeof who;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 && who.uid == getuid();
}

/* A thread for one connection, which it owns together with all descriptors that the client has
 * passed.  gate_answer() takes the streams that it uses and leaves -1 in their place; the others
 * are closed here. */
static void *serve(void *data)
{
    int fd = (int)(intptr_t)data, streams[3] = {-1, -1, -1};
    struct words *words = calloc(1, sizeof *words);
    struct timeval limit = {.tv_sec = REQUEST_SECONDS};
    bool was_agent = false;

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (words && is_own(fd) && receive_request(fd, words, streams)) {
        was_agent = strcmp(words->word[0], "agent") == 0;
        /* The stream has its own descriptor, since closing it must not end the connection: a
         * running command watches the connection for its client's end. */
        FILE *out = fdopen(dup(fd), "w");
        if (out)
            gate_answer(words, fd, streams, out);
        if (out)
            fclose(out);
    }
    for (int i = 0; i < 3; i++)
        if (streams[i] >= 0)
            close(streams[i]);
    if (words)
        words_free(words);
    free(words);
    close(fd);
    /* The client already has its answer, so the delay before the next agent starts is not part of
     * its time. */
    if (was_agent)
        agent_replace();
    return NULL;
}

/* ---- the socket -------------------------------------------------------------------------------
 */

/* Never returns: the socket exists as long as the process.  A failed accept() is repeated after a
 * pause, because a shortage of descriptors ends when other requests end. */
static void *accept_all(void *data)
{
    int listener = (int)(intptr_t)data;
    pthread_t thread;

    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0) {
            usleep(ACCEPT_MICROSECONDS);
            continue;
        }
        if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0)
            pthread_detach(thread);
        else
            close(fd);
    }
    return NULL;
}

/* Compares this host with the one on which `hnow up` ran, which is identified by an environment
 * variable of the keepers.  A name alone could be that of a container on the same host. */
static bool is_home(void)
{
    char here[GATE_HOME];
    const char *home = getenv(GATE_HOME_VARIABLE);

    gate_home(here);
    return home && strcmp(home, here) == 0;
}

/* Returns 1 if this process is the one that serves, which holds the lock as long as it runs; 0 if
 * another process holds it; or an error.  The descriptor is never closed.  It is not inherited by
 * commands, which could otherwise hold the lock after this process. */
static int get_lock(void)
{
    char path[MACHINE_PATH];
    int fd = machine_file(path, "lock") ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0)
        return error_set(HN_ESYS, "%s: %s", path, strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return 1;
    close(fd);
    return 0;
}

/* Only the holder of the lock may call it: a socket that exists must be left over from a process
 * that has ended.  Returns the listening descriptor, or -1 with an error. */
static int listen_on_socket(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || machine_file(address.sun_path, "socket"))
        return -1;
    unlink(address.sun_path);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    error_set(HN_ESYS, "%s: %s", address.sun_path, strerror(errno));
    close(fd);
    return -1;
}

/* Requests are accepted last, when the hosts are known and all keepers watch this process.  Any
 * keeper on the host may become the gate, so the others must learn its tid from the request. */
int gate_open(bool *serves)
{
    pthread_t thread;

    int result = is_home() ? get_lock() : 0;
    if (result <= 0)
        return result;
    signal(SIGPIPE, SIG_IGN);
    for (int rank = 0; rank < hn_size(); rank++)
        if (rank != hn_rank())
            gate_watched_by(hn_group_tid(hn_world(), rank));
    int listener = gate_hosts_read() == HN_OK ? listen_on_socket() : -1;
    if (listener < 0)
        return HN_ESYS;
    if (pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)listener) != 0)
        return HN_ENOMEM;
    pthread_detach(thread);
    *serves = true;
    return HN_OK;
}

/* The boot id is common to all containers of one computer and changes when it restarts.  The
 * network namespace distinguishes containers, and the name those without one of their own.  A part
 * that cannot be read remains empty. */
void gate_home(char here[GATE_HOME])
{
    memset(here, 0, GATE_HOME);
    host_id(here);
    size_t n = strlen(here);
    gethostname(here + n, GATE_HOME - 1 - n);
}
