/* relay.c - the agent's end of relayed connections; see relay.h.
 *
 * The happy path: a task connects -> 16 bytes of its handshake name the other task -> RELAY_OPEN ->
 * the other agent connects to that task -> RELAY_DATA and RELAY_CREDIT in both directions -> one
 * side closes -> RELAY_CLOSE, the last frame of the stream.  The failure modes: the other task or
 * host is gone, or a socket fails.  Both end in RELAY_CLOSE, and the task's own dialling (dial.h)
 * tries again.
 */
#include "connect/relay.h"

#include "connect/dial.h"
#include "connect/handshake.h"
#include "connect/local.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* One relayed connection, at one of its two agents.  `unacked` bounds what this side sends,
 * `waiting` what it holds for its task. */
struct relay_stream {
    struct list_node node;
    struct relay *relay;
    int fd;
    ev_io readable, writable;
    ev_timer deadline; /* until the addressed task is known */
    /* the other agent's host, and the stream's number on our host or there */
    uint32_t host, number;
    bool ours;           /* opened here */
    bool open;           /* the other agent has got RELAY_OPEN */
    bool closing;        /* the other side has closed: only `waiting` is left to write */
    size_t unacked;      /* bytes read here and not acknowledged by RELAY_CREDIT */
    size_t owed;         /* bytes written here and not acknowledged yet */
    struct pack waiting; /* bytes to write here, */
    size_t written;      /* of which so many are written */
    uint8_t first[HANDSHAKE_ADDRESSED];
    size_t have; /* bytes of first */
};

static void on_readable(struct ev_loop *loop, ev_io *w, int events);
static void on_writable(struct ev_loop *loop, ev_io *w, int events);
static void on_deadline(struct ev_loop *loop, ev_timer *w, int events);

/* Takes fd in any case.  NULL: there are too many streams, or no memory. */
static struct relay_stream *relay_stream_new(struct relay *relay, int fd)
{
    struct relay_stream *s = relay->count < RELAY_STREAMS ? calloc(1, sizeof *s) : NULL;

    if (!s) {
        close(fd);
        return NULL;
    }
    s->relay = relay;
    s->fd = fd;
    ev_io_init(&s->readable, on_readable, fd, EV_READ);
    ev_io_init(&s->writable, on_writable, fd, EV_WRITE);
    ev_timer_init(&s->deadline, on_deadline, DIAL_TIMEOUT, 0.);
    s->readable.data = s->writable.data = s->deadline.data = s;
    list_append(&relay->streams, &s->node);
    relay->count++;
    ev_io_start(relay->up->loop, &s->readable);
    return s;
}

/* Closes the task's socket, and so ends the task's connection. */
static void relay_stream_free(struct relay_stream *s)
{
    ev_io_stop(s->relay->up->loop, &s->readable);
    ev_io_stop(s->relay->up->loop, &s->writable);
    ev_timer_stop(s->relay->up->loop, &s->deadline);
    close(s->fd);
    pack_free(&s->waiting);
    list_remove(&s->node);
    s->relay->count--;
    free(s);
}

/* `ours`: this side has opened the stream. */
static void send_close(struct relay *relay, uint32_t host, uint32_t number, bool ours)
{
    channel_put(relay->up, CONTROL_RELAY_CLOSE, host, number, ours ? 1u : 0u);
}

/* The other agent is notified, unless it has closed the stream itself or does not know it. */
static void relay_stream_end(struct relay_stream *s)
{
    if (s->open && !s->closing)
        send_close(s->relay, s->host, s->number, s->ours);
    relay_stream_free(s);
}

/* The connecting task has stopped.  It would keep a descriptor and one of the streams. */
static void on_deadline(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop, (void)events;
    relay_stream_end(w->data);
}

/* ---- from the task ------------------------------------------------------------------------ */

static void pass_on(struct relay_stream *s, const uint8_t *data, size_t n)
{
    struct channel *up = s->relay->up;

    s->unacked += n;
    channel_put(up, CONTROL_RELAY_DATA, s->host, s->number, s->ours ? 1u : 0u, data, n);
}

/* The beginning of the handshake has arrived: opens a stream to the addressed task. */
static void relay_stream_open(struct relay_stream *s)
{
    struct relay *relay = s->relay;
    hn_tid to = handshake_addressee(s->first);

    if (to <= 0) {
        relay_stream_end(s);
        return;
    }
    ev_timer_stop(relay->up->loop, &s->deadline);
    s->open = s->ours = true;
    s->host = control_host((uint32_t)to);
    s->number = ++relay->last;
    control_put(channel_out(relay->up), CONTROL_RELAY_OPEN, s->host, s->number, (unsigned)to);
    pass_on(s, s->first, sizeof s->first);
}

