/* listen.c - accepts connections from other tasks (interface: dial.h).
 *
 * ports.h decides where to listen.  Unproven connections are bounded in number (pending.h), and
 * each one in time (DIAL_TIMEOUT).
 *
 * A task listens on a UNIX socket for tasks of its host, and on one or more ports for others.
 * Every accepted connection becomes a set-up, which must prove that it belongs to the job before it
 * gets to a peer.
 */
#include "connect/dial.h"

#include "connect/set_up.h"
#include "connect/local.h"
#include "engine/descriptors.h"
#include "job/task.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool dial_own_name(int fd, union dial_name *name)
{
    socklen_t size = sizeof *name;

    return getsockname(fd, &name->any, &size) == 0;
}

/* Nothing is open afterwards, so listener_close() is valid from here on. */
void listener_init(struct task *t)
{
    t->door.listener = (struct listener){.local_fd = -1};
    list_init(&t->door.listener.set_ups);
    pending_init(&t->door.listener.pending);
    ports_init(&t->door.listener.ports);
}

/* The port is known afterwards, but nothing is accepted before listener_start(). */
int listener_open(struct task *t)
{
    const struct agent *a = &t->agent;
    int result = ports_open(&t->door.listener.ports, a->ports, a->iface, a->wide);

    if (result == HN_OK) /* else, and without the local path, tasks on this host use the network */
        t->door.listener.local_fd = local_listen(t->secret, t->tid);
    return result;
}

static void watch(struct listener *l, struct ev_loop *loop)
{
    for (unsigned i = 0; i < l->ports.count; i++)
        ev_io_start(loop, &l->readable[i]);
    if (l->local_fd >= 0)
        ev_io_start(loop, &l->local_readable);
}

static void unwatch(struct listener *l, struct ev_loop *loop)
{
    for (unsigned i = 0; i < l->ports.count; i++)
        ev_io_stop(loop, &l->readable[i]);
    if (l->local_fd >= 0)
        ev_io_stop(loop, &l->local_readable);
}

static void on_pause(struct ev_loop *loop, ev_timer *w, int events)
{
    struct task *t = w->data;

    (void)events;
    watch(&t->door.listener, loop);
}

/* There is no descriptor, or no memory, for a waiting connection.  Stops watching the sockets for a
 * while, because the loop would report them again at once. */
static void pause_listening(struct task *t)
{
    struct listener *l = &t->door.listener;

    unwatch(l, t->engine.loop);
    ev_timer_set(&l->pause, LISTEN_PAUSE * 1e-3, 0);
    ev_timer_start(t->engine.loop, &l->pause);
}

/* Accepts the next connection; -1: there is none now.  A stranger's connection is closed if its
 * descriptor is needed. */
static int accept_next(struct task *t, int listening, union dial_name *from)
{
    socklen_t size;
    int fd, why;

    do {
        size = sizeof *from;
        fd = accept4(listening, &from->any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        why = fd < 0 ? errno : 0;
    } while (fd < 0 && (descriptors_more(why) || (why == EMFILE && set_up_give_way(t))));
    shortage_note(t, why);
    if (fd < 0 && why != EAGAIN && why != EINTR && why != ECONNABORTED)
        pause_listening(t);
    return fd;
}

static void report(struct task *t, struct stranger *one)
{
    agent_put(t, CONTROL_KNOCKED, one->source, strangers_reported(one), one->why);
}

/* Counts a refused connection; some of them are reported at once, the rest by listener_report(). */
void listener_note(struct task *t, const char *source, const char *why)
{
    struct stranger *one = strangers_note(&t->door.listener.strangers, source, why);

    if (one)
        report(t, one);
}

void listener_report(struct task *t)
{
    struct stranger *one;

    while ((one = strangers_rest(&t->door.listener.strangers)))
        report(t, one);
}

static void refuse_user(struct task *t, int fd)
{
    char user[STRANGERS_TEXT];

    local_user(fd, user, sizeof user);
    close(fd);
    listener_note(t, user, "the UNIX socket is not for other users");
}

/* At most LISTEN_TURN connections, so that a flood does not keep the loop from other events. */
static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
    struct task *t = w->data;
    bool local = w->fd == t->door.listener.local_fd;
    union dial_name from;
    int fd;

    (void)loop, (void)events;
    for (int i = 0; i < LISTEN_TURN && (fd = accept_next(t, w->fd, &from)) >= 0; i++)
        if (local && !local_is_own(fd))
            refuse_user(t, fd);
        else
            set_up_accept(t, fd, local ? NULL : &from.any);
}

/* Watchers of sockets that were opened since the last call; none of them may be active. */
static void watch_new(struct task *t)
{
    struct listener *l = &t->door.listener;

    for (unsigned i = 0; i < l->ports.count; i++) {
        ev_io_init(&l->readable[i], on_readable, l->ports.fd[i], EV_READ);
        l->readable[i].data = t;
    }
    watch(l, t->engine.loop);
}

/* Called once, when the engine's loop exists. */
void listener_start(struct task *t)
{
    struct listener *l = &t->door.listener;

    ev_io_init(&l->local_readable, on_readable, l->local_fd, EV_READ);
    ev_timer_init(&l->pause, on_pause, 0, 0);
    l->local_readable.data = l->pause.data = t;
    watch_new(t);
    l->started = true;
}

/* If this fails, tasks on other hosts still reach this task by the relay.  All watchers are stopped
 * before and initialised anew afterwards, as the number of sockets may change. */
void listener_widen(struct task *t)
{
    if (t->agent.wide)
        return;
    t->agent.wide = true;
    unwatch(&t->door.listener, t->engine.loop);
    ports_widen(&t->door.listener.ports, t->agent.iface);
    watch_new(t);
    engine_changed(&t->engine);
}

/* Also ends the accepted connections that are not proven yet. */
void listener_close(struct task *t)
{
    struct listener *l = &t->door.listener;

    if (l->started) {
        ev_timer_stop(t->engine.loop, &l->pause);
        unwatch(l, t->engine.loop);
    }
    list_for_each_safe (n, &l->set_ups)
        set_up_end(list_entry(n, struct set_up, node));
    ports_close(&l->ports);
    if (l->local_fd >= 0)
        close(l->local_fd);
    l->local_fd = -1;
    l->started = false;
}
