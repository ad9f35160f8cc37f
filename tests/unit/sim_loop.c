/* sim_loop.c - what happens next: libev's watchers of all processes; see sim.h. */
#include "sim.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Watchers that are active; watcher->active is the place in the list + 1. */
struct watchers {
    ev_watcher **list;
    int n, room;
};

struct ev_loop {
    struct sim_process *process;
    void *user;
    bool over;
    struct watchers timers, ios, prepares, children, signals;
    ev_watcher *fed;
    uint64_t raised; /* signals */
};

struct event {
    double at;
    void (*happens)(void *arg, int value);
    void *arg;
    int value;
};

static uint64_t seed, state;
static double now;
static struct event *events;
static size_t nevent;
static bool talks;
struct sim_line *sim_lines;
size_t sim_nlines;

/* ---- chance and time --------------------------------------------------------------------------
 */

void sim_begin(uint64_t history)
{
    seed = history;
    state = history * 0x9e3779b97f4a7c15u + 1;
    now = 0;
    nevent = 0;
    talks = getenv("HNOW_TALK") != NULL;
}

unsigned sim_below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 32) * n >> 32);
}

double sim_between(double from, double to)
{
    return from + (to - from) * sim_below(1 << 20) / (1 << 20);
}

double sim_now(void)
{
    return now;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    int64_t ns = (int64_t)((now + 1) * 1e9);
    if (!sim_self)
        return __real_clock_gettime(clock, time);
    *time = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return 0;
}

void sim_fail(const char *format, ...)
{
    va_list list;
    sim_self = NULL;
    fprintf(stderr, "history %llu, at %.3f s: ", (unsigned long long)seed, now);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\nreplay: HNOW_SEED=%llu HNOW_HISTORIES=1 HNOW_TALK=1\n",
            (unsigned long long)seed);
    for (size_t i = 0; i < sim_nlines; i++)
        fprintf(stderr, "    %.3f s: hrun: %s\n", sim_lines[i].at, sim_lines[i].text);
    fflush(NULL);
    _exit(1);
}

void sim_talk(const char *format, ...)
{
    va_list list;
    if (!talks)
        return;
    fprintf(stderr, "%9.4f ", now);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
}

void sim_after(double seconds, void (*happens)(void *arg, int value), void *arg, int value)
{
    if ((nevent & (nevent - 1)) == 0)
        events = realloc(events, (nevent ? 2 * nevent : 1) * sizeof *events);
    events[nevent++] = (struct event){now + seconds, happens, arg, value};
}

/* ---- libev's functions ------------------------------------------------------------------------
 */

struct ev_loop *sim_loop_new(struct sim_process *process)
{
    struct ev_loop *loop = calloc(1, sizeof *loop);
    loop->process = process;
    return loop;
}

static void add(struct watchers *all, void *watcher)
{
    ev_watcher *w = watcher;
    if (w->active)
        return;
    if (all->n == all->room) {
        all->room = all->room ? 2 * all->room : 4;
        all->list = realloc(all->list, (size_t)all->room * sizeof *all->list);
    }
    all->list[all->n++] = w;
    w->active = all->n;
}

static void drop(struct watchers *all, void *watcher)
{
    ev_watcher *w = watcher;
    if (!w->active)
        return;
    all->list[w->active - 1] = all->list[--all->n];
    all->list[w->active - 1]->active = w->active;
    w->active = 0;
}

struct ev_loop *ev_default_loop(unsigned flags)
{
    (void)flags;
    return sim_self->loop;
}

/* The loop of a task's engine, which nobody runs: each of its events is one of sim_step(). */
struct ev_loop *ev_loop_new(unsigned flags)
{
    (void)flags;
    return sim_self->loop;
}

void ev_loop_destroy(struct ev_loop *loop)
{
    if (loop->timers.n + loop->ios.n > 0)
        sim_fail("%d timers and %d descriptors are still watched", loop->timers.n, loop->ios.n);
}

void ev_set_loop_release_cb(struct ev_loop *loop, void (*release)(struct ev_loop *),
                            void (*acquire)(struct ev_loop *))
{
    (void)loop, (void)release, (void)acquire;
}

void ev_async_start(struct ev_loop *loop, ev_async *async)
{
    (void)loop, (void)async;
}

