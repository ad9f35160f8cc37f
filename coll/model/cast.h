/* cast.h - multicasts in the model: which sends of a plan are one message to many.
 *
 * A plan says so of sends that are joined (plan.h). It is true where the network carries it: on
 * other networks, and to ranks of other subnets and of one's own host, they are sent one by one.
 */
#ifndef HNOW_COLL_CAST_H
#define HNOW_COLL_CAST_H

#include "model.h"
#include "plan.h"

/* Whether a step of a rank goes out together with the send before it. */
static inline bool cast_joins(const struct plan *plan, const struct model *model, int rank,
                              int32_t at)
{
    const struct plan_step *step = &plan->steps[at];
    return step->joined && model_casts(model, rank, step->peer) &&
           model_casts(model, rank, step[-1].peer);
}

#endif
