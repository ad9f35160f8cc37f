/* parallel.c - sends the chunks of a link's stream through several sockets (method: parallel.h).
 *
 * Invariants: `sent` numbers the next chunk, `taken` the next chunk to process.  A subflow holds at
 * most one opened chunk, and is not read while it does.  So at most PARALLEL_MOST opened chunks
 * wait, and the few sealed records that each seal's buffer holds.
 */
#include "transport/parallel.h"

#include "base/bytes.h"
#include "connect/peer.h"
#include "job/task.h"
#include "transport/socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <unistd.h>

/* NUMBER: bytes before a chunk.  UNSENT: bytes that a socket buffers unsent.  These are four
 * records, which take 40 ms at the rate of one connection in parallel.h. */
enum { NUMBER = 8, UNSENT = 64 << 10 };

/* One socket of the connection with its seal.  Both directions of the pair use the same sockets. */
struct subflow {
    struct peer *peer;
    int fd;
    struct seal *seal;
    ev_io readable, writable; /* the first subflow uses those of its peer */
    bool over;                /* the other side has closed it */
    const uint8_t *chunk;     /* an opened chunk that is early, */
    size_t length;            /* and its bytes; 0: there is none */
    uint64_t number;
};

/* One connection.  It owns its subflows.  The first one uses the peer's socket, which peer.c
 * closes; the others own theirs. */
struct parallel {
    uint64_t token, sent, taken; /* token; numbers of chunks sent and received */
    unsigned count;
    struct subflow *flow[PARALLEL_MOST];
};

/* The subflow takes the seal; NULL: there are too many, or no memory, and the caller keeps it. */
static struct subflow *new_subflow(struct parallel *q, struct seal *seal)
{
    struct subflow *f = q->count < PARALLEL_MOST ? calloc(1, sizeof *f) : NULL;

    if (!f)
        return NULL;
    f->seal = seal;
    return q->flow[q->count++] = f;
}

struct parallel *parallel_new(struct seal *seal, uint64_t token)
{
    struct parallel *q = calloc(1, sizeof *q);

    if (!q || !new_subflow(q, seal)) {
        seal_free(seal);
        free(q);
        return NULL;
    }
    q->token = token;
    return q;
}

/* The token shows that the new socket belongs to this connection, and not to a former one. */
bool parallel_takes(const struct peer *p, uint64_t token)
{
    return p->transport == &transport_parallel && p->parallel->token == token &&
           p->parallel->count < PARALLEL_MOST;
}

uint64_t parallel_token(const struct peer *p)
{
    return p->parallel->token;
}

