/* relays.h - plans in which each block goes to a rank of its own and from there to all: private to
 * relays and shares.
 */
#pragma once

#include "planners/planner.h"

/* Cuts the single part of the data into segments, or into at most `pieces` pieces of at least one
 * element. */
void relays_cut(const struct problem *problem, int pieces, struct plan *plan);

/* Appends all steps for the blocks of a plan that has been cut. relay[block] is the rank that
 * forwards it; if each rank has a part, this must be the owner of the part. Consecutive blocks with
 * different relays form a round. Ranks receive the forwarded blocks of a round `ahead` rounds
 * later, and send their own blocks `ahead` rounds earlier. Relays send multicasts in the network
 * `net` (NULL: single messages). Errors are reported by plan_fail(). */
void relays_write(const struct request *req, const struct model *net, const int *relay, int ahead,
                  struct plan *plan);
