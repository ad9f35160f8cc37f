/* candidates.h - collects plans that may be faster in reality than the best plan of the model
 * (auto.h, struct shortlist).
 */
#pragma once

#include "select/auto.h"

/* Used while plans are simulated; initialized to zeros. */
struct candidates {
    struct candidate by_messages[2][CANDIDATE_CLASSES];  /* [1]: plans that multicast */
    struct candidate by_planner[CANDIDATE_PLANNERS + 1]; /* of each planner, fastest first */
};

/* Considers a plan. messages: a rank, rounded up; multicasts: whether it multicasts. */
void candidates_note(struct candidates *candidates, const struct choice *choice, int messages,
                     bool joined, hn_time makespan);
/* Fills shortlist->candidates for the plan that was chosen. */
void candidates_list(const struct candidates *candidates, const struct choice *chosen,
                     struct shortlist *shortlist);
