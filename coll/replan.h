/* replan.h - a new plan from an old one, when a link, a host or the size of the data has changed.
 *
 * Bhat (section 6) and Wu (section 7) leave it to the future: schedules are made anew for every
 * change. Here the old plan is repaired, which takes a small part of the time of planner_best().
 */
#ifndef HNOW_COLL_REPLAN_H
#define HNOW_COLL_REPLAN_H

#include "planner.h"
#include "simulate.h"

/* The plan of `old_choice` for a request of the same operation, ranks and root; old_plan is not
 * changed. On HN_OK the caller owns *plan and *timing (NULL: not wanted); *choice tells which
 * planner it is from. A repaired tree is not one that its planner would make, so choice_plan() does
 * not give it: who needs it elsewhere must repair there, too, with the same old plan. All is
 * decided by integers and fixed work, so all who do find the same. HN_EPLAN: the requests do not
 * fit together.
 *
 * Trees (bcast, reduce, allreduce): the best of the old tree on the new costs, that tree improved
 * by local moves, the old planner's new tree, and two greedy ones, with the old segment size, half
 * and twice of it. Other operations: the best of the quick planners. Cost: that of playing about a
 * dozen plans, and O(n) local moves. */
int replan(const struct choice *old_choice, const struct plan *old_plan, const struct request *req,
           const struct model *model, struct choice *choice, struct plan **plan,
           struct timing *timing);

#endif
