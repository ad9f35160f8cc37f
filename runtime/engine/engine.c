/* engine.c - entering and leaving the engine, its libev loop, and the work of callers (engine.h).
 *
 * Lock order: this lock is the only one that the engine takes.  Hooks may release it
 * (engine_step_out()), so a caller must read again what it needs after engine_work() or
 * engine_wait().
 */
#include "engine/engine.h"

#include "engine/descriptors.h"
#include "engine/engine_lead.h"
#include "engine/loop_memory.h"
#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static _Thread_local bool no_work; /* the calling thread is inside work(), or must not call it */

uint64_t engine_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The deadline is absolute, so an interrupted sleep continues without a new computation.
 * sem_clockwait() is used because sem_timedwait() follows CLOCK_REALTIME, which may be set. */
bool engine_sleep(sem_t *wakeup, uint64_t deadline)
{
    struct timespec t = {.tv_sec = (time_t)(deadline / 1000000000u),
                         .tv_nsec = (long)(deadline % 1000000000u)};
    int failed;

    do
        failed = deadline ? sem_clockwait(wakeup, CLOCK_MONOTONIC, &t) : sem_wait(wakeup);
    while (failed && errno == EINTR);
    return !failed;
}

/* libev calls these two around its poll, so that other threads can use the task meanwhile. */
static void release(struct ev_loop *loop) EV_THROW
{
    struct engine *e = ev_userdata(loop);

    e->polling = true;
    lock_leave(&e->lock);
}

static void acquire(struct ev_loop *loop) EV_THROW
{
    struct engine *e = ev_userdata(loop);

    lock_enter(&e->lock);
    e->polling = false;
}

static void on_wake(struct ev_loop *loop, ev_async *w, int events)
{
    (void)loop, (void)w;
    (void)events; /* its only purpose is to end the poll */
}

/* Something has changed that the leader must see.  A leader that is not inside its poll sees it
 * anyway. */
void engine_changed(struct engine *e)
{
    if (e->polling)
        ev_async_send(e->loop, &e->wake);
}

/* Idempotent: the watcher's own state says whether it is counted in `under_way`. */
void engine_await_room(struct engine *e, ev_io *writable, bool on)
{
    if (on == (bool)ev_is_active(writable))
        return;
    e->under_way += on ? 1 : -1u;
    if (on)
        ev_io_start(e->loop, writable);
    else
        ev_io_stop(e->loop, writable);
    engine_changed(e);
}

/* no_work prevents recursion: an activity's own calls enter and leave the engine, and would start
 * to work again.  It is a variable of the thread, so other threads may work meanwhile. */
bool engine_work(struct engine *e)
{
    if (!e->hooks.work || no_work)
        return false;
    no_work = true;
    bool any = e->hooks.work(e->hooks.work_arg);
    no_work = false;
    if (any) {
        engine_wake_the_done(e, NULL);
        engine_changed(e); /* the leader may wait for the result */
    }
    return any;
}

bool engine_hold_work(bool hold)
{
    bool before = no_work;

    no_work = hold;
    return before;
}

/* Runs the program's handlers and activities, which run in its own calls before they wait or
 * return. */
bool engine_serve_first(struct engine *e)
{
    bool any = e->hooks.serve && !no_work && e->hooks.serve(e->hooks.serve_arg);

    return engine_work(e) || any;
}

void engine_enter(struct engine *e)
{
    lock_enter(&e->lock);
    atomic_store_explicit(&e->calls, e->calls + 1, memory_order_relaxed);
}

/* Releases the lock, wakes patient callers for whom the call has done something, and the background
 * thread if it must process the rest.  The semaphore is posted without the lock, so that the thread
 * need not wait for it. */
static void leave(struct engine *e, bool work_left)
{
    e->left |= work_left;
    engine_wake_patient(e);
    bool leavings = engine_has_leavings(e);
    /* The background thread has something to do soon, so its next tick is short. */
    if (leavings)
        e->background.tick = ENGINE_TICK;
    /* It is woken if it sleeps without a tick, or has not yet seen that work is left.  A leader
     * inside the loop does that work itself. */
    bool ring =
        e->started && !e->led && (e->background.asleep || (leavings && !e->background.noticed));
    if (ring) {
        e->background.noticed |= leavings;
        e->background.asleep = false;
    }
    lock_leave(&e->lock);
    if (ring)
        sem_post(&e->background.wakeup);
}

/* The program's handlers and activities run in its own calls, so a program that only sends also
 * makes progress. */
void engine_leave(struct engine *e, bool work_left)
{
    if (e->hooks.serve || e->hooks.work)
        engine_serve_first(e);
    leave(e, work_left);
}

/* The caller may run the program's code for a long time.  So another waiter drives the loop
 * meanwhile, if no thread does. */
void engine_step_out(struct engine *e)
{
    if (!e->led)
        engine_wake_a_waiter(e);
    leave(e, false);
}

/* Nothing is started here, and no thread exists yet.  After an error engine_destroy() still frees
 * what was made.  EVFLAG_NOENV: an environment variable must not choose libev's backend. */
int engine_init(struct engine *e)
{
    lock_init(&e->lock);
    sem_init(&e->background.wakeup, 0, 0);
    list_init(&e->waiters);
    list_init(&e->patient);
    e->background.tick = ENGINE_TICK;
    /* libev would end the process, where hn_enrol() must return an error. */
    if (!descriptors_for_loop())
        return error_set(HN_ESYS, "no descriptors for the event loop: %s", strerror(errno));
    loop_memory_init();
    e->loop = ev_loop_new(EVFLAG_AUTO | EVFLAG_NOENV);
    if (!e->loop)
        return error_set(HN_ESYS, "no event loop");
    ev_set_userdata(e->loop, e);
    ev_set_loop_release_cb(e->loop, release, acquire);
    ev_async_init(&e->wake, on_wake);
    ev_async_start(e->loop, &e->wake);
    return HN_OK;
}

void engine_destroy(struct engine *e)
{
    if (e->loop) {
        ev_async_stop(e->loop, &e->wake);
        ev_loop_destroy(e->loop);
    }
    sem_destroy(&e->background.wakeup);
    lock_destroy(&e->lock);
}
