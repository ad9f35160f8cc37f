/* single.h - the time of single operations, started at an agreed moment of the common clock.
 *
 * For every sample task 0 names a moment; all tasks wait for it, do the operation, and tell task 0
 * when they began and were done.  The sample lasts from the agreed moment until the last task is
 * done.  The time from the first begin until then is recorded, too.  A sample in which some task
 * learned of the moment too late is taken again, with more time to tell.  (reprompi: Hunold and
 * Carpen-Amarie 2015; unlike a loop of operations, nothing of one operation hides in the next one.)
 */
#pragma once

#include "common_clock.h"
#include "samples.h"

struct single {
    struct common_clock clock;
    int64_t lead; /* ns from telling to beginning */
    /* Seconds from the agreed moment until the last task was done, and until the last one began;
     * and from the first begin until the last task was done.  begins, since: NULL: not wanted. */
    struct samples *samples, *begins, *since;
};

/* `count` operations: task 0 calls lead, all others follow; run() is one operation of one task.
 * False: failed, and said why. */
bool single_lead(struct single *s, int64_t count, bool (*run)(void *data), void *data);
bool single_follow(bool (*run)(void *data), void *data);
