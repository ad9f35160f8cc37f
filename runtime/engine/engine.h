/* engine.h - who drives the task's event loop: leader and follower.
 *
 * One libev loop and one lock a task.  A caller that waits drives the loop itself (it leads), so a
 * message reaches it without a hand-over between threads; further callers that wait meanwhile sleep
 * (they follow).  When no caller is inside the library, a background thread drives the loop, so
 * that messages move while the program computes.
 *
 * The background thread does not take over at once, for a program that calls again and again would
 * then pay a hand-over for each call.  It looks every ENGINE_TICK milliseconds whether calls still
 * come, and takes over when none came for a whole tick; it sleeps without any tick while a caller
 * blocks in the loop.  While calls come, ticks become longer, up to ENGINE_TICK_MOST; so do those
 * of a program that comes back from computing again and again and finds that nothing was done
 * meanwhile for which others may have waited, nor much taken in (`helped`): each hand-over
 * costs two threads a turn on a core, on a busy host a millisecond and more.  One tick of
 * ENGINE_TRIAL is a short one, so that this is noticed when it has changed.
 *
 * What a caller leaves behind, bytes that the network would not take and small messages that were
 * collected to be written together, it writes ENGINE_COLLECT nanoseconds later, unless the caller
 * comes back and does it: so a window of large sends costs no hand-over for each.  Ticks do not
 * become longer while there are activities, or bytes that wait for the network.  So nothing polls,
 * and nothing waits for a program that computes longer than two ticks.
 *
 * While long sends or receives are under way that nobody waits for (`transfers`), it takes over
 * ENGINE_COLLECT nanoseconds after each call, and keeps the lead until the next one: they would
 * stand still for a tick otherwise, which is as long as a megabyte takes on a gigabit.
 *
 * A caller whose message is just about to come would lose more by going to sleep than by looking
 * again.  So it looks for up to ENGINE_SPIN nanoseconds first, as long as that pays: while waits
 * have lately been shorter than that (`typical`, a moving mean), and else in one wait of
 * ENGINE_TRIAL.  While it looks it offers its core to others again and again; when a message came
 * while they had it, its sender is on the same core, and gets it at once, before the first look, in
 * the next ENGINE_OFFERS waits.  Then, and each ENGINE_STAYS times that this goes on so, it sleeps
 * once: who is woken up may find itself on a core that is free, but who only offers stays where it
 * is.
 * When others keep the core for longer than ENGINE_YIELD and nothing has come meanwhile, or for
 * longer than ENGINE_SPIN, it is not free, and some of the next waits (ENGINE_REST or more, twice
 * as many each time that this happens again soon) go to sleep without looking.
 *
 * A program that looks now and then (hn_test(), hn_iprobe()) while the background thread sleeps in
 * the loop leaves it there: what has come wakes that thread.  Getting it out, and back in after the
 * call, costs 30 us and more.  Who looks again before ENGINE_COLLECT nanoseconds have passed gets
 * the lead.
 *
 * Whoever has turned the loop, be it a caller or the background thread, then does the work that
 * what has come makes possible (activity.h): a caller before it waits on and before it leaves.
 */
#ifndef HNOW_ENGINE_H
#define HNOW_ENGINE_H

#include "base/list.h"
#include "engine/lock.h"
#include "engine/waits.h"

#include <ev.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

struct engine {
    struct ev_loop *loop;
    struct lock lock; /* of the whole task context */
    ev_async wake;    /* gets the leader out of its poll */
    bool led;         /* somebody drives the loop */
    bool polling;     /* ... and is inside poll, without the lock */
    bool background_leads;
    struct list_node waiters; /* callers inside engine_wait(), struct waiter */
    struct {                  /* the thread that drives the loop when nobody else does */
        pthread_t thread;
        sem_t wakeup;    /* wakes the background thread, which sleeps without the lock */
        bool asleep;     /* it sleeps without a tick */
        bool urgent;     /* it shall take over at once */
        bool noticed;    /* it knows of what callers have left */
        unsigned tick;   /* ms without a call until the background thread takes over */
        unsigned ticks;  /* so many have passed; the background thread's own */
        unsigned helped; /* how often something has been done that others may have waited for */
    } background;
    unsigned collected; /* connections with messages that were collected */
    bool left;          /* callers have left bytes that the network would not take, or have begun a
                           transfer */
    uint64_t glanced;   /* when engine_glance() was called last */
    unsigned under_way; /* activities, and connections that take no bytes at the moment: they
                           go on without a caller */
    atomic_uint transfers; /* long ones that have been begun and not been waited for */
    bool stop, started;
    atomic_uint calls;     /* calls into the library so far; the background thread looks at it
                              without the lock, which a busy program hardly ever leaves free */
    struct {               /* whether looking again pays */
        unsigned waits;    /* those that had to wait, since the last one that looked */
        unsigned tired;    /* waits that go to sleep at once, because the core is not free */
        unsigned rest;     /* how many it was the last time */
        unsigned together; /* so often in a row the sender was found on the same core */
        int offers;        /* so many more waits offer the core at once: messages came from it */
        uint64_t typical;  /* ns that a wait takes, lately, or that pass between two moves in it */
    } spin;

