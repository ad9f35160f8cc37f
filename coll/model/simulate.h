/* simulate.h - when everything in a plan happens, in a model. */
#pragma once

#include "model/model.h"
#include "model/span.h"
#include "plan/plan.h"

struct timing {
    struct span *spans; /* [step], as plan->steps */
    hn_time *done;      /* [rank]: end of its last step (and of its local part) */
    hn_time makespan;   /* the latest of them */
};

/* Plays the plan in the model, all ranks starting at 0. HN_OK, HN_ENOMEM, or HN_EPLAN when some
 * rank would wait for ever. The caller frees the timing, also after an error. Cost: O(steps log
 * ranks). */
int plan_simulate(const struct plan *plan, const struct model *model, struct timing *timing);
/* The same, but gives up when the makespan is sure to be later than `limit`; it is INT64_MAX then.
 * Also when sharing ways is more work than *work, which becomes what is left (NULL: that is no
 * matter): rates of messages under way found so often, each time that one beside them begins or
 * ends. Where that is sure before ways are shared at all, there are no spans. */
int plan_simulate_within(const struct plan *plan, const struct model *model, hn_time limit,
                         int64_t *work, struct timing *timing);
/* When the bytes of each message move through the network: moves[step of the receive] gets the
 * begin and the end. They stay as they were for receives of other port models than PORT_MEDIA, for
 * messages of a rank to itself, and for joined sends. `moves` has room for all steps. Errors as
 * plan_simulate(). */
int plan_moves(const struct plan *plan, const struct model *model, struct span *moves);
void timing_free(struct timing *timing);
