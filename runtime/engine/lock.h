/* lock.h - the lock of the task context: nearly free for the thread that takes it again and again.
 *
 * Mostly one thread makes all calls, and the background thread looks in once in a while.  So one
 * thread, the one that has made the lock, is its favourite: while the lock is `open`, it enters
 * with a store and a load, without an atomic operation.  Everybody else takes the mutex, closes the
 * lock (membarrier(2)) and waits until the favourite is out; from then on the favourite takes the
 * mutex, too, until it has done so LOCK_ROW times without another thread in between, which opens
 * the lock again.  Where membarrier is missing, and under ThreadSanitizer, which does not know it,
 * the lock is never open: a plain mutex.
 *
 * Why nobody is inside together with another thread.  `open` is written with the mutex held:
 * set by the favourite alone, cleared by others.  `inside` is written by the favourite alone.
 *
 *     favourite enters            another one closes, with the mutex
 *     1  inside = 1               a  open = 0
 *     2  (compiler barrier)       b  membarrier
 *     3  open?                    c  wait until inside = 0
 *
 * membarrier() makes every running thread of the process pass a full barrier between b's begin and
 * its end; one that does not run passes one when it is scheduled.  If the favourite's barrier comes
 * before 1, then 3 comes behind a and sees 0: it gives way and takes the mutex.  If it comes behind
 * 1, c sees inside = 1, or a later 0.  Between 1 and 3 it is behind 1, and both hold.  So either
 * the favourite gives way or the other one waits for it.
 *
 * Why what one writes is seen by the next.  Favourite -> other: inside = 0 is a release, c an
 * acquire.  Other -> favourite: the favourite enters without the mutex only when it has opened the
 * lock itself, with the mutex, that is behind all who have closed it.
 *
 * Why nobody sleeps for ever.  The favourite leaves: inside = 0, compiler barrier, open?  By the
 * same argument it sees 0 and wakes the sleeper, or the sleeper sees inside = 0.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Calls in a row that open the lock.  The next other thread has to close it by membarrier(2), which
 * takes microseconds: a small part of what so many calls have taken. */
enum { LOCK_ROW = 1000 };

struct lock {
    pthread_mutex_t mutex;
    unsigned number;    /* of this lock, never used twice; constant */
    bool can_open;      /* membarrier is there; constant */
    atomic_uint open;   /* 1: the favourite enters without the mutex */
    atomic_uint inside; /* 1: it has */
    unsigned row;       /* with the mutex: so often in a row it was the favourite's */
};

/* The lock whose favourite the calling thread is. */
extern _Thread_local unsigned lock_mine;

/* The calling thread is its favourite. */
void lock_init(struct lock *l);
void lock_destroy(struct lock *l);

void lock_enter_slowly(struct lock *l);
/* The favourite leaves, or gives way. */
void lock_wake(struct lock *l);

/* Not recursive. */
static inline void lock_enter(struct lock *l)
{
    if (lock_mine == l->number && atomic_load_explicit(&l->open, memory_order_relaxed)) {
        atomic_store_explicit(&l->inside, 1, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst);
        if (atomic_load_explicit(&l->open, memory_order_relaxed))
            return;
        atomic_store_explicit(&l->inside, 0, memory_order_relaxed);
        lock_wake(l);
    }
    lock_enter_slowly(l);
}

static inline void lock_leave(struct lock *l)
{
    if (lock_mine != l->number || !atomic_load_explicit(&l->inside, memory_order_relaxed)) {
        pthread_mutex_unlock(&l->mutex);
        return;
    }
    atomic_store_explicit(&l->inside, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&l->open, memory_order_relaxed))
        lock_wake(l);
}
