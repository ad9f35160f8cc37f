/* engine.h - who drives the task's event loop: leader and followers.
 *
 * A task has one libev loop and one lock.  A caller that waits drives the loop itself: it is the
 * leader.  So a message reaches it without a hand-over between threads.  Other callers that wait
 * meanwhile sleep: they are followers.  When no caller is inside the library, a background thread
 * drives the loop, so that messages move while the program computes.
 *
 * Hand-over to the background thread.  A hand-over costs two threads a turn on a core, a
 * millisecond and more on a busy host.  So the background thread checks every ENGINE_TICK
 * milliseconds whether calls were made, and takes over when none was made for a whole tick.  It
 * sleeps without a tick while a caller blocks in the loop.  Ticks double, up to ENGINE_TICK_MOST:
 *
 *      while calls are made
 *      when a program returns from computing, and the background thread had nothing to do that
 *      others waited for, nor much to receive (`helped`)
 *
 * One tick of ENGINE_TRIAL is a short one, so that a change is noticed.  Ticks do not double while
 * there are activities, or bytes that wait for the network.
 *
 * Work that callers leave behind.  Bytes that the network did not take, and small messages that are
 * collected to be written together, are written ENGINE_COLLECT nanoseconds later, unless the next
 * call does it.  So a window of large sends does not cost a hand-over for each of them.  While long
 * transfers are in progress that no caller waits for (`transfers`), the background thread takes
 * over ENGINE_COLLECT nanoseconds after each call and leads until the next one.
 * Otherwise they would stop for a tick, which is as long as a megabyte takes on a gigabit network.
 *
 * Spinning.  A caller whose message is about to arrive loses more by sleeping than by looking
 * again.  So it spins for up to ENGINE_SPIN nanoseconds first, as long as that pays: while recent
 * waits were shorter than that (`typical`, a moving mean), and else in one wait of ENGINE_TRIAL.
 *
 * Sharing a core with the sender.  While it spins, the caller offers its core to others by
 * sched_yield(2).  If a message arrived while they had the core, its sender runs on the same core.
 * In the next ENGINE_OFFERS waits the caller offers the core before it looks at all.  When this
 * begins, and every ENGINE_STAYS times that it continues, the caller sleeps once: the kernel may
 * wake it on a free core, but a thread that only yields stays where it is.  Without this a latency
 * of 2.2 us is 5.0 us (`hbench p2p -bytes 8`, two tasks on a busy machine of two cores).
 *
 * Polling programs.  A program that looks now and then (hn_test(), hn_iprobe()) while the
 * background thread sleeps in the loop does not take the lead: what arrives wakes that thread.  To
 * get the thread out and back in costs 30 us and more.  A program that looks again within
 * ENGINE_COLLECT nanoseconds gets the lead.
 *
 * Patient callers.  A thread that waits for requests of other tasks may do so during the whole job,
 * for example the thread that serves MPI's windows.  If it led all the time, each message for
 * another thread would cost a hand-over, and no caller would spin.  So a caller that leads, and has
 * waited for ENGINE_PATIENT ns when another one has to wait, follows from then on.  It leads again
 * when the background thread would take over; after a call that has received a request, that is
 * ENGINE_COLLECT ns later, as more may follow.  With this, messages between two hosts take 21 us in
 * place of 130 while a window exists.
 *
 * After every iteration of the loop, the thread that drove it does the work that the new messages
 * make possible (activity.h).  A caller does so before it waits again and before it returns.
 */
#pragma once

#include "base/list.h"
#include "engine/lock.h"
#include "engine/waits.h"

#include <ev.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

/* One for each task, inside the task context.  `lock` protects everything, except the atomic
 * counters, the semaphore, and fields whose comments say otherwise.  `led` and `polling` describe
 * the loop: led and not polling means that a thread executes callbacks with the lock. */
struct engine {
    struct ev_loop *loop;
    struct lock lock; /* of the whole task context */
    ev_async wake;    /* makes the leader return from its poll */
    bool led;         /* a thread drives the loop */
    bool polling;     /* that thread is inside poll, without the lock */
    bool background_leads;
    struct waiter *leader;    /* the caller that drives it; NULL: another thread, or none */
    struct list_node waiters; /* callers inside engine_wait(): struct waiter */
    struct list_node patient; /* those of them that leave the lead to others */
    struct {                  /* the thread that drives the loop when no caller does */
        pthread_t thread;
        sem_t wakeup;    /* ends its sleep, which is without the lock */
        bool asleep;     /* it sleeps without a tick */
        bool urgent;     /* it shall take over at once */
        bool noticed;    /* it has seen the work that callers have left */
        unsigned tick;   /* ms without a call until it takes over */
        unsigned ticks;  /* ticks so far; only the background thread uses it */
        unsigned helped; /* how often it did something that others may have waited for */
    } background;
    unsigned collected;    /* connections that hold small messages back */
    bool left;             /* callers have left bytes to write, or a transfer that has begun; or a
                              patient caller was woken, whose next request may follow */
    uint64_t glanced;      /* time of the last engine_glance() */
    unsigned under_way;    /* activities, and connections that take no bytes now: both continue
                              without a caller */
    atomic_uint transfers; /* long ones that have begun and that nobody waits for */
    bool stop, started;
    atomic_uint calls;     /* calls into the library so far.  The background thread reads it
                              without the lock, which a busy program hardly ever releases */
    struct {               /* whether spinning pays */
        unsigned waits;    /* waits since the last one that spun */
        bool sleeps;       /* the next wait does not spin, so that the kernel may move the thread */
        unsigned together; /* how often in a row the sender was on the same core */
        int offers;        /* waits to come that offer the core first */
        uint64_t typical;  /* ns that recent waits took, or that passed between two moves in one */
    } spin;

