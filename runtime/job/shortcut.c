/* shortcut.c - sends questions directly to hrun (rules: shortcut.h).
 *
 * A question that needs no order relative to other frames goes to hrun over a UNIX socket, without
 * the agent.  It is dialled only after hrun has answered one through the agent, so that hrun knows
 * the task.
 */
#include "job/shortcut.h"

#include "base/bytes.h"
#include "connect/local.h"
#include "job/task.h"

#include <sys/socket.h>
#include <unistd.h>

/* Bytes of a question: the kernel accepts so many completely or not at all. */
enum { SHORTCUT_MOST = 16384 };

/* Forgets everything, so the next question may dial again. */
void shortcut_close(struct task *t)
{
    struct shortcut *s = &t->asking.shortcut;

    if (ev_is_active(&s->readable)) {
        ev_io_stop(t->engine.loop, &s->readable);
        close(s->readable.fd);
    }
    control_decoder_free(&s->in);
    *s = (struct shortcut){0};
}

static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
    struct task *t = w->data;

    (void)loop, (void)events;
    if (agent_read(t, w->fd, &t->asking.shortcut.in)) {
        t->asking.shortcut.greeted = true;
        return;
    }
    shortcut_close(t);
    /* hrun has refused this task, or is gone: questions go through the agent. */
    t->asking.shortcut.dialled = true; /* does not dial again */
}

/* Connecting to a UNIX socket does not block.  Questions use the agent until hrun's greeting has
 * arrived. */
static void dial(struct task *t)
{
    struct shortcut *s = &t->asking.shortcut;
    int fd = local_connect(t->secret, 0);

    s->dialled = true;
    if (fd < 0)
        return;
    ev_io_init(&s->readable, on_readable, fd, EV_READ);
    s->readable.data = t;
    ev_io_start(t->engine.loop, &s->readable);
    engine_changed(&t->engine);
}

/* A new kind of question belongs here only if it may overtake frames of the agent. */
static bool order_is_free(enum control_kind kind)
{
    switch ((int)kind) {
    case CONTROL_TASKS_ASK:
    case CONTROL_SIGNAL_ASK:
    case CONTROL_CONTEXT_ASK:
    case CONTROL_JOIN_ASK:
    case CONTROL_PART_ASK:
    case CONTROL_MEMBERS_ASK:
    case CONTROL_PUT_ASK:
    case CONTROL_GET_ASK:
    case CONTROL_DROP_ASK:
    case CONTROL_NAMES_ASK:
        return true;
    default:
        return false;
    }
}

/* False: the agent must forward the question. */
bool shortcut_takes(struct task *t, enum control_kind kind)
{
    struct shortcut *s = &t->asking.shortcut;

    if (!order_is_free(kind))
        return false;
    if (s->answered && !s->dialled && local_choice() <= LOCAL_UNIX)
        dial(t);
    return s->answered && s->greeted;
}

/* A frame that the kernel takes only in part would break the connection for later ones.
 * SHORTCUT_MOST excludes that. */
bool shortcut_send(struct task *t, const struct pack *question)
{
    struct pack frame = {0};
    bool sent = false;

    if (question->length > SHORTCUT_MOST)
        return false;
    control_put(&frame, CONTROL_FROM_TASK, (unsigned)t->tid,
                (unsigned)bytes_get16(question->data + 4),
                (const void *)(question->data + CONTROL_HEADER), question->length - CONTROL_HEADER);
    if (!frame.failed)
        sent = send(t->asking.shortcut.readable.fd, frame.data, frame.length,
                    MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)frame.length;
    pack_free(&frame);
    return sent;
}
