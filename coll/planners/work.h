/* work.h - what planning takes, estimated before it is done.
 *
 * In picoseconds of a processor of 2020. In integers and from the request alone, so that all
 * members of a group leave out the same plans for want of time.
 */
#pragma once

#include "planners/planner.h"

/* A message, made and played in the model. */
hn_time work_message(const struct model *model);
/* About how many messages a plan will have; rings are taken for n a rank. */
int64_t work_messages(const struct choice *choice, const struct request *req);
/* What looking for the messages takes, before any is made. */
hn_time work_search(const struct choice *choice, const struct request *req);
/* What looking at all pairs of ranks takes. */
hn_time work_pairs(int ranks);
/* What a plan takes that turns out to be like another one before it is played, for each message;
 * and to find the rate of a message again, where many share a way. */
enum { WORK_LATE = 100000, WORK_RATE = 50000 };

/* How long choosing a plan for so many ranks may take; INT64_MAX: as long as it will. Up to
 * WORK_RANKS_FREE everything is tried; beyond, some seconds; beyond WORK_RANKS_SOME, less than one,
 * and what many ranks take. */
hn_time work_patience(int ranks);
enum { WORK_RANKS_FREE = 64, WORK_RANKS_SOME = 512 };
