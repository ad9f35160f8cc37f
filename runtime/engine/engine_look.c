/* engine_look.c - looking for what has arrived, without waiting or before it (engine.h: spinning,
 * polling programs). */
#include "engine/engine_lead.h"

#include <poll.h>
#include <sched.h>
#include <time.h>

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

/* For programs that poll: others get the core, and a waiting thread may become the leader. */
bool engine_yield(struct engine *e, uint64_t ns)
{
    engine_relieve_background(e, engine_now() + ns);
    if (e->led)
        return false;
    offer_core(e);
    engine_wake_a_waiter(e);
    return true;
}

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
    /* The limit of ENGINE_SPIN restarts whenever bytes have moved, up to ENGINE_SPIN_MOST in all.
     * A second waiter ends the spinning, since its own descriptors must be watched, too. */
    while (!e->led && passed < ENGINE_SPIN && *start < end && list_empty(&e->waiters)) {
        bool moved = look(arg); /* look() may release the lock: then another thread may lead now */

        if (done(arg)) {
            learn_place(e, kept);
            return true;
        }
        kept = !e->led && (e->spin.offers > 0 || passed > ENGINE_ALONE) ? offer_core(e) : 0;
        passed = engine_now() - *start;
        /* A message is arriving in parts, so the next part is near. */
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

/* There is no spinning before engine_start().  Waits of patient callers do not count in the mean:
 * they last as long as the job. */
int engine_wait_soon(struct engine *e, bool (*done)(void *), bool (*look)(void *), void *arg,
                     uint64_t deadline)
{
    uint64_t start, moves = e->moves;
    int result = HN_OK;
    bool patient = false;

    if (done(arg))
        return HN_OK;
    start = engine_now();
    if (!e->started || e->led || !looking_pays(e) || !spin(e, done, look, arg, &start))
        result = engine_wait_until(e, done, arg, deadline, &patient);
    /* The spinning succeeded, but a thread that began to wait meanwhile needs a leader. */
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

/* Other descriptors are ignored meanwhile, so the caller must not stay here for long.  A thread
 * that begins to wait follows until this call returns. */
bool engine_attend(struct engine *e, int fd, short events, uint64_t ns, bool (*done)(void *),
                   bool (*look)(void *), void *arg)
{
    uint64_t start = engine_now(), begun = start;

    engine_relieve_background(e, start + ns);
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
    engine_relieve_background(e, engine_now() + ENGINE_SPIN);
    if (e->led)
        return false;
    /* One iteration without blocking: descriptors that are ready, and shared memory. */
    engine_lead(e, NULL, EVRUN_NOWAIT);
    engine_wake_a_waiter(e); /* a thread that began to wait during the poll has become a follower */
    return e->moved;
}

/* `polling` means that the background thread sleeps in poll(2), and the kernel wakes it for what
 * arrives.  In all other cases this call looks itself. */
void engine_glance(struct engine *e)
{
    uint64_t now = engine_now();
    bool seldom = now - e->glanced > ENGINE_COLLECT;

    e->glanced = now;
    if (!seldom || !e->background_leads || !e->polling)
        engine_look(e);
}
