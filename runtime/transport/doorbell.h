/* doorbell.h - waking another process that shares memory with this one, only when it sleeps.
 *
 * A side that goes to sleep says so (doorbell_ask), looks once more whether there is something to
 * do, and sleeps; the other side, when it has done something, looks whether it has to ring. Neither
 * may see the other's old state: between its store and its look each needs a fence.  For who acts
 * all the time that fence is the most expensive thing about a small message, for it waits until
 * the other core has given up a line of the cache.
 *
 * So who has not had to ring for DOORBELL_QUIET times does without (`plain`, after one fence more),
 * and the sleeper, when it sees that, makes all running threads of such processes complete their
 * stores before it looks: membarrier(2), some microseconds, once a sleep.  Who had to ring fences
 * again. Where the system does not have membarrier, both always fence.
 *
 * The order that makes it right: `plain` is set before a fence, behind which the ringer sees the
 * flag of a sleeper that has not seen `plain`; it is taken back by a release that is behind all
 * stores that were made without a fence.
 */
#ifndef HNOW_DOORBELL_H
#define HNOW_DOORBELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { DOORBELL_QUIET = 16 };

/* What both sides see; all zero at first. */
struct doorbell {
    _Alignas(64) _Atomic uint32_t sleeps; /* set by the sleeper, taken back by the ringer */
    _Atomic uint32_t barriers;            /* the sleeper can make others complete their stores */
    _Atomic uint32_t plain;               /* the ringer relies on that */
};

/* The ringer's own side of it; all zero at first. */
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

#endif
