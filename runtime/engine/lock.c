/* lock.c - the lock of the task context (method and proof: lock.h). */
#include "engine/lock.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local unsigned lock_mine;
static atomic_uint made; /* number of locks created */

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define LOCK_PLAIN 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define LOCK_PLAIN 1
#endif
#ifndef LOCK_PLAIN
#define LOCK_PLAIN 0
#endif

static int barrier(int command)
{
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

/* Numbers start at 1, so lock_mine, which is 0 initially, names no lock.  A thread is the favourite
 * of the last lock that it has created. */
void lock_init(struct lock *l)
{
    pthread_mutex_init(&l->mutex, NULL);
    atomic_init(&l->open, 0);
    atomic_init(&l->inside, 0);
    l->row = 0;
    l->number = atomic_fetch_add(&made, 1) + 1;
    l->can_open = !LOCK_PLAIN && barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
    lock_mine = l->number;
}

void lock_destroy(struct lock *l)
{
    pthread_mutex_destroy(&l->mutex);
}

/* Closes the lock, with the mutex held: waits while the favourite is inside without it. */
static void close_it(struct lock *l)
{
    atomic_store_explicit(&l->open, 0, memory_order_relaxed);
    barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    while (atomic_load_explicit(&l->inside, memory_order_acquire))
        syscall(SYS_futex, &l->inside, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
}

/* Another thread resets the count, so the lock stays closed while two threads alternate.  Otherwise
 * each of its turns would cost a membarrier(2). */
void lock_enter_slowly(struct lock *l)
{
    pthread_mutex_lock(&l->mutex);
    if (lock_mine != l->number) {
        l->row = 0;
        if (atomic_load_explicit(&l->open, memory_order_relaxed))
            close_it(l);
    } else if (++l->row >= LOCK_ROW && l->can_open) {
        atomic_store_explicit(&l->open, 1, memory_order_relaxed);
    }
}

/* Called by the favourite when it leaves and another thread waits in close_it(). */
void lock_wake(struct lock *l)
{
    syscall(SYS_futex, &l->inside, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
