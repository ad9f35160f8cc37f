/* single.h - times single operations that start at an agreed time of the common clock.
 *
 * For every sample task 0 announces a time.  All tasks wait for it, execute the operation, and
 * report when they began and ended.  The sample lasts from the agreed time until the last task has
 * ended.  The time from the first begin to the last end is recorded, too.  If a task was informed
 * too late, the sample is repeated with a longer lead.  (reprompi: Hunold and Carpen-Amarie 2015;
 * unlike in a loop, no operation overlaps with the next one.)
 */
#pragma once

#include "common_clock.h"
#include "samples.h"

struct single {
    struct common_clock clock;
    /* Adapted by each sample; the caller sets a first value. */
    int64_t lead; /* ns from announcement to begin */
    /* Seconds from the agreed time to the last end, and to the last begin; and from the first begin
     * to the last end. begins, since: NULL: not wanted. */
    struct samples *samples, *begins, *since;
};

/* `count` operations: task 0 calls lead, all others follow; run() is one task's part of an
 * operation.  They return false after printing an error. */
bool single_lead(struct single *s, int64_t count, bool (*run)(void *data), void *data);
bool single_follow(bool (*run)(void *data), void *data);