/* Before the stream is open, reads only the bytes that name the addressed task.  Afterwards at most
 * what the window allows, one frame at a time. */
static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
    struct relay_stream *s = w->data;
    uint8_t piece[RELAY_PIECE];
    size_t room = s->open ? RELAY_WINDOW - s->unacked : sizeof s->first - s->have;
    uint8_t *to = s->open ? piece : s->first + s->have;
    ssize_t n = read(s->fd, to, room < sizeof piece ? room : sizeof piece);

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        relay_stream_end(s);
        return;
    }
    if (s->open) {
        pass_on(s, piece, (size_t)n);
        /* Reading continues when credit arrives.  Until then the task's own socket fills, and its
         * link waits. */
        if (s->unacked == RELAY_WINDOW)
            ev_io_stop(loop, w);
        return;
    }
    s->have += (size_t)n;
    if (s->have == sizeof s->first)
        relay_stream_open(s);
}

static void report(struct relay *relay, struct stranger *one)
{
    channel_put(relay->up, CONTROL_STRANGER, control_tid(relay->host, 0), one->source,
                strangers_reported(one), one->why);
}

/* Only processes of the user who runs the job may use the relay. */
static void refuse_user(struct relay *relay, int fd)
{
    char user[STRANGERS_TEXT];

    local_user(fd, user, sizeof user);
    close(fd);
    struct stranger *one =
        strangers_note(&relay->strangers, user, "the UNIX socket is not for other users");
    if (one)
        report(relay, one);
}

static void on_pause(struct ev_loop *loop, ev_timer *w, int events)
{
    struct relay *relay = w->data;

    (void)events;
    ev_io_start(loop, &relay->readable);
}

/* There is no descriptor, or no memory, for a waiting connection.  Stops accepting for a while,
 * because the loop would report it again at once. */
static void pause_accepting(struct relay *relay)
{
    ev_io_stop(relay->up->loop, &relay->readable);
    ev_timer_set(&relay->pause, RELAY_PAUSE * 1e-3, 0);
    ev_timer_start(relay->up->loop, &relay->pause);
}

/* Accepts a connection; -1: there is none, or it must wait. */
static int accept_next(struct relay *relay)
{
    int fd = accept4(relay->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
        pause_accepting(relay);
    return fd;
}

/* Accepts at most RELAY_TURN connections, so that the agent's other duties continue. */
static void on_connection(struct ev_loop *loop, ev_io *w, int events)
{
    struct relay *relay = w->data;
    struct relay_stream *s;
    int fd;

    (void)events;
    for (int i = 0; i < RELAY_TURN && (fd = accept_next(relay)) >= 0; i++)
        if (!local_is_own(fd))
            refuse_user(relay, fd);
        else if ((s = relay_stream_new(relay, fd)))
            ev_timer_start(loop, &s->deadline);
}

/* ---- to the task -------------------------------------------------------------------------- */

/* Collects credit up to a quarter of the window.  A stream that is closing needs none. */
static void give_credit(struct relay_stream *s, size_t written)
{
    struct channel *up = s->relay->up;

    s->owed += written;
    if (s->closing || s->owed < RELAY_WINDOW / 4)
        return;
    control_put(channel_out(up), CONTROL_RELAY_CREDIT, s->host, s->number, s->ours ? 1u : 0u,
                (unsigned)s->owed);
    s->owed = 0;
    channel_send(up);
}

/* Writes the waiting bytes; may free s. */
static void write_out(struct relay_stream *s)
{
    struct channel *up = s->relay->up;
    ssize_t n = send(s->fd, s->waiting.data + s->written, s->waiting.length - s->written,
                     MSG_NOSIGNAL | MSG_DONTWAIT);

    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        relay_stream_end(s);
        return;
    }
    /* Credit is returned for bytes that the task's socket has taken, not for those that have
     * arrived. */
    if (n > 0) {
        pack_gone(&s->waiting, &s->written, (size_t)n);
        give_credit(s, (size_t)n);
    }
    if (s->waiting.length > 0)
        ev_io_start(up->loop, &s->writable);
    else if (s->closing)
        relay_stream_free(s);
    else
        ev_io_stop(up->loop, &s->writable);
}

