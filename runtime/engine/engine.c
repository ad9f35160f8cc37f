/* engine.c - leader and followers on one libev loop (idea and rules: engine.h). */
#include "engine/engine.h"

#include "engine/descriptors.h"
#include "engine/engine_lead.h"
#include "engine/loop_memory.h"
#include "base/error.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* A caller inside engine_wait(), on its own stack. */
struct waiter {
    struct list_node node; /* on engine.waiters, except while it serves or works */
    sem_t wakeup;          /* a follower sleeps on it */
    bool rung;    /* the semaphore was posted since the waiter last looked: once is enough */
    bool patient; /* on engine.patient: it does not lead */
    bool (*done)(void *);      /* the condition, evaluated with the lock */
    void *arg;                 /* argument of done() */
    struct wait_reason reason; /* for hrun's report of a job that hangs */
    uint64_t since;            /* when it began to wait (engine_now) */
};

static _Thread_local bool no_work; /* the calling thread is inside work(), or must not call it */
static _Thread_local bool was_patient; /* in its last wait: its calls do not count */

uint64_t engine_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

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

/* Wakes a waiter on the list, so that it evaluates its condition. */
static void ring(struct waiter *w)
{
    if (!w->rung)
        sem_post(&w->wakeup);
    w->rung = true;
}

/* The semaphore is posted with the lock held.  So once the waiter has the lock again, no thread
 * uses the semaphore any more, and it may be destroyed. */
static void begin_waiting(struct engine *e, struct waiter *w)
{
    sem_init(&w->wakeup, 0, 0);
    w->rung = w->patient = false;
    list_append(&e->waiters, &w->node);
}

