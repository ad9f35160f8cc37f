/* bound.h - a time that no plan for a request can beat. */
#pragma once

#include "model/model.h"
#include "plan/operation.h"

/* A lower bound on the makespan of every plan that passes the checker: 0 when out of memory (which
 * is a bound, too). `cut` says whether plans may send pieces of a part on their own. Cost: O(z^2)
 * for z zones (zones.h: the subnets of a network file that states no pairs, else the ranks) and
 * O(n) for operations of one part; for the others up to n times that, and no more than a second. Of
 * a multiple multicast: on plans in which messages travel each by itself, through their sources and
 * destinations. */
hn_time lower_bound(const struct request *req, const struct model *model, bool cut);

/* The part of it by which broadcasts of whole messages are usually judged: paths, copies, and that
 * the root must send (Bhat, lemma 1; the root's sends; the doubling of copies). */
hn_time broadcast_bound(const struct request *req, const struct model *model);
