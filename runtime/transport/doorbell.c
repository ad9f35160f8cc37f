/* doorbell.c - flags, fences, and membarrier(2), for which the C library has no function (rules:
 * doorbell.h). */
#include "transport/doorbell.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

/* False: the kernel does not have the call, or forbids it; then every message executes a fence. */
bool doorbell_join(void)
{
    long known = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

    return known > 0 && (known & MEMBARRIER_CMD_GLOBAL_EXPEDITED) &&
           syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

/* ---- the sleeper -------------------------------------------------------------------------- */

void doorbell_start(struct doorbell *b, bool joined)
{
    atomic_store(&b->barriers, joined);
}

/* The sleeper must look at the memory once more after this, since a message may have arrived
 * before. */
void doorbell_ask(struct doorbell *b)
{
    atomic_store_explicit(&b->sleeps, 1, memory_order_relaxed);
}

void doorbell_decline(struct doorbell *b)
{
    atomic_store_explicit(&b->sleeps, 0, memory_order_relaxed);
}

/* Whether the writer omits its fences; then the sleeper must execute a barrier for both. */
bool doorbell_is_plain(const struct doorbell *b)
{
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(&b->plain, memory_order_acquire);
}

void doorbell_barrier(void)
{
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

/* ---- the ringer --------------------------------------------------------------------------- */

/* Counts a message without a ring, and decides whether to omit fences from now on.  If the sleeper
 * cannot call membarrier(2), counting starts again, so that the fence stays. */
static void note_quiet(struct doorbell *b, struct ringer *r, bool joined)
{
    if (++r->quiet != DOORBELL_QUIET)
        return;
    if (joined && atomic_load_explicit(&b->barriers, memory_order_relaxed))
        /* the next fence is after this store */
        atomic_store_explicit(&b->plain, 1, memory_order_relaxed);
    else
        r->quiet = 0;
}

/* While `quiet` counts up to DOORBELL_QUIET, each message executes a fence here.  The message that
 * sets `plain` executes one, too, and the next one increases `quiet` beyond the limit.  From then
 * on only a set flag leads here, and needs no fence. */
bool doorbell_look(struct doorbell *b, struct ringer *r, bool joined)
{
    if (r->quiet <= DOORBELL_QUIET) {
        note_quiet(b, r, joined);
        atomic_thread_fence(memory_order_seq_cst);
    }
    if (!atomic_load_explicit(&b->sleeps, memory_order_relaxed))
        return false;
    /* The sleeper may have withdrawn its request meanwhile.  The exchange also makes sure that one
     * request rings once. */
    if (atomic_exchange(&b->sleeps, 0) == 0)
        return false;
    r->quiet = 0;
    atomic_store_explicit(&b->plain, 0, memory_order_release);
    return true;
}
