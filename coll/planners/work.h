/* work.h - estimates the work of planning before it is done.
 *
 * Work is expressed in picoseconds of a processor of 2020. The estimates use integers and depend on
 * the request and the model only, so that all members of a group leave out the same plans.
 */
#pragma once

#include "planners/planner.h"

/* Work of making and simulating one message. */
hn_time work_message(const struct model *model);
/* Approximate number of messages of a plan; n for each rank in rings. */
int64_t work_messages(const struct choice *choice, const struct request *req);
/* Work of a planner's search, before any message is made. It includes the simulation of its two
 * steps, but not the rates of shared media (WORK_RATE). */
hn_time work_search(const struct choice *choice, const struct request *req);
/* Work of examining all pairs of ranks. */
hn_time work_pairs(int ranks);
/* Work in ps of a message of a plan that is a duplicate and not simulated, and of each rate that is
 * recomputed because messages share a route. */
enum { WORK_LATE = 100000, WORK_RATE = 50000 };

/* Limit of the work of a selection (ps) for so many ranks; INT64_MAX: none. Up to WORK_RANKS_FREE
 * ranks everything is tried. Up to WORK_RANKS_SOME the limit is some seconds; beyond, it is less
 * than one second and grows with the number of ranks. */
hn_time work_patience(int ranks);
enum { WORK_RANKS_FREE = 64, WORK_RANKS_SOME = 512 };