    struct {
        /* Work of callers, before they wait and before they return; NULL: none.  Called with the
         * lock, which it may release meanwhile.  True: something was done, perhaps what the caller
         * waits for. */
        bool (*serve)(void *arg);
        void *serve_arg;
        /* Work of callers and the background thread; NULL: none.  As serve().  Calls from inside it
         * neither serve nor work. */
        bool (*work)(void *arg);
        void *work_arg;
    } hooks;

    /* Called before each iteration of the loop, for input that no descriptor reports.  True: bytes
     * have moved, so the loop must not block. */
    bool (*turn)(void *arg, bool before_sleep);
    void *turn_arg;
    bool moved;     /* the last result of turn() */
    uint64_t moves; /* how often it was true */
};

/* Times and counts of the rules above. */
enum {
    ENGINE_TICK = 2 /* ms */,
    ENGINE_TICK_MOST = 16 /* ms: nothing waits longer than two ticks for the background thread */,
    ENGINE_COLLECT = 100000 /* ns: with it, rates of 64 B messages were 3 to 6 times a socket's */,
    ENGINE_PATIENT = 1000000 /* ns: ten times the longest that a caller spins */,
    ENGINE_SPIN = 100000 /* ns */,
    ENGINE_SPIN_MOST = 5000000 /* ns, while something moves */,
    ENGINE_ALONE = 3000 /* ns of it before the core is offered to others */,
    ENGINE_OFFERS = 64 /* waits */,
    ENGINE_STAYS = 4 /* times ENGINE_OFFERS waits */,
    ENGINE_TRIAL = 64 /* waits, ticks: 1.6 % of them try what did not pay */
};

int engine_init(struct engine *e);
/* Inside enter/leave: how many calls are inside engine_wait(). */
int engine_waiting(const struct engine *e);
/* Starts the background thread. */
int engine_start(struct engine *e);
/* Ends the background thread; nothing moves any more. */
void engine_stop(struct engine *e);
/* Frees the loop; all watchers must be stopped. */
void engine_destroy(struct engine *e);

/* Every public function begins and ends with these two.  `work_left`: there are bytes to move that
 * nobody waits for. */
void engine_enter(struct engine *e);
void engine_leave(struct engine *e, bool work_left);

/* Inside enter/leave: does the work there is, and wakes the callers that wait for it.  True: there
 * was some. */
bool engine_work(struct engine *e);

/* Whether the calling thread's calls leave work() and serve() to others; returns what held before.
 * For calls that are made with locks held which work() and serve() take. */
bool engine_hold_work(bool hold);

/* Inside serve() and work(): releases the lock for a while; engine_enter() takes it again. */
void engine_step_out(struct engine *e);

/* Inside enter/leave: drives the loop, or sleeps while somebody else does, until done(arg) or until
 * `deadline` (CLOCK_MONOTONIC nanoseconds; 0: none). HN_OK or HN_ETIMEOUT. */
int engine_wait(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline);
/* The same for what may be about to arrive: spins on look(arg), which receives what has arrived,
 * until done(arg) or as long as it pays, before it waits.  While look() returns that something
 * moves without the kernel's help, it continues. */
int engine_wait_soon(struct engine *e, bool (*done)(void *), bool (*look)(void *), void *arg,
                     uint64_t deadline);

/* Inside enter/leave: leads, but watches one descriptor only: calls look(arg), as
 * engine_wait_soon(), until done(arg) or as long as it pays (look is NULL: not at all), then sleeps
 * until poll(2) reports one of the events or ns nanoseconds have passed.  False: another caller
 * leads. */
bool engine_attend(struct engine *e, int fd, short events, uint64_t ns, bool (*done)(void *),
                   bool (*look)(void *), void *arg);

/* The same without a descriptor: only offers the core to others once. */
bool engine_yield(struct engine *e, uint64_t ns);

/* Inside enter/leave: receives what has arrived, without waiting.  True: turn() has moved
 * something. */
bool engine_look(struct engine *e);

/* The same, of a caller that will not wait.  It leaves the background thread in the lead, unless it
 * is called often.  What arrives at this moment may then be seen by the next call only. */
void engine_glance(struct engine *e);

/* Calls f for every thread that waits now: what for, and since when. */
void engine_each_wait(struct engine *e,
                      void (*f)(void *user, const struct wait_reason *reason, uint64_t since),
                      void *user);

/* Inside enter/leave: bytes wait (on), or no longer wait, until a descriptor takes them; `writable`
 * watches it. */
void engine_await_room(struct engine *e, ev_io *writable, bool on);

/* A watcher has changed: the leader must look again if it is polling. */
void engine_changed(struct engine *e);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t engine_now(void);
