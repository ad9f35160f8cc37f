/* spout.c - writes hrun's own standard output or error; see spout.h.
 *
 * A spout is an output with a descriptor.  A write never blocks while the event loop runs.  A
 * broken spout, for example a closed pipe, takes everything and writes nothing, so that tasks still
 * get credit.
 */
#include "hrun/streams/spout.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a write.  To a pipe, a page: a writable pipe takes at least that (PIPE_BUF).
 * So bytes that a slow reader has not read wait here, and hrun can serve others.  To a file, more,
 * because a file takes everything. */
enum { SPOUT_PAGE = 4096, SPOUT_FILE = 1 << 20 };

/* Sources without bytes are not on the list, even if they own an unfinished line. */
bool spout_is_empty(const struct spout *spout)
{
    return spout->output.ready.length == 0 && list_empty(&spout->output.waiting);
}

/* After any change: writes what is possible.  The rest waits for the descriptor, or for patience to
 * end. */
static void spout_pump(struct spout *spout)
{
    struct output *output = &spout->output;
    if (spout->broken)
        spout->sent = output->ready.length;
    /* A broken spout empties everything here at once; otherwise the loop runs at most once. */
    while (spout->sent == output->ready.length) {
        spout->sent = output->ready.length = 0;
        output_fill(output);
        if (!spout->broken || output->ready.length == 0)
            break;
        spout->sent = output->ready.length;
    }
    if (output->ready.length > 0)
        ev_io_start(spout->loop, &spout->writable);
    else
        ev_io_stop(spout->loop, &spout->writable);
    if (output->ready.length > 0 || !output_is_waiting(output))
        ev_timer_stop(spout->loop, &spout->patience);
    else if (!ev_is_active(&spout->patience))
        ev_timer_again(spout->loop, &spout->patience);
    if (spout_is_empty(spout))
        spout->on_empty(spout);
}

/* A write error other than "later" is final.  From then on output is consumed and discarded, so
 * that the tasks do not wait. */
static void spout_on_writable(struct ev_loop *loop, ev_io *watcher, int events)
{
    struct spout *spout = watcher->data;
    struct pack *ready = &spout->output.ready;
    size_t n = ready->length - spout->sent;
    ssize_t written =
        write(spout->fd, ready->data + spout->sent, n < spout->portion ? n : spout->portion);
    (void)loop, (void)events;
    if (written > 0) {
        spout->sent += (size_t)written;
        spout->moved = true;
    } else if (errno != EAGAIN && errno != EINTR) {
        spout->broken = true;
        spout->error = errno;
        spout->on_broken(spout);
    }
    spout_pump(spout);
}

void spout_discard_if_stuck(struct spout *spout)
{
    bool stuck = !spout->moved && spout->output.ready.length > 0;
    spout->moved = false;
    spout->broken = spout->broken || stuck;
    spout_pump(spout);
}

/* An unfinished line has kept others waiting for too long; their lines are now written behind
 * it. */
static void spout_on_impatient(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct spout *spout = timer->data;
    (void)loop, (void)events;
    output_impatient(&spout->output);
    spout_pump(spout);
}

/* A writable terminal may take a single byte.  A longer write would block hrun, with all its hosts,
 * until somebody reads it.  So it is opened again, nonblocking for hrun alone.  If this is not
 * permitted (after su), the descriptor itself is used. */
static int spout_descriptor(int fd)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int own = isatty(fd) ? open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    return own < 0 ? fd : own;
}

void spout_open(struct spout *spout, struct ev_loop *loop, int fd)
{
    struct stat status;
    spout->loop = loop;
    spout->fd = spout_descriptor(fd);
    spout->broken = fstat(fd, &status) != 0; /* closed by the caller: no output is wanted */
    spout->portion = !spout->broken && S_ISREG(status.st_mode) ? SPOUT_FILE : SPOUT_PAGE;
    output_init(&spout->output);
    ev_io_init(&spout->writable, spout_on_writable, spout->fd, EV_WRITE);
    ev_timer_init(&spout->patience, spout_on_impatient, 0., OUTPUT_PATIENCE);
    spout->writable.data = spout->patience.data = spout;
}

void spout_add(struct spout *spout, struct output_source *source, const void *data, size_t n)
{
    output_add(&spout->output, source, data, n);
    spout_pump(spout);
}

void spout_source_ended(struct spout *spout, struct output_source *source)
{
    output_source_ended(&spout->output, source);
    spout_pump(spout);
}

/* The loop has ended: writes the rest, and may block. */
static void spout_flush(struct spout *spout)
{
    struct pollfd writable = {.fd = spout->fd, .events = POLLOUT};
    spout_on_impatient(spout->loop, &spout->patience, EV_TIMER);
    while (!spout_is_empty(spout) && (poll(&writable, 1, -1) == 1 || errno == EINTR))
        spout_on_writable(spout->loop, &spout->writable, EV_WRITE);
}

void spout_close(struct spout *spout)
{
    spout_flush(spout);
    ev_io_stop(spout->loop, &spout->writable);
    ev_timer_stop(spout->loop, &spout->patience);
    if (spout->fd > STDERR_FILENO) /* its own */
        close(spout->fd);
    output_free(&spout->output);
}
