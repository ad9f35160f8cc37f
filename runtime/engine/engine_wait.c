/* engine_wait.c - callers that wait: leader, followers, patient callers (engine.h).
 *
 * Invariant: while a caller waits that is not patient, some thread drives the loop or was woken to
 * do so.  Every path on which a thread gives up the lead wakes another waiter.  Cost of a wait:
 * O(callers that wait), as each iteration evaluates their conditions.
 */
#include "engine/engine_lead.h"
#include "base/error.h"

/* A caller inside engine_wait(), on its own stack. */
struct waiter {
    struct list_node node; /* on engine.waiters, except while it serves or works */
    sem_t wakeup;          /* a follower sleeps on it */
    bool rung;        /* the semaphore was posted since the waiter last looked: once is enough */
    bool patient;     /* on engine.patient: it does not lead */
    bool was_patient; /* at some time of its wait */
    bool (*done)(void *);      /* the condition, evaluated with the lock */
    void *arg;                 /* argument of done() */
    struct wait_reason reason; /* for hrun's report of a job that hangs */
    uint64_t since;            /* when it began to wait (engine_now) */
};

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
    w->rung = false;
    list_append(&e->waiters, &w->node);
}

static void end_waiting(struct waiter *w)
{
    list_remove(&w->node);
    sem_destroy(&w->wakeup);
}

/* Evaluates the condition of each waiter but `self`. True if one of them holds.  A waiter that was
 * rung already is not posted again. */
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

/* What a call or the background thread has done for them: more requests may follow. */
void engine_wake_patient(struct engine *e)
{
    e->left |= ring_the_done(&e->patient, NULL);
}

void engine_wake_the_done(struct engine *e, const struct waiter *self)
{
    ring_the_done(&e->waiters, self);
    engine_wake_patient(e);
}

/* First wakes those for whom a call has done something while no thread polled: a poll may last.  If
 * turn() has moved bytes, the loop must not block: more may follow without an event. */
void engine_lead(struct engine *e, struct waiter *self, int how)
{
    engine_wake_the_done(e, self);
    e->led = true;
    e->leader = self;
    /* What callers have left is written in this iteration. */
    e->left = false;
    /* turn() serves shared memory, which no descriptor reports. */
    e->moved = e->turn && e->turn(e->turn_arg, how == EVRUN_ONCE);
    e->moves += e->moved;
    ev_run(e->loop, e->moved ? EVRUN_NOWAIT : how);
    e->led = false;
    e->leader = NULL;
    engine_wake_the_done(e, self);
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
    /* libev's time is that of the last iteration, and relative timers count from it.  Without the
     * update the timer would fire too early. */
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
    leader->patient = leader->was_patient = true;
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

/* All of them join the ordinary waiters again, and the first waiter on the list is woken to
 * lead. */
bool engine_recall_patient(struct engine *e)
{
    list_for_each_safe (n, &e->patient) {
        struct waiter *w = list_entry(n, struct waiter, node);
        w->patient = false;
        list_remove(&w->node);
        list_append(&e->waiters, &w->node);
    }
    return engine_wake_a_waiter(e);
}

/* The first on the list.  It leads if no other thread does by the time it runs. */
bool engine_wake_a_waiter(struct engine *e)
{
    if (list_empty(&e->waiters))
        return false;
    ring(list_entry(e->waiters.next, struct waiter, node));
    return true;
}

/* Serves handlers and works.  The caller leaves the list of waiters meanwhile, so that it is not
 * chosen to lead. */
static bool serves(struct engine *e, struct waiter *self)
{
    if (!e->hooks.serve && !e->hooks.work)
        return false;
    list_remove(&self->node);
    bool any = engine_serve_first(e);
    list_append(self->patient ? &e->patient : &e->waiters, &self->node);
    return any;
}

/* The waiter leads if no other thread does, else it follows.  When its wait is over, it hands the
 * lead to another waiter, because otherwise no thread would drive the loop for that one.  *patient:
 * whether it left the lead to others. */
int engine_wait_until(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline,
                      bool *patient)
{
    struct waiter self = {.done = done, .arg = arg};
    int result = HN_OK;

    if (done(arg))
        return HN_OK;
    /* A copy, which other threads may read with the lock. */
    self.reason = *wait_reason();
    self.since = engine_now();
    begin_waiting(e, &self);
    /* Each pass: the program's handlers and activities first, then the deadline, then one iteration
     * as leader or one sleep as follower. */
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
    *patient = self.was_patient;
    end_waiting(&self);
    if (!e->led)
        engine_wake_a_waiter(e);
    return result;
}

int engine_wait(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline)
{
    bool patient;

    return engine_wait_until(e, done, arg, deadline, &patient);
}

/* O(waiters); used when a task leaves its job, not for each message. */
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

/* For a report of what all threads wait for; f() must not change the lists. */
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
void engine_relieve_background(struct engine *e, uint64_t deadline)
{
    struct waiter self = {.done = never};

    if (!e->background_leads)
        return;
    begin_waiting(e, &self);
    follow(e, &self, deadline);
    end_waiting(&self);
}