int parallel_socket(const struct peer *p, unsigned i)
{
    if (p->transport != &transport_parallel)
        return i == 0 ? p->fd : -1;
    return i < p->parallel->count ? p->parallel->flow[i]->fd : -1;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Sends the pending record: returns 1 when it is sent, 0 when the rest must wait, or HN_ELINK. */
static int flush(struct subflow *f)
{
    const uint8_t *bytes;
    size_t length;

    while ((bytes = seal_waiting(f->seal, &length))) {
        ssize_t sent = send(f->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : HN_ELINK;
        seal_written(f->seal, (size_t)sent);
    }
    return 1;
}

/* Limits the pieces to `room` bytes and returns their number. */
static int cut(struct iovec *iov, int n, size_t room)
{
    for (int i = 0; i < n; i++) {
        if (iov[i].iov_len >= room) {
            iov[i].iov_len = room;
            return i + 1;
        }
        room -= iov[i].iov_len;
    }
    return n;
}

/* Seals the next chunk, which then counts as written.  False: there is nothing to send. */
static bool seal_chunk(struct subflow *f)
{
    struct peer *p = f->peer;
    uint8_t number[NUMBER];
    struct iovec iov[1 + LINK_IOV] = {{number, sizeof number}};
    int n = link_output(&p->link, iov + 1);

    if (n == 0)
        return false;
    bytes_put64(number, p->parallel->sent++);
    n = cut(iov + 1, n, SEAL_PLAIN - sizeof number); /* a number belongs to one record */
    link_written(&p->link, seal_close(f->seal, iov, 1 + n) - sizeof number);
    p->task->engine.background.helped++;
    return true;
}

/* Subflows are offered chunks in a fixed order, so a short message always leaves by the first one.
 * The peer's own watcher waits for room in the first subflow, each other one has its own. */
static int write_parallel(struct peer *p, bool *full)
{
    int sent = 0;

    for (unsigned i = 0; i < p->parallel->count; i++) {
        struct subflow *f = p->parallel->flow[i];
        int gone;

        /* Fills this socket before the next one.  A subflow that is full keeps its sealed chunk
         * until it has room. */
        while ((gone = flush(f)) > 0 && seal_chunk(f))
            sent = 1;
        if (gone < 0)
            return HN_ELINK;
        if (i == 0)
            *full = gone == 0;
        else
            engine_await_room(&p->task->engine, &f->writable, gone == 0);
    }
    return sent;
}

/* Any subflow with room continues the whole connection, as if the peer's own socket had become
 * writable. */
static void on_room(struct ev_loop *loop, ev_io *w, int events)
{
    struct subflow *f = w->data;

    f->peer->writable.cb(loop, &f->peer->writable, events);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Opens the next received record.  HN_OK, or HN_ELINK: it is not genuine. */
static int open_chunk(struct subflow *f)
{
    const uint8_t *plain;
    size_t length;
    int opened = seal_open(f->seal, &plain, &length);

    if (opened == 0)
        return HN_OK;
    /* A number below `taken` would never be the next one, and block its subflow forever. */
    if (opened < 0 || length <= NUMBER || bytes_get64(plain) < f->peer->parallel->taken)
        return HN_ELINK;
    f->number = bytes_get64(plain);
    f->chunk = plain + NUMBER;
    f->length = length - NUMBER;
    return HN_OK;
}

/* Reads once from a subflow without an early chunk. */
static int receive(struct subflow *f)
{
    size_t size;

    if (f->length > 0 || f->over)
        return HN_OK;
    uint8_t *room = seal_room(f->seal, &size);
    ssize_t bytes = recv(f->fd, room, size, MSG_DONTWAIT);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
        return HN_OK;
    f->over = bytes <= 0;
    if (bytes > 0)
        seal_received(f->seal, (size_t)bytes);
    return open_chunk(f);
}

/* The subflow whose opened chunk is next in the stream; NULL: it has not arrived. */
static struct subflow *next_in_order(const struct parallel *q)
{
    for (unsigned i = 0; i < q->count; i++)
        if (q->flow[i]->length > 0 && q->flow[i]->number == q->taken)
            return q->flow[i];
    return NULL;
}

/* Watches the sockets of all subflows without an early chunk.  Returns whether one of them is
 * closed. */
static bool await_input(struct peer *p)
{
    bool over = false;

    for (unsigned i = 0; i < p->parallel->count; i++) {
        struct subflow *f = p->parallel->flow[i];
        ev_io *readable = i == 0 ? &p->readable : &f->readable;

        if (f->length == 0)
            ev_io_start(p->task->engine.loop, readable);
        else
            ev_io_stop(p->task->engine.loop, readable);
        over = over || (f->over && f->length == 0);
    }
    return over;
}

/* Processes all chunks that are next, because no event would report them later. */
static ptrdiff_t read_parallel(struct peer *p, size_t *offered)
{
    struct parallel *q = p->parallel;
    struct subflow *f;
    size_t bytes = 0;
    int result = HN_OK;

    /* One read of each socket.  Then all chunks in sequence are processed, and each opened subflow
     * yields its next record. */
    for (unsigned i = 0; i < q->count && result == HN_OK; i++)
        result = receive(q->flow[i]);
    while (result == HN_OK && (f = next_in_order(q))) {
        result = peer_receive_plain(p, f->chunk, f->length);
        bytes += f->length;
        f->length = 0;
        q->taken++;
        if (result == HN_OK)
            result = open_chunk(f);
    }
    if (result != HN_OK)
        return result;
    /* More than was read: the caller need not try again, as all sockets were read once and their
     * watchers are active. */
    *offered = bytes + 1;
    return await_input(p) && bytes == 0 ? HN_ELINK : (ptrdiff_t)bytes;
}

/* The peer decides whether to read now; if not, wake_parallel() continues later. */
static void on_input(struct ev_loop *loop, ev_io *w, int events)
{
    struct subflow *f = w->data;

    ev_io_stop(loop, w);
    f->peer->readable.cb(loop, &f->peer->readable, events);
}

static void wake_parallel(struct peer *p)
{
    await_input(p);
    engine_changed(&p->task->engine);
}

/* ---- the sockets -------------------------------------------------------------------------- */

/* The watchers are initialised but not started.  Those of the first subflow stay unused, as its
 * socket is watched by the peer's. */
static void begin(struct subflow *f, struct peer *p, int fd)
{
    int unsent = UNSENT;

    f->peer = p;
    f->fd = fd;
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    ev_io_init(&f->readable, on_input, fd, EV_READ);
    ev_io_init(&f->writable, on_room, fd, EV_WRITE);
    f->readable.data = f->writable.data = f;
}

/* The join is optional for the connection: without memory the new socket is closed and the others
 * continue.  Input may already be there, so both watchers start at once. */
void parallel_add(struct peer *p, int fd, struct seal *seal)
{
    struct subflow *f = new_subflow(p->parallel, seal);

    if (!f) {
        seal_free(seal);
        close(fd);
        return;
    }
    begin(f, p, fd);
    wake_parallel(p);
    engine_await_room(&p->task->engine, &f->writable, true);
}

static void start_parallel(struct peer *p)
{
    begin(p->parallel->flow[0], p, p->fd);
}

/* Frees everything except the first socket, which belongs to the peer.  Opened chunks are dropped:
 * the link has not counted them as received, so the next connection carries them. */
static void stop_parallel(struct peer *p)
{
    struct parallel *q = p->parallel;

    for (unsigned i = 0; i < q->count; i++) {
        struct subflow *f = q->flow[i];

        ev_io_stop(p->task->engine.loop, &f->readable);
        engine_await_room(&p->task->engine, &f->writable, false);
        if (i > 0)
            close(f->fd);
        seal_free(f->seal);
        free(f);
    }
    free(q);
    p->parallel = NULL;
}

const struct transport transport_parallel = {
    .sealed = true,
    .start = start_parallel,
    .stop = stop_parallel,
    .send = socket_send,
    .write = write_parallel,
    .read = read_parallel,
    .confirm = socket_ignore,
    .wake = wake_parallel,
    .notice = socket_notice,
};
