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
 * blocks in the loop.  A caller that leaves work behind (bytes that the network would not take)
 * wakes it immediately.  So nothing polls, and nothing waits for the program longer than a tick.
 *
 * A caller whose message is just about to come would lose more by going to sleep than by looking
 * again.  So it looks for ENGINE_SPIN nanoseconds first, as long as that pays: every success earns
 * a little credit, every failure costs more, and without credit only one wait in ENGINE_TRIAL tries
 * again.  Where tasks share a core, looking fails, and they soon go to sleep at once.
 */
#ifndef HNOW_ENGINE_H
#define HNOW_ENGINE_H

#include "list.h"

#include <ev.h>
#include <pthread.h>
#include <stdint.h>

struct engine {
    struct ev_loop *loop;
    pthread_mutex_t lock; /* of the whole task context */
    ev_async wake;        /* gets the leader out of its poll */
    bool led;             /* somebody drives the loop */
    bool polling;         /* ... and is inside poll, without the lock */
    bool background_leads;
    struct list_node waiters; /* callers inside engine_wait(), struct waiter */
    pthread_t thread;
    pthread_cond_t background; /* wakes the background thread */
    bool asleep;               /* it sleeps without a tick */
    bool urgent;               /* it shall take over at once */
    bool stop, started;
    unsigned calls; /* calls into the library so far */
    unsigned waits; /* those that had to wait */
    int credit;     /* how much looking first has paid lately */
};

enum {
    ENGINE_TICK = 2 /* ms */,
    ENGINE_SPIN = 20000 /* ns */,
    ENGINE_TRIAL = 64,
    ENGINE_CREDIT = 16
};

int engine_init(struct engine *e);
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

/* Inside enter/leave: drives the loop, or sleeps while somebody else does, until done(arg) or until
 * `deadline` (CLOCK_MONOTONIC nanoseconds; 0: none). HN_OK or HN_ETIMEOUT. */
int engine_wait(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline);
/* Before waiting: calls look(arg), which takes in what may have come, until done(arg) or as long as
 * it pays. */
void engine_spin(struct engine *e, bool (*done)(void *), void (*look)(void *), void *arg);

/* Inside enter/leave: takes what has come by now, without waiting. */
void engine_look(struct engine *e);

/* A watcher has changed: the leader must look again if it is polling. */
void engine_changed(struct engine *e);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t engine_now(void);

#endif