static void on_writable(struct ev_loop *loop, ev_io *w, int events)
{
    (void)loop, (void)events;
    write_out(w->data);
}

/* Appends to what waits for the task, and writes at once unless the socket is full already. */
static void receive_data(struct relay_stream *s, struct unpack *in)
{
    size_t n;
    const uint8_t *data = unpack_blob(in, &n);

    /* More than the window: the other agent ignores the credit, and would exhaust our memory. */
    if (s->closing || n > RELAY_WINDOW - (s->waiting.length - s->written)) {
        relay_stream_end(s);
        return;
    }
    pack_raw(&s->waiting, data, n);
    if (s->waiting.failed)
        relay_stream_end(s);
    else if (s->waiting.length > 0 && !ev_is_active(&s->writable))
        write_out(s);
}

/* A credit beyond what was sent is limited. */
static void receive_credit(struct relay_stream *s, struct unpack *in)
{
    uint32_t n = unpack_u32(in);

    s->unacked -= n < s->unacked ? n : s->unacked;
    if (!s->closing)
        ev_io_start(s->relay->up->loop, &s->readable);
}

/* What has arrived before the close is still written to the task.  The stream ends when that is
 * done. */
static void receive_close(struct relay_stream *s)
{
    s->closing = true;
    ev_io_stop(s->relay->up->loop, &s->readable);
    if (s->waiting.length == 0)
        relay_stream_free(s);
}

/* Another agent requests a connection to one of our tasks.  A refusal is a RELAY_CLOSE for a stream
 * that the other agent has opened. */
static void receive_open(struct relay *relay, uint32_t host, uint32_t number, hn_tid tid)
{
    int fd = local_connect(relay->secret, tid);
    struct relay_stream *s = fd >= 0 ? relay_stream_new(relay, fd) : NULL;

    if (!s) {
        send_close(relay, host, number, false);
        return;
    }
    s->host = host;
    s->number = number;
    s->open = true;
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Both hosts of a stream count from 1, so a number is unique only together with which of them
 * opened it. */
static struct relay_stream *find(struct relay *relay, uint32_t host, uint32_t number, bool ours)
{
    list_for_each (n, &relay->streams) {
        struct relay_stream *s = list_entry(n, struct relay_stream, node);
        if (s->open && s->host == host && s->number == number && s->ours == ours)
            return s;
    }
    return NULL;
}

/* The flag in a frame says whether its sender has opened the stream.  So it is ours if the flag is
 * 0. */
void relay_frame(struct relay *relay, struct control_frame *frame)
{
    struct unpack *in = &frame->payload;
    uint32_t host = unpack_u32(in);
    uint32_t number = unpack_u32(in);

    if (relay->fd < 0)
        return;
    if (frame->kind == CONTROL_RELAY_OPEN) {
        receive_open(relay, host, number, (hn_tid)unpack_u32(in));
        return;
    }
    struct relay_stream *s = find(relay, host, number, unpack_u8(in) == 0);
    if (!s)
        return; /* it has just been closed here */
    if (frame->kind == CONTROL_RELAY_DATA)
        receive_data(s, in);
    else if (frame->kind == CONTROL_RELAY_CREDIT)
        receive_credit(s, in);
    else
        receive_close(s);
}

/* The listening socket's name uses serial 0, which no task has. */
void relay_open(struct relay *relay, struct channel *up, uint32_t host, const uint8_t *secret)
{
    *relay = (struct relay){.up = up, .secret = secret, .host = host};
    list_init(&relay->streams);
    relay->fd = local_listen(secret, (hn_tid)control_tid(host, 0));
    if (relay->fd < 0)
        return;
    ev_io_init(&relay->readable, on_connection, relay->fd, EV_READ);
    ev_timer_init(&relay->pause, on_pause, 0., 0.);
    relay->readable.data = relay->pause.data = relay;
    ev_io_start(up->loop, &relay->readable);
}

void relay_report(struct relay *relay)
{
    struct stranger *one;

    while ((one = strangers_rest(&relay->strangers)))
        report(relay, one);
}

/* Sends no frames, as the agent is about to end. */
void relay_close(struct relay *relay)
{
    if (!relay->up || relay->fd < 0)
        return;
    list_for_each_safe (n, &relay->streams)
        relay_stream_free(list_entry(n, struct relay_stream, node));
    ev_io_stop(relay->up->loop, &relay->readable);
    ev_timer_stop(relay->up->loop, &relay->pause);
    close(relay->fd);
    relay->fd = -1;
}
