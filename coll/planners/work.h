/* work.h - estimates the work of planning before it is done.
 *
 * In picoseconds of a processor of 2020. The estimates use integers and the request only, so that
 * all members of a group leave out the same plans.
 */
#pragma once

#include "planners/planner.h"

/* Work of making and simulating one message. */
hn_time work_message(const struct model *model);
/* Approximate number of messages of a plan; n a rank for rings. */
int64_t work_messages(const struct choice *choice, const struct request *req);
/* Work of a planner's search, before any message is made. */
hn_time work_search(const struct choice *choice, const struct request *req);
/* Work of examining all pairs of ranks. */
hn_time work_pairs(int ranks);
/* Work in ps: a message of a plan that turns out to be a duplicate and is not simulated; and each
 * recomputed rate, where many messages share a route. */
enum { WORK_LATE = 100000, WORK_RATE = 50000 };

/* Time limit of a selection for so many ranks; INT64_MAX: none. Up to WORK_RANKS_FREE ranks
 * everything is tried; beyond, it is some seconds; beyond WORK_RANKS_SOME less than one second,
 * growing with ranks. */
hn_time work_patience(int ranks);
enum { WORK_RANKS_FREE = 64, WORK_RANKS_SOME = 512 };
