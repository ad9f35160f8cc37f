/* auto.h - the best of all planners. */
#ifndef HNOW_COLL_AUTO_H
#define HNOW_COLL_AUTO_H

#include "planner.h"
#include "simulate.h"

/* `auto`: makes and simulates every choice that suits the request, and keeps the best, the first
 * one among equals. With `only`, the choices of that planner alone. timing may be NULL; otherwise
 * the caller frees it. HN_EPLAN: nobody serves the request. */
int planner_best(const struct request *req, const struct model *model, const struct planner *only,
                 struct choice *choice, struct plan **plan, struct timing *timing);
/* How many took part. */
struct entries {
    int planners, plans;
};
/* The same without the planners that are slow, for operations that wait for their plan; of plans
 * that promise about the same, one of fewer messages (price_of() in auto.c). entries may be NULL.
 */
int planner_best_quick(const struct request *req, const struct model *model, struct choice *choice,
                       struct plan **plan, struct timing *timing, struct entries *entries);

#endif
