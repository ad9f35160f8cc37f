/* stream.c - reads one output stream of a task; see stream.h.
 *
 * Bytes are held until their line is complete, so that hrun can merge the output of tasks by lines.
 * Three events forward an unfinished line: a full piece, STREAM_IDLE seconds without a byte, and
 * the end.
 */
#include "hnowd/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* How many of n bytes can be forwarded: up to the last line end; without one, all of them if a
 * piece is full. */
static size_t stream_cut(const uint8_t *data, size_t n)
{
    const uint8_t *end = n > 0 ? memrchr(data, '\n', n) : NULL;
    if (end)
        return (size_t)(end - data) + 1;
    return n >= STREAM_PIECE ? n : 0;
}

/* Forwards the first n bytes that are held.  They count against the window until hrun has
 * acknowledged them. pass() copies the bytes, so they can be dropped. */
static void stream_pass(struct stream *stream, size_t n)
{
    if (n == 0)
        return;
    stream->unacked += n;
    stream->pass(stream, stream->held.data, n);
    pack_drop(&stream->held, n);
}

/* Bytes that may be read now: what is not acknowledged and what is held here never exceed the
 * window, so hrun has to store no more. */
static size_t stream_room(const struct stream *stream)
{
    size_t used = stream->unacked + stream->held.length;
    size_t room = used < STREAM_WINDOW ? STREAM_WINDOW - used : 0;
    return room < STREAM_PIECE ? room : STREAM_PIECE;
}

/* Sets the watcher and the timer according to the room.  Called after every change of either.
 * Without room the pipe fills, and the task waits. */
static void stream_watch(struct stream *stream)
{
    if (stream->fd < 0)
        return;
    bool reads = stream_room(stream) > 0;
    if (reads)
        ev_io_start(stream->loop, &stream->readable);
    else
        ev_io_stop(stream->loop, &stream->readable);
    if (reads && stream->held.length > 0)
        ev_timer_again(stream->loop, &stream->idle);
    else
        ev_timer_stop(stream->loop, &stream->idle);
}

/* The rest of a line is forwarded, without a line end. ended() may free the stream. */
static void stream_end(struct stream *stream)
{
    stream_pass(stream, stream->held.length);
    stream_close(stream);
    stream->ended(stream);
}

/* Reads once: returns more than 0 if there was something, 0 at end of file, -1 if nothing is
 * available. Held bytes up to the last line end are forwarded at once. */
static ssize_t stream_read(struct stream *stream)
{
    size_t room = stream_room(stream);
    uint8_t *to = pack_room(&stream->held, room);
    if (!to)
        return 0; /* out of memory: treated as the end */
    ssize_t n = read(stream->fd, to, room);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    pack_added(&stream->held, (size_t)n);
    stream_pass(stream, stream_cut(stream->held.data, stream->held.length));
    return n;
}

/* stream_end() may free the stream, so nothing follows it. */
static void stream_on_readable(struct ev_loop *loop, ev_io *watcher, int events)
{
    struct stream *stream = watcher->data;
    (void)loop, (void)events;
    if (stream_read(stream) == 0)
        stream_end(stream);
    else
        stream_watch(stream);
}

/* The task has written a part of a line, probably a prompt. */
static void stream_on_idle(struct ev_loop *loop, ev_timer *watcher, int events)
{
    struct stream *stream = watcher->data;
    (void)loop, (void)events;
    stream_pass(stream, stream->held.length);
    stream_watch(stream);
}

/* The descriptor belongs to the stream from here on; pass, ended and user are set by the caller. */
void stream_open(struct stream *stream, struct ev_loop *loop, int fd)
{
    stream->loop = loop;
    stream->fd = fd;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    ev_io_init(&stream->readable, stream_on_readable, fd, EV_READ);
    ev_timer_init(&stream->idle, stream_on_idle, 0., STREAM_IDLE);
    stream->readable.data = stream->idle.data = stream;
    ev_io_start(loop, &stream->readable);
}

/* A credit that is too large is limited, since the window must not grow. */
void stream_credit(struct stream *stream, size_t n)
{
    stream->unacked -= n < stream->unacked ? n : stream->unacked;
    stream_watch(stream);
}

/* Reads until nothing is available.  Other processes may keep the pipe open, so that does not count
 * as the end by itself.  False: the window is exhausted, and the caller must try again after a
 * credit. */
bool stream_finish(struct stream *stream)
{
    while (stream->fd >= 0) {
        if (stream_room(stream) == 0)
            return false;
        if (stream_read(stream) <= 0) {
            stream_end(stream); /* its callback ended() may free the stream */
            return true;
        }
    }
    return true;
}

/* Idempotent. Bytes that are held are discarded, and ended() is not called. */
void stream_close(struct stream *stream)
{
    if (stream->fd < 0)
        return;
    ev_io_stop(stream->loop, &stream->readable);
    ev_timer_stop(stream->loop, &stream->idle);
    close(stream->fd);
    stream->fd = -1;
    pack_free(&stream->held);
}
