/* engine_lead.h - driving the loop: shared by the files engine*.c.  All with the lock, but
 * engine_sleep(). */
#pragma once

#include "engine/engine.h"

struct waiter;

/* Runs one iteration of the loop (`how`: libev's flags).  Before and after it, wakes other waiters
 * whose condition holds. */
void engine_lead(struct engine *e, struct waiter *self, int how);

/* A waiter takes over the loop.  False: there is none. */
bool engine_wake_a_waiter(struct engine *e);
/* Patient callers are patient no longer, and one of them takes over the loop.  False: none. */
bool engine_recall_patient(struct engine *e);
/* Wakes all waiters but `self` whose condition holds; or the patient ones only. */
void engine_wake_the_done(struct engine *e, const struct waiter *self);
void engine_wake_patient(struct engine *e);
/* Takes the lead from the background thread, if that has it. */
void engine_relieve_background(struct engine *e, uint64_t deadline);

/* As engine_wait().  *patient: whether the caller left the lead to others meanwhile. */
int engine_wait_until(struct engine *e, bool (*done)(void *), void *arg, uint64_t deadline,
                      bool *patient);
/* Runs the program's handlers and activities, in a caller.  True: something was done. */
bool engine_serve_first(struct engine *e);

/* Waits for the wake-up until the deadline (0: none).  False: the wake-up arrived. */
bool engine_sleep(sem_t *wakeup, uint64_t deadline);

/* Whether work is pending that no caller waits for. */
static inline bool engine_has_leavings(const struct engine *e)
{
    return e->collected > 0 || e->left;
}
