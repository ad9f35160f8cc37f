/* inlet.c - writes the standard input of a task; see inlet.h.
 *
 * To a task hrun sends only as many bytes as the inlet has reported room for, so `waiting` is
 * bounded by INLET_ROOM.  An empty piece is the end of the input: the descriptor is closed when all
 * before it is written.
 */
#include "hnowd/inlet.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Idempotent.  Bytes that are not written are discarded. */
void inlet_close(struct inlet *inlet)
{
    if (inlet->fd < 0)
        return;
    ev_io_stop(inlet->loop, &inlet->writable);
    close(inlet->fd);
    inlet->fd = -1;
    pack_free(&inlet->waiting);
    inlet->written = 0;
}

/* Each write is reported as room for as many bytes.  If the task has closed its input, room(0) ends
 * the flow. EAGAIN is no error: the watcher continues later. */
static void inlet_write(struct inlet *inlet)
{
    struct pack *waiting = &inlet->waiting;
    while (waiting->length > 0) {
        ssize_t n =
            write(inlet->fd, waiting->data + inlet->written, waiting->length - inlet->written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN) {
            inlet_close(inlet);
            inlet->room(inlet, 0);
            return;
        }
        if (n < 0)
            break;
        pack_gone(waiting, &inlet->written, (size_t)n);
        inlet->room(inlet, (size_t)n);
    }
    /* The descriptor is full, or everything is written. */
    if (waiting->length > 0)
        ev_io_start(inlet->loop, &inlet->writable);
    else if (inlet->ending)
        inlet_close(inlet);
    else
        ev_io_stop(inlet->loop, &inlet->writable);
}

/* The descriptor takes bytes again. */
static void inlet_on_writable(struct ev_loop *loop, ev_io *watcher, int events)
{
    (void)loop, (void)events;
    inlet_write(watcher->data);
}

/* The descriptor belongs to the inlet from here on. */
void inlet_open(struct inlet *inlet, struct ev_loop *loop, int fd)
{
    inlet->loop = loop;
    inlet->fd = fd;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    ev_io_init(&inlet->writable, inlet_on_writable, fd, EV_WRITE);
    inlet->writable.data = inlet;
}

/* room() may be called before this returns, and once more with 0 if the task has closed its
 * input. */
void inlet_put(struct inlet *inlet, const void *data, size_t n)
{
    if (inlet->fd < 0)
        return;
    if (n == 0)
        inlet->ending = true;
    /* Written at once, so the watcher is needed only while the descriptor is full. */
    pack_raw(&inlet->waiting, data, n);
    inlet_write(inlet);
}
