/* job_shortcut.c - questions of tasks on hrun's host that bypass the agents (job/shortcut.h).
 *
 * hrun listens on a UNIX socket whose name is derived from the job's secret.  On a connection,
 * tasks send the same frames as their agent would, FROM_TASK, and get unwrapped answers.  Processes
 * of other users are refused.  Without a socket all questions use the agents.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/services/job_service.h"

#include "base/bytes.h"
#include "connect/local.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define JOB_DOOR_PAUSE 0.1 /* seconds until accept() is tried again: RELAY_PAUSE */

/* A task's connection.  Freed when the next one is accepted after its end, never within its own
 * channel's callback. */
struct job_shortcut {
    struct list_node node;
    struct channel channel;
    struct job *job;
    uint32_t tid; /* of the asking task; 0: unknown yet, or it has closed the connection */
};

static struct job_shortcut *job_shortcut_of(struct channel *channel)
{
    return (void *)((char *)channel - offsetof(struct job_shortcut, channel));
}

/* Any other frame is ignored: the task is a process of the same user, but may still be wrong. */
static void job_shortcut_frame(struct channel *channel, struct control_frame *frame)
{
    struct job_shortcut *shortcut = job_shortcut_of(channel);
    struct control_frame inner;
    if (frame->kind != CONTROL_FROM_TASK)
        return;
    shortcut->tid = unpack_u32(&frame->payload);
    struct job_task *task = job_any_task(shortcut->job, shortcut->tid);
    if (task && task->state != JOB_TASK_OVER && control_unwrap(&frame->payload, &inner) == HN_OK) {
        shortcut->job->services.answer(task, inner.kind, &inner.payload);
        job_step(shortcut->job);
    }
}

/* Only marks it, as the channel is still in use by the caller. */
static void job_shortcut_ended(struct channel *channel, const char *why)
{
    (void)why;
    job_shortcut_of(channel)->tid = 0;
}

static const struct channel_events job_shortcut_events = {.frame = job_shortcut_frame,
                                                          .ended = job_shortcut_ended};

/* False: the question came through the agent, or the task has closed its shortcut.  Then the agent
 * forwards the answer.  CONTROL_SHORTCUT in the number shows that the question came over a
 * shortcut. */
bool job_shortcut_answer(const struct job_task *task, enum control_kind kind,
                         const struct pack *inner)
{
    bool answers = kind == CONTROL_DONE || kind == CONTROL_NUMBER || kind == CONTROL_TASKS ||
                   kind == CONTROL_MEMBERS || kind == CONTROL_VALUE || kind == CONTROL_NAMES;
    if (!answers || !(bytes_get32(inner->data) & CONTROL_SHORTCUT))
        return false;
    list_for_each (node, &task->host->job->services.shortcuts.list) {
        struct job_shortcut *shortcut = list_entry(node, struct job_shortcut, node);
        struct unpack payload = unpack_from(inner->data, inner->length);
        if (shortcut->tid != task->tid)
            continue;
        control_pass(channel_out(&shortcut->channel), kind, &payload);
        channel_send(&shortcut->channel);
        return true;
    }
    return false;
}

/* ---- connections ------------------------------------------------------------------------ */

/* Frees connections that tasks have closed, or all. */
static void job_shortcuts_free(struct job *job, bool all)
{
    list_for_each_safe (node, &job->services.shortcuts.list) {
        struct job_shortcut *shortcut = list_entry(node, struct job_shortcut, node);
        if (!all && channel_is_open(&shortcut->channel))
            continue;
        channel_close(&shortcut->channel);
        list_remove(node);
        free(shortcut);
    }
}

static void job_on_pause(int events, void *data)
{
    struct job *job = data;
    (void)events;
    ev_io_start(job->loop, &job->services.shortcuts.door);
}

/* Only processes of this user are accepted, and they get the greeting at once.  Without a
 * descriptor, accepting pauses. */
static void job_on_shortcut(struct ev_loop *loop, ev_io *door, int events)
{
    struct job *job = door->data;
    int fd = accept4(door->fd, NULL, NULL, SOCK_CLOEXEC);
    struct job_shortcut *shortcut =
        fd >= 0 && local_is_own(fd) ? calloc(1, sizeof *shortcut) : NULL;
    (void)events;
    job_shortcuts_free(job, false);
    if (shortcut) {
        shortcut->job = job;
        list_append(&job->services.shortcuts.list, &shortcut->node);
        channel_open(&shortcut->channel, loop, fd, fd, &job_shortcut_events);
        channel_put(&shortcut->channel, CONTROL_NUMBER, 0u, 0u); /* the greeting */
    } else if (fd >= 0) {
        close(fd);
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        ev_io_stop(loop, door); /* no descriptor, or no memory, is left */
        ev_once(loop, -1, 0, JOB_DOOR_PAUSE, job_on_pause, job);
    }
}

void job_shortcuts_begin(struct job *job)
{
    int fd = local_listen(job->secret, 0);
    list_init(&job->services.shortcuts.list);
    ev_io_init(&job->services.shortcuts.door, job_on_shortcut, fd, EV_READ);
    job->services.shortcuts.door.data = job;
    if (fd >= 0)
        ev_io_start(job->loop, &job->services.shortcuts.door);
}

void job_shortcuts_end(struct job *job)
{
    job_shortcuts_free(job, true);
    ev_io_stop(job->loop, &job->services.shortcuts.door);
    if (job->services.shortcuts.door.fd >= 0)
        close(job->services.shortcuts.door.fd);
}