void ev_async_stop(struct ev_loop *loop, ev_async *async)
{
    (void)loop, (void)async;
}

void ev_async_send(struct ev_loop *loop, ev_async *async)
{
    (void)loop, (void)async;
}

void ev_set_userdata(struct ev_loop *loop, void *data)
{
    loop->user = data;
}

void *ev_userdata(struct ev_loop *loop)
{
    return loop->user;
}

void ev_break(struct ev_loop *loop, int how)
{
    (void)how;
    loop->over = true;
}

void ev_feed_event(struct ev_loop *loop, void *watcher, int events_given)
{
    (void)events_given;
    if (loop->fed && loop->fed != watcher)
        sim_fail("two watchers are fed at once");
    loop->fed = watcher;
    loop->user = ((ev_watcher *)watcher)->data; /* the job */
}

void ev_timer_start(struct ev_loop *loop, ev_timer *timer)
{
    if (ev_is_active(timer))
        return;
    timer->at += now;
    add(&loop->timers, timer);
}

/* What is left of its time stays in it, as in libev. */
void ev_timer_stop(struct ev_loop *loop, ev_timer *timer)
{
    if (ev_is_active(timer))
        timer->at -= now;
    drop(&loop->timers, timer);
}

void ev_timer_again(struct ev_loop *loop, ev_timer *timer)
{
    if (timer->repeat <= 0) {
        ev_timer_stop(loop, timer);
        return;
    }
    timer->at = now + timer->repeat;
    add(&loop->timers, timer);
}

ev_tstamp ev_timer_remaining(struct ev_loop *loop, ev_timer *timer)
{
    (void)loop;
    return timer->at - (ev_is_active(timer) ? now : 0);
}

void ev_now_update(struct ev_loop *loop)
{
    (void)loop;
}

void ev_io_start(struct ev_loop *loop, ev_io *io)
{
    add(&loop->ios, io);
}

void ev_io_stop(struct ev_loop *loop, ev_io *io)
{
    drop(&loop->ios, io);
}

void ev_prepare_start(struct ev_loop *loop, ev_prepare *prepare)
{
    add(&loop->prepares, prepare);
}

void ev_prepare_stop(struct ev_loop *loop, ev_prepare *prepare)
{
    drop(&loop->prepares, prepare);
}

void ev_child_start(struct ev_loop *loop, ev_child *child)
{
    add(&loop->children, child);
}

void ev_child_stop(struct ev_loop *loop, ev_child *child)
{
    drop(&loop->children, child);
}

void ev_signal_start(struct ev_loop *loop, ev_signal *watcher)
{
    add(&loop->signals, watcher);
}

void ev_signal_stop(struct ev_loop *loop, ev_signal *watcher)
{
    drop(&loop->signals, watcher);
}

bool sim_loop_hears(const struct ev_loop *loop, int number)
{
    for (int i = 0; i < loop->signals.n; i++)
        if (((ev_signal *)loop->signals.list[i])->signum == number)
            return true;
    return false;
}

void sim_loop_raise(struct ev_loop *loop, int number)
{
    loop->raised |= UINT64_C(1) << number;
}

bool sim_loop_is_over(const struct ev_loop *loop)
{
    return loop->over;
}

/* ---- what happens next ------------------------------------------------------------------------
 */

/* One of the things that can happen now, each as likely as the others. */
static struct choice {
    unsigned n;
    double soonest; /* of what cannot happen yet */
    struct sim_process *process;
    ev_watcher *watcher;
    int revents;
    void (*act)(struct sim_process *process);
    size_t event;
} choice;

/* Can something that is due at that time happen now? */
static bool draws(const struct sim_process *process, double at)
{
    if (process && at < process->until)
        at = process->until;
    if (at > now) {
        choice.soonest = fmin(choice.soonest, at);
        return false;
    }
    return sim_below(++choice.n) == 0;
}

void sim_offer(struct sim_process *process, void (*act)(struct sim_process *), double at)
{
    if (!draws(process, at))
        return;
    choice.process = process;
    choice.watcher = NULL;
    choice.act = act;
}

