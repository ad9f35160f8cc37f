/* hnowd_undelivered.c - forwards messages that a task sent before its end to the receivers; see
 * outbox_record.h.
 *
 * The agent reads the frames without acknowledgement from the memory that the task shared with it.
 * It sends them as UNDELIVERED, through hrun to the agents of the receivers, before OVER.  Each
 * part contains its position in the byte stream, so the receiver skips what it has (undelivered.h).
 * The agent sends ENDS first, because forwarding may take long.
 *
 * At most UNDELIVERED_AHEAD bytes wait to be written to hrun, so that other frames are not delayed
 * too long.  What waits for a receiver on this host has no limit, because OVER follows it, and the
 * receiver may be stopped.  So that the messages do not occupy memory twice, forwarded pages of the
 * outbox are returned to the system.
 */
#include "hnowd/hnowd.h"

#include "link/frame.h"
#include "protocol/outbox_record.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* UNDELIVERED_PIECE: bytes of a frame, as in relay.h: on a slow channel later frames wait for it.
 * UNDELIVERED_AHEAD: bytes, see above.  UNDELIVERED_PARTS: frames in an iteration of the loop, a
 * millisecond of copying. */
enum { UNDELIVERED_PIECE = 32 << 10, UNDELIVERED_AHEAD = 256 << 10, UNDELIVERED_PARTS = 32 };

/* One ended task's rest.  Owned by its task; freed when everything was forwarded, or the agent
 * ends. */
struct hnowd_undelivered {
    struct hnowd_task *task;
    struct outbox_left left;
    size_t next;     /* index of the next frame */
    uint64_t offset; /* bytes of it that were forwarded */
    uint64_t begin;  /* of the memory that was not returned */
    ev_io writable;  /* waits for hrun's channel */
};

/* Copies bytes of a frame, header and payload, from an offset on. The bit FRAME_LENT is cleared in
 * the header's second byte, because the payload follows here. */
static size_t copy_frame(const struct outbox_left *left, const struct outbox_frame *f,
                         uint64_t offset, uint8_t *to, size_t room)
{
    size_t done = 0, n;
    if (offset < f->header_length) {
        n = f->header_length - offset < room ? f->header_length - offset : room;
        memcpy(to, left->memory + f->header + offset, n);
        /* the payload follows the header, wherever it was before */
        if (offset <= 1 && offset + n > 1)
            to[1 - offset] &= (uint8_t)~FRAME_LENT;
        done = n;
        offset += n;
    }
    n = f->header_length + (uint64_t)f->length - offset;
    n = n < room - done ? n : room - done;
    memcpy(to + done, left->memory + f->payload + (offset - f->header_length), n);
    return done + n;
}

/* Whether frame b follows frame a in the stream. */
static bool follows(const struct outbox_frame *a, const struct outbox_frame *b)
{
    return a->to == b->to && a->start + a->header_length + a->length == b->start;
}

/* A receiver on this host gets it directly. tid and position are those of the sender's stream. */
static void send_part(struct hnowd_task *task, uint32_t to, uint64_t position, const uint8_t *bytes,
                      size_t n)
{
    struct hnowd *agent = task->agent;
    struct hnowd_task *here = hnowd_task(agent, to);
    channel_put(here ? &here->channel : &agent->up, CONTROL_UNDELIVERED, to, task->tid, position,
                bytes, n);
}

/* Forwards one part: as many bytes of one stream as fit. Frames that follow each other in the
 * stream to one receiver share a part. */
static void pass_part(struct hnowd_undelivered *u)
{
    const struct outbox_frame *f = &u->left.frame[u->next];
    uint64_t position = f->start + u->offset;
    uint32_t to = f->to;
    uint8_t part[UNDELIVERED_PIECE];
    size_t n = 0;
    for (;;) {
        n += copy_frame(&u->left, f, u->offset, part + n, sizeof part - n);
        u->offset = position + n - f->start;
        if (u->offset < f->header_length + (uint64_t)f->length)
            break;
        u->offset = 0;
        if (++u->next == u->left.count || !follows(f, f + 1) || n == sizeof part)
            break;
        f++;
    }
    send_part(u->task, to, position, part, n);
}

/* Also frees the outbox of a task that had nothing left. */
void hnowd_undelivered_stop(struct hnowd_task *task)
{
    struct hnowd_undelivered *u = task->undelivered;
    if (u) {
        ev_io_stop(task->agent->loop, &u->writable);
        outbox_left_free(&u->left);
    }
    free(u);
    task->undelivered = NULL;
    if (task->outbox >= 0)
        close(task->outbox);
    task->outbox = -1;
}

/* Returns the memory below all frames that are left. The file keeps its size, so offsets stay
 * valid. */
static void give_back(struct hnowd_undelivered *u)
{
    uint64_t end = u->left.frame[u->next].lowest & ~(uint64_t)(UNDELIVERED_PIECE - 1);
    if (end <= u->begin)
        return;
    fallocate(u->task->outbox, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)u->begin,
              (off_t)(end - u->begin));
    u->begin = end;
}

/* Called while hrun's channel is writable.  Once the agent is ending, nothing more is forwarded.
 * Returns to the loop after UNDELIVERED_PARTS, so that other events are not delayed. */
static void on_writable(struct ev_loop *loop, ev_io *watcher, int events)
{
    struct hnowd_undelivered *u = watcher->data;
    struct hnowd_task *task = u->task;
    struct hnowd *agent = task->agent;
    (void)loop, (void)events;
    for (int parts = 0; u->next < u->left.count && !agent->ending; parts++) {
        if (parts == UNDELIVERED_PARTS ||
            agent->up.outgoing.length - agent->up.sent > UNDELIVERED_AHEAD)
            return;
        pass_part(u);
        if (u->next < u->left.count)
            give_back(u);
    }
    hnowd_undelivered_stop(task);
    hnowd_drained_if_ended(task);
}

/* Without a rest the task ends as usual.  Otherwise its end is delayed until the last part was
 * passed on. */
void hnowd_undelivered(struct hnowd_task *task)
{
    struct hnowd *agent = task->agent;
    struct hnowd_undelivered *u = agent->ending ? NULL : calloc(1, sizeof *u);
    if (!u || !outbox_read(&u->left, task->outbox)) {
        free(u);
        hnowd_undelivered_stop(task);
        return;
    }
    u->task = task;
    task->undelivered = u;
    channel_put(&agent->up, CONTROL_ENDS, task->tid, (unsigned)task->wait_status, task->how,
                hnowd_since_end(task));
    /* A watcher of its own beside the channel's: libev allows several for a descriptor. */
    ev_io_init(&u->writable, on_writable, agent->up.out, EV_WRITE);
    u->writable.data = u;
    ev_io_start(agent->loop, &u->writable);
}
