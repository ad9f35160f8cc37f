/* doorbell.h - wakes another process that shares memory with this one, only if it sleeps.
 *
 * A side that is about to sleep sets a flag (doorbell_ask), checks once more for work, and sleeps.
 * The other side does some work and then checks whether it must ring.  Neither may read the other's
 * old state, so each needs a fence between its store and its check.  For a side that is always
 * active, that fence is the most expensive part of a small message: it waits until the other core
 * has given up a cache line.
 *
 * So a side that did not have to ring DOORBELL_QUIET times omits the fence (`plain`, after one more
 * fence).  A sleeper that reads `plain` calls membarrier(2) before its check, which completes the
 * stores of all running threads of such processes.  That takes some microseconds for each sleep.  A
 * side that had to ring uses fences again.  On systems without membarrier both sides always use
 * fences.
 *
 * Why this is correct: `plain` is set before a fence, after which the ringer reads the flag of a
 * sleeper that has not read `plain`.  `plain` is cleared by a release after all stores that were
 * made without a fence.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Messages without a ring after which membarrier(2), once for each sleep, replaces the fences. */
enum { DOORBELL_QUIET = 16 };

/* In the shared memory, initially zero. */
struct doorbell {
    _Alignas(64) _Atomic uint32_t sleeps; /* set by the sleeper, cleared by the ringer */
    _Atomic uint32_t barriers;            /* the sleeper can call membarrier(2) */
    _Atomic uint32_t plain;               /* the ringer relies on that and omits fences */
};

/* The ringer's private state, initially zero. */
struct ringer {
    unsigned quiet; /* consecutive messages without a ring */
};

/* Registers this process for membarrier(2), once, before doorbell_start() and doorbell_needed().
 * False: not supported. */
bool doorbell_join(void);

/* The sleeper, initially: publishes whether it has registered. */
void doorbell_start(struct doorbell *bell, bool joined);
/* The sleeper: requests to be woken from now on, or withdraws the request. */
void doorbell_ask(struct doorbell *bell);
void doorbell_decline(struct doorbell *bell);
/* The sleeper, after doorbell_ask() for all its doorbells: whether one of them is plain.  Then it
 * must call doorbell_barrier() before it checks for work.  The first call executes a fence. */
bool doorbell_is_plain(const struct doorbell *bell);
void doorbell_barrier(void);

/* The slow path of doorbell_needed(): the sleeper may sleep, or a fence is necessary to know
 * that. */
bool doorbell_look(struct doorbell *bell, struct ringer *ringer, bool joined);
/* The ringer, after its work: whether the sleeper must be woken.  True once for each request. */
static inline bool doorbell_needed(struct doorbell *bell, struct ringer *ringer, bool joined)
{
    if (ringer->quiet > DOORBELL_QUIET) {
        atomic_signal_fence(memory_order_seq_cst); /* keeps the compiler from reordering */
        if (!atomic_load_explicit(&bell->sleeps, memory_order_relaxed))
            return false;
    }
    return doorbell_look(bell, ringer, joined);
}
