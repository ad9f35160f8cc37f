/* engine_background.c - the thread that drives the loop while no caller does, and when it takes
 * over (engine.h).
 *
 * States of the thread: it leads; it dozes for a tick, or for ENGINE_COLLECT when work was left; it
 * sleeps until a caller wakes it.  It changes its state only with the lock.  `calls` is the
 * exception: it is read without, as a busy program hardly ever releases the lock.
 */
#include "engine/engine_lead.h"
#include "base/error.h"

#include <signal.h>

/* Whether long transfers are in progress, for which perhaps no caller waits. */
static bool has_transfers(const struct engine *e)
{
    return atomic_load_explicit(&e->transfers, memory_order_relaxed) > 0;
}

/* Sleeps for ns nanoseconds.  True: no thread has woken it. */
static bool doze(struct engine *e, uint64_t ns)
{
    return !engine_sleep(&e->background.wakeup, engine_now() + ns);
}

/* The length of the next tick, after one with calls.  Every ENGINE_TRIAL ticks the shortest one is
 * tried again, as the program may have changed. */
static unsigned next_tick(struct engine *e, unsigned tick, unsigned most)
{
    if (++e->background.ticks % ENGINE_TRIAL == 0)
        return ENGINE_TICK;
    return 2 * tick < most ? 2 * tick : most;
}

/* Sleeps until a whole tick has passed without a call. */
static void doze_while_called(struct engine *e, unsigned *seen, unsigned tick, unsigned most)
{
    do {
        *seen = atomic_load_explicit(&e->calls, memory_order_relaxed);
        if (!doze(e, tick * UINT64_C(1000000)))
            return;
        tick = next_tick(e, tick, most);
    } while (*seen != atomic_load_explicit(&e->calls, memory_order_relaxed));
}

/* Sleeps while callers are active, until the earliest reason to take over. */
static void stand_by(struct engine *e, unsigned *seen)
{
    /* `idle`: a caller blocks in the loop and no call was made since the last check.  That caller
     * wakes this thread when it leaves. */
    bool leavings = engine_has_leavings(e) || (!e->led && has_transfers(e)),
         idle = !leavings && e->led && e->calls == *seen;
    unsigned tick = e->under_way > 0 ? ENGINE_TICK : e->background.tick,
             most = e->under_way > 0 ? ENGINE_TICK : ENGINE_TICK_MOST;

    e->background.noticed = leavings;
    e->background.asleep = idle;
    lock_leave(&e->lock);
    if (leavings)
        doze(e, ENGINE_COLLECT);
    else if (idle)
        engine_sleep(&e->background.wakeup,
                     0); /* a caller blocks in the loop and will wake this thread when it leaves */
    else
        doze_while_called(e, seen, tick, most);
    lock_enter(&e->lock);
    e->background.asleep = false;
    e->background.urgent |= leavings && (engine_has_leavings(e) || has_transfers(e));
}

/* The thread has led until a call was made.  If it did nothing that others waited for (`before`:
 * the value of `helped` at the start), the hand-over was in vain, and the next one may be later. */
static void learn_tick(struct engine *e, unsigned before)
{
    if (e->background.helped != before)
        e->background.tick = ENGINE_TICK;
    else if (e->background.tick < ENGINE_TICK_MOST)
        e->background.tick *= 2;
}

/* Drives the loop for one iteration and hands the lead to a caller that has begun to wait. */
static void take_over(struct engine *e, bool urgent, unsigned *seen)
{
    if (urgent && has_transfers(e))
        *seen = e->calls; /* continues until the next call */
    e->background_leads = true;
    engine_lead(e, NULL, EVRUN_ONCE);
    e->background_leads = false;
    if (engine_work(e))
        *seen = e->calls; /* its own calls */
    engine_wake_a_waiter(e);
}

/* The thread: leads when no caller is active, else sleeps.  If there are patient callers, one of
 * them leads instead. */
static void *background(void *arg)
{
    struct engine *e = arg;
    unsigned seen = 0, helped = 0;
    bool has_led = false;

    lock_enter(&e->lock);
    while (!e->stop) {
        bool active =
                 e->led || !list_empty(&e->waiters) || (e->calls != seen && !e->background.urgent),
             urgent = e->background.urgent;

        e->background.urgent = e->background.noticed = false;
        /* The period of leading is over: its use decides the next tick. */
        if (active && has_led)
            learn_tick(e, helped);
        if (!active && !has_led)
            helped = e->background.helped;
        has_led = !active;
        if (active)
            stand_by(e, &seen);
        else if (!engine_recall_patient(e))
            take_over(e, urgent, &seen);
    }
    lock_leave(&e->lock);
    return NULL;
}

/* The thread starts with all signals blocked and inherits that mask.  The program's own mask is
 * restored at once. */
int engine_start(struct engine *e)
{
    sigset_t all, before;

    sigfillset(&all); /* the program's threads handle the program's signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&e->background.thread, NULL, background, e);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return error_set(HN_ESYS, "no thread can be started");
    e->started = true;
    return HN_OK;
}

/* Wakes the thread from whichever of its three sleeps it is in, and joins it.  No caller may be
 * inside engine_wait() any more. */
void engine_stop(struct engine *e)
{
    if (!e->started)
        return;
    lock_enter(&e->lock);
    e->stop = true;
    engine_changed(e);
    lock_leave(&e->lock);
    sem_post(&e->background.wakeup);
    pthread_join(e->background.thread, NULL);
    e->started = false;
}
