/* rivals.h - plans that may be better on the wire than the one that is the best in the model
 * (auto.h, struct entries). */
#ifndef HNOW_COLL_RIVALS_H
#define HNOW_COLL_RIVALS_H

#include "auto.h"

enum { RIVAL_CLASSES = RIVALS - 1 }; /* by the number of messages */

/* While plans are played; zeros at first. */
struct rivals {
    struct rival by_messages[RIVAL_CLASSES];
    struct rival leader, other; /* the best, and the best by another planner */
};

/* A plan that sends so many messages a rank, rounded up. */
void rivals_note(struct rivals *rivals, const struct choice *choice, int messages,
                 hn_time makespan);
/* Those of the one that was chosen. */
void rivals_tell(const struct rivals *rivals, const struct choice *chosen, struct entries *entries);

#endif
