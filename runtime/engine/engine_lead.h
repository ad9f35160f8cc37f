/* engine_lead.h - leading: between engine.c, the callers' side, and engine_background.c. */
#pragma once

#include "engine/engine.h"

struct waiter;

/* With the lock: one iteration of the loop (`how`: libev's); then other waiters that got what
 * they waited for are woken. */
void engine_lead(struct engine *e, struct waiter *self, int how);

/* With the lock: somebody who waits leads on; false: nobody waits. */
bool engine_wake_a_waiter(struct engine *e);

/* Without the lock: waits for the wake-up until the deadline (0: none); false: that has arrived. */
bool engine_sleep(sem_t *wakeup, uint64_t deadline);

/* Whether there is something to be done soon that no caller waits for. */
static inline bool engine_has_leavings(const struct engine *e)
{
    return e->collected > 0 || e->left;
}
