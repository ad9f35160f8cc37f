/* bound.h - a time that no plan for a request can beat. */
#ifndef HNOW_COLL_BOUND_H
#define HNOW_COLL_BOUND_H

#include "model.h"
#include "operation.h"

/* A lower bound on the makespan of every plan that passes the checker: 0 when out of memory (which
 * is a bound, too). `cut` says whether plans may send pieces of a part on their own. Cost: O(n^2)
 * for operations of one part, O(n^3) for the others up to 256 ranks, beyond that O(n^2) and weaker.
 */
hn_time lower_bound(const struct request *req, const struct model *model, bool cut);

#endif