static void offer(struct sim_process *process, ev_watcher *watcher, int revents, double at)
{
    if (!draws(process, at))
        return;
    choice.process = process;
    choice.watcher = watcher;
    choice.revents = revents;
    choice.act = NULL;
}

static void offer_loop(struct sim_process *process)
{
    struct ev_loop *loop = process->loop;
    if (loop->fed)
        offer(process, loop->fed, EV_CUSTOM, now);
    for (int i = 0; i < loop->timers.n; i++)
        offer(process, loop->timers.list[i], EV_TIMER, ((ev_timer *)loop->timers.list[i])->at);
    for (int i = 0; i < loop->ios.n; i++) {
        const ev_io *io = (void *)loop->ios.list[i];
        bool reads = io->events & EV_READ;
        offer(process, loop->ios.list[i], reads ? EV_READ : EV_WRITE,
              reads ? sim_readable(process, io->fd) : sim_writable(process, io->fd));
    }
    for (int i = 0; i < loop->prepares.n; i++)
        offer(process, loop->prepares.list[i], EV_PREPARE, now);
    for (int i = 0; i < loop->children.n; i++) {
        const struct sim_process *child = sim_process_of(((ev_child *)loop->children.list[i])->pid);
        if (!child->alive && !child->reaped)
            offer(process, loop->children.list[i], EV_CHILD, now);
    }
    for (int i = 0; i < loop->signals.n && loop->raised; i++)
        if (loop->raised >> ((ev_signal *)loop->signals.list[i])->signum & 1)
            offer(process, loop->signals.list[i], EV_SIGNAL, now);
}

static void offer_all(void)
{
    for (struct sim_process *p = sim_processes; p; p = p->next) {
        if (!p->alive || p->stopped || (p->host && p->host->stopped))
            continue;
        if (p->loop)
            offer_loop(p);
        if (p->offers)
            p->offers(p);
    }
    for (size_t i = 0; i < nevent; i++)
        if (draws(NULL, events[i].at)) {
            choice.process = NULL;
            choice.event = i;
        }
}

static void prepare(struct ev_loop *loop, ev_watcher *watcher, int revents)
{
    ev_timer *timer = (void *)watcher;
    ev_child *child = (void *)watcher;
    if (revents == EV_CUSTOM)
        loop->fed = NULL;
    else if (revents == EV_SIGNAL)
        loop->raised &= ~(UINT64_C(1) << ((ev_signal *)watcher)->signum);
    else if (revents == EV_TIMER && timer->repeat > 0)
        timer->at = fmax(timer->at + timer->repeat, now);
    else if (revents == EV_TIMER)
        ev_timer_stop(loop, timer);
    else if (revents == EV_CHILD) {
        struct sim_process *process = sim_process_of(child->pid);
        process->reaped = true;
        child->rpid = child->pid;
        child->rstatus = process->status;
    }
}

static void act(struct sim_process *process)
{
    sim_self = process;
    if (choice.act) {
        choice.act(process);
    } else {
        prepare(process->loop, choice.watcher, choice.revents);
        choice.watcher->cb(process->loop, choice.watcher, choice.revents);
        if (process->after && process->alive)
            process->after(process);
    }
    sim_self = NULL;
    if (process->host && process->host->slow > 0)
        process->until = now + process->host->slow;
}

bool sim_step(void)
{
    choice = (struct choice){.soonest = INFINITY};
    offer_all();
    if (choice.n == 0 && choice.soonest == INFINITY)
        return false;
    if (choice.n == 0) {
        now = choice.soonest;
    } else if (choice.process) {
        act(choice.process);
    } else {
        struct event event = events[choice.event];
        events[choice.event] = events[--nevent];
        event.happens(event.arg, event.value);
    }
    return true;
}

int ev_run(struct ev_loop *loop, int flags)
{
    enum { STEPS = 1000000 };
    struct sim_process *self = sim_self;
    (void)flags;
    sim_self = NULL;
    for (int steps = 0; !loop->over; steps++) {
        if (!sim_step())
            sim_fail("it hangs: nothing will ever happen");
        if (steps == STEPS)
            sim_fail("it is busy for ever");
        if (now > SIM_LONGEST)
            sim_fail("it does not end");
    }
    if (self->over)
        self->over(loop->user);
    sim_self = self;
    return 0;
}
