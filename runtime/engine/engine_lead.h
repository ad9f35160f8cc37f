/* engine_lead.h - driving the loop: shared by engine.c (callers) and engine_background.c. */
#pragma once

#include "engine/engine.h"

struct waiter;

/* With the lock: runs one iteration of the loop (`how`: libev's flags), then wakes other waiters
 * whose condition holds. */
void engine_lead(struct engine *e, struct waiter *self, int how);

/* With the lock: a waiter takes over the loop.  False: nobody waits. */
bool engine_wake_a_waiter(struct engine *e);

/* Without the lock: waits for the wake-up until the deadline (0: none).  False: the wake-up
 * arrived. */
bool engine_sleep(sem_t *wakeup, uint64_t deadline);

/* Whether work is pending that no caller waits for. */
static inline bool engine_has_leavings(const struct engine *e)
{
    return e->collected > 0 || e->left;
}
