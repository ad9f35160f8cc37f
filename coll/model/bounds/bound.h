/* bound.h - lower bounds on the makespan of all plans for a request. */
#pragma once

#include "model/model.h"
#include "plan/operation.h"

/* A lower bound on the makespan of every plan that passes the checker; 0 when out of memory, which
 * is a valid bound. `cut`: plans may send pieces of a part separately. For a multiple multicast it
 * covers plans in which each message travels separately, through its source and destinations only.
 *
 * Cost: O(z^2) for z zones (zones.h), and O(n) for operations of one part. For other operations up
 * to n times that, and at most one second. */
hn_time lower_bound(const struct request *req, const struct model *model, bool cut);

/* The bound usually quoted for broadcasts of whole messages: paths, copies, and the root's sends
 * (Bhat, lemma 1; the doubling of copies). */
hn_time broadcast_bound(const struct request *req, const struct model *model);
