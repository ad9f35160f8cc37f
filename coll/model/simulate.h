/* simulate.h - simulates a plan in a model: the time of every step. */
#pragma once

#include "model/model.h"
#include "model/span.h"
#include "plan/plan.h"

/* Results of a simulation. spans[].arrived of a receive is the time at which its message is in the
 * receiver's memory. timing_free() frees both arrays. */
struct timing {
    struct span *spans; /* [step], parallel to plan->steps */
    hn_time *done;      /* [rank]: end of its last step, and of its local part */
    hn_time makespan;   /* maximum of done[] */
};

/* Simulates the plan; all ranks start at 0. HN_OK, HN_ENOMEM, or HN_EPLAN if some rank would wait
 * forever. The caller frees the timing, also after an error. Cost: O(steps log ranks). */
int plan_simulate(const struct plan *plan, const struct model *model, struct timing *timing);
/* The same with two limits. The simulation stops, with makespan INT64_MAX, when the makespan is
 * sure to exceed `limit`, or when computing rates exceeds *work rates; *work is then reduced by
 * what was used (NULL: no limit). A rate is computed again whenever a message on the same media
 * begins or ends. If the limit is exceeded before any rates are computed, timing has no spans. */
int plan_simulate_within(const struct plan *plan, const struct model *model, hn_time limit,
                         int64_t *work, struct timing *timing);
/* The makespan of a plan, and the time when one rank has done its part; 0: it cannot be simulated.
 */
hn_time plan_makespan(const struct plan *plan, const struct model *model);
hn_time plan_done(const struct plan *plan, const struct model *model, int rank);
/* Records when the bytes of each message move through the network: moves[receiving step] receives
 * the begin and the end. Entries stay unchanged for port models other than PORT_MEDIA, for messages
 * of a rank to itself, and for joined sends. `moves` needs room for all steps. Errors as
 * plan_simulate(). */
int plan_moves(const struct plan *plan, const struct model *model, struct span *moves);
void timing_free(struct timing *timing);
