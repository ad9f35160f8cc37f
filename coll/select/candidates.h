/* candidates.h - plans that may be better on the wire than the one that is the best in the model
 * (auto.h, struct shortlist). */
#pragma once

#include "select/auto.h"

/* While plans are played; zeros at first. */
struct candidates {
    struct candidate
        by_messages[2][CANDIDATE_CLASSES]; /* of those that multicast, in the second row */
    struct candidate by_planner[CANDIDATE_PLANNERS + 1]; /* the best of each, the quickest first */
};

/* A plan that sends so many messages a rank, rounded up; whether it multicasts. */
void candidates_note(struct candidates *candidates, const struct choice *choice, int messages,
                     bool multicasts, hn_time makespan);
/* Lists those of the one that was chosen in entries->candidates. */
void candidates_list(const struct candidates *candidates, const struct choice *chosen,
                     struct shortlist *shortlist);