    struct {
        /* What callers do besides, while they wait and before they leave; NULL: nothing. Has the
         * lock, and may step out in between. True: something was done, perhaps what was waited for.
         */
        bool (*serve)(void *arg);
        void *serve_arg;
        /* What everybody does besides, the background thread, too; NULL: nothing. As serve(); calls
         * from inside it serve nothing and do no further work. */
        bool (*work)(void *arg);
        void *work_arg;
    } hooks;

    /* Called before each turn of the loop, for what no descriptor tells of: true when something has
     * moved, so that the loop must not block. */
    bool (*turn)(void *arg, bool before_sleep);
    void *turn_arg;
    bool moved;     /* what it said last */
    uint64_t moves; /* how often it said so */
};

enum {
    ENGINE_TICK = 2 /* ms */,
    ENGINE_TICK_MOST = 16 /* ms */,
    ENGINE_COLLECT = 100000 /* ns */,
    ENGINE_SPIN = 100000 /* ns */,
    ENGINE_SPIN_MOST = 5000000 /* ns, while something moves */,
    ENGINE_ALONE = 3000 /* ns of it before the core is offered to others */,
    ENGINE_YIELD = 20000 /* ns */,
    ENGINE_OFFERS = 64,
    ENGINE_STAYS = 4,
    ENGINE_TRIAL = 64,
    ENGINE_REST = 8,
    ENGINE_REST_MOST = 4096
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

/* Every public function stands between these two.  `work_left`: there are bytes to move that nobody
 * waits for. */
void engine_enter(struct engine *e);
void engine_leave(struct engine *e, bool work_left);

/* Inside enter/leave: does what there is to work on, and tells those who wait for it.  True: there
 * was something. */
bool engine_work(struct engine *e);

/* Whether the calling thread's calls leave work() and serve() to others; returns what held before.
 * For calls that are made with locks held which work() and serve() take. */
bool engine_hold_work(bool hold);

/* Inside serve() and work(): gives up the lock for a while; engine_enter() takes it again. */
void engine_step_out(struct engine *e);

/* Inside enter/leave: drives the loop, or sleeps while somebody else does, until done(arg) or until
 * `deadline` (CLOCK_MONOTONIC nanoseconds; 0: none). HN_OK or HN_ETIMEOUT. */
int engine_wait(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline);
/* The same for what may be just about to come: calls look(arg), which takes in what has come,
 * until done(arg) or as long as it pays, before it waits.  While look() says that something moves,
 * and moves without the kernel's help, it goes on looking. */
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

/* Inside enter/leave: takes what has come by now, without waiting.  True: turn() has moved
 * something. */
bool engine_look(struct engine *e);

/* The same, of a caller that will not wait; it leaves the background thread where it is, unless it
 * comes often.  What has come in this moment may then be seen by the next call only. */
void engine_glance(struct engine *e);

/* Calls f for every thread that waits now: what for, and since when. */
void engine_each_wait(struct engine *e,
                      void (*f)(void *user, const struct wait_reason *reason, uint64_t since),
                      void *user);

/* Inside enter/leave: bytes wait until a descriptor takes them (on), or do so no more; `writable`
 * watches for that. */
void engine_await_room(struct engine *e, ev_io *writable, bool on);

/* A watcher has changed: the leader must look again if it is polling. */
void engine_changed(struct engine *e);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t engine_now(void);

#endif
