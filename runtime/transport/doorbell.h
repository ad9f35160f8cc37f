/* doorbell.h - waking another process that shares memory with this one, only when it sleeps.
 *
 * A side that is about to sleep sets a flag (doorbell_ask), checks once more whether there is
 * something to do, and sleeps.  The other side, after it has done something, checks whether it has
 * to ring.  Neither may see the other's old state, so each needs a fence between its store and its
 * check.  For a side that is always active, that fence is the most expensive part of a small
 * message: it waits until the other core has given up a cache line.
 *
 * So a side that did not have to ring DOORBELL_QUIET times omits the fence (`plain`, after one more
 * fence).  A sleeper that sees `plain` makes all running threads of such processes complete their
 * stores before it checks: membarrier(2), some microseconds a sleep.  A side that had to ring uses
 * fences again.  On systems without membarrier both sides always do.
 *
 * Why this is correct: `plain` is set before a fence, behind which the ringer sees the flag of a
 * sleeper that has not seen `plain`.  `plain` is cleared by a release behind all stores that were
 * made without a fence.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Messages: so often a fence was in vain before membarrier(2), once a sleep, takes its place. */
enum { DOORBELL_QUIET = 16 };

/* In the shared memory; all zero at first. */
struct doorbell {
    _Alignas(64) _Atomic uint32_t sleeps; /* set by the sleeper, cleared by the ringer */
    _Atomic uint32_t barriers;            /* the sleeper can make others complete their stores */
    _Atomic uint32_t plain;               /* the ringer relies on that */
};

/* The ringer's own state; all zero at first. */
struct ringer {
    unsigned quiet; /* how often in a row it has not had to ring */
};

/* Whether this process can take part; called once, before doorbell_start() and doorbell_needed().
 */
bool doorbell_join(void);

/* The sleeper, at first: whether it has joined. */
void doorbell_start(struct doorbell *bell, bool joined);
/* The sleeper: wants to be woken from now on, or not any more. */
void doorbell_ask(struct doorbell *bell);
void doorbell_decline(struct doorbell *bell);
/* The sleeper, when it has asked for its bells: whether one of them is plain; then
 * doorbell_barrier() before it looks.  The first call begins with a fence of its own. */
bool doorbell_is_plain(const struct doorbell *bell);
void doorbell_barrier(void);

/* doorbell_needed() where the sleeper may sleep, or that cannot be known without a fence. */
bool doorbell_look(struct doorbell *bell, struct ringer *ringer, bool joined);
/* The ringer, when it has done something: true when the sleeper is to be woken, which is said
 * once for each time that it asks. */
static inline bool doorbell_needed(struct doorbell *bell, struct ringer *ringer, bool joined)
{
    if (ringer->quiet > DOORBELL_QUIET) {
        atomic_signal_fence(memory_order_seq_cst); /* the compiler keeps the order, too */
        if (!atomic_load_explicit(&bell->sleeps, memory_order_relaxed))
            return false;
    }
    return doorbell_look(bell, ringer, joined);
}
