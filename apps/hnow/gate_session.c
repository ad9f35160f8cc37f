/* gate_session.c - executes a client's command, at the gate; see keeper.h.
 *
 * A command on the gate's own host gets the client's descriptors themselves, so that a terminal
 * remains a terminal.  On another host it gets pipes, and this process copies: one thread sends
 * input, and the request's thread writes output.
 *
 * A client ends a command by closing its connection.  Nothing else arrives there after the request,
 * so any event on it is the client's end.
 */
#include "keeper.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

static bool hung_up(short events)
{
    return events & (POLLIN | POLLHUP | POLLERR); /* a client sends nothing after its request */
}

/* ---- on this host: with the client's own streams ----------------------------------------------
 */

/* Runs a command as this process's child, and blocks until it has ended.  When the client leaves
 * first, the command gets SIGTERM after a time (process_end()), and is still waited for.  127: it
 * could not be started, as in a shell. */
static int run_local(const struct words *words, int connection, const int streams[3])
{
    pid_t pid = process_start(words->word, streams);
    int error = errno;

    if (pid < 0) {
        dprintf(streams[2], "hnow: %s: %s\n", process_name(words), strerror(error));
        return 127;
    }
    /* Without a pidfd, the client's end cannot be noticed, and only the command's end counts. */
    struct pollfd wait[] = {{pidfd_open(pid, 0), POLLIN, 0}, {connection, POLLIN, 0}};
    while (wait[0].fd >= 0 && poll(wait, 2, -1) < 0 && errno == EINTR)
        ;
    if (!wait[0].revents && hung_up(wait[1].revents))
        process_end(pid);
    if (wait[0].fd >= 0)
        close(wait[0].fd);
    return process_wait(pid);
}

/* ---- on another host ---------------------------------------------------------------------------
 */

/* The command of one request at another host's keeper.  It is on the stack of session_run(), which
 * joins the sending thread before it returns. */
struct session {
    hn_tid keeper;
    int id, connection, input;
};

/* Sends the client's input, followed by its end. Finally informs the keeper that no client waits
 * for the command any more, because the client has gone or the command has ended. */
static void *send_input(void *data)
{
    static const char *const gone[] = {"end"};
    struct session *s = data;
    struct pollfd wait[] = {{s->input, POLLIN, 0}, {s->connection, POLLIN, 0}};
    char *bytes = malloc(CHUNK);
    bool ended = !bytes;

    for (;;) {
        /* poll() ignores a negative descriptor: after the input's end, only the client's end is
         * awaited. */
        wait[0].fd = ended ? -1 : s->input;
        if (poll(wait, 2, -1) < 0 && errno != EINTR)
            break;
        if (hung_up(wait[1].revents))
            break;
        if (ended || !wait[0].revents)
            continue;
        ssize_t n = read(s->input, bytes, CHUNK);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        /* An error of reading is treated as the end of input, which is sent as an empty message. */
        ended = n <= 0;
        bytes_send(s->keeper, tag_of(s->id, INPUT), 0, bytes, ended ? 0 : (size_t)n);
    }
    /* The keeper's thread waits for an end of input in every case. */
    if (!ended)
        bytes_send(s->keeper, tag_of(s->id, INPUT), 0, NULL, 0);
    message_send(s->keeper, TAG_CONTROL, s->id, gone, 1);
    free(bytes);
    return NULL;
}

/* Writes the command's output until its status arrives.  Returns the status, or LOST_STATUS with an
 * error message for the client if the keeper's host is lost. */
static int take_output(const struct session *s, const int streams[3])
{
    char *bytes = malloc(CHUNK);
    int stream = LOST_STATUS, n = bytes ? 1 : -1, status = LOST_STATUS;

    while (n > 0 && (n = bytes_receive(s->keeper, tag_of(s->id, OUTPUT), &stream, bytes)) > 0) {
        /* A client that no longer reads is not an error: its output is discarded until the command
         * has ended. */
        if (stream == 1 || stream == 2) {
            write_all(streams[stream], bytes, (size_t)n);
            continue;
        }
        /* The status is text without a 0. */
        bytes[n < CHUNK ? n : CHUNK - 1] = 0;
        status = atoi(bytes);
        break;
    }
    if (n <= 0)
        dprintf(streams[2], "hnow: the host has been lost\n");
    free(bytes);
    return status;
}

/* The request's thread receives output while a second one sends input, because both may block.  The
 * sender ends when the connection is shut down here or by the client; then it informs the
 * keeper. */
static int run_remote(struct session *s, const struct words *words, const int streams[3])
{
    const char *control[WORDS_MOST + 1] = {"start"};
    pthread_t sender;

    memcpy(control + 1, words->word, (size_t)words->n * sizeof *control);
    if (message_send(s->keeper, TAG_CONTROL, s->id, control, words->n + 1) != HN_OK ||
        pthread_create(&sender, NULL, send_input, s) != 0) {
        dprintf(streams[2], "hnow: the host has left the machine, or: %s\n", hn_error_text());
        return LOST_STATUS;
    }
    int status = take_output(s, streams);
    shutdown(s->connection, SHUT_RD); /* wakes the sender */
    pthread_join(sender, NULL);
    return status;
}

int session_run(hn_tid keeper, int id, const struct words *words, int connection,
                const int streams[3])
{
    struct session session = {
        .keeper = keeper, .id = id, .connection = connection, .input = streams[0]};
    int status;

    if (keeper == hn_mytid())
        status = run_local(words, connection, streams);
    else
        status = run_remote(&session, words, streams);
    for (int i = 0; i < 3; i++)
        close(streams[i]);
    return status;
}
