/* replan.h - a new plan from an old one, when a link, a host, the members or the size of the data
 * have changed.
 *
 * Bhat (section 6) and Wu (section 7) leave it to the future: schedules are made anew for every
 * change. Here the old plan is repaired, which takes a small part of the time of planner_best().
 * It rests on exchange_repair() (exchange.h) and multicast_repair() (multicast.h), which do the
 * same for schedules that are no plans.
 */
#ifndef HNOW_COLL_REPLAN_H
#define HNOW_COLL_REPLAN_H

#include "planner.h"
#include "simulate.h"

/* The plan that there was. */
struct old_plan {
    struct choice choice;    /* what it was made from */
    const struct plan *plan; /* it is not changed */
    const int *now; /* [its rank]: that member's rank now, -1: it is gone; NULL: all are what they
                       were */
};

/* A plan for a request of the same operation. On HN_OK the caller owns *plan and *timing (NULL: not
 * wanted); *plan may be the old one, held once more; *choice tells which planner it is from. A
 * repaired plan is not one that its planner would make, so choice_plan() does not give it: who
 * needs it elsewhere must repair there, too, with the same old plan. All is decided by integers and
 * fixed work, so all who do find the same. HN_EPLAN: nobody serves the request.
 *
 * Never later than the old plan kept: as it is, with blocks as much larger or smaller as the data,
 * or, as a tree, with the children of those who are gone at their parents and those who are new
 * where they are served soonest. Cost: that of playing a handful of plans, and O(n) local moves of
 * trees; O(n^2) of total exchanges. */
int replan(const struct old_plan *old, const struct request *req, const struct model *model,
           struct choice *choice, struct plan **plan, struct timing *timing);

#endif
