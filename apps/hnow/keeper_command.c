/* keeper_command.c - executes a command for a client on the gate's host; see keeper.h.
 *
 * A command has three pipes, a thread that reads its output (serve()), and one that writes its
 * input (feed()).  serve() owns the command: it waits for the process, joins the other thread, and
 * frees the command.
 */
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
    hn_tid gate;
    int id;
    pid_t pid;
    bool is_agent;
    int in, out, err; /* this side of its streams */
    struct command *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Only for command_end(), which finds a command by the number of its request; protected by the
 * mutex. */
static struct command *commands;

static void list(struct command *command)
{
    pthread_mutex_lock(&mutex);
    command->next = commands;
    commands = command;
    pthread_mutex_unlock(&mutex);
}

static void unlist(struct command *command)
{
    pthread_mutex_lock(&mutex);
    struct command **at = &commands;
    while (*at != command)
        at = &(*at)->next;
    *at = command->next;
    pthread_mutex_unlock(&mutex);
}

/* The command may have ended before: then nothing is found, or process_end() ignores the
 * process. */
void command_end(int id)
{
    pthread_mutex_lock(&mutex);
    for (struct command *c = commands; c; c = c->next)
        if (c->id == id)
            process_end(c->pid);
    pthread_mutex_unlock(&mutex);
}

/* ---- the threads ----------------------------------------------------------------------------- */

/* The gate always sends an end of input, even after the command has ended, so that no thread
 * remains.  A command that has closed its input is no error: the rest is received and discarded.
 * An error of receiving means that the gate is lost. */
static void *feed(void *data)
{
    struct command *c = data;
    char *bytes = malloc(CHUNK);
    int number, n;

    while (bytes && (n = bytes_receive(c->gate, tag_of(c->id, INPUT), &number, bytes)) > 0)
        if (c->in >= 0 && !write_all(c->in, bytes, (size_t)n)) {
            close(c->in);
            c->in = -1;
        }
    if (c->in >= 0)
        close(c->in);
    free(bytes);
    return NULL;
}

/* Forwards output of one of the command's streams. Returns false at its end. */
static bool pass_on(const struct command *c, int fd, int stream, char *bytes)
{
    ssize_t n = read(fd, bytes, CHUNK);

    if (n > 0)
        bytes_send(c->gate, tag_of(c->id, OUTPUT), stream, bytes, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Forwards the command's output and errors until both have ended.  The streams may stay open after
 * the command's end if a descendant still has them, as with ssh. */
static void drain(const struct command *c)
{
    struct pollfd wait[] = {{c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
    char *bytes = malloc(CHUNK);

    while (bytes && (wait[0].fd >= 0 || wait[1].fd >= 0))
        for (int i = 0, n = poll(wait, 2, -1); i < 2 && n > 0; i++)
            if (wait[i].fd >= 0 && wait[i].revents && !pass_on(c, wait[i].fd, i + 1, bytes))
                wait[i].fd = -1;
    close(c->out);
    close(c->err);
    free(bytes);
}

/* The exit status ends the output, and with it the request at the gate. */
static void report(hn_tid gate, int id, int status)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d", status);

    bytes_send(gate, tag_of(id, OUTPUT), 0, text, (size_t)n);
}

/* Output first, then the status: a status that overtook output would end the client too early. */
static void *serve(void *data)
{
    struct command *c = data;
    pthread_t feeder;
    bool feeds = pthread_create(&feeder, NULL, feed, c) == 0;

    if (!feeds)
        close(c->in);
    drain(c);
    report(c->gate, c->id, process_wait(c->pid));
    /* Afterwards command_end() cannot find the command, which may be freed. */
    unlist(c);
    if (feeds)
        pthread_join(feeder, NULL);
    if (c->is_agent)
        agent_replace();
    free(c);
    return NULL;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Makes the pipes to a command: its ends, and this side's. */
static bool make_pipes(int theirs[3], struct command *c)
{
    int pair[3][2], n = 0;

    while (n < 3 && pipe2(pair[n], O_CLOEXEC) == 0)
        n++;
    if (n < 3) {
        while (n-- > 0) {
            close(pair[n][0]);
            close(pair[n][1]);
        }
        return false;
    }
    theirs[0] = pair[0][0];
    theirs[1] = pair[1][1];
    theirs[2] = pair[2][1];
    c->in = pair[0][1];
    c->out = pair[1][0];
    c->err = pair[2][0];
    return true;
}

/* The gate's side of a command that could not start: an error text, status 127, and all its input,
 * which must be received as well. */
static void refuse(hn_tid gate, int id, const char *program, const char *why)
{
    char text[512];
    int n = snprintf(text, sizeof text, "hnow: %s: %s\n", program, why);

    bytes_send(gate, tag_of(id, OUTPUT), 2, text, (size_t)n);
    report(gate, id, 127);
    feed(&(struct command){.gate = gate, .id = id, .in = -1});
}

/* Without memory for a thread, the command is served in the caller's thread, and other requests to
 * this keeper wait. */
void command_run(hn_tid gate, int id, const struct words *words)
{
    struct command *c = malloc(sizeof *c);
    pthread_t thread;
    int theirs[3];

    if (!c)
        return refuse(gate, id, process_name(words), "out of memory");
    *c = (struct command){.gate = gate, .id = id, .is_agent = words->n == 0};
    if (!make_pipes(theirs, c)) {
        free(c);
        return refuse(gate, id, process_name(words), strerror(errno));
    }
    c->pid = process_start(words->word, theirs);
    /* close() may change errno, which is needed for the message. */
    int error = errno;
    for (int i = 0; i < 3; i++)
        close(theirs[i]);
    if (c->pid > 0) {
        /* Listed before its thread starts, so that unlist() always finds it. */
        list(c);
        if (pthread_create(&thread, NULL, serve, c) == 0)
            pthread_detach(thread);
        else
            serve(c);
        return;
    }
    close(c->in);
    close(c->out);
    close(c->err);
    free(c);
    refuse(gate, id, process_name(words), strerror(error));
}
