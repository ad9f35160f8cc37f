/* lock.h - the lock of the task context: very cheap for a thread that takes it again and again (a
 * biased lock).
 *
 * Usually one thread makes all calls, and the background thread takes the lock now and then.  So
 * the thread that created the lock is its favourite.  While the lock is `open`, the favourite
 * enters with a store and a load, without an atomic operation.  Every other thread takes the mutex,
 * closes the lock (membarrier(2)) and waits until the favourite is out.  From then on the favourite
 * takes the mutex, too.  When it has done so LOCK_ROW times without another thread in between, it
 * opens the lock again.  Without membarrier, and under ThreadSanitizer, which does not support it,
 * the lock is never open: a plain mutex.
 *
 * Mutual exclusion.  `open` is written with the mutex held: set by the favourite alone, cleared by
 * others.  `inside` is written by the favourite alone.
 *
 *     favourite enters            another thread closes, with the mutex
 *     1  inside = 1               a  open = 0
 *     2  (compiler barrier)       b  membarrier
 *     3  open?                    c  wait until inside = 0
 *
 * Between start and end of b, membarrier() makes every running thread of the process execute a full
 * barrier.  A thread that is not running executes one when it is scheduled.  If the favourite's
 * barrier is before 1, then 3 is after a and reads 0: the favourite gives way and takes the mutex.
 * If it is after 1, c reads inside = 1, or a later 0.  A barrier between 1 and 3 is after 1, and
 * both hold.  So either the favourite gives way or the other thread waits for it.
 *
 * Visibility.  Favourite to other: inside = 0 is a release, c an acquire.  Other to favourite: the
 * favourite enters without the mutex only after it has opened the lock itself, with the mutex, and
 * so after every thread that has closed it.
 *
 * No lost wake-up.  The favourite leaves: inside = 0, compiler barrier, open?  By the same argument
 * it reads 0 and wakes the sleeper, or the sleeper reads inside = 0.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Calls in a row after which the lock opens.  The next other thread has to close it by
 * membarrier(2), which takes microseconds: a small part of the time of so many calls. */
enum { LOCK_ROW = 1000 };

/* `open` and `inside` are separate words, because the proof above needs different writers for
 * them. */
struct lock {
    pthread_mutex_t mutex;
    unsigned number;    /* identifies this lock; unique and constant */
    bool can_open;      /* membarrier is available; constant */
    atomic_uint open;   /* 1: the favourite enters without the mutex */
    atomic_uint inside; /* 1: it has entered this way */
    unsigned row;       /* consecutive uses by the favourite; protected by the mutex */
};

/* Number of the lock whose favourite the calling thread is. */
extern _Thread_local unsigned lock_mine;

/* Initialises the lock with the calling thread as its favourite. */
void lock_init(struct lock *l);
void lock_destroy(struct lock *l);

void lock_enter_slowly(struct lock *l);
/* The favourite leaves or gives way: wakes a thread that waits in lock_enter_slowly(). */
void lock_wake(struct lock *l);

/* Enters as the favourite, without the mutex.  False: it has not entered. */
static inline bool lock_enter_open(struct lock *l)
{
    if (lock_mine != l->number || !atomic_load_explicit(&l->open, memory_order_relaxed))
        return false;
    atomic_store_explicit(&l->inside, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&l->open, memory_order_relaxed))
        return true;
    atomic_store_explicit(&l->inside, 0, memory_order_relaxed);
    lock_wake(l);
    return false;
}

/* Leaves after lock_enter_open(). */
static inline void lock_leave_open(struct lock *l)
{
    atomic_store_explicit(&l->inside, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&l->open, memory_order_relaxed))
        lock_wake(l);
}

/* Not recursive. */
static inline void lock_enter(struct lock *l)
{
    if (!lock_enter_open(l))
        lock_enter_slowly(l);
}

/* `inside` also shows how the favourite has entered: with the mutex it is 0, so the mutex is what
 * must be released. */
static inline void lock_leave(struct lock *l)
{
    if (lock_mine != l->number || !atomic_load_explicit(&l->inside, memory_order_relaxed))
        pthread_mutex_unlock(&l->mutex);
    else
        lock_leave_open(l);
}
