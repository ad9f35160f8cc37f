/* rivals.h - plans that may be better on the wire than the one that is the best in the model
 * (auto.h, struct entries). */
#ifndef HNOW_COLL_RIVALS_H
#define HNOW_COLL_RIVALS_H

#include "select/auto.h"

/* While plans are played; zeros at first. */
struct rivals {
    struct rival by_messages[2][RIVAL_CLASSES];  /* of those that multicast, in the second row */
    struct rival by_planner[RIVAL_PLANNERS + 1]; /* the best of each, the quickest first */
};

/* A plan that sends so many messages a rank, rounded up; whether it multicasts. */
void rivals_note(struct rivals *rivals, const struct choice *choice, int messages, bool casts,
                 hn_time makespan);
/* Lists those of the one that was chosen in entries->rivals. */
void rivals_list(const struct rivals *rivals, const struct choice *chosen, struct entries *entries);

#endif
