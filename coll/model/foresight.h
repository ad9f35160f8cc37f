/* foresight.h - what is still to come after each step of a plan, at least.
 *
 * As if nothing were shared under way but the connection between two ranks: after a step, the rest
 * of the rank's own list takes its time, and so does what a message that it sends makes possible.
 * And a channel is busy with all messages that pass it, one way or another. So a simulation that
 * shares ways, which is much more work, sees early on that a plan will be late, mostly at once.
 */
#ifndef HNOW_COLL_FORESIGHT_H
#define HNOW_COLL_FORESIGHT_H

#include "model/connection.h"
#include "model/simulate.h"

#include "runtime/internal.h"

struct foresight {
    hn_time *after;  /* [step]: from its end (of a send: of S) until all are done, at least */
    hn_time *load;   /* [channel]: how long it is busy with all messages ... */
    hn_time *behind; /* ... and what follows the last of them, at least; INT64_MAX: there is none */
    hn_time least;   /* the makespan, at least */
    struct arena arena; /* of the arrays */
};

/* From a play in which nothing else is shared: order[] are all steps in the order in which they
 * were played, spans[] when. HN_OK or HN_ENOMEM; foresight_end() in any case. Cost: O(steps). */
int foresight_begin(struct foresight *f, const struct plan *plan, struct connections *connections,
                    const int32_t *order, const struct span *spans);
void foresight_end(struct foresight *f);

/* Sums of times that do not fit stay at the latest one. */
static inline hn_time foresight_plus(hn_time a, hn_time b)
{
    hn_time sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

#endif