static void end_waiting(struct waiter *w)
{
    list_remove(&w->node);
    sem_destroy(&w->wakeup);
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

void engine_changed(struct engine *e)
{
    if (e->polling)
        ev_async_send(e->loop, &e->wake);
}

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

static bool ring_the_done(struct list_node *waiters, const struct waiter *self)
{
    bool any = false;

    list_for_each (n, waiters) {
        struct waiter *w = list_entry(n, struct waiter, node);
        if (w == self || !w->done(w->arg))
            continue;
        ring(w);
        any = true;
    }
    return any;
}

/* After an iteration of the loop: wakes followers whose condition holds now. */
static void wake_the_done(struct engine *e, const struct waiter *self)
{
    ring_the_done(&e->waiters, self);
    e->left |= ring_the_done(&e->patient, self); /* more requests may follow */
}

/* First wakes those for whom a call has done something while no thread polled: a poll may last.  If
 * turn() has moved bytes, the loop must not block: more may follow without an event. */
void engine_lead(struct engine *e, struct waiter *self, int how)
{
    wake_the_done(e, self);
    e->led = true;
    e->leader = self;
    e->left = false;
    e->moved = e->turn && e->turn(e->turn_arg, how == EVRUN_ONCE);
    e->moves += e->moved;
    ev_run(e->loop, e->moved ? EVRUN_NOWAIT : how);
    e->led = false;
    e->leader = NULL;
    wake_the_done(e, self);
}

static void on_deadline(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop, (void)w;
    (void)events; /* engine_wait() checks the time itself */
}

/* Drives the loop for one iteration, which ends at the deadline at the latest. */
static void lead_until(struct engine *e, struct waiter *self, uint64_t deadline)
{
    ev_timer timer;

    if (deadline == 0) {
        engine_lead(e, self, EVRUN_ONCE);
        return;
    }
    uint64_t now = engine_now();
    ev_now_update(e->loop);
    ev_timer_init(&timer, on_deadline, deadline > now ? (double)(deadline - now) * 1e-9 : 0, 0);
    ev_timer_start(e->loop, &timer);
    engine_lead(e, self, EVRUN_ONCE);
    ev_timer_stop(e->loop, &timer);
}

/* A caller that has waited for long, and does so still, leaves the lead to callers whose waits are
 * shorter (engine.h: patient callers). */
static void make_patient(struct engine *e, struct waiter *leader)
{
    if (!leader || engine_now() - leader->since < ENGINE_PATIENT)
        return;
    leader->patient = true;
    list_remove(&leader->node);
    list_append(&e->patient, &leader->node);
    engine_changed(e); /* it steps back and wakes a waiter */
}

/* Sleeps until the leader wakes this caller.  If the background thread leads, it must step back: a
 * caller that drives the loop itself gets its message without a hand-over. */
static void follow(struct engine *e, struct waiter *self, uint64_t deadline)
{
    if (self->patient) {
        if (!e->led)
            engine_wake_a_waiter(e);
    } else if (e->background_leads)
        engine_changed(e); /* it steps back and wakes a waiter */
    else
        make_patient(e, e->leader);
    lock_leave(&e->lock);
    engine_sleep(&self->wakeup, deadline);
    lock_enter(&e->lock);
    self->rung = false;
}

bool engine_wake_a_waiter(struct engine *e)
{
    if (list_empty(&e->waiters))
        return false;
    ring(list_entry(e->waiters.next, struct waiter, node));
    return true;
}

bool engine_work(struct engine *e)
{
    if (!e->hooks.work || no_work)
        return false;
    no_work = true;
    bool any = e->hooks.work(e->hooks.work_arg);
    no_work = false;
    if (any) {
        wake_the_done(e, NULL);
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
static bool serve_first(struct engine *e)
{
    bool any = e->hooks.serve && !no_work && e->hooks.serve(e->hooks.serve_arg);

    return engine_work(e) || any;
}

/* Serves handlers and works.  The caller leaves the list of waiters meanwhile, so that it is not
 * chosen to lead. */
static bool serves(struct engine *e, struct waiter *self)
{
    if (!e->hooks.serve && !e->hooks.work)
        return false;
    list_remove(&self->node);
    bool any = serve_first(e);
    list_append(self->patient ? &e->patient : &e->waiters, &self->node);
    return any;
}

/* The waiter leads if no other thread does, else it follows.  When its wait is over, it hands the
 * lead to another waiter, because otherwise nobody would drive the loop for that one.  *patient:
 * whether it left the lead to others. */
static int wait_until(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline,
                      bool *patient)
{
    struct waiter self = {.done = done, .arg = arg};
    int result = HN_OK;

    was_patient = false;
    if (done(arg))
        return HN_OK;
    self.reason = *wait_reason();
    self.since = engine_now();
    begin_waiting(e, &self);
    while (!done(arg)) {
        if (serves(e, &self))
            continue;
        if (deadline != 0 && engine_now() >= deadline) {
            result = error_set(HN_ETIMEOUT, "the time is up");
            break;
        }
        if (e->led || self.patient)
            follow(e, &self, deadline);
        else
            lead_until(e, &self, deadline);
    }
    *patient = was_patient = self.patient;
    end_waiting(&self);
    if (!e->led)
        engine_wake_a_waiter(e);
    return result;
}

int engine_wait(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline)
{
    bool patient;

    return wait_until(e, done, arg, deadline, &patient);
}

int engine_waiting(const struct engine *e)
{
    int count = 0;

    list_for_each (n, &e->waiters)
        count++;
    list_for_each (n, &e->patient)
        count++;
    return count;
}

static void each_wait(struct list_node *waiters,
                      void (*f)(void *user, const struct wait_reason *reason, uint64_t since),
                      void *user)
{
    list_for_each (n, waiters) {
        const struct waiter *w = list_entry(n, struct waiter, node);
        f(user, &w->reason, w->since);
    }
}

void engine_each_wait(struct engine *e,
                      void (*f)(void *user, const struct wait_reason *reason, uint64_t since),
                      void *user)
{
    each_wait(&e->waiters, f, user);
    each_wait(&e->patient, f, user);
}

static bool never(void *arg)
{
    (void)arg;
    return false;
}

/* Takes the lead from the background thread, if that has it. */
static void relieve_background(struct engine *e, uint64_t deadline)
{
    struct waiter self = {.done = never};

    if (!e->background_leads)
        return;
    begin_waiting(e, &self);
    follow(e, &self, deadline);
    end_waiting(&self);
}

/* Offers the core to others.  Returns for how many ns they used it.  The caller counts as the
 * leader meanwhile, so that no other thread starts to lead. */
static uint64_t offer_core(struct engine *e)
{
    uint64_t before = engine_now();

    e->led = true; /* other threads that want to wait meanwhile follow */
    lock_leave(&e->lock);
    sched_yield();
    lock_enter(&e->lock);
    e->led = false;
    return engine_now() - before;
}

bool engine_yield(struct engine *e, uint64_t ns)
{
    relieve_background(e, engine_now() + ns);
    if (e->led)
        return false;
    offer_core(e);
    engine_wake_a_waiter(e);
    return true;
}

/* ---- looking before sleeping -------------------------------------------------------------- */

/* Whether spinning is probably shorter than sleeping and waking up (engine.h: spinning). */
static bool looking_pays(struct engine *e)
{
    if (e->spin.sleeps) {
        e->spin.sleeps = false;
        return false;
    }
    if (e->spin.typical >= ENGINE_SPIN && ++e->spin.waits < ENGINE_TRIAL)
        return false;
    e->spin.waits = 0;
    return true;
}

/* A message has arrived, and others kept the core for so many ns just before.  If that was more
 * than a yield alone takes, the sender was among them. */
static void learn_place(struct engine *e, uint64_t kept)
{
    if (e->spin.offers > 0) {
        e->spin.offers--;
        return;
    }
    if (kept <= ENGINE_ALONE / 2) {
        e->spin.together = 0;
        return;
    }
    e->spin.offers = ENGINE_OFFERS;
    if (e->spin.together++ % ENGINE_STAYS == 0)
        e->spin.sleeps = true;
}

/* Spins until done(arg): true.  False: it has taken too long, or another thread waits, for which
 * the loop must be driven.  *start becomes the time when bytes last moved. */
static bool spin(struct engine *e, bool (*done)(void *), bool (*look)(void *), void *arg,
                 uint64_t *start)
{
    uint64_t passed = 0, kept = 0, end = *start + ENGINE_SPIN_MOST;

    if (e->spin.offers > 0)
        kept = offer_core(e); /* the sender has not had the core yet */
    while (!e->led && passed < ENGINE_SPIN && *start < end && list_empty(&e->waiters)) {
        bool moved = look(arg); /* look() may release the lock: then another thread may lead now */

        if (done(arg)) {
            learn_place(e, kept);
            return true;
        }
        kept = !e->led && (e->spin.offers > 0 || passed > ENGINE_ALONE) ? offer_core(e) : 0;
        passed = engine_now() - *start;
        if (moved) {
            *start += passed;
            passed = 0;
        }
    }
    return false;
}

/* Updates the mean after a wait of `took` ns in which bytes moved so many times.  The value is
 * capped, so that one long wait does not dominate. */
static void learn_wait(struct engine *e, uint64_t took, uint64_t moves)
{
    took /= 1 + moves;
    took = took < 10 * ENGINE_SPIN ? took : 10 * ENGINE_SPIN;
    e->spin.typical = (3 * e->spin.typical + took) / 4;
}

int engine_wait_soon(struct engine *e, bool (*done)(void *), bool (*look)(void *), void *arg,
                     uint64_t deadline)
{
    uint64_t start, moves = e->moves;
    int result = HN_OK;
    bool patient = false;

    was_patient = false;
    if (done(arg))
        return HN_OK;
    start = engine_now();
    if (!e->started || e->led || !looking_pays(e) || !spin(e, done, look, arg, &start))
        result = wait_until(e, done, arg, deadline, &patient);
    else if (!list_empty(&e->waiters))
        engine_wake_a_waiter(e);
    if (!patient)
        learn_wait(e, engine_now() - start, e->moves - moves);
    return result;
}

/* Sleeps until the descriptor reports one of the events or ns have passed.  The caller counts as
 * the leader meanwhile. */
static void sleep_on(struct engine *e, int fd, short events, uint64_t ns)
{
    struct pollfd p = {.fd = fd, .events = events};
    struct timespec t = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};

    e->led = true;
    lock_leave(&e->lock);
    ppoll(&p, 1, &t, NULL);
    lock_enter(&e->lock);
    e->led = false;
}

bool engine_attend(struct engine *e, int fd, short events, uint64_t ns, bool (*done)(void *),
                   bool (*look)(void *), void *arg)
{
    uint64_t start = engine_now(), begun = start;

    relieve_background(e, start + ns);
    if (e->led)
        return false;
    if (!look || !looking_pays(e) || !spin(e, done, look, arg, &start))
        sleep_on(e, fd, events, ns);
    learn_wait(e, engine_now() - begun, 0);
    engine_wake_a_waiter(e);
    return true;
}

/* A polling caller takes the lead once, so that it does not compete with the background thread for
 * events in each call. */
bool engine_look(struct engine *e)
{
    was_patient = false;
    relieve_background(e, engine_now() + ENGINE_SPIN);
    if (e->led)
        return false;
    engine_lead(e, NULL, EVRUN_NOWAIT);
    engine_wake_a_waiter(e); /* a thread that began to wait during the poll has become a follower */
    return e->moved;
}

void engine_glance(struct engine *e)
{
    uint64_t now = engine_now();
    bool seldom = now - e->glanced > ENGINE_COLLECT;

    e->glanced = now;
    if (!seldom || !e->background_leads || !e->polling)
        engine_look(e);
}

void engine_enter(struct engine *e)
{
    lock_enter(&e->lock);
    if (!was_patient)
        atomic_store_explicit(&e->calls, e->calls + 1, memory_order_relaxed);
}

/* Releases the lock, wakes patient callers for whom the call has done something, and the background
 * thread if it must process the rest. */
static void leave(struct engine *e, bool work_left)
{
    e->left |= work_left;
    ring_the_done(&e->patient, NULL);
    bool leavings = engine_has_leavings(e) || !list_empty(&e->patient);
    if (leavings)
        e->background.tick = ENGINE_TICK;
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

void engine_leave(struct engine *e, bool work_left)
{
    if (e->hooks.serve || e->hooks.work)
        serve_first(e);
    leave(e, work_left);
}

void engine_step_out(struct engine *e)
{
    if (!e->led)
        engine_wake_a_waiter(e);
    leave(e, false);
}

int engine_init(struct engine *e)
{
    lock_init(&e->lock);
    sem_init(&e->background.wakeup, 0, 0);
    list_init(&e->waiters);
    list_init(&e->patient);
    e->background.tick = ENGINE_TICK;
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
