/* channel.c - a control channel over two descriptors; see channel.h.
 *
 * Reading and writing are independent: a full output never stops input, as otherwise two ends that
 * both write could block each other.  So the amount of pending output is bounded by the credits of
 * the protocol, not here.
 */
#include "protocol/channel.h"

#include "hnow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a read, the capacity of a pipe.  When more output is pending, it is written at once. */
enum { CHANNEL_CHUNK = 64 * 1024 };

bool channel_is_open(const struct channel *channel)
{
    return channel->in >= 0 || channel->forward;
}

/* Writes what the descriptor takes.  A broken pipe is left to the reading side, which first reads
 * what the other end sent before it ended. */
static void channel_write(struct channel *channel)
{
    struct pack *out = &channel->outgoing;
    while (out->length > 0) {
        ssize_t n = write(channel->out, out->data + channel->sent, out->length - channel->sent);
        if (n >= 0) {
            pack_gone(out, &channel->sent, (size_t)n);
            channel->bytes_out += (size_t)n;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            out->length = channel->sent = 0;
        }
    }
    if (out->length == 0)
        ev_io_stop(channel->loop, &channel->writable);
    else
        ev_io_start(channel->loop, &channel->writable);
}

/* Idempotent.  What the descriptor takes now is still written; the rest is lost. */
void channel_close(struct channel *channel)
{
    if (!channel_is_open(channel))
        return;
    if (!channel->forward) {
        if (!channel->outgoing.failed)
            channel_write(channel);
        ev_io_stop(channel->loop, &channel->readable);
        ev_io_stop(channel->loop, &channel->writable);
        ev_prepare_stop(channel->loop, &channel->pausing);
        close(channel->in);
        if (channel->out != channel->in)
            close(channel->out);
    }
    channel->in = channel->out = -1;
    channel->forward = NULL;
    pack_free(&channel->outgoing);
    channel->sent = 0;
    /* a callback that closes its channel still reads its frame, which is in the decoder's memory */
    if (!channel->taking)
        control_decoder_free(&channel->decoder);
}

/* ended() is called once, as a closed channel cannot fail again. */
static void channel_fail(struct channel *channel, const char *why)
{
    if (!channel_is_open(channel))
        return;
    char kept[200]; /* why may be in the decoder's memory, which the close frees */
    if (why)
        strncpy(kept, why, sizeof kept - 1)[sizeof kept - 1] = 0;
    channel_close(channel);
    channel->events->ended(channel, why ? kept : NULL);
}

/* Skips bytes before the sync line, which the login shell's start files have printed.  Consumes
 * bytes up to and including the sync line.  Returns how many were used, or -1 after a failure. */
static ssize_t channel_sync(struct channel *channel, const char *data, size_t n)
{
    size_t used;
    int state = sync_feed(&channel->sync, data, n, &used);
    if (state < 0) {
        channel_fail(channel, "no agent answered, only other output came");
        return -1;
    }
    if (state == 1) {
        channel->syncing = false;
        channel->events->synced(channel, channel->sync.line);
    }
    return channel_is_open(channel) ? (ssize_t)used : -1;
}

/* A callback may close the channel; then the rest of the frames is dropped. */
static void channel_frames(struct channel *channel, const char *data, size_t n)
{
    struct control_frame frame;
    int state = 0;
    if (control_feed(&channel->decoder, data, n) != HN_OK) {
        channel_fail(channel, "out of memory");
        return;
    }
    while (channel_is_open(channel) && (state = control_next(&channel->decoder, &frame)) == 1)
        channel->events->frame(channel, &frame);
    if (channel_is_open(channel) && state < 0)
        channel_fail(channel, channel->decoder.flaw);
}

/* Bytes behind the sync line are frames already. */
static void channel_take(struct channel *channel, const char *data, size_t n)
{
    while (channel->syncing && n > 0) { /* synced() may expect another line */
        ssize_t used = channel_sync(channel, data, n);
        if (used < 0)
            return;
        data += used;
        n -= (size_t)used;
    }
    channel->taking = true;
    channel_frames(channel, data, n);
    channel->taking = false;
    if (!channel_is_open(channel))
        control_decoder_free(&channel->decoder);
}

/* Reads once.  False: nothing is available, or nothing more will arrive.  ECONNRESET counts as an
 * end: the other process has ended with bytes that it had not read. */
static bool channel_read(struct channel *channel)
{
    char data[CHANNEL_CHUNK];
    if (channel->forward)
        return false;
    ssize_t n = read(channel->in, data, sizeof data);
    if (n > 0) {
        channel->bytes_in += (size_t)n;
        channel_take(channel, data, (size_t)n);
    } else if (n == 0 || errno == ECONNRESET) {
        channel_fail(channel, NULL);
    } else if (errno != EAGAIN && errno != EINTR) {
        channel_fail(channel, strerror(errno));
    }
    return n > 0;
}

/* For forwarded channels: bytes that another channel has brought; n = 0 is the end. */
void channel_feed(struct channel *channel, const void *data, size_t n)
{
    if (!channel_is_open(channel))
        return;
    channel->bytes_in += n;
    if (n > 0)
        channel_take(channel, data, n);
    else
        channel_fail(channel, NULL);
}

static void channel_on_readable(struct ev_loop *loop, ev_io *watcher, int events)
{
    (void)loop, (void)events;
    channel_read(watcher->data);
}

/* Until nothing is available, or the channel is closed.  A forwarded channel has nothing to read
 * here. */
void channel_read_now(struct channel *channel)
{
    while (channel_is_open(channel) && channel_read(channel))
        ;
}

static void channel_on_writable(struct ev_loop *loop, ev_io *watcher, int events)
{
    (void)loop, (void)events;
    channel_write(watcher->data);
}

/* The loop has processed all events and is about to block: writes what was collected. */
static void channel_on_pausing(struct ev_loop *loop, ev_prepare *watcher, int events)
{
    (void)events;
    ev_prepare_stop(loop, watcher);
    channel_write(watcher->data);
}

static void channel_nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Both descriptors belong to the channel; they may be the same one.  The events must live as long
 * as the channel. */
void channel_open(struct channel *channel, struct ev_loop *loop, int in, int out,
                  const struct channel_events *events)
{
    *channel = (struct channel){.loop = loop, .events = events, .in = in, .out = out};
    channel_nonblocking(in);
    channel_nonblocking(out);
    ev_io_init(&channel->readable, channel_on_readable, in, EV_READ);
    ev_io_init(&channel->writable, channel_on_writable, out, EV_WRITE);
    ev_prepare_init(&channel->pausing, channel_on_pausing);
    channel->readable.data = channel->writable.data = channel->pausing.data = channel;
    ev_io_start(loop, &channel->readable);
}

void channel_open_forwarded(struct channel *channel, struct ev_loop *loop,
                            void (*forward)(struct channel *channel, const void *data, size_t n),
                            const struct channel_events *events)
{
    *channel =
        (struct channel){.loop = loop, .events = events, .in = -1, .out = -1, .forward = forward};
}

/* From here on a sync line must precede the frames; may be called again within synced(). */
void channel_expect_sync(struct channel *channel)
{
    channel->syncing = true;
    channel->sync = (struct sync){0};
}

/* The caller appends frames and calls channel_send(); what it has appended may be written at any
 * later time. */
struct pack *channel_out(struct channel *channel)
{
    return &channel->outgoing;
}

static void channel_send_forwarded(struct channel *channel)
{
    struct pack *out = &channel->outgoing;
    channel->bytes_out += out->length;
    channel->forward(channel, out->data, out->length);
    out->length = 0;
}

/* Small output waits for channel_on_pausing(), large output is written at once, so that memory does
 * not grow within an iteration. */
void channel_send(struct channel *channel)
{
    struct pack *out = &channel->outgoing;
    if (!channel_is_open(channel))
        pack_free(out);
    else if (out->failed)
        channel_fail(channel, "out of memory");
    else if (channel->forward)
        channel_send_forwarded(channel);
    else if (out->length > CHANNEL_CHUNK)
        channel_write(channel);
    else if (out->length > 0)
        ev_prepare_start(channel->loop, &channel->pausing);
}

void channel_put(struct channel *channel, enum control_kind kind, ...)
{
    va_list fields;
    va_start(fields, kind);
    control_vput(channel_out(channel), kind, fields);
    va_end(fields);
    channel_send(channel);
}

/* The time limit is for each wait, not for all of them together: a reader that makes progress is
 * given more. */
void channel_drain(struct channel *channel, int milliseconds)
{
    channel_send(channel);
    while (channel_is_open(channel) && channel->outgoing.length > 0) {
        struct pollfd fd = {.fd = channel->out, .events = POLLOUT};
        int ready = poll(&fd, 1, milliseconds);
        if (ready == 0 || (ready < 0 && errno != EINTR))
            return;
        channel_write(channel);
    }
}
